//! Orders and their answers, as fast as they come: how long each takes, and how many there are.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::{Duration, Instant};

use anyhow::{anyhow, bail};
use senbon_core::{Epoch, Limits, Order, Place, Report, Search, WorkerId};
use senbon_engines::process::Told;
use senbon_fabric::{Note, Office, Word};
use senbon_games::Notation;
use senbon_games::chess::Chess;

use super::lenders::{Crew, Site};
use super::{Meter, Plan, Way, own};
use crate::progress::Progress;

/// Not measured: the first exchanges.
pub(super) const WARM_UP: Duration = Duration::from_millis(500);
/// How long everybody may take to join.
const JOINING: Duration = Duration::from_secs(120);
/// Notes of the office that may wait.
const MOST_NOTES: usize = 64 * 1024;

/// An exchange of messages.
#[derive(Clone, Debug)]
pub struct Ping {
    /// What carried them.
    pub way: Way,
    /// Sessions that had an order each on its way at any time.
    pub sessions: usize,
    /// Connections that these shared.
    pub connections: usize,
    /// Orders that were answered.
    pub answered: usize,
    /// How long it went on.
    pub time: Duration,
    /// From an order to its answer.
    pub median: Duration,
    /// 99 of 100 took no longer.
    pub p99: Duration,
    /// Orders that were answered in the second that had the fewest; `None` if it did not last
    /// for one.
    pub slowest: Option<usize>,
    /// Processor time of the master's process; with workers in the same one theirs, too.
    pub processor: Duration,
    /// Processes of the whole machine that wanted a core, over the last minute.
    pub load: f64,
}

impl Ping {
    /// Orders and answers together, a second.
    pub fn messages_a_second(&self) -> f64 {
        2.0 * self.answered as f64 / self.time.as_secs_f64()
    }

    /// Cores that the master kept busy.
    pub fn cores(&self) -> f64 {
        self.processor.as_secs_f64() / self.time.as_secs_f64()
    }
}

/// A master that gives orders to whoever joins.
pub(super) struct Desk {
    office: Office<Chess>,
    notes: Receiver<Note<Chess>>,
    /// The order that each worker has, and when it was given.
    pub(super) workers: BTreeMap<WorkerId, (Epoch, Instant)>,
    epoch: Epoch,
    place: Place<Chess>,
    /// Orders given.
    pub(super) given: u64,
}

/// What came to the desk.
pub(super) enum Came {
    Joined(WorkerId),
    /// The answer to the order a worker has, after so long.
    Answer(WorkerId, Duration),
    /// A session has ended, and why.
    Left(WorkerId, String),
    /// Nothing in time, or nothing that matters.
    Nothing,
}

impl Desk {
    pub(super) fn open(site: &Site) -> anyhow::Result<Self> {
        let (tell, notes) = sync_channel(MOST_NOTES);
        let entrance = std::sync::Arc::clone(&site.entrance);
        let office = Office::start(entrance, WorkerId(1), move |note| {
            let _ = tell.send(note);
        })?;
        let place = Place::new(Chess::start());
        Ok(Desk { office, notes, workers: BTreeMap::new(), epoch: Epoch(0), place, given: 0 })
    }

    /// Gives a worker its next order.
    pub(super) fn order(&mut self, worker: WorkerId) {
        self.epoch = self.epoch.next();
        let limits = Limits { nodes: Some(1), ..Limits::default() };
        let (epoch, place) = (self.epoch, self.place.clone());
        let search = Search { epoch, place, only: Vec::new(), lines: 1, limits };
        self.given += 1;
        self.workers.insert(worker, (epoch, Instant::now()));
        self.office.order(worker, Order::Search(search));
    }

