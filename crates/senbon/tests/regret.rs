//! `senbon lab regret` as a user runs it.
#![allow(clippy::disallowed_methods, clippy::unwrap_used)]

use std::process::Command;

use senbon_core::pipeline::Strategy;
use senbon_testkit::Folder;
use serde_json::Value;

fn regret(arguments: &[&str]) -> (Option<i32>, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_senbon"))
        .args(["lab", "regret"])
        .args(arguments)
        .output()
        .unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

const GAMES: &str = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 *\n\n\
                     1. d4 d5 2. c4 e6 3. Nc3 Nf6 4. Bg5 Be7 5. e3 O-O 6. Nf3 h6 7. Bh4 b6 *\n\n";

#[test]
fn a_small_set_is_measured_once_and_more_is_added() {
    let folder = Folder::new("regret");
    let games = folder.with("games.pgn", GAMES);
    let out = folder.file("out");
    let run = |more: &[&str]| {
        let common = ["--positions", &games, "--out", &out, "--count", "4", "--plies", "6..12"];
        let little = ["--speed", "300", "--reference-nodes", "800", "--ruler", "1,2", "--json"];
        let (status, text, err) = regret(&[&common[..], &little, more].concat());
        assert_eq!(status, Some(0), "{err}");
        serde_json::from_str::<Value>(&text).unwrap()
    };
    let first = run(&["--teams", "pipeline:2"]);
    assert_eq!(first["positions"], 4);
    assert_eq!(first["searched"]["references"], 4);
    // Two of the ruler and one team, in each position.
    assert_eq!(first["searched"]["choices"], 12);
    assert_eq!(first["teams"][0]["team"], "pipeline:2");
    assert!(first["ruler"][1]["regret"].as_f64().is_some_and(|regret| regret >= 0.0));

    let again = run(&["--teams", "pipeline:2"]);
    for kind in ["references", "choices", "values"] {
        assert_eq!(again["searched"][kind], 0, "{kind} were searched again");
    }
    assert_eq!((&again["teams"], &again["ruler"]), (&first["teams"], &first["ruler"]));

    let more = run(&["--teams", "pipeline:2,root-split:2", "--times", "1,2"]);
    assert_eq!(more["searched"]["references"], 0);
    assert_eq!(more["searched"]["choices"], 12, "three new trials");
    assert_eq!(more["teams"][0], first["teams"][0], "what was there stays as it was");
    let changed = run(&["--teams", "pipeline:2", "--tag", "changed"]);
    assert_eq!(changed["searched"]["choices"], 12, "another tag, other choices");

    let csv = folder.read("out/regret.csv");
    assert_eq!(csv.lines().count(), 4, "a head, two of the ruler and a team:\n{csv}");
    assert_eq!(folder.read("out/regret-positions.csv").lines().count(), 13);
    let page = folder.read("out/regret.md");
    assert!(page.contains("| pipeline:2 | 1 |") && page.contains("`changed`"), "{page}");
    assert!(!page.contains(env!("CARGO_TARGET_TMPDIR")), "no folders of this machine:\n{page}");
    for picture in ["out/regret.svg", "out/regret-speedup.svg"] {
        assert!(folder.read(picture).ends_with("</svg>\n"));
    }
}

#[test]
fn warm_teams_and_a_table_for_people() {
    let folder = Folder::new("regret-warm");
    let games =
        folder.with("games.csa", "V2.2\nPI\n+\n+7776FU\n-3334FU\n+2726FU\n-8384FU\n%TORYO\n");
    let (out, shared) = (folder.file("out"), folder.file("shared.jsonl"));
    let (status, text, err) = regret(&[
        "--game",
        "shogi",
        "--positions",
        &games,
        "--plies",
        "3..4",
        "--warm",
        "--out",
        &out,
        "--teams",
        "all:2",
        "--ruler",
        "1",
        "--speed",
        "100",
        "--reference-nodes",
        "300",
        "--references",
        &shared,
    ]);
    assert_eq!(status, Some(0), "{err}");
    let choices = format!("{} choices", 2 * Strategy::ALL.len());
    for part in ["2 positions", "pipeline:2", "gpp:2", "root-split:2", &choices, "regret.md"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(err.contains("2 positions instead of 200"), "{err}");
    assert!(!err.contains("hardly deeper"), "{err}");
    assert!(folder.read("shared.jsonl").lines().count() > 2);
}

#[test]
fn what_cannot_be_done_is_said() {
    let folder = Folder::new("regret-wrong");
    let bare = folder.with("bare.epd", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -\n");
    let games = folder.with("games.pgn", GAMES);
    let out = folder.file("out");
    let cases: [(&[&str], i32, &str); 6] = [
        (&["--positions", "no-such-file.pgn"], 2, "no-such-file.pgn"),
        (&["--teams", "crowd:3"], 2, "crowd"),
        (&["--ruler", "0"], 2, "--ruler"),
        (&["--plies", "9..3"], 2, "counts down"),
        (&["--positions", &bare, "--warm"], 1, "two moves before"),
        (&["--positions", &games, "--plies", "60"], 1, "within the plies"),
    ];
    for (arguments, wanted, part) in cases {
        let (status, _, err) = regret(&[&["--out", &out], arguments].concat());
        assert_eq!(status, Some(wanted), "{arguments:?}: {err}");
        assert!(err.contains(part), "{arguments:?}: {err}");
    }
    let shallow = ["--out", &out, "--positions", &bare, "--reference-nodes", "100", "--count", "1"];
    let little = ["--ruler", "1,2", "--speed", "60", "--teams", "pipeline:2"];
    let (status, _, err) = regret(&[&shallow[..], &little].concat());
    assert_eq!(status, Some(0), "{err}");
    assert!(err.contains("100 nodes is hardly deeper than the ruler, which ends at 120"), "{err}");
    let (_, help, _) = regret(&["--help"]);
    assert!(help.contains("effective speed-up") && help.contains("--teams pipeline:8"), "{help}");
}
