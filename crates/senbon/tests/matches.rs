//! `senbon match` as people use it.
#![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "tests use files and processes")]

#[path = "machines/mod.rs"]
mod machines;

use std::path::Path;
use std::process::{Command, Output};

use senbon_games::chess::pgn;
use senbon_games::shogi::record::csa;
use senbon_testkit::Folder;
use serde_json::Value;

use machines::Senbon;

fn run(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_senbon")).arg("match").args(arguments).output().unwrap()
}

fn said(output: &Output) -> String {
    let text = String::from_utf8(output.stdout.clone()).unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{text}\n{errors}");
    text
}

fn json_lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

const QUICK: [&str; 8] = [
    "--first",
    "built-in",
    "--second",
    "built-in",
    "--first-control",
    "nodes=600",
    "--second-control",
    "nodes=100",
];

#[test]
fn a_match_is_played_recorded_and_gone_on_with() {
    let folder = Folder::new("match");
    let (journal, out) = (folder.file("journal"), folder.file("games.pgn"));
    let common = ["--longest", "120", "--json", "--journal", &journal, "--out", &out];
    let half = [&QUICK[..], &["--games", "2"], &common].concat();
    let lines = json_lines(&said(&run(&half)));
    assert_eq!(lines.iter().filter(|line| line["event"] == "game").count(), 2);
    // Cut in the middle of the last line, as by a kill: that game is played again.
    let text = std::fs::read_to_string(&journal).unwrap();
    std::fs::write(&journal, &text[..text.len() - 9]).unwrap();
    let whole = [&QUICK[..], &["--games", "4"], &common].concat();
    let lines = json_lines(&said(&run(&whole)));
    assert_eq!(lines.iter().filter(|line| line["event"] == "game").count(), 3);
    let result = lines.last().unwrap();
    assert_eq!(result["event"], "result");
    assert_eq!(result["games"], 4);
    let counted = |name: &str| result[name].as_u64().unwrap();
    assert_eq!(counted("wins") + counted("draws") + counted("losses"), 4);

    let bytes = std::fs::read(&out).unwrap();
    let games: Vec<_> = pgn::Reader::new(&bytes).map(Result::unwrap).collect();
    assert_eq!(games.len(), 4);
    for pair in games.chunks(2) {
        let openings: Vec<_> =
            pair.iter().map(|game| game.moves().unwrap()[..8].to_vec()).collect();
        assert_eq!(openings[0], openings[1], "the same opening from both sides");
        assert!(pair.iter().all(|game| game.tag("Termination").is_some()));
    }
    let other = [&QUICK[..], &["--games", "4", "--seed", "2"], &common].concat();
    let refused = run(&other);
    assert!(!refused.status.success());
    assert!(String::from_utf8_lossy(&refused.stderr).contains("something else"));
}

#[test]
fn a_sure_match_stops_early() {
    let strong = ["--first", "built-in", "--second", "built-in"];
    let unequal = ["--first-control", "nodes=3000", "--second-control", "nodes=10"];
    let test = ["--games", "60", "--sprt", "0:200", "--longest", "160", "--json"];
    let lines = json_lines(&said(&run(&[&strong[..], &unequal, &test].concat())));
    let result = lines.last().unwrap();
    assert_eq!(result["accepted"], "elo1", "{result}");
    assert!(result["games"].as_u64().unwrap() < 60, "{result}");
}

#[test]
fn shogi_games_with_clocks_are_written_as_csa() {
    let folder = Folder::new("match-shogi");
    let out = folder.file("games.csa");
    let players = ["--game", "shogi", "--first", "built-in", "--second", "built-in"];
    // Nobody loses on time, however slow the machine is.
    let terms = ["--control", "3600+1,nodes=100", "--games", "2", "--longest", "60"];
    let text = said(&run(&[&players[..], &terms, &["--out", &out]].concat()));
    assert!(text.contains("2 games:") && !text.contains("lost on time"), "{text}");
    let games = csa::read_all(&std::fs::read_to_string(Path::new(&out)).unwrap()).unwrap();
    assert_eq!(games.len(), 2);
    assert!(games.iter().all(|game| game.finish.is_some() && game.moves.len() > 8));
}

#[test]
fn players_ponder() {
    let terms = ["--games", "2", "--longest", "60", "--ponder", "--json"];
    let lines = json_lines(&said(&run(&[&QUICK[..], &terms].concat())));
    let games: Vec<_> = lines.iter().filter(|line| line["event"] == "game").collect();
    assert_eq!(games.len(), 2);
    // Whoever waits for a hit that does not come, or answers twice, fails or is late.
    for game in games {
        let why = game["why"].as_str().unwrap();
        let ends = ["checkmate", "repetition", "too long", "insufficient", "no legal", "fifty"];
        assert!(ends.iter().any(|end| why.contains(end)), "{why}");
    }
}

