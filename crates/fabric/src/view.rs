//! What a person watching a search sees.

use std::time::Duration;

use senbon_core::Score;
use senbon_core::pipeline::Pipeline;
use senbon_games::Notation;

/// The master tree at one moment, as text and numbers.
#[derive(Clone, Debug, Default)]
pub struct View {
    /// Its nodes, parents first.
    pub nodes: Vec<ViewNode>,
    /// Workers there are, with or without a node.
    pub workers: usize,
    /// When it was taken, since the world began.
    pub at: Duration,
}

/// A node of the tree.
#[derive(Clone, Debug)]
pub struct ViewNode {
    /// The way from the root.
    pub way: Vec<String>,
    /// Who searches it.
    pub worker: Option<u32>,
    /// Depth of its rest's search.
    pub depth: u32,
    /// Value of the node to the side to move at the root.
    pub score: Option<Score>,
    /// Probability that the game comes there.
    pub probability: f64,
    /// Moves of its own among all legal ones.
    pub rest: (usize, usize),
}

impl View {
    pub(crate) fn of<G: Notation>(pipeline: &Pipeline<G>, at: Duration) -> View {
        let tree = pipeline.tree();
        let probabilities = tree.probabilities();
        let nodes = tree
            .ids()
            .into_iter()
            .map(|id| {
                let node = tree.node(id);
                let way = tree.node(tree.root()).position().format_line(&tree.way(id));
                let odd = way.len() % 2 == 1;
                ViewNode {
                    worker: node.worker().map(|worker| worker.0),
                    depth: node.rest().map_or(0, |rest| rest.depth),
                    score: node.value().map(|score| if odd { -score } else { score }),
                    probability: probabilities[id.index()],
                    rest: (node.legal().len() - node.children().len(), node.legal().len()),
                    way,
                }
            })
            .collect();
        View { nodes, workers: pipeline.worker_count(), at }
    }
}
