//! A built-in engine as a worker in this process: orders in, reports out, no pipe.

use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use senbon_core::{Ability, Bound, Epoch, Opinion, Order, Report, Score, Search, Valued};
use senbon_search::{
    Bound as SearchBound, Progress, Request, Searcher, Signals, Table, Value, WIN, harvest,
    is_forced,
};

use super::BuiltIn;
use super::thinker::{STACK_BYTES, WallClock};

/// Orders that may wait. Only the newest search among them is made.
const WAITING: usize = 64;
/// A harvest looks this many plies far.
pub(super) const HARVEST_REACH: usize = 8;

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
            let searcher = Searcher::new(G::Judge::default(), shared);
            Desk { searcher, newest: wanted, tell: teller }.work(&inbox);
        };
        let thread = std::thread::Builder::new()
            .name("built-in worker".to_owned())
            .stack_size(STACK_BYTES)
            .spawn(work)?;
        Ok(Worker { orders: Some(orders), newest, table, thread: Some(thread), tell })
    }

    /// What it can do.
    pub fn ability() -> Ability {
        Ability {
            name: format!("Senbon {}", env!("CARGO_PKG_VERSION")),
            game: G::NAME.to_owned(),
            speed: 0,
            restricts: true,
            counts_nodes: true,
            harvests: true,
            several_lines: true,
        }
    }

    /// Passes an order on; returns at once.
    pub fn order(&self, order: Order<G>) {
        match &order {
            Order::Search(search) => self.supersede(search.epoch),
            Order::NewGame => self.supersede(Epoch(u64::MAX)),
            Order::Stop(epoch) => {
                let newest = self.newest.lock().unwrap_or_else(PoisonError::into_inner);
                if newest.epoch == *epoch {
                    newest.signals.stop();
                }
                return;
            }
            Order::PonderHit(_) => return,
            Order::Harvest { epoch, place, count } => {
                let found = harvest(&self.table, place.position(), *count, HARVEST_REACH);
                let positions = found
                    .into_iter()
                    .map(|gleaning| Valued {
                        way: gleaning.moves,
                        score: score(gleaning.value),
                        depth: u32::from(gleaning.depth),
                        best: gleaning.best,
                    })
                    .collect();
                (self.tell)(Report::Harvest { epoch: *epoch, positions });
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

/// The thread's own state.
struct Desk<G: BuiltIn> {
    searcher: Searcher<G, G::Judge>,
    newest: Arc<Mutex<Newest>>,
    tell: Arc<dyn Fn(Report<G>) + Send + Sync>,
}

impl<G: BuiltIn> Desk<G> {
    fn work(&mut self, inbox: &Receiver<Order<G>>) {
        for order in inbox {
            match order {
                Order::NewGame => {
                    self.searcher.new_game();
                    self.searcher.table().clear();
                }
                Order::Search(search) => self.search(&search),
                _ => {}
            }
        }
    }

    fn search(&mut self, search: &Search<G>) {
        let epoch = search.epoch;
        let signals = {
            let newest = self.newest.lock().unwrap_or_else(PoisonError::into_inner);
            if newest.epoch != epoch {
                return;
            }
            Arc::clone(&newest.signals)
        };
        let limits = &search.limits;
        let request = Request {
            only: search.only.clone(),
            lines: search.lines,
            depth: limits.depth,
            nodes: limits.nodes,
            win_within: limits.mate.map(|moves| moves.saturating_mul(2).saturating_sub(1)),
        };
        if let Some(time) = limits.move_time {
            signals.allow(std::time::Duration::MAX, time);
        }
        let tell = &self.tell;
        let found = self.searcher.search(
            search.place.position(),
            &request,
            &signals,
            &mut WallClock::start(),
            |progress| {
                let opinion = opinion(progress);
                tell(Report::Opinion { epoch, opinion });
            },
        );
        tell(Report::Done { epoch, best: found.best(), ponder: found.ponder() });
    }
}

fn opinion<M: Copy>(progress: &Progress<'_, M>) -> Opinion<M> {
    let line = progress.line;
    Opinion {
        rank: progress.rank,
        score: score(line.value),
        bound: match line.bound {
            SearchBound::Exact => Bound::Exact,
            SearchBound::Lower => Bound::Lower,
            SearchBound::Upper => Bound::Upper,
        },
        depth: line.depth,
        seldepth: line.seldepth,
        nodes: progress.nodes,
        time: progress.elapsed,
        hashfull: Some(progress.table_permille),
        line: line.moves.clone(),
        visits: Vec::new(),
    }
}

fn score(value: Value) -> Score {
    let plies = (WIN - value.abs()).unsigned_abs();
    match (is_forced(value), value > 0) {
        (false, _) => Score::Centipawns(value),
        (true, true) => Score::Mates(plies),
        (true, false) => Score::Mated(plies),
    }
}
