//! Who is turned away, why, and how often anybody may knock.

use std::collections::BTreeMap;
use std::time::Duration;

use super::PeerId;

/// Why somebody was turned away, as it is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Refusal {
    /// It speaks another version of the protocol.
    Version,
    /// Its hello was meant for another master: recorded, or late.
    OtherMaster,
    /// It plays another game.
    OtherGame,
    /// There are as many workers as are allowed.
    Full,
    /// It does not prove who it is.
    Proof,
    /// Its certificate says another name.
    Name,
    /// Its credentials were revoked.
    Revoked,
    /// It knocks too often, or sends too much.
    TooOften,
    /// It speaks for a session of somebody else.
    OthersSession,
    /// What it sends cannot be read.
    Malformed,
}

impl Refusal {
    /// All of them.
    pub const ALL: [Refusal; 10] = [
        Refusal::Version,
        Refusal::OtherMaster,
        Refusal::OtherGame,
        Refusal::Full,
        Refusal::Proof,
        Refusal::Name,
        Refusal::Revoked,
        Refusal::TooOften,
        Refusal::OthersSession,
        Refusal::Malformed,
    ];

    /// A few words for a list of counts.
    pub const fn name(self) -> &'static str {
        match self {
            Refusal::Version => "another version",
            Refusal::OtherMaster => "meant for another master",
            Refusal::OtherGame => "another game",
            Refusal::Full => "too many workers",
            Refusal::Proof => "no proof",
            Refusal::Name => "wrong name",
            Refusal::Revoked => "revoked",
            Refusal::TooOften => "too often",
            Refusal::OthersSession => "another's session",
            Refusal::Malformed => "unreadable",
        }
    }
}

/// Why somebody may not join.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Denial {
    /// As it is counted.
    pub kind: Refusal,
    /// For the person who runs the worker.
    pub reason: String,
}

impl Denial {
    /// Not let in, because of this.
    pub fn new(kind: Refusal, reason: impl Into<String>) -> Self {
        Denial { kind, reason: reason.into() }
    }
}

/// Lets so many things through in a second, and so many at once after a pause.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rate {
    /// Time that one takes.
    each: Duration,
    /// How far ahead of time they may come.
    ahead: Duration,
    /// When what came so far would be through, one after the other.
    through: Duration,
}

impl Rate {
    pub(super) const fn new(each: Duration, at_once: u32) -> Self {
        Rate { each, ahead: each.saturating_mul(at_once), through: Duration::ZERO }
    }

    /// Whether one more may come now.
    pub(super) fn allows(&mut self, now: Duration) -> bool {
        let begins = self.through.max(now);
        let allowed = begins <= now + self.ahead;
        if allowed {
            self.through = begins + self.each;
        }
        allowed
    }

    fn is_idle(&self, now: Duration) -> bool {
        self.through <= now
    }
}

/// Hellos of one machine, which may have a thousand engines, and of all together.
const HELLO: Rate = Rate::new(Duration::from_millis(5), 2_048);
const ALL_HELLOS: Rate = Rate::new(Duration::from_millis(1), 8_192);
/// Frames of one session: more than any engine has to say.
pub(super) const FRAMES: Rate = Rate::new(Duration::from_micros(20), 50_000);
/// Machines whose hellos are counted.
const MOST_KNOCKING: usize = 8_192;

/// Counts who is turned away, and how often each machine knocks.
#[derive(Clone, Debug)]
pub(super) struct Gate {
    knocking: BTreeMap<PeerId, Rate>,
    all: Rate,
    counts: BTreeMap<Refusal, u64>,
}

impl Gate {
    pub(super) fn new() -> Self {
        Gate { knocking: BTreeMap::new(), all: ALL_HELLOS, counts: BTreeMap::new() }
    }

    pub(super) fn count(&mut self, kind: Refusal) {
        *self.counts.entry(kind).or_default() += 1;
    }

    pub(super) fn counts(&self) -> &BTreeMap<Refusal, u64> {
        &self.counts
    }

    /// Whether a machine may knock now. If not it is not answered: that would be work, too.
    pub(super) fn may_knock(&mut self, now: Duration, peer: PeerId) -> bool {
        if self.knocking.len() >= MOST_KNOCKING {
            self.knocking.retain(|_, rate| !rate.is_idle(now));
        }
        let known = self.knocking.contains_key(&peer) || self.knocking.len() < MOST_KNOCKING;
        let allowed =
            known && self.knocking.entry(peer).or_insert(HELLO).allows(now) && self.all.allows(now);
        if !allowed {
            self.count(Refusal::TooOften);
        }
        allowed
    }
}
