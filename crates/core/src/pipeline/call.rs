//! The last call: workers that are far away are stopped so much before the answer that their
//! last word is in time.
//!
//! What a worker says when it is stopped is often its best, and takes a round trip from the
//! decision to the answer. The paper takes 50 ms off the time for that; here each worker's own
//! round trip is, as it was measured. Nothing is lost by it: what is searched later could not
//! be told in time.

use std::time::Duration;

use senbon_games::Game;

use super::{Output, Pipeline, Thinking};
use crate::{Order, WorkerId};

/// At most this part of the time for a move goes to the last call.
const PART: u32 = 3;

impl<G: Game> Pipeline<G> {
    /// How long an order takes to a worker and its answer back, at most: as it is measured now.
    pub fn handle_round_trip(&mut self, id: WorkerId, round_trip: Duration) {
        if let Some(worker) = self.workers.get_mut(&id) {
            worker.round_trip = round_trip;
            let at = self.call_at(id);
            self.next_call = self.next_call.into_iter().chain(at).min();
        }
    }

    /// How long an order takes to a worker and its answer back; zero where it is here.
    pub fn round_trip_of(&self, id: WorkerId) -> Duration {
        self.workers.get(&id).map_or(Duration::ZERO, |worker| worker.round_trip)
    }

    /// When a worker must be stopped. Not at all where it goes on after the answer.
    fn call_at(&self, id: WorkerId) -> Option<Duration> {
        let thinking = self.thinking.as_ref().filter(|_| !self.settings.ponder)?;
        let worker = self.workers.get(&id)?;
        if worker.round_trip.is_zero() || !worker.is_searching() || worker.is_called() {
            return None;
        }
        let look = thinking.next_look()?;
        let margin = worker.round_trip.min(thinking.aim()? / PART);
        Some(look.saturating_sub(margin))
    }

    /// Finds out when the next worker must be stopped.
    pub(super) fn plan_calls(&mut self) {
        let dated = self.thinking.as_ref().and_then(Thinking::next_look).is_some();
        let calls = self.workers.keys().filter_map(|&id| self.call_at(id));
        self.next_call = if dated { calls.min() } else { None };
    }

    /// Stops those whose last word would come too late otherwise.
    pub(super) fn call(&mut self, now: Duration) {
        if self.next_call.is_none_or(|at| at > now) {
            return;
        }
        let ids: Vec<WorkerId> = self.workers.keys().copied().collect();
        for id in ids {
            if self.call_at(id).is_some_and(|at| at <= now)
                && let Some(epoch) = self.workers.get_mut(&id).and_then(|worker| worker.be_called())
            {
                self.output.push_back(Output::Below(id, Order::Stop(epoch)));
            }
        }
        self.plan_calls();
    }
}
