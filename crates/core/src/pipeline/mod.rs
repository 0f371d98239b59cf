//! The position pipeline (pgpp-2015 sections 3 and 4), and its relatives on the same tree.
//!
//! A [`Pipeline`] is a state machine. Tell it of orders from above, of reports, joins and
//! losses from below, and of the time; then call [`Pipeline::poll`] until it has nothing more
//! to say, and come back at [`Pipeline::poll_timeout`] at the latest.
//!
//! Workers on nodes that survive a move of the game go on without a stop; the others are
//! collected and the tree is regrown with them.

mod staff;
mod thinking;

use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

use senbon_games::{Game, Rng};

use crate::tree::{NodeId, Share, Tree};
use crate::{Ability, Epoch, Opinion, Order, Place, RankTable, Report, Search, WorkerId};

use staff::Worker;
use thinking::Thinking;

/// How the tree is grown and how its results are joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strategy {
    /// P-GPP: greedy growth by realization probability, harvest of tables, minimax.
    Pipeline,
    /// As the pipeline, but a node's share is its best move and random others
    /// (pgpp-2015 section 5.3).
    RandomGrowth,
    /// Optimistic pondering as in GridChess: workers ponder positions of the principal
    /// variations, without move restriction and without minimax.
    OptimisticPondering,
    /// One worker, whatever else is there.
    Single,
}

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
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            strategy: Strategy::Pipeline,
            table: RankTable::published(),
            overhead: Duration::from_millis(30),
            ponder: false,
            seed: 1,
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

/// How long a search without a limit of time waits for a first worker, or for one to come
/// back: longer than an engine may take to start.
const DESERTED_WAIT: Duration = Duration::from_secs(30);
/// How often the last worker may leave such a search.
const MOST_DESERTIONS: u32 = 8;

