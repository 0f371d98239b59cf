//! Nodes and their keys, where all randomness of a tree comes from.

/// All that tells a node of one tree from another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Node {
    pub(super) key: u64,
    /// What it is worth to the side to move.
    pub(super) value: i32,
}

/// Added once for every index: wyrand's increment.
const STEP: u64 = 0xa076_1d64_78bd_642f;
/// Tells the two factors apart: wyrand's constant.
const SALT: u64 = 0xe703_7ed1_a0b4_28db;

/// The key of child `index` of the node with `key`.
///
/// It is number `index` of the wyrand stream that starts at `key` ([`Rng`](crate::Rng)), so
/// siblings have the independence of successive numbers of a tested generator, for one
/// multiplication each.
#[inline]
pub(super) const fn child_key(key: u64, index: u8) -> u64 {
    mixed(key.wrapping_add((index as u64 + 1).wrapping_mul(STEP)))
}

/// The keys of all children, one after the other and without end.
#[inline]
pub(super) fn child_keys(key: u64) -> impl Iterator<Item = u64> {
    let mut state = key;
    std::iter::repeat_with(move || {
        state = state.wrapping_add(STEP);
        mixed(state)
    })
}

#[inline]
const fn mixed(state: u64) -> u64 {
    let wide = state as u128 * (state ^ SALT) as u128;
    (wide >> 64) as u64 ^ wide as u64
}

/// The key of the root of tree number `seed`.
#[inline]
pub(super) const fn root_key(seed: u64) -> u64 {
    child_key(seed, 0)
}

/// A number below `bound` from 32 random bits, each with probability 1/`bound` up to 2^-32.
#[inline]
pub(super) const fn scale(bits: u32, bound: u32) -> u32 {
    ((bits as u64 * bound as u64) >> 32) as u32
}

/// The half of a key that decides what the node is worth to its parent.
#[inline]
pub(super) const fn low(key: u64) -> u32 {
    key as u32
}

/// The half of a key that decides about the node's children.
#[inline]
pub(super) const fn high(key: u64) -> u32 {
    (key >> 32) as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rng;

    #[test]
    fn siblings_are_a_wyrand_stream() {
        let mut rng = Rng::new(0x1234_5678_9abc_def0);
        for index in 0..=255 {
            assert_eq!(child_key(0x1234_5678_9abc_def0, index), rng.next_u64());
        }
    }

    #[test]
    fn scale_covers_the_range() {
        assert_eq!(scale(0, 7), 0);
        assert_eq!(scale(u32::MAX, 7), 6);
        assert_eq!(scale(u32::MAX, 1), 0);
    }
}
