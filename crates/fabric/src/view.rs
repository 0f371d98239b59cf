//! What a person watching a search sees.

use std::time::Duration;

use senbon_core::minimal::{Branch, MinimalTree};
use senbon_core::pipeline::Pipeline;
use senbon_core::tree::{NodeId, Tree};
use senbon_core::{Coordinator, Score};
use senbon_games::Notation;

/// The master tree at one moment, as text and numbers.
#[derive(Clone, Debug, Default)]
pub struct View {
    /// Its nodes, parents first; of a vote those of each voter after the other.
    pub nodes: Vec<ViewNode>,
    /// The voters of a vote, as they stand.
    pub voters: Vec<ViewVoter>,
    /// What a minimal-tree search does.
    pub outline: Option<ViewOutline>,
    /// Workers there are, with or without a node.
    pub workers: usize,
    /// When it was taken, since the world began.
    pub at: Duration,
    /// Time and positions searched so far under the order of this search; none between
    /// searches.
    pub progress: Option<(Duration, u64)>,
}

/// The master's tree of a minimal-tree search.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ViewOutline {
    /// Plies of it.
    pub plies: u8,
    /// Its nodes.
    pub positions: usize,
    /// Its leaves that workers have to search.
    pub tasks: usize,
    /// The moves at the root, in the order in which they are tried.
    pub moves: Vec<ViewMove>,
}

/// A move at the root of a minimal-tree search.
#[derive(Clone, Debug, PartialEq)]
pub struct ViewMove {
    /// In protocol notation.
    pub mv: String,
    /// As people read it.
    pub readable: String,
    /// What it seems to be worth; at most that, if it is not the best.
    pub score: Score,
    /// It seems to be the best.
    pub is_best: bool,
    /// Tasks below it.
    pub tasks: usize,
}

/// One voter of a vote.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ViewVoter {
    /// Its name.
    pub name: String,
    /// What its vote counts.
    pub weight: f64,
    /// What it would play, in protocol notation.
    pub mv: Option<String>,
    /// The same as people read it.
    pub readable: String,
    /// What it thinks of the position.
    pub score: Option<Score>,
    /// How deep it looked.
    pub depth: u32,
    /// It will not change its mind.
    pub is_final: bool,
    /// It has workers.
    pub present: bool,
    /// Positions searched.
    pub nodes: u64,
    /// And how many a second.
    pub nps: u64,
}

/// A node of the tree.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ViewNode {
    /// Which voter's; empty without a vote.
    pub voter: String,
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
    pub(crate) fn of<G: Notation>(coordinator: &Coordinator<G>, at: Duration) -> View {
        let pipelines = coordinator.pipelines();
        let nodes = pipelines.iter().flat_map(|(voter, pipeline)| nodes(voter, pipeline));
        View {
            nodes: nodes.collect(),
            voters: voters(coordinator, at),
            outline: coordinator.minimal_tree().and_then(outline),
            workers: coordinator.worker_count(),
            at,
            progress: coordinator.progress(at),
        }
    }
}

fn outline<G: Notation>(search: &MinimalTree<G>) -> Option<ViewOutline> {
    let (position, outline) = (search.root()?, search.outline()?);
    let view = |branch: Branch<G::Move>| ViewMove {
        mv: position.format_move(branch.mv),
        readable: position.format_readable(branch.mv),
        score: branch.score,
        is_best: branch.is_best,
        tasks: branch.tasks,
    };
    Some(ViewOutline {
        plies: outline.plies,
        positions: outline.nodes,
        tasks: outline.tasks,
        moves: outline.moves.into_iter().map(view).collect(),
    })
}

fn voters<G: Notation>(coordinator: &Coordinator<G>, at: Duration) -> Vec<ViewVoter> {
    let Some(vote) = coordinator.vote() else { return Vec::new() };
    let text = |mv| {
        let position = vote.place()?.position();
        Some((position.format_move(mv), position.format_readable(mv)))
    };
    let view = |vow: senbon_core::vote::Vow<G::Move>| {
        let (mv, readable) = vow.mv.and_then(text).unzip();
        let (weight, nodes, seconds) = (vow.weight, vow.nodes, vow.time.as_secs_f64());
        ViewVoter {
            name: vow.name,
            weight: f64::from(weight.0) / 1000.0,
            mv,
            readable: readable.unwrap_or_default(),
            score: vow.score,
            depth: vow.depth,
            is_final: vow.is_final,
            present: vow.present,
            nodes,
            nps: if seconds < 0.01 { 0 } else { (nodes as f64 / seconds) as u64 },
        }
    };
    vote.vows(at).into_iter().map(view).collect()
}

/// The nodes of a pipeline, parents first.
fn nodes<G: Notation>(voter: &str, pipeline: &Pipeline<G>) -> Vec<ViewNode> {
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
            voter: voter.to_owned(),
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
    nodes
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
