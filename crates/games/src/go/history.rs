//! The positions of a game so far, for the rules against repetition.

/// A stack of keys that can tell at once whether it holds one.
///
/// The table is open-addressed with linear probing. Keys leave it only in reverse order of
/// arrival, so clearing the slot of the last one cannot break the way to another: all that
/// were put behind it are gone already. That makes taking back exact and cheap.
#[derive(Clone, Debug)]
pub(super) struct History {
    entries: Vec<Entry>,
    /// The keys by hash; 0 is a free slot. Length a power of two, at most half full.
    slots: Vec<u64>,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    key: u64,
    /// Where in `slots` the key lies.
    place: u32,
    /// The most stones that this or an earlier position has.
    most_stones: u32,
}

impl History {
    /// The history of a game that stands at its first position.
    pub(super) fn new(key: u64, stones: u32) -> History {
        let mut history = History { entries: Vec::new(), slots: vec![0; 64] };
        history.push(key, stones);
        history
    }

    /// Adds the newest position.
    pub(super) fn push(&mut self, key: u64, stones: u32) {
        if 2 * (self.entries.len() + 1) > self.slots.len() {
            self.grow();
        }
        let most_stones = self.most_stones().max(stones);
        let place = self.take_slot(key);
        self.entries.push(Entry { key, place, most_stones });
    }

    /// Takes the newest position out again.
    pub(super) fn pop(&mut self) {
        if let Some(newest) = self.entries.pop() {
            self.slots[newest.place as usize] = 0;
        }
    }

    /// The most stones that any of the positions has.
    pub(super) fn most_stones(&self) -> u32 {
        self.entries.last().map_or(0, |newest| newest.most_stones)
    }

    /// Whether `key` is among the positions.
    pub(super) fn contains(&self, key: u64) -> bool {
        self.count(key) > 0
    }

    /// Whether the newest position was there before.
    pub(super) fn is_repeated(&self) -> bool {
        self.entries.last().is_some_and(|newest| self.count(newest.key) > 1)
    }

    fn count(&self, key: u64) -> usize {
        let key = nonzero(key);
        let met = self.probe(key).map(|place| self.slots[place]).take_while(|&k| k != 0);
        met.filter(|&k| k == key).count()
    }

    fn take_slot(&mut self, key: u64) -> u32 {
        let key = nonzero(key);
        // Half of the slots are free, so the search ends.
        let place = self.probe(key).find(|&place| self.slots[place] == 0).unwrap_or(0);
        self.slots[place] = key;
        place as u32
    }

    /// The places to look for `key`, in order.
    fn probe(&self, key: u64) -> impl Iterator<Item = usize> + use<> {
        let mask = self.slots.len() - 1;
        (0..=mask).map(move |step| (key as usize).wrapping_add(step) & mask)
    }

    fn grow(&mut self) {
        self.slots = vec![0; 2 * self.slots.len()];
        for i in 0..self.entries.len() {
            self.entries[i].place = self.take_slot(self.entries[i].key);
        }
    }

    fn keys(&self) -> impl Iterator<Item = u64> + '_ {
        self.entries.iter().map(|entry| entry.key)
    }
}

impl PartialEq for History {
    fn eq(&self, other: &History) -> bool {
        self.keys().eq(other.keys())
    }
}

/// 0 marks a free slot, so the key 0 is stored as another number.
const fn nonzero(key: u64) -> u64 {
    if key == 0 { 1 } else { key }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rng;

    #[test]
    fn holds_what_was_pushed_and_not_popped() {
        let mut rng = Rng::new(senbon_testkit::seed());
        let mut history = History::new(0, 5);
        let mut model = vec![0];
        let mut stones = vec![5];
        for _ in 0..20_000 {
            if rng.one_in(3) && model.len() > 1 {
                model.pop();
                stones.pop();
                history.pop();
            } else {
                // Few different keys, many of them in one cluster, so that they collide.
                let key = [rng.below(90) as u64, rng.next_u64() << 32][rng.below(2)];
                model.push(key);
                stones.push(rng.below(50) as u32);
                history.push(key, stones[stones.len() - 1]);
            }
            assert!(history.keys().eq(model.iter().copied()));
            assert_eq!(Some(&history.most_stones()), stones.iter().max());
            let asked = rng.below(90) as u64;
            // 0 and 1 share a slot value: the one pair of keys that is not told apart.
            let same = |key: u64| nonzero(key) == nonzero(asked);
            assert_eq!(history.contains(asked), model.iter().any(|&key| same(key)));
            let newest = nonzero(model[model.len() - 1]);
            let times = model.iter().filter(|&&key| nonzero(key) == newest).count();
            assert_eq!(history.is_repeated(), times > 1);
        }
    }
}
