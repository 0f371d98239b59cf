//! Who looks at a world from outside, and may spoil it.

use std::collections::VecDeque;
use std::time::Duration;

use senbon_core::session::{Frame, SessionId};
use senbon_core::vote::Minutes;
use senbon_core::{Coordinator, Fault, Order, Report, WorkerId};
use senbon_games::Game;

use crate::MachineId;

/// Sees what happens in a world, and may spoil it. Every method does nothing by default.
pub trait Watch<G: Game> {
    /// `from` says `report`, and the coordinator is about to hear it.
    fn hears(&mut self, _now: Duration, _: &Coordinator<G>, _from: WorkerId, _: &Report<G>) {}
    /// The coordinator has heard it.
    fn heard(&mut self, _now: Duration, _: &Coordinator<G>) {}
    /// A worker has joined; orders to it come next.
    fn joins(&mut self, _now: Duration, _: &Coordinator<G>, _: WorkerId) {}
    /// The coordinator is about to hear that a worker is gone.
    fn leaves(&mut self, _now: Duration, _: &Coordinator<G>, _: WorkerId) {}
    /// The coordinator has heard it, and has done all it wanted to.
    fn left(&mut self, _now: Duration, _: &Coordinator<G>) {}
    /// The coordinator gives an order to a worker.
    fn orders(&mut self, _now: Duration, _to: WorkerId, _: &Order<G>) {}
    /// A vote was taken.
    fn minutes(&mut self, _now: Duration, _: &Minutes<G>) {}
    /// The coordinator has said all it wanted to say.
    fn quiet(&mut self, _now: Duration, _: &Coordinator<G>) {}
    /// A worker sends a report: what really goes out. Rude workers are made here.
    fn sends(&mut self, _now: Duration, _: MachineId, report: Report<G>, out: &mut Vec<Sent<G>>) {
        out.push(Sent { report, delay: Duration::ZERO, apart: false });
    }
    /// What the coordinator is told in place of what arrived. For planted faults.
    fn mishears(&mut self, _from: WorkerId, report: Report<G>) -> Report<G> {
        report
    }
    /// News of the sessions, in worlds that have them.
    fn session(&mut self, _now: Duration, _: SessionNews<'_, G>) {}
    /// How often a report that came by a session is handed on. For planted faults.
    fn repeats(&mut self, _report: &[u8]) -> usize {
        1
    }
    /// Whether a machine sends a report that its codec refused, as bytes that nobody can read.
    /// Rude workers are made here, too.
    fn forges(&mut self, _: MachineId) -> bool {
        false
    }
    /// Whether a frame of a machine is sent at all. For planted faults.
    fn lets_pass(&mut self, _: MachineId, _: &Frame) -> bool {
        true
    }
    /// What is said above in place of what the coordinator said. For planted faults.
    fn misspeaks(&mut self, report: Report<G>, out: &mut VecDeque<Report<G>>) {
        out.push_back(report);
    }
}

/// A direction of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// To the coordinator.
    Up,
    /// To the machine.
    Down,
}

/// What happens to sessions.
#[derive(Clone, Debug)]
pub enum SessionNews<'a, G: Game> {
    /// A frame was sent up from a machine or down to it, and when it gets through, if ever.
    Sent(MachineId, Way, Option<Duration>),
    /// The master let a machine in.
    Begun(SessionId, WorkerId, MachineId),
    /// A machine has heard that it was let in.
    Joined(SessionId),
    /// A machine is not in a session any more: by its own will, or because of this.
    GivenUp(SessionId, Option<&'a Fault>),
    /// A worker tells a report: progress of this rank, or one that must arrive.
    Told(SessionId, Option<usize>, &'a [u8]),
    /// A worker begins another search: what it told of the one before does not matter.
    Forgotten(SessionId),
    /// The master heard a report.
    Delivered(SessionId, &'a [u8]),
    /// A machine takes an order.
    Taken(MachineId, &'a Order<G>),
    /// The session is over, as the master sees it.
    Ended(SessionId, &'a Fault),
}

/// Looks at nothing and spoils nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unwatched;

impl<G: Game> Watch<G> for Unwatched {}

/// A report that goes out.
#[derive(Clone, Debug)]
pub struct Sent<G: Game> {
    /// What is sent.
    pub report: Report<G>,
    /// Sent so much later than it was made.
    pub delay: Duration,
    /// It may overtake others.
    pub apart: bool,
}
