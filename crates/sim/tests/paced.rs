//! A search on its own stack is the search itself: node for node, wherever it is held.
#![allow(clippy::unwrap_used)]

use std::time::Duration;

use senbon_core::{Epoch, Limits, Order, Place, Report, Search};
use senbon_engines::builtin::{Desk, Judged};
use senbon_games::chess::Chess;
use senbon_games::shogi::Shogi;
use senbon_games::tiny::ConnectFour;
use senbon_games::{Notation, Rng};
use senbon_search::{Pace, Signals, Table};
use senbon_sim::PacedWorker;

const NODE_TIME: Duration = Duration::from_micros(3);
const TABLE_BYTES: usize = 1 << 16;

fn search<G: Judged>(epoch: u64, nodes: Option<u64>) -> Search<G> {
    let limits = Limits { nodes, infinite: nodes.is_none(), ..Limits::default() };
    Search {
        epoch: Epoch(epoch),
        place: Place::new(G::start()),
        only: Vec::new(),
        lines: 1,
        limits,
    }
}

/// Counts nodes as the paced worker does, but is never held.
struct Counted(u64);

impl Pace for Counted {
    const SIGNAL_NODES: u64 = 1;

    fn step(&mut self) {
        self.0 += 1;
    }

    fn elapsed(&self) -> Duration {
        NODE_TIME * self.0 as u32
    }
}

fn held_or_not_the_same<G: Judged + std::fmt::Debug>(nodes: u64, seed: u64) {
    let mut straight = Vec::new();
    let mut desk: Desk<G> = Desk::new(Table::with_bytes(TABLE_BYTES).into());
    let mut pace = Counted(0);
    desk.search(&search(1, Some(nodes)), &Signals::default(), &mut pace, |report| {
        straight.push(format!("{report:?}"));
    });

    let mut worker: PacedWorker<G> = PacedWorker::new(TABLE_BYTES, NODE_TIME).unwrap();
    worker.order(Order::Search(search(1, Some(nodes))));
    let mut rng = Rng::new(seed);
    let mut held = Vec::new();
    while !worker.is_idle() {
        let grant = 1 + rng.below(700) as u64;
        let used = worker.run(grant, |_, report| held.push(format!("{report:?}")));
        assert!(used == grant || worker.is_idle());
    }
    assert_eq!(worker.searched(), nodes);
    assert_eq!(straight, held, "seed {seed}");
    assert!(straight.len() > 2);
}

#[test]
fn a_held_search_finds_what_a_free_one_finds() {
    let seed = senbon_testkit::seed();
    held_or_not_the_same::<Chess>(30_000, seed);
    held_or_not_the_same::<Shogi>(10_000, seed);
    held_or_not_the_same::<ConnectFour>(30_000, seed);
}

#[test]
fn reports_carry_the_node_they_were_made_at() {
    let mut worker: PacedWorker<Chess> = PacedWorker::new(TABLE_BYTES, NODE_TIME).unwrap();
    worker.order(Order::Search(search(1, None)));
    let mut before = 0;
    for _ in 0..20 {
        worker.run(500, |used, report| {
            let Report::Opinion { opinion, .. } = report else { panic!("{report:?}") };
            assert_eq!(opinion.nodes, before + used);
            assert_eq!(opinion.time, NODE_TIME * opinion.nodes as u32);
        });
        before += 500;
    }
}

#[test]
fn a_stop_counts_before_the_next_node() {
    let mut worker: PacedWorker<Chess> = PacedWorker::new(TABLE_BYTES, NODE_TIME).unwrap();
    worker.order(Order::Search(search(1, None)));
    assert_eq!(worker.run(5_000, |_, _| {}), 5_000);
    assert!(worker.order(Order::Stop(Epoch(7))).is_none(), "a stop of another search");
    assert_eq!(worker.run(1_000, |_, _| {}), 1_000);
    worker.order(Order::Stop(Epoch(1)));
    let mut last = None;
    // One node was asked for, but none is searched: the search ends where it stood.
    assert!(worker.run(1_000, |_, report| last = Some(report)) <= 1);
    assert!(matches!(last, Some(Report::Done { epoch: Epoch(1), best: Some(_), .. })));
    assert!(worker.is_idle());
}

#[test]
fn a_new_order_supersedes_and_a_harvest_does_not_disturb() {
    let mut worker: PacedWorker<Chess> = PacedWorker::new(1 << 20, NODE_TIME).unwrap();
    worker.order(Order::Search(search(1, None)));
    worker.run(20_000, |_, _| {});
    let place = Place::new(Chess::start());
    let harvest = worker.order(Order::Harvest { epoch: Epoch(9), place, count: 5 });
    let Some(Report::Harvest { epoch: Epoch(9), positions }) = harvest else { panic!() };
    assert_eq!(positions.len(), 5);
    worker.order(Order::Search(search(2, None)));
    worker.order(Order::NewGame);
    worker.order(Order::Search(search(3, Some(400))));
    let mut epochs = Vec::new();
    worker.run(10_000, |_, report| match report {
        Report::Opinion { epoch, .. } | Report::Done { epoch, .. } => epochs.push(epoch.0),
        _ => {}
    });
    assert_eq!(epochs.first(), Some(&1), "the search under way answers");
    assert_eq!(epochs.last(), Some(&3));
    assert!(!epochs.contains(&2), "superseded before it began");
    assert!(worker.is_idle());
}

/// A search that a new game ends before it began is answered like any other: whoever lends the
/// worker waits for that before it is lent again.
#[test]
fn a_search_that_never_began_is_answered() {
    let mut worker: PacedWorker<Chess> = PacedWorker::new(TABLE_BYTES, NODE_TIME).unwrap();
    assert!(worker.order(Order::NewGame).is_none(), "nothing to answer");
    assert!(worker.order(Order::Search(search(7, None))).is_none());
    let answer = worker.order(Order::NewGame);
    let ended = |report: &Report<Chess>| matches!(report, Report::Done { epoch: Epoch(7), .. });
    assert!(answer.as_ref().is_some_and(ended), "{answer:?}");
    let mut reports = Vec::new();
    worker.run(1_000, |_, report| reports.push(report));
    assert!(reports.is_empty() && worker.is_idle(), "{reports:?}");
}
