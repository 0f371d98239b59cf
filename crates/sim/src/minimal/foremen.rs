//! Foremen in virtual time: their mail, what it costs them, and what becomes of their crews.

use std::sync::Arc;
use std::time::Duration;

use senbon_core::WorkerId;
use senbon_core::minimal::{Finding, Foreman, Sheet};
use senbon_games::{Branching, Game};
use senbon_search::fixed::Pool;

use super::world::{Event, Field, News, Trial, Who, nanos};
use crate::Queue;

/// What arrives at a foreman.
pub(super) enum Letter<G: Game> {
    Sheet(Sheet<G>),
    Finding(WorkerId, Finding),
}

/// A foreman and its machine.
pub(super) struct Office<G: Game> {
    /// None while it is dead.
    name: Option<WorkerId>,
    foreman: Foreman<G>,
    /// What its crew remembers, if that is one machine.
    pool: Option<Arc<Pool>>,
    inbox: Queue<Letter<G>>,
    /// When the last sheet arrives, and the last bundle at the master: sessions keep the order.
    last_sheet: u64,
    last_bundle: u64,
    free: u64,
    woken: Option<u64>,
    busy: u64,
}

impl<G: Game> Office<G> {
    fn new(trial: &Trial) -> Self {
        let (mut foreman, shares) =
            (Foreman::new(Duration::from_nanos(trial.pause)), trial.settings.crews);
        if shares {
            foreman = foreman.sharing();
        }
        if shares && trial.settings.front {
            foreman = foreman.at_front();
        }
        Office {
            name: None,
            foreman,
            pool: shares.then(|| Arc::new(Pool::new(trial.pool))),
            inbox: Queue::default(),
            last_sheet: 0,
            last_bundle: 0,
            free: 0,
            woken: None,
            busy: 0,
        }
    }

    /// When it will look at its mail, and the time before which it does nothing.
    pub(super) fn acts(&self) -> (Option<u64>, u64) {
        (self.woken, self.free)
    }

    pub(super) fn busy(&self) -> u64 {
        self.busy
    }
}

impl<G: Game, B: Branching<G> + Clone> Field<G, B> {
    pub(super) fn open_offices(&mut self) {
        for index in 0..self.trial.foremen.min(self.trial.workers) {
            self.foremen.push(Office::new(&self.trial));
            let name = self.new_name(Who::Foreman(index as u32));
            self.foremen[index].name = Some(name);
        }
    }

    /// A foreman tells the master that it is there, with its crew so far.
    pub(super) fn found_office(&mut self, index: u32) {
        let name = match self.foremen[index as usize].name {
            Some(name) => name,
            None => self.new_name(Who::Foreman(index)),
        };
        let office = &mut self.foremen[index as usize];
        office.name = Some(name);
        let crew = office.foreman.poll_bundle(Duration::ZERO).map_or(0, |bundle| bundle.crew);
        self.master.handle_foreman(name, crew);
    }

    /// A worker goes to the foreman with the smallest crew.
    pub(super) fn join_crew(&mut self, index: u32, now: u64) {
        let there = (0..self.foremen.len()).filter(|&at| self.foremen[at].name.is_some());
        let Some(boss) = there.min_by_key(|&at| self.foremen[at].foreman.crew()) else {
            // Nobody is there: it asks again.
            return self.schedule(now + 10 * self.trial.costs.latency, Event::Join(index));
        };
        let name = self.new_name(Who::Worker(index));
        let worker = &mut self.workers[index as usize];
        (worker.id, worker.boss) = (name, Some(boss as u32));
        worker.share(self.foremen[boss].pool.clone());
        self.foremen[boss].foreman.handle_joined(name);
        self.wake_foreman(boss as u32, now);
    }

    pub(super) fn leave_crew(&mut self, boss: u32, name: WorkerId, now: u64) {
        self.foremen[boss as usize].foreman.handle_left(name);
        self.wake_foreman(boss, now);
    }

    pub(super) fn deliver(&mut self, index: u32, mut at: u64, letter: Letter<G>) {
        let office = &mut self.foremen[index as usize];
        if matches!(letter, Letter::Sheet(_)) {
            at = at.max(office.last_sheet);
            office.last_sheet = at;
        }
        office.inbox.push(Duration::from_nanos(at), letter);
        self.wake_foreman(index, at);
    }

