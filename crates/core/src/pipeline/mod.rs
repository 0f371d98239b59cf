//! The position pipeline (pgpp-2015 sections 3 and 4), and its relatives on the same tree.
//!
//! A [`Pipeline`] is a state machine. Tell it of orders from above, of reports, joins and
//! losses from below, and of the time; then call [`Pipeline::poll`] until it has nothing more
//! to say, and come back at [`Pipeline::poll_timeout`] at the latest.
//!
//! Workers on nodes that survive a move of the game go on without a stop; the others are
//! collected and the tree is regrown with them.

mod call;
mod growth;
mod ponder;
mod promote;
mod split;
mod staff;
mod strategy;
mod survey;
mod thinking;

use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

use senbon_games::{Game, Rng};

use crate::minimal::Style;
use crate::tree::{NodeId, Share, Tree};
use crate::{Ability, Epoch, Known, Opinion, Order, Place, RankTable, Report, Search, WorkerId};

pub use strategy::Strategy;

use growth::Gathered;
use split::Part;
use staff::Worker;
use survey::Survey;
use thinking::Thinking;

/// What the pipeline is set to.
#[derive(Clone, Debug)]
pub struct Settings {
    /// How the tree grows.
    pub strategy: Strategy,
    /// How often the move of each rank is played.
    pub table: RankTable,
    /// Time lost between our answer and the clock.
    pub overhead: Duration,
    /// Go on thinking while the opponent does.
    pub ponder: bool,
    /// Draws the random growth.
    pub seed: u64,
    /// How minimal-tree search goes about it.
    pub minimal: Style,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            strategy: Strategy::Pipeline,
            table: RankTable::published(),
            overhead: Duration::from_millis(30),
            ponder: false,
            seed: 1,
            minimal: Style::default(),
        }
    }
}

/// What the pipeline wants done.
#[derive(Clone, Debug)]
pub enum Output<G: Game> {
    /// Send this order to that worker.
    Below(WorkerId, Order<G>),
    /// Tell this to whoever gave the orders.
    Above(Report<G>),
}

/// What one kind of coordinator leaves to another.
pub(crate) struct Handover<G: Game> {
    pub(crate) start: G,
    pub(crate) settings: Settings,
    pub(crate) workers: Vec<(WorkerId, Ability)>,
    /// The last number given to an order below.
    pub(crate) epoch: Epoch,
    /// Said already, and not heard yet.
    pub(crate) output: VecDeque<Output<G>>,
}

/// How long a search without a limit of time waits for a first worker, or for one to come
/// back: longer than an engine may take to start.
pub(crate) const DESERTED_WAIT: Duration = Duration::from_secs(30);
/// How often the last worker may leave such a search.
const MOST_DESERTIONS: u32 = 8;

/// A coordinator that searches the positions of a master tree.
#[derive(Debug)]
pub struct Pipeline<G: Game> {
    settings: Settings,
    tree: Tree<G>,
    workers: BTreeMap<WorkerId, Worker<G::Move>>,
    thinking: Option<Thinking<G::Move>>,
    /// Whether workers are to be searching now.
    running: bool,
    /// Last number given to an order below.
    epoch: Epoch,
    /// Harvests asked for and what for; and until when to wait for them.
    harvests: BTreeMap<Epoch, Share>,
    harvest_until: Option<Duration>,
    /// Harvests that are in, while others are waited for.
    gathered: Vec<Gathered<G::Move>>,
    /// Nodes whose moves are being ranked (original GPP).
    surveys: BTreeMap<NodeId, Survey<G::Move>>,
    /// Who has which moves of the root (root split).
    parts: BTreeMap<WorkerId, Part<G::Move>>,
    /// The strategy that built the tree.
    grown_by: Strategy,
    /// When it was last grown from its root.
    grown_at: Duration,
    /// Some worker has no node.
    someone_free: bool,
    /// When it was last looked whether workers should change places.
    promoted_at: Duration,
    /// When the next worker is to be stopped for its last word; no later than that.
    next_call: Option<Duration>,
    rng: Rng,
    output: VecDeque<Output<G>>,
}

