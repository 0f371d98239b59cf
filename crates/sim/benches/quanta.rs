//! How far an engine that searches in quanta differs from one that searches in one go:
//! `cargo bench -p senbon-sim --bench quanta` (needs `stockfish`; another number of nodes may
//! be given behind `--`).
//!
//! The same number of nodes for each position, cut into quanta of different sizes; beside
//! them, in one go, fewer nodes as the ruler. Shown is how often the move is that of a search
//! ten times as long, and the depth reached.
#![allow(clippy::unwrap_used)]

use std::time::Duration;

use senbon_core::{Epoch, Limits, Order, Place, Report, Search};
use senbon_engines::dialogue::Patience;
use senbon_engines::process::EngineCommand;
use senbon_engines::universal::Dialect;
use senbon_games::chess::{Chess, ChessEvaluator};
use senbon_games::{Game, Notation, Rng};
use senbon_search::{Free, Request, Searcher, Signals, Table};
use senbon_sim::{Quanta, QuantaWorker, Stepped};

const NODES: u64 = 40_000;
const REFERENCE: u64 = 10;

fn main() {
    let Some(program) = senbon_testkit::engine("stockfish") else { return };
    // Without `--bench` it only has to run: that is how `cargo test --benches` calls it.
    let full = std::env::args().any(|argument| argument == "--bench");
    let asked = std::env::args().find_map(|argument| argument.parse().ok());
    let (count, nodes) = if full { (100, asked.unwrap_or(NODES)) } else { (1, 2_000) };
    let places: Vec<Place<Chess>> = (0..count).map(|seed| middle_game(seed + 1)).collect();
    let worker = |quanta: Quanta| {
        let command = EngineCommand {
            program: program.display().to_string(),
            arguments: Vec::new(),
            dialect: Dialect::Uci,
            options: vec![("Hash".to_owned(), Some("16".to_owned()))],
            manners: None,
            patience: Patience::default(),
            leash: None,
        };
        QuantaWorker::start(command, quanta, Duration::from_micros(1)).unwrap()
    };
    let mut reference = worker(Quanta::equal(nodes * REFERENCE));
    let truth: Vec<_> =
        places.iter().map(|place| search(&mut reference, place, nodes * REFERENCE).0).collect();
    println!(
        "{count} middle games, {nodes} nodes each; moves of a search {REFERENCE} times as long"
    );
    let row = |name: String, quanta: Quanta, total: u64| {
        let mut worker = worker(quanta);
        let found: Vec<_> = places.iter().map(|place| search(&mut worker, place, total)).collect();
        let same = found.iter().zip(&truth).filter(|((best, _), truth)| best == *truth).count();
        let depth: u32 = found.iter().map(|(_, depth)| depth).sum();
        println!("  {name:28} {same:>4} the same, depth {:.2}", f64::from(depth) / count as f64);
    };
    row("in one go".to_owned(), Quanta::equal(nodes), nodes);
    for parts in [2, 4, 8, 16, 32] {
        row(format!("{parts} quanta of {}", nodes / parts), Quanta::equal(nodes / parts), nodes);
    }
    for parts in [2, 4, 8, 16, 32] {
        let first = nodes / parts;
        row(format!("doubling from {first}"), Quanta::doubling(first), nodes);
    }
    for percent in [90, 75, 50, 25] {
        let fewer = nodes * percent / 100;
        row(format!("in one go, {percent} % of the nodes"), Quanta::equal(fewer), fewer);
    }
}

type Move = <Chess as Game>::Move;

fn search(
    worker: &mut QuantaWorker<Chess>,
    place: &Place<Chess>,
    nodes: u64,
) -> (Option<Move>, u32) {
    worker.order(Order::NewGame);
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    let place = place.clone();
    let search = Search { epoch: Epoch(1), place, only: Vec::new(), lines: 1, limits };
    worker.order(Order::Search(search));
    let (mut found, mut deepest) = (None, 0);
    while !worker.is_idle() {
        worker.run(nodes, &mut |_, report| match report {
            Report::Opinion { opinion, .. } => deepest = deepest.max(opinion.depth),
            Report::Done { best, .. } => found = best,
            _ => {}
        });
    }
    assert_eq!(worker.fault(), None);
    (found, deepest)
}

/// A position after six random plies and ten of our own search.
fn middle_game(seed: u64) -> Place<Chess> {
    let mut rng = Rng::new(seed);
    let mut place = Place::new(Chess::start());
    let mut searcher = Searcher::new(ChessEvaluator::default(), Table::with_mib(1).into());
    for ply in 0..16 {
        let moves: Vec<_> = place.position().moves().into_iter().collect();
        let request = Request { nodes: Some(3_000), ..Request::default() };
        let own = |searcher: &mut Searcher<Chess, ChessEvaluator>| {
            let signals = Signals::default();
            searcher.search(place.position(), &request, &signals, &mut Free, |_| {}).best()
        };
        let mv = if ply < 6 { rng.pick(&moves).copied() } else { own(&mut searcher) };
        match mv {
            Some(mv) if place.after(mv).position().outcome().is_none() => place.play(mv),
            _ => return middle_game(seed + 1_000),
        }
    }
    place
}
