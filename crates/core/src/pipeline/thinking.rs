//! A search asked for from above: its time, and its answer.

use std::time::Duration;

use senbon_games::Game;

use super::{DESERTED_WAIT, MOST_DESERTIONS, Output, Pipeline, Strategy};
use crate::tree::Choice;
use crate::{Bound, Budget, Epoch, Limits, Opinion, Report, Search};

/// The search under way.
#[derive(Clone, Debug)]
pub(super) struct Thinking<M> {
    pub(super) epoch: Epoch,
    pub(super) limits: Limits,
    pub(super) lines: usize,
    /// Nodes searched below since it began.
    pub(super) nodes: u64,
    /// Since when there has been no worker, and how often the last one left.
    pub(super) deserted: Option<Duration>,
    pub(super) desertions: u32,
    /// The answer of a sole worker.
    pub(super) own_answer: Option<M>,
    began: Duration,
    /// The predicted move, while pondering on it.
    predicted: Option<M>,
    budget: Option<Budget>,
    /// When the best move last changed, and what it was.
    changed: Duration,
    best: Option<M>,
    /// What was last told above: score, depth, line length.
    told: Option<(crate::Score, u32, usize)>,
}

impl<M: Copy + Eq> Thinking<M> {
    pub(super) fn new<G: Game<Move = M>>(
        now: Duration,
        search: &Search<G>,
        overhead: Duration,
    ) -> Self {
        let side = search.place.position().side_to_move();
        Thinking {
            epoch: search.epoch,
            limits: search.limits.clone(),
            lines: search.lines.max(1),
            nodes: 0,
            deserted: None,
            desertions: 0,
            own_answer: None,
            began: now,
            predicted: search.place.moves().last().copied().filter(|_| search.limits.ponder),
            budget: Budget::new(&search.limits, side, overhead),
            changed: now,
            best: None,
            told: None,
        }
    }

    /// The prediction came true: the clock runs from now. The move to follow.
    pub(super) fn hit(&mut self, now: Duration) -> Option<M> {
        self.began = now;
        self.changed = now;
        self.limits.ponder = false;
        self.predicted.take()
    }

    /// Whether only a stop from above may end it.
    pub(super) fn waits_for_stop(&self) -> bool {
        self.limits.infinite || self.limits.ponder
    }

    pub(super) fn elapsed(&self, now: Duration) -> Duration {
        now.saturating_sub(self.began)
    }

    /// When to look at the time again.
    pub(super) fn next_look(&self) -> Option<Duration> {
        if self.waits_for_stop() {
            return None;
        }
        let Budget { soft, hard } = self.budget?;
        let patience = self.patience(soft);
        Some(self.began.saturating_add(patience.min(hard)))
    }

    pub(super) fn time_is_up(&self, now: Duration) -> bool {
        self.next_look().is_some_and(|look| now >= look)
    }

    /// When to give up waiting for a worker.
    pub(super) fn deserted_until(&self) -> Option<Duration> {
        self.deserted.filter(|_| !self.waits_for_stop()).map(|since| since + DESERTED_WAIT)
    }

    /// Whether nobody is there to search, and nobody is to be expected.
    pub(super) fn is_lost(&self, now: Duration) -> bool {
        self.deserted_until()
            .is_some_and(|until| now >= until || self.desertions >= MOST_DESERTIONS)
    }

    /// About the soft time; half as much again when the best move changed in its last part.
    fn patience(&self, soft: Duration) -> Duration {
        let since_change = self.changed.saturating_sub(self.began);
        if since_change > soft.mul_f64(0.6) && soft < Duration::MAX {
            soft.mul_f64(1.5)
        } else {
            soft
        }
    }
}

impl<G: Game> Pipeline<G> {
    /// The best move by all that is known, as the strategy joins it.
    fn choice(&self) -> Option<Choice<G::Move>> {
        let root = self.tree.root();
        if self.settings.strategy == Strategy::OptimisticPondering {
            // No minimax: the root's worker decides.
            let rest = self.tree.node(root).rest()?;
            let (line, score) = (rest.line.clone(), rest.score);
            return Some(Choice { line, score, depth: rest.depth, seldepth: rest.seldepth });
        }
        self.tree.best(root)
    }

    /// Tells above what changed.
    pub(super) fn tell(&mut self, now: Duration) {
        let Some(choice) = self.choice() else { return };
        let choices = match &self.thinking {
            Some(thinking) if thinking.lines > 1 => self.tree.choices(self.tree.root()),
            _ => vec![choice.clone()],
        };
        let Some(thinking) = &mut self.thinking else { return };
        if thinking.best != choice.line.first().copied() {
            thinking.best = choice.line.first().copied();
            thinking.changed = now;
        }
        let news = Some((choice.score, choice.depth, choice.line.len()));
        if thinking.told == news && thinking.lines == 1 {
            return;
        }
        thinking.told = news;
        let (epoch, nodes, time) = (thinking.epoch, thinking.nodes, thinking.elapsed(now));
        for (rank, choice) in choices.into_iter().take(thinking.lines).enumerate() {
            let opinion = Opinion {
                rank,
                score: choice.score,
                bound: Bound::Exact,
                depth: choice.depth,
                seldepth: choice.seldepth,
                nodes,
                time,
                hashfull: None,
                line: choice.line,
                visits: Vec::new(),
            };
            self.output.push_back(Output::Above(Report::Opinion { epoch, opinion }));
        }
    }

    /// Ends the search with the best move known, legal whatever happened below.
    pub(super) fn answer(&mut self, now: Duration) {
        let Some(thinking) = self.thinking.take() else { return };
        let root = self.tree.node(self.tree.root());
        let choice = self.choice();
        let line = choice.map(|choice| choice.line).unwrap_or_default();
        let known = thinking.own_answer.filter(|mv| root.legal().contains(mv));
        let best = known.or(line.first().copied()).or(root.legal().first().copied());
        let ponder = line.get(1).copied().filter(|_| line.first().copied() == best);
        let epoch = thinking.epoch;
        self.output.push_back(Output::Above(Report::Done { epoch, best, ponder }));
        self.go_on(now, best);
    }

    /// After the answer: think on at the position after it, or rest.
    fn go_on(&mut self, now: Duration, best: Option<G::Move>) {
        match best {
            Some(best) if self.settings.ponder => {
                let place = self.tree.place().after(best);
                self.follow(now, &place, &[]);
            }
            _ => self.halt(),
        }
    }
}
