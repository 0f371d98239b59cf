//! A searcher made of searchers, whichever kind it is.

use std::time::Duration;

use senbon_games::Game;

use crate::pipeline::{Output, Pipeline, Settings};
use crate::vote::{Minutes, Plan, Vote};
use crate::{Ability, Memory, Order, Report, WorkerId};

/// Either a pipeline of workers, or a vote of such. Driven as [`Pipeline`] is.
#[derive(Debug)]
pub enum Coordinator<G: Game> {
    /// Its members are workers.
    Pipeline(Box<Pipeline<G>>),
    /// Its members are coordinators.
    Vote(Box<Vote<G>>),
}

impl<G: Game> Coordinator<G> {
    /// What `plan` describes, without workers yet, at the start of a game.
    pub fn new(start: &G, plan: Plan) -> Self {
        match plan {
            Plan::Pipeline(settings) => {
                Coordinator::Pipeline(Box::new(Pipeline::new(start.clone(), settings)))
            }
            Plan::Vote(plan) => Coordinator::Vote(Box::new(Vote::new(start, *plan))),
        }
    }

    /// An order from above.
    pub fn handle_order(&mut self, now: Duration, order: Order<G>) {
        match self {
            Coordinator::Pipeline(pipeline) => pipeline.handle_order(now, order),
            Coordinator::Vote(vote) => vote.handle_order(now, order),
        }
    }

    /// A worker came. It goes to the member that wants it; false when none does.
    pub fn handle_joined(&mut self, now: Duration, id: WorkerId, ability: Ability) -> bool {
        match self {
            Coordinator::Pipeline(pipeline) => {
                pipeline.handle_joined(now, id, ability);
                true
            }
            Coordinator::Vote(vote) => vote.handle_joined(now, id, ability),
        }
    }

    /// A worker is gone.
    pub fn handle_left(&mut self, now: Duration, id: WorkerId) {
        match self {
            Coordinator::Pipeline(pipeline) => pipeline.handle_left(now, id),
            Coordinator::Vote(vote) => vote.handle_left(now, id),
        }
    }

    /// A worker told something.
    pub fn handle_report(&mut self, now: Duration, id: WorkerId, report: Report<G>) {
        match self {
            Coordinator::Pipeline(pipeline) => pipeline.handle_report(now, id, report),
            Coordinator::Vote(vote) => vote.handle_report(now, id, report),
        }
    }

    /// The way to a worker and back takes up to so long.
    pub fn handle_round_trip(&mut self, id: WorkerId, longest: Duration) {
        match self {
            Coordinator::Pipeline(pipeline) => pipeline.handle_round_trip(id, longest),
            Coordinator::Vote(vote) => vote.handle_round_trip(id, longest),
        }
    }

    /// Time has passed.
    pub fn handle_timeout(&mut self, now: Duration) {
        match self {
            Coordinator::Pipeline(pipeline) => pipeline.handle_timeout(now),
            Coordinator::Vote(vote) => vote.handle_timeout(now),
        }
    }

    /// When to call [`Self::handle_timeout`] if nothing else happens.
    pub fn poll_timeout(&self) -> Option<Duration> {
        match self {
            Coordinator::Pipeline(pipeline) => pipeline.poll_timeout(),
            Coordinator::Vote(vote) => vote.poll_timeout(),
        }
    }

    /// The next thing to be done, if any.
    pub fn poll(&mut self) -> Option<Output<G>> {
        match self {
            Coordinator::Pipeline(pipeline) => pipeline.poll(),
            Coordinator::Vote(vote) => vote.poll(),
        }
    }

    /// The record of the next vote that was taken, if any.
    pub fn poll_minutes(&mut self) -> Option<Minutes<G>> {
        match self {
            Coordinator::Pipeline(_) => None,
            Coordinator::Vote(vote) => vote.poll_minutes(),
        }
    }

    /// Changes settings; they count from the next order on. A vote's members keep their own
    /// strategies.
    pub fn set(&mut self, change: impl FnOnce(&mut Settings)) {
        match self {
            Coordinator::Pipeline(pipeline) => change(pipeline.settings_mut()),
            Coordinator::Vote(vote) => vote.set(change),
        }
    }

    /// Time and nodes so far of the search asked for, if there is one.
    pub fn progress(&self, now: Duration) -> Option<(Duration, u64)> {
        match self {
            Coordinator::Pipeline(pipeline) => pipeline.progress(now),
            Coordinator::Vote(vote) => vote.progress(now),
        }
    }

    /// How many workers there are.
    pub fn worker_count(&self) -> usize {
        self.pipelines().iter().map(|(_, pipeline)| pipeline.worker_count()).sum()
    }

    /// Nodes a second of a worker; 0 when not known.
    pub fn speed_of(&self, id: WorkerId) -> u64 {
        self.pipelines().iter().map(|(_, pipeline)| pipeline.speed_of(id)).max().unwrap_or(0)
    }

    /// What is known, for another one to go on from; nothing before the first search.
    pub fn recall(&self) -> Option<Memory<G>> {
        let pipelines = self.pipelines();
        let place = pipelines.first()?.1.tree().place().clone();
        // Voters look at the same position, but for one that has just been asked to.
        let same = |pipeline: &Pipeline<G>| {
            pipeline.tree().place().way_to(&place).is_some_and(<[_]>::is_empty)
        };
        let known = |(_, pipeline): &(String, &Pipeline<G>)| match same(pipeline) {
            true => pipeline.tree().recall(),
            false => Vec::new(),
        };
        let pipelines = pipelines.iter().map(known).collect();
        let memory = Memory { place, pipelines };
        (!memory.is_empty()).then_some(memory)
    }

    /// Goes on from what another one knew, where nothing is known yet. The workers, which
    /// have to begin anew, do not count for more than what is remembered before they know as
    /// much.
    pub fn remember(&mut self, memory: &Memory<G>) {
        for (pipeline, known) in self.pipelines_mut().into_iter().zip(&memory.pipelines) {
            pipeline.remember(&memory.place, known);
        }
    }

    fn pipelines_mut(&mut self) -> Vec<&mut Pipeline<G>> {
        match self {
            Coordinator::Pipeline(pipeline) => vec![pipeline],
            Coordinator::Vote(vote) => {
                vote.members_mut().flat_map(Coordinator::pipelines_mut).collect()
            }
        }
    }

    /// The pipeline, where it is nothing else.
    pub fn pipeline(&self) -> Option<&Pipeline<G>> {
        match self {
            Coordinator::Pipeline(pipeline) => Some(pipeline),
            Coordinator::Vote(_) => None,
        }
    }

    /// The pipelines in it, each with the names of the voters it is below.
    pub fn pipelines(&self) -> Vec<(String, &Pipeline<G>)> {
        match self {
            Coordinator::Pipeline(pipeline) => vec![(String::new(), pipeline)],
            Coordinator::Vote(vote) => vote.pipelines(),
        }
    }
}
