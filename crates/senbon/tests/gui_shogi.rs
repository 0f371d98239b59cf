//! `senbon usi` as a shogi GUI drives it, in a game with byoyomi against Fairy-Stockfish. The
//! moves of both are checked by our own rules.
#![allow(clippy::disallowed_methods, clippy::unwrap_used)]

mod support;

use std::time::Duration;

use senbon_engines::universal::{Best, Dialect};
use senbon_games::shogi::Shogi;
use senbon_games::{Game, Notation};
use support::Engine;

/// Time for a move, most of which is kept as overhead: a slow moment of the machine must not
/// lose the game.
const BYOYOMI: Duration = Duration::from_millis(1_300);
const OVERHEAD: Duration = Duration::from_millis(1_100);
const LONGEST_GAME: usize = 60;

#[test]
fn a_game_with_byoyomi_against_fairy_stockfish() {
    let Some(fairy) = senbon_testkit::engine("fairy-stockfish") else { return };
    let mut ours = Engine::start(&["usi", "--workers", "2", "--hash", "4"], Dialect::Usi);
    ours.say("usi");
    let heard = ours.until("usiok");
    assert!(heard.iter().any(|line| line.starts_with("option name USI_Hash")), "{heard:?}");
    ours.say(&format!("setoption name MoveOverhead value {}", OVERHEAD.as_millis()));
    ours.say("isready");
    ours.until("readyok");
    let mut rival = Engine::start_program(fairy.to_str().unwrap(), &[], Dialect::Usi);
    rival.say("usi\nsetoption name UCI_Variant value shogi\nisready");
    rival.until("readyok");
    ours.say("usinewgame");
    rival.say("usinewgame");

    let mut position = Shogi::start();
    let mut moves = String::new();
    for ply in 0..LONGEST_GAME {
        let setup = format!("position startpos{moves}");
        let best = if ply % 2 == 0 {
            let go = format!("go btime 0 wtime 0 byoyomi {}", BYOYOMI.as_millis());
            let answer = ours.ask(&format!("{setup}\n{go}"));
            assert!(answer.time < BYOYOMI, "move {}: {:?}", ply + 1, answer.time);
            answer.best
        } else {
            rival.ask(&format!("{setup}\ngo nodes 3000")).best
        };
        let Best::Move(text) = best else {
            // Whoever has no move but resigning says so only when the game is over.
            assert!(position.outcome().is_some() || ply % 2 == 1, "{best:?} after{moves}");
            break;
        };
        let mv = position.parse_move(&text).unwrap_or_else(|e| panic!("{text} after{moves}: {e}"));
        position.play(mv);
        moves = if ply == 0 { format!(" moves {text}") } else { format!("{moves} {text}") };
        if position.outcome().is_some() {
            break;
        }
    }
    ours.say("gameover win\nquit");
    assert!(ours.end().0.success());
}
