//! The transposition table: bounded memory that many threads read and write without locks
//! (`slot`).

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};

use crate::Value;
use crate::slot::{Buckets, Word};

/// How a stored value relates to the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// The true value is at most this: no move reached alpha.
    Upper,
    /// The true value is at least this: a move reached beta.
    Lower,
    /// The value is exact.
    Exact,
}

/// What the table knows of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Value from the side to move's view; forced wins count from this position.
    pub value: Value,
    /// How the value is to be read.
    pub bound: Bound,
    /// Depth of the search that gave it, 0 to 255.
    pub depth: u8,
    /// Code of the best move ([`senbon_games::Game::code`]), 0 for none.
    pub code: u16,
}

/// A table of positions already searched.
///
/// ```
/// use senbon_search::{Bound, Entry, Table};
///
/// let table: Table = Table::with_mib(1);
/// table.store(42, Entry { value: 17, bound: Bound::Exact, depth: 6, code: 3 });
/// assert_eq!(table.probe(42).unwrap().value, 17);
/// assert_eq!(table.probe(43), None);
/// ```
pub struct Table<W: Word = AtomicU64> {
    buckets: Buckets<W>,
    /// Which search writes now, modulo [`GENERATIONS`].
    generation: AtomicU8,
}

const GENERATIONS: u8 = 64;
/// Slots that fullness is taken from.
const SAMPLE: usize = 1_000;

impl<W: Word> Table<W> {
    /// A table of `bytes` rounded down to whole buckets, at least one.
    pub fn with_bytes(bytes: usize) -> Self {
        Table { buckets: Buckets::with_bytes(bytes), generation: AtomicU8::new(0) }
    }

    /// A table of `mib` mebibytes.
    pub fn with_mib(mib: usize) -> Self {
        Self::with_bytes(mib << 20)
    }

    /// Memory in use, in bytes.
    pub fn bytes(&self) -> usize {
        self.buckets.bytes()
    }

    /// A new search begins: what older searches left is replaced first.
    pub fn age(&self) {
        let next = (self.generation.load(Relaxed) + 1) % GENERATIONS;
        self.generation.store(next, Relaxed);
    }

    /// Forgets everything.
    pub fn clear(&self) {
        self.buckets.clear();
        self.generation.store(0, Relaxed);
    }

    /// What is known of the position with this key.
    #[inline]
    pub fn probe(&self, key: u64) -> Option<Entry> {
        let mut slots = self.buckets.of(key).iter().map(|slot| slot.load());
        // An empty slot fits key 0; its bound says that it is empty.
        slots.find(|&(owner, _)| owner == key).and_then(|(_, data)| unpack(data))
    }

    /// Keeps `entry`, in place of the least useful one of its bucket.
    pub fn store(&self, key: u64, mut entry: Entry) {
        let generation = self.generation.load(Relaxed);
        let slots = self.buckets.of(key);
        let (mut victim, mut least) = (&slots[0], i32::MAX);
        for slot in slots {
            let (owner, data) = slot.load();
            let Some(old) = unpack(data) else {
                victim = slot;
                break;
            };
            let age = i32::from((generation + GENERATIONS - generation_of(data)) % GENERATIONS);
            if owner == key {
                // A much deeper result of this search is worth more than a fresh shallow one.
                if age == 0 && entry.bound != Bound::Exact && entry.depth + 4 < old.depth {
                    return;
                }
                if entry.code == 0 {
                    entry.code = old.code;
                }
                victim = slot;
                break;
            }
            let worth = i32::from(old.depth) - 8 * age;
            if worth < least {
                least = worth;
                victim = slot;
            }
        }
        victim.store(key, pack(entry, generation));
    }

    /// Asks the processor to have the position's bucket at hand soon.
    #[inline]
    pub fn prefetch(&self, key: u64) {
        prefetch(self.buckets.of(key));
    }

