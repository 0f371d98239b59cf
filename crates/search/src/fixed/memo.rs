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

/// Slots that share a line of the processor's cache. All of them are compared before anything
/// is decided, so that what comes next need not wait for memory.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Group([Slot; GROUP]);

const GROUP: usize = 4;

impl Group {
    /// Where this key is; of several places, the last.
    #[inline]
    fn find(&self, key: u64) -> Option<usize> {
        let at = (0..GROUP).fold(GROUP, |at, index| match self.0[index].key == key {
            true => index,
            false => at,
        });
        (at < GROUP).then_some(at)
    }
}

/// A table from positions to [`Known`]: it starts small and grows with use, so that thousands
/// of searches fit into one memory, up to a size from which on the shallowest is replaced.
#[derive(Clone)]
pub struct Memo {
    groups: Vec<Group>,
    used: usize,
    /// Groups, at most.
    most: usize,
}

/// Groups looked at for one key, at most, once the table grows no more and may be full.
const NEIGHBOURS: usize = 2;
/// The same before, while an empty slot is near.
const FAR: usize = 8;
/// Groups of a new table.
const SMALLEST: usize = 16;

impl Memo {
    /// An empty table that grows to at most `bytes`.
    pub fn new(bytes: usize) -> Self {
        let most = (bytes / size_of::<Group>()).max(SMALLEST);
        let most = if most.is_power_of_two() { most } else { most.next_power_of_two() / 2 };
        Memo { groups: vec![Group([EMPTY; GROUP]); SMALLEST], used: 0, most }
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
        self.groups.len() * size_of::<Group>()
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.groups = vec![Group([EMPTY; GROUP]); SMALLEST];
        self.used = 0;
    }

    /// What is known of the position with this key.
    #[inline]
    pub fn get(&self, key: u64) -> Option<Known> {
        let key = key.max(1);
        for offset in 0..self.reach() {
            let group = &self.groups[self.place(key, offset)];
            if let Some(at) = group.find(key) {
                return Some(group.0[at].known);
            }
            // The first slot is filled last.
            if group.0[0].key == 0 {
                return None;
            }
        }
        None
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
            Some(slot) if slot.key == key => slot.known = learn(Some(slot.known)),
            Some(slot) => {
                *slot = Slot { key, known: learn(None) };
                self.used += 1;
                if self.may_grow() && self.used * 4 > self.groups.len() * GROUP * 3 {
                    self.grow();
                }
            }
            None => self.make_room(Slot { key, known: learn(None) }),
        }
    }

    /// The slot of this key, or the empty one where it would be; none when there is no room.
    #[inline]
    fn find(&mut self, key: u64) -> Option<&mut Slot> {
        let (group, at) = (0..self.reach()).find_map(|offset| {
            let place = self.place(key, offset);
            let group = &self.groups[place];
            let at = group.find(key).or_else(|| group.find(0));
            at.map(|at| (place, at))
        })?;
        Some(&mut self.groups[group].0[at])
    }

    /// The group to look at after `offset` others: keys of some games are not even in their
    /// low bits.
    #[inline]
    fn place(&self, key: u64, offset: usize) -> usize {
        let first = (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20) as usize;
        (first + offset) & (self.groups.len() - 1)
    }

    #[inline]
    fn reach(&self) -> usize {
        if self.may_grow() { FAR } else { NEIGHBOURS }
    }

    #[inline]
    fn may_grow(&self) -> bool {
        self.groups.len() < self.most
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

    /// Puts a new key into an empty slot, if there is one.
    #[inline]
    fn try_put(&mut self, slot: Slot) -> bool {
        for offset in 0..self.reach() {
            let place = self.place(slot.key, offset);
            if let Some(at) = self.groups[place].find(0) {
                self.groups[place].0[at] = slot;
                self.used += 1;
                return true;
            }
        }
        false
    }

    fn replace(&mut self, slot: Slot) {
        let slots = (0..NEIGHBOURS * GROUP)
            .map(|offset| (self.place(slot.key, offset / GROUP), offset % GROUP));
        let depth = |&(group, at): &(usize, usize)| self.groups[group].0[at].known.depth;
        if let Some((group, at)) = slots.min_by_key(depth) {
            self.groups[group].0[at] = slot;
        }
    }

    /// Four times as many groups. Where three of four slots are used, looking up begins to take
    /// long. Wide trees take less time than with twice as many at half of the slots, narrow ones
    /// about as much.
    #[cold]
    fn grow(&mut self) {
        let larger = vec![Group([EMPTY; GROUP]); (self.groups.len() * 4).min(self.most)];
        let old = std::mem::replace(&mut self.groups, larger);
        self.used = 0;
        for slot in old.into_iter().flat_map(|group| group.0).filter(|slot| slot.key != 0) {
            // A neighbourhood that is full even now loses one: that is allowed.
            if !self.try_put(slot) {
                self.replace(slot);
            }
        }
    }
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
