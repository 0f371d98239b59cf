//! The virtual world: drives a coordinator and its workers by one event queue.
//!
//! It is mechanism only. Who asks for moves, which faults happen and what is checked comes
//! from outside: through orders and alarms, through the methods that break and mend things,
//! and through a [`Watch`] that sees every message.

use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

use senbon_core::pipeline::Output;
use senbon_core::session::PeerId;
use senbon_core::vote::Plan;
use senbon_core::{Ability, Coordinator, Order, Report, WorkerId};
use senbon_engines::builtin::{Judged, tree};
use senbon_games::{Game, Rng};

use crate::crews::Process;
use crate::machine::Machine;
use crate::sessions::{Flight, Office};
use crate::trace::{order_text, report_text};
use crate::{LinkProfile, MachineId, Mind, Queue, Sent, Trace, Watch, Wire};

/// What a world tells whoever drives it.
#[derive(Clone, Debug)]
pub enum Happened<G: Game, A> {
    /// The coordinator says this to whoever gave it orders.
    Above(Report<G>),
    /// An alarm set with [`World::alarm`] rings.
    Alarm(A),
}

/// Small, for the queue moves it about: what is large is boxed.
pub(crate) enum Event<G: Game, A> {
    Alarm(A),
    /// An order arrives at a machine, on this connection.
    Order(MachineId, WorkerId, Box<Order<G>>),
    /// A machine makes a report.
    Tell(MachineId, Box<Report<G>>),
    /// An order of its crew arrives at a worker of this number.
    Handed(MachineId, u32, Box<Order<G>>),
    /// A machine makes a report in the name of its crew.
    Told(MachineId, Box<Report<G>>),
    /// A crew has something to do, if it was woken for then.
    Crew(usize),
    /// A report goes out late or again.
    Send(MachineId, WorkerId, Box<Sent<G>>),
    /// A report arrives at the coordinator.
    Report(WorkerId, Box<Report<G>>),
    Joined(WorkerId, MachineId, Box<Ability>),
    /// The coordinator notices that a connection is gone.
    Lost(WorkerId),
    /// A search goes on; a script acts.
    Slice(MachineId, u64),
    Act(MachineId, u64),
    /// A machine that stood still may go on.
    Thaw(MachineId),
    /// A frame of a session arrives at the master, or at a machine.
    Up(Box<Flight>),
    Down(MachineId, Box<Flight>),
    /// A machine's end of a session has something to do, if it was woken for then.
    Wake(MachineId, Duration),
    /// The network tells the master that a process is gone.
    Gone(PeerId),
    /// The network tells a machine of a master: there, or gone.
    Master(MachineId, PeerId, bool),
}

impl<G: Game, A> Event<G, A> {
    /// The machine on which it happens, if it happens on one.
    fn machine(&self) -> Option<MachineId> {
        match self {
            Event::Order(id, ..)
            | Event::Tell(id, _)
            | Event::Handed(id, ..)
            | Event::Told(id, _)
            | Event::Slice(id, _)
            | Event::Act(id, _)
            | Event::Down(id, _)
            | Event::Wake(id, _)
            | Event::Master(id, ..) => Some(*id),
            _ => None,
        }
    }
}

/// A coordinator and its workers in virtual time. `W` carries their messages, `A` is what
/// whoever drives it wants to be reminded of.
pub struct World<G: Judged, W, A> {
    pub(crate) now: Duration,
    pub(crate) queue: Queue<Event<G, A>>,
    pub(crate) coordinator: Coordinator<G>,
    wire: W,
    /// The master's end of the sessions, in worlds that have them; `wire` is not used then.
    pub(crate) office: Option<Box<Office<G>>>,
    pub(crate) rng: Rng,
    pub(crate) machines: Vec<Machine<G>>,
    /// Crews, by number.
    pub(crate) processes: Vec<Process<G>>,
    /// What waits until its machine goes on, in the order it happened.
    held: BTreeMap<MachineId, Vec<Event<G, A>>>,
    /// Connections as the coordinator knows them.
    pub(crate) connected: BTreeMap<WorkerId, MachineId>,
    pub(crate) next_worker: u32,
    pub(crate) above: VecDeque<Report<G>>,
    timer_lag: Duration,
    /// Time-outs handled at one and the same moment.
    timeouts_now: u32,
    pub(crate) trace: Trace,
    sent: Vec<Sent<G>>,
}

