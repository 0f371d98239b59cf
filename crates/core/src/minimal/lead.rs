//! Minimal-tree search as a coordinator: orders from above, tasks below, and the clock.
//!
//! For play the search deepens without end, level by level ("iterative deepening as in APHID",
//! section 6): when a level is whole, its best move is the answer until the next one is. A
//! search to a depth ends with the value that plain negamax returns.

use std::collections::{BTreeMap, VecDeque};
use std::fmt;
use std::time::Duration;

use senbon_games::{Branching, Game};

use super::crews::Crews;
use super::settings::Style;
use super::thinking::Thinking;
use super::{Finding, Master, Settings, Shape, Tasks, Windows};
use crate::pipeline::{DESERTED_WAIT, Handover, Output, Settings as Common};
use crate::session::WINDOW_LETTERS;
use crate::{Ability, Bound, Budget, Epoch, Opinion, Order, Report, Search, WorkerId};

/// The trees of a game by their shape.
pub type Trees<G> = fn(Shape) -> Box<dyn Branching<G>>;

/// Plies below the master's tree in a search without a limit of depth: as deep as findings go.
const ENDLESS: u8 = 32;
/// The master's tree is not made deeper than this by itself: a pass has to be short.
const DEEPEST_REACH: u8 = 4;
/// With less time than this the master keeps the root's moves only: to make a tree of hundreds
/// of moves a node takes tens of milliseconds.
const SHORT: Duration = Duration::from_millis(300);
/// Passes that may be made while an order goes to the farthest worker and its answer comes back:
/// half as many as letters may be on their way, so that sheets never pile up.
const PASSES_AWAY: u32 = WINDOW_LETTERS as u32 / 2;
/// Leaves wanted for each worker.
const LEAVES_EACH: usize = 4;

/// A coordinator that makes one alpha-beta search of all its workers.
pub struct MinimalTree<G: Game> {
    start: G,
    settings: Common,
    trees: Trees<G>,
    workers: BTreeMap<WorkerId, Worker>,
    /// Workers of one process: the master talks to one of them.
    crews: Crews,
    pub(super) thinking: Option<Thinking<G>>,
    /// Last number given to an order below.
    epoch: Epoch,
    output: VecDeque<Output<G>>,
    /// Time of the last event: passes are made when nothing else is to be said.
    now: Duration,
    /// When the last pass was made.
    passed: Option<Duration>,
}

struct Worker {
    ability: Ability,
    round_trip: Duration,
    /// The order whose tasks it has, and the nodes it told of.
    has: Option<Epoch>,
    nodes: u64,
    /// Who leads its crew, as it was told with that order.
    leader: Option<u32>,
}

impl Worker {
    fn new(ability: Ability) -> Self {
        Worker { ability, round_trip: Duration::ZERO, has: None, nodes: 0, leader: None }
    }

    /// Whether an order has to begin with the root: it is another one than it has, or somebody
    /// else leads now. From then on it has it.
    fn begins<G: Game>(&mut self, leader: Option<u32>, thinking: &mut Thinking<G>) -> bool {
        let below = Some(thinking.below);
        if self.has == below && self.leader == leader {
            return false;
        }
        if self.has == below {
            thinking.nodes_before = thinking.nodes_before.saturating_add(self.nodes);
        }
        (self.has, self.nodes, self.leader) = (below, 0, leader);
        true
    }
}

impl<G: Game> MinimalTree<G> {
    /// A search without workers at the start of a game.
    pub fn new(start: G, settings: Common, trees: Trees<G>) -> Self {
        MinimalTree {
            start,
            settings,
            trees,
            workers: BTreeMap::new(),
            crews: Crews::default(),
            thinking: None,
            epoch: Epoch(0),
            output: VecDeque::new(),
            now: Duration::ZERO,
            passed: None,
        }
    }

    /// Ends here, for another kind of coordinator to go on with its workers.
    pub(crate) fn retire(&mut self) -> Handover<G> {
        self.halt();
        self.crews = Crews::default();
        let workers = std::mem::take(&mut self.workers).into_iter();
        Handover {
            start: self.start.clone(),
            settings: self.settings.clone(),
            workers: workers.map(|(id, worker)| (id, worker.ability)).collect(),
            epoch: self.epoch,
            output: std::mem::take(&mut self.output),
        }
    }

