//! What a fixed-depth search remembers of positions.

use senbon_games::Bounds;

/// What is known of one position at one depth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Known {
    /// Its value.
    pub bounds: Bounds,
    /// Plies searched. Values of other depths are other values.
    pub depth: u8,
    /// Which child, in the order of the tree, was best; [`Known::NO_BEST`] when not known.
    pub best: u8,
}

impl Known {
    /// No child was better than another.
    pub const NO_BEST: u8 = u8::MAX;

    /// Nothing is known yet but the depth.
    pub const fn nothing(depth: u8) -> Self {
        Known { bounds: Bounds::NONE, depth, best: Known::NO_BEST }
    }
}

#[derive(Clone, Copy)]
struct Slot {
    /// 0 is an empty slot.
    key: u64,
    known: Known,
}

const EMPTY: Slot = Slot { key: 0, known: Known::nothing(0) };

/// A table from positions to [`Known`]: it starts small and grows with use, so that thousands
/// of searches fit into one memory, up to a size from which on the shallowest is replaced.
#[derive(Clone)]
pub struct Memo {
    slots: Vec<Slot>,
    used: usize,
    most: usize,
}

/// Slots looked at for one key.
const NEIGHBOURS: usize = 8;
const SMALLEST: usize = 64;

impl Memo {
    /// An empty table that grows to at most `bytes`.
    pub fn new(bytes: usize) -> Self {
        let most = (bytes / size_of::<Slot>()).max(SMALLEST);
        let most = if most.is_power_of_two() { most } else { most.next_power_of_two() / 2 };
        Memo { slots: vec![EMPTY; SMALLEST], used: 0, most }
    }

    /// How many positions are remembered.
    pub fn len(&self) -> usize {
        self.used
    }

    /// Whether nothing is remembered.
    pub fn is_empty(&self) -> bool {
        self.used == 0
    }

    /// The memory in use.
    pub fn bytes(&self) -> usize {
        self.slots.len() * size_of::<Slot>()
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.slots = vec![EMPTY; SMALLEST];
        self.used = 0;
    }

    /// What is known of the position with this key.
    #[inline]
    pub fn get(&self, key: u64) -> Option<Known> {
        let key = key.max(1);
        let mask = self.slots.len() - 1;
        for offset in 0..NEIGHBOURS {
            let slot = &self.slots[(place(key) + offset) & mask];
            if slot.key == key {
                return Some(slot.known);
            }
            if slot.key == 0 {
                return None;
            }
        }
        None
    }

    /// Remembers; what was known of the position is replaced.
    pub fn put(&mut self, key: u64, known: Known) {
        let key = key.max(1);
        loop {
            if self.try_put(key, known) {
                return;
            }
            if self.slots.len() < self.most {
                self.grow();
            } else {
                return self.replace(key, known);
            }
        }
    }

    #[inline]
    fn try_put(&mut self, key: u64, known: Known) -> bool {
        let mask = self.slots.len() - 1;
        for offset in 0..NEIGHBOURS {
            let slot = &mut self.slots[(place(key) + offset) & mask];
            if slot.key == key || slot.key == 0 {
                self.used += usize::from(slot.key == 0);
                *slot = Slot { key, known };
                return true;
            }
        }
        false
    }

    fn replace(&mut self, key: u64, known: Known) {
        let mask = self.slots.len() - 1;
        let at = |offset: usize| (place(key) + offset) & mask;
        let shallowest = (0..NEIGHBOURS).map(at).min_by_key(|&at| self.slots[at].known.depth);
        if let Some(at) = shallowest {
            self.slots[at] = Slot { key, known };
        }
    }

    fn grow(&mut self) {
        let larger = vec![EMPTY; self.slots.len() * 2];
        let old = std::mem::replace(&mut self.slots, larger);
        self.used = 0;
        for slot in old.into_iter().filter(|slot| slot.key != 0) {
            // A neighbourhood that is full even now loses one: that is allowed.
            if !self.try_put(slot.key, slot.known) {
                self.replace(slot.key, slot.known);
            }
        }
    }
}

/// Where to begin to look: keys of some games are not even in their low bits.
#[inline]
const fn place(key: u64) -> usize {
    (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_put_is_found_until_it_is_full() {
        let mut memo = Memo::new(1 << 20);
        let known = |key: u64| Known { best: key as u8, ..Known::nothing((key % 7) as u8) };
        let key = |number: u64| (number + 1).wrapping_mul(0x1234_5678_9abc_def1);
        for number in 0..20_000 {
            memo.put(key(number), known(number));
        }
        let found = (0..20_000).filter(|&n| memo.get(key(n)) == Some(known(n))).count();
        assert!(found > 19_900, "{found} of 20,000 found again");
        assert!(memo.bytes() <= 1 << 20);
        for number in 0..200_000 {
            memo.put(key(number), known(number));
        }
        assert_eq!(memo.bytes(), 1 << 20, "it grows no more");
        assert_eq!(memo.get(key(199_999)), Some(known(199_999)));
        memo.clear();
        assert!(memo.is_empty() && memo.get(key(1)).is_none());
    }
}
