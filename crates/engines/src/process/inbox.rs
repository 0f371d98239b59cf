//! What an engine's thread hears of: orders first, then what the engine said.
//!
//! An engine may talk faster than anybody can listen. Its lines wait in a bounded queue, and
//! whoever reads them from the pipe waits for room; an order never does, or a flood of lines
//! would keep the `stop` from the engine.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use senbon_core::Order;
use senbon_games::Game;

use crate::Line;

/// Lines that may wait.
const MOST_LINES: usize = 256;
/// Orders that may wait. The newest search replaces those before it, so few ever do.
const MOST_ORDERS: usize = 64;

/// What the engine's process said, and in which of its runs.
pub(super) enum Heard {
    Line(u32, Line),
    Complaint(String),
    Closed(u32),
}

/// What comes next.
pub(super) enum Next<G: Game> {
    Quit,
    Order(Order<G>),
    Heard(Heard),
    /// Nothing did, in the time given.
    Nothing,
}

/// The queues; clones share them.
pub(super) struct Inbox<G: Game>(Arc<Shared<G>>);

struct Shared<G: Game> {
    queues: Mutex<Queues<G>>,
    /// Something came, or there is room again.
    changed: Condvar,
}

struct Queues<G: Game> {
    quit: bool,
    /// Nobody listens any more.
    closed: bool,
    orders: VecDeque<Order<G>>,
    heard: VecDeque<Heard>,
}

impl<G: Game> Clone for Inbox<G> {
    fn clone(&self) -> Self {
        Inbox(Arc::clone(&self.0))
    }
}

impl<G: Game> Inbox<G> {
    pub(super) fn new() -> Self {
        let queues =
            Queues { quit: false, closed: false, orders: VecDeque::new(), heard: VecDeque::new() };
        Inbox(Arc::new(Shared { queues: Mutex::new(queues), changed: Condvar::new() }))
    }

    /// Hands an order over, at once. False when nobody listens any more.
    pub(super) fn order(&self, order: Order<G>) -> bool {
        let mut queues = self.lock();
        if matches!(order, Order::Search(_)) {
            // What was asked before it does not matter any more, except that a game began.
            queues.orders.retain(|waiting| matches!(waiting, Order::NewGame));
        }
        if queues.orders.len() >= MOST_ORDERS {
            queues.orders.pop_front();
        }
        queues.orders.push_back(order);
        self.0.changed.notify_all();
        !queues.closed
    }

    /// Hands over what the engine said; waits for room. False when nobody listens any more.
    pub(super) fn hear(&self, heard: Heard) -> bool {
        let mut queues = self.lock();
        while queues.heard.len() >= MOST_LINES && !queues.closed {
            queues = self.0.changed.wait(queues).unwrap_or_else(PoisonError::into_inner);
        }
        if queues.closed {
            return false;
        }
        queues.heard.push_back(heard);
        self.0.changed.notify_all();
        true
    }

    /// Tells the thread to end.
    pub(super) fn quit(&self) {
        self.lock().quit = true;
        self.0.changed.notify_all();
    }

    /// Nobody will listen from now on.
    pub(super) fn close(&self) {
        let mut queues = self.lock();
        queues.closed = true;
        queues.heard.clear();
        self.0.changed.notify_all();
    }

    /// What comes next, waiting for it at most so long.
    pub(super) fn next(&self, wait: Duration) -> Next<G> {
        let until = Instant::now() + wait;
        let mut queues = self.lock();
        loop {
            if queues.quit {
                return Next::Quit;
            }
            if let Some(order) = queues.orders.pop_front() {
                return Next::Order(order);
            }
            if let Some(heard) = queues.heard.pop_front() {
                self.0.changed.notify_all();
                return Next::Heard(heard);
            }
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Next::Nothing;
            }
            let waited = self.0.changed.wait_timeout(queues, left);
            queues = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    fn lock(&self) -> MutexGuard<'_, Queues<G>> {
        self.0.queues.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use senbon_core::{Epoch, Limits, Place, Search};
    use senbon_games::Notation;
    use senbon_games::chess::Chess;

    use super::*;

    fn search(epoch: u64) -> Order<Chess> {
        let (place, limits) = (Place::new(Chess::start()), Limits::default());
        Order::Search(Search { epoch: Epoch(epoch), place, only: Vec::new(), lines: 1, limits })
    }

    #[test]
    fn an_order_passes_a_flood_of_lines() {
        let inbox: Inbox<Chess> = Inbox::new();
        let flood = inbox.clone();
        let flooder = std::thread::spawn(move || {
            let mut sent = 0;
            while flood.hear(Heard::Line(1, Line::TooLong)) {
                sent += 1;
            }
            sent
        });
        for _ in 0..2 * MOST_LINES {
            assert!(matches!(inbox.next(Duration::from_secs(60)), Next::Heard(_)));
        }
        for epoch in 0..1_000 {
            assert!(inbox.order(Order::NewGame) && inbox.order(search(epoch)));
        }
        let mut last = None;
        for _ in 0..MOST_ORDERS {
            match inbox.next(Duration::from_secs(60)) {
                Next::Order(Order::Search(search)) => last = Some(search.epoch),
                Next::Order(_) => {}
                _ => panic!("orders come first"),
            }
        }
        assert_eq!(last, Some(Epoch(999)));
        inbox.close();
        let sent = flooder.join().unwrap();
        assert!((2 * MOST_LINES..=3 * MOST_LINES).contains(&sent), "{sent}");
        assert!(!inbox.order(search(1)));
    }
}
