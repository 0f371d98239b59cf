//! Where workers of other machines report: a thread that holds the master's end of all
//! sessions, between the carrier and the coordinator.

use std::collections::{BTreeMap, VecDeque};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant, SystemTime};

use senbon_core::session::{Hello, Host, HostEvent, HostRules, Parcels, SessionId, Weight, frames};
use senbon_core::wire::{Codec, WireError};
use senbon_core::{Ability, Fault, Order, WorkerId};
use senbon_engines::process::Told;
use senbon_games::Notation;

use crate::Entrance;
use crate::carrier::Delivery;
use crate::carrier::ear::{self, Way};

/// Frames that may wait; what comes on top is dropped, and sent again by its session.
const MOST_FRAMES: usize = 8192;
/// Frames that are taken together.
const MOST_TOGETHER: usize = 64;
/// Orders that may wait for the thread.
const MOST_ORDERS: usize = 16 * 1024;

enum Input {
    Delivery(Delivery),
    /// There are orders.
    Orders,
    Quit,
}

/// What the office tells of a worker.
pub enum Word<G: senbon_games::Game> {
    /// Before it joins: the machine it is on.
    Host(String),
    /// What its engine says, as if it were here.
    Told(Told<G>),
    /// How long an order takes there and its answer back.
    RoundTrip {
        /// On average.
        mean: Duration,
        /// At most, as far as can be told.
        longest: Duration,
    },
}

/// What the office tells.
pub enum Note<G: senbon_games::Game> {
    /// Of a worker.
    Of(WorkerId, Word<G>),
    /// Of those who were turned away: a line for whoever runs the master.
    Refused(String),
}

/// How often the office looks around: at round trips, at revocations, at who was refused.
const ROUND: Duration = Duration::from_millis(500);

/// Orders on their way to the thread.
type Orders<G> = Arc<Mutex<VecDeque<(WorkerId, Order<G>)>>>;

/// The office, running.
pub struct Office<G: Notation> {
    inputs: SyncSender<Input>,
    orders: Orders<G>,
    thread: Option<JoinHandle<()>>,
}

impl<G: Notation + Send + 'static> Office<G> {
    /// Opens the office. Workers are numbered from `first` on, each join anew; `tell` hears of
    /// them on the office's thread and may wait.
    pub fn start(
        entrance: Arc<Entrance>,
        first: WorkerId,
        tell: impl FnMut(Note<G>) + Send + 'static,
    ) -> std::io::Result<Self> {
        let (inputs, inbox) = sync_channel(MOST_FRAMES);
        let orders = Orders::<G>::default();
        let deliver = inputs.clone();
        let taken = Arc::clone(&orders);
        let thread = std::thread::Builder::new().name("office".to_owned()).spawn(move || {
            entrance.attach(Box::new(move |delivery| {
                let _ = match delivery.is_message() {
                    true => deliver.try_send(Input::Delivery(delivery)).is_ok(),
                    false => deliver.send(Input::Delivery(delivery)).is_ok(),
                };
            }));
            let rules = HostRules {
                most_workers: entrance.most_workers(),
                ..HostRules::new(entrance.carrier().me(), G::NAME)
            };
            let clerk = Clerk {
                host: Host::new(rules),
                began: Instant::now(),
                entrance,
                tell,
                next: first,
                workers: BTreeMap::new(),
                sessions: BTreeMap::new(),
                next_round: Duration::ZERO,
                revocations: None,
                refused: Refused::default(),
                parcels: Parcels::default(),
            };
            clerk.work(&inbox, &taken);
        })?;
        Ok(Office { inputs, orders, thread: Some(thread) })
    }

    /// Passes an order on; returns at once. False when there is no room for it.
    pub fn order(&self, worker: WorkerId, order: Order<G>) -> bool {
        let mut orders = self.orders.lock().unwrap_or_else(PoisonError::into_inner);
        if orders.len() >= MOST_ORDERS {
            return false;
        }
        orders.push_back((worker, order));
        drop(orders);
        // If there is no room the thread has work, and looks at the orders after it.
        let _ = self.inputs.try_send(Input::Orders);
        true
    }
}

