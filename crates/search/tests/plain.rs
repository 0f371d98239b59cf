//! The plain searches against each other: alpha-beta and NegaScout return what negamax does.
#![allow(clippy::unwrap_used)]

use std::time::Duration;

use senbon_games::tiny::{ConnectFour, Lines, Threats};
use senbon_games::trees::{
    Edges, Incremental, IncrementalShape, ONE, Placement, Regular, RegularShape, TreeValue,
};
use senbon_games::{Evaluator, Game, Notation, Rng};
use senbon_search::{
    Free, Nodes, Pace, Searched, Value, Window, alpha_beta, lost_in, negamax, negamax_moves,
    negascout, principal_variation, won_in,
};

/// Width and depth of a tree that negamax can search a thousand times.
fn small(rng: &mut Rng) -> (u8, u8) {
    let width = 1 + rng.below(9) as u8;
    let deepest = (1..=12).take_while(|&depth| u64::from(width).pow(depth) <= 20_000).count();
    (width, rng.below(deepest + 1) as u8)
}

fn random_regular(rng: &mut Rng) -> Regular {
    let (width, depth) = small(rng);
    let p = rng.below(ONE as usize + 1) as u32;
    let placement = match rng.below(3) {
        0 => Placement::Uniform,
        1 => Placement::Geometric { p },
        _ => Placement::Ordered { p },
    };
    let mut shape = RegularShape::new(placement, width, depth, rng.next_u64());
    shape.value = rng.below(2001) as i32 - 1000;
    shape.spread = [0, 1, 2, 10, 1000][rng.below(5)];
    Regular::new(shape).unwrap()
}

fn random_incremental(rng: &mut Rng) -> Incremental {
    let (width, depth) = small(rng);
    let mut shape = IncrementalShape::new(width, depth, rng.next_u64());
    shape.edges = Edges {
        draws: 1 + rng.below(3) as u8,
        quiet: [1, 3, 100][rng.below(3)],
        swing: 300,
        swing_chance: [0, 6554, ONE][rng.below(3)],
    };
    Incremental::new(shape).unwrap()
}

fn random_connect_four(rng: &mut Rng) -> ConnectFour {
    let mut position = ConnectFour::start();
    for _ in 0..rng.below(40) {
        let moves: Vec<_> = position.moves().collect();
        if position.ended().is_some() {
            break;
        }
        let Some(&mv) = rng.pick(&moves) else { break };
        position.play(mv);
    }
    position
}

fn random_window(rng: &mut Rng, near: Value) -> Window {
    let mut end = || near + rng.below(41) as Value - 20;
    let (one, other) = (end(), end());
    Window::new(one.min(other), one.max(other) + 1)
}

/// Counts how often it is asked.
#[derive(Default)]
struct Counter(u64);

impl Pace for Counter {
    fn step(&mut self) {
        self.0 += 1;
    }

    fn elapsed(&self) -> Duration {
        Duration::ZERO
    }
}

/// Checks both pruning searches against negamax, with an open window and with a random one.
fn check<G: Notation + PartialEq + std::fmt::Debug, E: Evaluator<G> + Clone>(
    position: &G,
    evaluator: &E,
    depth: u32,
    rng: &mut Rng,
) {
    let place = format!("{} to depth {depth}", position.format_position());
    let root = &mut position.clone();
    let truth = negamax(root, depth, &mut evaluator.clone(), &mut Free);
    type Search<G, E> = fn(&mut G, u32, Window, &mut E, &mut Counter) -> Searched;
    let searches: [(&str, Search<G, E>); 2] =
        [("alpha-beta", alpha_beta), ("NegaScout", negascout)];
    for (name, search) in searches {
        for window in [Window::OPEN, random_window(rng, truth.value)] {
            let pace = &mut Counter::default();
            let found = search(root, depth, window, &mut evaluator.clone(), pace);
            let place = format!("{name} of {place} within {window:?}");
            assert_eq!(root, position, "{place} left the root changed");
            assert_eq!(pace.0, found.nodes.total(), "{place}: pace was not asked at each node");
            check_bound(found.value, truth.value, window, &place);
            if name == "alpha-beta" {
                assert!(found.nodes.total() <= truth.nodes.total(), "{place} visits too much");
            }
        }
    }
}

