//! Who searches what: one worker a node, the fastest on the most probable.

use std::cmp::Reverse;
use std::time::Duration;

use senbon_games::Game;

use super::{Output, Pipeline, Strategy};
use crate::tree::{NodeId, Share};
use crate::{Ability, Epoch, Limits, Opinion, Order, Search, WorkerId};

/// A worker as the pipeline sees it.
#[derive(Clone, Debug)]
pub(super) struct Worker<M> {
    pub(super) ability: Ability,
    /// The node whose rest it is to search.
    pub(super) node: Option<NodeId>,
    /// What it was last told to search, until it is stopped or done.
    task: Option<Task<M>>,
    /// Nodes of the current task, by its last report.
    pub(super) nodes: u64,
    /// Fullness of its table in thousandths, by its last report.
    pub(super) hashfull: Option<u32>,
    /// Nodes a second by what it tells of its searches; 0 when it has told too little.
    measured: u64,
    /// How long an order takes there and its answer back; zero where it is here.
    pub(super) round_trip: Duration,
}

/// A search must have taken so long for its speed to be worth anything.
const LEAST_MEASURED: Duration = Duration::from_millis(50);

#[derive(Clone, Debug)]
struct Task<M> {
    epoch: Epoch,
    node: NodeId,
    only: Vec<M>,
    lines: usize,
    limits: Limits,
    /// It was told to stop, and its last word is waited for.
    called: bool,
    done: bool,
}

impl<M> Task<M> {
    fn new(epoch: Epoch, node: NodeId, only: Vec<M>, lines: usize, limits: Limits) -> Self {
        Task { epoch, node, only, lines, limits, called: false, done: false }
    }
}

impl<M: Copy + Eq> Worker<M> {
    pub(super) fn new(ability: Ability) -> Self {
        Worker {
            ability,
            node: None,
            task: None,
            nodes: 0,
            hashfull: None,
            measured: 0,
            round_trip: Duration::ZERO,
        }
    }

    /// Nodes a second, 0 when not known: as it came, unless it has turned out otherwise.
    pub(super) fn speed(&self) -> u64 {
        let (told, measured) = (self.ability.speed, self.measured);
        let is_so = told / 3 <= measured / 2 && measured / 3 <= told / 2;
        if measured == 0 || (told > 0 && is_so) { told } else { measured }
    }

    fn speed_or(&self, usual: u64) -> u64 {
        match self.speed() {
            0 => usual,
            speed => speed,
        }
    }

    fn measure(&mut self, opinion: &Opinion<M>) {
        if opinion.time >= LEAST_MEASURED {
            let speed = u128::from(opinion.nodes) * 1_000_000_000 / opinion.time.as_nanos();
            self.measured = u64::try_from(speed).unwrap_or(u64::MAX);
        }
    }

    pub(super) fn is_searching(&self) -> bool {
        self.task.as_ref().is_some_and(|task| !task.done)
    }

    /// Takes note of an opinion of the current task: its node, and the nodes searched since
    /// the last one. `None` for a late or a made-up one.
    pub(super) fn hear(&mut self, epoch: Epoch, opinion: &Opinion<M>) -> Option<(NodeId, u64)> {
        let task = self.task.as_ref().filter(|task| task.epoch == epoch && !task.done)?;
        let node = self.node.filter(|&node| node == task.node)?;
        let more = opinion.nodes.saturating_sub(self.nodes);
        self.nodes = self.nodes.max(opinion.nodes);
        self.hashfull = opinion.hashfull.map(|full| full.min(1_000)).or(self.hashfull);
        self.measure(opinion);
        Some((node, more))
    }

    /// Whether its last word is waited for.
    pub(super) fn is_called(&self) -> bool {
        self.task.as_ref().is_some_and(|task| task.called)
    }

    /// It is told to stop, and what it says to that is waited for.
    pub(super) fn be_called(&mut self) -> Option<Epoch> {
        let task = self.task.as_mut()?;
        task.called = true;
        Some(task.epoch)
    }

    /// The current task has ended.
    pub(super) fn finish(&mut self, epoch: Epoch) -> Option<NodeId> {
        let task = self.task.as_mut().filter(|task| task.epoch == epoch && !task.done)?;
        task.done = true;
        let node = task.node;
        self.node.filter(|&own| own == node)
    }
}

