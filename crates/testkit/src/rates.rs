//! Speeds compared fairly on a machine that others use too.

use std::time::Duration;
#[cfg(not(target_os = "linux"))]
use std::time::Instant;

/// One thing to measure: does some work and tells how many units it was.
pub type Contender<'a> = &'a mut dyn FnMut() -> u64;

/// Units of work a second of processor time, round by round.
///
/// Contenders take turns, so that a slow minute of the machine hits all of them.
pub struct Rates<const N: usize> {
    rounds: Vec<[f64; N]>,
}

impl<const N: usize> Rates<N> {
    /// Lets each contender work once a round, after one round that does not count.
    pub fn measure(rounds: usize, mut contenders: [Contender; N]) -> Self {
        assert!(rounds > 0, "no rounds, no median");
        let mut round = || contenders.each_mut().map(|contender| rate(&mut **contender));
        round();
        Rates { rounds: (0..rounds).map(|_| round()).collect() }
    }

    /// The median rate of a contender.
    pub fn rate(&self, contender: usize) -> f64 {
        median(self.rounds.iter().map(|rates| rates[contender]))
    }

    /// The median, over the rounds, of how many times faster `one` was than `other`.
    pub fn ratio(&self, one: usize, other: usize) -> f64 {
        median(self.ratios(one, other))
    }

    /// The 95 % interval of that median (wider if there are few rounds), whatever the
    /// distribution of the rounds: as many of them fall below the true median as a fair coin
    /// shows heads, and that says between which ranks it lies.
    pub fn ratio_interval(&self, one: usize, other: usize) -> (f64, f64) {
        let mut ratios: Vec<f64> = self.ratios(one, other).collect();
        ratios.sort_by(f64::total_cmp);
        let count = ratios.len() as f64;
        let low = ((count - 1.96 * count.sqrt()) / 2.0).floor().max(1.0) as usize - 1;
        (ratios[low], ratios[ratios.len() - 1 - low])
    }

    fn ratios(&self, one: usize, other: usize) -> impl Iterator<Item = f64> {
        self.rounds.iter().map(move |rates| rates[one] / rates[other])
    }
}

fn rate(contender: Contender) -> f64 {
    let start = thread_time();
    let units = contender();
    let taken = thread_time() - start;
    units as f64 / taken.as_secs_f64().max(1e-9)
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// Processor time that the calling thread has used.
#[cfg(target_os = "linux")]
pub fn thread_time() -> Duration {
    // The kernel brings the figure up to date when the thread offers to give way.
    std::thread::yield_now();
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = text.split(' ').next().and_then(|first| first.parse().ok());
    Duration::from_nanos(nanoseconds.expect("Linux tells a thread's processor time"))
}

/// Time since the first call: elsewhere the processor time is not to be had without help.
#[cfg(not(target_os = "linux"))]
pub fn thread_time() -> Duration {
    static START: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
    START.get_or_init(Instant::now).elapsed()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sleeping_takes_no_processor_time_and_working_does() {
        let start = thread_time();
        std::thread::sleep(Duration::from_millis(60));
        let slept = thread_time() - start;
        let mut sum = 0u64;
        while thread_time() - start < slept + Duration::from_millis(5) {
            sum = std::hint::black_box(sum + 1);
        }
        if cfg!(target_os = "linux") {
            assert!(slept < Duration::from_millis(30), "{slept:?}");
        }
    }

    #[test]
    fn the_interval_of_a_median_leaves_the_outermost_rounds_out() {
        let rates =
            |count: u32| Rates { rounds: (1..=count).map(|n| [f64::from(n), 1.0]).collect() };
        // (25 − 1.96 × 5) / 2 = 7.6: the seventh from either end. Five rounds: the outermost.
        assert_eq!(rates(25).ratio_interval(0, 1), (7.0, 19.0));
        assert_eq!(rates(5).ratio_interval(0, 1), (1.0, 5.0));
        assert_eq!(rates(1).ratio_interval(0, 1), (1.0, 1.0));
    }

    #[test]
    fn twice_the_work_in_the_same_time_is_twice_the_rate() {
        let spin = || {
            let start = thread_time();
            while thread_time() - start < Duration::from_millis(3) {}
        };
        let mut one = || {
            spin();
            1000
        };
        let mut two = || {
            spin();
            2000
        };
        let rates = Rates::measure(5, [&mut one, &mut two]);
        let ratio = rates.ratio(1, 0);
        assert!((1.6..2.5).contains(&ratio), "{ratio}");
        assert!(rates.rate(0) < 1000.0 / 0.003 * 1.01);
    }
}
