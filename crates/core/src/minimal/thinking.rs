//! A search asked for from above: its clock, its limits and what was told of it.

use std::time::Duration;

use senbon_games::{Branching, Game, OVER, Worth};

use super::crews::Change;
use super::{Master, Settled};
use crate::{Budget, Epoch, Limits, Place, Score, Search};

/// The search under way.
pub(super) struct Thinking<G: Game> {
    /// Its number above.
    pub(super) epoch: Epoch,
    /// And below.
    pub(super) below: Epoch,
    pub(super) place: Place<G>,
    /// Moves that may be answered, all legal; the first one is better than none.
    pub(super) allowed: Vec<G::Move>,
    pub(super) limits: Limits,
    pub(super) master: Master<G, Box<dyn Branching<G>>>,
    /// Nodes searched by workers that are gone.
    pub(super) nodes_before: u64,
    /// What was last told above.
    pub(super) told: Option<Settled<G::Move>>,
    /// Since when there has been nobody to search.
    pub(super) deserted: Option<Duration>,
    budget: Option<Budget>,
    began: Duration,
    /// When the best move last changed.
    pub(super) changed: Duration,
}

impl<G: Game> Thinking<G> {
    pub(super) fn new(
        now: Duration,
        search: Search<G>,
        overhead: Duration,
        below: Epoch,
        master: Master<G, Box<dyn Branching<G>>>,
    ) -> Self {
        let Search { epoch, place, only, limits, .. } = search;
        let position = place.position();
        let mut allowed: Vec<G::Move> = position.moves().into_iter().collect();
        if !only.is_empty() {
            allowed.retain(|mv| only.contains(mv));
        }
        let budget = Budget::new(&limits, position.side_to_move(), overhead);
        Thinking {
            epoch,
            below,
            allowed,
            limits,
            master,
            nodes_before: 0,
            told: None,
            deserted: None,
            budget,
            began: now,
            changed: now,
            place,
        }
    }

    /// A crew has changed.
    pub(super) fn heed(&mut self, change: Change) {
        match change {
            Change::Leads(leader, size) => self.master.handle_foreman(leader, size),
            Change::Resized(leader, size) => self.master.handle_crew(leader, size),
            Change::Gone => {}
        }
    }

    pub(super) fn elapsed(&self, now: Duration) -> Duration {
        now.saturating_sub(self.began)
    }

    /// Whether only a stop from above may end it.
    pub(super) fn waits_for_stop(&self) -> bool {
        self.limits.infinite || self.limits.ponder
    }

    /// The predicted move was played: the clock runs from now.
    pub(super) fn hit(&mut self, now: Duration) {
        (self.began, self.changed) = (now, now);
        self.limits.ponder = false;
    }

    /// When the time is up.
    pub(super) fn next_look(&self) -> Option<Duration> {
        if self.waits_for_stop() {
            return None;
        }
        let Budget { soft, hard } = self.budget?;
        // Half as much again when the best move changed in the last part of the time.
        let late = self.changed.saturating_sub(self.began) > soft.mul_f64(0.6);
        let aim = if late && soft < Duration::MAX { soft.mul_f64(1.5) } else { soft };
        Some(self.began.saturating_add(aim.min(hard)))
    }

    /// What a level found the root to be worth, as a score.
    pub(super) fn score(&self, settled: &Settled<G::Move>) -> Score {
        self.score_of(settled.value, Some(settled))
    }

    /// A worth of a level, or of none yet, as a score. Ends of games in the master's tree count
    /// the plies left of the whole search, those that workers found the plies left of the level.
    pub(super) fn score_of(&self, value: Worth, level: Option<&Settled<G::Move>>) -> Score {
        let left = i32::from(value.abs()) - i32::from(OVER);
        let found = level.filter(|settled| left <= settled.level.into());
        Score::of_worth(value, found.map_or(self.master.depth(), |found| found.depth).into())
    }
}
