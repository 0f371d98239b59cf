//! The way from the root to a node.

use super::Branch;

/// No tree is deeper.
pub const MAX_DEPTH: u8 = 64;

/// Branches taken from the root.
///
/// Only for showing where a node is; nothing is generated from it. What was taken back stays
/// in the array beyond the length, which spares a write a node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Path {
    branches: [u8; MAX_DEPTH as usize],
    plies: u8,
}

impl Path {
    pub(super) const EMPTY: Self = Path { branches: [0; MAX_DEPTH as usize], plies: 0 };

    #[inline]
    pub(super) const fn plies(&self) -> u8 {
        self.plies
    }

    #[inline]
    pub(super) const fn push(&mut self, branch: Branch) {
        self.branches[(self.plies % MAX_DEPTH) as usize] = branch.index();
        self.plies += 1;
    }

    #[inline]
    pub(super) const fn pop(&mut self) {
        self.plies -= 1;
    }

    pub(super) fn branches(&self) -> impl Iterator<Item = Branch> {
        self.branches[..usize::from(self.plies)].iter().map(|&index| Branch::new(index))
    }
}

impl PartialEq for Path {
    fn eq(&self, other: &Self) -> bool {
        self.branches().eq(other.branches())
    }
}

impl Eq for Path {}
