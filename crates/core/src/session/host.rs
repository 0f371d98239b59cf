//! The master's end: lets workers in, and notices when they are gone.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::time::Duration;

use super::gate::{Denial, FRAMES, Gate, Rate, Refusal};
use super::post::Weight;
use super::proof::{Door, Unproved};
use super::talk::{Heard, Talk};
use super::{
    Body, Candidate, Doorkeeper, Frame, FrameError, Hello, LEASE, PeerId, SessionId,
    refused_version,
};
use crate::Fault;

/// Ended sessions that are remembered, so that what is late from them does not begin them
/// anew.
const MOST_ENDED: usize = 4096;
/// Frames to strangers that may wait to be sent.
const MOST_ANSWERS: usize = 256;

/// Whom a master lets in.
#[derive(Clone, Debug)]
pub struct HostRules {
    /// The master's own name on the network.
    pub me: PeerId,
    /// The game that is played.
    pub game: String,
    /// Most workers at a time.
    pub most_workers: usize,
    /// Without a sign of life for so long, a worker is taken for gone.
    pub lease: Duration,
}

impl HostRules {
    /// The usual rules for a master that plays `game`.
    pub fn new(me: PeerId, game: &str) -> Self {
        HostRules { me, game: game.to_owned(), most_workers: 4096, lease: LEASE }
    }
}

/// What a master's end tells its coordinator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HostEvent {
    /// A worker has joined.
    Joined(SessionId, Hello),
    /// A report of a worker.
    Report(SessionId, Vec<u8>),
    /// A worker has left, or is taken for gone.
    Left(SessionId, Fault),
    /// Somebody was not let in.
    Refused(PeerId, String),
}

struct Seat {
    peer: PeerId,
    talk: Talk,
    /// As it stands in `timers`.
    timer: Duration,
    rate: Rate,
}

/// All sessions of one master.
pub struct Host {
    rules: HostRules,
    seats: BTreeMap<SessionId, Seat>,
    timers: BTreeSet<(Duration, SessionId)>,
    /// Sessions that may have something to send.
    busy: BTreeSet<SessionId>,
    ended: VecDeque<SessionId>,
    door: Door,
    answers: VecDeque<(PeerId, Frame)>,
    events: VecDeque<HostEvent>,
    gate: Gate,
}

impl Host {
    /// A master without workers.
    pub fn new(rules: HostRules) -> Self {
        Host {
            rules,
            seats: BTreeMap::new(),
            timers: BTreeSet::new(),
            busy: BTreeSet::new(),
            ended: VecDeque::new(),
            door: Door::default(),
            answers: VecDeque::new(),
            events: VecDeque::new(),
            gate: Gate::new(),
        }
    }

    /// How often somebody was turned away, by the reason.
    pub fn refusals(&self) -> &BTreeMap<Refusal, u64> {
        self.gate.counts()
    }

    /// How long a message takes to a worker and back, if it is known.
    pub fn round_trip(&self, session: SessionId) -> Option<Duration> {
        self.seats.get(&session)?.talk.round_trip()
    }

    /// How long it takes at most, as far as can be told.
    pub fn longest_round_trip(&self, session: SessionId) -> Option<Duration> {
        self.seats.get(&session)?.talk.longest_round_trip()
    }

    /// When a worker last gave a sign of life.
    pub fn last_heard(&self, session: SessionId) -> Option<Duration> {
        self.seats.get(&session).map(|seat| seat.talk.last_heard())
    }

    /// A frame has come, to a master that asks for no proofs. `admit` says why its sender may
    /// not use the name it gives itself, if that is so; it is asked only when somebody wants to
    /// join.
    pub fn handle_frame(
        &mut self,
        now: Duration,
        from: PeerId,
        read: Result<Frame, FrameError>,
        admit: impl FnOnce(&Hello) -> Result<(), Denial>,
    ) {
        self.handle_frame_at(now, from, read, &mut Unproved(Some(admit)));
    }