    pub(super) fn wait(&mut self, most: Duration) -> anyhow::Result<Came> {
        let (worker, told) = match self.notes.recv_timeout(most) {
            Ok(Note::Of(worker, Word::Told(told))) => (worker, told),
            Ok(Note::Of(_, Word::Host(_) | Word::RoundTrip { .. }))
            | Err(RecvTimeoutError::Timeout) => {
                return Ok(Came::Nothing);
            }
            Ok(Note::Refused(line)) => bail!("somebody was {line}"),
            Err(RecvTimeoutError::Disconnected) => bail!("the office has ended"),
        };
        Ok(match told {
            Told::Joined(_) => Came::Joined(worker),
            Told::Left(fault) => {
                self.workers.remove(&worker);
                Came::Left(worker, fault.to_string())
            }
            Told::Report(Report::Done { epoch, .. }) => match self.workers.get(&worker) {
                Some(&(given, at)) if given == epoch => Came::Answer(worker, at.elapsed()),
                _ => Came::Nothing,
            },
            Told::Report(_) | Told::Complaint(_) => Came::Nothing,
        })
    }

    /// Waits until so many are there: who, and how many left again on the way.
    pub(super) fn gather<F: FnMut(&Progress) -> bool>(
        &mut self,
        sessions: usize,
        meter: &mut Meter<F>,
    ) -> anyhow::Result<(BTreeSet<WorkerId>, u64)> {
        let until = Instant::now() + JOINING;
        let (mut joined, mut left) = (BTreeSet::new(), 0);
        while joined.len() < sessions {
            match self.wait(Duration::from_millis(200))? {
                Came::Joined(worker) => {
                    joined.insert(worker);
                }
                Came::Left(worker, _) => {
                    joined.remove(&worker);
                    left += 1;
                }
                Came::Answer(..) | Came::Nothing => {}
            }
            if !meter.show() || Instant::now() > until {
                return Err(anyhow!("{} of {sessions} workers have joined", joined.len()));
            }
        }
        Ok((joined, left))
    }
}

pub(super) fn measure<F: FnMut(&Progress) -> bool>(
    plan: &Plan,
    way: Way,
    (sessions, slots): (usize, usize),
    meter: &mut Meter<F>,
) -> anyhow::Result<Ping> {
    let site = Site::open(way)?;
    let mut desk = Desk::open(&site)?;
    let lenders = site.lend(&plan.program, Crew { sessions, slots, pause: Duration::ZERO })?;
    for worker in desk.gather(sessions, meter)?.0 {
        desk.order(worker);
    }
    exchange(&mut desk, WARM_UP, meter)?;
    let (began, processor) = (Instant::now(), own::processor_time());
    let (mut times, slowest) = exchange(&mut desk, plan.time, meter)?;
    let (time, processor) = (began.elapsed(), own::processor_time().saturating_sub(processor));
    lenders.end()?;
    if times.is_empty() {
        bail!("no order was answered ({})", way.name());
    }
    times.sort_unstable();
    let (median, p99) = (times[times.len() / 2], times[times.len() * 99 / 100]);
    Ok(Ping {
        way,
        sessions,
        connections: sessions.div_ceil(slots),
        answered: times.len(),
        time,
        median,
        p99,
        slowest,
        processor,
        load: own::load(),
    })
}

/// Every answer is followed by the next order, for so long. Gives the time that each took, and
/// how many there were in the slowest second.
fn exchange<F: FnMut(&Progress) -> bool>(
    desk: &mut Desk,
    time: Duration,
    meter: &mut Meter<F>,
) -> anyhow::Result<(Vec<Duration>, Option<usize>)> {
    let until = Instant::now() + time;
    let mut shown = Instant::now();
    let mut second = (Instant::now(), 0);
    let (mut times, mut slowest) = (Vec::new(), None::<usize>);
    loop {
        match desk.wait(Duration::from_millis(100))? {
            Came::Answer(worker, time) => {
                times.push(time);
                desk.order(worker);
            }
            Came::Left(_, why) => bail!("a session has ended, though nobody left: {why}"),
            Came::Joined(_) | Came::Nothing => {}
        }
        let now = Instant::now();
        if now - second.0 >= Duration::from_secs(1) {
            let answered = times.len() - second.1;
            slowest = Some(slowest.map_or(answered, |least| least.min(answered)));
            second = (now, times.len());
        }
        if now >= until {
            return Ok((times, slowest));
        }
        if now - shown > Duration::from_millis(200) {
            shown = now;
            if !meter.show() {
                return Ok((times, slowest));
            }
        }
    }
}
