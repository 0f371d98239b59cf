//! `senbon lab fidelity` as people use it. What it measures depends on the machine; that it
//! measures, and that its virtual side repeats, does not.
#![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "tests use files and processes")]

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

fn fidelity(out: &Path, more: &[&str]) -> String {
    let small = ["lab", "fidelity", "--positions", "3", "--hash", "1", "--move-time", "0.2"];
    let place = ["--out", out.to_str().unwrap()];
    let output = Command::new(env!("CARGO_BIN_EXE_senbon"))
        .args([&small[..], &place, more].concat())
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    String::from_utf8(output.stdout).unwrap()
}

fn folder(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}", std::process::id()))
}

/// The columns of the virtual runs, line by line.
fn virtual_columns(folder: &Path) -> Vec<Vec<String>> {
    let text = std::fs::read_to_string(folder.join("fidelity.csv")).unwrap();
    let columns = |line: &str| line.split(',').map(str::to_owned).collect::<Vec<_>>();
    let head = columns(text.lines().next().unwrap());
    let wanted = |index: &usize| !head[*index].starts_with("live");
    let kept: Vec<_> = (0..head.len()).filter(wanted).collect();
    text.lines()
        .map(|line| {
            let cells = columns(line);
            assert_eq!(cells.len(), head.len(), "{line}");
            kept.iter().map(|&index| cells[index].clone()).collect()
        })
        .collect()
}

#[test]
fn the_worlds_are_compared_and_the_error_is_told() {
    let out = folder("fidelity");
    let told: Value = serde_json::from_str(&fidelity(&out, &["--json"])).unwrap();
    assert!(told["nodes_per_second"].as_u64().unwrap() > 0, "{told}");
    let comparisons = told["comparisons"].as_array().unwrap();
    let which: Vec<_> = comparisons
        .iter()
        .map(|error| (error["workers"].as_u64().unwrap(), error["runs"].as_str().unwrap()))
        .collect();
    let runs = ["live and virtual", "live and live again", "virtual and virtual, other jitter"];
    let wanted: Vec<_> = [1, 2].iter().flat_map(|&n| runs.map(|run| (n, run))).collect();
    assert_eq!(which, wanted);
    for error in comparisons {
        assert_eq!(error["positions"], 3, "{error}");
        assert!(error["same_moves"].as_u64().unwrap() <= 3, "{error}");
        assert!(error["nodes_error"]["median"].as_f64().unwrap() >= 0.0, "{error}");
    }
    let page = std::fs::read_to_string(out.join("fidelity.md")).unwrap();
    assert!(page.contains("| 2 | live and virtual |") && page.contains("as one live"), "{page}");
    assert!(!page.contains(env!("CARGO_TARGET_TMPDIR")), "no folders of this machine:\n{page}");
    let rows = virtual_columns(&out);
    assert_eq!(rows.len(), 1 + 2 * 3);
    std::fs::remove_dir_all(&out).unwrap();
}

#[test]
fn the_virtual_side_repeats_whatever_the_live_one_does() {
    let [first, second, other] = ["a", "b", "c"].map(|name| folder(&format!("fidelity-{name}")));
    let run = |out: &Path, seed: &str| {
        let text = fidelity(out, &["--speed", "100000", "--seed", seed]);
        assert!(text.starts_with("a virtual worker searches 100000 nodes a second"), "{text}");
        let rows = virtual_columns(out);
        std::fs::remove_dir_all(out).unwrap();
        rows
    };
    let rows = run(&first, "5");
    assert_eq!(run(&second, "5"), rows);
    assert_ne!(run(&other, "6"), rows, "other positions");
}
