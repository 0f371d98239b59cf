//! `senbon lab fabric` in short: everything is measured, nothing is lost, and the files are there.
#![allow(clippy::unwrap_used, clippy::disallowed_methods)]

use std::process::Command;

use serde_json::Value;

#[test]
fn the_fabric_is_measured_and_loses_nothing() {
    let out = senbon_testkit::Folder::new("lab-fabric");
    let run = Command::new(env!("CARGO_BIN_EXE_senbon"))
        .args(["lab", "fabric", "--seconds", "0.3", "--load", "3", "--sessions", "4"])
        .args(["--slots", "2", "--minutes", "0.04", "--json", "--out"])
        .arg(out.path())
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&run.stderr);
    assert!(run.status.success(), "{errors}");
    let told: Value = serde_json::from_slice(&run.stdout).unwrap();
    let exchanges = told["exchanges"].as_array().unwrap();
    assert_eq!(exchanges.len(), 9, "{told}");
    for exchange in exchanges {
        assert!(exchange["round_trips"].as_u64().unwrap() > 0, "{exchange}");
        assert!(exchange["connections"].as_u64() <= exchange["sessions"].as_u64(), "{exchange}");
        let (median, p99) = (&exchange["median_us"], &exchange["p99_us"]);
        assert!(median.as_f64().unwrap() <= p99.as_f64().unwrap(), "{exchange}");
    }
    let crowd = &told["crowd"];
    assert_eq!(crowd["lost"], 0, "{crowd}");
    assert_eq!(crowd["answered"], crowd["ordered"], "{crowd}");
    assert_eq!(crowd["answered"], crowd["answered_by_workers"], "{crowd}");
    assert!(crowd["answered"].as_u64().unwrap() >= 4, "{crowd}");
    for (name, rows) in [("fabric.md", 20), ("fabric.csv", 10), ("fabric-crowd.csv", 2)] {
        let text = out.read(name);
        assert!(text.lines().count() >= rows, "{name}: {text}");
    }
}