    /// Goes on with the workers of another kind of coordinator.
    pub(crate) fn take_over(handover: Handover<G>, trees: Trees<G>) -> Self {
        let Handover { start, settings, workers, epoch, output } = handover;
        let mut new = MinimalTree { epoch, output, ..MinimalTree::new(start, settings, trees) };
        for (id, ability) in workers {
            new.handle_joined(Duration::ZERO, id, ability);
        }
        new
    }

    /// The settings; changes count from the next order on.
    pub fn settings_mut(&mut self) -> &mut Common {
        &mut self.settings
    }

    /// What it is set to.
    pub fn settings(&self) -> &Common {
        &self.settings
    }

    /// How many workers there are; others than built-in engines cannot take part.
    pub fn worker_count(&self) -> usize {
        self.workers.len()
    }

    /// Nodes a second of a worker; 0 when not known.
    pub fn speed_of(&self, id: WorkerId) -> u64 {
        self.workers.get(&id).map_or(0, |worker| worker.ability.speed)
    }

    /// Time and nodes so far of the search asked for, if there is one.
    pub fn progress(&self, now: Duration) -> Option<(Duration, u64)> {
        let thinking = self.thinking.as_ref()?;
        Some((thinking.elapsed(now), self.nodes(thinking)))
    }

    fn nodes(&self, thinking: &Thinking<G>) -> u64 {
        let has = |worker: &&Worker| worker.has == Some(thinking.below);
        let now = self.workers.values().filter(has).map(|worker| worker.nodes);
        now.fold(thinking.nodes_before, u64::saturating_add)
    }

    /// The next thing to be done, if any. A pass is made when all else is said.
    pub fn poll(&mut self) -> Option<Output<G>> {
        while self.output.is_empty() && self.next_pass().is_some_and(|at| at <= self.now) {
            self.pass();
        }
        self.output.pop_front()
    }

    /// When the next pass may be made, if there is anything new.
    fn next_pass(&self) -> Option<Duration> {
        let stale = self.thinking.as_ref().is_some_and(|thinking| thinking.master.is_stale());
        let far = self.workers.values().map(|worker| worker.round_trip).max().unwrap_or_default();
        let next = self.passed.map_or(Duration::ZERO, |passed| passed + far / PASSES_AWAY);
        stale.then_some(next)
    }

    /// How long an order takes to a worker and its answer back, at most.
    pub fn handle_round_trip(&mut self, id: WorkerId, longest: Duration) {
        if let Some(worker) = self.workers.get_mut(&id) {
            worker.round_trip = longest;
        }
    }

    /// When to call [`Self::handle_timeout`] if nothing else happens.
    pub fn poll_timeout(&self) -> Option<Duration> {
        self.deadline().into_iter().chain(self.next_pass()).min()
    }

    /// When the search has to be answered.
    fn deadline(&self) -> Option<Duration> {
        let thinking = self.thinking.as_ref()?;
        let waits = thinking.deserted.filter(|_| !thinking.waits_for_stop());
        thinking.next_look().into_iter().chain(waits.map(|since| since + DESERTED_WAIT)).min()
    }

    /// An order from above.
    pub fn handle_order(&mut self, now: Duration, order: Order<G>) {
        self.now = now;
        match order {
            Order::Search(search) => self.begin(search),
            Order::Stop(epoch) => {
                if self.thinking.as_ref().is_some_and(|thinking| thinking.epoch == epoch) {
                    self.answer();
                }
            }
            Order::PonderHit(epoch) => {
                if let Some(thinking) = self.thinking.as_mut().filter(|t| t.epoch == epoch) {
                    thinking.hit(now);
                    self.answer_if_over();
                }
            }
            Order::NewGame => {
                self.halt();
                for &id in self.workers.keys() {
                    self.output.push_back(Output::Below(id, Order::NewGame));
                }
            }
            // Only workers are given tasks, and a master's tree is no table.
            Order::Tasks(_) => {}
            Order::Harvest { epoch, .. } => {
                let positions = Vec::new();
                self.output.push_back(Output::Above(Report::Harvest { epoch, positions }));
            }
        }
    }

    /// A worker came. False when it cannot search tasks.
    pub fn handle_joined(&mut self, now: Duration, id: WorkerId, ability: Ability) -> bool {
        self.now = now;
        if !ability.tasks {
            return false;
        }
        let change = ability.berth.map(|berth| self.crews.join(id, berth));
        self.workers.insert(id, Worker::new(ability));
        if let Some(thinking) = &mut self.thinking {
            match change {
                Some(change) => thinking.heed(change),
                None => thinking.master.handle_joined(id),
            }
            thinking.deserted = None;
        }
        true
    }