fn check_bound(found: Value, truth: Value, window: Window, place: &str) {
    if found <= window.alpha {
        assert!(truth <= found, "{place}: {found} is no upper bound of {truth}");
    } else if found >= window.beta {
        assert!(truth >= found, "{place}: {found} is no lower bound of {truth}");
    } else {
        assert_eq!(found, truth, "{place}");
    }
}

#[test]
fn pruning_keeps_the_value_of_regular_trees() {
    let mut rng = Rng::new(senbon_testkit::seed());
    for _ in 0..2000 {
        let tree = random_regular(&mut rng);
        // Shallower than the tree, as deep, and deeper.
        for depth in [tree.shape().depth.saturating_sub(1), tree.shape().depth, 20] {
            check(&tree, &TreeValue, depth.into(), &mut rng);
        }
    }
}

#[test]
fn pruning_keeps_the_value_of_incremental_trees() {
    let mut rng = Rng::new(senbon_testkit::seed());
    for _ in 0..2000 {
        let tree = random_incremental(&mut rng);
        check(&tree, &TreeValue, tree.shape().depth.into(), &mut rng);
    }
}

#[test]
fn pruning_keeps_the_value_of_connect_four() {
    let mut rng = Rng::new(senbon_testkit::seed());
    for _ in 0..500 {
        let position = random_connect_four(&mut rng);
        let depth = rng.below(6) as u32;
        check(&position, &Threats, depth, &mut rng);
        check(&position, &Lines::default(), depth, &mut rng);
    }
}

#[test]
fn the_value_of_a_regular_tree_is_known_beforehand() {
    let mut rng = Rng::new(senbon_testkit::seed());
    for _ in 0..500 {
        let mut tree = random_regular(&mut rng);
        let (place, known) = (tree.format_position(), tree.value());
        for depth in [u32::from(tree.shape().depth), 100] {
            assert_eq!(
                negamax(&mut tree, depth, &mut TreeValue, &mut Free).value,
                known,
                "{place}"
            );
        }
        let larger = RegularShape { depth: 10, width: 5, ..*tree.shape() };
        let mut tree = Regular::new(larger).unwrap();
        let found = alpha_beta(&mut tree, 10, Window::OPEN, &mut TreeValue, &mut Free);
        assert_eq!(found.value, known, "{}", tree.format_position());
    }
}

/// Knuth and Moore 1975: w^⌈d/2⌉ + w^⌊d/2⌋ − 1 leaves when the best move always comes first.
#[test]
fn perfectly_ordered_trees_are_searched_minimally() {
    let seed = senbon_testkit::seed();
    for (width, depth) in [(1, 5), (2, 15), (3, 10), (7, 8), (7, 9), (20, 5), (255, 2)] {
        for placement in [Placement::Geometric { p: ONE }, Placement::Ordered { p: ONE }] {
            for spread in [0, 1, 1000] {
                let mut shape = RegularShape::new(placement, width, depth, seed);
                shape.spread = spread;
                let mut tree = Regular::new(shape).unwrap();
                let depth = u32::from(depth);
                let minimal =
                    u64::from(width).pow(depth.div_ceil(2)) + u64::from(width).pow(depth / 2) - 1;
                for search in [alpha_beta, negascout] {
                    let found = search(&mut tree, depth, Window::OPEN, &mut TreeValue, &mut Free);
                    // With spread 0 all leaves are equal and NegaScout sees the same.
                    assert_eq!(found.nodes.leaves, minimal, "{}", tree.format_position());
                }
            }
        }
    }
}

