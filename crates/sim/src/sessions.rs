//! Sessions in the virtual world: between the coordinator and each machine stand the very state
//! machines of the live world, [`Host`] and [`Guest`], and frames travel as bytes.
//!
//! The links carry frames like a bad network: some get lost, come twice or overtake others, and
//! a link that is cut drops what it is given. What the live world's office and lender do beside
//! the sessions (numbering workers, reading and writing messages, holding an engine back until
//! it has ended its search) is done here in the same way.

use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

use senbon_core::session::{
    Body, Frame, Guest, GuestEvent, Hello, Host, HostEvent, HostRules, LEASE, PeerId, SessionId,
    Weight,
};
use senbon_core::vote::Plan;
use senbon_core::wire::{Codec, WireError};
use senbon_core::{Ability, Coordinator, Epoch, Fault, Order, Report, WorkerId};
use senbon_engines::builtin::{Judged, tree};
use senbon_games::{Notation, Rng};

use crate::link::Link;
use crate::world::Event;
use crate::{MachineId, SessionNews, Watch, Way, Wire, World};

/// What the network does to frames: one in so many; 0 for none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Weather {
    /// Is lost.
    pub lost: usize,
    /// Comes twice.
    pub doubled: usize,
    /// May overtake others.
    pub mixed: usize,
}

impl Weather {
    /// When the copies of a frame arrive that is sent now.
    fn arrivals(self, now: Duration, bytes: usize, link: &mut Link, rng: &mut Rng) -> Arrivals {
        let one_in = |rng: &mut Rng, count| count > 0 && rng.one_in(count);
        if link.is_cut(now) || one_in(rng, self.lost) {
            return [None, None];
        }
        let mut send = |rng: &mut Rng| match one_in(rng, self.mixed) {
            true => link.send_apart(now, bytes, rng),
            false => link.send(now, bytes, rng),
        };
        let first = send(rng);
        [Some(first), one_in(rng, self.doubled).then(|| send(rng))]
    }
}

type Arrivals = [Option<Duration>; 2];

/// Bytes around a frame: what Zenoh, QUIC and UDP add, about.
const AROUND: usize = 80;

/// A report that nobody can read.
const FORGED: [u8; 3] = [0xff; 3];

/// A frame on its way.
pub(crate) struct Flight {
    from: PeerId,
    to: PeerId,
    bytes: Vec<u8>,
}

/// The master's end of all sessions.
pub(crate) struct Office<G: Notation> {
    pub(crate) host: Host,
    me: PeerId,
    weather: Weather,
    lease: Duration,
    seats: BTreeMap<WorkerId, (SessionId, Codec<G>)>,
    workers: BTreeMap<SessionId, WorkerId>,
    /// The machine behind every process there ever was.
    machines: BTreeMap<PeerId, MachineId>,
    next_peer: u128,
    next_process: u32,
    start: G,
    plan: Plan,
}

impl<G: Notation> Office<G> {
    fn new_peer(&mut self) -> PeerId {
        self.next_peer += 1;
        PeerId(self.next_peer)
    }

    fn open(&mut self) {
        self.me = self.new_peer();
        let rules = HostRules { lease: self.lease, ..HostRules::new(self.me, G::NAME) };
        self.host = Host::new(rules);
        self.seats.clear();
        self.workers.clear();
    }

    /// Passes an order on, as far as there is such a worker.
    pub(crate) fn order(&mut self, now: Duration, worker: WorkerId, order: &Order<G>) {
        let Some((session, codec)) = self.seats.get_mut(&worker) else { return };
        let session = *session;
        match codec.write_order(order) {
            Ok(content) => {
                self.host.order(now, session, Weight::of(order), content);
            }
            Err(error) => {
                let fault = Fault::Died(format!("its order cannot be sent: {error}"));
                self.host.dismiss(session, fault);
            }
        }
    }
}

/// The worker's end of a session, and what stands between it and the engine.
pub(crate) struct Slot<G: Notation> {
    peer: PeerId,
    guest: Guest,
    codec: Codec<G>,
    ability: Ability,
    /// The newest search it was ordered to make and has not ended.
    searching: Option<Epoch>,
    /// The session it last said hello for.
    greeted: Option<SessionId>,
    /// The session it is in.
    session: Option<SessionId>,
    /// When it is woken next.
    wake: Option<Duration>,
    /// Answers to what came for sessions that it does not have.
    strays: VecDeque<(PeerId, Frame)>,
}