    /// A worker is gone.
    pub fn handle_left(&mut self, now: Duration, id: WorkerId) {
        self.now = now;
        let Some(worker) = self.workers.remove(&id) else { return };
        let change = worker.ability.berth.map(|berth| self.crews.leave(id, berth));
        if let Some(thinking) = &mut self.thinking {
            thinking.master.handle_left(id);
            change.into_iter().for_each(|change| thinking.heed(change));
            if worker.has == Some(thinking.below) {
                thinking.nodes_before = thinking.nodes_before.saturating_add(worker.nodes);
            }
            if self.workers.is_empty() {
                thinking.deserted.get_or_insert(now);
            }
        }
    }

    /// A worker told something.
    pub fn handle_report(&mut self, now: Duration, id: WorkerId, report: Report<G>) {
        self.now = now;
        // Whoever drives us takes a broken worker away with `handle_left`; opinions are of
        // searches that are over.
        if let Report::Findings { epoch, nodes, findings } = report {
            self.hear(id, epoch, nodes, &findings);
        }
    }

    /// Time has passed.
    pub fn handle_timeout(&mut self, now: Duration) {
        self.now = now;
        if self.deadline().is_some_and(|at| now >= at) {
            self.answer();
        }
    }

    fn begin(&mut self, search: Search<G>) {
        self.halt();
        self.passed = None;
        self.epoch = self.epoch.next();
        let Style { shape, reach, wider } = self.settings.minimal;
        // The master has to know the root's moves, and workers need something to search.
        let reach = reach.unwrap_or_else(|| self.reach_for(&search)).max(1);
        let deepest = reach.saturating_add(ENDLESS);
        let asked = search.limits.depth.map_or(deepest, |depth| depth.min(255) as u8);
        // Those of a crew who would have nothing to do help the others.
        let crews = self.crews.leaders().any(|(_, size)| size > 1);
        let settings = Settings {
            windows: Windows::Epsilon(wider),
            history: shape == Shape::PLAY,
            crews,
            spares: !crews,
            ..Settings::best(asked.clamp(2, deepest), reach)
        };
        let root = search.place.position().clone();
        // What the master thinks of leaves is a guess until workers tell: it need not be dear.
        let guessing = Shape { quiescence: false, ..shape };
        let mut master =
            Master::new(root, (self.trees)(guessing), settings).restricted(&search.only);
        let by_itself = |(_, worker): &(&WorkerId, &Worker)| worker.ability.berth.is_none();
        for (&id, _) in self.workers.iter().filter(by_itself) {
            master.handle_joined(id);
        }
        for (leader, size) in self.crews.leaders() {
            master.handle_foreman(leader, size);
        }
        let overhead = self.settings.overhead;
        let mut thinking = Thinking::new(self.now, search, overhead, self.epoch, master);
        thinking.deserted = self.workers.is_empty().then_some(self.now);
        self.thinking = Some(thinking);
        self.answer_if_over();
    }

    /// The shortest master's tree whose minimal tree has leaves enough for all workers: with b
    /// moves, b^⌈d'/2⌉ + b^⌊d'/2⌋ - 1 of them. Where time is short the first pass must not take
    /// it all.
    fn reach_for(&self, search: &Search<G>) -> u8 {
        let position = search.place.position();
        let budget = Budget::new(&search.limits, position.side_to_move(), self.settings.overhead);
        if budget.is_some_and(|budget| budget.hard < SHORT) {
            return 1;
        }
        let moves = position.moves().into_iter().count().max(2);
        let leaves = |reach: u8| {
            let half = u32::from(reach / 2);
            moves.saturating_pow(half) + moves.saturating_pow(u32::from(reach) - half) - 1
        };
        let wanted = LEAVES_EACH * self.workers.len().max(1);
        (2..DEEPEST_REACH).find(|&reach| leaves(reach) >= wanted).unwrap_or(DEEPEST_REACH)
    }

    fn hear(&mut self, id: WorkerId, epoch: Epoch, nodes: u64, findings: &[Finding]) {
        let Some(thinking) = self.thinking.as_mut().filter(|t| t.below == epoch) else { return };
        let Some(worker) = self.workers.get_mut(&id) else { return };
        if worker.has != Some(epoch) {
            return;
        }
        worker.nodes = worker.nodes.max(nodes);
        for finding in findings {
            thinking.master.handle_finding(finding);
        }
        let most = thinking.limits.nodes.filter(|_| !thinking.waits_for_stop());
        if most.is_some_and(|most| self.nodes_now() >= most) {
            // What has just been told counts.
            self.pass();
            self.answer();
        }
    }

