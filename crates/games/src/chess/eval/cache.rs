//! Remembers what pawns and kings are worth: most positions of a search share them.

use cozy_chess::{BitBoard, Square};

use super::pawns::{self, Skeleton};
use super::score::Score;
use super::trace::Sum;

const SLOTS: usize = 1 << 13;

/// A table of pawn skeletons, each in the one slot its hash names.
#[derive(Clone, Debug)]
pub(super) struct PawnCache {
    slots: Vec<Slot>,
}

#[derive(Clone, Copy, Debug)]
struct Slot {
    skeleton: Skeleton,
    score: Score,
    passed: BitBoard,
}

impl PawnCache {
    pub(super) fn new() -> Self {
        // No board has both kings on one square, so this matches nothing.
        let skeleton = Skeleton { pawns: [BitBoard::EMPTY; 2], kings: [Square::A1; 2] };
        let slot = Slot { skeleton, score: Score::ZERO, passed: BitBoard::EMPTY };
        PawnCache { slots: vec![slot; SLOTS] }
    }

    /// The value of the skeleton from White's view, and its passed pawns.
    #[inline]
    pub(super) fn evaluate(&mut self, skeleton: &Skeleton) -> (Score, BitBoard) {
        let slot = &mut self.slots[index(skeleton)];
        if slot.skeleton != *skeleton {
            let mut sum = Sum::default();
            let passed = pawns::evaluate(skeleton, &mut sum);
            *slot = Slot { skeleton: *skeleton, score: sum.linear, passed };
        }
        (slot.score, slot.passed)
    }
}

fn index(skeleton: &Skeleton) -> usize {
    let [white, black] = skeleton.pawns;
    let [white_king, black_king] = skeleton.kings;
    let kings = (white_king as u64) << 6 | black_king as u64;
    let mixed = white.0.wrapping_mul(0x9e37_79b9_7f4a_7c15)
        ^ black.0.wrapping_mul(0xc2b2_ae3d_27d4_eb4f).rotate_left(31)
        ^ kings.wrapping_mul(0xff51_afd7_ed55_8ccd);
    (mixed.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 51) as usize
}
