//! Searches that share a memory and have the same question: how much sooner it is answered, and
//! how many more nodes that takes.
//!
//! By turns of a few nodes each, so that the numbers are the same on every machine, however many
//! cores it has: `cargo bench -p senbon-search --bench helpers`.
#![allow(clippy::unwrap_used)]

use std::sync::Arc;

use senbon_games::trees::{Incremental, IncrementalShape, TreeValue};
use senbon_games::{Branching, Game, HIGHEST, Promising, Rng, Worth};
use senbon_search::fixed::{Fixed, Pool};

const WIDTH: usize = 5;
/// Plies above the task, as in a master's tree.
const ABOVE: u8 = 10;
/// Nodes of a turn.
const TURN: u64 = 4;

type Search = Fixed<Incremental, Promising<TreeValue>>;

fn main() {
    // Without `--bench` it only has to run: that is how `cargo test --benches` calls it.
    let bench = std::env::args().any(|argument| argument == "--bench");
    let (trees, depths): (_, &[u8]) = if bench { (16, &[10, 12, 14]) } else { (1, &[6]) };
    println!("{:>5} {:>8} {:>8} {:>8}", "plies", "searches", "nodes", "sooner");
    for &depth in depths {
        let tasks: Vec<_> = (1..=trees).map(|tree| task(depth, tree)).collect();
        let alone: Vec<_> = tasks.iter().map(|task| answer(task, depth, 1)).collect();
        for searches in [2, 4, 8, 16, 32, 64] {
            let (mut nodes, mut turns) = (0.0, 0.0);
            for (task, alone) in tasks.iter().zip(&alone) {
                let together = answer(task, depth, searches);
                nodes += (together.0 as f64 / alone.0 as f64).ln();
                turns += (alone.1 as f64 / together.1 as f64).ln();
            }
            let mean = |sum: f64| (sum / tasks.len() as f64).exp();
            println!("{depth:>5} {searches:>8} {:>8.2} {:>8.1}", mean(nodes), mean(turns));
        }
    }
}

/// A position in the middle of a tree, and a null window beside what it seems to be worth.
fn task(depth: u8, tree: u64) -> (Incremental, Worth) {
    let shape = IncrementalShape::new(WIDTH as u8, ABOVE + depth, tree);
    let mut position = Incremental::new(shape).unwrap();
    let mut rng = Rng::new(tree);
    for ply in 0..ABOVE {
        let mut branching = Promising::new(TreeValue, WIDTH);
        branching.reset(&position);
        let mut children = Vec::new();
        branching.children(&position, &mut children);
        // One side plays what looks best.
        let at = if ply.is_multiple_of(2) { 0 } else { rng.below(children.len()) };
        position.play(children[at]);
    }
    let mut search = Fixed::new(position.clone(), Promising::new(TreeValue, WIDTH), 1 << 30);
    search.start(&position, depth - 2, -HIGHEST, HIGHEST);
    let value = search.run(u64::MAX).unwrap();
    (position, if tree.is_multiple_of(2) { value + 10 } else { value - 11 })
}

/// Nodes and turns of so many searches until the first has the answer. The shallower ones have
/// been made by one.
fn answer((position, alpha): &(Incremental, Worth), depth: u8, searches: usize) -> (u64, u64) {
    let pool = Arc::new(Pool::new(64 << 20));
    let new = || {
        let mut search = Fixed::new(position.clone(), Promising::new(TreeValue, WIDTH), 0);
        search.share(Some(Arc::clone(&pool)));
        search.scout(true);
        search
    };
    let mut searches: Vec<Search> = (0..searches).map(|_| new()).collect();
    for shallower in (2..depth).step_by(2) {
        searches[0].start(position, shallower, *alpha, alpha + 1);
        searches[0].run(u64::MAX).unwrap();
    }
    let before = searches[0].nodes().total();
    searches.iter_mut().for_each(|search| search.start(position, depth, *alpha, alpha + 1));
    let mut turns = 1;
    while !searches.iter_mut().any(|search| search.run(TURN).is_some()) {
        turns += 1;
    }
    let nodes: u64 = searches.iter().map(|search| search.nodes().total()).sum();
    (nodes - before, turns)
}
