//! A master and its workers, watched.
// Each test program uses its part.
#![allow(dead_code)]

use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use senbon_core::pipeline::Settings;
use senbon_core::{Epoch, Limits, Order, Place, Report, Search};
use senbon_fabric::carrier::{Carrier, Deliver};
use senbon_fabric::front::Config;
use senbon_fabric::lend::{Lender, Status};
use senbon_fabric::{Entrance, News, WorkerSource, World};
use senbon_games::Notation;
use senbon_games::chess::Chess;

/// How long anything may take on a busy machine.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// A master without workers of its own.
pub(crate) struct Master {
    pub(crate) world: World<Chess>,
    news: Receiver<News<Chess>>,
}

impl Master {
    pub(crate) fn new(entrance: Arc<Entrance>) -> Self {
        let (send, news) = channel();
        let settings: Settings = Config::default().settings();
        let world = World::open(settings, Vec::new(), Some(entrance), None, move |item| {
            let _ = send.send(item);
        });
        Master { world: world.unwrap(), news }
    }

    /// Waits for news that `wanted` likes.
    pub(crate) fn wait<T>(&self, what: &str, wanted: impl Fn(&News<Chess>) -> Option<T>) -> T {
        let until = Instant::now() + PATIENCE;
        loop {
            let left = until.saturating_duration_since(Instant::now());
            let item = self.news.recv_timeout(left).unwrap_or_else(|_| panic!("no {what}"));
            if let Some(found) = wanted(&item) {
                return found;
            }
        }
    }

    pub(crate) fn joined(&self) -> (u32, String) {
        self.wait("join", |news| match news {
            News::Joined(worker, ability) => Some((*worker, ability.name.clone())),
            _ => None,
        })
    }

    pub(crate) fn left(&self) -> (u32, String) {
        self.wait("leave", |news| match news {
            News::Left(worker, fault) => Some((*worker, fault.to_string())),
            _ => None,
        })
    }

    /// Whether nobody joins for a while.
    pub(crate) fn stays_alone(&self, time: Duration) -> bool {
        let until = Instant::now() + time;
        while let Ok(item) = self.news.recv_timeout(until.saturating_duration_since(Instant::now()))
        {
            if matches!(item, News::Joined(..)) {
                return false;
            }
        }
        true
    }

    pub(crate) fn search(&self, epoch: u64, limits: Limits) {
        let place = Place::new(Chess::start());
        let search = Search { epoch: Epoch(epoch), place, only: Vec::new(), lines: 1, limits };
        self.world.order(Order::Search(search));
    }

    /// The answer, and how deep the deepest line was.
    pub(crate) fn answer(&self) -> (Option<String>, u32) {
        let depth = Mutex::new(0);
        let best = self.wait("answer", |news| match news {
            News::Report(Report::Opinion { opinion, .. }) => {
                *depth.lock().unwrap() = opinion.depth;
                None
            }
            News::Report(Report::Done { best, .. }) => Some(*best),
            _ => None,
        });
        let depth = *depth.lock().unwrap();
        (best.map(|best| Chess::start().format_move(best)), depth)
    }
}

/// A machine that lends engines, on a thread.
pub(crate) struct Lent {
    quit: Box<dyn Fn()>,
    pub(crate) statuses: Receiver<Status>,
    thread: Option<JoinHandle<()>>,
}

impl Lent {
    pub(crate) fn start<C: Carrier + 'static>(
        name: &str,
        engines: usize,
        open: impl FnOnce(Deliver) -> C,
    ) -> Self {
        let sources = vec![WorkerSource::BuiltIn { table_mib: 1, commons: None }; engines];
        Self::lend(name, sources, open)
    }

    /// Lends these engines.
    pub(crate) fn lend<C: Carrier + 'static>(
        name: &str,
        sources: Vec<WorkerSource>,
        open: impl FnOnce(Deliver) -> C,
    ) -> Self {
        let opened: Result<Lender<Chess>, std::convert::Infallible> =
            Lender::start(name, sources, |deliver| Ok(open(deliver)));
        let Ok(lender) = opened;
        let quit = Box::new(lender.quitter());
        let (send, statuses) = channel();
        let thread = std::thread::spawn(move || {
            lender.run(|status| {
                let _ = send.send(status);
            });
        });
        Lent { quit, statuses, thread: Some(thread) }
    }

    /// Why it is refused.
    pub(crate) fn refusal(&self) -> String {
        loop {
            let status = self.statuses.recv_timeout(PATIENCE).expect("no refusal");
            if let Status::Refused(_, why) = status {
                return why;
            }
        }
    }
}

impl Drop for Lent {
    fn drop(&mut self) {
        (self.quit)();
        if let Some(thread) = self.thread.take() {
            thread.join().unwrap();
        }
    }
}

pub(crate) fn nodes(nodes: u64) -> Limits {
    Limits { nodes: Some(nodes), ..Limits::default() }
}
