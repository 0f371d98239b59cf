//! What a coordinator knows, so that another one can go on from there: the trees of its
//! pipelines with all that was told of their nodes.

use senbon_games::Game;

use crate::{Opinion, Place};

/// What was known of a game at some moment.
#[derive(Clone, Debug)]
pub struct Memory<G: Game> {
    /// Where the game stood.
    pub place: Place<G>,
    /// What each pipeline knew, in their order.
    pub pipelines: Vec<Vec<Known<G::Move>>>,
}

/// What was known of a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Known<M> {
    /// The way to it.
    pub way: Vec<M>,
    /// What was told of its rest, or inherited.
    pub opinion: Option<Opinion<M>>,
}

impl<G: Game> Memory<G> {
    /// Whether there is nothing in it to go on from.
    pub fn is_empty(&self) -> bool {
        let told = |known: &Known<G::Move>| known.opinion.is_some();
        !self.pipelines.iter().flatten().any(told)
    }
}
