//! `senbon uci` and `senbon usi` as a GUI sees them: one engine, several workers behind.
#![allow(dead_code, clippy::disallowed_methods, clippy::unwrap_used)]

mod support;

use std::process::Command;
use std::time::Duration;

use senbon_engines::universal::{Best, Dialect, Score, Worth};
use senbon_games::chess::Chess;
use senbon_games::shogi::Shogi;
use senbon_games::{Game, Notation};
use support::Engine;

fn uci(more: &[&str]) -> Engine {
    let arguments: Vec<_> = ["uci"].iter().chain(more).copied().collect();
    Engine::start(&arguments, Dialect::Uci)
}

/// Plays a game of `plies` against itself; every answer must be legal.
fn self_play<G: Notation>(engine: &mut Engine, plies: usize, go: &str) {
    let mut position = G::start();
    let mut moves = String::new();
    for _ in 0..plies {
        if position.outcome().is_some() {
            return;
        }
        let answer = engine.ask(&format!("position startpos moves{moves}\n{go}"));
        let mv = position.parse_move(answer.text()).unwrap();
        assert!(answer.infos.iter().any(|info| info.nodes.is_some() && !info.pv.is_empty()));
        moves = format!("{moves} {}", answer.text());
        position.play(mv);
    }
}

#[test]
fn a_chess_game_with_three_workers() {
    let mut engine = uci(&["--workers", "3", "--hash", "4"]);
    engine.say("uci");
    let heard = engine.until("uciok");
    assert!(heard.iter().any(|line| line.starts_with("option name Workers type spin default 3")));
    engine.say("isready");
    engine.until("readyok");
    self_play::<Chess>(&mut engine, 12, "go nodes 20000");
    engine.say("quit");
    let (status, _) = engine.end();
    assert!(status.success());
}

#[test]
fn a_shogi_game_that_thinks_on_the_opponent_s_time() {
    let mut engine = Engine::start(&["usi", "--workers", "3", "--hash", "4"], Dialect::Usi);
    engine.say("usi\nsetoption name USI_Ponder value true\nisready");
    engine.until("readyok");
    self_play::<Shogi>(&mut engine, 10, "go btime 0 wtime 0 byoyomi 200");
    let (status, _) = engine.end();
    assert!(status.success(), "the end of the input ends the program");
}

#[test]
fn commands_are_answered_at_any_time() {
    let mut engine = uci(&["--workers", "2", "--hash", "4"]);
    engine.say("position startpos moves e2e5");
    assert!(engine.remark().contains("move 1 (e2e5)"));
    engine.say("position fen 8/8/8/8/8/8/8/8 w - - 0 1");
    assert!(engine.remark().starts_with("position: "));
    engine.say("position startpos moves e2e4\ngo infinite\nisready");
    engine.until("readyok");
    let stopped = engine.ask("stop");
    let after = Chess::start();
    let mut after_e4 = after.clone();
    after_e4.play(after.parse_move("e2e4").unwrap());
    assert!(after_e4.parse_move(stopped.text()).is_ok(), "{}", stopped.text());
    engine.say("go infinite\ngo nodes 1000");
    engine.until("bestmove");
    engine.until("bestmove");
    let ponder = engine.ask("position startpos moves e2e4 e7e5\ngo ponder movetime 100\nponderhit");
    assert!(ponder.time < Duration::from_secs(30));
    let mated = engine.ask("position fen R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1\ngo depth 6");
    assert_eq!(mated.best, Best::Nothing);
    let mate = engine.ask("position fen 6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1\ngo depth 6");
    assert_eq!(mate.text(), "a1a8");
    assert_eq!(mate.last_scored().score, Some(Score::exact(Worth::Win(Some(1)))));
    let only = engine.ask("position startpos\ngo depth 4 searchmoves a2a3 h2h4");
    assert!(["a2a3", "h2h4"].contains(&only.text()), "{}", only.text());
}

#[test]
fn an_engine_that_cannot_be_started_does_not_hang_the_gui() {
    let mut engine = uci(&["--engine", "/no/such/engine", "--workers", "1"]);
    engine.say("isready");
    let heard = engine.until("readyok");
    assert!(heard.iter().any(|line| line.contains("cannot start /no/such/engine")), "{heard:?}");
    engine.say("quit");
    assert!(engine.end().0.success());
}

#[test]
fn stockfish_as_four_workers() {
    let Some(stockfish) = senbon_testkit::engine("stockfish") else { return };
    let stockfish = stockfish.to_str().unwrap();
    let mut engine = uci(&["--engine", stockfish, "--workers", "4", "--hash", "16"]);
    engine.say("isready");
    engine.until("readyok");
    self_play::<Chess>(&mut engine, 6, "go nodes 40000");
    engine.say("quit");
    assert!(engine.end().0.success());
}

fn senbon(arguments: &[&str]) -> (Option<i32>, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_senbon")).args(arguments).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

#[test]
fn perft_counts_and_says_what_is_wrong_where() {
    let (status, out, _) = senbon(&["perft", "3"]);
    assert_eq!((status, out.lines().last()), (Some(0), Some("total 8902")));
    assert_eq!(out.lines().count(), 21);
    let (status, out, _) = senbon(&["perft", "--game", "shogi", "2"]);
    assert_eq!((status, out.lines().last()), (Some(0), Some("total 900")));
    // 81 × 81 after a stone, 82 after a pass.
    let (status, out, _) = senbon(&["perft", "--game", "go", "--position", "9x9", "2"]);
    assert_eq!((status, out.lines().last()), (Some(0), Some("total 6643")));
    let (status, out, err) = senbon(&["perft", "--position", "8/8/8/x w - - 0 1", "2"]);
    assert_eq!((status, out.as_str()), (Some(2), ""));
    assert!(err.contains("(at character 7)"), "{err}");
    assert!(err.lines().last().unwrap().trim_end().ends_with('^'), "{err}");
}
