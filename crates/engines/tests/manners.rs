//! What engines can do is found out, and what they cannot do is done without.
#![allow(clippy::unwrap_used)]

mod talk;

use std::time::Duration;

use senbon_core::{Epoch, Fault, Limits, Order, Place, Report, Score, Search};
use senbon_engines::dialogue::{Manners, Restriction};
use senbon_games::Notation;
use senbon_games::chess::Chess;
use talk::{NOW, Talk};

/// An engine that nobody knows, up to the first question.
fn unknown() -> Talk {
    let mut talk = Talk::new(None);
    talk.hears("uci");
    talk.says("id name Something New");
    talk.says("uciok");
    talk.hears("isready");
    talk.says("readyok");
    talk.hears("position startpos");
    talk.hears("go nodes 1000");
    talk
}

/// The time runs out.
fn wait(talk: &mut Talk) -> Duration {
    let late = talk.dialogue.poll_timeout().unwrap();
    talk.dialogue.handle_timeout(late);
    late
}

/// The move asked for by `go depth 3 searchmoves`, which must come next.
fn only(talk: &mut Talk) -> String {
    talk.hears("position startpos");
    let line = talk.next().unwrap();
    line.strip_prefix("go depth 3 searchmoves ").unwrap_or_else(|| panic!("{line}")).to_owned()
}

/// The last question and its answer.
fn ready(talk: &mut Talk) {
    talk.hears("position startpos");
    talk.hears("go infinite");
    talk.hears("isready");
    talk.says("readyok");
    talk.hears("stop");
    talk.says("bestmove e2e4");
}

fn joins(talk: &mut Talk) -> (bool, bool) {
    talk.hears("ucinewgame");
    talk.hears("isready");
    talk.says("readyok");
    talk.is_silent();
    let ability = talk.ready.as_ref().unwrap();
    (ability.restricts, ability.counts_nodes)
}

fn order(limits: Limits, only: &[&str]) -> Order<Chess> {
    order_at("", limits, only)
}

fn order_at(fen: &str, limits: Limits, only: &[&str]) -> Order<Chess> {
    let start = if fen.is_empty() { Chess::start() } else { Chess::parse_position(fen).unwrap() };
    let place = Place::new(start);
    let only = only.iter().map(|text| place.position().parse_move(text).unwrap()).collect();
    Order::Search(Search { epoch: Epoch(1), place, only, lines: 1, limits })
}

fn nodes(limit: u64) -> Limits {
    Limits { nodes: Some(limit), ..Limits::default() }
}

fn depth(limit: u32) -> Limits {
    Limits { depth: Some(limit), ..Limits::default() }
}

#[test]
fn an_engine_by_the_book_is_found_out() {
    let mut talk = unknown();
    talk.says("info depth 4 score cp 20 nodes 1021 pv e2e4");
    talk.says("bestmove e2e4");
    let one = only(&mut talk);
    talk.says(&format!("bestmove {one}"));
    let other = only(&mut talk);
    assert!(one != other && one != "e2e4" && other != "e2e4", "{one} {other}");
    talk.says(&format!("bestmove {other}"));
    ready(&mut talk);
    assert_eq!(joins(&mut talk), (true, true));
    talk.order(order(nodes(500), &["a2a3"]));
    talk.hears("position startpos");
    talk.hears("go nodes 500 searchmoves a2a3");
    talk.says("bestmove a2a3");
    let time = Some(Duration::from_millis(700));
    talk.order(order(Limits { move_time: time, ..Limits::default() }, &[]));
    talk.hears("position startpos");
    talk.hears("go movetime 700");
}

