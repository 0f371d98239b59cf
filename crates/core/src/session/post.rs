//! Letters that arrive, each once and in order, over a network that loses, doubles and mixes.
//!
//! A window of letters is on its way. When the first of them is not acknowledged in time, all
//! are sent again: that is little, and what had arrived early was kept.

use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

use senbon_games::Game;

use crate::Order;

/// Bytes that may be on their way to one end. A frozen worker gets no more than this, so that
/// it cannot clog the way to the others.
pub const WINDOW_BYTES: usize = 32 * 1024;
/// Letters that may be on their way.
pub const WINDOW_LETTERS: usize = 64;
/// Letters that may wait for the window. An end that lets more pile up is as good as gone.
pub const MOST_WAITING: usize = 256;

/// How a letter stands to those that wait before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weight {
    /// Must arrive whatever follows.
    Lasting,
    /// Is worth nothing once a [`Weight::Replacing`] one follows.
    Passing,
    /// Takes the place of all passing ones and of earlier ones of its kind that still wait.
    Replacing,
}

impl Weight {
    /// That of an order: what was asked before a search does not matter any more, except that
    /// a game began.
    pub fn of<G: Game>(order: &Order<G>) -> Self {
        match order {
            Order::Search(_) => Weight::Replacing,
            // Later sheets build on earlier ones.
            Order::NewGame | Order::Tasks(_) => Weight::Lasting,
            Order::Stop(_) | Order::PonderHit(_) | Order::Harvest { .. } => Weight::Passing,
        }
    }
}

/// The end that sends.
#[derive(Clone, Debug, Default)]
pub(crate) struct Outbox {
    /// Number of the first letter on its way.
    first: u64,
    /// Letters on their way.
    away: VecDeque<Vec<u8>>,
    away_bytes: usize,
    /// How many of them need not be sent now.
    sent: usize,
    /// When the first of them is given up for lost.
    due: Option<Duration>,
    waiting: VecDeque<(Weight, Vec<u8>)>,
}

impl Outbox {
    /// Takes a letter. False when too many wait.
    pub(crate) fn push(&mut self, weight: Weight, content: Vec<u8>) -> bool {
        if weight == Weight::Replacing {
            self.waiting.retain(|(weight, _)| *weight == Weight::Lasting);
        }
        self.waiting.push_back((weight, content));
        self.waiting.len() <= MOST_WAITING
    }

    /// All letters below `arrived` have arrived. False when so many were never sent.
    pub(crate) fn acknowledge(&mut self, now: Duration, patience: Duration, arrived: u64) -> bool {
        // Some may have been given up for lost although they had only been late.
        if arrived > self.first + self.away.len() as u64 {
            return false;
        }
        while self.first < arrived {
            self.first += 1;
            self.sent = self.sent.saturating_sub(1);
            self.away_bytes -= self.away.pop_front().map_or(0, |letter| letter.len());
            self.due = (self.sent > 0).then(|| now + patience);
        }
        true
    }

    /// The next letter to be sent, with its number.
    pub(crate) fn poll(&mut self, now: Duration, patience: Duration) -> Option<(u64, Vec<u8>)> {
        if self.due.is_some_and(|due| due <= now) {
            self.sent = 0;
            self.due = None;
        }
        if self.sent == self.away.len() {
            let (_, letter) = self.waiting.front()?;
            let fits = self.away_bytes + letter.len() <= WINDOW_BYTES || self.away.is_empty();
            if !fits || self.away.len() >= WINDOW_LETTERS {
                return None;
            }
            let (_, letter) = self.waiting.pop_front()?;
            self.away_bytes += letter.len();
            self.away.push_back(letter);
        }
        let number = self.first + self.sent as u64;
        let letter = self.away.get(self.sent)?.clone();
        self.sent += 1;
        self.due.get_or_insert(now + patience);
        Some((number, letter))
    }

    /// When a letter is given up for lost.
    pub(crate) fn due(&self) -> Option<Duration> {
        self.due
    }

    /// The number that the next letter taken will have.
    pub(crate) fn next_number(&self) -> u64 {
        self.first + (self.away.len() + self.waiting.len()) as u64
    }

    /// Whether everything has arrived.
    pub(crate) fn is_empty(&self) -> bool {
        self.away.is_empty() && self.waiting.is_empty()
    }
}

/// The end that receives.
#[derive(Clone, Debug, Default)]
pub(crate) struct Inbox {
    /// The number of the letter that is handed out next.
    next: u64,
    /// Letters that came before an earlier one; not more than a window.
    early: BTreeMap<u64, Vec<u8>>,
}

impl Inbox {
    /// A letter came, perhaps not for the first time. One that nobody could have sent yet is
    /// left aside.
    pub(crate) fn take(&mut self, number: u64, content: Vec<u8>) {
        let window = self.next..self.next + WINDOW_LETTERS as u64;
        if window.contains(&number) {
            self.early.entry(number).or_insert(content);
        }
    }

    /// The next letter, if it is there.
    pub(crate) fn poll(&mut self) -> Option<Vec<u8>> {
        let content = self.early.remove(&self.next)?;
        self.next += 1;
        Some(content)
    }

    /// All letters below this number have arrived.
    pub(crate) fn arrived(&self) -> u64 {
        self.next
    }
}
