//! One order's search: what is asked of the engine, what it tells, how it ends.

use std::time::Duration;

use senbon_core::{Epoch, Fault, Limits, Opinion, Report, Score, Search};
use senbon_games::Notation;

use super::sweep::Sweep;
use super::watch::Watch;
use super::{Dialogue, Restriction, Said, State, translate};
use crate::universal::{Best, Command, Info};

/// A search under way.
#[derive(Debug)]
pub(super) struct Task<G: Notation> {
    pub(super) search: Search<G>,
    /// The moves of the search as positions of their own, for engines that cannot restrict.
    sweep: Option<Sweep<G::Move>>,
    /// Limits of the order that the engine does not honour.
    watch: Watch,
    /// A depth of the position under search that the engine does not honour.
    round: Watch,
    /// The order is over as soon as the engine answers.
    ending: bool,
    /// `stop` was sent and not answered.
    stopped: bool,
    /// When the engine last said something; and whether it was asked since.
    heard: Duration,
    asked: bool,
}

impl<G: Notation> Task<G> {
    pub(super) fn hear(&mut self, now: Duration) {
        self.heard = now;
        self.asked = false;
    }

    /// When the search is to be stopped because of the time.
    fn time_is_up(&self) -> Option<Duration> {
        let deadlines = [self.watch.deadline(), self.round.deadline()];
        deadlines.into_iter().flatten().min().filter(|_| !self.stopped)
    }
}

impl<G: Notation> Dialogue<G> {
    pub(super) fn begin(&mut self, now: Duration, search: Search<G>) {
        let epoch = search.epoch;
        if search.place.position().count_moves() == 0 {
            let done = Report::Done { epoch, best: None, ponder: None };
            self.said.push_back(Said::Tell(done));
            return;
        }
        self.variations.begin(&search.place);
        let one_by_one = self.known.restriction == Restriction::OneByOne && !search.only.is_empty();
        let sweep = one_by_one.then(|| Sweep::new(&search));
        let mut kept = self.known.clone();
        if sweep.is_some() {
            // The engine is asked about single positions: the order's limits are ours to keep.
            (kept.nodes, kept.time) = (false, false);
            // These two are looked at after each round.
            (kept.depth, kept.mate) = (true, true);
        }
        let watch = Watch::new(now, &kept, &search, self.patience.start);
        let round = Watch::default();
        let (ending, stopped, asked) = (false, false, false);
        let mut task = Task { search, sweep, watch, round, ending, stopped, heard: now, asked };
        self.set_lines(task.search.lines);
        if self.ask(now, &mut task) {
            self.state = State::Searching(Box::new(task));
        } else {
            self.finish_sweep(&task);
        }
    }

    fn set_lines(&mut self, lines: usize) {
        if self.known.several_lines && lines != self.lines_set {
            self.lines_set = lines;
            let value = Some(lines.to_string());
            self.send(&Command::SetOption { name: "MultiPV".to_owned(), value });
        }
    }

    /// Sends the position and `go`; false if there is nothing to ask.
    fn ask(&mut self, now: Duration, task: &mut Task<G>) -> bool {
        if task.sweep.as_ref().is_some_and(|sweep| sweep.current().is_none()) {
            return false;
        }
        let question = translate::question(&self.known, &task.search, task.sweep.as_ref());
        self.send(&Command::Position(question.setup));
        if !question.ignored.is_empty() {
            let line = format!("ignore_moves {}", question.ignored.join(" "));
            self.said.push_back(Said::Send(line));
        }
        self.send(&Command::Go(Box::new(question.go)));
        task.stopped = false;
        task.round = match &task.sweep {
            Some(sweep) if !self.known.depth => {
                Watch::depth(now, sweep.depth(), self.patience.start)
            }
            _ => Watch::default(),
        };
        self.deadline = None;
        true
    }

    /// Ends the order's search; the answer comes when the engine does.
    pub(super) fn stop_search(&mut self, now: Duration) {
        if let State::Searching(task) = &mut self.state {
            task.ending = true;
            self.cut(now);
        }
    }

    /// Stops what the engine does now.
    fn cut(&mut self, now: Duration) {
        if let State::Searching(task) = &mut self.state
            && !std::mem::replace(&mut task.stopped, true)
        {
            self.deadline = Some(now + self.patience.stop);
            self.send(&Command::Stop);
        }
    }

