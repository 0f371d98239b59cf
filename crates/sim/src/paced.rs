//! Our search as a worker in virtual time: on a stack of its own, let forward by nodes.
//!
//! The search runs the very lines of the live one. Before each node it asks its pace; when
//! its grant is used up the pace switches back to whoever granted it. So any number of
//! searches share one thread, each stands exactly at its own node, and a run repeats bit for
//! bit. Orders act between two nodes.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::io;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use corosensei::stack::DefaultStack;
use corosensei::{Coroutine, CoroutineResult, Yielder};
use senbon_core::{Ability, Epoch, Order, Report, Search};
use senbon_engines::builtin::{Commons, Desk, Judged, TaskDesk};
use senbon_search::{Pace, Signals, Table};

use crate::machine::Stepped;

/// Address space of a search's stack. Only pages that were ever used take memory.
const STACK_BYTES: usize = 4 << 20;

/// Why a search gave the processor back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pause {
    /// Its nodes are used up.
    Spent,
    /// It has nothing to search.
    Idle,
}

/// What both sides of the switch see.
struct Shared<G: Judged> {
    /// Nodes that may still be searched before the next switch.
    left: Cell<u64>,
    /// Nodes that the last grant was for.
    granted: Cell<u64>,
    node_time: Cell<Duration>,
    /// Which search is wanted, and how to stop it.
    newest: RefCell<(Epoch, Arc<Signals>)>,
    /// Not begun yet: at most a new game and the newest search.
    waiting: RefCell<VecDeque<Order<G>>>,
    /// Reports made since the last grant, with the nodes of it used by then.
    reports: RefCell<Vec<(u64, Report<G>)>>,
}

impl<G: Judged> Shared<G> {
    fn used(&self) -> u64 {
        self.granted.get() - self.left.get()
    }
}

/// A worker with our own search behind it, in virtual time.
///
/// ```
/// use std::time::Duration;
/// use senbon_core::{Epoch, Limits, Order, Place, Report, Search};
/// use senbon_games::{Notation, chess::Chess};
/// use senbon_sim::PacedWorker;
///
/// let mut worker: PacedWorker<Chess> =
///     PacedWorker::new(1 << 16, Duration::from_micros(1)).unwrap();
/// let limits = Limits { infinite: true, ..Limits::default() };
/// let place = Place::new(Chess::start());
/// worker.order(Order::Search(Search { epoch: Epoch(1), place, only: vec![], lines: 1, limits }));
/// let mut opinions = 0;
/// assert_eq!(worker.run(1_000, |_, report| opinions += 1), 1_000);
/// assert!(opinions > 0 && !worker.is_idle());
/// ```
pub struct PacedWorker<G: Judged> {
    /// `None` once its search has failed.
    search: Option<Coroutine<(), Pause, ()>>,
    shared: Rc<Shared<G>>,
    table: Arc<Table>,
    /// Tasks need no stack of their own: they are searched before anything else.
    tasks: TaskDesk<G>,
    idle: bool,
    searched: u64,
}

impl<G: Judged> PacedWorker<G> {
    /// A worker with a table of `table_bytes` that takes `node_time` for a node. Fails when
    /// there is no memory for its stack.
    pub fn new(table_bytes: usize, node_time: Duration) -> io::Result<Self> {
        let table = Arc::new(Table::with_bytes(table_bytes));
        let shared = Rc::new(Shared {
            left: Cell::new(0),
            granted: Cell::new(0),
            node_time: Cell::new(node_time),
            newest: RefCell::default(),
            waiting: RefCell::default(),
            reports: RefCell::default(),
        });
        let stack = DefaultStack::new(STACK_BYTES)?;
        let (own, used) = (Rc::clone(&shared), Arc::clone(&table));
        let search = Coroutine::with_stack(stack, move |yielder, ()| work(yielder, &own, used));
        let tasks = TaskDesk::new(table_bytes);
        Ok(PacedWorker { search: Some(search), shared, table, tasks, idle: true, searched: 0 })
    }

    /// The same, remembering leaves of minimal trees together with others.
    #[must_use]
    pub fn sharing(self, commons: Option<Commons>) -> Self {
        PacedWorker { tasks: self.tasks.sharing(commons), ..self }
    }

    /// Whether there is nothing to search.
    pub fn is_idle(&self) -> bool {
        self.idle
    }

    /// Nodes searched so far.
    pub fn searched(&self) -> u64 {
        self.searched
    }

    /// Takes an order; it acts before the next node. A harvest is answered at once, and so is a
    /// search that a new game ends before it began.
    pub fn order(&mut self, order: Order<G>) -> Option<Report<G>> {
        match order {
            Order::Search(ref search) => {
                self.supersede(search.epoch);
                self.shared.waiting.borrow_mut().push_back(order);
                return self.tasks.stop();
            }
            Order::Tasks(tasks) => {
                let replaced = match tasks.root {
                    Some(_) if self.tasks.epoch() != Some(tasks.epoch) => {
                        self.supersede(tasks.epoch);
                        self.tasks.stop()
                    }
                    _ => None,
                };
                self.tasks.take(tasks);
                self.idle = false;
                return replaced;
            }
            Order::NewGame => {
                let waiting = self.shared.waiting.borrow().iter().find_map(|order| match order {
                    Order::Search(search) => Some(search.epoch),
                    _ => None,
                });
                self.supersede(Epoch(u64::MAX));
                self.shared.waiting.replace([order].into());
                let tasks = self.tasks.stop();
                self.tasks.new_game();
                // Whoever waits for its end has to hear of it, as in the live worker.
                let done = |epoch| Report::Done { epoch, best: None, ponder: None };
                return tasks.or(waiting.map(done));
            }
            Order::Stop(epoch) if self.tasks.epoch() == Some(epoch) => return self.tasks.stop(),
            Order::Stop(epoch) => {
                let newest = self.shared.newest.borrow();
                if newest.0 == epoch {
                    newest.1.stop();
                }
            }
            Order::PonderHit(_) => {}
            Order::Harvest { epoch, place, count } => {
                return Some(Desk::harvest(&self.table, epoch, &place, count));
            }
        }
        None
    }

