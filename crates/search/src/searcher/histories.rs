//! What earlier parts of the search taught about quiet moves and captures.

use senbon_games::{Side, Tactics};

/// Largest absolute value of a counter; each update pulls it back in proportion.
const CEILING: i32 = 16_384;

/// Largest number of slots for which pairs of moves are remembered, to bound the memory.
const PAIR_SLOTS: usize = 2_304;

/// Counters of how moves fared, by kind of move ([`Tactics::history_slot`]).
pub(super) struct Histories {
    slots: usize,
    /// Quiet moves by side.
    quiet: Vec<i16>,
    /// Noisy moves by side.
    noisy: Vec<i16>,
    /// Quiet moves as answers to one of the last moves; empty for games with many slots.
    pair: Vec<i16>,
    /// The quiet move that last refuted a move.
    refutation: Vec<u16>,
}

impl Histories {
    pub(super) fn new<G: Tactics>() -> Self {
        let slots = G::HISTORY_SLOTS;
        let pairs = if slots <= PAIR_SLOTS { 2 * slots * slots } else { 0 };
        Histories {
            slots,
            quiet: vec![0; 2 * slots],
            noisy: vec![0; 2 * slots],
            pair: vec![0; pairs],
            refutation: vec![0; 2 * slots],
        }
    }

    pub(super) fn clear(&mut self) {
        self.quiet.fill(0);
        self.noisy.fill(0);
        self.pair.fill(0);
        self.refutation.fill(0);
    }

    /// How a quiet move fared by itself and as an answer to the moves one and two plies ago.
    pub(super) fn quiet(&self, side: Side, slot: usize, before: [Option<usize>; 2]) -> i32 {
        let mut sum = i32::from(self.quiet[side.index() * self.slots + slot]);
        for previous in before.into_iter().flatten() {
            if let Some(&count) = self.pair.get(self.pair_index(side, previous, slot)) {
                sum += i32::from(count);
            }
        }
        sum
    }

    pub(super) fn noisy(&self, side: Side, slot: usize) -> i32 {
        i32::from(self.noisy[side.index() * self.slots + slot])
    }

    pub(super) fn reward_quiet(
        &mut self,
        side: Side,
        slot: usize,
        before: [Option<usize>; 2],
        bonus: i32,
    ) {
        pull(&mut self.quiet[side.index() * self.slots + slot], bonus);
        for previous in before.into_iter().flatten() {
            let index = self.pair_index(side, previous, slot);
            if let Some(count) = self.pair.get_mut(index) {
                pull(count, bonus);
            }
        }
    }

    pub(super) fn reward_noisy(&mut self, side: Side, slot: usize, bonus: i32) {
        pull(&mut self.noisy[side.index() * self.slots + slot], bonus);
    }

    fn pair_index(&self, side: Side, previous: usize, slot: usize) -> usize {
        (side.index() * self.slots + previous) * self.slots + slot
    }

    /// Code of the move that last refuted `previous`, 0 for none.
    pub(super) fn refutation(&self, side: Side, previous: Option<usize>) -> u16 {
        previous.map_or(0, |slot| self.refutation[side.index() * self.slots + slot])
    }

    pub(super) fn refute(&mut self, side: Side, previous: Option<usize>, code: u16) {
        if let Some(slot) = previous {
            self.refutation[side.index() * self.slots + slot] = code;
        }
    }
}

/// Moves `count` by `bonus`, less the nearer it is to the ceiling already.
fn pull(count: &mut i16, bonus: i32) {
    let bonus = bonus.clamp(-CEILING, CEILING);
    let old = i32::from(*count);
    *count = (old + bonus - old * bonus.abs() / CEILING) as i16;
}

#[cfg(test)]
mod tests {
    use super::pull;

    #[test]
    fn counters_stay_in_bounds_and_recover() {
        let mut count = 0;
        for _ in 0..1000 {
            pull(&mut count, 3_000);
        }
        assert!((15_000..=16_384).contains(&count), "{count}");
        for _ in 0..1000 {
            pull(&mut count, -3_000);
        }
        assert!((-16_384..=-15_000).contains(&count), "{count}");
    }
}
