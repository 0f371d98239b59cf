//! Many scenarios on all cores, until one breaks a promise or the time is up.

use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use crate::check::{Breach, Promise};
use crate::scenario::{Options, Planted, Ran, run_caught};

/// Every so many seeds are run twice, and must leave the same trace.
const TWICE_ONE_IN: u64 = 16;

/// What a swarm came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Seeds run.
    pub seeds: u64,
    /// Events in all of them.
    pub events: u64,
    /// Searches answered in all of them.
    pub answers: u64,
    /// Virtual time of all of them.
    pub time: Duration,
    /// Longest time from the healing until every worker had work.
    pub slowest: Duration,
    /// The seeds that broke a promise, and which, in their order.
    pub broken: Vec<(u64, Breach)>,
}

impl Tally {
    fn count(&mut self, seed: u64, ran: Ran) {
        self.seeds += 1;
        self.events += ran.events;
        self.answers += ran.answers as u64;
        self.time += ran.time;
        self.slowest = self.slowest.max(ran.converged.unwrap_or_default());
        self.broken.extend(ran.breach.map(|breach| (seed, breach)));
    }
}

/// Runs the seeds on `threads` threads. `tell` hears how it stands after each of them, and
/// ends the swarm by returning false: seeds not begun are left out then.
pub fn swarm(
    seeds: Range<u64>,
    threads: usize,
    planted: Option<Planted>,
    tell: impl FnMut(&Tally) -> bool + Send,
) -> Tally {
    let next = AtomicU64::new(seeds.start);
    let over = AtomicBool::new(false);
    let state = Mutex::new((Tally::default(), tell));
    let work = || {
        while !over.load(Relaxed) {
            let seed = next.fetch_add(1, Relaxed);
            if seed >= seeds.end {
                break;
            }
            let ran = run_seed(seed, planted);
            let mut state = state.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            let (tally, tell) = &mut *state;
            tally.count(seed, ran);
            if !tell(tally) {
                over.store(true, Relaxed);
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            scope.spawn(work);
        }
    });
    let (mut tally, _) = state.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    tally.broken.sort_by_key(|(seed, _)| *seed);
    tally
}

/// Runs the standard scenario of a seed; some of them twice (promise 7).
pub fn run_seed(seed: u64, planted: Option<Planted>) -> Ran {
    let options = Options::draw(seed);
    let mut ran = run_caught(&options, planted, None);
    if ran.breach.is_none() && seed.is_multiple_of(TWICE_ONE_IN) {
        let again = run_caught(&options, planted, None);
        if again.trace != ran.trace || again.events != ran.events {
            let what = format!("two traces of one seed: {:016x}, {:016x}", ran.trace, again.trace);
            ran.breach = Some(Breach { promise: Promise::Repeatable, at: ran.time, what });
        }
    }
    ran
}
