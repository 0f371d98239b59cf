//! Where features go as they are found: added up with their weights, or counted for tuning.

use super::layout::{LINEAR, PRESSURE};
use super::score::Score;
use super::weights::{LINEAR_WEIGHTS, PRESSURE_WEIGHTS};

/// Takes the features of a position. White's count positive, Black's negative.
pub(super) trait Trace {
    /// A feature that adds up.
    fn add(&mut self, feature: usize, count: i32);

    /// A feature of the pressure that `side` (0 White, 1 Black) puts on the other king.
    fn press(&mut self, side: usize, feature: usize, count: i32);
}

/// Adds up weights.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sum {
    pub(super) linear: Score,
    pub(super) pressure: [Score; 2],
}

impl Trace for Sum {
    #[inline(always)]
    fn add(&mut self, feature: usize, count: i32) {
        self.linear += LINEAR_WEIGHTS[feature] * count;
    }

    #[inline(always)]
    fn press(&mut self, side: usize, feature: usize, count: i32) {
        self.pressure[side] += PRESSURE_WEIGHTS[feature] * count;
    }
}

/// Counts features.
#[derive(Clone, Debug)]
pub(super) struct Counts {
    pub(super) linear: [i16; LINEAR],
    pub(super) pressure: [[i16; PRESSURE]; 2],
}

impl Default for Counts {
    fn default() -> Self {
        Counts { linear: [0; LINEAR], pressure: [[0; PRESSURE]; 2] }
    }
}

impl Trace for Counts {
    fn add(&mut self, feature: usize, count: i32) {
        self.linear[feature] += count as i16;
    }

    fn press(&mut self, side: usize, feature: usize, count: i32) {
        self.pressure[side][feature] += count as i16;
    }
}
