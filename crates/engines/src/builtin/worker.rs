//! A built-in engine as a worker in this process: orders in, reports out, no pipe.

use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use senbon_core::{Ability, Epoch, Order, Report, Search};
use senbon_search::{Signals, Table};

use super::thinker::{STACK_BYTES, WallClock};
use super::{BuiltIn, Desk};

/// Orders that may wait. Only the newest search among them is made.
const WAITING: usize = 64;

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
    signals: Arc<Signals>,
}

impl<G: BuiltIn> Worker<G>
where
    G::Undo: Send,
{
    /// Starts the thread, with a table of so many mebibytes. `tell` hears every report.
    pub fn start(
        table_mib: usize,
        tell: impl Fn(Report<G>) + Send + Sync + 'static,
    ) -> std::io::Result<Self> {
        let (orders, inbox) = sync_channel(WAITING);
        let table = Arc::new(Table::with_mib(table_mib));
        let newest = Arc::new(Mutex::new(Newest::default()));
        let tell: Arc<dyn Fn(Report<G>) + Send + Sync> = Arc::new(tell);
        let (shared, wanted, teller) = (Arc::clone(&table), Arc::clone(&newest), Arc::clone(&tell));
        let work = move || {
            // Made here: an evaluator need not be able to move between threads.
            let desk = Desk::new(shared);
            Seat { desk, newest: wanted, tell: teller }.work(&inbox);
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
            Order::Search(search) => self.supersede(search.epoch),
            Order::NewGame => self.supersede(NEW_GAME),
            Order::Stop(epoch) => {
                let newest = self.newest.lock().unwrap_or_else(PoisonError::into_inner);
                if newest.epoch == *epoch {
                    newest.signals.stop();
                }
                return;
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
    fn supersede(&self, epoch: Epoch) {
        let mut newest = self.newest.lock().unwrap_or_else(PoisonError::into_inner);
        newest.signals.stop();
        *newest = Newest { epoch, signals: Arc::default() };
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
    newest: Arc<Mutex<Newest>>,
    tell: Arc<dyn Fn(Report<G>) + Send + Sync>,
}

impl<G: BuiltIn> Seat<G> {
    fn work(&mut self, inbox: &Receiver<Order<G>>) {
        for order in inbox {
            match order {
                Order::NewGame => self.desk.new_game(),
                Order::Search(search) => self.search(&search),
                _ => {}
            }
        }
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
