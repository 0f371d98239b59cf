//! The built-in workers of this process as crews: a thread for each stands between the workers
//! and those who give them orders, and drives a [`Crew`].

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use senbon_core::minimal::{Crew, Passed};
use senbon_core::{Ability, Berth, Order, Report};
use senbon_engines::builtin::{BuiltIn, Commons, Worker};
use senbon_games::Rng;

/// Events that may wait: findings of workers wait for room, and so do orders.
const WAITING: usize = 4096;
/// Events that are attended to before anything is passed on: many findings may be worth one
/// division of the work.
const MOST_AT_ONCE: usize = 64;

/// Hears what a worker reports.
type Tell<G> = Arc<dyn Fn(Report<G>) + Send + Sync>;

enum Event<G: BuiltIn> {
    Came(u32, Box<Worker<G>>, Tell<G>),
    Order(u32, Order<G>),
    Findings(u32, Report<G>),
    Gone(u32),
}

/// The crews of a process, one for each memory that workers have in common.
pub(crate) struct Crews<G: BuiltIn> {
    rng: Rng,
    known: Vec<(Commons, Arc<Hall<G>>)>,
}

/// A crew and its thread.
struct Hall<G: BuiltIn> {
    crew: u64,
    next: AtomicU32,
    /// None when it is about to end.
    events: Option<SyncSender<Event<G>>>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

/// A worker in a crew.
pub(crate) struct Member<G: BuiltIn> {
    hall: Arc<Hall<G>>,
    number: u32,
}

impl<G: BuiltIn + Sync> Crews<G>
where
    G::Undo: Send,
{
    /// None yet; crews get numbers by `seed`, another one for every process.
    pub(crate) fn new(seed: u64) -> Self {
        Crews { rng: Rng::new(seed), known: Vec::new() }
    }

    /// Starts a worker in the crew that has this memory, and says what it can do. `tell` hears
    /// every report.
    pub(crate) fn start(
        &mut self,
        table_mib: usize,
        commons: &Commons,
        tell: impl Fn(Report<G>) + Send + Sync + 'static,
    ) -> std::io::Result<(Member<G>, Ability)> {
        let known = self.known.iter().find(|(other, _)| other.is(commons));
        let hall = match known {
            Some((_, hall)) => Arc::clone(hall),
            None => {
                let hall = Arc::new(Hall::start(self.rng.next_u64())?);
                self.known.push((commons.clone(), Arc::clone(&hall)));
                hall
            }
        };
        let number = hall.next.fetch_add(1, Ordering::Relaxed);
        let (tell, events): (Tell<G>, _) = (Arc::new(tell), hall.events.clone());
        let (direct, up) = (Arc::clone(&tell), events.clone());
        // What has nothing to do with tasks takes the short way.
        let hear = move |report| match (&report, &up) {
            (Report::Findings { .. }, Some(up)) => {
                let _ = up.send(Event::Findings(number, report));
            }
            _ => direct(report),
        };
        let worker = Worker::start(table_mib, Some(commons.clone()), hear)?;
        let berth = Some(Berth { crew: hall.crew, number });
        let ability = Ability { berth, ..Worker::<G>::ability() };
        if let Some(events) = events {
            let _ = events.send(Event::Came(number, Box::new(worker), tell));
        }
        Ok((Member { hall, number }, ability))
    }
}

impl<G: BuiltIn> Member<G> {
    /// Passes an order on; false when nobody takes it any more.
    pub(crate) fn order(&self, order: Order<G>) -> bool {
        self.hall.tell(Event::Order(self.number, order))
    }
}

impl<G: BuiltIn> Drop for Member<G> {
    fn drop(&mut self) {
        self.hall.tell(Event::Gone(self.number));
    }
}

impl<G: BuiltIn> Hall<G> {
    fn tell(&self, event: Event<G>) -> bool {
        self.events.as_ref().is_some_and(|events| events.send(event).is_ok())
    }
}

impl<G: BuiltIn + Sync> Hall<G>
where
    G::Undo: Send,
{
    fn start(crew: u64) -> std::io::Result<Self> {
        let (events, inbox) = sync_channel(WAITING);
        let lead = move || {
            let (crew, workers) = (Crew::default(), BTreeMap::new());
            Leader { crew, workers, began: Instant::now() }.run(&inbox);
        };
        let thread = std::thread::Builder::new().name("crew".to_owned()).spawn(lead)?;
        let (next, thread) = (AtomicU32::new(1), Mutex::new(Some(thread)));
        Ok(Hall { crew, next, events: Some(events), thread })
    }
}

impl<G: BuiltIn> Drop for Hall<G> {
    /// With the last worker the thread ends.
    fn drop(&mut self) {
        self.events = None;
        let thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner).take();
        let _ = thread.map(JoinHandle::join);
    }
}

/// What the thread has.
struct Leader<G: BuiltIn> {
    crew: Crew<G>,
    workers: BTreeMap<u32, (Box<Worker<G>>, Tell<G>)>,
    began: Instant,
}

impl<G: BuiltIn + Sync> Leader<G>
where
    G::Undo: Send,
{
    fn run(&mut self, inbox: &Receiver<Event<G>>) {
        let mut ending = Vec::new();
        loop {
            let now = self.began.elapsed();
            let next = self.crew.poll_timeout();
            let wait = next.map_or(Duration::from_secs(3600), |at| at.saturating_sub(now));
            match inbox.recv_timeout(wait) {
                Ok(event) => ending.extend(self.attend(event)),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            for event in (0..MOST_AT_ONCE).map_while(|_| inbox.try_recv().ok()) {
                ending.extend(self.attend(event));
            }
            self.crew.handle_timeout(self.began.elapsed());
            self.pass_on();
        }
        let _: Vec<_> = ending.into_iter().map(JoinHandle::join).collect();
    }

    fn attend(&mut self, event: Event<G>) -> Option<JoinHandle<()>> {
        let now = self.began.elapsed();
        match event {
            Event::Came(number, worker, tell) => {
                self.workers.insert(number, (worker, tell));
            }
            Event::Order(number, order) => self.crew.handle_order(now, number, order),
            Event::Findings(number, report) => self.crew.handle_report(now, number, report),
            Event::Gone(number) => {
                self.crew.handle_left(now, number);
                let (worker, _) = self.workers.remove(&number)?;
                // It may take a while to end, and the others go on.
                return Some(std::thread::spawn(move || drop(worker)));
            }
        }
        None
    }

    fn pass_on(&mut self) {
        while let Some(passed) = self.crew.poll() {
            match passed {
                Passed::Down(number, order) => {
                    if let Some((worker, _)) = self.workers.get(&number) {
                        worker.order(order);
                    }
                }
                Passed::Up(number, report) => {
                    if let Some((_, tell)) = self.workers.get(&number) {
                        tell(report);
                    }
                }
            }
        }
    }
}
