//! One session as either end sees it: letters both ways, signs of life, progress.

use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

use super::post::{Inbox, Outbox, Weight};
use super::{Body, Frame, SessionId};
use crate::Fault;

/// Signs of life in one lease.
const BEATS: u32 = 4;
/// Progress of the same rank is told at most this often.
const PROGRESS_PAUSE: Duration = Duration::from_millis(20);
/// Ranks whose progress may wait to be told.
const MOST_PENDING: usize = 64;
/// That a letter arrived is told after this long if nothing else is said meanwhile that tells
/// it along; at once when so many have come. Well below the least patience with letters.
const ACKNOWLEDGING: Duration = Duration::from_millis(5);
const MOST_UNTOLD: u32 = 16;
/// Letters are given up for lost no sooner and no later than this.
const LEAST_PATIENCE: Duration = Duration::from_millis(60);
const MOST_PATIENCE: Duration = Duration::from_millis(400);

/// What came from the other end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Heard {
    /// A letter or progress.
    Content(Vec<u8>),
    /// The other end leaves, or makes no sense.
    Left(Fault),
}

/// A session that has begun.
#[derive(Clone, Debug)]
pub(crate) struct Talk {
    session: SessionId,
    lease: Duration,
    outbox: Outbox,
    inbox: Inbox,
    heard: VecDeque<Heard>,
    /// When the other end last gave a sign of life.
    last_heard: Duration,
    /// When we have to give the next one.
    next_beat: Duration,
    /// Letters that the other end does not know to have arrived, and when it has to be told.
    untold: u32,
    tell_by: Option<Duration>,
    /// The newest clock of the other end, and when it came.
    their_clock: Option<(Duration, Duration)>,
    round_trip: Option<Duration>,
    /// How much it varies.
    variation: Duration,
    /// The newest progress of each rank since the last letter, and whether it was told.
    progress: BTreeMap<usize, (Vec<u8>, bool)>,
    /// Whether any of it was not told yet.
    pending: bool,
    told_progress: u64,
    next_progress: Duration,
    /// The number that is expected of the next progress of the other end.
    heard_progress: u64,
}

impl Talk {
    pub(crate) fn new(now: Duration, session: SessionId, lease: Duration) -> Self {
        Talk {
            session,
            lease,
            outbox: Outbox::default(),
            inbox: Inbox::default(),
            heard: VecDeque::new(),
            last_heard: now,
            next_beat: now,
            untold: 0,
            tell_by: None,
            their_clock: None,
            round_trip: None,
            variation: Duration::ZERO,
            progress: BTreeMap::new(),
            pending: false,
            told_progress: 0,
            next_progress: now,
            heard_progress: 0,
        }
    }

    pub(crate) fn session(&self) -> SessionId {
        self.session
    }

    /// How long a message takes there and back, smoothed; not known at first.
    pub(crate) fn round_trip(&self) -> Option<Duration> {
        self.round_trip
    }

    /// How long it takes at most, as far as can be told: the mean and four times the variation.
    pub(crate) fn longest_round_trip(&self) -> Option<Duration> {
        self.round_trip.map(|mean| mean + self.variation * 4)
    }

    /// Sends what must arrive. False when the other end takes too little.
    pub(crate) fn send(&mut self, weight: Weight, content: Vec<u8>) -> bool {
        // The last word on a search must not get lost, and must not come after its end. What
        // was told already may not have arrived.
        for (_, (progress, _)) in std::mem::take(&mut self.progress) {
            self.outbox.push(Weight::Lasting, progress);
        }
        self.pending = false;
        self.outbox.push(weight, content)
    }

    /// Sends what a newer one of the same rank may replace.
    pub(crate) fn send_progress(&mut self, rank: usize, content: Vec<u8>) {
        if self.progress.len() < MOST_PENDING || self.progress.contains_key(&rank) {
            self.progress.insert(rank, (content, false));
            self.pending = true;
        }
    }

    /// Forgets the progress so far: another search began.
    pub(crate) fn forget_progress(&mut self) {
        self.progress.clear();
        self.pending = false;
    }

    /// Whether everything that must arrive has arrived.
    pub(crate) fn is_delivered(&self) -> bool {
        self.outbox.is_empty() && !self.pending
    }

