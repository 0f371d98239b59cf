//! The positions of a game so far, for the rules against repetition.

/// A stack of keys that can tell at once whether it holds one.
///
/// The table is open-addressed with linear probing. Keys leave it only in reverse order of
/// arrival, so clearing the slot of the last one cannot break the way to another: all that
/// were put behind it are gone already. That makes taking back exact and cheap.
#[derive(Clone, Debug)]
pub(super) struct History {
    keys: Vec<u64>,
    /// Where in `slots` each of `keys` lies.
    places: Vec<u32>,
    /// The keys by hash; 0 is a free slot. Length a power of two, at most half full.
    slots: Vec<u64>,
}

impl History {
    /// The history of a game that stands at its first position.
    pub(super) fn new(first: u64) -> History {
        let mut history = History { keys: Vec::new(), places: Vec::new(), slots: vec![0; 64] };
        history.push(first);
        history
    }

    /// Adds the newest position.
    pub(super) fn push(&mut self, key: u64) {
        if 2 * (self.keys.len() + 1) > self.slots.len() {
            self.grow();
        }
        let place = self.free_slot(key);
        self.slots[place] = nonzero(key);
        self.keys.push(key);
        self.places.push(place as u32);
    }

    /// Takes the newest position out again.
    pub(super) fn pop(&mut self) {
        self.keys.pop();
        if let Some(place) = self.places.pop() {
            self.slots[place as usize] = 0;
        }
    }

    /// Whether `key` is among the positions.
    pub(super) fn contains(&self, key: u64) -> bool {
        self.count(key) > 0
    }

    /// Whether the newest position was there before.
    pub(super) fn is_repeated(&self) -> bool {
        self.keys.last().is_some_and(|&newest| self.count(newest) > 1)
    }

    fn count(&self, key: u64) -> usize {
        let key = nonzero(key);
        self.probe(key)
            .map(|place| self.slots[place])
            .take_while(|&k| k != 0)
            .filter(|&k| k == key)
            .count()
    }

    fn free_slot(&self, key: u64) -> usize {
        // Half of the slots are free, so the search ends.
        self.probe(nonzero(key)).find(|&place| self.slots[place] == 0).unwrap_or(0)
    }

    /// The places to look for `key`, in order.
    fn probe(&self, key: u64) -> impl Iterator<Item = usize> + use<> {
        let mask = self.slots.len() - 1;
        (0..=mask).map(move |step| (key as usize).wrapping_add(step) & mask)
    }

    fn grow(&mut self) {
        self.slots = vec![0; 2 * self.slots.len()];
        for i in 0..self.keys.len() {
            let place = self.free_slot(self.keys[i]);
            self.slots[place] = nonzero(self.keys[i]);
            self.places[i] = place as u32;
        }
    }
}

impl PartialEq for History {
    fn eq(&self, other: &History) -> bool {
        self.keys == other.keys
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
        let mut history = History::new(0);
        let mut model = vec![0];
        for _ in 0..20_000 {
            if rng.one_in(3) && model.len() > 1 {
                model.pop();
                history.pop();
            } else {
                // Few different keys, many of them in one cluster, so that they collide.
                let key = [rng.below(90) as u64, rng.next_u64() << 32][rng.below(2)];
                model.push(key);
                history.push(key);
            }
            assert_eq!(history.keys, model);
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