/// Longest wait for the harvests of a new root before growing with what is known.
const HARVEST_WAIT: Duration = Duration::from_millis(20);

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
            rng: Rng::new(settings.seed),
            settings,
            output: VecDeque::new(),
        }
    }

    /// The tree, to look at.
    pub fn tree(&self) -> &Tree<G> {
        &self.tree
    }

    /// The settings; changes count from the next order on.
    pub fn settings_mut(&mut self) -> &mut Settings {
        &mut self.settings
    }

    /// What a worker can do, and the numbers of its last opinion.
    pub fn worker(&self, id: WorkerId) -> Option<(&Ability, u64)> {
        self.workers.get(&id).map(|worker| (&worker.ability, worker.nodes))
    }

    /// How many workers there are.
    pub fn worker_count(&self) -> usize {
        self.workers.len()
    }

    /// The next thing to be done, if any.
    pub fn poll(&mut self) -> Option<Output<G>> {
        self.output.pop_front()
    }

    /// When to call [`Self::handle_timeout`] if nothing else happens.
    pub fn poll_timeout(&self) -> Option<Duration> {
        let thinking = self.thinking.as_ref().and_then(Thinking::next_look);
        let deserted = self.thinking.as_ref().and_then(Thinking::deserted_until);
        [thinking, deserted, self.harvest_until].into_iter().flatten().min()
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
                    self.grow_share(share, &positions);
                    if self.harvests.is_empty() {
                        self.harvest_until = None;
                    }
                    self.staff(now);
                }
            }
            // Whoever drives us takes a broken worker away with `handle_left`.
            Report::Fault(_) => {}
        }
    }

    /// Time has passed.
    pub fn handle_timeout(&mut self, now: Duration) {
        if self.harvest_until.is_some_and(|until| now >= until) {
            self.harvests.clear();
            self.harvest_until = None;
            self.staff(now);
        }
        let is_over = |thinking: &Thinking<_>| thinking.time_is_up(now) || thinking.is_lost(now);
        if self.thinking.as_ref().is_some_and(is_over) {
            self.answer(now);
        }
    }

    fn new_game(&mut self) {
        self.halt();
        self.thinking = None;
        let place = Place::new(self.tree.place().start().clone());
        self.tree = Tree::new(place, self.settings.table.clone());
        for (&id, worker) in &mut self.workers {
            worker.node = None;
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
            Some(before) if search.limits.ponder => before,
            _ => search.place,
        };
        self.thinking = Some(thinking);
        self.forget_finished_tasks();
        self.follow(now, &place, &search.only);
        if self.tree.node(self.tree.root()).legal().is_empty() {
            self.answer(now);
        }
    }

    fn ponder_hit(&mut self, now: Duration, epoch: Epoch) {
        let Some(thinking) = self.thinking.as_mut().filter(|t| t.epoch == epoch) else { return };
        if let Some(place) = thinking.hit(now) {
            let place = self.tree.place().after(place);
            self.follow(now, &place, &[]);
        }
    }

    /// The game is at `place` now: steps 1 to 3 of section 4.
    fn follow(&mut self, now: Duration, place: &Place<G>, only: &[G::Move]) {
        for id in self.tree.follow_restricted(place, only) {
            if let Some(worker) = self.workers.get_mut(&id) {
                worker.node = None;
            }
        }
        self.running = true;
        self.harvests.clear();
        self.harvest_until = None;
        if matches!(self.settings.strategy, Strategy::Pipeline | Strategy::RandomGrowth) {
            self.regrow(now);
        }
        self.staff(now);
    }

    /// Shares the free workers among the nodes and asks for harvests where several go.
    fn regrow(&mut self, now: Duration) {
        let extra = self.workers.len().saturating_sub(self.tree.len());
        for share in self.tree.plan(extra) {
            let worker = self.tree.node(share.node).worker();
            let able = worker
                .filter(|id| self.workers.get(id).is_some_and(|worker| worker.ability.harvests));
            match able {
                Some(id) if self.settings.strategy == Strategy::Pipeline && share.count > 1 => {
                    self.epoch = self.epoch.next();
                    let (epoch, count) = (self.epoch, share.count);
                    let place = self.tree.place_of(share.node);
                    self.harvests.insert(epoch, share);
                    self.harvest_until = Some(now + HARVEST_WAIT);
                    let order = Order::Harvest { epoch, place, count };
                    self.output.push_back(Output::Below(id, order));
                }
                _ => self.grow_share(share, &[]),
            }
        }
    }

    /// Makes a planned share concrete (section 4.3): the harvest, else the line known.
    fn grow_share(&mut self, share: Share, harvest: &[crate::Valued<G::Move>]) {
        if self.tree.get(share.node).is_none() {
            return;
        }
        if self.settings.strategy == Strategy::RandomGrowth {
            self.grow_at_random(share);
            return;
        }
        let mut harvest = harvest.to_vec();
        if let Some(rest) = self.tree.node(share.node).rest() {
            // What the worker thinks best comes first, as far as it told.
            let way: Vec<_> = rest.line.iter().copied().take(share.count).collect();
            let (score, depth) = (rest.score, rest.depth);
            harvest.insert(0, crate::Valued { way, score, depth, best: None });
            if harvest.len() > 1 {
                harvest[0].way.truncate(1);
            }
        }
        self.tree.grow_from_harvest(share, &harvest);
    }

    fn grow_at_random(&mut self, share: Share) {
        let first = self.tree.node(share.node).rest().and_then(|rest| rest.line.first().copied());
        let mut ways: Vec<Vec<G::Move>> = first.into_iter().map(|mv| vec![mv]).collect();
        let mut moves = self.tree.rest(share.node);
        self.rng.shuffle(&mut moves);
        ways.extend(moves.into_iter().map(|mv| vec![mv]));
        let score = crate::Score::Centipawns(0);
        let valued: Vec<_> = ways
            .into_iter()
            .map(|way| crate::Valued { way, score, depth: 0, best: None })
            .collect();
        self.tree.grow_from_harvest(share, &valued);
    }

    fn hear(&mut self, now: Duration, id: WorkerId, epoch: Epoch, opinion: Opinion<G::Move>) {
        let Some(worker) = self.workers.get_mut(&id) else { return };
        let Some((node, nodes)) = worker.hear(epoch, &opinion) else { return };
        if let Some(thinking) = &mut self.thinking {
            thinking.nodes += nodes;
        }
        let first = opinion.line.first();
        let known = self.tree.node(node).legal();
        if opinion.rank > 0 || !first.is_some_and(|mv| known.contains(mv)) {
            return;
        }
        if self.settings.strategy != Strategy::OptimisticPondering
            && first.is_some_and(|&mv| self.tree.child(node, mv).is_some())
        {
            // It was told not to look at this move; whatever it says is of no use.
            return;
        }
        self.tree.report(node, opinion);
        if self.workers.values().any(|worker| worker.node.is_none()) && self.harvests.is_empty() {
            self.staff(now);
        }
        self.tell(now);
    }

    fn finished(&mut self, now: Duration, id: WorkerId, epoch: Epoch, best: Option<G::Move>) {
        let Some(worker) = self.workers.get_mut(&id) else { return };
        let Some(node) = worker.finish(epoch) else { return };
        if self.limits_below().infinite {
            // Nothing but the end of the tree ends a search without limits.
            self.tree.settle(node);
        }
        if self.workers.len() == 1 || self.settings.strategy == Strategy::Single {
            // Nothing was joined: the worker's own answer is ours.
            if let Some(thinking) = &mut self.thinking {
                thinking.own_answer = best;
            }
        }
        let at_work = self.workers.values().any(|worker| worker.is_searching());
        let patient = self.thinking.as_ref().is_some_and(Thinking::waits_for_stop);
        if !at_work && self.thinking.is_some() && !patient {
            self.answer(now);
        } else if self.running {
            self.staff(now);
        }
    }

    /// Removes a node that has no worker and cannot get one.
    fn prune(&mut self, node: NodeId) {
        for id in self.tree.prune(node) {
            if let Some(worker) = self.workers.get_mut(&id) {
                worker.node = None;
            }
        }
    }
}
