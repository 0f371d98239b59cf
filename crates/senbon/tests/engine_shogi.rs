//! `senbon engine shogi` as a GUI sees it.
#![allow(clippy::disallowed_methods, clippy::unwrap_used)]

mod support;

use std::time::Duration;

use senbon_engines::universal::{Best, Dialect, Score, Worth};
use senbon_games::shogi::Shogi;
use senbon_games::{Game, Notation};
use support::Engine;

fn engine() -> Engine {
    Engine::start(&["engine", "shogi"], Dialect::Usi)
}

#[test]
fn introduction() {
    let mut engine = engine();
    engine.say("usi");
    let heard = engine.until("usiok");
    assert!(heard[0].starts_with("id name Senbon shogi "), "{}", heard[0]);
    for option in ["USI_Hash type spin", "USI_Ponder type check", "MultiPV type spin"] {
        let start = format!("option name {option}");
        assert!(heard.iter().any(|line| line.starts_with(&start)), "{start}: {heard:#?}");
    }
    engine.say("setoption name USI_Hash value 4\nsetoption name USI_Ponder value true");
    engine.say("isready\nusinewgame\nposition startpos");
    assert_eq!(engine.until("readyok"), ["readyok"]);
    engine.say("gameover win\nquit");
    let (status, rest) = engine.end();
    assert!(status.success() && rest.is_empty());
}

#[test]
fn mates_and_ends() {
    let mut engine = engine();
    // A gold dropped before the king, backed by a pawn.
    let mate = engine.ask("position sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1\ngo depth 4");
    assert_eq!(mate.text(), "G*5b");
    assert_eq!(mate.last_scored().score, Some(Score::exact(Worth::Win(Some(1)))));
    let lost = engine.ask("position sfen 4k4/4G4/4P4/9/9/9/9/9/4K4 w - 2\ngo byoyomi 1000");
    assert_eq!(lost.best, Best::Nothing);
    engine.say("go mate infinite");
    engine.until("checkmate notimplemented");
}

#[test]
fn a_win_is_declared() {
    // King and ten pieces in the camp, 28 points with those in hand.
    const ENTERED: &str = "4K4/GGGGSSSS1/+R+R7/9/9/9/9/9/8k b 2B 1";
    assert!(Shogi::parse_position(ENTERED).unwrap().can_declare());
    let answer = engine().ask(&format!("position sfen {ENTERED}\ngo byoyomi 1000"));
    assert_eq!(answer.best, Best::Win);
}

#[test]
fn what_is_wrong_with_a_position_is_said_and_the_last_one_stays() {
    let mut engine = engine();
    engine.say("position sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1");
    for (command, place) in [
        ("position sfen 4k4/9/4P4/9/9/9/9/9/4K3x b G 1", "character"),
        ("position startpos moves 7g7f 7g7f", "move 2 (7g7f)"),
    ] {
        engine.say(command);
        let remark = engine.remark();
        assert!(remark.starts_with("position: ") && remark.contains(place), "{command}: {remark}");
    }
    assert_eq!(engine.ask("go depth 3").text(), "G*5b");
}

#[test]
fn a_game_in_byoyomi() {
    const BYOYOMI: Duration = Duration::from_millis(60);
    let mut engine = engine();
    engine.say("setoption name MoveOverhead value 20");
    let mut position = Shogi::start();
    let mut moves = String::new();
    for _ in 0..40 {
        if position.outcome().is_some() {
            break;
        }
        let answer = engine.ask(&format!(
            "position startpos moves {moves}\n\
             go btime 0 wtime 0 byoyomi {}",
            BYOYOMI.as_millis()
        ));
        let Best::Move(text) = &answer.best else { break };
        // The machine that runs this may be busy with other tests.
        assert!(answer.time < BYOYOMI + Duration::from_millis(500), "took {:?}", answer.time);
        let mv = position.parse_move(text).unwrap();
        position.play(mv);
        if let Some(reply) = &answer.ponder {
            assert!(position.parse_move(reply).is_ok(), "cannot ponder on {reply}");
        }
        moves.push_str(text);
        moves.push(' ');
    }
    assert!(moves.split(' ').count() > 10, "{moves}");
}

#[test]
fn pondering_on_byoyomi() {
    let mut engine = engine();
    engine.say("position startpos moves 7g7f\ngo ponder btime 0 wtime 0 byoyomi 200\nisready");
    engine.until("readyok");
    std::thread::sleep(Duration::from_millis(400));
    let hit = engine.ask("ponderhit");
    assert!(hit.time < Duration::from_secs(2), "moved {:?} after the hit", hit.time);
    assert!(matches!(hit.best, Best::Move(_)));
}
