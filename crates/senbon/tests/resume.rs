//! Promise 6 as a user meets it: a killed program goes on with the tree that it had.
#![cfg(unix)]
#![allow(dead_code, clippy::disallowed_methods, clippy::unwrap_used)]

mod support;

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use senbon_engines::universal::Dialect;
use senbon_testkit::Folder;
use support::Engine;

const SENBON: &str = env!("CARGO_BIN_EXE_senbon");
/// How long anything may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);
const GAME: &str = "position startpos moves e2e4 e7e5 g1f3";
/// What the first process reaches, and the second must not fall behind.
const DEPTH: u32 = 8;

fn depth(line: &str) -> Option<u32> {
    let mut words = line.split(' ').skip_while(|&word| word != "depth");
    words.nth(1)?.parse().ok()
}

#[test]
fn a_killed_game_goes_on_with_its_tree() {
    let folder = Folder::new("resume");
    let journal = folder.file("game");
    let arguments = ["uci", "--workers", "2", "--hash", "4", "--journal", &journal];
    let mut engine = Engine::start(&arguments, Dialect::Uci);
    engine.say(&format!("ucinewgame\n{GAME}\ngo infinite"));
    let until = Instant::now() + PATIENCE;
    while engine.until("info").last().and_then(|line| depth(line)).is_none_or(|d| d < DEPTH) {
        assert!(Instant::now() < until, "depth {DEPTH} is not reached");
    }
    // The game is written once a second.
    std::thread::sleep(Duration::from_millis(2500));
    engine.kill();

    let mut engine = Engine::start(&arguments, Dialect::Uci);
    let answer = engine.ask(&format!("ucinewgame\n{GAME}\ngo movetime 1500"));
    let first = answer.infos.iter().find_map(|info| info.depth).unwrap();
    assert!(first >= DEPTH, "it begins at depth {first}");
    // Another move was played: the tree is followed there.
    let answer = engine.ask(&format!("{GAME} b8c6\ngo movetime 200"));
    assert!(!answer.text().is_empty());
    let (status, _) = engine.end();
    assert!(status.success());
}

#[test]
fn an_analysis_goes_on() {
    let folder = Folder::new("resume-analysis");
    let journal = folder.file("analysis");
    let analyse = || {
        let output = Command::new(SENBON)
            .args(["analyse", "--nodes", "20000", "--workers", "2", "--hash", "4", "--journal"])
            .arg(&journal)
            .stdin(Stdio::null())
            .output()
            .unwrap();
        assert!(output.status.success(), "{output:?}");
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    assert!(!analyse().contains("goes on"));
    assert!(analyse().contains("senbon: goes on with"));
}

#[test]
fn a_file_that_is_no_journal_is_left_alone() {
    let folder = Folder::new("resume-wrong");
    let journal = folder.with("notes", "not a journal at all\n".repeat(500).as_str());
    let output = Command::new(SENBON)
        .args(["analyse", "--nodes", "100", "--journal", &journal])
        .stdin(Stdio::null())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(error.contains("cannot use the journal") && error.contains("notes"), "{error}");
    assert!(folder.read("notes").starts_with("not a journal"));
}