    /// A frame of this session has come.
    pub(crate) fn handle(&mut self, now: Duration, body: Body) {
        self.last_heard = self.last_heard.max(now);
        match body {
            Body::Letter { number, arrived, content } => {
                self.acknowledge(now, arrived);
                self.untold += 1;
                let pause = if self.untold < MOST_UNTOLD { ACKNOWLEDGING } else { Duration::ZERO };
                let by = now + pause;
                self.tell_by = Some(self.tell_by.map_or(by, |before| before.min(by)));
                self.inbox.take(number, content);
                while let Some(content) = self.inbox.poll() {
                    self.heard.push_back(Heard::Content(content));
                }
            }
            Body::Progress { number, after, content } => {
                if number >= self.heard_progress && after >= self.inbox.arrived() {
                    self.heard_progress = number.saturating_add(1);
                    self.heard.push_back(Heard::Content(content));
                }
            }
            Body::Beat { arrived, clock, echo } => {
                self.acknowledge(now, arrived);
                self.their_clock = Some((clock, now));
                if let Some((clock, ago)) = echo {
                    self.measure(now.saturating_sub(clock).saturating_sub(ago));
                }
            }
            Body::Leave(fault) => self.heard.push_back(Heard::Left(fault)),
            // Doubles from the beginning of the session.
            Body::Refuse { .. }
            | Body::Hello(_)
            | Body::Welcome { .. }
            | Body::Challenge(_)
            | Body::Proof(_) => {}
        }
    }

    fn acknowledge(&mut self, now: Duration, arrived: u64) {
        if !self.outbox.acknowledge(now, self.patience(), arrived) {
            let why = format!("acknowledged letter {arrived}, which was never sent");
            self.heard.push_back(Heard::Left(Fault::Nonsense(why)));
        }
    }

    /// An eighth of the new measurement and the rest of the old ones, and a quarter of how far
    /// it was off, as TCP does it (RFC 6298).
    fn measure(&mut self, round_trip: Duration) {
        let round_trip = round_trip.min(self.lease);
        self.round_trip = Some(match self.round_trip {
            None => {
                self.variation = round_trip / 2;
                round_trip
            }
            Some(old) => {
                self.variation = (self.variation * 3 + old.abs_diff(round_trip)) / 4;
                (old * 7 + round_trip) / 8
            }
        });
    }

    fn patience(&self) -> Duration {
        let usual = self.round_trip.map_or(MOST_PATIENCE / 2, |time| time * 3);
        usual.clamp(LEAST_PATIENCE, MOST_PATIENCE)
    }

    /// What came.
    pub(crate) fn poll_heard(&mut self) -> Option<Heard> {
        self.heard.pop_front()
    }

    /// Whether the other end has given no sign of life for a lease.
    pub(crate) fn is_lost(&self, now: Duration) -> bool {
        now >= self.last_heard + self.lease
    }

    /// When the other end was last heard of.
    pub(crate) fn last_heard(&self) -> Duration {
        self.last_heard
    }

    /// The next frame to be sent.
    pub(crate) fn poll_frame(&mut self, now: Duration) -> Option<Frame> {
        let arrived = self.inbox.arrived();
        if let Some((number, content)) = self.outbox.poll(now, self.patience()) {
            self.told();
            return Some(self.frame(Body::Letter { number, arrived, content }));
        }
        if self.pending && now >= self.next_progress {
            if let Some((content, told)) = self.progress.values_mut().find(|(_, told)| !told) {
                *told = true;
                let content = content.clone();
                let number = self.told_progress;
                self.told_progress += 1;
                let after = self.outbox.next_number();
                return Some(self.frame(Body::Progress { number, after, content }));
            }
            self.pending = false;
            self.next_progress = now + PROGRESS_PAUSE;
        }
        if self.tell_by.is_some_and(|by| by <= now) || now >= self.next_beat {
            self.told();
            self.next_beat = now + self.lease / BEATS;
            let echo = self.their_clock.map(|(clock, came)| (clock, now.saturating_sub(came)));
            return Some(self.frame(Body::Beat { arrived, clock: now, echo }));
        }
        None
    }

    /// The other end is being told which letters have arrived.
    fn told(&mut self) {
        self.untold = 0;
        self.tell_by = None;
    }

    fn frame(&self, body: Body) -> Frame {
        Frame { session: self.session, body }
    }

    /// When there may be something to do.
    pub(crate) fn poll_timeout(&self) -> Duration {
        let lost = self.last_heard + self.lease;
        let progress = self.pending.then_some(self.next_progress);
        let others = [Some(self.next_beat), self.tell_by, self.outbox.due(), progress];
        others.into_iter().flatten().fold(lost, Duration::min)
    }
}
