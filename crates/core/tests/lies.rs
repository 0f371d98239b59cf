//! A worker that lies: what it says is cut down to what can be true, and nothing breaks.
#![allow(clippy::unwrap_used)]

mod support;

use std::time::Duration;

use senbon_core::pipeline::{Output, Pipeline, Settings, Strategy};
use senbon_core::tree::Tree;
use senbon_core::{
    Epoch, Limits, Opinion, Order, Place, RankTable, Report, Score, Search, WorkerId,
};
use senbon_games::chess::Chess;
use senbon_games::{Game, Notation};

use support::able;

type Move = <Chess as Game>::Move;

const NOW: Duration = Duration::ZERO;

/// Moves as they would be written, whether they fit together or not.
fn moves(texts: &[&str]) -> Vec<Move> {
    let mut position = Chess::start();
    let white = texts[0];
    let first = position.parse_move(white).unwrap();
    position.play(first);
    let after: Vec<Move> = position.moves().into_iter().collect();
    let named = |text: &&str| {
        let found = after.iter().copied().find(|&mv| position.format_move(mv) == **text);
        found.unwrap_or(first)
    };
    [first].into_iter().chain(texts[1..].iter().map(named)).collect()
}

/// A pipeline that is asked for a move, and the number of its worker's order.
fn asked(workers: u32) -> (Pipeline<Chess>, WorkerId, Epoch) {
    asked_of(Strategy::Pipeline, workers)
}

fn asked_of(strategy: Strategy, workers: u32) -> (Pipeline<Chess>, WorkerId, Epoch) {
    let settings = Settings { strategy, ..Settings::default() };
    let mut pipeline = Pipeline::new(Chess::start(), settings);
    for id in 1..=workers {
        pipeline.handle_joined(NOW, WorkerId(id), able(1));
    }
    let limits = Limits { infinite: true, ..Limits::default() };
    let place = Place::new(Chess::start());
    let search = Search { epoch: Epoch(1), place, only: Vec::new(), lines: 1, limits };
    pipeline.handle_order(NOW, Order::Search(search));
    let mut order = None;
    while let Some(output) = pipeline.poll() {
        if let Output::Below(id, Order::Search(search)) = output {
            order = Some((id, search.epoch));
        }
    }
    let (id, epoch) = order.unwrap();
    (pipeline, id, epoch)
}

fn told(pipeline: &mut Pipeline<Chess>) -> Vec<Opinion<Move>> {
    std::iter::from_fn(|| pipeline.poll())
        .filter_map(|output| match output {
            Output::Above(Report::Opinion { opinion, .. }) => Some(opinion),
            _ => None,
        })
        .collect()
}

#[test]
fn a_line_is_told_as_far_as_it_is_legal() {
    let (mut pipeline, id, epoch) = asked(1);
    // The third move is White's first one again, which cannot be played twice.
    let line = moves(&["e2e4", "e7e5", "e2e4", "e7e5"]);
    let opinion = Opinion::new(Score::Centipawns(20), 9, line.clone());
    pipeline.handle_report(NOW, id, Report::Opinion { epoch, opinion });
    let opinions = told(&mut pipeline);
    assert_eq!(opinions.last().unwrap().line, line[..2]);
}

#[test]
fn numbers_beyond_all_bounds_do_not_overflow() {
    let (mut pipeline, id, mut epoch) = asked(2);
    for nodes in [u64::MAX, 0, u64::MAX] {
        let opinion = Opinion {
            nodes,
            seldepth: u32::MAX,
            hashfull: Some(u32::MAX),
            ..Opinion::new(Score::Mates(u32::MAX), u32::MAX, moves(&["e2e4", "e7e5"]))
        };
        pipeline.handle_report(NOW, id, Report::Opinion { epoch, opinion });
        while let Some(output) = pipeline.poll() {
            match output {
                Output::Below(to, Order::Search(search)) if to == id => epoch = search.epoch,
                Output::Above(Report::Opinion { opinion, .. }) => {
                    assert!(opinion.hashfull.unwrap_or(0) <= 1_000);
                }
                _ => {}
            }
        }
    }
    pipeline.handle_order(NOW, Order::Stop(Epoch(1)));
    let done = std::iter::from_fn(|| pipeline.poll())
        .any(|output| matches!(output, Output::Above(Report::Done { best: Some(_), .. })));
    assert!(done);
}