impl<G: Game> Pipeline<G> {
    /// Puts every worker to work: grows the tree to their number, shrinks it when there are
    /// fewer, gives each node a worker, and tells each worker what changed for it.
    pub(super) fn staff(&mut self, now: Duration) {
        self.dismiss_from_settled();
        self.shrink();
        let room = self.wanted_nodes().saturating_sub(self.working_nodes());
        if self.settings.strategy == Strategy::PonderOnly && room > 0 {
            // The best reply of the root's rest; deeper ones would be for another search.
            self.grow_share(Share { node: self.tree.root(), count: 1 }, &[]);
        } else if self.settings.strategy.grows_while_thinking() && room > 0 {
            self.tree.grow_from_opinions(room);
        }
        match self.settings.strategy {
            Strategy::RootSplit => self.deal(),
            _ => {
                self.fill_nodes();
                self.promote(now);
            }
        }
        self.send_changes();
        self.plan_calls();
        self.someone_free = self.workers.values().any(|worker| worker.node.is_none());
    }

    /// Stops every worker; their nodes stay.
    pub(super) fn halt(&mut self) {
        self.running = false;
        self.forget_harvests();
        for (&id, worker) in &mut self.workers {
            if let Some(task) = worker.task.take()
                && !task.done
                && !task.called
            {
                self.output.push_back(Output::Below(id, Order::Stop(task.epoch)));
            }
        }
    }

    fn wanted_nodes(&self) -> usize {
        match self.settings.strategy {
            Strategy::Single | Strategy::RootSplit => 1,
            Strategy::PonderOnly if self.is_on_own_time() => 1,
            _ => self.workers.len(),
        }
    }

    /// Whether a move is wanted, and not only foreseen to be wanted.
    fn is_on_own_time(&self) -> bool {
        self.thinking.as_ref().is_some_and(|thinking| thinking.predicted.is_none())
    }

    /// Workers among whom a number of nodes is shared.
    fn sharing(&self) -> usize {
        match self.settings.strategy {
            Strategy::Single | Strategy::PonderOnly => 1,
            _ => self.workers.len().max(1),
        }
    }

    /// Nodes on which a worker has something to search.
    pub(super) fn working_nodes(&self) -> usize {
        self.tree.ids().into_iter().filter(|&id| self.tree.node(id).has_work()).count()
    }

    /// A worker whose node has nothing left to search is free for another.
    fn dismiss_from_settled(&mut self) {
        for id in self.tree.ids() {
            let node = self.tree.node(id);
            if let Some(worker) = node.worker()
                && !node.has_work()
            {
                self.tree.assign(id, None);
                if let Some(worker) = self.workers.get_mut(&worker) {
                    worker.node = None;
                }
            }
        }
    }

    /// Takes the least probable leaves away until there is a worker for every node.
    pub(super) fn shrink(&mut self) {
        while self.working_nodes() > self.wanted_nodes().max(1) {
            let probabilities = self.tree.probabilities();
            let leaves = self.tree.ids().into_iter().filter(|&id| {
                let node = self.tree.node(id);
                node.children().is_empty() && id != self.tree.root()
            });
            let least =
                leaves.min_by(|a, b| probabilities[a.index()].total_cmp(&probabilities[b.index()]));
            let Some(leaf) = least else { return };
            self.prune(leaf);
        }
    }

    /// Gives the nodes without a worker, most probable first, the fastest free workers. A
    /// node with children needs one that can leave moves out, if there is any.
    fn fill_nodes(&mut self) {
        let probabilities = self.tree.probabilities();
        let mut empty: Vec<NodeId> = self.tree.ids();
        empty.retain(|&id| self.tree.node(id).has_work() && self.tree.node(id).worker().is_none());
        empty.sort_by(|a, b| probabilities[b.index()].total_cmp(&probabilities[a.index()]));
        let mut free: Vec<WorkerId> = self.workers.keys().copied().collect();
        free.retain(|id| self.workers[id].node.is_none());
        let usual = self.usual_speed();
        free.sort_by_key(|id| (Reverse(self.workers[id].speed_or(usual)), *id));
        for node in empty {
            if free.is_empty() {
                return;
            }
            let inner = !self.tree.node(node).children().is_empty();
            let fit = free.iter().position(|id| !inner || self.workers[id].ability.restricts);
            let id = free.remove(fit.unwrap_or(0));
            self.tree.assign(node, Some(id));
            if let Some(worker) = self.workers.get_mut(&id) {
                worker.node = Some(node);
            }
        }
    }

