//! A search asked for from above: its time, and its answer.

use std::time::Duration;

use senbon_games::Game;

use super::Vote;
use super::agreement::Agreement;
use super::count::Tally;
use super::minutes::{Arrival, Minutes, Purpose, Vow};
use super::phases::Phase;
use super::voter::Voter;
use crate::pipeline::Output;
use crate::place;
use crate::{Bound, Epoch, Limits, Opinion, Report, Score, Search};

/// How long a search without a limit of time waits for a voter that tells nothing, or for any
/// to come.
const PATIENCE: Duration = Duration::from_secs(30);

/// The search under way.
#[derive(Debug)]
pub(super) struct Thinking<M> {
    pub(super) epoch: Epoch,
    limits: Limits,
    lines: usize,
    began: Duration,
    agreement: Option<Agreement>,
    /// Some voter knows the position by heart.
    opening: bool,
    /// What was last told above.
    told: Vec<(M, Score, u32, u64)>,
}

impl<M> Thinking<M> {
    pub(super) fn elapsed(&self, now: Duration) -> Duration {
        now.saturating_sub(self.began)
    }

    fn waits_for_stop(&self) -> bool {
        self.limits.infinite || self.limits.ponder
    }
}

impl<G: Game> Vote<G> {
    /// Phase 1, or a search of a GUI.
    pub(super) fn begin(&mut self, now: Duration, search: Search<G>) {
        let Search { epoch, place, only, lines, limits } = search;
        let side = place.position().side_to_move();
        let made = place.moves().len() as u32 / 2;
        let agreement = Agreement::new(&limits, side, self.settings.overhead, made);
        let below = Limits {
            nodes: limits.nodes,
            depth: limits.depth,
            mate: limits.mate,
            ..Limits::default()
        };
        let at_work = !matches!(self.phase, Phase::Resting);
        let hit = self.subject.as_ref().filter(|_| at_work).is_some_and(|subject| {
            let same = subject.place.way_to(&place).is_some_and(<[_]>::is_empty);
            same && subject.only == only && subject.limits == below
        });
        let arrival = match (&self.phase, hit) {
            (_, true) => Arrival::Predicted,
            (Phase::Pondering, false) => Arrival::Alternated,
            _ => Arrival::New,
        };
        self.phase = Phase::Thinking;
        self.thinking = Some(Thinking {
            epoch,
            limits,
            lines: lines.max(1),
            began: now,
            agreement,
            opening: false,
            told: Vec::new(),
        });
        if hit {
            // What was found on the opponent's time stays, and they go on.
            if let Some(subject) = &mut self.subject {
                subject.arrival = arrival;
            }
            self.tell(now);
        } else {
            self.turn_to(now, place, only, below, arrival);
        }
    }

    /// A voter that knows the position by heart says that this is still the opening: less time
    /// will do.
    fn shorten_in_the_opening(&mut self) {
        let knows = self.voters.iter().any(|voter| voter.is_present() && voter.knows_by_heart());
        if let Some(thinking) = &mut self.thinking
            && knows
            && !thinking.opening
        {
            thinking.opening = true;
            thinking.agreement = thinking.agreement.map(Agreement::opening);
        }
    }

    pub(super) fn ponder_hit(&mut self, now: Duration, epoch: Epoch) {
        if let Some(thinking) = &mut self.thinking
            && thinking.epoch == epoch
        {
            thinking.limits.ponder = false;
            thinking.began = now;
            if let Some(subject) = &mut self.subject {
                subject.arrival = Arrival::Predicted;
            }
        }
    }

    /// When the time of the search or of the prediction is over, if the voters stay as they
    /// are.
    pub(super) fn next_look(&self) -> Option<Duration> {
        let until = |agreement: &Agreement| agreement.until(self.tally().accord());
        match (&self.thinking, &self.phase) {
            (Some(thinking), _) if thinking.waits_for_stop() => None,
            (Some(thinking), _) => match &thinking.agreement {
                Some(agreement) => Some(thinking.began.saturating_add(until(agreement))),
                None => self.end_of_patience(),
            },
            (None, Phase::Predicting(agreement)) => {
                let since = self.subject.as_ref()?.since;
                // Without an opinion there is nothing to predict: the first one is waited for.
                let tally = self.tally();
                tally.winner()?;
                Some(since.saturating_add(agreement.until(tally.accord())))
            }
            (None, _) => None,
        }
    }

    /// A search without a clock is over when all have answered; who tells nothing for long is
    /// not waited for.
    fn end_of_patience(&self) -> Option<Duration> {
        let busy = self.voters.iter().filter(|voter| voter.searching);
        let limited = |thinking: &super::Thinking<_>| {
            thinking.limits.nodes.is_some() || thinking.limits.depth.is_some()
        };
        let bounded = self.thinking.as_ref().is_some_and(limited);
        let idle = self.voters.iter().all(|voter| !voter.is_present());
        (bounded || idle)
            .then(|| busy.map(|voter| voter.heard).max())?
            .map(|heard| heard + PATIENCE)
    }

    /// Ends the search, or the prediction. True when something was done.
    pub(super) fn decide(&mut self, now: Duration) -> bool {
        match (&self.thinking, &self.phase) {
            (Some(thinking), _) if !thinking.waits_for_stop() => {
                self.answer(now);
                true
            }
            (None, Phase::Predicting(_)) => self.ponder_on(now),
            _ => false,
        }
    }