/// A coordinator that wants to be called again more often than this, without time passing, is
/// stuck.
const MOST_TIMEOUTS: u32 = 1_000;

impl<G: Judged, W: Wire<G>, A> World<G, W, A> {
    /// A world without machines. `seed` draws the jitter of the links.
    pub fn new(start: G, plan: impl Into<Plan>, wire: W, seed: u64) -> Self {
        World {
            now: Duration::ZERO,
            queue: Queue::default(),
            coordinator: Coordinator::new(&start, plan.into(), tree),
            wire,
            office: None,
            rng: Rng::new(seed),
            machines: Vec::new(),
            processes: Vec::new(),
            held: BTreeMap::new(),
            connected: BTreeMap::new(),
            next_worker: 1,
            above: VecDeque::new(),
            timer_lag: Duration::ZERO,
            timeouts_now: 0,
            trace: Trace::default(),
            sent: Vec::new(),
        }
    }

    /// The time in this world.
    pub fn now(&self) -> Duration {
        self.now
    }

    /// The coordinator, to look at.
    pub fn coordinator(&self) -> &Coordinator<G> {
        &self.coordinator
    }

    /// The coordinator, to change its settings.
    pub fn coordinator_mut(&mut self) -> &mut Coordinator<G> {
        &mut self.coordinator
    }

    /// What happened so far.
    pub fn trace(&self) -> &Trace {
        &self.trace
    }

    /// What happened so far, to listen to it.
    pub fn trace_mut(&mut self) -> &mut Trace {
        &mut self.trace
    }

    /// The coordinator wakes up so much later than it asked for, as on a busy machine.
    pub fn set_timer_lag(&mut self, lag: Duration) {
        self.timer_lag = lag;
    }

    /// How many machines there are, in whatever state.
    pub fn machine_count(&self) -> usize {
        self.machines.len()
    }

    /// Whether a machine is running.
    pub fn is_alive(&self, id: MachineId) -> bool {
        self.machines[id.0].alive
    }

    /// Whether a machine has a connection, as it sees it.
    pub fn is_connected(&self, id: MachineId) -> bool {
        self.machines[id.0].connection.is_some()
    }

    /// The machine behind a worker that the coordinator knows.
    pub fn machine_of(&self, id: WorkerId) -> Option<MachineId> {
        self.connected.get(&id).copied()
    }

    /// The newest name given to a worker.
    pub fn last_worker(&self) -> WorkerId {
        WorkerId(self.next_worker - 1)
    }

    /// What thinks on a machine.
    pub fn mind(&self, id: MachineId) -> &Mind<G> {
        &self.machines[id.0].mind
    }

    /// Adds a machine, which is not connected yet.
    pub fn add(&mut self, mind: Mind<G>, profile: LinkProfile) -> MachineId {
        self.machines.push(Machine::new(mind, profile));
        MachineId(self.machines.len() - 1)
    }

    /// Puts `tag` behind the name of a machine's engine, for coordinators that go by names.
    pub fn tag(&mut self, id: MachineId, tag: String) {
        self.machines[id.0].tag = tag;
    }

    /// A running machine dials in, with a new name.
    pub fn connect(&mut self, id: MachineId) {
        if self.office.is_some() {
            self.start_lender(id);
            return;
        }
        let ability = self.ability(id);
        let machine = &mut self.machines[id.0];
        if !machine.alive || machine.connection.is_some() {
            return;
        }
        let worker = WorkerId(self.next_worker);
        self.next_worker += 1;
        machine.connection = Some(worker);
        machine.down.reset(self.now);
        machine.up.reset(self.now);
        let at = machine.up.send(self.now, 64, &mut self.rng);
        self.queue.push(at, Event::Joined(worker, id, Box::new(ability)));
    }

    /// The connection of a machine breaks. The coordinator notices after `notice`.
    pub fn disconnect(&mut self, id: MachineId, notice: Duration) {
        if let Some(worker) = self.machines[id.0].connection.take() {
            self.queue.push(self.now + notice, Event::Lost(worker));
        }
    }

    /// The process on a machine ends. The coordinator notices after `notice`.
    pub fn crash(&mut self, id: MachineId, notice: Duration) {
        self.machines[id.0].alive = false;
        self.leave_crew(id);
        self.disconnect(id, notice);
    }

