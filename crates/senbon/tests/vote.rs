//! Votes as their users meet them: flags, `senbon.toml`, the log, voters that are killed.
#![cfg(unix)]
#![allow(dead_code, clippy::disallowed_methods, clippy::unwrap_used)]

mod support;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use senbon_engines::universal::Dialect;
use senbon_games::chess::Chess;
use senbon_games::shogi::Shogi;
use senbon_games::{Game, Notation};
use senbon_testkit::{Folder, engines_of};
use serde_json::Value;
use support::Engine;

const SENBON: &str = env!("CARGO_BIN_EXE_senbon");
/// How long anything may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);

fn senbon(arguments: &[&str]) -> Output {
    Command::new(SENBON).args(arguments).stdin(Stdio::null()).output().unwrap()
}

/// An engine that always plays `mv`.
fn stubborn(folder: &Folder, name: &str, mv: &str) -> String {
    let path = folder.with(
        name,
        &format!(
            "#!/bin/sh\nwhile read -r line; do case \"$line\" in\n\
             uci) echo 'id name {name}'; echo uciok;;\nisready) echo readyok;;\n\
             go*) echo 'info depth 3 nodes 100 score cp 12 pv {mv}';;\n\
             stop) echo 'bestmove {mv}';;\nquit) exit;;\nesac; done\n"
        ),
    );
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    path
}

