//! What several searches on one machine remember together, and which of them is where.

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};

use senbon_games::Bounds;

use super::Known;
use crate::slot::{Buckets, Word};

/// A memory that searches on one machine share, without locks. What one of them has found out,
/// the others need not search; and what one of them is searching, the others leave for later
/// (Weill's ABDADA, in the simplified form by Kerrigan: marks beside the table, not in it).
///
/// All of them must search trees of the same shape. Marks are hints: a lost or a wrong one
/// costs time, never a value.
pub struct Pool<W: Word = AtomicU64> {
    known: Buckets<W>,
    /// How many searches are below a child, by a hash of the way there.
    marks: Box<[AtomicU8]>,
}

/// Marks of children; many more than there are searches times plies.
const MARKS: usize = 1 << 16;

/// A child that is being searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Mark(u16);

impl Mark {
    /// Of the child that the move with this code leads to, searched to `depth`.
    #[inline]
    pub(super) fn of(key: u64, code: u16, depth: u8) -> Self {
        let child = u64::from(code) << 8 | u64::from(depth);
        Mark((spread(key ^ spread(child)) >> 48) as u16)
    }
}

#[inline]
const fn spread(word: u64) -> u64 {
    word.wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

impl<W: Word> Pool<W> {
    /// An empty memory of so many bytes, at least 64.
    pub fn new(bytes: usize) -> Self {
        let marks = std::iter::repeat_with(AtomicU8::default).take(MARKS).collect();
        Pool { known: Buckets::with_bytes(bytes), marks }
    }

    /// The memory in use.
    pub fn bytes(&self) -> usize {
        self.known.bytes()
    }

    /// Forgets everything. Searches may be under way: they forget it, too.
    pub fn clear(&self) {
        self.known.clear();
    }

    /// What is known of the position with this key.
    #[inline]
    pub fn get(&self, key: u64) -> Option<Known> {
        let key = spread(key);
        let mut slots = self.known.of(key).iter().map(|slot| slot.load());
        slots.find(|&(owner, _)| owner == key).and_then(|(_, data)| unpack(data))
    }

    /// Remembers what `learn` makes of what was known of the position, in place of the
    /// shallowest of its neighbours if there is no room. When several learn something of the
    /// same position at once, one of them counts.
    #[inline]
    pub fn learn(&self, key: u64, learn: impl FnOnce(Option<Known>) -> Known) {
        let key = spread(key);
        let slots = self.known.of(key);
        let (mut place, mut least, mut before) = (&slots[0], u8::MAX, None);
        for slot in slots {
            let (owner, data) = slot.load();
            let known = unpack(data);
            if known.is_none() || owner == key {
                (place, before) = (slot, known);
                break;
            }
            let depth = known.map_or(0, |known| known.depth);
            if depth < least {
                (place, least) = (slot, depth);
            }
        }
        place.store(key, pack(learn(before)));
    }

    #[inline]
    pub(super) fn is_searched(&self, mark: Mark) -> bool {
        self.searchers(mark) > 0
    }

    /// How many searches are below a child.
    #[inline]
    pub(super) fn searchers(&self, Mark(mark): Mark) -> u8 {
        self.marks[usize::from(mark)].load(Relaxed)
    }

    #[inline]
    pub(super) fn enter(&self, Mark(mark): Mark) {
        self.marks[usize::from(mark)].fetch_add(1, Relaxed);
    }

    #[inline]
    pub(super) fn leave(&self, Mark(mark): Mark) {
        self.marks[usize::from(mark)].fetch_sub(1, Relaxed);
    }
}

/// Tells an entry from an empty slot.
const USED: u64 = 1 << 48;

fn pack(known: Known) -> u64 {
    let Bounds { lower, upper } = known.bounds;
    let bounds = u64::from(lower as u16) | u64::from(upper as u16) << 16;
    USED | bounds | u64::from(known.depth) << 32 | u64::from(known.best) << 40
}

fn unpack(data: u64) -> Option<Known> {
    let bounds = Bounds { lower: data as u16 as i16, upper: (data >> 16) as u16 as i16 };
    let known = Known { bounds, depth: (data >> 32) as u8, best: (data >> 40) as u8 };
    (data & USED != 0).then_some(known)
}

#[cfg(test)]
mod tests {
    use super::*;
    use senbon_games::HIGHEST;

    fn known(depth: u8, lower: i16, upper: i16) -> Known {
        Known { bounds: Bounds { lower, upper }, depth, best: 254 }
    }

    #[test]
    fn what_was_learnt_comes_back_whole() {
        let pool: Pool = Pool::new(1 << 12);
        for (depth, lower, upper) in [(255, -HIGHEST, HIGHEST), (2, -1, -1), (9, 0, 31_000)] {
            pool.learn(u64::MAX, |_| known(depth, lower, upper));
            assert_eq!(pool.get(u64::MAX), Some(known(depth, lower, upper)));
        }
        pool.learn(u64::MAX, |before| Known { best: 3, ..before.unwrap() });
        assert_eq!(pool.get(u64::MAX).map(|known| known.best), Some(3), "it is told what it knew");
        pool.clear();
        assert!(pool.get(u64::MAX).is_none() && pool.get(0).is_none(), "nor is 0 known");
    }

    #[test]
    fn the_shallowest_goes_when_there_is_no_room() {
        let pool: Pool = Pool::new(64);
        for depth in 1..=4 {
            pool.learn(depth.into(), |_| known(depth, 0, 0));
        }
        pool.learn(9, |before| before.unwrap_or(known(3, 0, 0)));
        assert!(pool.get(1).is_none());
        assert!([2, 3, 4, 9].iter().all(|&key| pool.get(key).is_some()));
    }

    #[test]
    fn a_mark_is_there_until_all_have_left() {
        let (pool, mark) = (Pool::<AtomicU64>::new(64), Mark::of(1, 2, 3));
        assert_ne!(mark, Mark::of(1, 2, 4));
        pool.enter(mark);
        pool.enter(mark);
        pool.leave(mark);
        assert!(pool.is_searched(mark) && !pool.is_searched(Mark::of(1, 2, 4)));
        pool.leave(mark);
        assert!(!pool.is_searched(mark));
    }
}
