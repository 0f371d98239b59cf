//! The master, the workers and the time.

use std::collections::BTreeMap;
use std::time::Duration;

use senbon_core::WorkerId;
use senbon_core::minimal::{Bundle, Finding, Master, Settings, Sheet};
use senbon_games::{Branching, Game, Worth};

use super::foremen::{Letter, Office};
use super::ring::pass_on;
use super::worker::{Mail, Worker};
use super::{Costs, Faults};
use crate::Queue;

/// One search to be made in virtual time.
#[derive(Clone, Debug)]
pub struct Trial {
    /// How the master searches.
    pub settings: Settings,
    /// How many workers.
    pub workers: usize,
    /// How many foremen stand between them and the master; 0 is none.
    pub foremen: usize,
    /// Nanoseconds from bundle to bundle of a foreman, at least.
    pub pause: u64,
    /// Workers tell of every iteration, and not only of the last one.
    pub updates: bool,
    /// Workers share what they learn down to this ply below their tasks.
    pub shares: Option<u8>,
    /// The shallowest nodes that workers remember.
    pub remember_from: u8,
    /// Most bytes that a worker remembers positions in.
    pub memory: usize,
    /// How long things take.
    pub costs: Costs,
    /// What goes wrong.
    pub faults: Faults,
    /// Bytes of the memory that a crew on one machine shares ([`Settings::crews`]).
    pub pool: usize,
    /// Workers search as NegaScout does.
    pub scouts: bool,
}

impl Trial {
    /// All goes well, and updates are told.
    pub fn new(settings: Settings, workers: usize, costs: Costs) -> Self {
        let memory = 512 << 20;
        Trial {
            settings,
            workers,
            foremen: 0,
            pause: PAUSE,
            updates: true,
            shares: None,
            remember_from: 2,
            memory,
            costs,
            faults: Faults::none(),
            pool: 128 << 20,
            scouts: false,
        }
    }
}

/// Foremen's usual pause, in nanoseconds (docs/minimal-tree.md).
pub const PAUSE: u64 = 500_000;

/// How a search in virtual time went. Times in nanoseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Finished {
    /// The value of the root.
    pub value: Worth,
    /// When it was known.
    pub time: u64,
    /// Leaves that all workers visited.
    pub leaves: u64,
    /// All their nodes.
    pub nodes: u64,
    /// Idle time of a worker before its first task, on average.
    pub start_up_idle: u64,
    /// Its idle time after that, on average.
    pub other_idle: u64,
    /// Passes of the master.
    pub passes: u32,
    /// Time that the master was busy.
    pub master_busy: u64,
    /// Time that the busiest foreman was busy.
    pub foreman_busy: u64,
    /// Searches of tasks that ended.
    pub finished: u64,
    /// Those of them with a full window.
    pub full_windows: u64,
    /// Searches to the full depth of a task that ended; 0 where that was not counted.
    pub ended: u64,
    /// Those of them with a full window (figure 10 of minimal-trees-2014).
    pub ended_full: u64,
    /// Leaves of the master's tree: those that could be tasks.
    pub tasks: u64,
    /// Messages to workers, and tasks in them.
    pub messages: (u64, u64),
    /// Bytes in which workers remember positions, at the end.
    pub memory: usize,
    /// Workers and foremen that died.
    pub died: u64,
}

/// Who has a name.
#[derive(Clone, Copy, Debug)]
pub(super) enum Who {
    Worker(u32),
    Foreman(u32),
}