    /// What a worker is taken for whose speed is not known: the mean of the others.
    fn usual_speed(&self) -> u64 {
        let known = || self.workers.values().map(Worker::speed).filter(|&speed| speed > 0);
        let sum: u128 = known().map(u128::from).sum();
        let mean = sum.checked_div(known().count() as u128).unwrap_or(0);
        u64::try_from(mean).unwrap_or(u64::MAX)
    }

    /// Tells each worker its node and restriction, unless it is searching just that already.
    fn send_changes(&mut self) {
        let ids: Vec<WorkerId> = self.workers.keys().copied().collect();
        for id in ids {
            let Some(node) = self.workers[&id].node else {
                self.stop_worker(id);
                continue;
            };
            let (only, lines, limits) =
                (self.only_for(id, node), self.lines_for(id, node), self.limits_for(node));
            let same = |task: &Task<G::Move>| {
                task.node == node
                    && task.only == only
                    && task.lines == lines
                    && task.limits == limits
            };
            let task = self.workers[&id].task.as_ref();
            if task.is_some_and(same) || task.is_some_and(|task| task.called) {
                continue;
            }
            self.epoch = self.epoch.next();
            let (epoch, place) = (self.epoch, self.tree.place_of(node));
            let search = Search { epoch, place, only: only.clone(), lines, limits: limits.clone() };
            if let Some(worker) = self.workers.get_mut(&id) {
                worker.nodes = 0;
                worker.task = Some(Task::new(epoch, node, only, lines, limits));
            }
            self.output.push_back(Output::Below(id, Order::Search(search)));
        }
    }

    fn stop_worker(&mut self, id: WorkerId) {
        let task = self.workers.get_mut(&id).and_then(|worker| worker.task.take());
        if let Some(task) = task.filter(|task| !task.done && !task.called) {
            self.output.push_back(Output::Below(id, Order::Stop(task.epoch)));
        }
    }

    /// The moves a worker may look at; empty for all.
    fn only_for(&self, id: WorkerId, node: NodeId) -> Vec<G::Move> {
        let legal = self.tree.node(node).legal().len();
        if self.settings.strategy == Strategy::RootSplit {
            let part = self.part_of(id).unwrap_or_default();
            let all = part.len() == legal && !self.tree.is_restricted(node);
            return if all { Vec::new() } else { part.to_vec() };
        }
        let restricted = self.tree.is_restricted(node);
        if self.settings.strategy == Strategy::OptimisticPondering {
            // Its root looks at everything itself, also at what others ponder on.
            return if restricted { self.tree.node(node).legal().to_vec() } else { Vec::new() };
        }
        let grown = !self.tree.node(node).children().is_empty();
        if grown || restricted { self.tree.rest(node) } else { Vec::new() }
    }

    /// Several lines are asked of those who search the root's moves, and of surveys.
    fn lines_for(&self, id: WorkerId, node: NodeId) -> usize {
        if let Some(survey) = self.surveys.get(&node) {
            let able = self.workers[&id].ability.several_lines;
            return if able { survey.lines() } else { 1 };
        }
        let lines = self.thinking.as_ref().map_or(1, |thinking| thinking.lines);
        if node == self.tree.root() {
            lines.saturating_sub(self.tree.node(node).children().len()).max(1)
        } else {
            1
        }
    }

    fn limits_for(&self, node: NodeId) -> Limits {
        if self.surveys.contains_key(&node) { self.survey_limits() } else { self.limits_below() }
    }

    /// Times are kept here; counts are handed on, shared among the workers.
    pub(super) fn limits_below(&self) -> Limits {
        let Some(thinking) = &self.thinking else {
            return Limits { infinite: true, ..Limits::default() };
        };
        let workers = self.sharing() as u64;
        let limits = Limits {
            depth: thinking.limits.depth,
            nodes: thinking.limits.nodes.map(|nodes| nodes.div_ceil(workers)),
            mate: thinking.limits.mate,
            ..Limits::default()
        };
        let open = limits == Limits::default();
        Limits { infinite: open, ..limits }
    }

    /// What ended under the limits of an earlier search is to be searched again, and what was
    /// searched out, too: a search that nobody works on would never be answered.
    pub(super) fn forget_finished_tasks(&mut self) {
        self.tree.unsettle();
        for worker in self.workers.values_mut() {
            if worker.task.as_ref().is_some_and(|task| task.done || task.called) {
                worker.task = None;
            }
        }
    }
}
