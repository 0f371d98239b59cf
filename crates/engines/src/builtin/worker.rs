//! A built-in engine as a worker in this process: orders in, reports out, no pipe.

use std::sync::mpsc::{Receiver, SyncSender, TryRecvError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use senbon_core::{Ability, Epoch, Order, Report, Search};
use senbon_search::{Signals, Table};

use super::thinker::{STACK_BYTES, WallClock};
use super::{BuiltIn, Commons, Desk, TaskDesk};

/// Orders that may wait. Only the newest search among them is made.
const WAITING: usize = 64;

/// Nodes of a task between two looks at what came: well below a tenth of a millisecond.
const SLICE: u64 = 32;
/// However often something is found, it is told no more often than this, unless there is
/// nothing else to do.
const PAUSE: Duration = Duration::from_micros(500);

/// A worker with our own search behind it, on a thread of its own.
pub struct Worker<G: BuiltIn> {
    orders: Option<SyncSender<Order<G>>>,
    newest: Arc<Mutex<Newest>>,
    table: Arc<Table>,
    thread: Option<JoinHandle<()>>,
    tell: Arc<dyn Fn(Report<G>) + Send + Sync>,
}

/// Which search is wanted, and how to stop it.
#[derive(Default)]
struct Newest {
    epoch: Epoch,
    /// It is one of tasks: the thread looks at what comes while it searches.
    tasks: bool,
    signals: Arc<Signals>,
}

impl<G: BuiltIn> Worker<G>
where
    G::Undo: Send,
{
    /// Starts the thread, with a table of so many mebibytes and a memory shared with others, if
    /// there is one. `tell` hears every report.
    pub fn start(
        table_mib: usize,
        commons: Option<Commons>,
        tell: impl Fn(Report<G>) + Send + Sync + 'static,
    ) -> std::io::Result<Self> {
        let (orders, inbox) = sync_channel(WAITING);
        let table = Arc::new(Table::with_mib(table_mib));
        let newest = Arc::new(Mutex::new(Newest::default()));
        let tell: Arc<dyn Fn(Report<G>) + Send + Sync> = Arc::new(tell);
        let (shared, wanted, teller) = (Arc::clone(&table), Arc::clone(&newest), Arc::clone(&tell));
        let work = move || {
            // Made here: an evaluator need not be able to move between threads.
            let tasks = TaskDesk::new(table_mib << 20).sharing(commons);
            let desk = Desk::new(shared);
            Seat { desk, tasks, newest: wanted, tell: teller }.work(&inbox);
        };
        let thread = std::thread::Builder::new()
            .name("built-in worker".to_owned())
            .stack_size(STACK_BYTES)
            .spawn(work)?;
        Ok(Worker { orders: Some(orders), newest, table, thread: Some(thread), tell })
    }

    /// What it can do.
    pub fn ability() -> Ability {
        Desk::<G>::ability()
    }

    /// Passes an order on; returns at once.
    pub fn order(&self, order: Order<G>) {
        match &order {
            Order::Search(search) => self.supersede(search.epoch, false),
            Order::NewGame => self.supersede(NEW_GAME, false),
            Order::Tasks(tasks) if tasks.root.is_some() => self.supersede(tasks.epoch, true),
            Order::Tasks(_) => {}
            Order::Stop(epoch) => {
                let newest = self.newest.lock().unwrap_or_else(PoisonError::into_inner);
                if newest.epoch == *epoch {
                    newest.signals.stop();
                }
                if !newest.tasks {
                    return;
                }
            }
            Order::PonderHit(_) => return,
            Order::Harvest { epoch, place, count } => {
                (self.tell)(Desk::harvest(&self.table, *epoch, place, *count));
                return;
            }
        }
        if let Some(orders) = &self.orders {
            let _ = orders.send(order);
        }
    }

    /// Ends the search under way in favour of `epoch`.
    fn supersede(&self, epoch: Epoch, tasks: bool) {
        let mut newest = self.newest.lock().unwrap_or_else(PoisonError::into_inner);
        newest.signals.stop();
        *newest = Newest { epoch, tasks, signals: Arc::default() };
    }
}

impl<G: BuiltIn> Drop for Worker<G> {
    fn drop(&mut self) {
        self.orders = None;
        self.newest.lock().unwrap_or_else(PoisonError::into_inner).signals.stop();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// In place of a search: another game began after it.
const NEW_GAME: Epoch = Epoch(u64::MAX);

/// The thread's own state.
struct Seat<G: BuiltIn> {
    desk: Desk<G>,
    tasks: TaskDesk<G>,
    newest: Arc<Mutex<Newest>>,
    tell: Arc<dyn Fn(Report<G>) + Send + Sync>,
}

impl<G: BuiltIn> Seat<G> {
    fn work(&mut self, inbox: &Receiver<Order<G>>) {
        while let Ok(order) = inbox.recv() {
            self.take(order);
            if self.tasks.epoch().is_some() && !self.search_tasks(inbox) {
                return;
            }
        }
    }

    fn take(&mut self, order: Order<G>) {
        match order {
            Order::NewGame => {
                self.give_up_tasks();
                self.desk.new_game();
                self.tasks.new_game();
            }
            Order::Search(search) => {
                self.give_up_tasks();
                self.search(&search);
            }
            Order::Tasks(tasks) => {
                // Those of another search end this one, and whoever waits for its end hears it.
                if tasks.root.is_some() && self.tasks.epoch() != Some(tasks.epoch) {
                    self.give_up_tasks();
                }
                self.tasks.take(tasks);
            }
            Order::Stop(epoch) if self.tasks.epoch() == Some(epoch) => self.give_up_tasks(),
            _ => {}
        }
    }

    fn give_up_tasks(&mut self) {
        if let Some(done) = self.tasks.stop() {
            (self.tell)(done);
        }
    }

    /// Searches tasks until they are given up; false when nobody will give orders any more.
    fn search_tasks(&mut self, inbox: &Receiver<Order<G>>) -> bool {
        let mut told = Instant::now();
        while self.tasks.epoch().is_some() {
            let idle = self.tasks.run(SLICE) == 0;
            if (idle || told.elapsed() >= PAUSE)
                && let Some(findings) = self.tasks.findings()
            {
                (self.tell)(findings);
                told = Instant::now();
            }
            let mut next = match idle {
                // Nothing to do: what comes is waited for.
                true => inbox.recv().map_err(|_| TryRecvError::Disconnected),
                false => inbox.try_recv(),
            };
            // All that waits counts before the search goes on.
            while let Ok(order) = next {
                self.take(order);
                next = inbox.try_recv();
            }
            if matches!(next, Err(TryRecvError::Disconnected)) {
                return false;
            }
        }
        true
    }

    fn search(&mut self, search: &Search<G>) {
        let signals = {
            let newest = self.newest.lock().unwrap_or_else(PoisonError::into_inner);
            if newest.epoch != search.epoch {
                // Another search ends in its place; after a new game there may be none, and
                // whoever waits for the end has to hear of it.
                if newest.epoch == NEW_GAME {
                    (self.tell)(Report::Done { epoch: search.epoch, best: None, ponder: None });
                }
                return;
            }
            Arc::clone(&newest.signals)
        };
        let tell = &self.tell;
        self.desk.search(search, &signals, &mut WallClock::start(), |report| tell(report));
    }
}