    /// A frame has come. `keeper` is asked only when somebody wants to join.
    pub fn handle_frame_at(
        &mut self,
        now: Duration,
        from: PeerId,
        read: Result<Frame, FrameError>,
        keeper: &mut impl Doorkeeper,
    ) {
        let Frame { session, body } = match read {
            Ok(frame) => frame,
            Err(FrameError::Version { version, session }) => {
                if self.gate.may_knock(now, from) {
                    let reason = refused_version(version, "the worker");
                    self.refuse(from, session, Denial::new(Refusal::Version, reason));
                }
                return;
            }
            Err(FrameError::Malformed(_)) => return self.gate.count(Refusal::Malformed),
        };
        if let Some(seat) = self.seats.get_mut(&session) {
            if seat.peer != from {
                return self.gate.count(Refusal::OthersSession);
            }
            if !seat.rate.allows(now) {
                self.gate.count(Refusal::TooOften);
                let why = "it sends too much".to_owned();
                return self.end(session, Fault::Nonsense(why), true);
            }
            if matches!(body, Body::Hello(_) | Body::Proof(_)) {
                // Its welcome got lost.
                self.welcome(from, session);
            }
            return self.talk(now, session, body);
        }
        if matches!(body, Body::Leave(_) | Body::Refuse { .. }) || !self.gate.may_knock(now, from) {
            return;
        }
        match body {
            Body::Hello(hello) => self.greet(now, Candidate { session, peer: from, hello }, keeper),
            Body::Proof(proof) => self.prove(now, session, from, &proof, keeper),
            // It does not know yet that it was given up.
            body => {
                if let Some(answer) = (Frame { session, body }).stray() {
                    self.answer(from, answer);
                }
            }
        }
    }

    fn talk(&mut self, now: Duration, session: SessionId, body: Body) {
        if let Some(seat) = self.seats.get_mut(&session) {
            seat.talk.handle(now, body);
        }
        self.touched(now, session);
    }

    fn greet(&mut self, now: Duration, candidate: Candidate, keeper: &mut impl Doorkeeper) {
        let (session, from) = (candidate.session, candidate.peer);
        if self.ended.contains(&session) {
            return;
        }
        if let Some(challenge) = self.door.asked(&candidate) {
            let body = Body::Challenge(challenge.clone());
            return self.answer(from, Frame { session, body });
        }
        let asked = self.may_join(&candidate.hello).and_then(|()| keeper.challenge(&candidate));
        match asked {
            Err(denial) => self.refuse(from, session, denial),
            Ok(None) => {
                let admitted = keeper.admit(&candidate, None);
                self.seat(now, candidate, admitted);
            }
            Ok(Some(challenge)) => {
                let body = Body::Challenge(challenge.clone());
                self.door.ask(candidate, challenge);
                self.answer(from, Frame { session, body });
            }
        }
    }

    fn prove(
        &mut self,
        now: Duration,
        session: SessionId,
        from: PeerId,
        proof: &[u8],
        keeper: &mut impl Doorkeeper,
    ) {
        if self.ended.contains(&session) {
            return;
        }
        let Some((candidate, asked)) = self.door.answers(session, from) else {
            let reason = "nobody asked for this proof: it comes late, or was recorded";
            return self.refuse(from, session, Denial::new(Refusal::Proof, reason));
        };
        let admitted = self
            .may_join(&candidate.hello)
            .and_then(|()| keeper.admit(&candidate, Some((&asked.challenge, proof))));
        self.seat(now, candidate, admitted);
    }

    fn seat(&mut self, now: Duration, candidate: Candidate, admitted: Result<(), Denial>) {
        let Candidate { session, peer, hello } = candidate;
        if let Err(denial) = admitted {
            return self.refuse(peer, session, denial);
        }
        let talk = Talk::new(now, session, self.rules.lease);
        self.seats.insert(session, Seat { peer, talk, timer: Duration::MAX, rate: FRAMES });
        self.welcome(peer, session);
        self.events.push_back(HostEvent::Joined(session, hello));
        self.touched(now, session);
    }

    fn may_join(&self, hello: &Hello) -> Result<(), Denial> {
        let deny = |kind, reason| Err(Denial { kind, reason });
        if hello.master != self.rules.me {
            let reason = "this hello was meant for another master".to_owned();
            return deny(Refusal::OtherMaster, reason);
        }
        if hello.ability.game != self.rules.game {
            let (name, game) = (&hello.ability.name, &hello.ability.game);
            let reason = format!("{name} plays {game}, but this is {}", self.rules.game);
            return deny(Refusal::OtherGame, reason);
        }
        if self.seats.len() >= self.rules.most_workers {
            let reason = format!("there are {} workers already", self.rules.most_workers);
            return deny(Refusal::Full, reason);
        }
        Ok(())
    }

