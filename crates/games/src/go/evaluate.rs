//! A judgement of unfinished positions for alpha-beta search.
//!
//! The paper whose searches we repeat leaves evaluation out of its scope
//! (distributed-search-go-2009, sections 4.3 and 4.8). This one is ours: cheap, and no more
//! than a direction to search in. It adds up
//! - stones on the board, less those of chains about to be taken;
//! - empty points nearer to one side's stones than to the other's, the less the farther;
//! - a little for liberties of chains that are short of them;
//! - komi.

use super::position::Go;
use super::rows::Rows;
use crate::{Evaluator, Game, Side};

/// What a point of area is worth: a full board of them stays within the limit.
const POINT: i32 = 32;

/// What an empty point is worth at one, two, three and four steps from the nearest stone.
const NEARNESS: [i32; 4] = [26, 20, 14, 8];

/// What each stone of a chain is worth less, out of twice [`POINT`] (a stone that is taken is
/// a point for the other side), when its chain has one liberty and the other side is to move,
/// or one, two or three liberties.
const LOST: i32 = 52;
const ONE_LIBERTY: i32 = 24;
const TWO_LIBERTIES: i32 = 8;
const THREE_LIBERTIES: i32 = 3;

/// Stones, influence and liberties.
#[derive(Clone, Copy, Debug, Default)]
pub struct Influence;

impl Evaluator<Go> for Influence {
    fn evaluate(&mut self, go: &Go) -> i32 {
        let board = go.board();
        let stones = [board.stones(Side::First), board.stones(Side::Second)];
        let mut lead = POINT * (stones[0].len() as i32 - stones[1].len() as i32);
        lead += influence(stones, Rows::rectangle(board.size(), board.size()));
        lead += danger(go);
        lead -= POINT / 2 * i32::from(go.rules().komi.halves());
        let value = if go.side_to_move() == Side::First { lead } else { -lead };
        value.clamp(-<Influence as Evaluator<Go>>::LIMIT, <Influence as Evaluator<Go>>::LIMIT)
    }
}

/// Grows both sides' stones over the empty points at the same pace. A point belongs to whom
/// it is reached by first; what both reach at once belongs to nobody and stops both.
fn influence(stones: [Rows; 2], board: Rows) -> i32 {
    let [mut black, mut white] = stones;
    let mut free = board - black - white;
    let mut lead = 0;
    for worth in NEARNESS {
        let (next_black, next_white) = (black.grown() & free, white.grown() & free);
        let (new_black, new_white) = (next_black - next_white, next_white - next_black);
        lead += worth * (new_black.len() as i32 - new_white.len() as i32);
        free = free - next_black - next_white;
        (black, white) = (black | new_black, white | new_white);
    }
    lead
}

/// What Black gains by White's chains being short of liberties, less what White gains.
fn danger(go: &Go) -> i32 {
    let board = go.board();
    let mut lead = 0;
    for head in board.heads() {
        let owner = board.get(head);
        let liberties = board.liberties(head).len();
        let each = match liberties {
            1 if owner != Some(go.side_to_move()) => LOST,
            1 => ONE_LIBERTY,
            2 => TWO_LIBERTIES,
            3 => THREE_LIBERTIES,
            _ => continue,
        };
        let loss = each * board.chain(head).count() as i32;
        lead += if owner == Some(Side::First) { -loss } else { loss };
    }
    lead
}