impl<G: Game> Pipeline<G> {
    /// A pipeline without workers at the start of a game.
    pub fn new(start: G, settings: Settings) -> Self {
        Pipeline {
            tree: Tree::new(Place::new(start), settings.table.clone()),
            workers: BTreeMap::new(),
            thinking: None,
            running: false,
            epoch: Epoch(0),
            harvests: BTreeMap::new(),
            harvest_until: None,
            gathered: Vec::new(),
            surveys: BTreeMap::new(),
            parts: BTreeMap::new(),
            grown_by: settings.strategy,
            grown_at: Duration::ZERO,
            someone_free: false,
            promoted_at: Duration::ZERO,
            next_call: None,
            rng: Rng::new(settings.seed),
            settings,
            output: VecDeque::new(),
        }
    }

    /// Ends here, for another kind of coordinator to go on with its workers.
    pub(crate) fn retire(&mut self) -> Handover<G> {
        self.halt();
        let workers = std::mem::take(&mut self.workers).into_iter();
        Handover {
            start: self.tree.place().start().clone(),
            settings: self.settings.clone(),
            workers: workers.map(|(id, worker)| (id, worker.ability)).collect(),
            epoch: self.epoch,
            output: std::mem::take(&mut self.output),
        }
    }

    /// Goes on with the workers of another kind of coordinator.
    pub(crate) fn take_over(handover: Handover<G>) -> Self {
        let Handover { start, settings, workers, epoch, output } = handover;
        let mut new = Pipeline { epoch, output, ..Pipeline::new(start, settings) };
        new.workers.extend(workers.into_iter().map(|(id, ability)| (id, Worker::new(ability))));
        new
    }

    /// The tree, to look at.
    pub fn tree(&self) -> &Tree<G> {
        &self.tree
    }

    /// How its workers are joined.
    pub fn strategy(&self) -> Strategy {
        self.settings.strategy
    }

    /// The settings; changes count from the next order on.
    pub fn settings_mut(&mut self) -> &mut Settings {
        &mut self.settings
    }

    /// Goes on from what was known at `place`, unless something is known already.
    pub fn remember(&mut self, place: &Place<G>, known: &[Known<G::Move>]) {
        let fresh = !self.running && self.tree.node(self.tree.root()).value().is_none();
        if fresh && self.settings.strategy.keeps_tree() {
            self.grown_by = self.settings.strategy;
            self.start_anew(place);
            self.tree.restore(place, known);
        }
    }

    /// What a worker can do, and the numbers of its last opinion.
    pub fn worker(&self, id: WorkerId) -> Option<(&Ability, u64)> {
        self.workers.get(&id).map(|worker| (&worker.ability, worker.nodes))
    }

    /// Nodes a second of a worker, as it came or as it turned out; 0 when not known.
    pub fn speed_of(&self, id: WorkerId) -> u64 {
        self.workers.get(&id).map_or(0, Worker::speed)
    }

    /// How many workers there are.
    pub fn worker_count(&self) -> usize {
        self.workers.len()
    }

    /// Time and nodes so far of the search asked for, if there is one.
    pub fn progress(&self, now: Duration) -> Option<(Duration, u64)> {
        self.thinking.as_ref().map(|thinking| (thinking.elapsed(now), thinking.nodes))
    }

    /// The next thing to be done, if any.
    pub fn poll(&mut self) -> Option<Output<G>> {
        self.output.pop_front()
    }

    /// When to call [`Self::handle_timeout`] if nothing else happens.
    pub fn poll_timeout(&self) -> Option<Duration> {
        let thinking = self.thinking.as_ref().and_then(Thinking::next_look);
        let deserted = self.thinking.as_ref().and_then(Thinking::deserted_until);
        [thinking, deserted, self.harvest_until, self.next_call].into_iter().flatten().min()
    }

    /// An order from above.
    pub fn handle_order(&mut self, now: Duration, order: Order<G>) {
        match order {
            Order::Search(search) => self.begin(now, search),
            Order::Stop(epoch) => {
                if self.thinking.as_ref().is_some_and(|thinking| thinking.epoch == epoch) {
                    self.answer(now);
                }
            }
            Order::PonderHit(epoch) => self.ponder_hit(now, epoch),
            Order::NewGame => self.new_game(),
            // Its workers are told to do other things.
            Order::Tasks(_) => {}
            // A pipeline has no table of its own; its tree is what it could tell.
            Order::Harvest { epoch, .. } => {
                let positions = Vec::new();
                self.output.push_back(Output::Above(Report::Harvest { epoch, positions }));
            }
        }
    }

