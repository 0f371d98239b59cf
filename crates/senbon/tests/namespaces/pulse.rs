//! Whether the machine that runs the tests stands still: what is lost then says nothing of what
//! is tested.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// How often is looked.
const EVERY: Duration = Duration::from_millis(5);

/// Sleeps and looks how long it really was.
pub(crate) struct Pulse {
    longest: Arc<AtomicU64>,
    ended: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Pulse {
    pub(crate) fn start() -> Self {
        let (longest, ended) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicBool::new(false)));
        let (most, end) = (Arc::clone(&longest), Arc::clone(&ended));
        let thread = std::thread::spawn(move || {
            while !end.load(Ordering::Relaxed) {
                let began = Instant::now();
                std::thread::sleep(EVERY);
                let late = began.elapsed().saturating_sub(EVERY).as_millis() as u64;
                most.fetch_max(late, Ordering::Relaxed);
            }
        });
        Pulse { longest, ended, thread: Some(thread) }
    }

    /// The longest standstill since this was last asked.
    pub(crate) fn longest(&self) -> Duration {
        Duration::from_millis(self.longest.swap(0, Ordering::Relaxed))
    }
}

impl Drop for Pulse {
    fn drop(&mut self) {
        self.ended.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