    /// A process starts on a machine where none runs; it has to connect.
    pub fn restart(&mut self, id: MachineId, mind: Mind<G>) {
        if !self.machines[id.0].alive {
            self.machines[id.0].restart(mind);
            self.berth(id);
        }
    }

    /// A machine stands still until then; orders wait for it.
    pub fn freeze(&mut self, id: MachineId, until: Duration) {
        let machine = &mut self.machines[id.0];
        machine.frozen_until = machine.frozen_until.max(until);
        self.queue.push(until, Event::Thaw(id));
    }

    /// A machine takes so many times its usual time for everything.
    pub fn slow(&mut self, id: MachineId, times: u32) {
        self.machines[id.0].slow(times);
    }

    /// Nothing gets through to a machine or back before `until`.
    pub fn stall(&mut self, id: MachineId, until: Duration) {
        self.machines[id.0].down.stall(until);
        self.machines[id.0].up.stall(until);
    }

    /// A machine's links work, it runs at its usual speed, and stands still no longer.
    pub fn heal(&mut self, id: MachineId) {
        let (now, machine) = (self.now, &mut self.machines[id.0]);
        machine.down.heal(now);
        machine.up.heal(now);
        if self.office.is_some() {
            // Frames need not wait for those that are stuck.
            machine.down.reset(now);
            machine.up.reset(now);
        }
        machine.slow(1);
        machine.frozen_until = now;
        self.queue.push(now, Event::Thaw(id));
    }

    /// Reminds of `what` at `at`.
    pub fn alarm(&mut self, at: Duration, what: A) {
        self.queue.push(at.max(self.now), Event::Alarm(what));
    }

    /// Gives the coordinator an order.
    pub fn order(&mut self, order: Order<G>, watch: &mut impl Watch<G>) {
        let text = || format!("above -> {}", order_text(&order));
        self.trace.note(self.now, |digest| digest.order(&order), text);
        self.coordinator.handle_order(self.now, order);
        self.drain(watch);
    }

    /// Lets time pass until something concerns whoever drives the world. `None` when nothing
    /// will ever happen again.
    pub fn next(&mut self, watch: &mut impl Watch<G>) -> Option<Happened<G, A>> {
        loop {
            self.attend_host(watch);
            if let Some(report) = self.above.pop_front() {
                return Some(Happened::Above(report));
            }
            let timers = self.coordinator.poll_timeout().into_iter().chain(self.session_timeout());
            let timer = timers.min().map(|at| (at + self.timer_lag).max(self.now));
            let event = self.queue.next_at();
            if let Some(at) = timer
                && event.is_none_or(|event| at < event)
            {
                self.pass(at);
                self.timeouts_now += 1;
                assert!(
                    self.timeouts_now <= MOST_TIMEOUTS,
                    "the coordinator asks to be called again and again without time passing"
                );
                self.handle_timeouts();
                self.drain(watch);
                continue;
            }
            let (at, event) = self.queue.pop()?;
            self.pass(at);
            match event {
                Event::Alarm(what) => return Some(Happened::Alarm(what)),
                event => self.happen(event, watch),
            }
        }
    }

    fn handle_timeouts(&mut self) {
        if let Some(office) = &mut self.office {
            office.host.handle_timeout(self.now);
        }
        if self.coordinator.poll_timeout().is_some_and(|at| at + self.timer_lag <= self.now) {
            self.coordinator.handle_timeout(self.now);
        }
    }

    fn pass(&mut self, at: Duration) {
        if at > self.now {
            self.now = at;
            self.timeouts_now = 0;
        }
    }

    fn happen(&mut self, event: Event<G, A>, watch: &mut impl Watch<G>) {
        // What is late is late in the network, but with sessions in the machine.
        let late = match &event {
            Event::Send(id, ..) if self.office.is_some() => Some(*id),
            _ => None,
        };
        if let Some(id) = event.machine().or(late) {
            if matches!(event, Event::Order(..) | Event::Down(..)) {
                self.machines[id.0].arrived(self.now);
            }
            let frozen = self.machines[id.0].frozen_until > self.now;
            if frozen || self.held.contains_key(&id) {
                self.held.entry(id).or_default().push(event);
                return;
            }
        }
        self.act_on(event, watch);
    }

