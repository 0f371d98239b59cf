//! Workers of unequal speed: the faster get the more valuable nodes, and nobody is moved for
//! little.
#![allow(clippy::unwrap_used)]

mod support;

use std::collections::BTreeMap;
use std::time::Duration;

use senbon_core::pipeline::{Output, Pipeline, Settings};
use senbon_core::{Epoch, Limits, Opinion, Order, Place, Report, Score, Search, WorkerId};
use senbon_games::chess::Chess;
use senbon_games::{Game, Notation};

use support::able;

/// A pipeline and what its workers were told last.
struct World {
    pipeline: Pipeline<Chess>,
    orders: BTreeMap<u32, Search<Chess>>,
    /// How many orders to search each got.
    told: BTreeMap<u32, usize>,
}

const fn ms(milliseconds: u64) -> Duration {
    Duration::from_millis(milliseconds)
}

impl World {
    /// A search for ten seconds.
    fn new() -> Self {
        let pipeline = Pipeline::new(Chess::start(), Settings::default());
        let mut world = World { pipeline, orders: BTreeMap::new(), told: BTreeMap::new() };
        let limits = Limits { move_time: Some(ms(10_000)), ..Limits::default() };
        let place = Place::new(Chess::start());
        let search = Search { epoch: Epoch(1), place, only: Vec::new(), lines: 1, limits };
        world.pipeline.handle_order(Duration::ZERO, Order::Search(search));
        world
    }

    fn join(&mut self, now: Duration, id: u32, speed: u64) {
        self.pipeline.handle_joined(now, WorkerId(id), able(speed));
        self.drain();
    }

    /// A worker tells of its search, with its speed by then.
    fn tell(&mut self, now: Duration, id: u32, line: &[&str], time: Duration, speed: u64) {
        let search = &self.orders[&id];
        let mut position = search.place.position().clone();
        let moves = line.iter().map(|text| {
            let mv = position.parse_move(text).unwrap();
            position.play(mv);
            mv
        });
        let opinion = Opinion {
            nodes: speed * time.as_millis() as u64 / 1_000,
            time,
            ..Opinion::new(Score::Centipawns(20), 10, moves.collect())
        };
        let report = Report::Opinion { epoch: search.epoch, opinion };
        self.pipeline.handle_report(now, WorkerId(id), report);
        self.drain();
    }

    fn drain(&mut self) {
        while let Some(output) = self.pipeline.poll() {
            if let Output::Below(WorkerId(id), Order::Search(search)) = output {
                self.orders.insert(id, search);
                *self.told.entry(id).or_default() += 1;
            }
        }
    }

    fn at_root(&self) -> u32 {
        let tree = self.pipeline.tree();
        let worker = tree.node(tree.root()).worker().unwrap().0;
        assert!(self.orders[&worker].place.moves().is_empty());
        worker
    }
}

#[test]
fn a_much_faster_worker_takes_the_root_when_it_joins() {
    let mut world = World::new();
    world.join(ms(0), 1, 100_000);
    world.tell(ms(500), 1, &["e2e4", "e7e5"], ms(500), 100_000);
    assert_eq!(world.at_root(), 1);
    world.join(ms(600), 2, 1_000_000);
    assert_eq!(world.at_root(), 2);
    assert_eq!(world.told[&2], 1, "it is not sent elsewhere first");
    assert_eq!(world.orders[&1].place.moves().len(), 1, "the other one has the best child");
}

#[test]
fn nobody_is_moved_for_little_or_too_late() {
    for (speed, at) in [(150_000, 600), (1_000_000, 9_600)] {
        let mut world = World::new();
        world.join(ms(0), 1, 100_000);
        world.tell(ms(at - 1), 1, &["e2e4", "e7e5"], ms(at - 1), 100_000);
        world.join(ms(at), 2, speed);
        assert_eq!(world.at_root(), 1, "{speed} nodes a second at {at} ms");
        assert_eq!(world.orders[&2].place.moves().len(), 1);
    }
}

#[test]
fn speeds_are_learned_and_what_was_told_is_corrected() {
    // Unknown at first; and a machine that has become slow.
    for told in [0, 1_000_000] {
        let mut world = World::new();
        world.join(ms(0), 1, told);
        world.tell(ms(40), 1, &["e2e4", "e7e5"], ms(40), 50_000);
        world.join(ms(41), 2, told);
        world.tell(ms(400), 2, &["e7e5", "g1f3"], ms(359), 1_000_000);
        assert_eq!(world.at_root(), 1, "{told}");
        world.tell(ms(900), 1, &["d2d4", "d7d5"], ms(859), 50_000);
        assert_eq!(world.at_root(), 2, "{told}");
        assert_eq!(world.pipeline.speed_of(WorkerId(1)), 50_000, "{told}");
    }
}

#[test]
fn the_fastest_free_worker_gets_the_most_probable_node() {
    let mut world = World::new();
    world.join(ms(0), 1, 800_000);
    for (id, speed) in [(2, 100_000), (3, 400_000), (4, 0), (5, 200_000)] {
        world.join(ms(1), id, speed);
    }
    assert_eq!(world.at_root(), 1);
    let line = ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5"];
    for (plies, (id, speed)) in
        [(1, 800_000), (3, 400_000), (4, 0), (5, 200_000)].into_iter().enumerate()
    {
        world.tell(ms(100 + plies as u64), id, &line[plies..], ms(100), speed);
    }
    let plies = |id| world.orders[&id].place.moves().len();
    // One of unknown speed is taken for an average one.
    assert_eq!([1, 3, 4, 5, 2].map(plies), [0, 1, 2, 3, 4]);
}
