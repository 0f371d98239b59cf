//! A pair of values, for the middle game and for the end game, added in one instruction.

use std::ops::{Add, AddAssign, Mul, Neg, Sub};

/// Two 16-bit values in one integer. Sums must stay within ±32,000 in each half.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Score(i32);

impl Score {
    pub(super) const ZERO: Score = Score(0);

    pub(super) const fn new(middle: i16, end: i16) -> Score {
        // A negative lower half borrows from the upper one; `end` gives it back.
        Score(((end as i32) << 16) + middle as i32)
    }

    /// The value in the middle game.
    #[inline]
    pub(super) const fn middle(self) -> i32 {
        self.0 as i16 as i32
    }

    /// The value in the end game.
    #[inline]
    pub(super) const fn end(self) -> i32 {
        (self.0.wrapping_add(0x8000)) >> 16
    }
}

impl Add for Score {
    type Output = Score;
    #[inline]
    fn add(self, other: Score) -> Score {
        Score(self.0 + other.0)
    }
}

impl AddAssign for Score {
    #[inline]
    fn add_assign(&mut self, other: Score) {
        *self = *self + other;
    }
}

impl Sub for Score {
    type Output = Score;
    #[inline]
    fn sub(self, other: Score) -> Score {
        Score(self.0 - other.0)
    }
}

impl Neg for Score {
    type Output = Score;
    #[inline]
    fn neg(self) -> Score {
        Score(-self.0)
    }
}

impl Mul<i32> for Score {
    type Output = Score;
    #[inline]
    fn mul(self, times: i32) -> Score {
        Score(self.0 * times)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_do_not_disturb_each_other() {
        let values = [-3_000, -101, -1, 0, 1, 77, 2_999];
        for a in values {
            for b in values {
                for c in values {
                    let (one, other) = (Score::new(a, b), Score::new(c, a));
                    let sum = one + other * 3 - one * 2;
                    let expected = |x: i16, y: i16| i32::from(y) * 3 - i32::from(x);
                    assert_eq!(sum.middle(), expected(a, c));
                    assert_eq!(sum.end(), expected(b, a));
                    assert_eq!((-one).middle(), -i32::from(a));
                    assert_eq!((-one).end(), -i32::from(b));
                }
            }
        }
    }
}
