//! The worker's end: looks for a master, joins, and joins again when it has lost it.

use std::collections::VecDeque;
use std::time::Duration;

use senbon_games::Rng;

use super::post::Weight;
use super::talk::{Heard, Talk};
use super::{Body, Challenge, Frame, FrameError, Hello, LEASE, PeerId, SessionId, refused_version};
use crate::{Ability, Fault};

/// A hello is repeated after this long without an answer.
const HELLO_PAUSE: Duration = Duration::from_millis(250);
/// After so many without an answer another master is tried.
const MOST_HELLOS: u32 = 8;
/// Longest wait after a first and after many refusals in a row; how long is drawn.
const FIRST_BACK_OFF: Duration = Duration::from_millis(500);
const LONGEST_BACK_OFF: Duration = Duration::from_secs(30);
/// Masters that are remembered.
const MOST_MASTERS: usize = 64;

/// What a worker's end tells its worker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GuestEvent {
    /// A master took it.
    Joined(PeerId),
    /// An order.
    Order(Vec<u8>),
    /// The session is over: whatever is being searched is of no use any more.
    Left(Fault),
    /// A master would not have it.
    Refused(String),
}

/// A master wants to know who the worker is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    /// The session in which it asks.
    pub session: SessionId,
    /// What was said to it.
    pub hello: Hello,
    /// What it asks, with the proof of who it is itself.
    pub challenge: Challenge,
}

enum State {
    /// Nothing to offer, or nobody to offer it to, or not yet.
    Away,
    /// Said hello so many times.
    Greeting {
        session: SessionId,
        master: PeerId,
        times: u32,
        /// It has proved who it is, and so has the worker.
        proved: bool,
    },
    Talking {
        master: PeerId,
        talk: Box<Talk>,
    },
}

/// One engine that is offered to masters.
pub struct Guest {
    name: String,
    rng: Rng,
    ability: Option<Ability>,
    masters: VecDeque<PeerId>,
    state: State,
    /// When to say hello next.
    next_hello: Duration,
    refusals: u32,
    events: VecDeque<GuestEvent>,
    /// Only a master that proves who it is will do.
    wary: bool,
    asked: Option<Asked>,
    /// Frames that end a session, and proofs that begin one.
    last_words: VecDeque<(PeerId, Frame)>,
}

impl Guest {
    /// A worker of this name that offers nothing yet. `seed` draws session names and waits: it
    /// must be another one for every worker and every start.
    pub fn new(name: String, seed: u64) -> Self {
        Guest {
            name,
            rng: Rng::new(seed),
            ability: None,
            masters: VecDeque::new(),
            state: State::Away,
            next_hello: Duration::ZERO,
            refusals: 0,
            events: VecDeque::new(),
            wary: false,
            asked: None,
            last_words: VecDeque::new(),
        }
    }

    /// From now on only a master that proves who it is will do: one that asks for no proof
    /// gives none.
    pub fn be_wary(&mut self) {
        self.wary = true;
    }

    /// A master has proved who it is, and wants to know who the worker is. To be answered by
    /// [`Self::prove`], or by [`Self::give_up`] where its proof is none.
    pub fn poll_asked(&mut self) -> Option<Asked> {
        self.asked.take()
    }

    /// Answers what was asked in a session.
    pub fn prove(&mut self, asked: SessionId, proof: Vec<u8>) {
        if let State::Greeting { session, master, proved, .. } = &mut self.state
            && *session == asked
        {
            *proved = true;
            let frame = Frame { session: asked, body: Body::Proof(proof) };
            self.last_words.push_back((*master, frame));
        }
    }

    /// This master will not do.
    pub fn give_up(&mut self, now: Duration, reason: String) {
        if matches!(self.state, State::Greeting { .. }) {
            self.be_refused(now, reason);
        }
    }

    /// The engine is ready.
    pub fn offer(&mut self, now: Duration, ability: Ability) {
        self.withdraw(Fault::Died("the engine was started anew".to_owned()));
        self.ability = Some(ability);
        self.next_hello = now;
    }

    /// The engine is of no use at the moment. The master hears the reason.
    pub fn withdraw(&mut self, fault: Fault) {
        self.ability = None;
        match std::mem::replace(&mut self.state, State::Away) {
            State::Away => {}
            State::Greeting { session, master, .. } => self.say_leave(master, session, fault),
            State::Talking { master, talk } => self.say_leave(master, talk.session(), fault),
        }
    }