impl<G: Notation> Slot<G> {
    fn note_end(&mut self, report: &Report<G>) {
        if let Report::Done { epoch, .. } = report
            && self.searching == Some(*epoch)
        {
            self.searching = None;
        }
    }

    /// What is offered again once nothing is searched any more.
    fn offer_again(&mut self, now: Duration) {
        if self.searching.is_none() && !self.guest.is_offered() {
            self.guest.offer(now, self.ability.clone());
        }
    }

    /// Nobody wants the search any more: the order that ends it.
    fn stop(&mut self) -> Option<Order<G>> {
        let epoch = self.searching?;
        self.guest.hold();
        Some(Order::Stop(epoch))
    }
}

impl<G: Judged, W: Wire<G>, A> World<G, W, A> {
    /// From now on machines are reached by sessions. To be called before any connects.
    pub fn keep_sessions(&mut self, start: G, plan: Plan, weather: Weather) {
        let rules = HostRules::new(PeerId(0), G::NAME);
        let mut office = Office {
            host: Host::new(rules),
            me: PeerId(0),
            weather,
            lease: LEASE,
            seats: BTreeMap::new(),
            workers: BTreeMap::new(),
            machines: BTreeMap::new(),
            next_peer: 0,
            next_process: 1,
            start,
            plan,
        };
        office.open();
        self.office = Some(Box::new(office));
    }

    /// Another lease than the usual one. For planted faults.
    pub fn set_lease(&mut self, lease: Duration) {
        if let Some(office) = &mut self.office {
            office.lease = lease;
            office.open();
        }
    }

    /// From now on the network does this to frames.
    pub fn set_weather(&mut self, weather: Weather) {
        if let Some(office) = &mut self.office {
            office.weather = weather;
        }
    }

    /// A process on a running machine begins to look for the master.
    pub(crate) fn start_lender(&mut self, id: MachineId) {
        let ability = self.ability(id);
        let Some(office) = &mut self.office else { return };
        let machine = &mut self.machines[id.0];
        if !machine.alive || machine.slot.is_some() {
            return;
        }
        let peer = office.new_peer();
        office.machines.insert(peer, id);
        machine.connection = Some(WorkerId(office.next_process));
        office.next_process += 1;
        let mut guest = Guest::new(format!("m{}", id.0), self.rng.next_u64());
        guest.offer(self.now, ability.clone());
        guest.handle_master(self.now, office.me);
        let slot = Slot {
            peer,
            guest,
            codec: Codec::default(),
            ability,
            searching: None,
            greeted: None,
            session: None,
            wake: Some(self.now),
            strays: VecDeque::new(),
        };
        machine.slot = Some(Box::new(slot));
        self.queue.push(self.now, Event::Wake(id, self.now));
    }

    /// The process on a machine ends without a word. The network may notice: after `told`.
    pub fn kill(&mut self, id: MachineId, told: Option<Duration>) {
        self.leave_crew(id);
        let machine = &mut self.machines[id.0];
        machine.alive = false;
        machine.connection = None;
        if let (Some(slot), Some(after)) = (machine.slot.take(), told) {
            self.queue.push(self.now + after, Event::Gone(slot.peer));
        }
    }

    /// The process on a machine says good-bye and ends.
    pub fn leave(&mut self, id: MachineId, watch: &mut impl Watch<G>) {
        if let Some(slot) = &mut self.machines[id.0].slot {
            slot.guest.withdraw(Fault::Died("its owner ended it".to_owned()));
            self.attend_guest(id, watch);
        }
        self.kill(id, None);
    }

    /// What goes these ways from or to a machine is lost until then.
    pub fn cut(&mut self, id: MachineId, ways: &[Way], until: Duration) {
        let machine = &mut self.machines[id.0];
        for way in ways {
            match way {
                Way::Up => machine.up.cut(until),
                Way::Down => machine.down.cut(until),
            }
        }
    }

