//! Pondering speaks of the position after the predicted move, though the tree's root is the
//! one before it.
#![allow(clippy::unwrap_used)]

mod support;

use std::time::Duration;

use senbon_core::pipeline::{Output, Pipeline, Settings};
use senbon_core::{Epoch, Limits, Opinion, Order, Place, Report, Score, Search, WorkerId};
use senbon_games::chess::Chess;
use senbon_games::{Game, Notation};

use support::able;

type Move = <Chess as Game>::Move;
type Sent = (WorkerId, Search<Chess>);

const NOW: Duration = Duration::ZERO;
const ASKED: Epoch = Epoch(7);

fn pipeline(workers: u32) -> Pipeline<Chess> {
    let mut pipeline = Pipeline::new(Chess::start(), Settings::default());
    for id in 1..=workers {
        pipeline.handle_joined(NOW, WorkerId(id), able(0));
    }
    pipeline
}

fn place(start: &str, moves: &[&str]) -> Place<Chess> {
    let mut place = Place::new(Chess::parse_position(start).unwrap());
    for text in moves {
        place.play(place.position().parse_move(text).unwrap());
    }
    place
}

fn line(place: &Place<Chess>, texts: &[&str]) -> Vec<Move> {
    let mut position = place.position().clone();
    texts
        .iter()
        .map(|text| {
            let mv = position.parse_move(text).unwrap();
            position.play(mv);
            mv
        })
        .collect()
}

fn ask(pipeline: &mut Pipeline<Chess>, place: &Place<Chess>, limits: Limits) {
    let search = Search { epoch: ASKED, place: place.clone(), only: vec![], lines: 1, limits };
    pipeline.handle_order(NOW, Order::Search(search));
}

/// The orders that were sent below, and what was told above.
fn drain(pipeline: &mut Pipeline<Chess>) -> (Vec<Sent>, Vec<Report<Chess>>) {
    let (mut below, mut above) = (Vec::new(), Vec::new());
    while let Some(output) = pipeline.poll() {
        match output {
            Output::Below(id, Order::Search(search)) => below.push((id, search)),
            Output::Below(..) => {}
            Output::Above(report) => above.push(report),
        }
    }
    (below, above)
}

fn best_of(above: &[Report<Chess>]) -> Option<(Option<Move>, Option<Move>)> {
    above.iter().find_map(|report| match report {
        Report::Done { epoch: ASKED, best, ponder } => Some((*best, *ponder)),
        _ => None,
    })
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

fn ponder() -> Limits {
    let move_time = Some(Duration::from_millis(100));
    Limits { ponder: true, move_time, ..Limits::default() }
}

#[test]
fn lines_and_answer_are_of_the_position_after_the_prediction() {
    let asked = place(START, &["e2e4", "c7c5"]);
    let before = place(START, &["e2e4"]);
    for told in [&["c7c5", "g1f3", "d7d6"][..], &["e7e5", "g1f3"]] {
        let mut pipeline = pipeline(1);
        ask(&mut pipeline, &asked, ponder());
        let (below, _) = drain(&mut pipeline);
        assert_eq!(below[0].1.place.moves(), before.moves());
        let opinion = Opinion::new(Score::Centipawns(-30), 9, line(&before, told));
        let epoch = below[0].1.epoch;
        pipeline.handle_report(NOW, WorkerId(1), Report::Opinion { epoch, opinion });
        let (_, above) = drain(&mut pipeline);
        let predicted = told[0] == "c7c5";
        assert_eq!(above.len(), usize::from(predicted), "{above:?}");
        if let Some(Report::Opinion { opinion, .. }) = above.first() {
            assert_eq!(opinion.line, line(&asked, &["g1f3", "d7d6"]));
            assert_eq!(opinion.score, Score::Centipawns(30));
        }
        pipeline.handle_order(NOW, Order::Stop(ASKED));
        let (best, answer) = best_of(&drain(&mut pipeline).1).unwrap();
        let best = best.unwrap();
        assert!(asked.position().moves().contains(&best));
        if predicted {
            assert_eq!(vec![best, answer.unwrap()], line(&asked, &["g1f3", "d7d6"]));
        }
        // The miss: what was played instead is a branch of the same tree.
        assert_eq!(pipeline.tree().place().moves(), before.moves());
    }
}

#[test]
fn a_hit_goes_on_with_the_move_played() {
    let asked = place(START, &["e2e4", "c7c5"]);
    let mut pipeline = pipeline(2);
    let limits = Limits { ponder: true, depth: Some(3), ..Limits::default() };
    ask(&mut pipeline, &asked, limits);
    let (below, _) = drain(&mut pipeline);
    // All that was asked for while pondering is done before the hit.
    for (id, search) in below {
        let done = Report::Done { epoch: search.epoch, best: None, ponder: None };
        pipeline.handle_report(NOW, id, done);
    }
    let (_, above) = drain(&mut pipeline);
    assert_eq!(best_of(&above), None, "answered before the hit");
    pipeline.handle_order(NOW, Order::PonderHit(ASKED));
    let (below, _) = drain(&mut pipeline);
    assert_eq!(pipeline.tree().place().moves(), asked.moves());
    assert!(!below.is_empty(), "nobody searches, so nobody would ever answer");
}
