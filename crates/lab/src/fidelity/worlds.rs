//! The two worlds behind one question: what do you say to this position?

use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use senbon_core::{Epoch, Limits, Opinion, Order, Place, Report, Search};
use senbon_engines::builtin::BuiltIn;
use senbon_fabric::{News, WorkerSource, World as LiveWorld};
use senbon_sim::{Happened, LinkProfile, Mind, PacedWorker, Unwatched, Values, World};

use super::{Answered, Plan};

/// How much later than asked for a live answer may come before it is given up.
const PATIENCE: Duration = Duration::from_secs(60);
/// Time to forget the last position: a live worker clears its table on its own thread.
const BREATH: Duration = Duration::from_millis(50);

fn order<G: BuiltIn>(epoch: Epoch, place: &Place<G>, plan: &Plan) -> Order<G> {
    let limits = Limits { move_time: Some(plan.move_time), ..Limits::default() };
    Order::Search(Search { epoch, place: place.clone(), only: Vec::new(), lines: 1, limits })
}

/// What the reports on one search come to.
struct Listener<'a, G: BuiltIn> {
    epoch: Epoch,
    place: &'a Place<G>,
    last: Option<Opinion<G::Move>>,
}

impl<G: BuiltIn> Listener<'_, G> {
    /// The answer, when this is the last report.
    fn hear(&mut self, report: Report<G>) -> Option<Answered> {
        match report {
            Report::Opinion { epoch, opinion } if epoch == self.epoch && opinion.rank == 0 => {
                self.last = Some(opinion);
                None
            }
            Report::Done { epoch, best, .. } if epoch == self.epoch => {
                let position = self.place.position();
                let best = best.map_or_else(String::new, |mv| position.format_move(mv));
                let last = self.last.take();
                let (depth, nodes, time) = last.map_or((0, 0, Duration::ZERO), |opinion| {
                    (opinion.depth, opinion.nodes, opinion.time)
                });
                Some(Answered { best, depth, nodes, time })
            }
            _ => None,
        }
    }
}

/// The live world: threads and the wall clock.
pub(super) struct Live<'a, G: BuiltIn> {
    plan: &'a Plan,
    world: LiveWorld<G>,
    news: Receiver<News<G>>,
    epoch: Epoch,
}

impl<'a, G: BuiltIn + Sync> Live<'a, G>
where
    G::Undo: Send,
{
    pub(super) fn start(plan: &'a Plan, workers: usize) -> Result<Self> {
        // Unbounded on purpose: the coordinator must not wait, and a search tells little.
        let (tell, news) = channel();
        let source = WorkerSource::BuiltIn { table_mib: plan.table_mib, commons: None };
        let world = LiveWorld::start(plan.settings(), vec![source; workers], move |news| {
            let _ = tell.send(news);
        })
        .context("no thread for the coordinator")?;
        for _ in 0..workers {
            match news.recv_timeout(PATIENCE) {
                Ok(News::Joined(..)) => {}
                Ok(News::Left(_, fault)) => bail!("a live worker cannot be had: {fault}"),
                _ => bail!("a live worker was not ready within {PATIENCE:?}"),
            }
        }
        Ok(Live { plan, world, news, epoch: Epoch(0) })
    }

    pub(super) fn answer(&mut self, place: &Place<G>) -> Result<Answered> {
        self.world.order(Order::NewGame);
        std::thread::sleep(BREATH);
        self.epoch = self.epoch.next();
        let mut listener = Listener { epoch: self.epoch, place, last: None };
        let until = Instant::now() + self.plan.move_time + PATIENCE;
        self.world.order(order(self.epoch, place, self.plan));
        loop {
            match self.news.recv_timeout(until.saturating_duration_since(Instant::now())) {
                Ok(News::Report(report)) => {
                    if let Some(answered) = listener.hear(report) {
                        return Ok(answered);
                    }
                }
                Ok(News::Left(_, fault)) => bail!("a live worker failed: {fault}"),
                Ok(
                    News::Joined(..)
                    | News::Complaint(..)
                    | News::Refused(_)
                    | News::Minutes(_)
                    | News::Remembered(_),
                ) => {}
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {
                    bail!("the live world did not answer within {PATIENCE:?} of its time")
                }
            }
        }
    }
}

/// The virtual world.
pub(super) struct Virtual<'a, G: BuiltIn> {
    plan: &'a Plan,
    world: World<G, Values, ()>,
    epoch: Epoch,
}

impl<'a, G: BuiltIn> Virtual<'a, G> {
    pub(super) fn new(plan: &'a Plan, workers: usize, speed: u64, seed: u64) -> Result<Self> {
        let node_time = Duration::from_nanos(1_000_000_000 / speed.max(1));
        let mut world = World::new(G::start(), plan.settings(), Values, seed);
        for _ in 0..workers {
            let worker = PacedWorker::new(plan.table_mib << 20, node_time)
                .context("no memory for another virtual worker")?;
            let machine = world.add(Mind::Paced(Box::new(worker)), LinkProfile::LOCAL);
            world.connect(machine);
        }
        Ok(Virtual { plan, world, epoch: Epoch(0) })
    }

    pub(super) fn answer(&mut self, place: &Place<G>) -> Result<Answered> {
        self.world.order(Order::NewGame, &mut Unwatched);
        self.world.alarm(self.world.now() + BREATH, ());
        while let Some(happened) = self.world.next(&mut Unwatched) {
            if matches!(happened, Happened::Alarm(())) {
                break;
            }
        }
        self.epoch = self.epoch.next();
        let mut listener = Listener { epoch: self.epoch, place, last: None };
        self.world.order(order(self.epoch, place, self.plan), &mut Unwatched);
        loop {
            match self.world.next(&mut Unwatched) {
                Some(Happened::Above(report)) => {
                    if let Some(answered) = listener.hear(report) {
                        return Ok(answered);
                    }
                }
                Some(Happened::Alarm(())) => {}
                None => bail!("nothing happens any more in the virtual world"),
            }
        }
    }
}
