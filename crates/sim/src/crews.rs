//! Machines that are threads of one process: crews, as in the live world.
//!
//! What passes between a crew and its workers takes no time of its own. A search may already
//! have been let forward by as much as an order from the master takes; what its crew tells it
//! counts after that.

use std::time::Duration;

use senbon_core::minimal::{Crew, Passed};
use senbon_core::{Ability, Berth, Order, Report};
use senbon_engines::builtin::Judged;

use crate::world::Event;
use crate::{MachineId, Watch, Wire, World};

/// A crew in virtual time.
pub(crate) struct Process<G: Judged> {
    crew: Crew<G>,
    /// The next worker's number.
    next: u32,
    /// When it will be looked at.
    woken: Option<Duration>,
}

impl<G: Judged, W: Wire<G>, A> World<G, W, A> {
    /// These machines, not connected yet, are threads of one process from now on.
    pub fn enlist(&mut self, machines: &[MachineId]) {
        let process = self.processes.len();
        self.processes.push(Process { crew: Crew::default(), next: 1, woken: None });
        for id in machines {
            self.machines[id.0].process = Some(process);
            self.berth(*id);
        }
    }

    /// A thread of a process starts: it gets a number that none had before.
    pub(crate) fn berth(&mut self, id: MachineId) {
        let machine = &mut self.machines[id.0];
        let Some(process) = machine.process else { return };
        let number = self.processes[process].next;
        self.processes[process].next += 1;
        machine.berth = Some(Berth { crew: process as u64, number });
    }

    /// What a machine offers.
    pub(crate) fn ability(&mut self, id: MachineId) -> Ability {
        let machine = &mut self.machines[id.0];
        Ability { berth: machine.berth, ..machine.mind.ability() }
    }

    /// What thinks on a machine is told to do something: by way of its crew, if it has one.
    pub(crate) fn give(&mut self, id: MachineId, order: Order<G>) {
        match self.machines[id.0].berth {
            Some(Berth { crew, number }) => {
                self.processes[crew as usize].crew.handle_order(self.now, number, order);
                self.pass_on(crew as usize);
            }
            None => self.hand(id, order),
        }
    }

    /// A thread has ended.
    pub(crate) fn leave_crew(&mut self, id: MachineId) {
        if let Some(Berth { crew, number }) = self.machines[id.0].berth.take() {
            self.processes[crew as usize].crew.handle_left(self.now, number);
            self.pass_on(crew as usize);
        }
    }

    /// A crew has something to do, if it was woken for then.
    pub(crate) fn look_at_crew(&mut self, index: usize) {
        let process = &mut self.processes[index];
        if process.woken == Some(self.now) {
            process.woken = None;
            process.crew.handle_timeout(self.now);
            self.pass_on(index);
        }
    }

    /// What a crew has to pass on.
    fn pass_on(&mut self, index: usize) {
        let process = &mut self.processes[index];
        while let Some(passed) = process.crew.poll() {
            let (Passed::Down(number, _) | Passed::Up(number, _)) = passed;
            let berth = Some(Berth { crew: index as u64, number });
            let Some(at) = self.machines.iter().position(|machine| machine.berth == berth) else {
                continue;
            };
            let event = match passed {
                Passed::Down(_, order) => Event::Handed(MachineId(at), number, Box::new(order)),
                Passed::Up(_, report) => Event::Told(MachineId(at), Box::new(report)),
            };
            self.queue.push(self.now, event);
        }
        if let Some(due) = process.crew.poll_timeout().map(|due| due.max(self.now))
            && process.woken.is_none_or(|woken| due < woken)
        {
            process.woken = Some(due);
            self.queue.push(due, Event::Crew(index));
        }
    }

    /// What the crew wants a worker to do arrives.
    pub(crate) fn handed(&mut self, id: MachineId, number: u32, order: Order<G>) {
        let machine = &self.machines[id.0];
        if machine.alive && machine.berth.is_some_and(|berth| berth.number == number) {
            self.hand(id, order);
        }
    }

    /// A machine makes a report. What it found of tasks goes to its crew, if it has one.
    pub(crate) fn tell(&mut self, id: MachineId, report: Report<G>, watch: &mut impl Watch<G>) {
        match (self.machines[id.0].berth, &report) {
            (Some(Berth { crew, number }), Report::Findings { .. }) => {
                self.processes[crew as usize].crew.handle_report(self.now, number, report);
                self.pass_on(crew as usize);
            }
            _ => self.say(id, report, watch),
        }
    }
}
