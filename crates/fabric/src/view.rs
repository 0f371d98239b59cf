//! What a person watching a search sees.

use std::time::Duration;

use senbon_core::Score;
use senbon_core::pipeline::Pipeline;
use senbon_core::tree::{NodeId, Tree};
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
    /// Time and positions searched so far under the order of this search; none between
    /// searches.
    pub progress: Option<(Duration, u64)>,
}

/// A node of the tree.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ViewNode {
    /// The way from the root, in protocol notation.
    pub way: Vec<String>,
    /// The last move of the way as people read it; empty at the root.
    pub readable: String,
    /// Who searches it.
    pub worker: Option<u32>,
    /// The name of that worker's engine.
    pub engine: Option<String>,
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
        let ids = tree.ids();
        let slots = ids.iter().map(|id| id.index() + 1).max().unwrap_or(0);
        // Parents come first, so that a child's way is its parent's and one move more.
        let mut ways: Vec<Vec<String>> = vec![Vec::new(); slots];
        let mut nodes = Vec::with_capacity(ids.len());
        for id in ids {
            let (parent, last, readable) = last_move(tree, id);
            let mut way = parent.map_or_else(Vec::new, |parent| ways[parent.index()].clone());
            way.extend(last);
            let node = tree.node(id);
            let odd = way.len() % 2 == 1;
            let worker = node.worker();
            ways[id.index()].clone_from(&way);
            nodes.push(ViewNode {
                worker: worker.map(|worker| worker.0),
                engine: worker
                    .and_then(|id| pipeline.worker(id))
                    .map(|(ability, _)| ability.name.clone()),
                depth: node.rest().map_or(0, |rest| rest.depth),
                score: node.value().map(|score| if odd { -score } else { score }),
                probability: probabilities[id.index()],
                rest: (node.legal().len() - node.children().len(), node.legal().len()),
                readable,
                way,
            });
        }
        View { nodes, workers: pipeline.worker_count(), at, progress: pipeline.progress(at) }
    }
}

/// The parent of a node and the move from there, in protocol notation and readable.
fn last_move<G: Notation>(tree: &Tree<G>, id: NodeId) -> (Option<NodeId>, Option<String>, String) {
    let node = tree.node(id);
    match (node.parent(), node.mv()) {
        (Some(parent), Some(mv)) => {
            let position = tree.node(parent).position();
            (Some(parent), Some(position.format_move(mv)), position.format_readable(mv))
        }
        _ => (None, None, String::new()),
    }
}
