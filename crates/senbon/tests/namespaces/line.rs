//! A long line between two machines: a relay that holds each packet back for a while, and loses
//! some. It does in user space what the kernel's `netem` does, which not every kernel has.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::net::{SocketAddr, UdpSocket};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use senbon_games::Rng;

use crate::net::Network;

/// What becomes of packets, in each direction.
#[derive(Clone, Copy)]
pub(crate) struct Quality {
    /// How long they take, and how much sooner or later they may come. Packets overtake each
    /// other.
    pub(crate) delay: Duration,
    pub(crate) jitter: Duration,
    /// How many in a hundred get lost.
    pub(crate) loss: usize,
}

/// Carries packets from whoever sends to its port on to a master.
pub(crate) struct Line {
    ended: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

/// Where the packets of one direction come from and go to.
struct Way {
    from: UdpSocket,
    to: UdpSocket,
    /// The worker's end, once it is known.
    worker: Arc<Mutex<Option<SocketAddr>>>,
    /// Whether this is the way to the worker.
    back: bool,
}

impl Line {
    /// A line on a machine between the two, to the master at `to`.
    pub(crate) fn new(
        network: &Network,
        machine: &str,
        to: &'static str,
        quality: Quality,
    ) -> Self {
        let ended = Arc::new(AtomicBool::new(false));
        let (seed, end) = (senbon_testkit::seed(), Arc::clone(&ended));
        let thread = network.within(machine, move || {
            let front = UdpSocket::bind("0.0.0.0:7447").unwrap();
            let behind = UdpSocket::bind("0.0.0.0:0").unwrap();
            behind.connect(to).unwrap();
            let worker = Arc::default();
            let (from, other) = (front.try_clone().unwrap(), behind.try_clone().unwrap());
            let there = Way { from, to: other, worker: Arc::clone(&worker), back: false };
            let back = Way { from: behind, to: front, worker, back: true };
            std::thread::scope(|scope| {
                scope.spawn(|| there.carry(quality, seed, &end));
                back.carry(quality, !seed, &end);
            });
        });
        Line { ended, thread: Some(thread) }
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        self.ended.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl Way {
    fn carry(&self, quality: Quality, seed: u64, ended: &AtomicBool) {
        let mut rng = Rng::new(seed);
        let mut held: BinaryHeap<Reverse<(Instant, Vec<u8>)>> = BinaryHeap::new();
        let mut buffer = [0; 65536];
        while !ended.load(Ordering::Relaxed) {
            while held.peek().is_some_and(|Reverse((due, _))| *due <= Instant::now()) {
                let Some(Reverse((_, packet))) = held.pop() else { break };
                self.send(&packet);
            }
            let next =
                held.peek().map(|Reverse((due, _))| due.saturating_duration_since(Instant::now()));
            let wait = next.unwrap_or(Duration::from_millis(50));
            let wait = wait.clamp(Duration::from_millis(1), Duration::from_millis(50));
            self.from.set_read_timeout(Some(wait)).unwrap();
            // An error says that nothing came, or that nobody listens at the other end yet.
            let Ok((size, sender)) = self.from.recv_from(&mut buffer) else { continue };
            if !self.back {
                *self.worker.lock().unwrap() = Some(sender);
            }
            if rng.below(100) >= quality.loss {
                let spread = 2 * quality.jitter.as_micros() as usize + 1;
                let more = Duration::from_micros(rng.below(spread) as u64);
                let due = Instant::now() + quality.delay - quality.jitter + more;
                held.push(Reverse((due, buffer[..size].to_vec())));
            }
        }
    }

    fn send(&self, packet: &[u8]) {
        let worker = *self.worker.lock().unwrap();
        let _ = match (self.back, worker) {
            (true, Some(worker)) => self.to.send_to(packet, worker),
            (true, None) => Ok(0),
            (false, _) => self.to.send(packet),
        };
    }
}