    fn welcome(&mut self, to: PeerId, session: SessionId) {
        let body = Body::Welcome { lease: self.rules.lease };
        self.answer(to, Frame { session, body });
    }

    fn refuse(&mut self, to: PeerId, session: SessionId, Denial { kind, reason }: Denial) {
        self.gate.count(kind);
        self.events.push_back(HostEvent::Refused(to, reason.clone()));
        self.answer(to, Frame { session, body: Body::Refuse { reason } });
    }

    fn answer(&mut self, to: PeerId, frame: Frame) {
        if self.answers.len() < MOST_ANSWERS {
            self.answers.push_back((to, frame));
        }
    }

    /// A worker's machine is known to be gone: all its sessions are.
    pub fn handle_gone(&mut self, peer: PeerId) {
        let theirs = self.seats.iter().filter(|(_, seat)| seat.peer == peer);
        for session in theirs.map(|(&session, _)| session).collect::<Vec<_>>() {
            self.end(session, Fault::Died("the connection is gone".to_owned()), false);
        }
    }

    /// Sends an order. `false` when there is no such worker any more.
    pub fn order(
        &mut self,
        now: Duration,
        session: SessionId,
        weight: Weight,
        content: Vec<u8>,
    ) -> bool {
        let Some(seat) = self.seats.get_mut(&session) else { return false };
        if !seat.talk.send(weight, content) {
            let why = "it does not take its orders".to_owned();
            self.end(session, Fault::Silent(why), true);
            return false;
        }
        self.touched(now, session);
        true
    }

    /// Ends a session from this side.
    pub fn dismiss(&mut self, session: SessionId, fault: Fault) {
        self.end(session, fault, true);
    }

    fn end(&mut self, session: SessionId, fault: Fault, say_so: bool) {
        let Some(seat) = self.seats.remove(&session) else { return };
        self.timers.remove(&(seat.timer, session));
        self.busy.remove(&session);
        if self.ended.len() == MOST_ENDED {
            self.ended.pop_front();
        }
        self.ended.push_back(session);
        if say_so {
            self.answer(seat.peer, Frame { session, body: Body::Leave(fault.clone()) });
        }
        self.events.push_back(HostEvent::Left(session, fault));
    }

    /// After anything has happened to a session.
    fn touched(&mut self, now: Duration, session: SessionId) {
        let Some(seat) = self.seats.get_mut(&session) else { return };
        while let Some(heard) = seat.talk.poll_heard() {
            match heard {
                Heard::Content(report) => {
                    self.events.push_back(HostEvent::Report(session, report));
                }
                Heard::Left(fault) => {
                    let say_so = matches!(fault, Fault::Nonsense(_));
                    self.end(session, fault, say_so);
                    return;
                }
            }
        }
        if seat.talk.is_lost(now) {
            let silent = now.saturating_sub(seat.talk.last_heard());
            let why = format!("no sign of life for {:.1} s", silent.as_secs_f64());
            self.end(session, Fault::Silent(why), true);
            return;
        }
        self.busy.insert(session);
    }

    /// What happened.
    pub fn poll_event(&mut self) -> Option<HostEvent> {
        self.events.pop_front()
    }

    /// Time has passed.
    pub fn handle_timeout(&mut self, now: Duration) {
        while let Some(&(at, session)) = self.timers.first()
            && at <= now
        {
            self.timers.pop_first();
            if let Some(seat) = self.seats.get_mut(&session) {
                seat.timer = Duration::MAX;
            }
            self.touched(now, session);
        }
    }

    /// The next frame to be sent.
    pub fn poll_frame(&mut self, now: Duration) -> Option<(PeerId, Frame)> {
        if let Some(answer) = self.answers.pop_front() {
            return Some(answer);
        }
        while let Some(&session) = self.busy.first() {
            if let Some(seat) = self.seats.get_mut(&session) {
                if let Some(frame) = seat.talk.poll_frame(now) {
                    return Some((seat.peer, frame));
                }
                self.timers.remove(&(seat.timer, session));
                seat.timer = seat.talk.poll_timeout();
                self.timers.insert((seat.timer, session));
            }
            self.busy.remove(&session);
        }
        None
    }

    /// When there may be something to do.
    pub fn poll_timeout(&self) -> Option<Duration> {
        if !self.busy.is_empty() || !self.answers.is_empty() {
            return Some(Duration::ZERO);
        }
        self.timers.first().map(|&(at, _)| at)
    }
}