#[test]
fn games_in_virtual_time_repeat_exactly() {
    let folder = Folder::new("match-virtual");
    let games = |out: &str, concurrency: &str| {
        let out = folder.file(out);
        let players = ["--virtual", "--first", "pipeline:3", "--second", "linear:2", "--ponder"];
        let terms = ["--control", "movetime=0.5", "--speed", "400", "--hash", "1"];
        let size = ["--games", "4", "--longest", "40", "--concurrency", concurrency, "--out", &out];
        let text = said(&run(&[&players[..], &terms, &size].concat()));
        assert!(text.contains("foresaw"), "{text}");
        assert!(!text.contains("lost on time"), "{text}");
        std::fs::read_to_string(out).unwrap()
    };
    assert_eq!(games("one.pgn", "1"), games("two.pgn", "2"));
}

#[test]
fn mistakes_are_explained() {
    let missing = run(&["--first", "/nowhere/engine", "--second", "built-in", "--games", "2"]);
    let errors = String::from_utf8_lossy(&missing.stderr).into_owned();
    assert!(!missing.status.success() && errors.contains("/nowhere/engine"), "{errors}");
    let team = run(&["--virtual", "--first", "crowd:3", "--second", "single"]);
    let errors = String::from_utf8_lossy(&team.stderr).into_owned();
    assert_eq!(team.status.code(), Some(2));
    assert!(errors.contains("root-split") && errors.contains("linear"), "{errors}");
    let control = run(&["--first", "a", "--second", "b", "--control", "fast"]);
    let errors = String::from_utf8_lossy(&control.stderr).into_owned();
    assert_eq!(control.status.code(), Some(2));
    assert!(errors.contains("write for example"), "{errors}");
    let openings = run(&[&QUICK[..], &["--openings", "/nowhere/book.epd"]].concat());
    let errors = String::from_utf8_lossy(&openings.stderr).into_owned();
    assert_eq!(openings.status.code(), Some(2));
    assert!(errors.contains("cannot read /nowhere/book.epd"), "{errors}");
}

#[test]
fn a_coordinator_has_workers_of_other_machines_beside_its_own() {
    let folder = Folder::new("match-listen");
    let (out, address) = (folder.file("games.pgn"), machines::free_address());
    let worker = Senbon::worker(&address, "attic");
    // Both could have them; the first has no others.
    let players =
        ["--first", "senbon uci --workers 0", "--second", "senbon uci --workers 1 --hash 1"];
    let terms = ["--control", "nodes=400", "--games", "2", "--longest", "24", "--json"];
    let listen = ["--listen", &address, "--out", &out];
    let mut games = Senbon::start(&[&["match"], &players[..], &terms, &listen].concat());
    for _ in 0..2 {
        let game = games.event("game");
        let why = game["why"].as_str().unwrap();
        assert!(["too long", "checkmate", "repetition"].contains(&why), "{why}");
    }
    assert_eq!(games.event("result")["games"], 2);
    assert!(games.child.wait().unwrap().success());
    worker.says("engine 1 is lent");
    worker.says("engine 1 is free again: the master ends");
    let bytes = std::fs::read(&out).unwrap();
    for game in pgn::Reader::new(&bytes).map(Result::unwrap) {
        let moves = &game.line.moves[8..];
        assert!(moves.len() > 4, "hardly more than the opening was played");
        // Without a worker it would have nothing to say of its moves.
        assert!(moves.iter().all(|node| !node.comments.is_empty()), "{moves:?}");
    }
}

#[test]
fn where_workers_cannot_come_is_explained() {
    let refused = |arguments: &[&str]| {
        let output = run(&[arguments, &["--games", "2"]].concat());
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    let listen = ["--listen", "127.0.0.1:1"];
    let errors = refused(&[&QUICK[..], &listen].concat());
    assert!(errors.contains("for a player with workers"), "{errors}");
    let coordinator = ["--first", "senbon uci", "--second", "built-in"];
    let errors = refused(&[&coordinator[..], &listen, &["--concurrency", "2"]].concat());
    assert!(errors.contains("one at a time") && errors.contains("--connect"), "{errors}");
    let errors = refused(&[&coordinator[..], &["--listen", "0.0.0.0:1"]].concat());
    assert!(errors.contains("credentials are needed"), "{errors}");
    // The player cannot listen there, and what it says of it is told.
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let output = run(&[&coordinator[..], &["--listen", &address, "--games", "2"]].concat());
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success() && errors.contains("cannot listen"), "{errors}");
    let teams = ["--virtual", "--first", "pipeline:2", "--second", "single"];
    let errors = refused(&[&teams[..], &listen].concat());
    assert!(errors.contains("virtual time"), "{errors}");
}
