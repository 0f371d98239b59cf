//! A node on the way from the root to where a search is.

use senbon_games::{Game, Worth};

use super::Known;
use super::habits::Habits;
use super::pool::{Mark, Pool};

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
    /// All of them are there; otherwise only the first.
    pub listed: bool,
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
        (rank, from) => {
            // The first time, not when a child that was left for later has its turn.
            if G::KINDRED_MOVES && frame.tried == 1 {
                order.resize(from, 0);
                habits.sort(position, frame.ply, children, frame.at, order);
            }
            later(frame, rank, children, order)
        }
    }
}

/// The child of a rank behind the first, once [`pick`] has put them in order.
#[inline]
fn later<G: Game>(frame: &Frame<G>, rank: u8, children: &[G::Move], order: &[u8]) -> u8 {
    if G::KINDRED_MOVES {
        return order[frame.children as usize + usize::from(rank)];
    }
    let is_first = usize::from(frame.first) < children.len();
    rank - u8::from(is_first && rank <= frame.first)
}

/// The rank of the child left for later that the fewest others are searching. If all took the
/// same one, they would follow each other all the way down.
#[inline(never)]
pub(super) fn least_crowded<G: Game>(
    frame: &Frame<G>,
    order: &[u8],
    children: &[G::Move],
    pool: Option<&Pool>,
) -> u8 {
    let searchers = |&rank: &u8| {
        let code = G::code(children[usize::from(later(frame, rank, children, order))]);
        pool.map_or(0, |pool| pool.searchers(Mark::of(frame.key, code, frame.depth - 1)))
    };
    let deferred = (0..64).filter(|rank| frame.deferred >> rank & 1 == 1);
    deferred.min_by_key(searchers).unwrap_or_default()
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
