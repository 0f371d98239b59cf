//! How far a long experiment has come.

use std::time::Duration;

/// Pieces of work done so far.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// Of all runs.
    pub done: usize,
    /// By this run.
    pub fresh: usize,
    /// To be done in all.
    pub total: usize,
    /// Since this run began.
    pub time: Duration,
}

impl Progress {
    /// How long the rest will take, by the pace of this run.
    pub fn remaining(&self) -> Option<Duration> {
        let left = self.total.saturating_sub(self.done);
        (self.fresh > 0).then(|| self.time.mul_f64(left as f64 / self.fresh as f64))
    }

    /// Pieces a second in this run.
    pub fn rate(&self) -> Option<f64> {
        let seconds = self.time.as_secs_f64();
        (self.fresh > 0 && seconds > 0.0).then(|| self.fresh as f64 / seconds)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_work_of_this_run_counts_for_its_pace() {
        let time = Duration::from_secs(10);
        let progress = Progress { done: 80, fresh: 20, total: 100, time };
        assert_eq!(progress.remaining(), Some(Duration::from_secs(10)));
        assert_eq!(progress.rate(), Some(2.0));
        let idle = Progress { fresh: 0, ..progress };
        assert_eq!((idle.remaining(), idle.rate()), (None, None));
    }
}
