//! Judging positions, apart from the rules.

use crate::Game;

/// Judges positions of `G`, in hundredths of a pawn or the game's own unit.
///
/// An evaluator may keep running sums: the search tells it of every move with
/// [`played`](Evaluator::played) and [`taken_back`](Evaluator::taken_back), after one
/// [`reset`](Evaluator::reset) at the root. Evaluators without running sums ignore the three.
pub trait Evaluator<G: Game> {
    /// The value of `position` from the side to move's view, within ±[`Self::LIMIT`].
    fn evaluate(&mut self, position: &G) -> i32;

    /// No evaluation is larger than this; scores beyond are forced wins.
    const LIMIT: i32 = 30_000;

    /// Starts anew at `position`.
    fn reset(&mut self, _position: &G) {}

    /// `mv` is about to be played at `before`.
    fn played(&mut self, _before: &G, _mv: G::Move) {}

    /// The last move was taken back.
    fn taken_back(&mut self) {}
}

/// Calls every position even.
#[derive(Clone, Copy, Debug, Default)]
pub struct Zero;

impl<G: Game> Evaluator<G> for Zero {
    fn evaluate(&mut self, _position: &G) -> i32 {
        0
    }
}