    /// When to look at the search again.
    pub(super) fn task_deadline(&self) -> Option<Duration> {
        let State::Searching(task) = &self.state else { return None };
        let silent = (self.known.ready && !task.stopped)
            .then(|| task.heard + self.patience.silence * (1 + u32::from(task.asked)));
        [task.time_is_up(), silent].into_iter().flatten().min()
    }

    /// The time has come to look at the search.
    pub(super) fn handle_task_timeout(&mut self, now: Duration) {
        let State::Searching(task) = &mut self.state else { return };
        if task.time_is_up().is_some_and(|until| now >= until) {
            // A position of a sweep that is taking too long is no reason to end the order.
            task.ending |= task.watch.deadline().is_some_and(|until| now >= until);
            self.cut(now);
            return;
        }
        if task.asked {
            let name = &self.name;
            self.fail(Fault::Silent(format!("{name} says nothing any more, not even readyok")));
        } else {
            task.asked = true;
            self.send(&Command::IsReady);
        }
    }

    pub(super) fn hear_info(&mut self, now: Duration, info: &Info) {
        let State::Searching(task) = &mut self.state else { return };
        if task.ending && !self.next.is_empty() {
            return;
        }
        let epoch = task.search.epoch;
        let before = task.sweep.as_ref().map_or(0, Sweep::nodes_before);
        let enough = task.watch.is_reached(info, before);
        let cut = task.round.is_reached(info, 0);
        let opinion = match &mut task.sweep {
            Some(sweep) => {
                sweep.hear(&task.search, info);
                None
            }
            None => translate::opinion(&task.search, info),
        };
        task.ending |= enough;
        if let Some(opinion) = opinion {
            self.tell_opinion(epoch, opinion);
        }
        if enough || cut {
            self.cut(now);
        }
    }

    fn tell_opinion(&mut self, epoch: Epoch, opinion: Opinion<G::Move>) {
        self.variations.note(&opinion);
        self.said.push_back(Said::Tell(Report::Opinion { epoch, opinion }));
    }

    pub(super) fn hear_best(&mut self, now: Duration, best: &Best, ponder: Option<&str>) {
        let State::Searching(mut task) = std::mem::replace(&mut self.state, State::Idle) else {
            return;
        };
        self.deadline = None;
        let epoch = task.search.epoch;
        if let Some(sweep) = &mut task.sweep {
            let told = sweep.next_move();
            task.ending |= told.as_ref().is_some_and(|told| is_enough(&task.search.limits, told));
            if let Some(opinion) = told {
                self.tell_opinion(epoch, opinion);
            }
            if !task.ending && self.ask(now, &mut task) {
                self.state = State::Searching(task);
            } else {
                self.finish_sweep(&task);
                self.go_on(now);
            }
            return;
        }
        match translate::answer(&task.search, best, ponder) {
            Ok((best, ponder)) => {
                self.said.push_back(Said::Tell(Report::Done { epoch, best, ponder }));
                self.go_on(now);
            }
            Err(wrong) => {
                if wrong.is_left_out && self.manners.is_none() {
                    self.known.restriction = Restriction::OneByOne;
                    self.lesson = Some(self.known.clone());
                }
                let name = &self.name;
                self.fail(Fault::Nonsense(format!("{name} answered {}", wrong.what)));
            }
        }
    }

    fn finish_sweep(&mut self, task: &Task<G>) {
        let Some(sweep) = &task.sweep else { return };
        let epoch = task.search.epoch;
        // Ended before the first round was: what is known of some moves is better than nothing.
        if (sweep.current().is_none() || !sweep.has_finished_a_round())
            && let Some(opinion) = sweep.opinion()
        {
            self.tell_opinion(epoch, opinion);
        }
        let (best, ponder) = sweep.best();
        self.said.push_back(Said::Tell(Report::Done { epoch, best, ponder }));
    }
}

/// Whether a round of a sweep has reached the depth or the mate asked for.
fn is_enough<M>(limits: &Limits, told: &Opinion<M>) -> bool {
    let deep = limits.depth.is_some_and(|limit| told.depth >= limit);
    let mate = limits.mate.is_some_and(
        |moves| matches!(told.score, Score::Mates(plies) if plies < moves.saturating_mul(2)),
    );
    deep || mate
}
