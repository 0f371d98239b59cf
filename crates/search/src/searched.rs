//! What the plain searches report.

use std::ops::{Add, AddAssign};

use crate::Value;

/// The result of a fixed-depth search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Searched {
    /// The value of the position to the side to move.
    pub value: Value,
    /// What it took.
    pub nodes: Nodes,
}

/// Nodes visited, the root included, each visit counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Nodes {
    /// Nodes whose moves were looked at.
    pub interior: u64,
    /// Nodes that were evaluated, or at which the game was over.
    pub leaves: u64,
}

impl Nodes {
    /// All of them.
    pub const fn total(self) -> u64 {
        self.interior + self.leaves
    }
}

impl Add for Nodes {
    type Output = Nodes;

    fn add(self, other: Nodes) -> Nodes {
        Nodes { interior: self.interior + other.interior, leaves: self.leaves + other.leaves }
    }
}

impl AddAssign for Nodes {
    fn add_assign(&mut self, other: Nodes) {
        *self = *self + other;
    }
}
