//! Promise 2: the master tree, looked at from outside.

use std::collections::{BTreeMap, BTreeSet};

use senbon_core::pipeline::Pipeline;
use senbon_core::tree::{NodeId, Tree};
use senbon_core::{Score, Search, WorkerId};
use senbon_games::Game;

use crate::Digest;

/// A number for the shape of the tree: nodes, moves and who is where.
pub(super) fn shape<G: Game>(tree: &Tree<G>) -> u64 {
    let mut digest = Digest::default();
    digest.add(tree.place().moves().len() as u64);
    for id in tree.ids() {
        let node = tree.node(id);
        digest.add(node.parent().map_or(u64::MAX, |parent| parent.index() as u64));
        digest.add(node.mv().map_or(0, |mv| u64::from(G::code(mv))));
        digest.add(node.worker().map_or(0, |worker| u64::from(worker.0)));
        digest.add(id.index() as u64);
    }
    digest.value()
}

/// A number for all that the tree knows.
pub(super) fn knowledge<G: Game>(tree: &Tree<G>) -> u64 {
    let mut digest = Digest::default();
    digest.add(shape(tree));
    for id in tree.ids() {
        let node = tree.node(id);
        digest.add(u64::from(node.has_work()));
        digest.add(node.value().map_or(0, |value| value.number() as u64));
        if let Some(rest) = node.rest() {
            digest.opinion::<G>(rest);
        }
    }
    digest.value()
}

/// Children and rest cover all legal moves, each once; nodes stand where their moves lead.
pub(super) fn covers<G: Game>(
    tree: &Tree<G>,
    restricted: Option<&[G::Move]>,
) -> Result<(), String> {
    let mut positions: BTreeMap<NodeId, G> = BTreeMap::new();
    for id in tree.ids() {
        let node = tree.node(id);
        let position = match (node.parent(), node.mv()) {
            (Some(parent), Some(mv)) => {
                let mut position = positions[&parent].clone();
                position.play(mv);
                position
            }
            _ => tree.place().position().clone(),
        };
        if position.key() != node.position().key() {
            return Err(format!("a node is not where its moves lead: {:?}", tree.way(id)));
        }
        if !node.is_over() {
            let mut all: BTreeSet<u16> = position.moves().into_iter().map(G::code).collect();
            if id == tree.root()
                && let Some(only) = restricted
            {
                all.retain(|code| only.iter().any(|&mv| G::code(mv) == *code));
            }
            covers_node(tree, id, all)?;
        } else if !node.children().is_empty() {
            return Err(format!("a finished game goes on: {:?}", tree.way(id)));
        }
        positions.insert(id, position);
    }
    Ok(())
}

fn covers_node<G: Game>(tree: &Tree<G>, id: NodeId, mut all: BTreeSet<u16>) -> Result<(), String> {
    let children = tree.node(id).children().iter().filter_map(|&child| tree.node(child).mv());
    for mv in children.chain(tree.rest(id)) {
        if !all.remove(&G::code(mv)) {
            let way = tree.way(id);
            return Err(format!("{mv:?} is illegal or there twice at {way:?}"));
        }
    }
    if all.is_empty() {
        return Ok(());
    }
    Err(format!("{} moves are searched by nobody at {:?}", all.len(), tree.way(id)))
}

/// Nodes in use never outnumber workers, and nobody sits on two.
pub(super) fn seats<G: Game>(
    pipeline: &Pipeline<G>,
    known: &BTreeMap<WorkerId, Option<Search<G>>>,
) -> Result<(), String> {
    let tree = pipeline.tree();
    let mut seated = BTreeSet::new();
    let mut working = 0;
    for id in tree.ids() {
        let node = tree.node(id);
        working += usize::from(node.has_work());
        let Some(worker) = node.worker() else { continue };
        if !seated.insert(worker) {
            return Err(format!("worker {} has two nodes", worker.0));
        }
        if !known.contains_key(&worker) {
            return Err(format!("worker {} has a node and is gone", worker.0));
        }
    }
    if working > known.len().max(1) {
        return Err(format!("{working} nodes with work and {} workers", known.len()));
    }
    Ok(())
}