    /// Whether nobody will change the result any more.
    pub(super) fn nothing_to_wait_for(&self) -> bool {
        let Some(subject) = &self.subject else { return false };
        let timed = self.thinking.as_ref().is_some_and(|thinking| {
            thinking.agreement.is_some() && thinking.limits.move_time.is_none()
        });
        if subject.allowed.is_empty() || (timed && subject.allowed.len() == 1) {
            return true;
        }
        let mut here = self.voters.iter().filter(|voter| voter.is_present()).peekable();
        let all_done = here.peek().is_some() && here.all(|voter| !voter.searching);
        all_done || self.tally().is_settled(self.weight_present())
    }

    /// Tells above what changed: a line for every move voted for, the winner first.
    pub(super) fn tell(&mut self, now: Duration) {
        self.shorten_in_the_opening();
        let Some(thinking) = &self.thinking else { return };
        let tally = self.tally();
        let lines: Vec<_> = tally
            .parties
            .iter()
            .take(thinking.lines)
            .filter_map(|party| {
                let opinions = party.voters.iter().map(|&number| &self.voters[number].opinion);
                let opinion = opinions.flatten().find(|o| o.line.first() == Some(&party.mv))?;
                Some((party.mv, party.weight, opinion))
            })
            .collect();
        let gists: Vec<_> = lines
            .iter()
            .map(|&(mv, weight, opinion)| (mv, opinion.score, opinion.depth, weight))
            .collect();
        if gists == thinking.told {
            return;
        }
        let (time, nodes) = self.progress(now).unwrap_or_default();
        let position = self.subject.as_ref().map(|subject| subject.place.position());
        let reports: Vec<_> = lines
            .into_iter()
            .enumerate()
            .map(|(rank, (_, _, opinion))| {
                let line = position.map_or_else(Vec::new, |start| playable(start, &opinion.line));
                let bound = Bound::Exact;
                let opinion = Opinion { rank, bound, nodes, time, line, ..opinion.clone() };
                Output::Above(Report::Opinion { epoch: thinking.epoch, opinion })
            })
            .collect();
        self.output.extend(reports);
        if let Some(thinking) = &mut self.thinking {
            thinking.told = gists;
        }
    }

    /// Ends the search with the move of the majority, legal whatever happened below.
    pub(super) fn answer(&mut self, now: Duration) {
        let Some(thinking) = self.thinking.take() else { return };
        let Some(subject) = &self.subject else { return };
        let tally = self.tally();
        let winner = tally.winner();
        let best = winner.map(|party| party.mv).or(subject.allowed.first().copied());
        let reply = winner.and_then(|party| {
            let opinions = party.voters.iter().filter_map(|&n| self.voters[n].opinion.as_ref());
            let lines = opinions.map(|opinion| playable(subject.place.position(), &opinion.line));
            lines.filter(|line| line.first() == Some(&party.mv)).find_map(|l| l.get(1).copied())
        });
        let limits = thinking.agreement.filter(|_| !thinking.waits_for_stop());
        self.record(now, Purpose::Move, limits, thinking.elapsed(now), &tally, best);
        let report = Report::Done { epoch: thinking.epoch, best, ponder: reply };
        self.output.push_back(Output::Above(report));
        match best {
            Some(best) if self.settings.ponder => self.predict(now, best, thinking.agreement),
            _ => self.rest(now),
        }
    }

    /// How the voters stand.
    pub fn vows(&self, now: Duration) -> Vec<Vow<G::Move>> {
        let ballots = self.ballots();
        let vow = |(number, voter): (usize, &Voter<G>)| {
            let ballot = ballots.iter().find(|ballot| ballot.voter == number);
            let (time, nodes) = voter.spent_until(now);
            let opinion = voter.opinion.as_ref();
            Vow {
                name: voter.name.clone(),
                weight: voter.weight,
                mv: ballot.map(|ballot| ballot.mv),
                score: opinion.map(|opinion| opinion.score),
                depth: opinion.map_or(0, |opinion| opinion.depth),
                is_final: ballot.is_some_and(|ballot| ballot.is_final),
                present: voter.is_present(),
                nodes,
                time,
            }
        };
        self.voters.iter().enumerate().map(vow).collect()
    }

    pub(super) fn record(
        &mut self,
        now: Duration,
        purpose: Purpose,
        limits: Option<Agreement>,
        time: Duration,
        tally: &Tally<G::Move>,
        chosen: Option<G::Move>,
    ) {
        let Some(subject) = &self.subject else { return };
        let minutes = Minutes {
            place: subject.place.clone(),
            purpose,
            arrival: subject.arrival,
            limits,
            time,
            vows: self.vows(now),
            sums: tally.parties.iter().map(|party| (party.mv, party.weight)).collect(),
            chosen,
        };
        if self.minutes.len() == super::MOST_MINUTES {
            self.minutes.pop_front();
        }
        self.minutes.push_back(minutes);
    }
}

/// A line as far as it can be played.
fn playable<G: Game>(start: &G, line: &[G::Move]) -> Vec<G::Move> {
    line[..place::playable(start, line)].to_vec()
}