    fn nodes_now(&self) -> u64 {
        self.thinking.as_ref().map_or(0, |thinking| self.nodes(thinking))
    }

    /// Goes through the tree, if there is anything new, and tells of it above and below.
    fn pass(&mut self) {
        let Some(thinking) = self.thinking.as_mut().filter(|t| t.master.is_stale()) else { return };
        thinking.master.pass();
        self.passed = Some(self.now);
        let (below, shape) = (thinking.below, self.settings.minimal.shape);
        while let Some(sheet) = thinking.master.poll() {
            let id = sheet.worker;
            let Some(worker) = self.workers.get_mut(&id) else { continue };
            let leader = worker.ability.berth.map(|berth| berth.number);
            let first = worker.begins(leader, thinking);
            let root = first.then(|| (thinking.place.clone(), shape));
            for mut tasks in Tasks::of(sheet, below, root) {
                tasks.leader = leader.filter(|_| tasks.root.is_some());
                self.output.push_back(Output::Below(id, Order::Tasks(tasks)));
            }
        }
        self.tell_crews();
        self.tell();
        self.answer_if_over();
    }

    /// Tells those whom another one leads who it is.
    fn tell_crews(&mut self) {
        let Some(thinking) = &mut self.thinking else { return };
        for (&id, worker) in &mut self.workers {
            let leader = worker.ability.berth.and_then(|berth| self.crews.leader_of(berth));
            if let Some((_, leader)) = leader.filter(|&(leader, _)| leader != id)
                && worker.begins(Some(leader), thinking)
            {
                let root = (thinking.place.clone(), self.settings.minimal.shape);
                let tasks = Tasks::led(thinking.below, root, leader);
                self.output.push_back(Output::Below(id, Order::Tasks(tasks)));
            }
        }
    }

    /// Tells above what a whole level found.
    fn tell(&mut self) {
        let nodes = self.nodes_now();
        let Some(thinking) = &mut self.thinking else { return };
        let Some(settled) = thinking.master.settled() else { return };
        if settled.line.is_empty() || thinking.told.as_ref() == Some(settled) {
            return;
        }
        let before = thinking.told.as_ref().and_then(|told| told.line.first());
        if before != settled.line.first() {
            thinking.changed = self.now;
        }
        let score = thinking.score(settled);
        let opinion = Opinion {
            nodes,
            time: thinking.elapsed(self.now),
            bound: Bound::Exact,
            ..Opinion::new(score, settled.depth.into(), settled.line.clone())
        };
        let epoch = thinking.epoch;
        thinking.told = Some(settled.clone());
        self.output.push_back(Output::Above(Report::Opinion { epoch, opinion }));
    }

    /// Nothing is left to search, or nothing ever was; only a promised stop is waited for.
    fn answer_if_over(&mut self) {
        let Some(thinking) = &self.thinking else { return };
        let over = thinking.allowed.is_empty() || thinking.master.value().is_some();
        if over && !thinking.waits_for_stop() {
            self.answer();
        }
    }

    /// Ends the search with the best move known, legal whatever happened below.
    fn answer(&mut self) {
        if self.thinking.as_ref().is_some_and(|thinking| thinking.told.is_none()) {
            // The master's own judgement is better than none.
            self.pass();
        }
        let Some(thinking) = &self.thinking else { return };
        let told = thinking.told.as_ref().map(|told| told.line.as_slice()).unwrap_or_default();
        let best = told.first().filter(|mv| thinking.allowed.contains(mv));
        let ponder = best.and(told.get(1)).copied();
        let best = best.or(thinking.allowed.first()).copied();
        let epoch = thinking.epoch;
        self.halt();
        self.output.push_back(Output::Above(Report::Done { epoch, best, ponder }));
    }

    /// The search is over: whoever has tasks stops.
    fn halt(&mut self) {
        let Some(thinking) = self.thinking.take() else { return };
        for (&id, worker) in &mut self.workers {
            if worker.has.take() == Some(thinking.below) {
                self.output.push_back(Output::Below(id, Order::Stop(thinking.below)));
            }
        }
    }
}

impl<G: Game> fmt::Debug for MinimalTree<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MinimalTree")
            .field("workers", &self.workers.len())
            .field("epoch", &self.epoch)
            .field("thinking", &self.thinking.as_ref().map(|thinking| thinking.epoch))
            .finish_non_exhaustive()
    }
}