    /// Ends the search under way in favour of `epoch`, as in the live worker. Of the searches
    /// that wait only the newest is made.
    fn supersede(&mut self, epoch: Epoch) {
        let mut newest = self.shared.newest.borrow_mut();
        newest.1.stop();
        *newest = (epoch, Arc::default());
        self.shared.waiting.borrow_mut().retain(|order| matches!(order, Order::NewGame));
        self.idle = false;
    }

    /// Lets it search `nodes` nodes, or until it has nothing to search. `tell` hears each
    /// report and after how many of these nodes it was made. Returns the nodes used.
    pub fn run(&mut self, nodes: u64, mut tell: impl FnMut(u64, Report<G>)) -> u64 {
        let mut used = 0;
        while used < nodes && !self.tasks.is_idle() {
            // A search may go a few nodes beyond what it is let.
            used = nodes.min(used + self.tasks.run(nodes - used));
            if let Some(findings) = self.tasks.findings() {
                tell(used, findings);
            }
        }
        if self.tasks.epoch().is_some() {
            self.idle = self.tasks.is_idle();
            self.searched += used;
            return used;
        }
        let Some(search) = &mut self.search else { return 0 };
        self.shared.granted.set(nodes);
        self.shared.left.set(nodes);
        match search.resume(()) {
            CoroutineResult::Yield(Pause::Spent) => {}
            CoroutineResult::Yield(Pause::Idle) => self.idle = true,
            CoroutineResult::Return(()) => {
                self.idle = true;
                self.search = None;
            }
        }
        for (used, report) in self.shared.reports.take() {
            tell(used, report);
        }
        let used = self.shared.used();
        self.searched += used;
        used
    }
}

impl<G: Judged> Stepped<G> for PacedWorker<G> {
    fn ability(&self) -> Ability {
        let node_nanos = self.node_time().as_nanos().max(1) as u64;
        Ability { speed: 1_000_000_000 / node_nanos, ..Desk::<G>::ability() }
    }

    fn is_idle(&self) -> bool {
        self.idle
    }

    fn node_time(&self) -> Duration {
        self.shared.node_time.get()
    }

    fn set_node_time(&mut self, node_time: Duration) {
        self.shared.node_time.set(node_time);
    }

    fn order(&mut self, order: Order<G>) -> Option<Report<G>> {
        PacedWorker::order(self, order)
    }

    fn run(&mut self, nodes: u64, tell: &mut dyn FnMut(u64, Report<G>)) -> u64 {
        PacedWorker::run(self, nodes, tell)
    }
}

/// What runs on the worker's own stack.
fn work<G: Judged>(yielder: &Yielder<(), Pause>, shared: &Shared<G>, table: Arc<Table>) {
    let mut desk: Desk<G> = Desk::new(table);
    loop {
        let next = shared.waiting.borrow_mut().pop_front();
        match next {
            Some(Order::NewGame) => desk.new_game(),
            Some(Order::Search(search)) => perform(&mut desk, yielder, shared, &search),
            _ => yielder.suspend(Pause::Idle),
        }
    }
}

fn perform<G: Judged>(
    desk: &mut Desk<G>,
    yielder: &Yielder<(), Pause>,
    shared: &Shared<G>,
    search: &Search<G>,
) {
    let signals = Arc::clone(&shared.newest.borrow().1);
    let mut pace = Grants { yielder, shared, nodes: 0, elapsed: Duration::ZERO };
    desk.search(search, &signals, &mut pace, |report| {
        shared.reports.borrow_mut().push((shared.used(), report));
    });
}

/// Lets a search forward as long as its grant lasts.
struct Grants<'a, G: Judged> {
    yielder: &'a Yielder<(), Pause>,
    shared: &'a Shared<G>,
    /// Nodes of this search since its node time last changed, and the time before.
    nodes: u64,
    elapsed: Duration,
}

impl<G: Judged> Pace for Grants<'_, G> {
    /// A stop counts before the next node.
    const SIGNAL_NODES: u64 = 1;

    #[inline]
    fn step(&mut self) {
        if self.shared.left.get() == 0 {
            self.wait();
        }
        self.shared.left.set(self.shared.left.get() - 1);
        self.nodes += 1;
    }

    fn elapsed(&self) -> Duration {
        self.elapsed + nodes_time(self.shared.node_time.get(), self.nodes)
    }
}

impl<G: Judged> Grants<'_, G> {
    #[cold]
    fn wait(&mut self) {
        let before = self.shared.node_time.get();
        while self.shared.left.get() == 0 {
            self.yielder.suspend(Pause::Spent);
        }
        if self.shared.node_time.get() != before {
            self.elapsed += nodes_time(before, self.nodes);
            self.nodes = 0;
        }
    }
}

/// How long so many nodes take.
pub(crate) fn nodes_time(node_time: Duration, nodes: u64) -> Duration {
    Duration::from_nanos((node_time.as_nanos() as u64).saturating_mul(nodes))
}
