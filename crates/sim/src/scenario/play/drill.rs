//! What is broken where workers are reached by sessions, and what the sessions must make of it.

use std::time::Duration;

use senbon_core::{Search, WorkerId};
use senbon_engines::builtin::Judged;

use super::{Alarm, LOOK, Phase, Play, ms};
use crate::check::{AGAIN, Breach, Ledger, NOTICED, Pledge, Promise};
use crate::link::{below, between};
use crate::scenario::options::Fault;
use crate::{MachineId, Way};

/// How long a worker is broken in the drill.
const DRILL: Duration = ms(2_500);
/// Within this it is back, once it is mended.
const BACK: Duration = ms(5_000);
/// A new master is there, and the old one known to be gone, within this.
const MASTER_BACK: Duration = ms(1_000);

/// How a worker is broken.
#[derive(Clone, Copy, Debug)]
enum Break {
    Kill,
    Freeze,
    /// Frames are lost.
    Cut,
    /// Frames wait.
    Stall,
}

impl<G: Judged> Play<'_, G> {
    /// A fault of the faulty time happens to a machine.
    pub(super) fn break_session(&mut self, fault: Fault, id: MachineId) {
        let now = self.world.now();
        let back = now + between(&mut self.rng, ms(1), ms(2_500));
        if self.options.master_restarts && self.rng.one_in(12) {
            self.restart_master();
            return;
        }
        match fault {
            Fault::Crash => {
                // A process that ends is noticed at once, a machine that goes dark only by
                // silence.
                let told = self.rng.one_in(2).then_some(ms(1));
                self.promise(id, Duration::MAX, false);
                self.world.kill(id, told);
                if !self.rng.one_in(3) {
                    self.world.alarm(back, Alarm::Restart(id));
                }
            }
            Fault::Leave => {
                self.promise(id, Duration::MAX, false);
                self.world.leave(id, &mut self.watch);
                self.world.alarm(back, Alarm::Restart(id));
            }
            Fault::Freeze => self.break_for(id, Break::Freeze, back, false),
            Fault::Partition => {
                let one_in = 1 + self.rng.below(4);
                for number in 0..self.world.machine_count() {
                    if self.rng.one_in(one_in) {
                        self.cut_or_stall(MachineId(number), back);
                    }
                }
            }
            Fault::Cut if self.rng.one_in(2) => {
                // One way only. The way down is noticed by the worker, whose good-bye may get
                // lost: how soon that is heard of is not promised.
                let up = self.rng.one_in(2);
                if up {
                    self.promise(id, back, false);
                }
                self.watch.sessions.breaks(id, back);
                self.world.cut(id, if up { &[Way::Up] } else { &[Way::Down] }, back);
            }
            Fault::Cut => self.cut_or_stall(id, back),
            Fault::Slow => self.world.slow(id, 1 + self.rng.below(20) as u32),
            Fault::Join => {}
        }
    }

    fn cut_or_stall(&mut self, id: MachineId, until: Duration) {
        let how = if self.rng.one_in(2) { Break::Cut } else { Break::Stall };
        self.break_for(id, how, until, false);
    }

    fn break_for(&mut self, id: MachineId, how: Break, until: Duration, strict: bool) {
        self.promise(id, until, strict);
        match how {
            Break::Kill => self.world.kill(id, None),
            Break::Freeze => self.world.freeze(id, until),
            Break::Cut => self.world.cut(id, &[Way::Up, Way::Down], until),
            Break::Stall => self.world.stall(id, until),
        }
    }

    /// A machine is about to break: takes down what must happen then.
    fn promise(&mut self, id: MachineId, until: Duration, strict: bool) {
        let now = self.world.now();
        // What it said before it broke the first time may still be on its way.
        let broken = self.watch.sessions.is_broken(now, id);
        self.watch.sessions.breaks(id, until);
        let books = &self.watch.books;
        let workers: Vec<WorkerId> =
            books.workers().filter(|&worker| self.world.machine_of(worker) == Some(id)).collect();
        if workers.is_empty() || broken || !self.world.is_alive(id) || until < now + NOTICED {
            return;
        }
        let task: Option<Search<G>> =
            workers.iter().find_map(|&worker| books.task(worker).cloned());
        let pledge = Pledge { machine: id, workers, task, since: now, strict, again: false };
        self.watch.sessions.pledge(pledge);
        for wait in [NOTICED, AGAIN] {
            self.world.alarm(now + wait, Alarm::Due);
        }
    }

    /// The coordinator's process ends, and another one starts.
    fn restart_master(&mut self) {
        self.watch.sessions.forget();
        for number in 0..self.world.machine_count() {
            self.watch.sessions.breaks(MachineId(number), self.world.now() + MASTER_BACK);
        }
        self.world.restart_master(MASTER_BACK, MASTER_BACK);
        self.watch.books = Ledger::new(self.world.coordinator());
        self.player.abandon(self.world.now());
    }

    /// Whoever lied is replaced.
    pub(super) fn send_home(&mut self, id: MachineId) {
        if self.options.sessions.is_some() {
            self.promise(id, Duration::MAX, false);
            self.world.kill(id, Some(ms(1)));
        } else {
            self.world.crash(id, ms(1));
        }
    }

    /// Everybody works: one of them breaks down.
    pub(super) fn drill(&mut self) {
        let now = self.world.now();
        let books = &self.watch.books;
        let busy: Vec<WorkerId> =
            books.workers().filter(|&worker| books.task(worker).is_some()).collect();
        let worker = self.rng.pick(&busy).copied();
        let Some(id) = worker.and_then(|worker| self.world.machine_of(worker)) else {
            self.phase = Phase::Drill(Some(now));
            self.world.alarm(now, Alarm::Look);
            return;
        };
        let all = [Break::Kill, Break::Freeze, Break::Cut, Break::Stall];
        let how = self.rng.pick(&all).copied().unwrap_or(Break::Kill);
        let until = if matches!(how, Break::Kill) { Duration::MAX } else { now + DRILL };
        self.break_for(id, how, until, true);
        self.world.alarm(now + DRILL, Alarm::Mend(id));
    }

    pub(super) fn mend(&mut self, id: MachineId) {
        let now = self.world.now();
        self.restart(id);
        self.phase = Phase::Drill(Some(now));
        let wait = below(&mut self.rng, LOOK);
        self.world.alarm(now + wait, Alarm::Look);
    }

    /// The worker that broke down is mended: it must come back by itself.
    pub(super) fn look_at_drill(&mut self, mended: Option<Duration>) -> Result<(), Breach> {
        let Some(mended) = mended else { return Ok(()) };
        let now = self.world.now();
        let away = self.world.coordinator().worker_count() != self.world.machine_count();
        // Where the tree grows at new roots only, whoever comes later waits for the next.
        let waits = !away && self.options.strategy.grows_at_roots();
        if let Some(idle) = self.idle_workers().filter(|_| !waits) {
            if now > mended + if away { BACK } else { self.convergence() } {
                let what = format!("{idle} {:?} after a worker was mended", now - mended);
                return self.fail(Promise::Tree, what);
            }
        } else {
            self.phase = Phase::Converging(now);
            self.player.stop(now);
        }
        self.world.alarm(now + LOOK, Alarm::Look);
        Ok(())
    }
}