/// What arrives at the master.
pub(super) enum News {
    Finding(Finding),
    Bundle(Bundle),
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Event {
    Master,
    Worker(u32),
    Join(u32),
    Foreman(u32),
    ForemanJoins(u32),
}

/// A master and its workers in virtual time.
pub struct Field<G: Game, B> {
    pub(super) trial: Trial,
    root: G,
    branching: B,
    pub(super) master: Master<G, B>,
    pub(super) workers: Vec<Worker<G, B>>,
    pub(super) foremen: Vec<Office<G>>,
    /// Who has this name; names are not used again.
    pub(super) names: BTreeMap<WorkerId, Who>,
    next_name: u32,
    queue: Queue<Event>,
    /// On the way to the master.
    pub(super) news: Queue<(WorkerId, News)>,
    /// The master does nothing before this time.
    master_free: u64,
    master_woken: Option<u64>,
    pub(super) report: Finished,
    /// Searches of workers that have died.
    pub(super) buried: Finished,
}

/// A search that takes longer than this makes no progress.
const MOST_EVENTS: u64 = 20_000_000_000;

impl<G: Game, B: Branching<G> + Clone> Field<G, B> {
    /// The search of `root`, not begun.
    pub fn new(root: G, branching: B, trial: Trial) -> Self {
        let master = Master::new(root.clone(), branching.clone(), trial.settings);
        let mut field = Field {
            root,
            branching,
            master,
            workers: Vec::new(),
            foremen: Vec::new(),
            names: BTreeMap::new(),
            next_name: 0,
            queue: Queue::default(),
            news: Queue::default(),
            master_free: 0,
            master_woken: None,
            report: Finished::default(),
            buried: Finished::default(),
            trial,
        };
        field.open_offices();
        let late = field.trial.faults.late.min(field.trial.workers.saturating_sub(1));
        for index in 0..field.trial.workers {
            let mut worker =
                Worker::new(WorkerId(0), &field.root, field.branching.clone(), &field.trial);
            let slower = field.trial.faults.slower;
            worker.node *= 1 + field.trial.faults.up_to(slower - 1);
            field.workers.push(worker);
            match index < field.trial.workers - late {
                true => field.join(index as u32, 0),
                false => {
                    let at = (index as u64) * 20 * field.trial.costs.latency;
                    field.schedule(at, Event::Join(index as u32));
                }
            }
        }
        for index in 0..field.foremen.len() {
            field.found_office(index as u32);
        }
        if field.trial.shares.is_some() && field.trial.workers > 1 {
            field.workers[0].deliver(0, Mail::Parcel(Vec::new()));
            field.wake(0, 0);
        }
        field.wake_master(0);
        field
    }

    pub(super) fn new_name(&mut self, who: Who) -> WorkerId {
        let name = WorkerId(self.next_name);
        self.next_name += 1;
        self.names.insert(name, who);
        name
    }

    fn join(&mut self, index: u32, now: u64) {
        if !self.foremen.is_empty() {
            return self.join_crew(index, now);
        }
        let name = self.new_name(Who::Worker(index));
        self.workers[index as usize].id = name;
        self.master.handle_joined(name);
    }

    pub(super) fn schedule(&mut self, at: u64, event: Event) {
        self.queue.push(Duration::from_nanos(at), event);
    }

    pub(super) fn wake(&mut self, index: u32, at: u64) {
        let worker = &mut self.workers[index as usize];
        let at = at.max(worker.clock);
        if worker.woken_at.is_none_or(|woken| at < woken) {
            worker.woken_at = Some(at);
            self.schedule(at, Event::Worker(index));
        }
    }

    pub(super) fn wake_master(&mut self, at: u64) {
        let at = at.max(self.master_free);
        if self.master_woken.is_none_or(|woken| at < woken) {
            self.master_woken = Some(at);
            self.schedule(at, Event::Master);
        }
    }

    /// Runs to the end.
    pub fn run(mut self) -> Finished {
        for _ in 0..MOST_EVENTS {
            let Some((now, event)) = self.queue.pop() else { break };
            let now = nanos(now);
            match event {
                Event::Worker(index) => self.work(index, now),
                Event::Join(index) => {
                    self.workers[index as usize].came(now);
                    self.join(index, now);
                    self.wake_master(now);
                }
                Event::Foreman(index) => self.oversee(index, now),
                Event::ForemanJoins(index) => {
                    self.found_office(index);
                    self.wake_master(now);
                }
                Event::Master => {
                    if self.master_woken != Some(now) {
                        continue;
                    }
                    self.master_woken = None;
                    if let Some(value) = self.lead(now) {
                        return self.finish(value);
                    }
                }
            }
        }
        unreachable!("a search in virtual time came to a standstill: {:?}", self.trial)
    }

