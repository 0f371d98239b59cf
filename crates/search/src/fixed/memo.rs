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

/// Slots looked at for one key, at most, once the table grows no more and may be full.
const NEIGHBOURS: usize = 8;
/// The same before, while an empty one is near.
const FAR: usize = 32;
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
        let slot = &self.slots[self.find(key.max(1))?];
        (slot.key != 0).then_some(slot.known)
    }

    /// Remembers; what was known of the position is replaced.
    pub fn put(&mut self, key: u64, known: Known) {
        self.learn(key, |_| known);
    }

    /// Remembers what `learn` makes of what was known of the position.
    #[inline]
    pub fn learn(&mut self, key: u64, learn: impl FnOnce(Option<Known>) -> Known) {
        let key = key.max(1);
        match self.find(key) {
            Some(at) if self.slots[at].key == key => {
                let slot = &mut self.slots[at];
                slot.known = learn(Some(slot.known));
            }
            Some(at) if !self.is_crowded() => {
                self.slots[at] = Slot { key, known: learn(None) };
                self.used += 1;
            }
            _ => self.make_room(Slot { key, known: learn(None) }),
        }
    }

    /// The slot of this key, or the empty one where it would be; none when there is no room.
    #[inline]
    fn find(&self, key: u64) -> Option<usize> {
        let mask = self.slots.len() - 1;
        let reach = if self.may_grow() { FAR } else { NEIGHBOURS };
        for offset in 0..reach {
            let at = (place(key) + offset) & mask;
            if self.slots[at].key == key || self.slots[at].key == 0 {
                return Some(at);
            }
        }
        None
    }

    #[inline]
    fn may_grow(&self) -> bool {
        self.slots.len() < self.most
    }

    /// Whether it is time to grow: where half of the slots are used, looking up takes long.
    #[inline]
    fn is_crowded(&self) -> bool {
        self.may_grow() && self.used * 2 >= self.slots.len()
    }

    /// The table grows; one that may not loses what is shallowest.
    #[cold]
    fn make_room(&mut self, slot: Slot) {
        while self.may_grow() {
            self.grow();
            if self.try_put(slot) {
                return;
            }
        }
        self.replace(slot);
    }

    fn try_put(&mut self, slot: Slot) -> bool {
        let found = self.find(slot.key);
        if let Some(at) = found {
            self.used += usize::from(self.slots[at].key == 0);
            self.slots[at] = slot;
        }
        found.is_some()
    }

    fn replace(&mut self, slot: Slot) {
        let mask = self.slots.len() - 1;
        let at = |offset: usize| (place(slot.key) + offset) & mask;
        if let Some(at) = (0..NEIGHBOURS).map(at).min_by_key(|&at| self.slots[at].known.depth) {
            self.slots[at] = slot;
        }
    }

    fn grow(&mut self) {
        let larger = vec![EMPTY; self.slots.len() * 2];
        let old = std::mem::replace(&mut self.slots, larger);
        self.used = 0;
        for slot in old.into_iter().filter(|slot| slot.key != 0) {
            // A neighbourhood that is full even now loses one: that is allowed.
            if !self.try_put(slot) {
                self.replace(slot);
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
        assert_eq!((memo.len(), memo.bytes()), (20_000, 1 << 20), "a third of the slots");
        for number in 0..200_000 {
            memo.put(key(number), known(number));
        }
        assert_eq!(memo.bytes(), 1 << 20, "it grows no more");
        assert_eq!(memo.get(key(199_999)), Some(known(199_999)));
        memo.put(key(199_999), known(3));
        let doubled = |before: Option<Known>| known(2 * u64::from(before.unwrap().best));
        memo.learn(key(199_999), doubled);
        assert_eq!(memo.get(key(199_999)), Some(known(6)));
        memo.clear();
        assert!(memo.is_empty() && memo.get(key(1)).is_none());
    }
}