#[test]
fn a_node_gains_nothing_by_handing_on_its_best_move() {
    let mut tree = Tree::new(Place::new(Chess::start()), RankTable::default());
    let root = tree.root();
    let (best, second) = (moves(&["e2e4"]), moves(&["d2d4"]));
    let lie = Opinion { rank: 1, ..Opinion::new(Score::Centipawns(500), 5, second) };
    tree.report(root, lie);
    tree.report(root, Opinion::new(Score::Centipawns(-30), 5, best.clone()));
    assert_eq!(tree.node(root).value(), Some(Score::Centipawns(-30)));
    tree.expand(root, best[0]);
    assert_eq!(tree.node(root).value(), Some(Score::Centipawns(-30)));
}

#[test]
fn a_position_said_to_be_searched_out_is_searched_again_when_asked_for() {
    let (mut pipeline, id, epoch) = asked(1);
    let best = Some(moves(&["e2e4"])[0]);
    pipeline.handle_report(NOW, id, Report::Done { epoch, best, ponder: None });
    pipeline.handle_order(NOW, Order::Stop(Epoch(1)));
    while pipeline.poll().is_some() {}
    let limits = Limits { depth: Some(1), ..Limits::default() };
    let place = Place::new(Chess::start());
    let search = Search { epoch: Epoch(2), place, only: Vec::new(), lines: 1, limits };
    pipeline.handle_order(NOW, Order::Search(search));
    let ordered = std::iter::from_fn(|| pipeline.poll())
        .any(|output| matches!(output, Output::Below(to, Order::Search(_)) if to == id));
    assert!(ordered, "nobody was told to search");
}

#[test]
fn the_loss_of_the_last_one_at_work_ends_a_search_whose_others_are_done() {
    // Here a worker's order stays the same when another's node goes.
    let (mut pipeline, id, epoch) = asked_of(Strategy::OptimisticPondering, 2);
    pipeline.handle_order(NOW, Order::Stop(Epoch(1)));
    let limits = Limits { depth: Some(3), ..Limits::default() };
    let place = Place::new(Chess::start());
    let search = Search { epoch: Epoch(2), place, only: Vec::new(), lines: 1, limits };
    pipeline.handle_order(NOW, Order::Search(search));
    let opinion = Opinion::new(Score::Centipawns(20), 2, moves(&["e2e4", "e7e5"]));
    let mut epochs = std::collections::BTreeMap::from([(id, epoch)]);
    let mut told = false;
    loop {
        while let Some(output) = pipeline.poll() {
            match output {
                Output::Below(to, Order::Search(search)) => {
                    epochs.insert(to, search.epoch);
                }
                Output::Above(Report::Done { epoch: Epoch(2), .. }) => {
                    panic!("answered while somebody was at work");
                }
                _ => {}
            }
        }
        if told {
            break;
        }
        // The first opinion gives the second worker a node of its own.
        told = true;
        let (epoch, opinion) = (epochs[&id], opinion.clone());
        pipeline.handle_report(NOW, id, Report::Opinion { epoch, opinion });
    }
    assert_eq!(epochs.len(), 2, "both workers have work");
    let (one, epoch) = (id, epochs[&id]);
    pipeline.handle_report(NOW, one, Report::Done { epoch, best: None, ponder: None });
    let other = epochs.keys().copied().find(|&other| other != one).unwrap();
    pipeline.handle_left(NOW, other);
    let done = std::iter::from_fn(|| pipeline.poll()).any(|output| match output {
        Output::Above(Report::Done { epoch, best, .. }) => epoch == Epoch(2) && best.is_some(),
        _ => false,
    });
    assert!(done, "nobody searches, and nobody answers");
}
