//! Where a node's best child stands among its siblings.

use super::key::scale;

/// Probability one, in the 65536ths that all probabilities here are given in.
pub const ONE: u32 = 1 << 16;

/// How the index of the best child is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Placement {
    /// Every child is as likely to be the best: trees without move ordering
    /// (simd-1995, section 4).
    Uniform,
    /// p-geometric: child k is the best of those from k on with probability p, the last one
    /// takes what is left (simd-1995, section 4). Minimal trees at p = 1.
    Geometric {
        /// p, in 65536ths.
        p: u32,
    },
    /// p-ordered: the first child is the best with probability p, each of the others with the
    /// same probability (1 − p)/(w − 1).
    Ordered {
        /// p, in 65536ths.
        p: u32,
    },
}

impl Placement {
    /// The index of the best of `width` children, from the node's 32 random bits.
    #[inline]
    pub(super) const fn index(self, bits: u32, width: u8) -> u8 {
        match self {
            Placement::Uniform => scale(bits, width as u32) as u8,
            Placement::Geometric { p } => geometric(bits, p, width),
            Placement::Ordered { p } => {
                if width == 1 || (bits >> 16) < p {
                    0
                } else {
                    1 + (((bits & 0xffff) * (width as u32 - 1)) >> 16) as u8
                }
            }
        }
    }

    /// The probability parameter, where there is one.
    pub(super) const fn p(self) -> Option<u32> {
        match self {
            Placement::Uniform => None,
            Placement::Geometric { p } | Placement::Ordered { p } => Some(p),
        }
    }
}

/// Cuts shares of p off what is left of the range 0..2^32 until `bits` is in one.
#[inline]
const fn geometric(bits: u32, p: u32, width: u8) -> u8 {
    let mut left = 1u64 << 32;
    let mut bits = bits as u64;
    let mut index = 0;
    while index + 1 < width {
        let share = (left * p as u64) >> 16;
        if bits < share {
            break;
        }
        bits -= share;
        left -= share;
        index += 1;
    }
    index
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The number of 32-bit inputs that give each index, found by bisection: the index never
    /// falls as the bits grow.
    fn shares(placement: Placement, width: u8) -> Vec<u64> {
        let from = |index: u8| {
            let (mut low, mut high) = (0u64, 1 << 32);
            while low < high {
                let middle = (low + high) / 2;
                if placement.index(middle as u32, width) >= index {
                    high = middle;
                } else {
                    low = middle + 1;
                }
            }
            low
        };
        (0..width)
            .map(|index| {
                let end = if index + 1 == width { 1 << 32 } else { from(index + 1) };
                end - from(index)
            })
            .collect()
    }

    #[test]
    fn uniform_shares_are_equal() {
        for width in [1, 2, 5, 7, 20, 255] {
            for share in shares(Placement::Uniform, width) {
                assert!(share.abs_diff((1 << 32) / u64::from(width)) <= 1, "width {width}");
            }
        }
    }

    #[test]
    fn geometric_shares_follow_the_formula() {
        for p in [1, 6_554, 32_768, 58_982, 65_535, ONE] {
            let shares = shares(Placement::Geometric { p }, 7);
            let chance = f64::from(p) / 65536.0;
            for (k, &share) in shares.iter().enumerate() {
                let miss = (1.0 - chance).powi(k as i32);
                let formula = if k == 6 { miss } else { chance * miss };
                let error = (share as f64 / 4_294_967_296.0 - formula).abs();
                assert!(error < 1e-8, "p {p}, child {k}: off by {error}");
            }
        }
    }

    #[test]
    fn at_p_one_the_first_is_best() {
        for bits in [0, 1, 1 << 16, u32::MAX] {
            assert_eq!(Placement::Geometric { p: ONE }.index(bits, 7), 0);
            assert_eq!(Placement::Ordered { p: ONE }.index(bits, 7), 0);
            assert_eq!(Placement::Geometric { p: 0 }.index(bits, 7), 6);
            assert_eq!(Placement::Ordered { p: 0 }.index(bits, 1), 0);
        }
    }

    #[test]
    fn ordered_gives_the_others_equal_shares() {
        let p = 40_000;
        let mut counts = [0u32; 7];
        // The upper half decides about the first child, the lower half among the others.
        for bits in 0..=0xffff {
            counts[usize::from(Placement::Ordered { p }.index(bits << 16 | 0x8000, 7))] += 1;
        }
        assert_eq!(counts[0], p);
        let mut counts = [0u32; 7];
        for bits in 0..=0xffff {
            counts[usize::from(Placement::Ordered { p }.index(0xffff_0000 | bits, 7))] += 1;
        }
        assert_eq!(counts[0], 0);
        assert!(counts[1..].iter().all(|&count| count.abs_diff(65536 / 6) <= 1), "{counts:?}");
    }
}