    /// How full the table is with entries of this search, in thousandths, from a sample.
    pub fn permille(&self) -> u32 {
        let generation = self.generation.load(Relaxed);
        let (mut sample, mut used) = (0, 0);
        for slot in self.buckets.slots().take(SAMPLE) {
            let (_, data) = slot.load();
            sample += 1;
            used += usize::from(unpack(data).is_some() && generation_of(data) == generation);
        }
        (used * 1000 / sample) as u32
    }
}

/// Layout: value 32 bits, code 16, depth 8, generation 6, bound 2 (0 is an empty slot).
fn pack(entry: Entry, generation: u8) -> u64 {
    let bound = match entry.bound {
        Bound::Upper => 1,
        Bound::Lower => 2,
        Bound::Exact => 3,
    };
    u64::from(entry.value as u32) << 32
        | u64::from(entry.code) << 16
        | u64::from(entry.depth) << 8
        | u64::from(generation) << 2
        | bound
}

fn unpack(data: u64) -> Option<Entry> {
    let bound = match data & 3 {
        1 => Bound::Upper,
        2 => Bound::Lower,
        3 => Bound::Exact,
        _ => return None,
    };
    Some(Entry {
        value: (data >> 32) as u32 as Value,
        bound,
        depth: (data >> 8) as u8,
        code: (data >> 16) as u16,
    })
}

fn generation_of(data: u64) -> u8 {
    (data >> 2) as u8 % GENERATIONS
}

#[inline]
#[allow(unsafe_code)]
fn prefetch<T>(target: &T) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a prefetch reads nothing and may be given any address; this one is valid.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch(std::ptr::from_ref(target).cast::<i8>(), _MM_HINT_T0);
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = target;
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(depth: u8, code: u16) -> Entry {
        Entry { value: -5, bound: Bound::Lower, depth, code }
    }

    #[test]
    fn an_entry_comes_back_whole() {
        let table: Table = Table::with_bytes(1 << 12);
        for value in [-1_000_000, -1, 0, 1, 1_000_000] {
            for bound in [Bound::Upper, Bound::Lower, Bound::Exact] {
                let entry = Entry { value, bound, depth: 255, code: 65_535 };
                table.clear();
                table.store(u64::MAX, entry);
                assert_eq!(table.probe(u64::MAX), Some(entry));
            }
        }
        table.clear();
        assert_eq!(table.probe(0), None, "an empty slot is no entry for key 0");
    }

    #[test]
    fn a_full_bucket_gives_up_its_shallowest_and_then_its_oldest() {
        let table: Table = Table::with_bytes(64);
        for depth in 1..=4 {
            table.store(u64::from(depth), entry(depth, 1));
        }
        table.store(9, entry(3, 1));
        assert_eq!(table.probe(1), None);
        assert!(table.probe(2).is_some() && table.probe(9).is_some());
        table.age();
        for key in 20..23 {
            table.store(key, entry(1, 1));
        }
        assert!(table.probe(4).is_some(), "the deepest old entry goes last");
        assert!((20..23).all(|key| table.probe(key).is_some()));
    }

    #[test]
    fn a_known_move_outlives_a_result_without_one() {
        let table: Table = Table::with_bytes(64);
        table.store(7, entry(3, 99));
        table.store(7, entry(4, 0));
        assert_eq!(table.probe(7), Some(entry(4, 99)));
        table.store(7, Entry { bound: Bound::Upper, ..entry(4, 5) });
        table.store(7, entry(1, 6));
        assert_eq!(table.probe(7).map(|e| e.depth), Some(1), "slightly shallower replaces");
        table.store(7, entry(20, 7));
        table.store(7, entry(2, 8));
        assert_eq!(table.probe(7).map(|e| e.depth), Some(20), "much shallower does not");
    }

    #[test]
    fn fullness_counts_this_search_only() {
        let table: Table = Table::with_bytes(64 * 100);
        let keys = (0..10_000u64).map(|k| k.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        for key in keys {
            table.store(key, entry(1, 1));
        }
        assert_eq!(table.permille(), 1000);
        table.age();
        assert_eq!(table.permille(), 0);
    }
}