    fn act_on(&mut self, event: Event<G, A>, watch: &mut impl Watch<G>) {
        match event {
            // Given to whoever drives the world before it comes here.
            Event::Alarm(_) => {}
            Event::Order(id, connection, order) => self.order_arrives(id, connection, *order),
            Event::Tell(id, report) => self.tell(id, *report, watch),
            Event::Handed(id, number, order) => self.handed(id, number, *order),
            Event::Told(id, report) => self.say(id, *report, watch),
            Event::Crew(index) => self.look_at_crew(index),
            Event::Send(id, connection, sent) => self.send(id, connection, *sent, watch),
            Event::Report(from, report) => self.report_arrives(from, *report, watch),
            Event::Joined(worker, id, ability) => self.joined(worker, id, *ability, watch),
            Event::Lost(worker) => self.lost(worker, watch),
            Event::Slice(id, turn) => self.slice(id, turn),
            Event::Act(id, turn) => self.act(id, turn),
            Event::Thaw(id) => self.thaw(id, watch),
            Event::Up(flight) => self.frame_up(*flight),
            Event::Down(id, flight) => self.frame_down(id, *flight, watch),
            Event::Wake(id, at) => self.wake(id, at, watch),
            Event::Gone(peer) => self.gone(peer),
            Event::Master(id, master, there) => self.master_news(id, master, there, watch),
        }
    }

    fn thaw(&mut self, id: MachineId, watch: &mut impl Watch<G>) {
        if self.machines[id.0].frozen_until <= self.now {
            for event in self.held.remove(&id).unwrap_or_default() {
                self.act_on(event, watch);
            }
        }
    }

    fn order_arrives(&mut self, id: MachineId, connection: WorkerId, order: Order<G>) {
        let machine = &self.machines[id.0];
        if machine.alive && machine.connection == Some(connection) {
            self.give(id, order);
        }
    }

    /// What thinks on a machine is told to do something.
    pub(crate) fn hand(&mut self, id: MachineId, order: Order<G>) {
        let now = self.now;
        let machine = &mut self.machines[id.0];
        let answer = machine.order(now, order);
        if let Some(at) = machine.next_act(now) {
            let turn = machine.turn;
            self.queue.push(at, Event::Act(id, turn));
        }
        if machine.wants_slice() && !machine.sliced {
            machine.sliced = true;
            let turn = machine.turn;
            self.queue.push(now, Event::Slice(id, turn));
        }
        if let Some(report) = answer {
            self.queue.push(now, Event::Tell(id, Box::new(report)));
        }
    }

    fn slice(&mut self, id: MachineId, turn: u64) {
        let now = self.now;
        let machine = &mut self.machines[id.0];
        if !machine.alive || machine.turn != turn {
            return;
        }
        machine.sliced = false;
        let queue = &mut self.queue;
        let next = machine.slice(now, |at, report| {
            queue.push(at, Event::Tell(id, Box::new(report)));
        });
        if let Some(at) = next {
            machine.sliced = true;
            self.queue.push(at, Event::Slice(id, turn));
        }
    }

    fn act(&mut self, id: MachineId, turn: u64) {
        let now = self.now;
        let machine = &mut self.machines[id.0];
        if !machine.alive || machine.turn != turn {
            return;
        }
        let Mind::Script(script) = &mut machine.mind else { return };
        if let Some(report) = script.act() {
            self.queue.push(now, Event::Tell(id, Box::new(report)));
        }
        if let Some(at) = machine.next_act(now) {
            self.queue.push(at, Event::Act(id, turn));
        }
    }

    pub(crate) fn say(&mut self, id: MachineId, report: Report<G>, watch: &mut impl Watch<G>) {
        let machine = &self.machines[id.0];
        let Some(connection) = machine.connection.filter(|_| machine.alive) else { return };
        self.engine_said(id, &report);
        let mut sent = std::mem::take(&mut self.sent);
        watch.sends(self.now, id, report, &mut sent);
        for sent in sent.drain(..) {
            if sent.delay.is_zero() {
                self.send(id, connection, sent, watch);
            } else {
                self.queue.push(self.now + sent.delay, Event::Send(id, connection, Box::new(sent)));
            }
        }
        self.sent = sent;
    }

    fn send(
        &mut self,
        id: MachineId,
        connection: WorkerId,
        sent: Sent<G>,
        watch: &mut impl Watch<G>,
    ) {
        let machine = &mut self.machines[id.0];
        if machine.connection != Some(connection) {
            return;
        }
        if self.office.is_some() {
            self.report_up(id, &sent.report, watch);
            return;
        }
        let parcel = self.wire.report(connection, sent.report);
        let up = &mut machine.up;
        let at = if sent.apart {
            up.send_apart(self.now, parcel.bytes, &mut self.rng)
        } else {
            up.send(self.now, parcel.bytes, &mut self.rng)
        };
        if let Some(report) = parcel.message {
            self.queue.push(at, Event::Report(connection, Box::new(report)));
        }
    }

