//! The conversation with an engine, line by line, without an engine.
#![allow(clippy::unwrap_used)]

mod talk;

use senbon_core::{Epoch, Fault, Order, Place, Report, Score};
use senbon_games::chess::Chess;
use senbon_games::{Game, Notation};
use talk::{Talk, search};

#[test]
fn a_search_from_greeting_to_best_move() {
    let mut talk = Talk::ready("Stockfish 15.1");
    assert!(talk.ready.as_ref().is_some_and(|a| a.restricts && a.game == Chess::NAME));
    talk.order(search(1, &["e2e4", "d2d4"]));
    talk.hears("position startpos");
    talk.hears("go infinite searchmoves e2e4 d2d4");
    talk.says("info depth 7 seldepth 9 score cp 31 nodes 1000 time 5 pv e2e4 e7e5 nonsense g1f3");
    talk.is_silent();
    let Some(Report::Opinion { epoch, opinion }) = talk.reports.pop() else { panic!() };
    assert_eq!((epoch, opinion.score, opinion.depth), (Epoch(1), Score::Centipawns(31), 7));
    assert_eq!(opinion.line.len(), 2, "the line ends where it makes no sense");
    talk.says("bestmove e2e4 ponder e7e5");
    assert_eq!(talk.done(), (Epoch(1), Some("e2e4".to_owned())));
}

#[test]
fn a_second_search_waits_for_the_first_to_stop() {
    let mut talk = Talk::ready("Stockfish 15.1");
    talk.order(search(1, &[]));
    talk.hears("position startpos");
    talk.hears("go infinite");
    talk.order(search(2, &[]));
    talk.hears("stop");
    talk.order(search(3, &["a2a3"]));
    talk.is_silent();
    talk.says("info depth 9 score cp 3 pv d2d4");
    talk.is_silent();
    assert!(talk.reports.is_empty(), "nobody waits for the old search any more");
    talk.says("bestmove d2d4");
    talk.hears("position startpos");
    talk.hears("go infinite searchmoves a2a3");
    assert!(matches!(talk.reports.pop(), Some(Report::Done { epoch: Epoch(1), .. })));
    talk.order(Order::Stop(Epoch(1)));
    talk.is_silent();
    talk.order(Order::Stop(Epoch(3)));
    talk.hears("stop");
}

#[test]
fn pondering_becomes_thinking_by_a_hit() {
    let mut talk = Talk::ready("Stockfish 15.1");
    let Order::Search(mut expected) = search(1, &[]) else { unreachable!() };
    expected.limits.infinite = false;
    expected.limits.ponder = true;
    expected.limits.nodes = Some(500);
    talk.order(Order::Search(expected));
    talk.hears("position startpos");
    talk.hears("go ponder nodes 500");
    talk.order(Order::PonderHit(Epoch(7)));
    talk.is_silent();
    talk.order(Order::PonderHit(Epoch(1)));
    talk.hears("ponderhit");
    talk.order(Order::PonderHit(Epoch(1)));
    talk.is_silent();
    talk.says("bestmove e2e4");
    assert_eq!(talk.done(), (Epoch(1), Some("e2e4".to_owned())));
}

#[test]
fn bad_manners_are_noticed() {
    let mut silent = Talk::new(None);
    silent.hears("uci");
    let late = silent.dialogue.poll_timeout().unwrap();
    silent.dialogue.handle_timeout(late);
    silent.is_silent();
    assert!(matches!(silent.failed, Some(Fault::Silent(_))));

    let mut illegal = Talk::ready("Cheater");
    illegal.order(search(1, &[]));
    illegal.hears("position startpos");
    illegal.hears("go infinite");
    illegal.says("bestmove e2e5");
    illegal.is_silent();
    assert!(matches!(&illegal.failed, Some(Fault::Nonsense(why)) if why.contains("e2e5")));

    let mut deaf = Talk::ready("Deaf");
    deaf.order(search(1, &[]));
    deaf.order(Order::Stop(Epoch(1)));
    while deaf.next().is_some() {}
    let late = deaf.dialogue.poll_timeout().unwrap();
    deaf.dialogue.handle_timeout(late);
    deaf.is_silent();
    assert!(matches!(deaf.failed, Some(Fault::Silent(_))));

    let mut dead = Talk::ready("Mortal");
    dead.dialogue.handle_exit("signal 9");
    dead.is_silent();
    assert!(matches!(&dead.failed, Some(Fault::Died(why)) if why.contains("signal 9")));
    dead.says("bestmove e2e4");
    dead.is_silent();
}

#[test]
fn an_engine_that_cannot_restrict_gets_the_moves_one_by_one() {
    let mut talk = Talk::ready("Toga II 3.0");
    assert!(!talk.ready.as_ref().unwrap().restricts);
    talk.order(search(1, &["a2a3", "d2d4"]));
    let mut depth = 0;
    for (mv, value) in [("a2a3", 20), ("d2d4", -35), ("d2d4", -30), ("a2a3", 10)] {
        talk.hears(&format!("position startpos moves {mv}"));
        depth += usize::from(depth == 0 || value == -30);
        talk.hears(&format!("go depth {depth}"));
        talk.says(&format!("info depth {depth} score cp {value} nodes 50 pv e7e5"));
        talk.says("bestmove e7e5");
    }
    talk.order(Order::Stop(Epoch(1)));
    while talk.next().is_some() {}
    let opinions: Vec<_> = talk
        .reports
        .iter()
        .filter_map(|report| match report {
            Report::Opinion { opinion, .. } => Some(opinion),
            _ => None,
        })
        .collect();
    assert_eq!(opinions.len(), 2, "one for each round");
    assert_eq!(opinions[1].score, Score::Centipawns(30));
    assert_eq!(opinions[1].nodes, 200);
    talk.says("bestmove e7e5");
    assert_eq!(talk.done().1.as_deref(), Some("d2d4"));
}

