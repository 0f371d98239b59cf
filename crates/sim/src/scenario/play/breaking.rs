//! What a scenario breaks.

use std::time::Duration;

use senbon_engines::builtin::Judged;

use super::{Alarm, MOST_MACHINES, Play, ms};
use crate::MachineId;
use crate::link::{below, between};
use crate::scenario::options::Fault;

impl<G: Judged> Play<'_, G> {
    pub(super) fn plan_fault(&mut self) {
        let wait = below(&mut self.rng, self.options.fault_interval * 2);
        self.world.alarm(self.world.now() + wait, Alarm::Fault);
    }

    fn some_machine(&mut self) -> Option<MachineId> {
        let count = self.world.machine_count();
        (count > 0).then(|| MachineId(self.rng.below(count)))
    }

    pub(super) fn break_something(&mut self) {
        let Some(&fault) = self.rng.pick(&self.options.faults) else { return };
        if fault == Fault::Join {
            if self.world.machine_count() < MOST_MACHINES {
                self.add_machine(false);
            }
            return;
        }
        let Some(id) = self.some_machine() else { return };
        if self.options.sessions.is_some() {
            self.break_session(fault, id);
            return;
        }
        let now = self.world.now();
        let lost_after = self.options.lost_after;
        let back = now + between(&mut self.rng, ms(1), ms(2_000));
        // A process that ends is noticed at once, a machine that goes dark only by silence.
        let notice = if self.rng.one_in(2) { ms(1) } else { lost_after };
        match fault {
            Fault::Crash => {
                self.world.crash(id, notice);
                if !self.rng.one_in(3) {
                    self.world.alarm(back, Alarm::Restart(id));
                }
            }
            Fault::Leave => {
                self.world.disconnect(id, self.options.link.latency);
                self.world.alarm(back, Alarm::Connect(id));
            }
            Fault::Freeze => {
                self.world.freeze(id, back);
                self.drop_if_silent(id, back);
            }
            Fault::Partition => self.partition(back),
            Fault::Cut => {
                self.world.disconnect(id, notice);
                self.world.alarm(now + below(&mut self.rng, ms(50)), Alarm::Connect(id));
            }
            Fault::Slow => self.world.slow(id, 1 + self.rng.below(20) as u32),
            Fault::Join => {}
        }
    }

    /// Some machines, or all of them, are out of reach until then.
    fn partition(&mut self, until: Duration) {
        let one_in = 1 + self.rng.below(4);
        for number in 0..self.world.machine_count() {
            if self.rng.one_in(one_in) {
                let id = MachineId(number);
                self.world.stall(id, until);
                self.drop_if_silent(id, until);
            }
        }
    }

    /// A connection that is silent for too long is given up by both sides.
    fn drop_if_silent(&mut self, id: MachineId, until: Duration) {
        let lost_after = self.options.lost_after;
        if until.saturating_sub(self.world.now()) > lost_after {
            self.world.disconnect(id, lost_after);
            self.world.alarm(until + below(&mut self.rng, ms(50)), Alarm::Connect(id));
        }
    }
}
