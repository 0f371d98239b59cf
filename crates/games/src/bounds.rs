//! What is known of a value: at least, at most.

/// The worth of a position to the side to move, in fixed-depth searches: small, because
/// millions are kept and sent.
pub type Worth = i16;

/// Above every value: the open end of a window.
pub const HIGHEST: Worth = 32_000;

/// A won game. With plies left it is worth that many more, so that sooner is better.
pub const OVER: Worth = 30_200;

/// A value lies between these two, both included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// It is at least this much.
    pub lower: Worth,
    /// It is at most this much.
    pub upper: Worth,
}

impl Bounds {
    /// Nothing is known.
    pub const NONE: Self = Bounds { lower: -HIGHEST, upper: HIGHEST };

    /// The value itself is known.
    pub const fn exactly(value: Worth) -> Self {
        Bounds { lower: value, upper: value }
    }

    /// What a search with this window found, fail-soft: outside the window a bound.
    pub const fn found(value: Worth, alpha: Worth, beta: Worth) -> Self {
        Bounds {
            lower: if value > alpha { value } else { -HIGHEST },
            upper: if value < beta { value } else { HIGHEST },
        }
    }

    /// What a search with this window is told at once, if anything.
    #[inline]
    pub const fn answer(self, alpha: Worth, beta: Worth) -> Option<Worth> {
        if self.lower >= beta || self.lower == self.upper {
            Some(self.lower)
        } else if self.upper <= alpha {
            Some(self.upper)
        } else {
            None
        }
    }

    /// What both say together; nothing if they contradict each other.
    #[must_use]
    pub fn and(self, other: Self) -> Option<Self> {
        let both =
            Bounds { lower: self.lower.max(other.lower), upper: self.upper.min(other.upper) };
        (both.lower <= both.upper).then_some(both)
    }

    /// The same value as the other side sees it.
    #[must_use]
    pub const fn turned(self) -> Self {
        Bounds { lower: -self.upper, upper: -self.lower }
    }

    /// The guess that is nearest to `guess` and possible.
    #[inline]
    pub fn nearest(self, guess: Worth) -> Worth {
        guess.max(self.lower).min(self.upper)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_give_bounds() {
        assert_eq!(Bounds::found(10, 0, 20), Bounds::exactly(10));
        let high = Bounds::found(25, 0, 20);
        assert_eq!(high, Bounds { lower: 25, upper: HIGHEST });
        assert_eq!((high.answer(0, 25), high.answer(0, 26)), (Some(25), None));
        let both = high.and(Bounds::found(30, 40, 50)).unwrap();
        assert_eq!(both, Bounds { lower: 25, upper: 30 });
        assert_eq!((both.answer(30, 60), both.answer(20, 31)), (Some(30), None));
        assert_eq!((both.nearest(40), both.nearest(27), both.nearest(0)), (30, 27, 25));
        assert_eq!(both.turned(), Bounds { lower: -30, upper: -25 });
        assert_eq!(both.and(Bounds::exactly(31)), None);
    }
}