    /// The coordinator's process ends and another one starts, which knows nothing. A machine
    /// hears from the network that the old one is gone and a new one there, each within the
    /// time said.
    pub fn restart_master(&mut self, gone: Duration, there: Duration) {
        let Some(office) = &mut self.office else { return };
        let old = office.me;
        office.open();
        let new = office.me;
        self.coordinator = Coordinator::new(&office.start, office.plan.clone(), tree);
        self.connected.clear();
        self.above.clear();
        self.trace.note(self.now, |digest| digest.add(1 << 42), || "the master restarts".into());
        for number in 0..self.machines.len() {
            let id = MachineId(number);
            let told = self.now + crate::link::below(&mut self.rng, gone);
            self.queue.push(told, Event::Master(id, old, false));
            let told = self.now + crate::link::below(&mut self.rng, there);
            self.queue.push(told, Event::Master(id, new, true));
        }
    }

    /// When the sessions have something to do.
    pub(crate) fn session_timeout(&self) -> Option<Duration> {
        self.office.as_ref()?.host.poll_timeout()
    }

    /// Sends what the master's end has to send, and tells the coordinator what it has to tell.
    pub(crate) fn attend_host(&mut self, watch: &mut impl Watch<G>) {
        loop {
            self.send_down(watch);
            let Some(office) = &mut self.office else { return };
            let Some(event) = office.host.poll_event() else { return };
            match event {
                HostEvent::Joined(session, hello) => self.seat(session, hello, watch),
                HostEvent::Report(session, report) => {
                    for _ in 0..watch.repeats(&report) {
                        watch.session(self.now, SessionNews::Delivered(session, &report));
                        self.read_report(session, &report, watch);
                    }
                }
                HostEvent::Left(session, fault) => {
                    watch.session(self.now, SessionNews::Ended(session, &fault));
                    if let Some(worker) = office.workers.remove(&session) {
                        office.seats.remove(&worker);
                        self.lost(worker, watch);
                    }
                }
                HostEvent::Refused(..) => {}
            }
        }
    }

    fn seat(&mut self, session: SessionId, hello: Hello, watch: &mut impl Watch<G>) {
        let worker = WorkerId(self.next_worker);
        self.next_worker += 1;
        let Some(office) = &mut self.office else { return };
        let number = hello.name.strip_prefix('m').and_then(|number| number.parse().ok());
        let Some(id) = number.map(MachineId) else { return };
        office.workers.insert(session, worker);
        office.seats.insert(worker, (session, Codec::default()));
        watch.session(self.now, SessionNews::Begun(session, worker, id));
        self.take_in(worker, id, hello.ability, watch);
    }

    fn read_report(&mut self, session: SessionId, report: &[u8], watch: &mut impl Watch<G>) {
        let Some(office) = &mut self.office else { return };
        let Some(&worker) = office.workers.get(&session) else { return };
        let Some((_, codec)) = office.seats.get(&worker) else { return };
        match codec.read_report(report) {
            Ok(report) => self.report_arrives(worker, report, watch),
            // Late: the order was replaced since.
            Err(WireError::UnknownOrder(_)) => {}
            Err(error) => {
                let fault = Fault::Nonsense(format!("its report cannot be read: {error}"));
                office.host.dismiss(session, fault);
            }
        }
    }

    fn send_down(&mut self, watch: &mut impl Watch<G>) {
        let Some(office) = &mut self.office else { return };
        while let Some((to, frame)) = office.host.poll_frame(self.now) {
            let Some(&id) = office.machines.get(&to) else { continue };
            note_frame(&mut self.trace, self.now, "<=", id, &frame);
            let bytes = frame.write();
            let machine = &mut self.machines[id.0];
            let arrivals = office.weather.arrivals(
                self.now,
                AROUND + bytes.len(),
                &mut machine.down,
                &mut self.rng,
            );
            watch.session(self.now, SessionNews::Sent(id, Way::Down, arrivals[0]));
            for at in arrivals.into_iter().flatten() {
                machine.arrivals.push(at);
                let flight = Flight { from: office.me, to, bytes: bytes.clone() };
                self.queue.push(at, Event::Down(id, Box::new(flight)));
            }
        }
    }