    /// A worker came.
    pub fn handle_joined(&mut self, now: Duration, id: WorkerId, ability: Ability) {
        self.workers.insert(id, Worker::new(ability));
        if let Some(thinking) = &mut self.thinking {
            thinking.deserted = None;
        }
        if self.running {
            self.widen_survey();
            self.staff(now);
        }
    }

    /// A worker is gone.
    pub fn handle_left(&mut self, now: Duration, id: WorkerId) {
        if let Some(worker) = self.workers.remove(&id)
            && let Some(node) = worker.node
        {
            self.tree.assign(node, None);
        }
        if self.workers.is_empty()
            && let Some(thinking) = &mut self.thinking
        {
            thinking.deserted.get_or_insert(now);
            thinking.desertions += 1;
        }
        if self.running {
            self.staff(now);
            self.answer_if_all_are_done(now);
        } else {
            self.shrink();
        }
    }

    /// A worker told something.
    pub fn handle_report(&mut self, now: Duration, id: WorkerId, report: Report<G>) {
        match report {
            Report::Opinion { epoch, opinion } => self.hear(now, id, epoch, opinion),
            Report::Done { epoch, best, .. } => self.finished(now, id, epoch, best),
            Report::Harvest { epoch, positions } => {
                if let Some(share) = self.harvests.remove(&epoch) {
                    self.gathered.push((share, positions));
                    if self.harvests.is_empty() {
                        self.bring_in(now);
                    }
                }
            }
            // Nobody was asked for findings; and whoever drives us takes a broken worker away
            // with `handle_left`.
            Report::Findings { .. } | Report::Fault(_) => {}
        }
    }

    /// Time has passed.
    pub fn handle_timeout(&mut self, now: Duration) {
        if self.harvest_until.is_some_and(|until| now >= until) {
            self.bring_in(now);
        }
        self.call(now);
        let is_over = |thinking: &Thinking<_>| thinking.time_is_up(now) || thinking.is_lost(now);
        if self.thinking.as_ref().is_some_and(is_over) {
            self.answer(now);
        }
    }

    fn new_game(&mut self) {
        self.halt();
        self.thinking = None;
        let place = Place::new(self.tree.place().start().clone());
        self.tree.set_table(self.settings.table.clone());
        self.start_anew(&place);
        for &id in self.workers.keys() {
            self.output.push_back(Output::Below(id, Order::NewGame));
        }
    }

    fn begin(&mut self, now: Duration, search: Search<G>) {
        self.thinking = None;
        let mut thinking = Thinking::new(now, &search, self.settings.overhead);
        thinking.deserted = self.workers.is_empty().then_some(now);
        // The paper ponders on the position before the predicted move (section 5.3): the
        // prediction is one branch of it, and a miss loses nothing.
        let place = match search.place.before() {
            Some(before) if thinking.predicted.is_some() => before,
            _ => search.place,
        };
        self.thinking = Some(thinking);
        self.tree.set_overlapping(self.settings.strategy == Strategy::OptimisticPondering);
        self.tree.set_table(self.settings.table.clone());
        if self.grown_by != self.settings.strategy {
            self.grown_by = self.settings.strategy;
            self.start_anew(&place);
        }
        self.forget_finished_tasks();
        self.follow(now, &place, &search.only);
        self.answer_if_over(now);
    }

    fn ponder_hit(&mut self, now: Duration, epoch: Epoch) {
        let Some(thinking) = self.thinking.as_mut().filter(|t| t.epoch == epoch) else { return };
        if let Some(place) = thinking.hit(now) {
            let place = self.tree.place().after(place);
            self.forget_finished_tasks();
            self.follow(now, &place, &[]);
        }
        self.answer_if_over(now);
    }

    /// Without a legal move there is nothing to wait for, unless a stop was promised.
    fn answer_if_over(&mut self, now: Duration) {
        let patient = self.thinking.as_ref().is_some_and(Thinking::waits_for_stop);
        if self.tree.node(self.tree.root()).legal().is_empty() {
            self.tell(now);
            if !patient {
                self.answer(now);
            }
        }
    }

