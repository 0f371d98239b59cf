//! What a selective search asks of chess-like games.

use crate::Game;

/// Tactical knowledge that quiescence, exchange ordering and null moves need.
///
/// All of it is optional: a game without captures implements the trait with an empty body and
/// is searched without those techniques.
pub trait Tactics: Game {
    /// Rows and columns of a move-history table: see [`Self::history_slot`].
    const HISTORY_SLOTS: usize = 1 << 12;

    /// Whether the side to move must answer a check.
    fn in_check(&self) -> bool {
        false
    }

    /// Whether `mv` changes material: a capture or a promotion worth looking at in quiescence.
    fn is_noisy(&self, _mv: Self::Move) -> bool {
        false
    }

    /// All legal noisy moves. Override where they can be generated on their own.
    fn noisy_moves(&self) -> impl IntoIterator<Item = Self::Move> {
        self.moves().into_iter().filter(|&mv| self.is_noisy(mv))
    }

    /// Material won on `mv`'s target square if both sides exchange there as long as it pays
    /// (static exchange evaluation), from the mover's view.
    fn exchange(&self, _mv: Self::Move) -> i32 {
        0
    }

    /// The most `mv` can win at once: the captured piece plus the gain of promotion.
    fn gain(&self, _mv: Self::Move) -> i32 {
        0
    }

    /// Whether `mv` gives check.
    fn gives_check(&self, _mv: Self::Move) -> bool {
        false
    }

    /// Gives the move to the other side, where that is a fair bound (not in check, no
    /// zugzwang in sight); otherwise changes nothing.
    fn pass(&mut self) -> Option<Self::Undo> {
        None
    }

    /// Takes back a [`pass`](Tactics::pass).
    fn take_back_pass(&mut self, _undo: Self::Undo) {}

    /// Where a table of move histories keeps `mv`: the same for moves alike in kind
    /// (piece and target), below [`Self::HISTORY_SLOTS`].
    fn history_slot(&self, mv: Self::Move) -> usize {
        usize::from(Self::code(mv)) % Self::HISTORY_SLOTS
    }
}