#[test]
fn an_engine_that_does_as_it_likes_is_found_out() {
    let mut talk = unknown();
    wait(&mut talk);
    talk.hears("stop");
    talk.says("bestmove e2e4");
    let _ = only(&mut talk);
    wait(&mut talk);
    talk.hears("stop");
    talk.says("bestmove e2e4");
    talk.hears("position startpos");
    talk.hears("go infinite");
    talk.hears("isready");
    wait(&mut talk);
    talk.hears("stop");
    talk.says("bestmove e2e4");
    assert_eq!(joins(&mut talk), (false, false));
    talk.order(order(nodes(500), &["a2a3", "b2b3"]));
    talk.hears("position startpos moves a2a3");
    talk.hears("go infinite");
    talk.says("info depth 1 score cp -5 nodes 30 pv e7e5");
    talk.hears("stop");
    talk.says("bestmove e7e5");
    talk.hears("position startpos moves b2b3");
    talk.hears("go infinite");
}

#[test]
fn a_probe_that_goes_wrong_costs_abilities() {
    let mut mortal = unknown();
    mortal.dialogue.handle_exit("aborted");
    mortal.is_silent();
    assert!(matches!(mortal.failed, Some(Fault::Died(_))));
    assert_eq!(mortal.dialogue.lesson(), Some(&Manners::careful()));

    let mut deaf = unknown();
    deaf.says("bestmove e2e4");
    for _ in 0..2 {
        let mv = only(&mut deaf);
        deaf.says(&format!("bestmove {mv}"));
    }
    deaf.hears("position startpos");
    deaf.hears("go infinite");
    deaf.hears("isready");
    deaf.says("readyok");
    deaf.hears("stop");
    wait(&mut deaf);
    deaf.is_silent();
    assert!(matches!(deaf.failed, Some(Fault::Silent(_))));
    let lesson = deaf.dialogue.lesson().unwrap();
    assert_eq!(lesson.restriction, Restriction::SearchMoves);
    assert!(lesson.nodes && lesson.depth && !lesson.ready, "{lesson}");
}

#[test]
fn nodes_are_counted_for_an_engine_that_does_not() {
    let mut talk = Talk::ready("Toga II 3.0");
    talk.order(order(nodes(1000), &[]));
    talk.hears("position startpos");
    talk.hears("go infinite");
    talk.says("info depth 4 score cp 20 nodes 400 pv e2e4");
    talk.is_silent();
    talk.says("info depth 5 score cp 20 nodes 1400 pv e2e4");
    talk.hears("stop");
    talk.says("bestmove e2e4");
    assert_eq!(talk.done(), (Epoch(1), Some("e2e4".to_owned())));

    // One that tells nothing is stopped all the same.
    talk.order(order(nodes(1000), &[]));
    talk.hears("position startpos");
    talk.hears("go infinite");
    loop {
        let late = wait(&mut talk);
        match talk.next().as_deref() {
            Some("isready") => talk.dialogue.handle_line(late, "readyok"),
            other => break assert_eq!(other, Some("stop")),
        }
    }
    talk.says("bestmove d2d4");
    assert_eq!(talk.done(), (Epoch(1), Some("d2d4".to_owned())));
}

#[test]
fn depth_and_time_are_watched_too() {
    let mut talk = Talk::new(Some(Manners::careful()));
    for line in ["uciok", "readyok"] {
        while talk.next().is_some() {}
        talk.says(line);
    }
    talk.order(order(depth(5), &[]));
    talk.hears("position startpos");
    talk.hears("go infinite");
    talk.says("info depth 5 currmove e2e4");
    talk.says("info depth 4 score cp 20 pv e2e4");
    talk.is_silent();
    talk.says("info depth 5 score cp 20 pv e2e4");
    talk.hears("stop");
    talk.says("bestmove e2e4");
    talk.is_silent();

    let time = Duration::from_millis(700);
    talk.order(order(Limits { move_time: Some(time), ..Limits::default() }, &[]));
    talk.hears("position startpos");
    talk.hears("go infinite");
    assert_eq!(wait(&mut talk), NOW + time);
    talk.hears("stop");
    talk.says("bestmove e2e4");

    talk.order(order(Limits { mate: Some(2), ..Limits::default() }, &[]));
    talk.hears("position startpos");
    talk.hears("go infinite");
    talk.says("info depth 9 score mate 3 pv e2e4");
    talk.is_silent();
    talk.says("info depth 9 score mate 2 pv e2e4");
    talk.hears("stop");
}

