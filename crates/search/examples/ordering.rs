//! How often the best child of a node is still the best in a search two plies deeper.
//!
//! minimal-trees-2014 (figure 6) describes its trees by this: 89.8 % between depths 14 and 16
//! at width 5, 81.9 % between 6 and 8 at width 20. Measures the roots of many incremental
//! trees, one a seed:
//! `cargo run --release -p senbon-search --example ordering -- incremental:w5:d16 14 1000`
//! (the tree without its seed, the shallower depth, the number of trees).

use std::cmp::Reverse;
use std::process::ExitCode;

use senbon_games::trees::{Branch, Incremental, TreeValue};
use senbon_games::{Game, Notation};
use senbon_search::{Free, INFINITE, Window, negascout};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [tree, depth, trees] = &arguments[..] else { return usage("three arguments are needed") };
    let (Ok(depth), Ok(trees)) = (depth.parse::<u32>(), trees.parse::<u64>()) else {
        return usage("depth and number of trees are numbers");
    };
    let mut kept = 0;
    for seed in 1..=trees {
        let root = match Incremental::parse_position(&format!("{tree}:seed{seed}")) {
            Ok(root) => root,
            Err(error) => return usage(&error.to_string()),
        };
        kept += u64::from(best_branch(&root, depth) == best_branch(&root, depth + 2));
    }
    let share = kept as f64 / trees as f64;
    let error = (share * (1.0 - share) / trees as f64).sqrt();
    let (share, error) = (100.0 * share, 100.0 * error);
    println!("{tree}: {share:.1} % (± {error:.1}) of the best at depth {depth} stay the best");
    ExitCode::SUCCESS
}

fn usage(wrong: &str) -> ExitCode {
    eprintln!("{wrong}; usage: ordering TREE DEPTH TREES, as in: incremental:w5:d16 14 1000");
    ExitCode::from(2)
}

/// The first of the best children, those with the best static value before others.
fn best_branch(root: &Incremental, depth: u32) -> Option<Branch> {
    let mut branches: Vec<Branch> = root.moves().collect();
    branches.sort_by_key(|&branch| Reverse(root.order_hint(branch)));
    let mut best = (-INFINITE, None);
    for branch in branches {
        let mut child = root.clone();
        child.play(branch);
        let window = Window::new(-INFINITE, -best.0);
        let found = negascout(&mut child, depth - 1, window, &mut TreeValue, &mut Free);
        if -found.value > best.0 {
            best = (-found.value, Some(branch));
        }
    }
    best.1
}