    /// Whether the engine is offered, to a master or to whoever comes.
    pub fn is_offered(&self) -> bool {
        self.ability.is_some()
    }

    /// The engine is still busy with what a lost master wanted: no hello until it is offered
    /// again.
    pub fn hold(&mut self) {
        if matches!(self.state, State::Away) {
            self.ability = None;
        }
    }

    fn say_leave(&mut self, master: PeerId, session: SessionId, fault: Fault) {
        self.last_words.push_back((master, Frame { session, body: Body::Leave(fault) }));
    }

    /// A master is there.
    pub fn handle_master(&mut self, now: Duration, master: PeerId) {
        if !self.masters.contains(&master) && self.masters.len() < MOST_MASTERS {
            self.masters.push_back(master);
        }
        // Whoever has just come is not made to wait for the end of a back-off, but many
        // workers must not all knock in the same instant.
        if matches!(self.state, State::Away) {
            let wait = self.draw(HELLO_PAUSE);
            self.next_hello = self.next_hello.min(now + wait);
        }
    }

    /// A master is gone.
    pub fn handle_master_gone(&mut self, now: Duration, master: PeerId) {
        self.masters.retain(|&known| known != master);
        match &self.state {
            State::Talking { master: ours, .. } if *ours == master => {
                self.lose(now, Fault::Died("the master is gone".to_owned()));
            }
            State::Greeting { master: ours, .. } if *ours == master => self.state = State::Away,
            _ => {}
        }
    }

    /// Whether a frame with this head is for this worker.
    pub fn has(&self, session: SessionId) -> bool {
        match &self.state {
            State::Away => false,
            State::Greeting { session: ours, .. } => *ours == session,
            State::Talking { talk, .. } => talk.session() == session,
        }
    }

    /// A frame has come from `from`.
    pub fn handle_frame(&mut self, now: Duration, from: PeerId, read: Result<Frame, FrameError>) {
        let frame = match read {
            Ok(frame) => frame,
            Err(FrameError::Version { version, session }) if self.is_ours(from, session) => {
                self.be_refused(now, refused_version(version, "the master"));
                return;
            }
            Err(_) => return,
        };
        if !self.is_ours(from, frame.session) {
            return;
        }
        match (&mut self.state, frame.body) {
            (_, Body::Refuse { reason }) => self.be_refused(now, reason),
            (State::Greeting { proved: false, .. }, Body::Welcome { .. }) if self.wary => {
                let reason = "the master does not prove who it is; does it have --keys?";
                self.be_refused(now, reason.to_owned());
            }
            (State::Greeting { session, master, .. }, Body::Challenge(challenge)) => {
                let (session, master) = (*session, *master);
                self.asked = self.hello(master).map(|hello| Asked { session, hello, challenge });
            }
            (State::Greeting { session, master, .. }, Body::Welcome { lease }) => {
                let lease = lease.clamp(LEASE / 10, LEASE * 10);
                let (session, master) = (*session, *master);
                let talk = Box::new(Talk::new(now, session, lease));
                self.state = State::Talking { master, talk };
                self.refusals = 0;
                self.events.push_back(GuestEvent::Joined(master));
            }
            (State::Talking { talk, .. }, body) => {
                talk.handle(now, body);
                self.drain(now);
            }
            _ => {}
        }
    }

    fn is_ours(&self, from: PeerId, session: SessionId) -> bool {
        let (State::Greeting { master, .. } | State::Talking { master, .. }) = &self.state else {
            return false;
        };
        *master == from && self.has(session)
    }

    fn drain(&mut self, now: Duration) {
        while let State::Talking { talk, .. } = &mut self.state {
            match talk.poll_heard() {
                None => return,
                Some(Heard::Content(order)) => self.events.push_back(GuestEvent::Order(order)),
                Some(Heard::Left(fault)) => self.lose(now, fault),
            }
        }
    }

    /// The session is over, but the engine is still to be had.
    fn lose(&mut self, now: Duration, fault: Fault) {
        self.state = State::Away;
        self.next_hello = now + self.draw(HELLO_PAUSE);
        self.events.push_back(GuestEvent::Left(fault));
    }

