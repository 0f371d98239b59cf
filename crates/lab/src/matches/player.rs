//! Whoever answers a search with a move.

use std::time::Duration;

use anyhow::Result;
use senbon_core::{Opinion, Place, Search};
use senbon_games::Game;

/// A player of a match. Its time is whatever it says it took: measured by the wall clock or
/// counted in a virtual one.
pub trait Player<G: Game> {
    /// A new game begins. Fails when the player cannot be had.
    fn new_game(&mut self) -> Result<()>;

    /// Finds a move within the limits of `search`. After `longest` it has lost on time and
    /// need not be waited for. Fails when something broke that says nothing about the player:
    /// such a game does not count.
    fn think(&mut self, search: &Search<G>, longest: Option<Duration>) -> Result<Thought<G>>;

    /// The game went on by this player's own move; it may think on until told otherwise. The
    /// answer it expects, and how it would have to search after that.
    fn ponder(&mut self, _expected: &Search<G>) {}

    /// The opponent has moved after `time`: the game is at `place` now.
    fn opponent_moved(&mut self, _place: &Place<G>, _time: Duration) {}

    /// The game ended at `place`. What was foreseen of it, if this player knows.
    fn game_over(&mut self, _place: &Place<G>) -> Option<Foresight> {
        None
    }
}

/// What came of a search.
#[derive(Clone, Debug)]
pub struct Thought<G: Game> {
    /// What it says.
    pub answer: Answer<G>,
    /// How long it took.
    pub time: Duration,
    /// Its last opinion on the best line.
    pub opinion: Option<Opinion<G::Move>>,
}

/// How a search ended.
#[derive(Clone, Debug)]
pub enum Answer<G: Game> {
    /// A legal move, and the answer expected.
    Move(G::Move, Option<G::Move>),
    /// No move: resigned, or declared a win where the rules allow that.
    Nothing,
    /// Not in time.
    Late,
    /// The player failed: died, or answered with an illegal move.
    Failed(String),
}

/// How many of the plies played were in the master tree: the observed utility of pgpp-2015
/// Fig. 4b, as a sum and a count over searches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Foresight {
    /// Plies of the game below the root that had a node.
    pub plies: usize,
    /// Searches.
    pub searches: usize,
}
