//! A node on the way from the root to where a search is.

use senbon_games::{Game, Worth};

use super::Known;
use super::habits::Habits;
use super::pool::Mark;

/// One node on the way from the root to where the search is.
pub(super) struct Frame<G: Game> {
    /// The move here, to be taken back; none at the root and for the shallower search of the
    /// same node.
    pub way: Option<(G::Move, G::Undo)>,
    pub depth: u8,
    /// Plies below the root of the search.
    pub ply: u8,
    pub stage: Stage,
    /// The child that is being searched, in the order of the tree.
    pub at: u8,
    pub best_at: u8,
    /// The child that is tried first.
    pub first: u8,
    /// How many children were begun.
    pub tried: u8,
    pub alpha: Worth,
    pub beta: Worth,
    pub best: Worth,
    /// Where its children begin, in the store of all children.
    pub children: u32,
    /// The position's.
    pub key: u64,
    /// With which window the child is searched.
    pub scout: Scout,
    /// Ranks of children that others were searching: they come last.
    pub deferred: u64,
    /// By which others see that it is being searched.
    pub mark: Option<Mark>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Scout {
    /// With the one that alpha-beta has.
    No,
    /// With a null window.
    Null,
    /// That was not enough: it has to be searched again.
    Again,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Stage {
    Entered,
    Deepened,
    Open,
}

/// The child of this rank, in the order of the tree: the favourite, or what refuted something
/// at the same ply; then the others, for which `order` is filled in where it matters.
#[inline]
pub(super) fn pick<G: Game>(
    frame: &Frame<G>,
    rank: u8,
    position: &G,
    children: &[G::Move],
    habits: &mut Habits,
    order: &mut Vec<u8>,
) -> u8 {
    let is_first = usize::from(frame.first) < children.len();
    match (rank, frame.children as usize) {
        (0, _) if is_first => frame.first,
        (0, _) => habits.first::<G>(frame.ply, children).unwrap_or(0),
        (rank, from) if G::KINDRED_MOVES => {
            // The first time, not when a child that was left for later has its turn.
            if frame.tried == 1 {
                order.resize(from, 0);
                habits.sort(position, frame.ply, children, frame.at, order);
            }
            order[from + usize::from(rank)]
        }
        (rank, _) => rank - u8::from(is_first && rank <= frame.first),
    }
}

/// The child to try first next time. When all fail low, the one tried first stays first.
pub(super) fn favourite<G: Game>(frame: &Frame<G>, value: Worth) -> u8 {
    if frame.stage == Stage::Open
        && (value > frame.alpha || frame.first == Known::NO_BEST)
        && frame.best_at != Known::NO_BEST
    {
        frame.best_at
    } else {
        frame.first
    }
}