    pub(crate) fn report_arrives(
        &mut self,
        from: WorkerId,
        report: Report<G>,
        watch: &mut impl Watch<G>,
    ) {
        if !self.connected.contains_key(&from) {
            return;
        }
        let fill = |digest: &mut crate::Digest| {
            digest.add(u64::from(from.0));
            digest.report(&report);
        };
        self.trace.note(self.now, fill, || format!("{} -> {}", from.0, report_text(&report)));
        watch.hears(self.now, &self.coordinator, from, &report);
        let report = watch.mishears(from, report);
        self.coordinator.handle_report(self.now, from, report);
        watch.heard(self.now, &self.coordinator);
        self.drain(watch);
    }

    fn joined(
        &mut self,
        worker: WorkerId,
        id: MachineId,
        ability: Ability,
        watch: &mut impl Watch<G>,
    ) {
        if self.machines[id.0].connection == Some(worker) {
            self.take_in(worker, id, ability, watch);
        }
    }

    /// The coordinator gets another worker.
    pub(crate) fn take_in(
        &mut self,
        worker: WorkerId,
        id: MachineId,
        ability: Ability,
        watch: &mut impl Watch<G>,
    ) {
        let fill = |digest: &mut crate::Digest| digest.add(1 << 40 | u64::from(worker.0));
        self.trace.note(self.now, fill, || format!("{} joins (machine {})", worker.0, id.0));
        self.connected.insert(worker, id);
        let tag = &self.machines[id.0].tag;
        let ability = Ability { name: format!("{}{tag}", ability.name), ..ability };
        self.coordinator.handle_joined(self.now, worker, ability);
        watch.joins(self.now, &self.coordinator, worker);
        self.drain(watch);
    }

    pub(crate) fn lost(&mut self, worker: WorkerId, watch: &mut impl Watch<G>) {
        if self.connected.remove(&worker).is_none() {
            return;
        }
        let fill = |digest: &mut crate::Digest| digest.add(1 << 41 | u64::from(worker.0));
        self.trace.note(self.now, fill, || format!("{} is gone", worker.0));
        watch.leaves(self.now, &self.coordinator, worker);
        self.coordinator.handle_left(self.now, worker);
        self.drain(watch);
        watch.left(self.now, &self.coordinator);
    }

    /// Does what the coordinator wants done. As in the live world, the time is looked at
    /// after every event.
    fn drain(&mut self, watch: &mut impl Watch<G>) {
        if self.coordinator.poll_timeout().is_some_and(|at| at + self.timer_lag <= self.now) {
            self.coordinator.handle_timeout(self.now);
        }
        while let Some(minutes) = self.coordinator.poll_minutes() {
            watch.minutes(self.now, &minutes);
        }
        while let Some(output) = self.coordinator.poll() {
            match output {
                Output::Above(report) => {
                    let text = || format!("above <- {}", report_text(&report));
                    self.trace.note(self.now, |digest| digest.report(&report), text);
                    watch.misspeaks(report, &mut self.above);
                }
                Output::Below(worker, order) => self.send_order(worker, order, watch),
            }
        }
        watch.quiet(self.now, &self.coordinator);
    }

    fn send_order(&mut self, worker: WorkerId, order: Order<G>, watch: &mut impl Watch<G>) {
        let fill = |digest: &mut crate::Digest| {
            digest.add(u64::from(worker.0));
            digest.order(&order);
        };
        self.trace.note(self.now, fill, || format!("{} <- {}", worker.0, order_text(&order)));
        watch.orders(self.now, worker, &order);
        if let Some(office) = &mut self.office {
            office.order(self.now, worker, &order);
            return;
        }
        let Some(&id) = self.connected.get(&worker) else { return };
        let parcel = self.wire.order(worker, order);
        let machine = &mut self.machines[id.0];
        let at = machine.down.send(self.now, parcel.bytes, &mut self.rng);
        if let Some(order) = parcel.message {
            machine.arrivals.push(at);
            self.queue.push(at, Event::Order(id, worker, Box::new(order)));
        }
    }
}
