//! What a search says of a position: evaluations, and forced wins and losses beyond them.

use senbon_games::{Ending, Evaluator, Game, Leaf, Outcome};

/// The worth of a position to the side to move.
///
/// Within ±[`Evaluator::LIMIT`] it is a judgement; beyond, it is a forced result and tells
/// its distance (see [`won_in`]).
pub type Value = i32;

/// A win on the spot. No value is larger.
pub const WIN: Value = 1_000_000;

/// Larger than every value: the open end of a search window.
pub const INFINITE: Value = 2_000_000;

/// From here on a value is a forced result. Far above any evaluation, far below [`WIN`].
const FORCED: Value = WIN / 2;

/// The side to move has won `ply` plies below the root. Sooner is better.
///
/// ```
/// use senbon_search::{WIN, is_forced, lost_in, won_in};
/// assert!(won_in(3) > won_in(5) && lost_in(3) < lost_in(5));
/// assert!(is_forced(won_in(40)) && is_forced(lost_in(40)) && !is_forced(30_000));
/// assert_eq!(won_in(0), WIN);
/// ```
#[inline]
pub const fn won_in(ply: u32) -> Value {
    WIN - ply as Value
}

/// The side to move has lost `ply` plies below the root. Later is better.
#[inline]
pub const fn lost_in(ply: u32) -> Value {
    ply as Value - WIN
}

/// Whether `value` is a forced win or loss rather than a judgement.
#[inline]
pub const fn is_forced(value: Value) -> bool {
    value.abs() > FORCED
}

/// The value of a finished game, `ply` plies below the root, to the side to move.
///
/// The end of a synthetic tree ([`Ending::Leaf`]) is worth what its evaluator says: the value
/// of such a tree is a number, not a winner.
#[inline]
pub fn finished<G: Game, E: Evaluator<G>>(
    position: &G,
    outcome: Outcome,
    ply: u32,
    evaluator: &mut E,
) -> Value {
    const { assert!(E::LIMIT < FORCED, "evaluations must stay below forced results") };
    if outcome.ending == Ending::Leaf {
        return evaluator.evaluate(position);
    }
    leaf_value(Leaf::Over(outcome.sign_for(position.side_to_move())), ply)
}

/// The value of a leaf `ply` plies below the root to the side to move.
#[inline]
pub(crate) const fn leaf_value(leaf: Leaf, ply: u32) -> Value {
    match leaf {
        Leaf::Worth(value) => value,
        Leaf::Over(sign) => sign * won_in(ply),
    }
}
