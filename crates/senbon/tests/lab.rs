//! The quick experiments of `senbon lab`, its list, and rank tables on the command line.
#![allow(dead_code, clippy::disallowed_methods, clippy::unwrap_used)]

mod support;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use senbon_core::RankTable;
use senbon_engines::universal::Dialect;
use support::Engine;

fn senbon(arguments: &[&str]) -> (Option<i32>, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_senbon")).args(arguments).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

/// A file that is removed at the end of the test.
struct Temporary(PathBuf);

impl Temporary {
    fn new(name: &str, text: &str) -> Self {
        let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR"))
            .join(format!("{name}-{}", std::process::id()));
        fs::write(&path, text).unwrap();
        Temporary(path)
    }

    fn name(&self) -> &str {
        self.0.to_str().unwrap()
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

#[test]
fn utility_as_published_and_beside_a_measured_table() {
    let (status, out, _) = senbon(&["lab", "utility"]);
    assert_eq!(status, Some(0));
    let value = |out: &str, workers: &str| -> Vec<String> {
        let mut rows = out.lines().map(|line| line.split_whitespace().map(str::to_owned));
        rows.find_map(|mut row| (row.next()? == workers).then(|| row.collect())).unwrap()
    };
    // Worked out by other code from Table 2 with ranks 1 to 10.
    let published =
        [("2", "0.5472"), ("4", "1.0235"), ("8", "1.4706"), ("16", "1.9151"), ("60", "2.7250")];
    for (workers, utility) in published {
        assert_eq!(value(&out, workers), [utility]);
    }
    assert_eq!(value(&out, "1"), ["0.0000"]);
    assert_eq!(value(&out, "1536").len(), 1);

    let half = RankTable::format_counts(&[1, 1], 0, &[]);
    let file = Temporary::new("utility-table", &half);
    let arguments = ["lab", "utility", "--table", file.name(), "--workers", "1..3,7"];
    let (_, out, _) = senbon(&arguments);
    // A binary tree: half a ply for each of the first two, a quarter for the next four.
    for (workers, utility) in [("1", "0.0000"), ("2", "0.5000"), ("3", "1.0000"), ("7", "2.0000")] {
        assert_eq!(value(&out, workers)[1], utility, "{out}");
    }
    let (_, out, _) = senbon(&[&arguments[..], &["--json"]].concat());
    let told: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(told["utility"][3]["measured"], 2.0);
    for wrong in ["0", "3..1", "x", "1..200000"] {
        let (status, _, err) = senbon(&["lab", "utility", "--workers", wrong]);
        assert_eq!(status, Some(2), "{wrong}");
        assert!(err.contains("--workers"), "{err}");
    }
}

#[test]
fn the_list_tells_of_every_experiment() {
    let (status, out, _) = senbon(&["lab", "list"]);
    assert_eq!(status, Some(0));
    for text in ["rank-frequency\n", "pgpp-2015 Table 2", "utility\n", "Fig. 4b", "Takes:"] {
        assert!(out.contains(text), "{text}: {out}");
    }
    let (_, out, _) = senbon(&["lab", "rank-frequency", "--help"]);
    let out = out.split_whitespace().collect::<Vec<_>>().join(" ");
    for text in ["Reproduces: pgpp-2015 Table 2", "one line more than", "the journal"] {
        assert!(out.contains(text), "{text}: {out}");
    }
    // Without an argument there is help, too.
    let (status, out, err) = senbon(&["lab"]);
    assert_eq!((status, out.as_str()), (Some(2), ""));
    assert!(err.contains("rank-frequency") && err.contains("senbon lab list"), "{err}");
}

#[test]
fn a_rank_table_is_read_or_its_fault_told() {
    let good = Temporary::new("good-table", &RankTable::published().format());
    let bad =
        Temporary::new("bad-table", "senbon-rank-table 1\nprobabilities\n1 0.5\nbeyond 0.1\n");
    for command in ["uci", "usi", "analyse"] {
        let (status, _, err) = senbon(&[command, "--rank-table", bad.name()]);
        assert_eq!(status, Some(2), "{command}");
        assert!(err.contains("add up to 0.6000"), "{command}: {err}");
    }
    let limits = ["--depth", "3", "--hash", "1", "--workers", "2"];
    let (status, out, err) =
        senbon(&[&["analyse", "--rank-table", good.name()], &limits[..]].concat());
    assert_eq!(status, Some(0), "{err}");
    assert!(out.contains("best "), "{out}");

    let mut engine =
        Engine::start(&["uci", "--rank-table", good.name(), "--hash", "1"], Dialect::Uci);
    engine.say("uci");
    let heard = engine.until("uciok");
    let declared = format!("option name RankTable type string default {}", good.name());
    assert!(heard.contains(&declared), "{heard:?}");
    engine.say(&format!("setoption name RankTable value {}", bad.name()));
    let remark = engine.remark();
    assert!(remark.contains("add up to 0.6000") && remark.contains("stays"), "{remark}");
    engine.say("setoption name RankTable value <empty>\nisready");
    engine.until("readyok");
    engine.ask("go depth 3");
    engine.say("quit");
    assert!(engine.end().0.success());
}

#[test]
fn many_against_one_goes_on_and_is_written_down() {
    let openings = Temporary::new("pgpp-openings.epd", "startpos moves e2e4 e7e5 g1f3 b8c6\n");
    let folder =
        PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("pgpp-{}", std::process::id()));
    let out = folder.to_str().unwrap();
    let run = |games: &str, arms: &str| {
        let common = ["lab", "pgpp", "--speed", "200", "--workers", "1,3", "--openings"];
        let rest = [openings.name(), "--out", out, "--arms", arms, "--games", games];
        senbon(&[&common[..], &rest].concat())
    };
    let (status, first, _) = run("2", "pipeline");
    assert_eq!(status, Some(0));
    assert!(first.contains("pipeline:3  2 games"), "{first}");
    let journal = folder.join("pipeline-3.jsonl");
    let before = fs::read_to_string(&journal).unwrap();
    let (_, second, _) = run("4", "pipeline,equal-cpu");
    assert!(second.contains("pipeline:3  4 games"), "{second}");
    let after = fs::read_to_string(&journal).unwrap();
    assert!(after.starts_with(&before) && after.lines().count() == 5, "two games were added");
    let csv = fs::read_to_string(folder.join("pgpp.csv")).unwrap();
    assert_eq!(csv.lines().count(), 5, "a head and four points:\n{csv}");
    let page = fs::read_to_string(folder.join("pgpp.md")).unwrap();
    assert!(page.contains("| 1 | pipeline | 4 |") && page.contains("| 48.1 |"), "{page}");
    assert!(!page.contains(env!("CARGO_TARGET_TMPDIR")), "no folders of this machine:\n{page}");
    assert!(fs::read_to_string(folder.join("pgpp-rate.svg")).unwrap().ends_with("</svg>\n"));
    fs::remove_dir_all(&folder).unwrap();
}

/// Runs a small experiment in `folder`.
fn minimal_tree(folder: &Path, more: &[&str]) -> (Option<i32>, String, String) {
    let out = folder.to_str().unwrap();
    let mut words = vec!["lab", "minimal-tree", "--out", out, "--workers", "8"];
    words.extend(more);
    senbon(&words)
}

/// A cell of the row of `method` in the first table of the page that has one.
fn cell(page: &str, method: &str, column: usize) -> String {
    let row = page.lines().find(|line| line.contains(&format!("| {method} |"))).unwrap();
    row.split('|').nth(column).unwrap().trim().to_owned()
}

/// Small trees, all methods; a run that is started again with more goes on where it was.
#[test]
fn minimal_trees_beside_the_sequential_search() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"))
        .join(format!("minimal-tree-{}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    let methods = "published,without-updates,share,negascout,epsilon:50,in-step,extended,growing";
    let run = |more: &[&str]| {
        let size = ["--depth", "10", "--reach", "4", "--methods", methods];
        minimal_tree(&folder, &[&size[..], more].concat())
    };
    let (status, page, errors) = run(&["--count", "1", "--ordering", "0"]);
    assert_eq!(status, Some(0), "{errors}");
    let speed_up = |method: &str| -> f64 { cell(&page, method, 6).parse().unwrap() };
    assert!((speed_up("sequential") - 1.0).abs() < 1e-9);
    assert!(speed_up("in-step:50") > 2.0, "{page}");
    assert!(speed_up("growing:50") > 2.0, "{page}");
    assert!(page.contains("This size is not one of the paper's"), "{page}");
    assert!(page.contains("| 1 | 24 | 12 | 1536 | published | 25.91 | 750 | 1381 |"), "{page}");
    let file = |name: &str| fs::read_to_string(folder.join(name)).unwrap();
    let before = file("minimal-tree.jsonl");
    assert_eq!(before.lines().count(), 1 + 9);
    let (_, page, errors) = run(&["--count", "2", "--ordering", "2", "--analysis"]);
    // Two trees by one and by eight methods, each in six forms for two d'; two nodes, two widths.
    assert!(errors.contains("46/46"), "{errors}");
    let after = file("minimal-tree.jsonl");
    assert!(after.starts_with(&before) && after.lines().count() == 1 + 46);
    assert_eq!(file("minimal-tree.csv").lines().count(), 1 + 9);
    assert!(page.contains("| synthetic | 20 | 2 to 4 | 2 |"), "{page}");
    for figure in 6..=11 {
        let picture = file(&format!("figure-{figure}.svg"));
        assert!(picture.starts_with("<svg") && picture.ends_with("</svg>\n"), "{picture}");
        assert!(!picture.contains("NaN") && !picture.contains("inf"), "{picture}");
        assert!(page.contains(&format!("(figure-{figure}.svg)")), "{page}");
    }
    let (status, _, errors) = senbon(&["lab", "minimal-tree", "--out", "x", "--reach", "30"]);
    assert_eq!(status, Some(2), "{errors}");
    assert!(errors.contains("30 of them the master's"), "{errors}");
    fs::remove_dir_all(&folder).unwrap();
}

/// Crews below a master's tree that grows, against a search by one with null windows.
#[test]
fn a_masters_tree_that_grows() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"))
        .join(format!("minimal-growing-{}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    let crews = ["--methods", "crews:5", "--foremen", "2", "--count", "1", "--ordering", "0"];
    let run = |more: &[&str]| {
        let size = ["--depth", "12", "--reach", "6", "--pool", "1"];
        minimal_tree(&folder, &[&size[..], &crews[..], more].concat())
    };
    let (status, page, errors) = run(&["--start", "2", "--hurry", "--alone-scouts"]);
    assert_eq!(status, Some(0), "{errors}");
    assert!(cell(&page, "crews:5", 6).parse::<f64>().unwrap() > 2.0, "{page}");
    let asked_for = ["has 2 plies at first", "do not wait for the last", "is NegaScout"];
    for said in asked_for.iter().chain(&["under 2 foremen"]) {
        assert!(page.contains(said), "{said}: {page}");
    }
    let journal = || fs::read_to_string(folder.join("minimal-tree.jsonl")).unwrap();
    let grown = journal();
    for search in ["\"1 alone scouting\"", "\"1 crews:5 8 under 2 from 2 in haste\""] {
        assert!(grown.contains(search), "{grown}");
    }
    // Other searches, not the same one once more.
    run(&["--start", "2"]);
    let (_, page, _) = run(&["--methods", "front:5"]);
    assert!(cell(&page, "front:5", 6).parse::<f64>().unwrap() > 2.0, "{page}");
    assert!(!asked_for.iter().any(|said| page.contains(said)), "{page}");
    let (_, page, _) = run(&["--stride", "4", "--alone-stride", "6"]);
    assert!(cell(&page, "crews:5", 6).parse::<f64>().unwrap() > 2.0, "{page}");
    for said in ["levels go 4 plies deeper", "sequential search goes 6 plies deeper"] {
        assert!(page.contains(said), "{said}: {page}");
    }
    let all = journal();
    let of = |search: &str, what: &str| -> u64 {
        let mut lines = all.lines().map(|line| serde_json::from_str(line).unwrap());
        let line = lines.find(|line: &serde_json::Value| line["search"] == search).unwrap();
        line[what].as_u64().unwrap()
    };
    assert_ne!(of("1 alone scouting", "nodes"), of("1 alone", "nodes"));
    assert_ne!(of("1 alone by 6 plies", "nodes"), of("1 alone", "nodes"));
    assert_ne!(of("1 crews:5 8 under 2 by 4 plies", "nodes"), of("1 crews:5 8 under 2", "nodes"));
    let [whole, grown, hasty] = ["", " from 2", " from 2 in haste"]
        .map(|how| of(&format!("1 crews:5 8 under 2{how}"), "nodes"));
    assert!(whole != grown && grown != hasty, "{all}");
    assert_ne!(of("1 front:5 8 under 2", "nodes"), whole, "{all}");
    let (status, _, errors) = run(&["--start", "7"]);
    assert_eq!(status, Some(2), "{errors}");
    assert!(errors.contains("a master's tree of 6 plies cannot begin with 7"), "{errors}");
    let (status, _, errors) = run(&["--stride", "3"]);
    assert_eq!(status, Some(2), "{errors}");
    assert!(errors.contains("2, 4, 6 or 8 plies at a time"), "{errors}");
    fs::remove_dir_all(&folder).unwrap();
}

/// Two games in an empty folder.
fn shogi_games(folder: &Path) -> String {
    let _ = fs::remove_dir_all(folder);
    let games = folder.join("games");
    fs::create_dir_all(&games).unwrap();
    let moves = "+7776FU\n-3334FU\n+2726FU\n-8384FU\n+2625FU\n-8485FU\n";
    for (name, moves) in [("a.csa", moves), ("b.csa", &moves.replace("2625FU", "6978KI"))] {
        fs::write(games.join(name), format!("V2.2\nPI\n+\n{moves}%TORYO\n")).unwrap();
    }
    games.to_str().unwrap().to_owned()
}

/// Real processes beside virtual time: both find the value of the search by one, or there is an
/// error. How long they take is not looked at here.
#[test]
fn live_searches_are_compared_with_virtual_ones() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"))
        .join(format!("minimal-live-{}", std::process::id()));
    let games = shogi_games(&folder);
    let shogi = ["lab", "minimal-tree", "--trees", "shogi", "--positions", &games, "--plies", "5"];
    let size = ["--depth", "8", "--reach", "2", "--rounds", "1", "--count", "2"];
    for (live, slots) in [("1,2", "1"), ("2,4", "2")] {
        let how = ["--live", live, "--slots", slots];
        let (status, out, errors) = senbon(&[&shogi[..], &size[..], &how].concat());
        assert_eq!(status, Some(0), "{errors}");
        for workers in live.split(',') {
            assert!(out.contains(&format!("{workers} workers: all trees together")), "{out}");
        }
    }
    let how = ["--live", "3", "--slots", "2"];
    let (status, _, errors) = senbon(&[&shogi[..], &size[..], &how].concat());
    assert_eq!(status, Some(1));
    assert!(errors.contains("3 workers are no whole number of processes of 2"), "{errors}");
    fs::remove_dir_all(&folder).unwrap();
}

/// Shogi trees: the increase of leaves is split, and the factors multiply.
#[test]
fn leaves_of_shogi_trees_are_explained() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"))
        .join(format!("minimal-shogi-{}", std::process::id()));
    let games = shogi_games(&folder);
    let shogi = ["--trees", "shogi", "--positions", &games, "--plies", "5"];
    let size = ["--depth", "8", "--reach", "4", "--ordering", "2", "--json"];
    let (status, out, errors) = minimal_tree(&folder, &[&shogi[..], &size[..]].concat());
    assert_eq!(status, Some(0), "{errors}");
    let all: serde_json::Value = serde_json::from_str(&out).unwrap();
    let split = &all["analysis"][0];
    let number = |value: &serde_json::Value| value.as_f64().unwrap();
    for one in split["trees"].as_array().unwrap().iter().chain([&split["together"]]) {
        let product = ["table", "windows", "tasks"].map(|name| number(&one[name]));
        let product: f64 = product.into_iter().product();
        assert!((product - number(&one["estimated"])).abs() < 1e-9, "{one}");
        assert!(number(&one["actual"]) > 0.5 && number(&one["table"]) > 0.5, "{one}");
    }
    assert_eq!(split["trees"].as_array().unwrap().len(), 2);
    let page = fs::read_to_string(folder.join("minimal-tree.md")).unwrap();
    assert!(page.contains("| 24 | 12 | 1.942 | 2.877 | 0.96 | 5.362 | 5.126 |"), "{page}");
    assert!(page.contains("| shogi | 5 | 6 to 8 | 2 |"), "{page}");
    fs::remove_dir_all(&folder).unwrap();
}
