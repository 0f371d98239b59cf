//! Other people's engines in virtual time, as people use them: `senbon match --virtual` and
//! `senbon lab pgpp` with `--engine`.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "tests use files and processes")]

use std::process::{Command, Output};

use senbon_testkit::Folder;
use serde_json::Value;

fn senbon(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_senbon")).args(arguments).output().unwrap()
}

fn said(output: &Output) -> String {
    let text = String::from_utf8(output.stdout.clone()).unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{text}\n{errors}");
    text
}

fn stockfish() -> Option<String> {
    Some(senbon_testkit::engine("stockfish")?.to_str()?.to_owned())
}

/// The lines of a journal, the games in their order.
fn journal(path: &str) -> (Value, Vec<Value>) {
    let text = std::fs::read_to_string(path).unwrap();
    let mut lines: Vec<Value> =
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let head = lines.remove(0);
    lines.sort_by_key(|game| game["game"].as_u64());
    (head, lines)
}

const TEAMS: [&str; 9] = [
    "match",
    "--virtual",
    "--first",
    "pipeline:2",
    "--second",
    "linear:2",
    "--ponder",
    "--control",
    "movetime=1",
];
const SMALL: [&str; 10] =
    ["--speed", "400", "--quantum", "100", "--hash", "1", "--longest", "30", "--games", "4"];

#[test]
fn games_of_engines_repeat_whoever_played_before_and_beside() {
    let Some(stockfish) = stockfish() else { return };
    let folder = Folder::new("virtual-engines");
    let play = |name: &str, concurrency: &str| {
        let file = folder.file(name);
        let rest = ["--engine", &stockfish, "--concurrency", concurrency, "--journal", &file];
        let text = said(&senbon(&[&TEAMS[..], &SMALL, &rest].concat()));
        assert!(text.contains("4 games:") && !text.contains("lost on time"), "{text}");
        journal(&file)
    };
    let (head, games) = play("one", "1");
    assert!(head["engine"]["name"].as_str().unwrap().starts_with("Stockfish"), "{head}");
    assert_eq!(head["engine"]["quantum"], 100);
    // Two boards: other processes, and another game before.
    assert_eq!(play("two", "2"), (head, games));
}

#[test]
fn a_match_whose_engine_dies_says_so_and_goes_on_later() {
    let Some(stockfish) = stockfish() else { return };
    let folder = Folder::new("virtual-death");
    let (broken, whole) = (folder.file("broken"), folder.file("whole"));
    // The workers are told of a game when they are started and before each game. These end in
    // the midst of the third.
    let script = folder.file("dying.sh");
    let text = format!(
        r#"games=0 searches=0
while read -r line; do
    case $line in
        ucinewgame) games=$((games + 1)) ;;
        go*) test $games -lt 4 || searches=$((searches + 1)) ;;
    esac
    test $searches -lt 9 || break
    echo "$line"
done | "{stockfish}"
"#
    );
    std::fs::write(&script, text).unwrap();
    let dying = format!("sh \"{script}\"");
    let play = |engine: &str, file: &str| {
        let rest = ["--engine", engine, "--journal", file];
        senbon(&[&TEAMS[..], &SMALL, &rest].concat())
    };
    let output = play(&dying, &broken);
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{errors}");
    for text in ["goes on from its journal", "in game 3", "worker ", "Stockfish", "ended"] {
        assert!(errors.contains(text), "{text}: {errors}");
    }
    assert_eq!(journal(&broken).1.len(), 2);
    said(&play(&stockfish, &broken));
    said(&play(&stockfish, &whole));
    assert_eq!(journal(&broken), journal(&whole), "as if nothing had happened");
}

#[test]
fn many_engines_are_measured_against_one() {
    let Some(stockfish) = stockfish() else { return };
    let folder = Folder::new("virtual-pgpp");
    let openings = folder.file("openings.epd");
    std::fs::write(&openings, "startpos moves e2e4 e7e5 g1f3 b8c6\n").unwrap();
    let out = folder.file("out");
    let what = ["lab", "pgpp", "--engine", &stockfish, "--option", "Slow Mover=99"];
    let size = ["--workers", "2", "--arms", "pipeline,linear", "--games", "2", "--speed", "200"];
    let place = ["--quantum", "100", "--equal-quanta", "--openings", &openings, "--out", &out];
    let text = said(&senbon(&[&what[..], &size, &place].concat()));
    assert!(text.contains("pipeline:2  2 games") && text.contains("linear:2  2 games"), "{text}");
    let page = folder.read("out/pgpp.md");
    assert!(page.contains("Stockfish") && page.contains("by quanta of 100 nodes"), "{page}");
    let (head, games) = journal(&folder.file("out/pipeline-2.jsonl"));
    assert_eq!((games.len(), &head["engine"]["doubling"]), (2, &Value::Bool(false)));
    assert!(head["engine"]["options"].to_string().contains("Slow Mover"), "{head}");
}

#[test]
fn mistakes_are_explained() {
    let live = senbon(&["match", "--first", "a", "--second", "b", "--engine", "stockfish"]);
    let errors = String::from_utf8_lossy(&live.stderr).into_owned();
    assert_eq!(live.status.code(), Some(2), "{errors}");
    assert!(errors.contains("--virtual"), "{errors}");
    let missing = [&TEAMS[..], &["--engine", "/nowhere/engine"]].concat();
    let missing = senbon(&missing);
    let errors = String::from_utf8_lossy(&missing.stderr).into_owned();
    assert_eq!(missing.status.code(), Some(1), "{errors}");
    assert!(errors.contains("cannot start /nowhere/engine"), "{errors}");
}
