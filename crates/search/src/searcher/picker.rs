//! The order in which moves are tried.

use senbon_games::{Side, Tactics};

use super::histories::Histories;

/// A move with what the search needs to know of it.
#[derive(Clone, Copy)]
pub(super) struct Candidate<M> {
    pub(super) mv: M,
    pub(super) code: u16,
    /// History slot.
    pub(super) slot: u32,
    /// Order of trial, highest first.
    pub(super) rank: i32,
    pub(super) noisy: bool,
}

const TABLE_MOVE: i32 = i32::MAX;
const GOOD_CAPTURE: i32 = 1 << 28;
const KILLER: i32 = 1 << 27;
const BAD_CAPTURE: i32 = -(1 << 28);
/// One class of [`senbon_games::Game::order_hint`] outweighs any history.
const HINT_SHIFT: i32 = 17;

/// What the ordering of one node depends on.
pub(super) struct Context<'a> {
    pub(super) histories: &'a Histories,
    pub(super) side: Side,
    pub(super) table_code: u16,
    pub(super) killers: [u16; 2],
    pub(super) refutation: u16,
    /// History slots of the moves one and two plies ago.
    pub(super) before: [Option<usize>; 2],
    /// Whether histories are in use.
    pub(super) learn: bool,
}

/// Lists and ranks `moves`: table move, captures that do not lose material, killers and the
/// refutation, quiet moves by history, captures that lose material.
pub(super) fn rank<G: Tactics>(
    position: &G,
    moves: impl IntoIterator<Item = G::Move>,
    context: &Context<'_>,
    list: &mut Vec<Candidate<G::Move>>,
) {
    list.clear();
    for mv in moves {
        let code = G::code(mv);
        let noisy = position.is_noisy(mv);
        let slot = position.history_slot(mv);
        let rank = if code == context.table_code {
            TABLE_MOVE
        } else if noisy {
            let base = if position.exchange(mv) >= 0 { GOOD_CAPTURE } else { BAD_CAPTURE };
            let learnt =
                if context.learn { context.histories.noisy(context.side, slot) } else { 0 };
            base + position.gain(mv) * 32 + learnt
        } else {
            quiet_rank(position, mv, code, slot, context)
        };
        list.push(Candidate { mv, code, slot: slot as u32, rank, noisy });
    }
}

fn quiet_rank<G: Tactics>(
    position: &G,
    mv: G::Move,
    code: u16,
    slot: usize,
    context: &Context<'_>,
) -> i32 {
    let hint = position.order_hint(mv) << HINT_SHIFT;
    if !context.learn {
        return hint;
    }
    if code == context.killers[0] {
        KILLER + 2
    } else if code == context.killers[1] {
        KILLER + 1
    } else if code == context.refutation {
        KILLER
    } else {
        hint + context.histories.quiet(context.side, slot, context.before)
    }
}

/// Brings the best of `list[from..]` to `from` and returns it; of equals the earliest.
pub(super) fn pick<M: Copy>(list: &mut [Candidate<M>], from: usize) -> Option<Candidate<M>> {
    let mut best = from;
    for index in from + 1..list.len() {
        if list[index].rank > list[best].rank {
            best = index;
        }
    }
    list.get(best)?;
    list.swap(from, best);
    Some(list[from])
}
