//! Who is connected, and how much of our time each may take.

use std::collections::BTreeSet;
use std::time::Duration;

use senbon_engines::csa::{GameName, Turn};

/// The number of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Conn(pub u64);

/// How many, how long, how fast.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Connections at a time.
    pub connections: usize,
    /// Of these, from one address.
    pub per_address: usize,
    /// Accounts that may be made by logging in.
    pub accounts: usize,
    /// Who has not logged in by then is sent away.
    pub silence: Duration,
    /// Lines a second that a connection may send in the long run; a burst may have a hundred.
    pub lines: u32,
}

impl Default for Limits {
    fn default() -> Self {
        let silence = Duration::from_secs(30);
        Limits { connections: 256, per_address: 32, accounts: 10_000, silence, lines: 20 }
    }
}

/// Lines in a burst.
const BURST: u32 = 100;

/// A bucket that leaks: every line pours something in, and what is in it runs out with time.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Bucket {
    level: Duration,
    at: Duration,
}

impl Bucket {
    /// Pours in; false if it is full.
    pub(super) fn pour(&mut self, now: Duration, amount: Duration, size: Duration) -> bool {
        self.level = self.level.saturating_sub(now.saturating_sub(self.at)) + amount;
        self.at = self.at.max(now);
        self.level <= size
    }

    /// Whether a line fits in.
    pub(super) fn line(&mut self, now: Duration, limits: &Limits) -> bool {
        let each = Duration::from_secs(1) / limits.lines.max(1);
        self.pour(now, each, each * BURST)
    }

    /// Whether another wrong password fits in: ten at once, then one in six seconds.
    pub(super) fn failure(&mut self, now: Duration) -> bool {
        self.pour(now, Duration::from_secs(6), Duration::from_secs(60))
    }

    /// Whether another new account fits in: thirty at once, then one in two seconds.
    pub(super) fn account(&mut self, now: Duration) -> bool {
        self.pour(now, Duration::from_secs(2), Duration::from_secs(60))
    }

    /// Nothing is left in it.
    pub(super) fn is_empty(&self, now: Duration) -> bool {
        self.level <= now.saturating_sub(self.at)
    }
}

/// How far somebody is with logging in.
#[derive(Debug)]
pub(super) enum Stage {
    /// Has said nothing yet.
    New,
    /// The password is being looked at.
    Checking {
        name: String,
        /// The kind of game that was asked for, and the side.
        wish: Wish,
    },
    /// Logged in.
    In(String),
    /// Is being sent away.
    Gone,
}

/// What a player wants to play.
#[derive(Clone, Debug)]
pub(super) struct Wish {
    pub(super) game: GameName,
    pub(super) turn: Turn,
}

/// Somebody who is connected.
#[derive(Debug)]
pub(super) struct Guest {
    pub(super) address: String,
    pub(super) opened: Duration,
    pub(super) stage: Stage,
    pub(super) extended: bool,
    pub(super) wish: Option<Wish>,
    pub(super) bucket: Bucket,
    /// Games whose moves it is told of.
    pub(super) watches: BTreeSet<String>,
}

impl Guest {
    pub(super) fn new(address: &str, opened: Duration) -> Self {
        Guest {
            address: address.to_owned(),
            opened,
            stage: Stage::New,
            extended: false,
            wish: None,
            bucket: Bucket::default(),
            watches: BTreeSet::new(),
        }
    }

    pub(super) fn name(&self) -> Option<&str> {
        match &self.stage {
            Stage::In(name) => Some(name),
            _ => None,
        }
    }
}