#[test]
fn nothing_an_engine_says_makes_us_panic() {
    let seed = senbon_testkit::seed();
    let mut rng = senbon_games::Rng::new(seed);
    let words = [
        "uciok",
        "readyok",
        "bestmove",
        "e2e4",
        "info",
        "score",
        "cp",
        "-9",
        "mate",
        "pv",
        "id",
        "name",
        "option",
        "type",
        "spin",
        "0000",
        "(none)",
        "harvest",
        "harvestok",
        "moves",
        "99999999999999999999",
        "\u{7f}",
    ];
    for _ in 0..2_000 {
        let mut talk = Talk::new(None);
        for step in 0..30 {
            let line: Vec<_> = (0..rng.below(8)).map(|_| *rng.pick(&words).unwrap()).collect();
            talk.says(&line.join(" "));
            if rng.one_in(5) {
                talk.order(search(step, &[]));
            }
            if rng.one_in(5) {
                talk.order(harvest(step, &["e2e4"], 3));
            }
            while talk.next().is_some() {}
        }
    }
}

fn harvest(epoch: u64, moves: &[&str], count: usize) -> Order<Chess> {
    let mut place = Place::new(Chess::start());
    for text in moves {
        place.play(place.position().parse_move(text).unwrap());
    }
    Order::Harvest { epoch: Epoch(epoch), place, count }
}

/// The harvest told last, as text: the way, the score, the depth.
fn harvested(talk: &mut Talk, epoch: u64, moves: &[&str]) -> Vec<(String, Score, u32)> {
    talk.is_silent();
    let Some(Report::Harvest { epoch: told, positions }) = talk.reports.pop() else { panic!() };
    assert_eq!(told, Epoch(epoch));
    let Order::Harvest { place, .. } = harvest(epoch, moves, 0) else { panic!() };
    let way = |way: &[_]| place.position().format_line(way).join(" ");
    positions.iter().map(|it| (way(&it.way), it.score, it.depth)).collect()
}

#[test]
fn an_engine_that_declares_it_is_asked_for_its_harvest() {
    let mut talk = Talk::new(None);
    talk.hears("uci");
    talk.says("id name Senbon chess");
    talk.says("id harvest 3");
    talk.says("uciok");
    talk.hears("isready");
    talk.says("readyok");
    talk.is_silent();
    assert!(talk.ready.as_ref().unwrap().harvests);
    talk.order(search(1, &[]));
    talk.hears("position startpos");
    talk.hears("go infinite");
    talk.order(harvest(2, &["e2e4"], 50));
    talk.hears("harvest 3 startpos moves e2e4");
    talk.order(harvest(3, &[], 1));
    talk.hears("harvest 1 startpos");
    talk.says("harvest depth 6 score cp -20 best g1f3 moves e7e5");
    talk.says("harvest depth 5 score cp 33 moves e7e5 e1e3");
    talk.says("harvest depth 4 score mate 2 moves e7e5 g1f3");
    talk.says("harvest 5");
    talk.says("harvestok");
    talk.says("harvestok");
    talk.says("harvestok");
    assert_eq!(harvested(&mut talk, 3, &[]), []);
    assert_eq!(
        harvested(&mut talk, 2, &["e2e4"]),
        [
            ("e7e5".to_owned(), Score::Centipawns(-20), 6),
            ("e7e5 g1f3".to_owned(), Score::Mates(3), 4)
        ]
    );
    // An engine that does not answer after all keeps its place, without the ability.
    talk.order(harvest(4, &[], 1));
    talk.hears("harvest 1 startpos");
    let late = talk.dialogue.poll_timeout().unwrap();
    talk.dialogue.handle_timeout(late);
    assert_eq!(harvested(&mut talk, 4, &[]), []);
    assert!(talk.failed.is_none());
    talk.order(harvest(5, &[], 1));
    assert_eq!(harvested(&mut talk, 5, &[]), []);
}

#[test]
fn other_engines_are_harvested_of_their_variations() {
    let mut talk = Talk::ready("Stockfish 15.1");
    assert!(!talk.ready.as_ref().unwrap().harvests);
    talk.order(search(1, &[]));
    talk.hears("position startpos");
    talk.hears("go infinite");
    talk.says("info depth 5 score cp 10 pv d2d4 d7d5");
    talk.says("info depth 9 score cp 31 pv e2e4 e7e5 g1f3");
    talk.is_silent();
    talk.reports.clear();
    talk.order(harvest(2, &[], 4));
    let entry = |way: &str, score, depth| (way.to_owned(), Score::Centipawns(score), depth);
    assert_eq!(
        harvested(&mut talk, 2, &[]),
        [
            entry("e2e4", -31, 8),
            entry("e2e4 e7e5", 31, 7),
            entry("e2e4 e7e5 g1f3", -31, 6),
            entry("d2d4", -10, 4)
        ]
    );
    talk.order(harvest(3, &["e2e4"], 9));
    assert_eq!(
        harvested(&mut talk, 3, &["e2e4"]),
        [entry("e7e5", 31, 7), entry("e7e5 g1f3", -31, 6)]
    );
    talk.order(harvest(4, &["a2a3"], 9));
    assert_eq!(harvested(&mut talk, 4, &["a2a3"]), []);
}
