//! A search asked for from above: its time, and its answer.

use std::time::Duration;

use senbon_games::Game;

use super::{DESERTED_WAIT, MOST_DESERTIONS, Output, Pipeline, Strategy};
use crate::place;
use crate::tree::Choice;
use crate::{Bound, Budget, Epoch, Limits, Opinion, Report, Score, Search};

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
    pub(super) predicted: Option<M>,
    budget: Option<Budget>,
    /// When the best move last changed, and what it was.
    changed: Duration,
    best: Option<M>,
    /// What was last told above.
    told: Vec<Gist<M>>,
}

/// What makes an opinion worth telling again when it differs; cheap to find.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Gist<M> {
    score: Score,
    depth: u32,
    plies: usize,
    first: Option<M>,
}

impl<M: Copy> Gist<M> {
    fn of(choice: &Choice<M>) -> Self {
        Gist {
            score: choice.score,
            depth: choice.depth,
            plies: choice.line.len(),
            first: choice.line.first().copied(),
        }
    }
}

impl<M: Copy + Eq> Thinking<M> {
    pub(super) fn new<G: Game<Move = M>>(
        now: Duration,
        search: &Search<G>,
        overhead: Duration,
    ) -> Self {
        let side = search.place.position().side_to_move();
        let last = search.place.moves().last().copied();
        Thinking {
            epoch: search.epoch,
            limits: search.limits.clone(),
            lines: search.lines.max(1),
            nodes: 0,
            deserted: None,
            desertions: 0,
            own_answer: None,
            began: now,
            // A restriction is one of the moves after the prediction, and cannot be put on
            // those before it.
            predicted: last.filter(|_| search.limits.ponder && search.only.is_empty()),
            budget: Budget::new(&search.limits, side, overhead),
            changed: now,
            best: None,
            told: Vec::new(),
        }
    }

    /// The prediction came true: the clock runs from now. The move to follow.
    pub(super) fn hit(&mut self, now: Duration) -> Option<M> {
        self.began = now;
        self.changed = now;
        self.own_answer = None;
        self.told.clear();
        self.limits.ponder = false;
        self.predicted.take()
    }

    /// Whether only a stop from above may end it.
    pub(super) fn waits_for_stop(&self) -> bool {
        self.limits.infinite || self.limits.ponder
    }

    /// Whether a mate was asked for, and this score is one within the moves allowed.
    pub(super) fn has_its_mate(&self, score: Option<Score>) -> bool {
        let (Some(Score::Mates(plies)), Some(moves)) = (score, self.limits.mate) else {
            return false;
        };
        !self.waits_for_stop() && plies <= moves.saturating_mul(2).saturating_sub(1)
    }

    /// The time aimed at, once the clock runs.
    pub(super) fn aim(&self) -> Option<Duration> {
        self.budget.filter(|_| !self.waits_for_stop()).map(|Budget { soft, hard }| soft.min(hard))
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
    /// The best lines by all that is known, as the strategy joins it.
    fn choices(&self, lines: usize) -> Vec<Choice<G::Move>> {
        let root = self.tree.root();
        let mut choices = match (self.settings.strategy, lines) {
            // No minimax: the root's worker decides.
            (Strategy::OptimisticPondering, _) => self.tree.rest_choices(root),
            (_, 1) => self.tree.best(root).into_iter().collect(),
            _ => self.tree.choices(root),
        };
        choices.truncate(lines);
        playable(self.tree.node(root).position(), choices)
    }

    /// The essence of [`Self::choices`], without building its line: this is asked after every
    /// report of every worker.
    fn gist(&self) -> Option<Gist<G::Move>> {
        let root = self.tree.root();
        let joins = self.settings.strategy != Strategy::OptimisticPondering;
        let (end, above) = if joins { self.tree.principal(root) } else { (root, 0) };
        let node = self.tree.node(end);
        let score = if joins { self.tree.node(root).value() } else { node.rest().map(|r| r.score) };
        let (depth, length, first) = node
            .rest()
            .map_or((0, 0, None), |rest| (rest.depth, rest.line.len(), rest.line.first().copied()));
        let first = if above > 0 { self.tree.first_step(end) } else { first };
        let (depth, plies) = (depth.saturating_add(above), length + above as usize);
        Some(Gist { score: score?, depth, plies, first })
    }

    /// Tells above what changed.
    pub(super) fn tell(&mut self, now: Duration) {
        if let Some(predicted) = self.thinking.as_ref().and_then(|thinking| thinking.predicted) {
            self.tell_pondering(now, predicted);
            return;
        }
        let Some(gist) = self.gist() else { return };
        let Some(thinking) = &mut self.thinking else { return };
        if thinking.best != gist.first {
            thinking.best = gist.first;
            thinking.changed = now;
        }
        let lines = thinking.lines;
        if lines == 1 && thinking.told.first() == Some(&gist) {
            return;
        }
        let mut choices = self.choices(lines);
        if choices.is_empty() {
            choices.push(Choice { line: Vec::new(), score: gist.score, depth: 0, seldepth: 0 });
        }
        self.tell_choices(now, choices);
    }

    /// Tells these above, unless it is what was told last.
    pub(super) fn tell_choices(&mut self, now: Duration, choices: Vec<Choice<G::Move>>) {
        let gists: Vec<_> = choices.iter().map(Gist::of).collect();
        let hashfull = self.hashfull();
        let thinking = match &mut self.thinking {
            Some(thinking) if thinking.told != gists => thinking,
            _ => return,
        };
        thinking.told = gists;
        let (epoch, nodes, time) = (thinking.epoch, thinking.nodes, thinking.elapsed(now));
        for (rank, choice) in choices.into_iter().enumerate() {
            let opinion = Opinion {
                rank,
                score: choice.score,
                bound: Bound::Exact,
                depth: choice.depth,
                seldepth: choice.seldepth,
                nodes,
                time,
                hashfull,
                line: choice.line,
                visits: Vec::new(),
            };
            self.output.push_back(Output::Above(Report::Opinion { epoch, opinion }));
        }
    }

    /// Fullness of the workers' tables: the mean of those that tell it.
    fn hashfull(&self) -> Option<u32> {
        let told = || self.workers.values().filter_map(|worker| worker.hashfull);
        told().sum::<u32>().checked_div(told().count() as u32)
    }

    /// Ends the search with the best move known, legal whatever happened below.
    pub(super) fn answer(&mut self, now: Duration) {
        let Some(thinking) = self.thinking.take() else { return };
        self.next_call = None;
        if let Some(predicted) = thinking.predicted {
            self.answer_pondering(thinking.epoch, predicted);
            return;
        }
        let root = self.tree.node(self.tree.root());
        let line = self.choices(1).pop().map(|choice| choice.line).unwrap_or_default();
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

/// Lines are cut where they cannot be played on. Looked at here and not with every report,
/// because few lines are ever told.
pub(super) fn playable<G: Game>(
    position: &G,
    mut choices: Vec<Choice<G::Move>>,
) -> Vec<Choice<G::Move>> {
    for choice in &mut choices {
        let plies = place::playable(position, &choice.line);
        choice.line.truncate(plies);
    }
    choices.retain(|choice| !choice.line.is_empty());
    choices
}