    /// No message that has not been sent yet can arrive before this.
    fn horizon(&self, boss: Option<u32>, now: u64) -> u64 {
        let latency = self.latency_below(boss.is_some());
        if self.trial.shares.is_some() {
            return now + latency;
        }
        let (woken, free) = match boss {
            Some(boss) => self.foremen[boss as usize].acts(),
            None => (self.master_woken, self.master_free),
        };
        woken.unwrap_or(u64::MAX).min(now + latency).max(free) + latency
    }

    /// From a worker to whoever leads it: a foreman or the master.
    fn latency_below(&self, foreman: bool) -> u64 {
        let costs = self.trial.costs;
        if foreman && self.trial.settings.crews { costs.wake } else { costs.latency }
    }

    fn work(&mut self, index: u32, now: u64) {
        let horizon = self.horizon(self.workers[index as usize].boss, now);
        let worker = &mut self.workers[index as usize];
        if worker.woken_at != Some(now) {
            return;
        }
        worker.woken_at = None;
        worker.clock = worker.clock.max(now);
        while worker.mail.front().is_some_and(|&(arrival, _)| arrival <= worker.clock) {
            match worker.mail.pop_front() {
                Some((_, Mail::Sheet(sheet))) => worker.take_sheet(sheet),
                Some((_, Mail::Parcel(parcel))) => {
                    worker.learn(&parcel);
                    worker.clock += self.trial.costs.entry * parcel.len() as u64;
                    let own = worker.own_entries(index);
                    let next = (index + 1) % self.trial.workers as u32;
                    let parcel = pass_on(parcel, own, next);
                    let at = worker.clock + self.trial.faults.latency(self.trial.costs.latency);
                    let at = self.workers[next as usize].deliver(at, Mail::Parcel(parcel));
                    self.wake(next, at);
                    return self.wake(index, now);
                }
                None => break,
            }
        }
        let next_mail = worker.mail.front().map(|&(arrival, _)| arrival);
        if !worker.choose() {
            if let Some(at) = next_mail {
                self.wake(index, at);
            }
            return;
        }
        let until = next_mail.unwrap_or(u64::MAX).min(horizon);
        let found = worker.search(until);
        let clock = worker.clock;
        if let Some(finding) = found {
            self.tell(index, finding, clock);
            if self.strikes(index, clock) {
                return;
            }
        }
        let clock = self.workers[index as usize].clock;
        self.wake(index, clock);
    }

    fn tell(&mut self, index: u32, finding: Finding, now: u64) {
        let (name, boss) = (self.workers[index as usize].id, self.workers[index as usize].boss);
        let faults = &mut self.trial.faults;
        let copies = 1 + u64::from(faults.happens(faults.twice));
        for _ in 0..copies {
            let latency = self.latency_below(boss.is_some());
            let at = now + self.trial.faults.latency(latency);
            match boss {
                Some(boss) => self.deliver(boss, at, Letter::Finding(name, finding)),
                None => self.announce(at, name, News::Finding(finding)),
            }
        }
    }

    /// Something goes to the master.
    pub(super) fn announce(&mut self, at: u64, from: WorkerId, news: News) {
        self.news.push(Duration::from_nanos(at), (from, news));
        self.wake_master(at);
    }

    /// Accidents happen when a search ends. True when the worker's process has died.
    fn strikes(&mut self, index: u32, now: u64) -> bool {
        let latency = self.trial.costs.latency;
        let faults = &mut self.trial.faults;
        if faults.happens(faults.stands_still) {
            self.workers[index as usize].clock += faults.up_to(100 * latency);
        }
        let faults = &mut self.trial.faults;
        if !faults.happens(faults.dies) {
            return false;
        }
        let back = now + faults.up_to(50 * latency) + 1;
        let new = Worker::new(WorkerId(0), &self.root, self.branching.clone(), &self.trial);
        let mut old = std::mem::replace(&mut self.workers[index as usize], new);
        self.workers[index as usize].node = old.node;
        self.names.remove(&old.id);
        match old.boss {
            Some(boss) => self.leave_crew(boss, old.id, now),
            None => self.master.handle_left(old.id),
        }
        old.close(now);
        add(&mut self.buried, &old);
        self.buried.died += 1;
        self.wake_master(now);
        // What goes around the ring is not lost: the next in line has it.
        for (at, mail) in old.mail.drain(..) {
            if matches!(mail, Mail::Parcel(_)) {
                let next = (index + 1) % self.trial.workers as u32;
                let at = self.workers[next as usize].deliver(at, mail);
                self.wake(next, at);
            }
        }
        self.schedule(back, Event::Join(index));
        true
    }