impl<G: Notation> Drop for Office<G> {
    fn drop(&mut self) {
        let _ = self.inputs.send(Input::Quit);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// A worker that has joined.
struct Seat<G: Notation> {
    session: SessionId,
    /// Of its machine.
    name: String,
    codec: Codec<G>,
}

/// The thread's own state.
struct Clerk<G: Notation, F> {
    host: Host,
    entrance: Arc<Entrance>,
    tell: F,
    began: Instant,
    next: WorkerId,
    workers: BTreeMap<WorkerId, Seat<G>>,
    sessions: BTreeMap<SessionId, WorkerId>,
    /// When to look around next.
    next_round: Duration,
    /// The list of revoked names as it was last looked at.
    revocations: Option<(SystemTime, u64)>,
    refused: Refused,
    parcels: Parcels,
}

/// Who was refused and not told of yet.
#[derive(Default)]
struct Refused {
    last: Option<String>,
    more: u64,
    /// Connections that were not made: their certificates would not do. Counted since the
    /// beginning.
    connections: u64,
}

impl Refused {
    fn note(&mut self, reason: String) {
        self.more += u64::from(self.last.is_some());
        self.last = Some(reason);
    }
}

impl<G: Notation, F: FnMut(Note<G>)> Clerk<G, F> {
    fn work(mut self, inbox: &Receiver<Input>, orders: &Orders<G>) {
        loop {
            self.settle();
            let next = self.host.poll_timeout().into_iter().fold(self.next_round, Duration::min);
            let wait = next.saturating_sub(self.began.elapsed());
            // What has come meanwhile is taken together: one answer does for many letters.
            let mut input = inbox.recv_timeout(wait);
            let mut taken = 1;
            let over = loop {
                match input {
                    Ok(Input::Delivery(delivery)) => self.take(delivery),
                    Ok(Input::Orders) => {}
                    Ok(Input::Quit) | Err(RecvTimeoutError::Disconnected) => break true,
                    Err(RecvTimeoutError::Timeout) => break false,
                }
                if taken == MOST_TOGETHER {
                    break false;
                }
                taken += 1;
                input = inbox.try_recv().map_err(|_| RecvTimeoutError::Timeout);
            };
            if over {
                break;
            }
            let waiting =
                std::mem::take(&mut *orders.lock().unwrap_or_else(PoisonError::into_inner));
            for (worker, order) in waiting {
                self.order(worker, &order);
            }
            let now = self.began.elapsed();
            self.host.handle_timeout(now);
            if now >= self.next_round {
                self.next_round = now + ROUND;
                self.look_around();
            }
        }
        self.entrance.detach();
        for seat in self.workers.values() {
            self.host.dismiss(seat.session, Fault::Died("the master ends".to_owned()));
        }
        self.send();
    }

    /// Sends what is to be sent and tells what is to be told, until there is nothing.
    fn settle(&mut self) {
        self.send();
        while let Some(event) = self.host.poll_event() {
            self.happened(event);
            while let Some(event) = self.host.poll_event() {
                self.happened(event);
            }
            self.send();
        }
    }

    fn happened(&mut self, event: HostEvent) {
        match event {
            HostEvent::Joined(session, hello) => self.joined(session, hello),
            HostEvent::Report(session, report) => self.report(session, &report),
            HostEvent::Left(session, fault) => {
                if let Some(worker) = self.sessions.remove(&session) {
                    self.workers.remove(&worker);
                    self.tell_of(worker, Told::Left(fault));
                }
            }
            HostEvent::Refused(_, reason) => self.refused.note(reason),
        }
    }

    fn send(&mut self) {
        let now = self.began.elapsed();
        while let Some((to, frame)) = self.host.poll_frame(now) {
            self.parcels.add(to, &frame);
        }
        for (to, message) in self.parcels.take() {
            self.entrance.carrier().send(to, message);
        }
    }

    fn take(&mut self, delivery: Delivery) {
        let now = self.began.elapsed();
        match delivery {
            Delivery::Message { from, bytes } => {
                let mut keeper = &*self.entrance;
                for read in frames(&bytes) {
                    self.host.handle_frame_at(now, from, read, &mut keeper);
                }
            }
            // Whoever comes says hello.
            Delivery::Joined(_) => {}
            Delivery::Left(peer) => self.host.handle_gone(peer),
        }
    }

    fn joined(&mut self, session: SessionId, hello: Hello) {
        let worker = self.next;
        self.next = WorkerId(worker.0 + 1);
        self.sessions.insert(session, worker);
        let name = format!("{} on {}", hello.ability.name, hello.name);
        (self.tell)(Note::Of(worker, Word::Host(hello.name.clone())));
        let seat = Seat { session, name: hello.name, codec: Codec::default() };
        self.workers.insert(worker, seat);
        self.tell_of(worker, Told::Joined(Ability { name, ..hello.ability }));
    }

    fn report(&mut self, session: SessionId, report: &[u8]) {
        let Some(&worker) = self.sessions.get(&session) else { return };
        let Some(seat) = self.workers.get(&worker) else { return };
        match seat.codec.read_report(report) {
            Ok(report) => self.tell_of(worker, Told::Report(report)),
            // Late: the order was replaced since.
            Err(WireError::UnknownOrder(_)) => {}
            Err(error) => {
                let fault = Fault::Nonsense(format!("its report cannot be read: {error}"));
                self.host.dismiss(session, fault);
            }
        }
    }

    fn tell_of(&mut self, worker: WorkerId, told: Told<G>) {
        (self.tell)(Note::Of(worker, Word::Told(told)));
    }

    fn look_around(&mut self) {
        for (&worker, seat) in &self.workers {
            let longest = self.host.longest_round_trip(seat.session);
            if let (Some(mean), Some(longest)) = (self.host.round_trip(seat.session), longest) {
                (self.tell)(Note::Of(worker, Word::RoundTrip { mean, longest }));
            }
        }
        let revocations = self.entrance.revocations();
        if self.revocations != revocations {
            self.revocations = revocations;
            self.dismiss_revoked();
        }
        self.tell_refused();
    }

    /// Those whose credentials were revoked while they are here have to go.
    fn dismiss_revoked(&mut self) {
        for seat in self.workers.values() {
            if let Err(denial) = self.entrance.revoked(&seat.name) {
                self.host.dismiss(seat.session, Fault::Died(denial.reason));
            }
        }
    }

    /// One line for all who were refused since the last one.
    fn tell_refused(&mut self) {
        for why in ear::heard(Way::In) {
            self.refused.connections += 1;
            self.refused.note(format!("a connection was not made: {why}"));
        }
        let Some(last) = self.refused.last.take() else { return };
        let more = match std::mem::take(&mut self.refused.more) {
            0 => String::new(),
            more => format!(", and {more} more"),
        };
        let counts = self.host.refusals().iter().map(|(kind, &count)| (kind.name(), count));
        let counts = counts.chain([("connections", self.refused.connections)]);
        let counts = counts.filter(|&(_, count)| count > 0);
        let counts: Vec<_> = counts.map(|(kind, count)| format!("{kind} {count}")).collect();
        let line = format!("refused: {last}{more} (so far: {})", counts.join(", "));
        (self.tell)(Note::Refused(line));
    }

    fn order(&mut self, worker: WorkerId, order: &Order<G>) {
        let Some(seat) = self.workers.get_mut(&worker) else { return };
        let session = seat.session;
        match seat.codec.write_order(order) {
            Ok(content) => {
                let now = self.began.elapsed();
                self.host.order(now, session, Weight::of(order), content);
            }
            Err(error) => {
                let fault = Fault::Died(format!("its order cannot be sent: {error}"));
                self.host.dismiss(session, fault);
            }
        }
    }
}
