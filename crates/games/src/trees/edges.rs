//! How the values of edges are distributed.

use super::{ONE, ShapeError};

/// The distribution of edge values in an [`Incremental`](super::Incremental) tree.
///
/// An edge is what a move changes in the static value, from the mover's view. Most moves are
/// quiet; with a given chance one swings the balance, as captures do. Either kind is a sum of
/// one to three even draws, so its shape goes from flat (one) over a triangle (two) to a bell
/// (three). A flat distribution without swings is the classic model; minimal-trees-2014
/// (section 4.1) fitted a more realistic one to a shogi program without giving it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edges {
    /// Draws that are summed up for an edge, 1 to 3.
    pub draws: u8,
    /// Each draw of a quiet edge is even on −quiet..=quiet.
    pub quiet: u16,
    /// Each draw of a swing is even on −swing..=swing.
    pub swing: u16,
    /// The chance of a swing, in 65536ths.
    pub swing_chance: u32,
}

impl Edges {
    /// Two quiet draws within ±100, no swings: it comes within a point of the ordering that
    /// minimal-trees-2014 reports for its trees (see `docs/trees.md`).
    pub const ORDERED_AS_PUBLISHED: Self =
        Edges { draws: 2, quiet: 100, swing: 0, swing_chance: 0 };

    pub(super) fn check(&self) -> Result<(), ShapeError> {
        if !(1..=3).contains(&self.draws) {
            return Err(ShapeError::Draws(self.draws.into()));
        }
        if self.swing_chance > ONE { Err(ShapeError::Chance(self.swing_chance)) } else { Ok(()) }
    }

    /// No edge is larger.
    pub(super) fn most(&self) -> i64 {
        i64::from(self.draws) * i64::from(self.quiet.max(self.swing))
    }

    /// Whether all edges are the sum of two quiet draws.
    #[inline]
    pub(super) const fn is_plain(&self) -> bool {
        self.draws == 2 && self.swing_chance == 0
    }

    /// The value of an edge of this kind.
    #[inline]
    pub(super) const fn plain_value(key: u64, quiet: u16) -> i32 {
        let range = quiet as i32;
        even((key >> 16) as u16, range) + even((key >> 32) as u16, range)
    }

    /// The value of the edge to the node with `key`, to the side that takes it.
    #[inline]
    pub(super) const fn value(&self, key: u64) -> i32 {
        if self.is_plain() {
            return Edges::plain_value(key, self.quiet);
        }
        let swings = (key & 0xffff) < self.swing_chance as u64;
        let range = if swings { self.swing } else { self.quiet } as i32;
        let bits = key >> 16;
        let sum = even(bits as u16, range);
        match self.draws {
            1 => sum,
            2 => sum + even((bits >> 16) as u16, range),
            _ => sum + even((bits >> 16) as u16, range) + even((bits >> 32) as u16, range),
        }
    }
}

/// A number from −range to range out of 16 random bits.
#[inline]
const fn even(bits: u16, range: i32) -> i32 {
    ((bits as u64 * (2 * range as u64 + 1)) >> 16) as i32 - range
}