    fn be_refused(&mut self, now: Duration, reason: String) {
        if matches!(self.state, State::Talking { .. }) {
            self.events.push_back(GuestEvent::Left(Fault::Died(reason.clone())));
        }
        self.state = State::Away;
        let most = FIRST_BACK_OFF * 2_u32.saturating_pow(self.refusals.min(16));
        self.refusals += 1;
        self.next_hello = now + FIRST_BACK_OFF / 2 + self.draw(most.min(LONGEST_BACK_OFF));
        self.masters.rotate_left(usize::from(self.masters.len() > 1));
        self.events.push_back(GuestEvent::Refused(reason));
    }

    /// A time drawn evenly from 0 up to `most`.
    fn draw(&mut self, most: Duration) -> Duration {
        Duration::from_nanos(self.rng.below(most.as_nanos() as usize + 1) as u64)
    }

    /// A report that must arrive. False when the session is over.
    pub fn report(&mut self, now: Duration, content: Vec<u8>) -> bool {
        let State::Talking { talk, .. } = &mut self.state else { return false };
        if !talk.send(Weight::Lasting, content) {
            self.lose(now, Fault::Silent("the master takes no more reports".to_owned()));
            return false;
        }
        true
    }

    /// A report that a newer one of the same rank may replace.
    pub fn report_progress(&mut self, rank: usize, content: Vec<u8>) {
        if let State::Talking { talk, .. } = &mut self.state {
            talk.send_progress(rank, content);
        }
    }

    /// Another search began: what was not told of the old one is of no use.
    pub fn forget_progress(&mut self) {
        if let State::Talking { talk, .. } = &mut self.state {
            talk.forget_progress();
        }
    }

    /// How long a message takes to the master and back, if it is known.
    pub fn round_trip(&self) -> Option<Duration> {
        match &self.state {
            State::Talking { talk, .. } => talk.round_trip(),
            _ => None,
        }
    }

    /// Whether every report has arrived.
    pub fn is_delivered(&self) -> bool {
        match &self.state {
            State::Talking { talk, .. } => talk.is_delivered(),
            _ => true,
        }
    }

    /// What happened.
    pub fn poll_event(&mut self) -> Option<GuestEvent> {
        self.events.pop_front()
    }

    /// Time has passed.
    pub fn handle_timeout(&mut self, now: Duration) {
        match &mut self.state {
            State::Talking { talk, master } if talk.is_lost(now) => {
                // In case it still counts on us.
                let (session, master) = (talk.session(), *master);
                let fault = Fault::Silent("the master has fallen silent".to_owned());
                self.say_leave(master, session, fault.clone());
                self.lose(now, fault);
            }
            State::Greeting { times, .. } if *times >= MOST_HELLOS && now >= self.next_hello => {
                self.be_refused(now, "the master does not answer".to_owned());
            }
            _ => {}
        }
    }

    /// The next frame to be sent.
    pub fn poll_frame(&mut self, now: Duration) -> Option<(PeerId, Frame)> {
        if let Some(words) = self.last_words.pop_front() {
            return Some(words);
        }
        if let State::Talking { master, talk } = &mut self.state {
            return talk.poll_frame(now).map(|frame| (*master, frame));
        }
        if now < self.next_hello {
            return None;
        }
        self.ability.as_ref()?;
        let (session, master, times, proved) = match self.state {
            State::Greeting { session, master, times, proved } => (session, master, times, proved),
            _ => {
                let high = u128::from(self.rng.next_u64());
                let session = SessionId(high << 64 | u128::from(self.rng.next_u64()));
                (session, *self.masters.front()?, 0, false)
            }
        };
        if times >= MOST_HELLOS {
            return None;
        }
        self.state = State::Greeting { session, master, times: times + 1, proved };
        self.next_hello = now + HELLO_PAUSE;
        let hello = self.hello(master)?;
        Some((master, Frame { session, body: Body::Hello(hello) }))
    }

    fn hello(&self, master: PeerId) -> Option<Hello> {
        Some(Hello { master, name: self.name.clone(), ability: self.ability.clone()? })
    }

    /// When there may be something to do; `None` while there is no master to talk to.
    pub fn poll_timeout(&self) -> Option<Duration> {
        match &self.state {
            State::Talking { talk, .. } => Some(talk.poll_timeout()),
            State::Greeting { .. } => Some(self.next_hello),
            State::Away if self.ability.is_none() || self.masters.is_empty() => None,
            State::Away => Some(self.next_hello),
        }
    }
}
