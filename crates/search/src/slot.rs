//! Memory that many threads read and write without locks: the ground of [`crate::Table`] and
//! [`crate::fixed::Pool`].
//!
//! A slot is two words: the data, and the key combined with the data by exclusive or (Hyatt
//! and Mann's lockless hashing). Readers and writers use relaxed atomics only; when two
//! writers race, or a reader comes between a writer's two stores, the words do not fit
//! together and the slot belongs to no key. A torn slot is never read as an entry, short of a
//! 64-bit coincidence. `tests/table_races.rs` tries every interleaving.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// A shared 64-bit word with relaxed order. Tests put a model checker's word in its place.
pub trait Word: Default {
    /// The word's value now.
    fn get(&self) -> u64;
    /// Sets the word.
    fn set(&self, value: u64);
}

impl Word for AtomicU64 {
    #[inline]
    fn get(&self) -> u64 {
        self.load(Relaxed)
    }

    #[inline]
    fn set(&self, value: u64) {
        self.store(value, Relaxed);
    }
}

#[derive(Default)]
pub(crate) struct Slot<W> {
    /// Key xor data.
    check: W,
    data: W,
}

impl<W: Word> Slot<W> {
    /// The key that it belongs to, and its data; 0 and 0 when it is empty.
    #[inline]
    pub(crate) fn load(&self) -> (u64, u64) {
        let data = self.data.get();
        (self.check.get() ^ data, data)
    }

    #[inline]
    pub(crate) fn store(&self, key: u64, data: u64) {
        self.check.set(key ^ data);
        self.data.set(data);
    }
}

const SLOTS: usize = 4;

/// Slots that share a cache line, and that one key may use.
#[derive(Default)]
#[repr(align(64))]
struct Bucket<W>([Slot<W>; SLOTS]);

const _: () = assert!(size_of::<Bucket<AtomicU64>>() == 64);

pub(crate) struct Buckets<W>(Box<[Bucket<W>]>);

impl<W: Word> Buckets<W> {
    /// `bytes` rounded down to whole buckets, at least one.
    pub(crate) fn with_bytes(bytes: usize) -> Self {
        let count = (bytes / size_of::<Bucket<AtomicU64>>()).max(1);
        Buckets(std::iter::repeat_with(Bucket::default).take(count).collect())
    }

    pub(crate) fn bytes(&self) -> usize {
        self.0.len() * size_of::<Bucket<W>>()
    }

    /// The slots that a key may use.
    #[inline]
    pub(crate) fn of(&self, key: u64) -> &[Slot<W>; SLOTS] {
        // The high half of a product maps the key to any number of buckets without division.
        let index = (u128::from(key) * self.0.len() as u128) >> 64;
        &self.0[index as usize].0
    }

    pub(crate) fn slots(&self) -> impl Iterator<Item = &Slot<W>> {
        self.0.iter().flat_map(|bucket| &bucket.0)
    }

    pub(crate) fn clear(&self) {
        self.slots().for_each(|slot| slot.store(0, 0));
    }
}
