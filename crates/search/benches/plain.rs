//! The sequential searches against their likes in the `minimax` crate: same rules, same
//! evaluators, same depth, same value.
//!
//! - Plain alpha-beta against `Negamax`, neither with a table.
//! - `Fixed`, the search of minimal trees, against `IterativeSearch`: both with a table of the
//!   same size, neither with null windows. Theirs deepens by two plies at the root; ours inside
//!   every node, once by two as the paper's, with all nodes of two plies in the table, and once
//!   as suits trees whose nodes cost next to nothing: by four, with nodes of four plies and more
//!   in the table. Once with the children in the same order on both sides, the most promising
//!   first, and once with theirs as they come, which spares them the sorting.
//!
//! Nodes are leaves and interior nodes visited, in all iterations.
//!
//! Each row is a set of positions, searched by both programs by turns; it shows nodes a second
//! of processor time and their ratio, medians over the rounds, and how many times as long
//! theirs takes for the whole search: `cargo bench -p senbon-search --bench plain`.
#![allow(clippy::unwrap_used)]

mod peer;

use peer::{Four, Judge, Peer, Tree};
use senbon_games::tiny::{ConnectFour, Lines, Threats};
use senbon_games::trees::{Incremental, Regular, TreeValue};
use senbon_games::{Evaluator, Game, HIGHEST, Notation, Promising};
use senbon_search::fixed::Fixed;
use senbon_search::{Free, Window, alpha_beta};
use senbon_testkit::Rates;

const ROUNDS: usize = 9;

/// First moves of every kind, so that quiet and forced play both have their share.
const OPENINGS: [&str; 10] =
    ["", "4", "44", "444", "4433", "1726345", "43", "2", "12345", "4444453"];

fn main() {
    // Without `--bench` it only has to run: that is how `cargo test --benches` calls it.
    let plies = if std::env::args().any(|argument| argument == "--bench") { 0 } else { 4 };
    let [nodes, ours, theirs, ratio, time] = ["Mnodes", "ours/s", "minimax/s", "ratio", "time"];
    println!("{:38} {nodes:>7} {ours:>9} {theirs:>9} {ratio:>6} {time:>6}", "");
    four::<Lines>("connect four, running sums", 11 - plies);
    four::<Threats>("connect four, threats counted", 11 - plies);
    for (text, depth) in [("uniform:w7:d12", 12), ("uniform:w7:d12:s1000", 12)] {
        tree::<Regular>(text, depth - plies);
    }
    for text in ["geometric:p58982:w7:d14", "ordered:p58982:w7:d14"] {
        tree::<Regular>(text, 14 - plies);
    }
    tree::<Incremental>("incremental:w5:d12", 12 - plies);
    tree::<Incremental>("incremental:w20:d7", 7 - plies);
    // Tables as large as the tree needs: theirs is filled with nothing before each search.
    for (text, width, depth, table) in [
        ("incremental:w5:d12", 5, 12, 1 << 20),
        ("incremental:w5:d14", 5, 14, 1 << 22),
        ("incremental:w5:d16", 5, 16, 1 << 24),
        ("incremental:w20:d7", 20, 7, 1 << 20),
        ("incremental:w20:d8", 20, 8, 1 << 22),
    ] {
        for by in [2, 4] {
            let (name, depth) = (format!("{text}, by {by}"), depth - plies);
            fixed::<true>(&name, text, width, depth, by, table);
            fixed::<false>(&format!("{name}, not sorted"), text, width, depth, by, table);
        }
    }
}

/// The search with a table and with deepening inside every node by so many plies; nodes of as
/// many and more are remembered.
fn fixed<const SORTED: bool>(
    name: &str,
    text: &str,
    width: usize,
    depth: u8,
    by: u8,
    table: usize,
) {
    let roots =
        [1, 2, 3].map(|seed| Incremental::parse_position(&format!("{text}:seed{seed}")).unwrap());
    let ours = |root: &Incremental| {
        let mut search = Fixed::new(root.clone(), Promising::new(TreeValue, width), table);
        search.deepen_by(by);
        search.remember_from(by);
        search.start(root, depth, -HIGHEST, HIGHEST);
        (search.run(u64::MAX).unwrap(), search.nodes().total())
    };
    let theirs =
        |root: &Incremental| peer::deepen::<_, Tree<_, SORTED>, TreeValue>(root, depth, table);
    for root in &roots {
        assert_eq!(ours(root).0, theirs(root).0, "{name}: the searches disagree");
    }
    let mut our_nodes = || roots.iter().map(|root| ours(root).1).sum();
    let mut their_nodes = || roots.iter().map(|root| theirs(root).1).sum();
    row(name, &mut our_nodes, &mut their_nodes);
}

fn four<E: Evaluator<ConnectFour> + Default + Clone>(name: &str, depth: u8)
where
    Judge<Four, E>: minimax::Evaluator<G = Four>,
{
    let positions = OPENINGS.map(|text| ConnectFour::parse_position(text).unwrap());
    compare::<_, Four, _>(name, &positions, E::default(), depth);
}

fn tree<G: Notation>(text: &str, depth: u8)
where
    TreeValue: Evaluator<G>,
    Tree<G>: Peer<G>,
    Judge<Tree<G>, TreeValue>: minimax::Evaluator<G = Tree<G>>,
{
    let roots = [1, 2, 3].map(|seed| G::parse_position(&format!("{text}:seed{seed}")).unwrap());
    compare::<G, Tree<G>, _>(text, &roots, TreeValue, depth);
}

/// Searches all of `positions` with both programs, round by round, and prints a row.
fn compare<G: Game, M: Peer<G>, E: Evaluator<G> + Clone>(
    name: &str,
    positions: &[G],
    evaluator: E,
    depth: u8,
) where
    Judge<M, E>: minimax::Evaluator<G = M>,
{
    let ours = |position: &G| {
        let (position, evaluator) = (&mut position.clone(), &mut evaluator.clone());
        alpha_beta(position, depth.into(), Window::OPEN, evaluator, &mut Free)
    };
    let theirs = |position: &G| peer::search::<G, M, E>(position, depth);
    for position in positions {
        let (value, their_value) = (ours(position).value, theirs(position).0);
        assert_eq!(peer::in_their_terms(value), their_value, "{name}: the searches disagree");
    }
    let mut our_nodes = || positions.iter().map(|root| ours(root).nodes.total()).sum();
    let mut their_nodes = || positions.iter().map(|root| theirs(root).1).sum();
    row(name, &mut our_nodes, &mut their_nodes);
}

/// Measures both and prints a row.
fn row(name: &str, our_nodes: &mut dyn FnMut() -> u64, their_nodes: &mut dyn FnMut() -> u64) {
    let (nodes, more) = (our_nodes() as f64 / 1e6, their_nodes() as f64 / our_nodes() as f64);
    let rates = Rates::measure(ROUNDS, [our_nodes, their_nodes]);
    let (one, other, ratio) = (rates.rate(0) / 1e6, rates.rate(1) / 1e6, rates.ratio(0, 1));
    println!("{name:38} {nodes:7.2} {one:9.1} {other:9.1} {ratio:6.2} {:6.2}", ratio * more);
}
