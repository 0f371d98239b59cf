//! A searcher made of searchers, whichever kind it is.

use std::time::Duration;

use senbon_games::Game;

use crate::minimal::{MinimalTree, Trees};
use crate::pipeline::{Output, Pipeline, Settings, Strategy};
use crate::vote::{Minutes, Plan, Vote};
use crate::{Ability, Memory, Order, Report, WorkerId};

/// A pipeline of workers, a minimal-tree search by such, or a vote of either. Driven as
/// [`Pipeline`] is.
#[derive(Debug)]
pub struct Coordinator<G: Game> {
    kind: Kind<G>,
    trees: Trees<G>,
}

#[derive(Debug)]
enum Kind<G: Game> {
    /// Its members are workers.
    Pipeline(Box<Pipeline<G>>),
    /// And so are those of this one.
    MinimalTree(Box<MinimalTree<G>>),
    /// Its members are coordinators.
    Vote(Box<Vote<G>>),
}

/// Whatever kind it is, the same is said to it.
macro_rules! each {
    ($self:expr, $member:ident => $said:expr) => {
        match $self {
            Kind::Pipeline($member) => $said,
            Kind::MinimalTree($member) => $said,
            Kind::Vote($member) => $said,
        }
    };
}

impl<G: Game> Coordinator<G> {
    /// What `plan` describes, without workers yet, at the start of a game. `trees` are those
    /// of the game, for searches that have to know them.
    pub fn new(start: &G, plan: Plan, trees: Trees<G>) -> Self {
        let kind = match plan {
            Plan::Pipeline(settings) if settings.strategy == Strategy::MinimalTree => {
                Kind::MinimalTree(Box::new(MinimalTree::new(start.clone(), settings, trees)))
            }
            Plan::Pipeline(settings) => {
                Kind::Pipeline(Box::new(Pipeline::new(start.clone(), settings)))
            }
            Plan::Vote(plan) => Kind::Vote(Box::new(Vote::new(start, *plan, trees))),
        };
        Coordinator { kind, trees }
    }

    /// Becomes what its settings say: they may have changed since the last search.
    fn suit(&mut self) {
        match &mut self.kind {
            Kind::Pipeline(old) if old.strategy() == Strategy::MinimalTree => {
                let new = MinimalTree::take_over(old.retire(), self.trees);
                self.kind = Kind::MinimalTree(Box::new(new));
            }
            Kind::MinimalTree(old) if old.settings().strategy != Strategy::MinimalTree => {
                self.kind = Kind::Pipeline(Box::new(Pipeline::take_over(old.retire())));
            }
            _ => {}
        }
    }

    /// An order from above.
    pub fn handle_order(&mut self, now: Duration, order: Order<G>) {
        if matches!(order, Order::Search(_) | Order::NewGame) {
            self.suit();
        }
        each!(&mut self.kind, member => member.handle_order(now, order));
    }

    /// A worker came. It goes to the member that wants it; false when none does.
    pub fn handle_joined(&mut self, now: Duration, id: WorkerId, ability: Ability) -> bool {
        match &mut self.kind {
            Kind::Pipeline(pipeline) => {
                pipeline.handle_joined(now, id, ability);
                true
            }
            Kind::MinimalTree(search) => search.handle_joined(now, id, ability),
            Kind::Vote(vote) => vote.handle_joined(now, id, ability),
        }
    }

    /// A worker is gone.
    pub fn handle_left(&mut self, now: Duration, id: WorkerId) {
        each!(&mut self.kind, member => member.handle_left(now, id));
    }

    /// A worker told something.
    pub fn handle_report(&mut self, now: Duration, id: WorkerId, report: Report<G>) {
        each!(&mut self.kind, member => member.handle_report(now, id, report));
    }

    /// The way to a worker and back takes up to so long.
    pub fn handle_round_trip(&mut self, id: WorkerId, longest: Duration) {
        match &mut self.kind {
            Kind::Pipeline(pipeline) => pipeline.handle_round_trip(id, longest),
            Kind::MinimalTree(search) => search.handle_round_trip(id, longest),
            Kind::Vote(vote) => vote.handle_round_trip(id, longest),
        }
    }

    /// Time has passed.
    pub fn handle_timeout(&mut self, now: Duration) {
        each!(&mut self.kind, member => member.handle_timeout(now));
    }

    /// When to call [`Self::handle_timeout`] if nothing else happens.
    pub fn poll_timeout(&self) -> Option<Duration> {
        each!(&self.kind, member => member.poll_timeout())
    }

    /// The next thing to be done, if any.
    pub fn poll(&mut self) -> Option<Output<G>> {
        each!(&mut self.kind, member => member.poll())
    }

    /// The record of the next vote that was taken, if any.
    pub fn poll_minutes(&mut self) -> Option<Minutes<G>> {
        match &mut self.kind {
            Kind::Vote(vote) => vote.poll_minutes(),
            Kind::Pipeline(_) | Kind::MinimalTree(_) => None,
        }
    }

    /// Changes settings; they count from the next order on. A vote's members keep their own
    /// strategies.
    pub fn set(&mut self, change: impl FnOnce(&mut Settings)) {
        match &mut self.kind {
            Kind::Vote(vote) => vote.set(change),
            Kind::Pipeline(pipeline) => change(pipeline.settings_mut()),
            Kind::MinimalTree(search) => change(search.settings_mut()),
        }
    }

    /// Time and nodes so far of the search asked for, if there is one.
    pub fn progress(&self, now: Duration) -> Option<(Duration, u64)> {
        each!(&self.kind, member => member.progress(now))
    }

    /// How many workers there are.
    pub fn worker_count(&self) -> usize {
        each!(&self.kind, member => member.worker_count())
    }

    /// Nodes a second of a worker; 0 when not known.
    pub fn speed_of(&self, id: WorkerId) -> u64 {
        each!(&self.kind, member => member.speed_of(id))
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
        match &mut self.kind {
            Kind::Pipeline(pipeline) => vec![pipeline],
            Kind::MinimalTree(_) => Vec::new(),
            Kind::Vote(vote) => vote.members_mut().flat_map(Coordinator::pipelines_mut).collect(),
        }
    }

    /// The pipeline, where it is nothing else.
    pub fn pipeline(&self) -> Option<&Pipeline<G>> {
        match &self.kind {
            Kind::Pipeline(pipeline) => Some(pipeline),
            Kind::MinimalTree(_) | Kind::Vote(_) => None,
        }
    }

    /// The minimal-tree search, where it is one.
    pub fn minimal_tree(&self) -> Option<&MinimalTree<G>> {
        match &self.kind {
            Kind::MinimalTree(search) => Some(search),
            Kind::Pipeline(_) | Kind::Vote(_) => None,
        }
    }

    /// The vote, where it is one.
    pub fn vote(&self) -> Option<&Vote<G>> {
        match &self.kind {
            Kind::Vote(vote) => Some(vote),
            Kind::Pipeline(_) | Kind::MinimalTree(_) => None,
        }
    }

    /// The pipelines in it, each with the names of the voters it is below.
    pub fn pipelines(&self) -> Vec<(String, &Pipeline<G>)> {
        match &self.kind {
            Kind::Pipeline(pipeline) => vec![(String::new(), pipeline)],
            Kind::MinimalTree(_) => Vec::new(),
            Kind::Vote(vote) => vote.pipelines(),
        }
    }
}