    /// The game is at `place` now: steps 1 to 3 of section 4.
    fn follow(&mut self, now: Duration, place: &Place<G>, only: &[G::Move]) {
        let stays = self.tree.place().way_to(place).is_some_and(<[_]>::is_empty);
        if !stays && !self.settings.strategy.keeps_tree() {
            self.start_anew(place);
        }
        for id in self.tree.follow_restricted(place, only) {
            if let Some(worker) = self.workers.get_mut(&id) {
                worker.node = None;
            }
        }
        let root = self.tree.root();
        if let Some(id) = self.tree.node(root).worker()
            && let Some(worker) = self.workers.get_mut(&id)
        {
            worker.node = Some(root);
        }
        self.running = true;
        self.forget_harvests();
        match self.settings.strategy {
            strategy if strategy.grows_at_roots() => self.regrow(now),
            Strategy::OriginalGpp => self.survey_root(),
            _ => {}
        }
        self.staff(now);
    }

    /// A tree of its root alone, and no worker on it.
    fn start_anew(&mut self, place: &Place<G>) {
        self.tree.restart(place);
        self.surveys.clear();
        self.parts.clear();
        for worker in self.workers.values_mut() {
            worker.node = None;
        }
    }

    fn hear(&mut self, now: Duration, id: WorkerId, epoch: Epoch, mut opinion: Opinion<G::Move>) {
        let Some(worker) = self.workers.get_mut(&id) else { return };
        let Some((node, nodes)) = worker.hear(epoch, &opinion) else { return };
        if let Some(thinking) = &mut self.thinking {
            thinking.nodes = thinking.nodes.saturating_add(nodes);
        }
        let Some(&first) = opinion.line.first() else { return };
        if !self.may_speak_of(id, node, first) {
            return;
        }
        opinion.line.truncate(MOST_PLIES);
        self.note_survey(node, &opinion);
        match self.settings.strategy {
            Strategy::RootSplit => self.hear_part(id, opinion),
            _ => self.tree.report(node, opinion),
        }
        if self.someone_free && self.harvests.is_empty() {
            self.grow_again(now);
            self.staff(now);
        }
        if self.running {
            self.promote_now_and_then(now);
        }
        self.tell(now);
        let value = self.tree.node(self.tree.root()).value();
        if self.thinking.as_ref().is_some_and(|thinking| thinking.has_its_mate(value)) {
            self.answer(now);
        }
    }

    /// Whether `mv` is among the moves of `node` that the worker was told to look at;
    /// whatever it says of others is of no use.
    fn may_speak_of(&self, id: WorkerId, node: NodeId, mv: G::Move) -> bool {
        let legal = || self.tree.node(node).legal().contains(&mv);
        match self.settings.strategy {
            Strategy::OptimisticPondering => legal(),
            Strategy::RootSplit => self.parts.get(&id).is_some_and(|part| part.holds(mv)),
            _ => legal() && self.tree.child(node, mv).is_none(),
        }
    }

    fn finished(&mut self, now: Duration, id: WorkerId, epoch: Epoch, best: Option<G::Move>) {
        let Some(worker) = self.workers.get_mut(&id) else { return };
        let called = worker.is_called();
        let Some(node) = worker.finish(epoch) else { return };
        if called {
            // It ended because it was told to.
        } else if self.surveys.contains_key(&node) {
            self.finish_survey(node);
        } else if self.limits_below().infinite && self.settings.strategy != Strategy::RootSplit {
            // Nothing but the end of the tree ends a search without limits.
            self.tree.settle(node);
        }
        if self.workers.len() == 1 || self.settings.strategy == Strategy::Single {
            // Nothing was joined: the worker's own answer is ours.
            if let Some(thinking) = &mut self.thinking {
                thinking.own_answer = best;
            }
        }
        if self.running {
            self.staff(now);
        }
        self.answer_if_all_are_done(now);
    }

    /// When nobody searches any more there is nothing to wait for, unless a stop was promised
    /// or there is no worker at all: one may come.
    fn answer_if_all_are_done(&mut self, now: Duration) {
        let at_work = self.workers.values().any(|worker| worker.is_searching());
        let patient = self.thinking.as_ref().is_some_and(Thinking::waits_for_stop);
        if !at_work && !self.workers.is_empty() && self.thinking.is_some() && !patient {
            self.answer(now);
        }
    }

    /// Removes a node that has no worker and cannot get one.
    fn prune(&mut self, node: NodeId) {
        for id in self.tree.prune(node) {
            if let Some(worker) = self.workers.get_mut(&id) {
                worker.node = None;
            }
        }
        self.surveys.retain(|&id, _| self.tree.get(id).is_some());
    }
}

/// No line is kept beyond this.
const MOST_PLIES: usize = 256;
