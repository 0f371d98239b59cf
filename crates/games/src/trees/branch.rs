//! Moves of synthetic trees.

/// A move: the index of a child, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Branch(u8);

impl Branch {
    /// The child with this index.
    pub const fn new(index: u8) -> Self {
        Branch(index)
    }

    /// 0 for the first child.
    #[inline]
    pub const fn index(self) -> u8 {
        self.0
    }

    /// 1 for the first child, as papers count and texts show.
    #[inline]
    pub const fn number(self) -> u16 {
        self.0 as u16 + 1
    }
}

/// The branches of a node, in order.
#[derive(Clone, Debug)]
pub struct Branches {
    next: u16,
    end: u16,
}

impl Branches {
    #[inline]
    pub(super) const fn new(count: u8) -> Self {
        Branches { next: 0, end: count as u16 }
    }
}

impl Iterator for Branches {
    type Item = Branch;

    #[inline]
    fn next(&mut self) -> Option<Branch> {
        if self.next == self.end {
            return None;
        }
        let branch = Branch(self.next as u8);
        self.next += 1;
        Some(branch)
    }

    #[inline]
    fn nth(&mut self, skipped: usize) -> Option<Branch> {
        self.next = usize::from(self.next).saturating_add(skipped).min(self.end.into()) as u16;
        self.next()
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = usize::from(self.end - self.next);
        (left, Some(left))
    }
}

impl ExactSizeIterator for Branches {}
