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
        median(self.rounds.iter().map(|rates| rates[one] / rates[other]))
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
