//! The tree as a list of what is known, and back.

use senbon_games::Game;

use super::Tree;
use crate::{Known, Place};

/// No tree is restored beyond this: a master has fewer workers.
const MOST_NODES: usize = 16_384;

impl<G: Game> Tree<G> {
    /// What is known of every node, parents first.
    pub fn recall(&self) -> Vec<Known<G::Move>> {
        let known = |id| Known { way: self.way(id), opinion: self.node(id).rest.clone() };
        self.ids().into_iter().map(known).collect()
    }

    /// The tree of `place` again, as [`Tree::recall`] told it. What does not fit the rules is
    /// left out; nobody searches anything yet.
    pub fn restore(&mut self, place: &Place<G>, all: &[Known<G::Move>]) {
        self.restart(place);
        for known in all.iter().take(MOST_NODES) {
            let Some((mut at, last)) = self.walk(&known.way) else { continue };
            if let Some(mv) = last {
                at = self.expand(at, mv);
            }
            let node = self.node_mut(at);
            let fits = |mv: &G::Move| node.legal.contains(mv);
            let told = known.opinion.as_ref().filter(|told| told.line.first().is_some_and(fits));
            // As something inherited: a worker that knows less does not replace it.
            if let Some(told) = told {
                node.rest = Some(told.clone());
                self.update_from(at);
            }
        }
    }

    /// The node that `way` leads to, and what is left of the way if that is one move more.
    fn walk(&self, way: &[G::Move]) -> Option<(super::NodeId, Option<G::Move>)> {
        let mut at = self.root;
        for (index, &mv) in way.iter().enumerate() {
            match self.child(at, mv) {
                Some(child) => at = child,
                None if index + 1 == way.len() && self.may_expand(at, mv) => {
                    return Some((at, Some(mv)));
                }
                None => return None,
            }
        }
        Some((at, None))
    }
}