fn votes(folder: &Folder, log: &str) -> Vec<Value> {
    let text = folder.read(&format!("{log}.jsonl"));
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn three_engines_vote_by_a_flag() {
    let folder = Folder::new("vote-flag");
    let [a, b, c] =
        [("a", "e2e4"), ("b", "d2d4"), ("c", "d2d4")].map(|(name, mv)| stubborn(&folder, name, mv));
    let log = folder.file("votes");
    let more = ["--engine", &a, "--engine", &b, "--engine", &c, "--vote", "--vote-log", &log];
    let output = senbon(&[&["analyse", "--time", "1", "--json"], &more[..]].concat());
    let out = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{output:?}");
    let best: Value = serde_json::from_str(out.lines().last().unwrap()).unwrap();
    assert_eq!(best["move"], "d2d4");
    let told: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let last = told.iter().rfind(|event| event["event"] == "votes").unwrap();
    assert_eq!(last["voters"][0]["move"], "e2e4");
    let text = folder.read("votes");
    assert!(text.contains("sum = 2.00\n") && text.contains("Play d2d4"), "{text}");
    let vote = &votes(&folder, "votes")[0];
    assert_eq!(vote["sums"][1]["move"], "e2e4");
    assert_eq!(vote["voters"].as_array().unwrap().len(), 3);
}

#[test]
fn a_wrong_file_is_refused_with_its_line() {
    let folder = Folder::new("vote-wrong");
    let path =
        folder.with("senbon.toml", "[searcher]\n[[searcher.member]]\nname = \"a\"\nwieght = 2\n");
    let output = senbon(&["uci", "--config", &path]);
    assert_eq!(output.status.code(), Some(2));
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(error.contains("senbon.toml, line 4 (`wieght = 2`)"), "{error}");
    let path = folder.with("good.toml", "[searcher]\n[[searcher.member]]\nname = \"a\"\n");
    let output = senbon(&["uci", "--config", &path, "--only", "b"]);
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(error.contains("there is no voter 'b'; there are a"), "{error}");
}

/// Three engines as child processes, a pipeline among them.
fn composition(folder: &Folder, game: &str) -> String {
    folder.with(
        "senbon.toml",
        &format!(
            "log = '{log}'\n[searcher]\n\
             [[searcher.member]]\nname = 'one'\nengine = '\"{SENBON}\" engine {game}'\nhash = 1\n\
             [[searcher.member]]\nname = 'two'\nengine = '\"{SENBON}\" engine {game}'\nhash = 1\n\
             [[searcher.member]]\nname = 'pipeline'\nworkers = 2\nhash = 1\n",
            log = folder.file("log")
        ),
    )
}

/// kill -9 of a voter in the middle of a search: the move is legal, and the voter is back.
#[test]
#[cfg(target_os = "linux")]
fn a_killed_voter_does_not_stop_the_vote() {
    let folder = Folder::new("vote-killed");
    let path = composition(&folder, "chess");
    let mut engine = Engine::start(&["uci", "--config", &path], Dialect::Uci);
    engine.say("uci");
    let heard = engine.until("uciok");
    assert!(!heard.iter().any(|line| line.contains("name Workers")), "the file says who searches");
    engine.say("isready");
    engine.until("readyok");
    let there = engines_of(engine.id());
    assert_eq!(there.len(), 2, "both engines are there before the first search");
    engine.say("position startpos\ngo movetime 1500");
    std::thread::sleep(Duration::from_millis(300));
    let killed = Command::new("kill").args(["-9", &there[0].to_string()]).status().unwrap();
    assert!(killed.success());
    let answer = engine.ask("");
    assert!(Chess::start().parse_move(answer.text()).is_ok());
    let until = Instant::now() + PATIENCE;
    loop {
        engine.ask("position startpos moves e2e4\ngo movetime 500");
        let last = votes(&folder, "log").pop().unwrap();
        let voters = last["voters"].as_array().unwrap();
        if voters.iter().all(|voter| voter["present"] == true && voter["move"].is_string()) {
            break;
        }
        assert!(Instant::now() < until, "the killed voter does not come back: {last}");
    }
    let (status, _) = engine.end();
    assert!(status.success());
}

/// The three phases with real clocks: every move is legal, and predictions are in the log.
#[test]
fn a_vote_plays_shogi_and_ponders() {
    let folder = Folder::new("vote-shogi");
    let path = composition(&folder, "shogi");
    let mut engine = Engine::start(&["usi", "--config", &path], Dialect::Usi);
    engine.say("usi\nsetoption name USI_Ponder value true\nisready");
    engine.until("readyok");
    let mut position = Shogi::start();
    let mut moves = String::new();
    for _ in 0..4 {
        let go = "go btime 20000 wtime 20000 byoyomi 1000";
        let answer = engine.ask(&format!("position startpos moves{moves}\n{go}"));
        let mv = position.parse_move(answer.text()).unwrap();
        moves = format!("{moves} {}", answer.text());
        position.play(mv);
        let reply = position.moves().into_iter().next().unwrap();
        moves = format!("{moves} {}", position.format_move(reply));
        position.play(reply);
        // Long enough for a prediction: a fifth of at most three seconds.
        std::thread::sleep(Duration::from_millis(800));
    }
    let (status, _) = engine.end();
    assert!(status.success());
    let votes = votes(&folder, "log");
    let of = |kind: &str| votes.iter().filter(|vote| vote["vote"] == kind).count();
    assert_eq!(of("move"), 4);
    assert!(of("prediction") > 0, "{votes:?}");
    let limits = &votes[0]["limits"];
    assert!(limits["easy"].as_f64() < limits["fine"].as_f64(), "{limits}");
}

/// `senbon lab vote` plays its rows, writes the page, and goes on where it was.
#[test]
fn the_table_of_votes_is_made_in_steps() {
    let folder = Folder::new("vote-lab");
    let path = folder.with(
        "vote.toml",
        "[searcher]\n[[searcher.member]]\nname = 'a'\nnodes = 200\n\
         [[searcher.member]]\nname = 'b'\nnodes = 100\n[[searcher.member]]\nname = 'c'\ndepth = 1\n",
    );
    let openings = folder.with("openings", "startpos moves e2e4 e7e5\nstartpos moves d2d4 d7d5\n");
    let out = folder.file("out");
    let run = |games: &str| {
        let output = senbon(&[
            "lab",
            "vote",
            "--config",
            &path,
            "--openings",
            &openings,
            "--out",
            &out,
            "--games",
            games,
        ]);
        assert!(output.status.success(), "{output:?}");
        fs::read_to_string(format!("{out}/vote.md")).unwrap()
    };
    let page = run("2");
    assert!(page.contains("| vote | 2 |") && page.contains("| b | 2 |"), "{page}");
    assert!(page.contains("a (the opponent)") && page.contains("majority voting | 73"), "{page}");
    let first = fs::read_to_string(format!("{out}/b.jsonl")).unwrap();
    let page = run("4");
    assert!(page.contains("| vote | 4 |"), "{page}");
    let longer = fs::read_to_string(format!("{out}/b.jsonl")).unwrap();
    assert!(longer.starts_with(&first), "the games played stay");
}
