//! `senbon engine chess` as a GUI sees it.
#![allow(clippy::disallowed_methods, clippy::unwrap_used)]

mod support;

use std::time::Duration;

use senbon_engines::universal::{Best, Dialect, Score, Worth};
use senbon_games::chess::Chess;
use senbon_games::{Game, Notation};
use support::Engine;

fn engine() -> Engine {
    Engine::start(&["engine", "chess"], Dialect::Uci)
}

#[test]
fn introduction() {
    let mut engine = engine();
    engine.say("uci");
    let heard = engine.until("uciok");
    assert!(heard[0].starts_with("id name Senbon chess "), "{}", heard[0]);
    for option in [
        "option name Hash type spin default 16 min 1 max 65536",
        "option name Clear Hash type button",
        "option name MultiPV type spin default 1 min 1 max 256",
        "option name Ponder type check default false",
        "option name Move Overhead type spin default 30 min 0 max 5000",
        "option name UCI_Chess960 type check default false",
    ] {
        assert!(heard.iter().any(|line| line == option), "{option} missing in {heard:#?}");
    }
    engine.say("setoption name Hash value 4\nisready");
    assert_eq!(engine.until("readyok"), ["readyok"]);
    let (status, rest) = engine.end();
    assert!(status.success() && rest.is_empty());
}

#[test]
fn mates_and_ends() {
    let mut engine = engine();
    let mate = engine.ask("position fen 6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1\ngo depth 6");
    assert_eq!(mate.text(), "a1a8");
    assert_eq!(mate.last_scored().score, Some(Score::exact(Worth::Win(Some(1)))));
    let lost = engine.ask("position fen R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1\ngo depth 6");
    assert_eq!(lost.best, Best::Nothing);
    assert_eq!(lost.last_scored().score, Some(Score::exact(Worth::Loss(Some(0)))));
    let stalemate = engine.ask("position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1\ngo movetime 100");
    assert_eq!(stalemate.best, Best::Nothing);
    assert_eq!(stalemate.last_scored().score, Some(Score::exact(Worth::Centipawns(0))));
    // One legal move, a drawn position, a position that has come up three times: still moves.
    let forced =
        engine.ask("position fen 7k/8/6K1/8/8/8/8/R7 b - - 0 1\ngo wtime 60000 btime 60000");
    assert_eq!(forced.text(), "h8g8");
    assert!(forced.time < Duration::from_secs(2), "{:?} for the only move", forced.time);
    let bare = engine.ask("position fen 7k/8/8/8/8/8/8/K7 w - - 0 1\ngo depth 3");
    assert!(matches!(bare.best, Best::Move(_)));
    let shuffle = "g1f3 g8f6 f3g1 f6g8 ".repeat(3);
    let repeated = engine.ask(&format!("position startpos moves {shuffle}\ngo depth 3"));
    assert!(matches!(repeated.best, Best::Move(_)));
}

#[test]
fn castling_is_written_as_the_gui_wants_it() {
    const CASTLES: &str = "position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1";
    let mut engine = engine();
    let usual = engine.ask(&format!("{CASTLES}\ngo depth 1 searchmoves e1g1"));
    assert_eq!(usual.text(), "e1g1");
    engine.say("setoption name UCI_Chess960 value true");
    let other = engine.ask(&format!("{CASTLES}\ngo depth 1 searchmoves e1h1"));
    assert_eq!(other.text(), "e1h1");
    let shuffled = engine.ask(
        "position fen bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1 moves e1f3 e8f6\n\
         go depth 4",
    );
    assert!(matches!(shuffled.best, Best::Move(_)));
}

#[test]
fn what_is_wrong_with_a_position_is_said_and_the_last_one_stays() {
    let mut engine = engine();
    engine.say("position fen 6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1");
    for (command, place) in [
        ("position fen 6k1/5ppx/8/8/8/8/8/R3K3 w - - 0 1", "character 8"),
        ("position startpos moves e2e4 e7e5 e4e5", "move 3 (e4e5)"),
        ("position fen 8/8/8/8/8/8/8/8 w - - 0 1", "king"),
    ] {
        engine.say(command);
        let remark = engine.remark();
        assert!(remark.starts_with("position: ") && remark.contains(place), "{command}: {remark}");
    }
    assert_eq!(engine.ask("go depth 4").text(), "a1a8");
}

#[test]
fn stop_and_ponder_in_the_middle_of_a_game() {
    let mut engine = engine();
    engine.say("position startpos moves e2e4 e7e5\ngo infinite\nisready");
    engine.until("readyok");
    let stopped = engine.ask("stop");
    assert!(stopped.time < Duration::from_secs(2), "stopped after {:?}", stopped.time);
    engine.say("position startpos moves e2e4 e7e5 g1f3\n");
    engine.say("go ponder wtime 2000 btime 2000 winc 0 binc 0\nisready");
    engine.until("readyok");
    std::thread::sleep(Duration::from_millis(200));
    let hit = engine.ask("ponderhit");
    assert!(hit.time < Duration::from_secs(2), "moved {:?} after the hit", hit.time);
    engine.say("go infinite");
    let (status, rest) = engine.end();
    assert!(status.success());
    assert!(rest.last().unwrap().starts_with("bestmove "), "{rest:?}");
}

#[test]
fn a_game_by_the_clock() {
    let mut engine = engine();
    let mut position = Chess::start();
    let mut moves = String::new();
    let mut left = [Duration::from_millis(3_000); 2];
    let increment = Duration::from_millis(50);
    for _ in 0..40 {
        if position.outcome().is_some() {
            break;
        }
        let [white, black] = left.map(|time| time.as_millis());
        let answer = engine.ask(&format!(
            "position startpos moves {moves}\n\
             go wtime {white} btime {black} winc 50 binc 50"
        ));
        let clock = &mut left[position.side_to_move().index()];
        assert!(answer.time < *clock, "the flag fell: {:?} of {clock:?}", answer.time);
        *clock = *clock - answer.time + increment;
        let mv = position.parse_move(answer.text()).unwrap();
        position.play(mv);
        if let Some(reply) = &answer.ponder {
            assert!(position.parse_move(reply).is_ok(), "cannot ponder on {reply}");
        }
        moves.push_str(answer.text());
        moves.push(' ');
    }
    assert!(moves.split(' ').count() > 10, "{moves}");
}

#[test]
fn the_same_search_every_time() {
    let mut engine = engine();
    let mut search = || {
        let answer = engine.ask("ucinewgame\nposition startpos moves d2d4 d7d5\ngo nodes 20000");
        let last = answer.last_scored();
        (answer.text().to_owned(), last.score, last.nodes, last.pv.clone())
    };
    assert_eq!(search(), search());
}