#[test]
fn negamax_visits_every_node() {
    let mut tree = Regular::parse_position("uniform:w3:d7:seed1").unwrap();
    let found = negamax(&mut tree, 7, &mut TreeValue, &mut Free);
    let (leaves, all) = (3u64.pow(7), (3u64.pow(8) - 1) / 2);
    assert_eq!(found.nodes, Nodes { interior: all - leaves, leaves });
    assert_eq!(found.nodes.total(), all);
}

#[test]
fn the_principal_variation_ends_in_the_value() {
    let mut rng = Rng::new(senbon_testkit::seed());
    for _ in 0..300 {
        let mut tree = random_incremental(&mut rng);
        let depth = tree.shape().depth;
        let (found, line) = principal_variation(&mut tree, depth.into(), &mut TreeValue, &mut Free);
        assert_eq!(line.len(), usize::from(depth), "{}", tree.format_position());
        for &mv in &line {
            tree.play(mv);
        }
        let sign = if depth.is_multiple_of(2) { 1 } else { -1 };
        assert_eq!(sign * tree.value(), found.value, "{}", tree.format_position());
    }
}

#[test]
fn the_best_of_all_moves_is_the_value() {
    let mut rng = Rng::new(senbon_testkit::seed());
    for _ in 0..100 {
        let mut position = random_connect_four(&mut rng);
        let depth = 1 + rng.below(4) as u32;
        let moves = negamax_moves(&mut position, depth, &mut Threats, &mut Free);
        let found = negamax(&mut position, depth, &mut Threats, &mut Free);
        if position.outcome().is_some() {
            assert_eq!(moves, []);
            continue;
        }
        let best = moves.iter().map(|&(_, value)| value).max();
        assert_eq!(best, Some(found.value), "{}", position.format_position());
        assert_eq!(moves.len(), position.count_moves());
        let (_, line) = principal_variation(&mut position, depth, &mut Threats, &mut Free);
        let first = moves.iter().find(|&&(_, value)| value == found.value);
        assert_eq!(line.first(), first.map(|(mv, _)| mv), "{}", position.format_position());
    }
}

#[test]
fn sooner_wins_and_later_losses_are_better() {
    let value = |text: &str, depth| {
        let mut position = ConnectFour::parse_position(text).unwrap();
        let found = alpha_beta(&mut position, depth, Window::OPEN, &mut Threats, &mut Free).value;
        assert_eq!(negamax(&mut position, depth, &mut Threats, &mut Free).value, found, "{text}");
        found
    };
    // Three in a row, open at both ends, with either side to move.
    assert_eq!(value("273747", 5), won_in(1));
    assert_eq!(value("27374", 5), lost_in(2));
    assert_eq!(value("1212121", 0), lost_in(0));
}

/// The node counts in the specification of the trees, for whoever searches them elsewhere.
#[test]
fn whole_trees_are_searched_as_specified() {
    fn counts<G: Notation>(text: &str, depth: u32) -> [String; 3]
    where
        TreeValue: Evaluator<G>,
    {
        let mut tree = G::parse_position(text).unwrap();
        let found = alpha_beta(&mut tree, depth, Window::OPEN, &mut TreeValue, &mut Free);
        let Nodes { interior, leaves } = found.nodes;
        [found.value.to_string(), interior.to_string(), leaves.to_string()]
    }
    let specification = include_str!("../../../docs/trees.md");
    let heading = "| tree | value | interior nodes | leaves |";
    let lines = specification.lines().skip_while(|line| *line != heading).skip(2);
    let mut rows = 0;
    for line in lines.take_while(|line| line.starts_with('|')) {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let text = cells[0].trim_matches('`');
        let found = if text.starts_with("incremental") {
            let depth = Incremental::parse_position(text).unwrap().shape().depth;
            counts::<Incremental>(text, depth.into())
        } else {
            let depth = Regular::parse_position(text).unwrap().shape().depth;
            counts::<Regular>(text, depth.into())
        };
        assert_eq!(found[..], cells[1..], "{text}");
        rows += 1;
    }
    assert!(rows >= 5, "docs/trees.md has only {rows} searched trees");
}
