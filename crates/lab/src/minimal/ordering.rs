//! How well trees are ordered (minimal-trees-2014, section 4.2, Figure 6): how often the child
//! that is best in a search is also best in the search two plies deeper.

use senbon_games::{Branching, Game, HIGHEST};
use senbon_search::fixed::Fixed;

use super::Kind;

/// Nodes of one kind of tree, searched deeper and deeper.
#[derive(Clone, Debug, PartialEq)]
pub struct Accuracy {
    /// Which trees.
    pub kind: Kind,
    /// Children of a node.
    pub width: u8,
    /// By depth, from 4 on: the depth, how many nodes kept their best child of two plies
    /// before, and how many nodes there were.
    pub steps: Vec<(u8, u64, u64)>,
}

/// Which child of `root` is best at 2, 4, … and `depth` plies. Of equal children, the one that
/// was best before stays so.
pub(super) fn best_children<G: Game, B: Branching<G>>(
    root: &G,
    branching: B,
    depth: u8,
    memory: usize,
) -> Vec<u8> {
    let mut search = Fixed::new(root.clone(), branching, memory);
    let deepened = (2..=depth).step_by(2).map(|depth| {
        search.start(root, depth, -HIGHEST, HIGHEST);
        search.run(u64::MAX);
        search.memo().get(root.key()).map(|known| known.best)
    });
    // A game that is over has no best child.
    deepened.map_while(|best| best).collect()
}

impl Accuracy {
    /// Counts what [`best_children`] found at many nodes.
    pub(super) fn count<'a>(
        kind: Kind,
        width: u8,
        nodes: impl Iterator<Item = &'a [u8]>,
    ) -> Accuracy {
        let mut steps: Vec<(u8, u64, u64)> = Vec::new();
        for best in nodes {
            for (index, pair) in best.windows(2).enumerate() {
                if steps.len() == index {
                    steps.push((4 + 2 * index as u8, 0, 0));
                }
                steps[index].1 += u64::from(pair[0] == pair[1]);
                steps[index].2 += 1;
            }
        }
        Accuracy { kind, width, steps }
    }
}

/// The share of `kept` of `all` in per cent, with its 95 % interval (Wilson's).
pub(super) fn share(kept: u64, all: u64) -> (f64, (f64, f64)) {
    const Z: f64 = 1.96;
    let (n, p) = (all.max(1) as f64, kept as f64 / all.max(1) as f64);
    let centre = (p + Z * Z / (2.0 * n)) / (1.0 + Z * Z / n);
    let half = Z / (1.0 + Z * Z / n) * (p * (1.0 - p) / n + Z * Z / (4.0 * n * n)).sqrt();
    (100.0 * p, (100.0 * (centre - half), 100.0 * (centre + half)))
}

#[cfg(test)]
mod tests {
    use senbon_games::Promising;
    use senbon_games::trees::{Incremental, IncrementalShape, TreeValue};

    use super::*;

    /// The best child by searches of the children themselves.
    #[test]
    fn the_best_child_is_the_best() {
        for seed in 1..20 {
            let root = Incremental::new(IncrementalShape::new(4, 6, seed)).unwrap();
            let branching = || Promising::new(TreeValue, 4);
            let best = best_children(&root, branching(), 6, 1 << 20);
            let mut children = Vec::new();
            branching().children(&root, &mut children);
            for (&best, depth) in best.iter().zip([2, 4, 6]) {
                let value = |index: usize| {
                    let mut child = root.clone();
                    child.play(children[index]);
                    let mut search = Fixed::new(child.clone(), branching(), 1 << 20);
                    search.start(&child, depth - 1, -HIGHEST, HIGHEST);
                    -search.run(u64::MAX).unwrap()
                };
                let most = (0..children.len()).map(value).max();
                assert_eq!(Some(value(best.into())), most, "tree {seed}, depth {depth}");
            }
        }
    }

    #[test]
    fn nodes_are_counted_by_depth() {
        let nodes: [&[u8]; 3] = [&[1, 1, 2], &[0, 0, 0], &[3]];
        let accuracy = Accuracy::count(Kind::Shogi, 5, nodes.into_iter());
        assert_eq!(accuracy.steps, [(4, 2, 2), (6, 1, 2)]);
        let (share, (low, high)) = share(90, 100);
        assert!((share - 90.0).abs() < 1e-9 && (82.0..84.0).contains(&low) && high < 95.0);
    }
}