/// Everybody searches the node the tree says, and of it what is left to him.
pub(super) fn tasks<G: Game>(
    pipeline: &Pipeline<G>,
    known: &BTreeMap<WorkerId, Option<Search<G>>>,
    leave_out: bool,
) -> Result<(), String> {
    let tree = pipeline.tree();
    let seats: BTreeMap<WorkerId, NodeId> =
        tree.ids().into_iter().filter_map(|id| Some((tree.node(id).worker()?, id))).collect();
    for (worker, search) in known {
        let Some(search) = search else { continue };
        let Some(&id) = seats.get(worker) else {
            return Err(format!("worker {} searches and has no node", worker.0));
        };
        let game = tree.place().moves();
        let told = search.place.moves();
        if told.strip_prefix(game) != Some(tree.way(id).as_slice()) {
            return Err(format!("worker {} searches another position than its node", worker.0));
        }
        let whole = search.only.is_empty()
            && (tree.node(id).children().is_empty() || !leave_out)
            && !tree.is_restricted(id);
        // Who leaves nothing out searches what is allowed, children or not.
        let rest = if leave_out { tree.rest(id) } else { tree.node(id).legal().to_vec() };
        if !whole && search.only != rest {
            return Err(format!("worker {} searches other moves than the rest", worker.0));
        }
    }
    Ok(())
}

/// Root split: everybody searches moves of the root, nobody those of another, and together
/// they have all.
pub(super) fn parts<G: Game>(
    pipeline: &Pipeline<G>,
    known: &BTreeMap<WorkerId, Option<Search<G>>>,
) -> Result<(), String> {
    let tree = pipeline.tree();
    let root = tree.node(tree.root());
    let mut left: BTreeSet<u16> = root.legal().iter().map(|&mv| G::code(mv)).collect();
    let mut searching = false;
    for (worker, search) in known {
        let part = pipeline.part_of(*worker).unwrap_or_default();
        for &mv in part {
            if !left.remove(&G::code(mv)) {
                return Err(format!("{mv:?} is illegal, or two workers have it"));
            }
        }
        let Some(search) = search else { continue };
        searching = true;
        if search.place.moves() != tree.place().moves() {
            return Err(format!("worker {} searches another position than the root", worker.0));
        }
        let mut told: Vec<u16> = search.only.iter().map(|&mv| G::code(mv)).collect();
        let mut own: Vec<u16> = part.iter().map(|&mv| G::code(mv)).collect();
        told.sort_unstable();
        own.sort_unstable();
        let whole = told.is_empty() && own.len() == root.legal().len();
        if !whole && told != own {
            return Err(format!("worker {} searches other moves than its part", worker.0));
        }
    }
    if searching && !left.is_empty() {
        return Err(format!("{} moves of the root are searched by nobody", left.len()));
    }
    Ok(())
}

/// Every value is the best of the rest's and the children's, computed from the leaves up; where
/// the rest holds all moves, what is told of it stands for itself.
pub(super) fn values<G: Game>(tree: &Tree<G>) -> Result<(), String> {
    let mut computed: BTreeMap<NodeId, Option<Score>> = BTreeMap::new();
    for id in tree.ids().into_iter().rev() {
        let node = tree.node(id);
        let value = if node.is_over() {
            node.value()
        } else {
            let overlapping = tree.is_overlapping();
            let open = overlapping || node.legal().len() > node.children().len();
            let rest = node.rest().filter(|_| open);
            let joined = !(overlapping && rest.is_some());
            let children = node.children().iter().filter(|_| joined);
            let children = children.filter_map(|child| computed[child]).map(Score::one_ply_up);
            children.chain(rest.map(|rest| rest.score)).max()
        };
        if value != node.value() {
            let (way, told) = (tree.way(id), node.value());
            return Err(format!("the value at {way:?} is {told:?}, minimax says {value:?}"));
        }
        computed.insert(id, value);
    }
    Ok(())
}
