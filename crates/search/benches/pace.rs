//! What asking the pace costs a live search: nothing that can be measured.
//!
//! The same chess search, compiled for each pace, on the same positions and to the same node:
//! with a clock on the wall, as the live engines have; with nothing to ask at all ([`Free`]),
//! twice, under two types, which shows what chance and the place of code in memory make of
//! equal searches; and with the clock read at every node, which shows that a cost would be
//! seen. Rates are by processor time, all by turns:
//! `cargo bench -p senbon-search --bench pace`.
#![allow(clippy::unwrap_used, clippy::disallowed_methods)]

use std::hint::black_box;
use std::time::{Duration, Instant};

use senbon_games::Notation;
use senbon_games::chess::{Chess, ChessEvaluator};
use senbon_search::{Free, Pace, Request, Searcher, Signals, Table};
use senbon_testkit::Rates;

/// An opening, two middle games and an endgame.
const POSITIONS: [&str; 4] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
];

/// As in a live engine: asked for the time once in a while, and nothing before a node.
struct WallClock(Instant);

impl Pace for WallClock {
    fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }
}

/// [`Free`] once more, so that the search is compiled once more.
struct Twin;

impl Pace for Twin {
    fn elapsed(&self) -> Duration {
        Duration::ZERO
    }
}

/// What a live search would pay if it looked at the clock before each node.
struct EveryNode(Instant);

impl Pace for EveryNode {
    fn step(&mut self) {
        black_box(self.0.elapsed());
    }

    fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }
}

fn main() {
    // Without `--bench` it only has to run: that is how `cargo test --benches` calls it.
    let full = std::env::args().any(|argument| argument == "--bench");
    let (nodes, rounds) = if full { (40_000, 60) } else { (1_000, 1) };
    let mut wall = || search(nodes, || WallClock(Instant::now()));
    let mut free = || search(nodes, || Free);
    let mut twin = || search(nodes, || Twin);
    let mut every = || search(nodes, || EveryNode(Instant::now()));
    let counts = [wall(), free(), twin(), every()];
    assert!(counts.iter().all(|&count| count == counts[0]), "not the same search: {counts:?}");
    let rates = Rates::measure(rounds, [&mut wall, &mut free, &mut twin, &mut every]);
    println!("{:34} {:>9} {:>7}  95 % interval", "", "nodes/s", "ratio");
    let names =
        ["wall clock (live)", "nothing to ask", "nothing to ask, once more", "clock at every node"];
    for (index, name) in names.into_iter().enumerate() {
        let (low, high) = rates.ratio_interval(index, 1);
        let (rate, ratio) = (rates.rate(index), rates.ratio(index, 1));
        println!("{name:34} {rate:>9.0} {ratio:>7.4}  {low:.4} to {high:.4}");
    }
}

/// All positions from an empty table; the nodes searched.
fn search<P: Pace>(nodes: u64, pace: impl Fn() -> P) -> u64 {
    let request = Request { nodes: Some(nodes), ..Request::default() };
    let mut sum = 0;
    for text in POSITIONS {
        let position = Chess::parse_position(text).unwrap();
        let mut searcher = Searcher::new(ChessEvaluator::default(), Table::with_mib(1).into());
        let signals = Signals::default();
        sum += searcher.search(&position, &request, &signals, &mut pace(), |_| {}).nodes;
    }
    sum
}
