//! A search as people may look at it while it goes on.

use senbon_games::{Branching, Game, Worth};

use super::node::NO_BEST;
use super::{Master, MinimalTree};
use crate::Score;

/// The master's tree at one moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outline<M> {
    /// Plies of it.
    pub plies: u8,
    /// Its nodes.
    pub nodes: usize,
    /// Leaves that workers have to search.
    pub tasks: usize,
    /// The moves at the root, in the order in which they are tried.
    pub moves: Vec<Branch<M>>,
}

/// A move at the root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Branch<M> {
    /// Which.
    pub mv: M,
    /// What it seems to be worth; at most that, if it is not the best.
    pub score: Score,
    /// It seems to be the best.
    pub is_best: bool,
    /// Tasks below it.
    pub tasks: usize,
}

impl<G: Game, B: Branching<G>> Master<G, B> {
    /// Moves at the root with what they seem to be worth and how many tasks are below; whether
    /// one is the best.
    fn branches(&self) -> impl Iterator<Item = (G::Move, Worth, usize, bool)> {
        let root = &self.nodes[0];
        let (best, children) = (root.best, root.children());
        let mut below = vec![0; children.len()];
        for task in self.staff.tasks() {
            let mut at = self.leaves[task.leaf.0 as usize].node as usize;
            while self.nodes[at].ply > 1 {
                at = self.nodes[at].parent as usize;
            }
            if children.contains(&at) {
                below[at - children.start] += 1;
            }
        }
        self.order[children.clone()].iter().filter_map(move |&index| {
            let node = &self.nodes[children.start + usize::from(index)];
            let is_best = index == best && best != NO_BEST;
            Some((node.mv?, -node.guess, below[usize::from(index)], is_best))
        })
    }
}

impl<G: Game> MinimalTree<G> {
    /// What is searched now, if anything is.
    pub fn outline(&self) -> Option<Outline<G::Move>> {
        let thinking = self.thinking.as_ref()?;
        let master = &thinking.master;
        let branch = |(mv, worth, tasks, is_best)| {
            let score = thinking.score_of(worth, master.settled());
            Branch { mv, score, is_best, tasks }
        };
        let moves: Vec<Branch<G::Move>> = master.branches().map(branch).collect();
        let (nodes, _) = master.size();
        Some(Outline { plies: master.reach, nodes, tasks: master.staff.given(), moves })
    }

    /// The position that is searched, if any is.
    pub fn root(&self) -> Option<&G> {
        self.thinking.as_ref().map(|thinking| thinking.place.position())
    }
}