    fn wake_foreman(&mut self, index: u32, at: u64) {
        let office = &mut self.foremen[index as usize];
        let at = at.max(office.free);
        if office.woken.is_none_or(|woken| at < woken) {
            office.woken = Some(at);
            self.schedule(at, Event::Foreman(index));
        }
    }

    /// A foreman reads what came, divides the work and tells the master.
    pub(super) fn oversee(&mut self, index: u32, now: u64) {
        let costs = self.trial.costs;
        let office = &mut self.foremen[index as usize];
        let Some(name) = office.name.filter(|_| office.woken == Some(now)) else { return };
        office.woken = None;
        let mut clock = now;
        while office.inbox.next_at().is_some_and(|at| nanos(at) <= now) {
            let Some((_, letter)) = office.inbox.pop() else { break };
            clock += match letter {
                Letter::Finding(..) if office.pool.is_some() => costs.handover,
                _ => costs.message,
            };
            match letter {
                Letter::Sheet(sheet) => {
                    clock += costs.item * (sheet.tasks.len() + sheet.dropped.len()) as u64;
                    office.foreman.handle_sheet(sheet);
                }
                Letter::Finding(worker, finding) => {
                    clock += costs.item;
                    if self.names.contains_key(&worker) {
                        office.foreman.handle_finding(worker, &finding);
                    }
                }
            }
        }
        if office.foreman.is_stale() {
            clock += costs.visit * office.foreman.tasks() as u64;
            office.foreman.divide();
        }
        while let Some(sheet) = self.foremen[index as usize].foreman.poll() {
            clock += if self.trial.settings.crews { costs.handover } else { costs.message };
            clock += costs.item * sheet.tasks.len() as u64;
            self.post(sheet, clock);
        }
        let bundle = self.foremen[index as usize].foreman.poll_bundle(Duration::from_nanos(clock));
        if let Some(bundle) = bundle {
            clock += costs.message + costs.item * bundle.findings.len() as u64;
            let office = &mut self.foremen[index as usize];
            let at = clock + self.trial.faults.latency(costs.latency);
            office.last_bundle = at.max(office.last_bundle);
            let at = office.last_bundle;
            self.announce(at, name, News::Bundle(bundle));
        }
        self.rest_until_mail(index, now, clock);
    }

    /// Its work took from `now` to `clock`; when is there something to do again?
    fn rest_until_mail(&mut self, index: u32, now: u64, clock: u64) {
        let office = &mut self.foremen[index as usize];
        office.busy += clock - now;
        office.free = clock;
        let mail = office.inbox.next_at();
        if let Some(at) = [mail, office.foreman.due()].into_iter().flatten().min() {
            self.wake_foreman(index, nanos(at));
        }
        let faults = &mut self.trial.faults;
        if faults.happens(faults.foreman_dies) {
            self.lose_foreman(index, clock);
        }
    }

    /// A foreman dies. Its workers look for another; it comes back as a new one.
    fn lose_foreman(&mut self, index: u32, now: u64) {
        let latency = self.trial.costs.latency;
        let mut new = Office::new(&self.trial);
        new.busy = self.foremen[index as usize].busy;
        new.free = self.foremen[index as usize].free;
        let old = std::mem::replace(&mut self.foremen[index as usize], new);
        let Some(name) = old.name else { return };
        self.names.remove(&name);
        self.master.handle_left(name);
        self.wake_master(now);
        self.buried.died += 1;
        for worker in 0..self.workers.len() {
            if self.workers[worker].boss != Some(index) {
                continue;
            }
            self.names.remove(&self.workers[worker].id);
            self.workers[worker].lose_boss();
            let at = self.workers[worker].clock.max(now) + self.trial.faults.up_to(50 * latency);
            self.schedule(at + 1, Event::Join(worker as u32));
        }
        let back = now + self.trial.faults.up_to(50 * latency) + 1;
        self.schedule(back, Event::ForemanJoins(index));
    }
}
