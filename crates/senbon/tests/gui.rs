//! `senbon uci` under a GUI that is not ours: python-chess, by `tests/python/gui.py`.
#![allow(clippy::disallowed_methods, clippy::unwrap_used)]

use std::process::Command;

/// Runs one check of the GUI program on `senbon uci` with these arguments.
fn check(name: &str, arguments: &[&str], opponent: Option<&str>) {
    let Some(python) = senbon_testkit::python() else { return };
    let program = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/python/gui.py");
    let mut command = Command::new(python);
    command.args([program, name, env!("CARGO_BIN_EXE_senbon"), "uci"]).args(arguments);
    if let Some(opponent) = opponent {
        command.env("OPPONENT", opponent);
    }
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    let complained = String::from_utf8_lossy(&output.stderr);
    println!("{said}");
    assert!(output.status.success(), "gui.py {name}: {}\n{said}{complained}", output.status);
}

/// Two of our own engines.
const OWN: [&str; 4] = ["--workers", "2", "--hash", "4"];

#[test]
fn options_are_listed_and_set() {
    check("options", &OWN, None);
}

#[test]
fn every_limit_ends_the_search() {
    check("limits", &OWN, None);
}

#[test]
fn several_lines_are_told_best_first() {
    check("several_lines", &OWN, None);
}

#[test]
fn clocks_are_kept() {
    check("clocks", &OWN, None);
}

#[test]
fn pondering_hits_and_misses() {
    check("ponder", &OWN, None);
}

#[test]
fn a_search_is_stopped() {
    check("stop", &OWN, None);
}

#[test]
fn chess960_is_played() {
    check("chess960", &OWN, None);
}

#[test]
fn mates_draws_and_finished_games() {
    check("ends", &OWN, None);
}

#[test]
fn bad_positions_are_survived() {
    check("bad_positions", &OWN, None);
}

#[test]
fn games_against_stockfish() {
    let Some(stockfish) = senbon_testkit::engine("stockfish") else { return };
    check("game", &OWN, stockfish.to_str());
}

#[test]
fn games_of_two_stockfish_workers_against_gnu_chess() {
    let Some(stockfish) = senbon_testkit::engine("stockfish") else { return };
    let Some(gnuchess) = senbon_testkit::engine("gnuchess") else { return };
    let arguments = ["--workers", "2", "--hash", "4", "--engine", stockfish.to_str().unwrap()];
    check("game", &arguments, Some(&format!("{} --uci", gnuchess.display())));
}