    /// The master reads what came and goes through its tree; the value at the end.
    fn lead(&mut self, now: u64) -> Option<Worth> {
        let costs = self.trial.costs;
        let mut clock = now;
        while self.news.next_at().is_some_and(|at| nanos(at) <= now) {
            let Some((_, (name, news))) = self.news.pop() else { break };
            let known = self.names.contains_key(&name);
            let items = match news {
                News::Finding(finding) => {
                    if known {
                        self.master.handle_finding(&finding);
                    }
                    1
                }
                News::Bundle(bundle) => {
                    if known {
                        self.master.handle_bundle(name, &bundle);
                    }
                    bundle.findings.len() as u64
                }
            };
            clock += costs.message + costs.item * items;
        }
        if self.master.is_stale() {
            let cost = self.master.pass();
            self.report.passes += 1;
            let spent = |cost: senbon_core::minimal::PassCost| {
                cost.visits * costs.visit + cost.opened * costs.open + cost.judged * costs.judge
            };
            let mut writing = 0;
            while let Some(sheet) = self.master.poll() {
                let items = (sheet.tasks.len() + sheet.dropped.len()) as u64;
                writing += costs.message + costs.item * items;
                let written = clock + spent(sheet.written) + writing;
                self.post(sheet, written);
            }
            clock += spent(cost) + writing;
        }
        self.report.master_busy += clock - now;
        self.report.time = clock;
        self.master_free = clock;
        if let Some(value) = self.master.value() {
            return Some(value);
        }
        if self.master.is_stale() {
            self.wake_master(clock);
        } else if let Some(at) = self.news.next_at() {
            self.wake_master(nanos(at));
        }
        None
    }

    pub(super) fn post(&mut self, sheet: Sheet<G>, written: u64) {
        self.report.messages.0 += 1;
        self.report.messages.1 += sheet.tasks.len() as u64;
        let Some(&who) = self.names.get(&sheet.worker) else { return };
        let below =
            matches!(who, Who::Worker(index) if self.workers[index as usize].boss.is_some());
        let latency = self.latency_below(below);
        let at = written + self.trial.faults.latency(latency);
        match who {
            Who::Worker(index) => {
                let at = self.workers[index as usize].deliver(at, Mail::Sheet(sheet));
                self.wake(index, at);
            }
            Who::Foreman(index) => self.deliver(index, at, Letter::Sheet(sheet)),
        }
    }

    fn finish(mut self, value: Worth) -> Finished {
        let mut report = self.report;
        for worker in &mut self.workers {
            worker.close(report.time);
            add(&mut self.buried, worker);
        }
        let workers = self.trial.workers.max(1) as u64;
        report.value = value;
        report.leaves = self.buried.leaves;
        report.nodes = self.buried.nodes;
        report.start_up_idle = self.buried.start_up_idle / workers;
        report.other_idle = self.buried.other_idle / workers;
        report.finished = self.buried.finished;
        report.full_windows = self.buried.full_windows;
        report.ended = self.buried.ended;
        report.ended_full = self.buried.ended_full;
        report.memory = self.buried.memory;
        report.died = self.buried.died;
        report.foreman_busy = self.foremen.iter().map(Office::busy).max().unwrap_or(0);
        report.tasks = self.master.size().1 as u64;
        report
    }
}

pub(super) fn nanos(time: Duration) -> u64 {
    time.as_nanos() as u64
}

fn add<G: Game, B: Branching<G> + Clone>(sum: &mut Finished, worker: &Worker<G, B>) {
    sum.leaves += worker.nodes().leaves;
    sum.nodes += worker.nodes().total();
    sum.start_up_idle += worker.idle.start_up;
    sum.other_idle += worker.idle.other;
    sum.finished += worker.finished;
    sum.full_windows += worker.full_windows;
    sum.ended += worker.ended;
    sum.ended_full += worker.ended_full;
    sum.memory += worker.remembers();
}