#[test]
fn a_sweep_keeps_the_limits_of_its_order() {
    let mut talk = Talk::ready("Toga II 3.0");
    talk.order(order(depth(3), &["a2a3", "b2b3"]));
    for (mv, depth) in [("a2a3", 1), ("b2b3", 1), ("a2a3", 2), ("b2b3", 2)] {
        talk.hears(&format!("position startpos moves {mv}"));
        talk.hears(&format!("go depth {depth}"));
        talk.says(&format!("info depth {depth} score cp 5 nodes 50 pv e7e5"));
        talk.says("bestmove e7e5");
    }
    assert_eq!(talk.done(), (Epoch(1), Some("b2b3".to_owned())));

    talk.order(order(nodes(120), &["a2a3", "b2b3"]));
    for mv in ["a2a3", "b2b3"] {
        talk.hears(&format!("position startpos moves {mv}"));
        talk.hears("go depth 1");
        talk.says("info depth 1 score cp 5 nodes 50 pv e7e5");
        talk.says("bestmove e7e5");
    }
    let _ = (talk.next(), talk.next());
    talk.says("info depth 2 score cp 5 nodes 40 pv e7e5");
    talk.hears("stop");
    talk.says("bestmove e7e5");
    assert!(talk.done().1.is_some());
}

#[test]
fn a_sweep_asks_nothing_about_the_end_of_the_game() {
    let mut talk = Talk::ready("Toga II 3.0");
    let fen = "6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1";
    talk.order(order_at(fen, depth(3), &["a1a8"]));
    talk.is_silent();
    let Some(Report::Done { best: Some(_), .. }) = talk.reports.pop() else { panic!() };
    let Some(Report::Opinion { opinion, .. }) = talk.reports.pop() else { panic!() };
    assert_eq!(opinion.score, Score::Mates(1));
    talk.order(order_at(fen, depth(2), &["a1a8", "a1a7"]));
    talk.hears(&format!("position fen {fen} moves a1a7"));
    talk.hears("go depth 1");
    talk.says("info depth 1 score cp 400 nodes 9 pv g8f8");
    talk.says("bestmove g8f8");
    talk.is_silent();
    let Some(Report::Done { best: Some(best), .. }) = talk.reports.pop() else { panic!() };
    assert_eq!(Chess::parse_position(fen).unwrap().format_move(best), "a1a8");
}

#[test]
fn a_broken_restriction_is_a_lesson() {
    let mut talk = Talk::ready("Stockfish 15.1");
    talk.order(talk::search(1, &["a2a3"]));
    talk.hears("position startpos");
    talk.hears("go infinite searchmoves a2a3");
    talk.says("info depth 1 score cp 20 nodes 30 pv e2e4");
    talk.is_silent();
    assert!(talk.reports.is_empty(), "it was told to leave that move out");
    talk.says("bestmove e2e4");
    talk.is_silent();
    assert!(matches!(&talk.failed, Some(Fault::Nonsense(why)) if why.contains("leave out")));
    let lesson = talk.dialogue.lesson().unwrap();
    assert_eq!(lesson.to_string(), "book,one-by-one");
}

#[test]
fn an_engine_that_falls_silent_is_asked_and_given_up() {
    let mut talk = Talk::ready("Stockfish 15.1");
    talk.order(talk::search(1, &[]));
    talk.hears("position startpos");
    talk.hears("go infinite");
    let asked = wait(&mut talk);
    talk.hears("isready");
    talk.dialogue.handle_line(asked, "readyok");
    talk.is_silent();
    let asked_again = wait(&mut talk);
    assert!(asked_again > asked);
    talk.hears("isready");
    wait(&mut talk);
    talk.is_silent();
    assert!(matches!(&talk.failed, Some(Fault::Silent(why)) if why.contains("readyok")));

    // Glaurung would not answer, and is not asked.
    let mut talk = Talk::ready("Glaurung 2.2");
    talk.order(talk::search(1, &[]));
    assert_eq!(talk.dialogue.poll_timeout(), None);
}
