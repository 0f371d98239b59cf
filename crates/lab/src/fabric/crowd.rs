//! Many workers of one master, each of which answers once a second.

use std::time::{Duration, Instant};

use super::lenders::{Crew, Site};
use super::ping::{Came, Desk};
use super::{Meter, Plan, Way, own};
use crate::progress::Progress;

/// A stand-in answers after so long.
const PAUSE: Duration = Duration::from_secs(1);
/// After the last order so long is waited for answers that are still on their way.
const GRACE: Duration = Duration::from_secs(5);
/// False alarms that are told one by one.
const MOST_ALARMS: usize = 20;
/// How often is looked at what the master uses.
const SAMPLES: u32 = 60;

/// What the master used at a moment.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// Since everybody had joined.
    pub at: Duration,
    /// Sessions.
    pub sessions: usize,
    /// Searches answered so far.
    pub answered: u64,
    /// Memory in KiB.
    pub memory_kib: u64,
    /// Cores busy since the last moment.
    pub cores: f64,
    /// Processes of the whole machine that wanted a core, over the last minute.
    pub load: f64,
}

/// A crowd of workers.
#[derive(Clone, Debug)]
pub struct Crowd {
    /// Sessions wanted.
    pub sessions: usize,
    /// How long it took until all had joined.
    pub joining: Duration,
    /// Sessions that ended before all had joined.
    pub left_while_joining: u64,
    /// How long they stayed.
    pub time: Duration,
    /// Searches ordered, and answered as the master heard.
    pub given: u64,
    /// As the master heard.
    pub answered: u64,
    /// As the workers said.
    pub said: u64,
    /// Answers that the workers gave and the master did not hear.
    pub lost: u64,
    /// Sessions that ended though nobody left, as the master and as the workers saw it.
    pub false_alarms: (u64, u64),
    /// The first of them, as the master saw it.
    pub alarms: Vec<String>,
    /// Processor time of the master.
    pub processor: Duration,
    /// Moments on the way, the first when all had joined.
    pub samples: Vec<Sample>,
}

impl Crowd {
    /// Cores that the master kept busy.
    pub fn cores(&self) -> f64 {
        self.processor.as_secs_f64() / self.time.as_secs_f64()
    }

    /// Load of the whole machine while they stayed: mean and most.
    pub fn load(&self) -> (f64, f64) {
        let loads = self.samples.iter().map(|sample| sample.load);
        let most = loads.clone().fold(0.0, f64::max);
        (loads.sum::<f64>() / self.samples.len().max(1) as f64, most)
    }

    /// Memory of the master in MiB: at the beginning, and at the end.
    pub fn memory_mib(&self) -> (f64, f64) {
        let of = |sample: Option<&Sample>| sample.map_or(0.0, |at| at.memory_kib as f64 / 1024.0);
        (of(self.samples.first()), of(self.samples.last()))
    }
}

pub(super) fn measure<F: FnMut(&Progress) -> bool>(
    plan: &Plan,
    meter: &mut Meter<F>,
) -> anyhow::Result<Crowd> {
    let site = Site::open(Way::Quic)?;
    let mut desk = Desk::open(&site)?;
    let begins = Instant::now();
    let lenders = {
        let crew = Crew { sessions: plan.sessions, slots: 1, pause: PAUSE };
        site.lend(&plan.program, crew)?
    };
    let (workers, left) = desk.gather(plan.sessions, meter)?;
    let joining = begins.elapsed();
    for worker in workers {
        desk.order(worker);
    }
    let mut stay = Stay::new(plan, joining);
    stay.crowd.left_while_joining = left;
    stay.go_on(&mut desk, meter, plan.crowd_time, true)?;
    stay.crowd.time = stay.began.elapsed();
    stay.crowd.processor = own::processor_time().saturating_sub(stay.processor);
    stay.go_on(&mut desk, meter, GRACE, false)?;
    let mut crowd = stay.crowd;
    crowd.given = desk.given;
    let (said, lost_sessions) = lenders.end()?;
    crowd.said = said;
    crowd.lost = said.saturating_sub(crowd.answered);
    crowd.false_alarms.1 = lost_sessions;
    Ok(crowd)
}

/// A crowd that is there.
struct Stay {
    crowd: Crowd,
    began: Instant,
    processor: Duration,
    sampled: (Instant, Duration),
    every: Duration,
}

impl Stay {
    fn new(plan: &Plan, joining: Duration) -> Self {
        let (now, processor) = (Instant::now(), own::processor_time());
        let first = Sample {
            at: Duration::ZERO,
            sessions: plan.sessions,
            answered: 0,
            memory_kib: own::memory_kib(),
            cores: 0.0,
            load: own::load(),
        };
        let crowd = Crowd {
            sessions: plan.sessions,
            joining,
            left_while_joining: 0,
            time: Duration::ZERO,
            given: 0,
            answered: 0,
            said: 0,
            lost: 0,
            false_alarms: (0, 0),
            alarms: Vec::new(),
            processor: Duration::ZERO,
            samples: vec![first],
        };
        let every = plan.crowd_time / SAMPLES;
        Stay { crowd, began: now, processor, sampled: (now, processor), every }
    }

    /// For so long; each answer is followed by an order if `more`.
    fn go_on<F: FnMut(&Progress) -> bool>(
        &mut self,
        desk: &mut Desk,
        meter: &mut Meter<F>,
        time: Duration,
        more: bool,
    ) -> anyhow::Result<()> {
        let until = Instant::now() + time;
        while Instant::now() < until {
            match desk.wait(Duration::from_millis(100))? {
                Came::Answer(worker, _) => {
                    self.crowd.answered += 1;
                    if more {
                        desk.order(worker);
                    }
                }
                Came::Left(worker, why) => {
                    self.crowd.false_alarms.0 += 1;
                    if self.crowd.alarms.len() < MOST_ALARMS {
                        let at = self.began.elapsed().as_secs_f64();
                        self.crowd
                            .alarms
                            .push(format!("after {at:.1} s worker {}: {why}", worker.0));
                    }
                }
                Came::Joined(worker) => desk.order(worker),
                Came::Nothing => {}
            }
            if more && self.sampled.0.elapsed() >= self.every {
                self.sample(desk);
                if !meter.show() {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    fn sample(&mut self, desk: &Desk) {
        let (now, processor) = (Instant::now(), own::processor_time());
        let used = processor.saturating_sub(self.sampled.1);
        self.crowd.samples.push(Sample {
            at: now - self.began,
            sessions: desk.workers.len(),
            answered: self.crowd.answered,
            memory_kib: own::memory_kib(),
            cores: used.as_secs_f64() / (now - self.sampled.0).as_secs_f64(),
            load: own::load(),
        });
        self.sampled = (now, processor);
    }
}
