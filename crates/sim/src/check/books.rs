//! The checker's own books: which worker was told what, and what may change the tree.

use std::collections::BTreeMap;
use std::time::Duration;

use senbon_core::pipeline::{Pipeline, Strategy};
use senbon_core::{Epoch, Order, Report, Score, Search, WorkerId};
use senbon_games::Game;

use super::tree::{covers, knowledge, parts, seats, shape, tasks, values};
use super::{Breach, Promise};

/// Sees every message of the coordinator and checks promises 2 and 6.
pub struct Books<G: Game> {
    /// Workers that joined, with what they were told to search, until stopped or done.
    workers: BTreeMap<WorkerId, Option<Search<G>>>,
    /// Harvests asked for and not told yet.
    harvests: BTreeMap<Epoch, WorkerId>,
    /// The moves that the search above is restricted to.
    only: Vec<G::Move>,
    strategy: Strategy,
    /// What the tree knew before a report that must change nothing, and why it must not.
    unchanged: Option<(u64, &'static str)>,
    /// The root's value before a worker left, and how long the game was.
    before_loss: Option<(usize, Score)>,
    checked_shape: u64,
    told_since: bool,
    breach: Option<Breach>,
}

impl<G: Game> Books<G> {
    /// Books of a coordinator with this strategy that has seen nothing yet.
    pub fn new(strategy: Strategy) -> Self {
        Books {
            workers: BTreeMap::new(),
            harvests: BTreeMap::new(),
            only: Vec::new(),
            strategy,
            unchanged: None,
            before_loss: None,
            checked_shape: 0,
            told_since: true,
            breach: None,
        }
    }

    /// The first promise that was broken.
    pub fn breach(&self) -> Option<&Breach> {
        self.breach.as_ref()
    }

    /// The search above is restricted to these moves; to none if empty.
    pub fn restrict(&mut self, only: &[G::Move]) {
        self.only = only.to_vec();
    }

    /// What a worker was told to search last, if it is still to do so.
    pub fn task(&self, worker: WorkerId) -> Option<&Search<G>> {
        self.workers.get(&worker)?.as_ref()
    }

    /// Workers that joined and have not left.
    pub fn worker_count(&self) -> usize {
        self.workers.len()
    }

    pub(crate) fn joins(&mut self, worker: WorkerId) {
        self.workers.insert(worker, None);
    }

    pub(crate) fn orders(&mut self, now: Duration, to: WorkerId, order: &Order<G>) {
        self.told_since = true;
        let Some(task) = self.workers.get_mut(&to) else {
            let what = format!("an order to worker {}, which is gone", to.0);
            self.fail(Promise::Tree, now, what);
            return;
        };
        match order {
            Order::Search(search) => *task = Some(search.clone()),
            Order::Stop(epoch) => {
                let _ = task.take_if(|search| search.epoch == *epoch);
            }
            Order::Harvest { epoch, .. } => {
                self.harvests.insert(*epoch, to);
            }
            Order::NewGame | Order::PonderHit(_) | Order::Tasks(_) => {}
        }
    }

    /// A report is about to be heard: decides whether it may change anything.
    pub(crate) fn hears(&mut self, pipeline: &Pipeline<G>, from: WorkerId, report: &Report<G>) {
        self.told_since = true;
        if let Some(why) = self.worthless(from, report) {
            self.unchanged = Some((knowledge(pipeline.tree()), why));
        }
    }

    fn worthless(&mut self, from: WorkerId, report: &Report<G>) -> Option<&'static str> {
        let task = self.workers.get_mut(&from)?;
        match report {
            Report::Opinion { epoch, opinion } => {
                let Some(task) = task.as_ref().filter(|task| task.epoch == *epoch) else {
                    return Some("an opinion on an order that is over or was never given");
                };
                let allowed = |mv: &G::Move| {
                    let mut legal = task.place.position().moves().into_iter();
                    legal.any(|own| own == *mv) && (task.only.is_empty() || task.only.contains(mv))
                };
                let fits = opinion.line.first().is_some_and(allowed);
                (!fits).then_some("an opinion on a move that was not to be searched")
            }
            Report::Done { epoch, .. } => match task.take_if(|task| task.epoch == *epoch) {
                Some(_) => None,
                None => Some("the end of a search that is over or was never ordered"),
            },
            Report::Harvest { epoch, .. } => {
                if self.harvests.get(epoch) == Some(&from) {
                    self.harvests.remove(epoch);
                    return None;
                }
                Some("a harvest that was not asked for, or told before")
            }
            Report::Findings { .. } => Some("findings that no pipeline asks for"),
            Report::Fault(_) => Some("a fault"),
        }
    }

    /// The report was heard.
    pub(crate) fn heard(&mut self, now: Duration, pipeline: &Pipeline<G>) {
        if let Some((before, why)) = self.unchanged.take()
            && before != knowledge(pipeline.tree())
        {
            self.fail(Promise::Tree, now, format!("{why} changed the tree"));
        }
    }

    pub(crate) fn leaves(&mut self, pipeline: &Pipeline<G>, worker: WorkerId) {
        self.workers.remove(&worker);
        self.told_since = true;
        let tree = pipeline.tree();
        let moves = tree.place().moves().len();
        self.before_loss = tree.node(tree.root()).value().map(|value| (moves, value));
    }

    /// A worker left, and the coordinator has done all it wanted to: nothing found is lost.
    pub(crate) fn left(&mut self, now: Duration, pipeline: &Pipeline<G>) {
        let Some((moves, before)) = self.before_loss.take() else { return };
        let tree = pipeline.tree();
        let after = tree.node(tree.root()).value();
        let over = tree.ids().into_iter().any(|id| tree.node(id).is_over());
        // A game that turns out to be over corrects what was believed of it.
        if tree.place().moves().len() == moves && after != Some(before) && !over {
            let what = format!("with a worker went the root's value: {before:?}, now {after:?}");
            self.fail(Promise::Kept, now, what);
        }
    }

    /// The coordinator has said all it wanted to say.
    pub(crate) fn quiet(&mut self, now: Duration, pipeline: &Pipeline<G>) {
        if self.breach.is_some() {
            return;
        }
        let tree = pipeline.tree();
        let shape = shape(tree);
        let mut result = values(tree);
        if self.told_since || shape != self.checked_shape {
            result = result.and_then(|()| seats(pipeline, &self.workers));
            result = result.and_then(|()| match self.strategy {
                Strategy::RootSplit => parts(pipeline, &self.workers),
                strategy => {
                    let leave_out = strategy != Strategy::OptimisticPondering;
                    tasks(pipeline, &self.workers, leave_out)
                }
            });
        }
        if shape != self.checked_shape {
            let only = tree.is_restricted(tree.root()).then_some(self.only.as_slice());
            result = result.and_then(|()| covers(tree, only));
        }
        self.checked_shape = shape;
        self.told_since = false;
        if let Err(what) = result {
            self.fail(Promise::Tree, now, what);
        }
    }

    pub(crate) fn fail(&mut self, promise: Promise, at: Duration, what: String) {
        self.breach.get_or_insert(Breach { promise, at, what });
    }
}
