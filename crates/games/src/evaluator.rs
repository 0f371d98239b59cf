//! Judging positions, apart from the rules.

use std::ops::ControlFlow;

use crate::{Ending, Game};

/// What the end of a line is worth to the side to move there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leaf {
    /// An evaluation.
    Worth(i32),
    /// The game is over: +1 for a win of the side to move, −1 for a loss, 0 for a draw.
    Over(i32),
}

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

    /// Whether every move changes the worth by its [`Game::order_hint`], exactly: the position
    /// after it is worth that much more to whoever played it, no move ends the game, and there
    /// are at most 256. Then hints are the [`outlines`](Evaluator::outlines), without flaws, and
    /// leaves need not be visited to know them.
    const HINTS_TELL: bool = false;

    /// Shows `visit` the hint of every move, in the order of [`Game::moves`].
    #[inline]
    fn hints(&self, position: &G, mut visit: impl FnMut(i32)) {
        for mv in position.moves() {
            visit(position.order_hint(mv));
        }
    }

    /// Starts anew at `position`.
    fn reset(&mut self, _position: &G) {}

    /// `mv` is about to be played at `before`.
    fn played(&mut self, _before: &G, _mv: G::Move) {}

    /// The last move was taken back.
    fn taken_back(&mut self) {}

    /// What `mv` seems to be worth to whoever plays it at `before`, without looking at the
    /// position after it: an order in which to try moves. It is what
    /// [`outlines`](Evaluator::outlines) tells of the move, less its
    /// [`flaw`](Evaluator::flaw).
    fn glance(&mut self, before: &G, mv: G::Move) -> i32 {
        let mut glance = 0;
        self.outlines(before, &[mv], |outline| glance = outline);
        glance - self.flaw(before, mv)
    }

    /// Tells of each of `moves` in turn what it seems to be worth to whoever plays it at
    /// `before`, at most.
    fn outlines(&mut self, before: &G, moves: &[G::Move], mut tell: impl FnMut(i32)) {
        for &mv in moves {
            tell(before.order_hint(mv));
        }
    }

    /// What a closer look at `mv` takes off its outline: never less than nothing. Whoever
    /// looks for the best of many moves need not look closely at all of them.
    fn flaw(&mut self, _before: &G, _mv: G::Move) -> i32 {
        0
    }

    /// Shows `visit` what the position after each move is worth, in the order of
    /// [`Game::moves`], until it breaks off. Gives `position` back as it was.
    ///
    /// Most nodes of a search are leaves, and those below one node have much in common.
    /// Override where a leaf's worth follows from its parent without playing the move.
    #[inline]
    fn each_leaf(&mut self, position: &mut G, mut visit: impl FnMut(Leaf) -> ControlFlow<()>) {
        for mv in position.moves() {
            self.played(position, mv);
            let undo = position.play(mv);
            let leaf = match position.ended() {
                Some(outcome) if outcome.ending != Ending::Leaf => {
                    Leaf::Over(outcome.sign_for(position.side_to_move()))
                }
                _ => Leaf::Worth(self.evaluate(position)),
            };
            position.take_back(mv, undo);
            self.taken_back();
            if visit(leaf).is_break() {
                break;
            }
        }
    }
}

/// Calls every position even.
#[derive(Clone, Copy, Debug, Default)]
pub struct Zero;

impl<G: Game> Evaluator<G> for Zero {
    fn evaluate(&mut self, _position: &G) -> i32 {
        0
    }
}
