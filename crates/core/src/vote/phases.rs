//! The three phases (akara-2010 section IV): think for the move; predict the opponent's move
//! for a shorter time; ponder the answer to the predicted move until the opponent has moved.

use std::time::Duration;

use senbon_games::Game;

use super::Vote;
use super::agreement::Agreement;
use super::minutes::{Arrival, Purpose};
use crate::{Limits, Place};

/// What the voters are doing.
#[derive(Debug)]
pub(super) enum Phase {
    /// Nothing.
    Resting,
    /// Phase 1, or whatever was asked for.
    Thinking,
    /// Phase 2, within these limits.
    Predicting(Agreement),
    /// Phase 3.
    Pondering,
}

/// Limits of the prediction where the move had none in time.
const WITHOUT_CLOCK: Agreement = Agreement {
    easy: Duration::from_millis(250),
    fine: Duration::from_millis(500),
    max: Duration::from_secs(1),
};

impl<G: Game> Vote<G> {
    /// Phase 2: our move is made.
    pub(super) fn predict(&mut self, now: Duration, best: G::Move, limits: Option<Agreement>) {
        let Some(subject) = &self.subject else { return };
        let place = subject.place.after(best);
        if is_over(&place) {
            self.rest(now);
            return;
        }
        self.phase = Phase::Predicting(limits.map_or(WITHOUT_CLOCK, Agreement::prediction));
        self.turn_to(now, place, Vec::new(), Limits::default(), Arrival::New);
    }

    /// Phase 3: the opponent is assumed to play what the majority would. False when there is
    /// no opinion yet: then the voters think on.
    pub(super) fn ponder_on(&mut self, now: Duration) -> bool {
        let Phase::Predicting(limits) = self.phase else { return false };
        let Some(subject) = &self.subject else { return false };
        let tally = self.tally();
        let Some(predicted) = tally.winner().map(|party| party.mv) else { return false };
        let place = subject.place.after(predicted);
        let time = now.saturating_sub(subject.since);
        self.record(now, Purpose::Prediction, Some(limits), time, &tally, Some(predicted));
        if is_over(&place) {
            self.rest(now);
            return true;
        }
        self.phase = Phase::Pondering;
        self.turn_to(now, place, Vec::new(), Limits::default(), Arrival::New);
        true
    }
}

fn is_over<G: Game>(place: &Place<G>) -> bool {
    place.position().moves().into_iter().next().is_none()
}