    fn send_up(&mut self, id: MachineId, slot: &mut Slot<G>, watch: &mut impl Watch<G>) {
        let Some(office) = &mut self.office else { return };
        let now = self.now;
        while let Some((to, frame)) = slot.strays.pop_front().or_else(|| slot.guest.poll_frame(now))
        {
            note_frame(&mut self.trace, now, "=>", id, &frame);
            if matches!(frame.body, Body::Hello(_)) {
                slot.greeted = Some(frame.session);
            }
            if !watch.lets_pass(id, &frame) {
                continue;
            }
            let bytes = frame.write();
            let up = &mut self.machines[id.0].up;
            let size = AROUND + bytes.len();
            let arrivals = office.weather.arrivals(self.now, size, up, &mut self.rng);
            watch.session(self.now, SessionNews::Sent(id, Way::Up, arrivals[0]));
            for at in arrivals.into_iter().flatten() {
                let flight = Flight { from: slot.peer, to, bytes: bytes.clone() };
                self.queue.push(at, Event::Up(Box::new(flight)));
            }
        }
    }

    pub(crate) fn frame_up(&mut self, flight: Flight) {
        let Some(office) = &mut self.office else { return };
        // What was meant for a master that is gone reaches nobody.
        if flight.to == office.me {
            let read = Frame::read(&flight.bytes);
            office.host.handle_frame(self.now, flight.from, read, |_| Ok(()));
            office.host.handle_timeout(self.now);
        }
    }

    pub(crate) fn frame_down(&mut self, id: MachineId, flight: Flight, watch: &mut impl Watch<G>) {
        let Some(slot) = &mut self.machines[id.0].slot else { return };
        if slot.peer != flight.to {
            return;
        }
        let read = Frame::read(&flight.bytes);
        if let Ok(frame) = &read
            && !slot.guest.has(frame.session)
        {
            slot.strays.extend(frame.stray().map(|answer| (flight.from, answer)));
        }
        slot.guest.handle_frame(self.now, flight.from, read);
        slot.guest.handle_timeout(self.now);
        self.attend_guest(id, watch);
    }

    /// The network says of a machine's process that it is gone.
    pub(crate) fn gone(&mut self, peer: PeerId) {
        if let Some(office) = &mut self.office {
            office.host.handle_gone(peer);
        }
    }

    /// A machine hears from the network that a master is there, or is gone.
    pub(crate) fn master_news(
        &mut self,
        id: MachineId,
        master: PeerId,
        there: bool,
        watch: &mut impl Watch<G>,
    ) {
        let Some(slot) = &mut self.machines[id.0].slot else { return };
        if there {
            // Who is gone already is not announced after its end.
            if self.office.as_ref().is_some_and(|office| office.me == master) {
                slot.guest.handle_master(self.now, master);
            }
        } else {
            slot.guest.handle_master_gone(self.now, master);
        }
        self.attend_guest(id, watch);
    }

    pub(crate) fn wake(&mut self, id: MachineId, at: Duration, watch: &mut impl Watch<G>) {
        let Some(slot) = &mut self.machines[id.0].slot else { return };
        if slot.wake == Some(at) {
            slot.wake = None;
            slot.guest.handle_timeout(self.now);
            self.attend_guest(id, watch);
        }
    }

    /// Sends what the worker's end has to send, and does what it was told to do.
    fn attend_guest(&mut self, id: MachineId, watch: &mut impl Watch<G>) {
        let Some(mut slot) = self.machines[id.0].slot.take() else { return };
        loop {
            self.send_up(id, &mut slot, watch);
            let Some(event) = slot.guest.poll_event() else { break };
            match event {
                GuestEvent::Joined(_) => {
                    // Numbers of orders mean something within one session only.
                    slot.codec = Codec::default();
                    slot.session = slot.greeted;
                    if let Some(session) = slot.session {
                        watch.session(self.now, SessionNews::Joined(session));
                    }
                }
                GuestEvent::Order(bytes) => match slot.codec.read_order(&bytes) {
                    Ok(order) => self.obey(id, &mut slot, order, watch),
                    Err(error) => {
                        let fault = Fault::Nonsense(format!("an order cannot be read: {error}"));
                        slot.guest.withdraw(fault);
                        self.end_session(id, &mut slot, None, watch);
                    }
                },
                GuestEvent::Left(fault) => {
                    self.end_session(id, &mut slot, Some(&fault), watch);
                }
                GuestEvent::Refused(_) => {}
            }
            slot.offer_again(self.now);
        }
        let next = slot.guest.poll_timeout().map(|at| at.max(self.now));
        if let Some(at) = next
            && slot.wake.is_none_or(|wake| at < wake)
        {
            slot.wake = Some(at);
            self.queue.push(at, Event::Wake(id, at));
        }
        self.machines[id.0].slot = Some(slot);
    }

