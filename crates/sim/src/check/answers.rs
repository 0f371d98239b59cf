//! Promise 1: what is said above.

use std::time::Duration;

use senbon_core::{Epoch, Limits, Opinion, Place};
use senbon_games::Game;

use super::{Breach, Promise};

/// A search that was asked for and is not answered yet.
#[derive(Clone, Debug)]
pub(crate) struct Asked<G: Game> {
    pub(crate) epoch: Epoch,
    /// The position that the answer must be legal in.
    pub(crate) place: Place<G>,
    pub(crate) only: Vec<G::Move>,
    pub(crate) lines: usize,
    pub(crate) limits: Limits,
    /// When it was asked for.
    pub(crate) began: Duration,
    /// The flag falls then.
    pub(crate) flag: Option<Duration>,
    /// It was told to stop: the answer is due at once.
    pub(crate) stopped: Option<Duration>,
}

impl<G: Game> Asked<G> {
    fn may_play(&self, mv: G::Move) -> bool {
        let mut legal = self.place.position().moves().into_iter();
        legal.any(|own| own == mv) && (self.only.is_empty() || self.only.contains(&mv))
    }

    /// Whether only a stop ends it.
    pub(crate) fn waits_for_stop(&self) -> bool {
        self.limits.infinite || self.limits.ponder
    }

    /// Checks what is told on the way.
    pub(crate) fn check_opinion(
        &self,
        now: Duration,
        epoch: Epoch,
        opinion: &Opinion<G::Move>,
    ) -> Result<(), Breach> {
        let breach = |what| Err(Breach { promise: Promise::Answer, at: now, what });
        if epoch != self.epoch {
            return breach(format!("an opinion on search {}, not {}", epoch.0, self.epoch.0));
        }
        if opinion.rank >= self.lines {
            return breach(format!("line {} of {} asked for", opinion.rank + 1, self.lines));
        }
        // A score may be known without a move.
        if !opinion.line.first().is_none_or(|&mv| self.may_play(mv)) {
            return breach(format!("an opinion on a move that may not be played: {opinion:?}"));
        }
        let mut position = self.place.position().clone();
        for (index, &mv) in opinion.line.iter().enumerate() {
            if !position.moves().into_iter().any(|legal| legal == mv) {
                let number = index + 1;
                return breach(format!("move {number} of a line is illegal: {:?}", opinion.line));
            }
            position.play(mv);
        }
        Ok(())
    }

    /// Checks the answer.
    pub(crate) fn check_answer(
        &self,
        now: Duration,
        epoch: Epoch,
        best: Option<G::Move>,
        ponder: Option<G::Move>,
    ) -> Result<(), Breach> {
        let breach = |what| Err(Breach { promise: Promise::Answer, at: now, what });
        if epoch != self.epoch {
            return breach(format!("answered search {}, not {}", epoch.0, self.epoch.0));
        }
        let Some(best) = best else {
            return breach(format!("no move, though there are legal ones (search {})", epoch.0));
        };
        if !self.may_play(best) {
            return breach(format!(
                "{best:?} is not a move that may be played (search {})",
                epoch.0
            ));
        }
        if let Some(ponder) = ponder {
            let after = self.place.after(best);
            if !after.position().moves().into_iter().any(|legal| legal == ponder) {
                return breach(format!("the move expected after {best:?} is illegal: {ponder:?}"));
            }
        }
        if let Some(flag) = self.flag.filter(|&flag| now > flag) {
            return breach(format!("answered {:?} after the flag fell", now - flag));
        }
        if let Some(late) = self.stopped.map(|stop| now - stop).filter(|late| !late.is_zero()) {
            return breach(format!("answered {late:?} after the stop"));
        }
        if self.limits.infinite && self.stopped.is_none() {
            return breach("answered an infinite search before the stop".to_owned());
        }
        Ok(())
    }

    /// Checks that the answer is not overdue; for searches whose answer never comes.
    pub(crate) fn check_overdue(&self, now: Duration) -> Result<(), Breach> {
        let overdue =
            self.flag.is_some_and(|flag| now > flag) || self.stopped.is_some_and(|stop| now > stop);
        if !overdue {
            return Ok(());
        }
        let what = format!("search {} is not answered, and its time is over", self.epoch.0);
        Err(Breach { promise: Promise::Answer, at: now, what })
    }
}
