//! What goes wrong.

use senbon_games::Rng;

/// How much goes wrong, drawn by a seed: chances are in thousandths.
#[derive(Clone, Debug)]
pub struct Faults {
    rng: Rng,
    /// A message takes up to so many times its usual time.
    pub delay: u64,
    /// A finding arrives twice.
    pub twice: u32,
    /// At the end of a search the worker's process dies; it comes back as a new one.
    pub dies: u32,
    /// After it has read its mail a foreman's process dies. Its workers go to other foremen; it
    /// comes back as a new one.
    pub foreman_dies: u32,
    /// At the end of a search the worker stands still for up to a hundred latencies.
    pub stands_still: u32,
    /// Some workers are up to so many times slower than others.
    pub slower: u64,
    /// So many of the workers join later, one by one.
    pub late: usize,
}

impl Faults {
    /// Nothing goes wrong.
    pub fn none() -> Self {
        let (delay, twice, dies, foreman_dies, stands_still) = (1, 0, 0, 0, 0);
        let (slower, late) = (1, 0);
        let rng = Rng::new(1);
        Faults { rng, delay, twice, dies, foreman_dies, stands_still, slower, late }
    }

    /// Drawn by `seed`, for a field of `workers`.
    pub fn drawn(seed: u64, workers: usize) -> Self {
        let mut rng = Rng::new(seed);
        let mut some = |most: usize| if rng.below(2) == 0 { 0 } else { rng.below(most) };
        let (delay, twice) = (1 + some(20) as u64, some(300) as u32);
        let (dies, stands_still) = (some(80) as u32, some(80) as u32);
        let (slower, late) = (1 + some(10) as u64, some(workers.max(1)));
        let foreman_dies = some(40) as u32;
        let rng = Rng::new(seed ^ 0x5eed);
        Faults { rng, delay, twice, dies, foreman_dies, stands_still, slower, late }
    }

    pub(super) fn happens(&mut self, chance: u32) -> bool {
        chance > 0 && self.rng.below(1_000) < chance as usize
    }

    pub(super) fn latency(&mut self, usual: u64) -> u64 {
        if self.delay <= 1 {
            return usual;
        }
        usual + self.rng.below((usual * (self.delay - 1)) as usize + 1) as u64
    }

    pub(super) fn up_to(&mut self, most: u64) -> u64 {
        self.rng.below(most as usize + 1) as u64
    }
}