    fn obey(
        &mut self,
        id: MachineId,
        slot: &mut Slot<G>,
        order: Order<G>,
        watch: &mut impl Watch<G>,
    ) {
        watch.session(self.now, SessionNews::Taken(id, &order));
        if let Order::Search(search) = &order {
            slot.searching = Some(search.epoch);
            slot.guest.forget_progress();
            if let Some(session) = slot.session {
                watch.session(self.now, SessionNews::Forgotten(session));
            }
        }
        self.give(id, order);
    }

    fn end_session(
        &mut self,
        id: MachineId,
        slot: &mut Slot<G>,
        fault: Option<&Fault>,
        watch: &mut impl Watch<G>,
    ) {
        if let Some(session) = slot.session.take() {
            watch.session(self.now, SessionNews::GivenUp(session, fault));
        }
        if let Some(stop) = slot.stop() {
            self.give(id, stop);
        }
    }

    /// The engine of a machine has said something; what goes out may be something else.
    pub(crate) fn engine_said(&mut self, id: MachineId, report: &Report<G>) {
        if let Some(slot) = &mut self.machines[id.0].slot {
            slot.note_end(report);
        }
    }

    /// A report goes out by the session, if there is one.
    pub(crate) fn report_up(
        &mut self,
        id: MachineId,
        report: &Report<G>,
        watch: &mut impl Watch<G>,
    ) {
        let Some(mut slot) = self.machines[id.0].slot.take() else { return };
        match (slot.codec.write_report(report), report, slot.session) {
            (Ok(content), Report::Opinion { opinion, .. }, Some(session)) => {
                let news = SessionNews::Told(session, Some(opinion.rank), &content);
                watch.session(self.now, news);
                slot.guest.report_progress(opinion.rank, content);
            }
            (Ok(content), _, Some(session)) => {
                watch.session(self.now, SessionNews::Told(session, None, &content));
                slot.guest.report(self.now, content);
            }
            // Of an order that was replaced since, or to nobody.
            (Ok(_), _, None) | (Err(WireError::UnknownOrder(_)), ..) => {}
            (Err(_), _, Some(session)) if watch.forges(id) => {
                let content = FORGED.to_vec();
                watch.session(self.now, SessionNews::Told(session, None, &content));
                slot.guest.report(self.now, content);
            }
            (Err(error), ..) => {
                let fault = Fault::Nonsense(format!("the engine's report cannot be told: {error}"));
                slot.guest.withdraw(fault);
                self.end_session(id, &mut slot, None, watch);
            }
        }
        slot.offer_again(self.now);
        self.machines[id.0].slot = Some(slot);
        self.attend_guest(id, watch);
    }
}

/// Frames that begin or end a session are told of.
fn note_frame(trace: &mut crate::Trace, now: Duration, way: &str, id: MachineId, frame: &Frame) {
    let (kind, text) = match &frame.body {
        Body::Hello(_) => (1, "hello".to_owned()),
        Body::Welcome { .. } => (2, "welcome".to_owned()),
        Body::Refuse { reason } => (3, format!("refused: {reason}")),
        Body::Leave(fault) => (4, format!("leave: {fault}")),
        Body::Challenge(_) => (5, "challenge".to_owned()),
        Body::Proof(_) => (6, "proof".to_owned()),
        Body::Letter { .. } | Body::Progress { .. } | Body::Beat { .. } => return,
    };
    let fill = |digest: &mut crate::Digest| {
        digest.add(1 << 43 | kind);
        digest.add(id.0 as u64);
        digest.add(frame.session.0 as u64);
    };
    trace.note(now, fill, || {
        format!("machine {} {way} {text} (session {:08x})", id.0, frame.session.0 as u32)
    });
}
