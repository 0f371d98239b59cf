//! The thread that searches.
//!
//! It takes one order at a time, tells of its progress on the output, and hands back what it
//! found. A panic in the search ends that search, not the engine.

use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{Builder, JoinHandle};
use std::time::{Duration, Instant};

use senbon_games::Game;
use senbon_search::{
    Bound, Found, Pace, Progress, Request, Searcher, Signals, Table, Value, WIN, is_forced,
};

use super::{BuiltIn, Event, Output};
use crate::universal::{Info, Reply, Score, ScoreBound, Worth};

/// The time since a search was asked for, by the clock on the wall.
#[derive(Clone, Copy, Debug)]
pub(super) struct WallClock(Instant);

impl WallClock {
    pub(super) fn start() -> Self {
        WallClock(Instant::now())
    }
}

impl Pace for WallClock {
    fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }
}

/// A line of [`MAX_PLY`](senbon_search::MAX_PLY) plies and its quiescence, with room to spare.
pub(super) const STACK_BYTES: usize = 16 << 20;

/// A search to be made.
pub(super) struct Job<G: Game> {
    /// Told back when the search has ended.
    pub(super) number: u64,
    pub(super) position: G,
    pub(super) request: Request<G::Move>,
    pub(super) signals: Arc<Signals>,
    pub(super) clock: WallClock,
}

enum Order<G: Game> {
    Search(Box<Job<G>>),
    Table(Arc<Table>),
    NewGame,
}

/// The handle to the thread.
pub(super) struct Thinker<G: BuiltIn> {
    /// `None` once the thread was told to end.
    orders: Option<SyncSender<Order<G>>>,
    findings: Receiver<Found<G::Move>>,
    thread: Option<JoinHandle<()>>,
}

impl<G: BuiltIn> Thinker<G> {
    /// Starts the thread. It tells of its progress on `output` and of the end of each search
    /// by an event.
    pub(super) fn start<W: Write + Send + 'static>(
        table: Arc<Table>,
        output: Output<W>,
        events: SyncSender<Event>,
    ) -> io::Result<Self> {
        // Without a buffer: when an order was handed over, what it replaced is free to go.
        let (orders, to_do) = sync_channel(0);
        let (findings_out, findings) = sync_channel(1);
        let builder = Builder::new().name("search".to_owned()).stack_size(STACK_BYTES);
        let thread = builder.spawn(move || {
            let mut worker = Worker { searcher: fresh(table), output };
            for order in to_do {
                match order {
                    Order::Table(table) => worker.searcher.set_table(table),
                    Order::NewGame => worker.searcher.new_game(),
                    Order::Search(job) => {
                        let found = worker.search(&job);
                        // The finding first: whoever waits for it may not be reading events.
                        if findings_out.send(found).is_err()
                            || events.send(Event::Finished(job.number)).is_err()
                        {
                            return;
                        }
                    }
                }
            }
        })?;
        Ok(Thinker { orders: Some(orders), findings, thread: Some(thread) })
    }

    /// Begins a search. The one before must have been collected with [`Self::wait`].
    pub(super) fn search(&self, job: Job<G>) {
        self.order(Order::Search(Box::new(job)));
    }

    /// What the search found, as soon as it has ended.
    pub(super) fn wait(&self) -> Found<G::Move> {
        // The thread ends only when told to; if it is gone all the same, nothing was found.
        self.findings.recv().unwrap_or_else(|_| nothing())
    }

    /// Uses another table from now on.
    pub(super) fn set_table(&self, table: Arc<Table>) {
        self.order(Order::Table(table));
    }

    /// Forgets what was learnt in the game before.
    pub(super) fn new_game(&self) {
        self.order(Order::NewGame);
    }

    fn order(&self, order: Order<G>) {
        if let Some(orders) = &self.orders {
            // Fails only if the thread is gone, which `wait` answers for.
            let _ = orders.send(order);
        }
    }
}

impl<G: BuiltIn> Drop for Thinker<G> {
    fn drop(&mut self) {
        self.orders = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn nothing<M>() -> Found<M> {
    Found { lines: Vec::new(), depth: 0, nodes: 0 }
}

fn fresh<G: BuiltIn>(table: Arc<Table>) -> Searcher<G, G::Judge> {
    Searcher::new(G::Judge::default(), table)
}

/// What lives on the thread.
struct Worker<G: BuiltIn, W> {
    searcher: Searcher<G, G::Judge>,
    output: Output<W>,
}

impl<G: BuiltIn, W: Write> Worker<G, W> {
    fn search(&mut self, job: &Job<G>) -> Found<G::Move> {
        let Worker { searcher, output } = self;
        let mut clock = job.clock;
        let tell = |progress: &Progress<'_, G::Move>| {
            let info = describe(&job.position, progress, job.request.lines > 1);
            // A GUI that is gone is noticed where its commands are read.
            let _ = output.send(G::DIALECT, &Reply::Info(Box::new(info)));
        };
        let searched = catch_unwind(AssertUnwindSafe(|| {
            searcher.search(&job.position, &job.request, &job.signals, &mut clock, tell)
        }));
        searched.unwrap_or_else(|_| {
            let remark = Reply::remark("internal error in the search; playing any legal move");
            let _ = self.output.send(G::DIALECT, &remark);
            self.searcher = fresh(self.searcher.table().clone());
            nothing()
        })
    }
}

fn describe<G: BuiltIn>(position: &G, progress: &Progress<'_, G::Move>, several: bool) -> Info {
    let line = progress.line;
    let elapsed_us = progress.elapsed.as_micros().max(1);
    let nps = u128::from(progress.nodes) * 1_000_000 / elapsed_us;
    Info {
        depth: Some(line.depth),
        seldepth: Some(line.seldepth),
        multipv: several.then_some(progress.rank as u32 + 1),
        score: Some(told(line.value, line.bound)),
        nodes: Some(progress.nodes),
        nps: u64::try_from(nps).ok(),
        hashfull: Some(progress.table_permille),
        time: Some(progress.elapsed),
        pv: position.format_line(&line.moves),
        ..Info::default()
    }
}

/// A value as the protocols tell it.
pub(super) fn told(value: Value, how: Bound) -> Score {
    Score { worth: worth(value), bound: bound(how) }
}

fn worth(value: Value) -> Worth {
    let plies = (WIN - value.abs()).unsigned_abs();
    match is_forced(value) {
        false => Worth::Centipawns(value),
        true if value > 0 => Worth::Win(Some(plies)),
        true => Worth::Loss(Some(plies)),
    }
}

fn bound(bound: Bound) -> ScoreBound {
    match bound {
        Bound::Exact => ScoreBound::Exact,
        Bound::Lower => ScoreBound::Lower,
        Bound::Upper => ScoreBound::Upper,
    }
}
