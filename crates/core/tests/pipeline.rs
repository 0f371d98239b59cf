//! The position pipeline in a world of random workers: every promise after every event.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::time::Duration;

use senbon_core::pipeline::{Output, Pipeline, Settings, Strategy};
use senbon_core::tree::NodeId;
use senbon_core::{Ability, Epoch, Limits, Opinion, Order, Place, Report, Score, Search, WorkerId};
use senbon_games::chess::Chess;
use senbon_games::tiny::ConnectFour;
use senbon_games::{Game, Notation, Rng};

/// A pipeline, its workers and its clock.
struct World<G: Game> {
    pipeline: Pipeline<G>,
    rng: Rng,
    now: Duration,
    /// What each worker was told last.
    orders: BTreeMap<WorkerId, Option<Search<G>>>,
    /// Search orders and stops each worker got since the last look.
    interruptions: BTreeMap<WorkerId, usize>,
    game: Place<G>,
    asked: Option<Epoch>,
    answers: usize,
    next: u64,
    seed: u64,
    strategy: Strategy,
}

fn ability(rng: &mut Rng) -> Ability {
    Ability {
        name: "random".into(),
        game: "any".into(),
        speed: rng.below(1_000) as u64,
        restricts: true,
        counts_nodes: true,
        harvests: rng.one_in(2),
        several_lines: rng.one_in(2),
        tasks: rng.one_in(2),
        berth: None,
    }
}

impl<G: Notation> World<G> {
    fn new(strategy: Strategy, seed: u64) -> Self {
        let mut rng = Rng::new(seed);
        let settings = Settings { strategy, ponder: rng.one_in(2), seed, ..Settings::default() };
        World {
            pipeline: Pipeline::new(G::start(), settings),
            rng,
            now: Duration::ZERO,
            orders: BTreeMap::new(),
            interruptions: BTreeMap::new(),
            game: Place::new(G::start()),
            asked: None,
            answers: 0,
            next: 1,
            seed,
            strategy,
        }
    }

    fn place(&self) -> String {
        format!("seed {}, move {}, {:?}", self.seed, self.game.moves().len(), self.now)
    }

    /// One thing happens; then all that follows from it.
    fn event(&mut self) {
        self.now += Duration::from_millis(self.rng.below(20) as u64);
        match self.rng.below(20) {
            0 if self.orders.len() < 40 => {
                let id = WorkerId(self.next as u32);
                self.next += 1;
                let ability = ability(&mut self.rng);
                self.orders.insert(id, None);
                self.pipeline.handle_joined(self.now, id, ability);
            }
            1 if self.rng.one_in(3) => {
                if let Some(id) = self.some_worker() {
                    self.orders.remove(&id);
                    self.pipeline.handle_left(self.now, id);
                }
            }
            2 if self.asked.is_none() => self.ask(),
            3 => {
                if let Some(epoch) = self.asked {
                    self.pipeline.handle_order(self.now, Order::Stop(epoch));
                }
            }
            4 => self.lie(),
            5 => {
                if let Some(id) = self.some_worker() {
                    let round_trip = Duration::from_millis(self.rng.below(400) as u64);
                    self.pipeline.handle_round_trip(id, round_trip);
                }
            }
            _ => self.report(),
        }
        if self.pipeline.poll_timeout().is_some_and(|at| at <= self.now) {
            self.pipeline.handle_timeout(self.now);
        }
        self.drain();
        self.check();
    }

    fn some_worker(&mut self) -> Option<WorkerId> {
        let ids: Vec<_> = self.orders.keys().copied().collect();
        self.rng.pick(&ids).copied()
    }

    /// Someone wants a move.
    fn ask(&mut self) {
        if self.game.position().outcome().is_some() {
            self.game = Place::new(G::start());
            self.pipeline.handle_order(self.now, Order::NewGame);
        }
        let epoch = Epoch(self.next);
        self.next += 1;
        let limits = match self.rng.below(3) {
            0 => Limits { infinite: true, ..Limits::default() },
            1 => Limits { nodes: Some(5_000), ..Limits::default() },
            _ => Limits { move_time: Some(Duration::from_millis(500)), ..Limits::default() },
        };
        let place = self.game.clone();
        let lines = 1 + self.rng.below(3);
        let search = Search { epoch, place, only: Vec::new(), lines, limits };
        self.asked = Some(epoch);
        self.pipeline.handle_order(self.now, Order::Search(search));
    }

    fn report(&mut self) {
        let Some(id) = self.some_worker() else { return };
        let Some(Some(search)) = self.orders.get(&id) else { return };
        let (epoch, position) = (search.epoch, search.place.position().clone());
        let first = if search.only.is_empty() {
            position.moves().into_iter().collect()
        } else {
            search.only.clone()
        };
        let shallow = search.limits.depth.is_some();
        if self.rng.one_in(if shallow { 4 } else { 40 }) {
            let best = self.rng.pick(&first).copied();
            self.orders.insert(id, None);
            let done = Report::Done { epoch, best, ponder: None };
            self.pipeline.handle_report(self.now, id, done);
            return;
        }
        let line = line(&position, first, &mut self.rng);
        let score = Score::Centipawns(self.rng.below(200) as i32 - 100);
        let opinion = Opinion {
            rank: self.rng.below(search.lines),
            nodes: self.rng.below(1_000) as u64,
            ..Opinion::new(score, self.rng.below(20) as u32, line)
        };
        self.pipeline.handle_report(self.now, id, Report::Opinion { epoch, opinion });
    }

    /// A late report, or one of an order never given.
    fn lie(&mut self) {
        let Some(id) = self.some_worker() else { return };
        let moves: Vec<_> = self.game.position().moves().into_iter().collect();
        let line = line(self.game.position(), moves, &mut self.rng);
        let epoch = Epoch(self.rng.below(100_000) as u64 + 1_000_000);
        let opinion = Opinion::new(Score::Mates(1), 99, line);
        let before =
            format!("{:?}", self.pipeline.tree().node(self.pipeline.tree().root()).value());
        self.pipeline.handle_report(self.now, id, Report::Opinion { epoch, opinion });
        let after = format!("{:?}", self.pipeline.tree().node(self.pipeline.tree().root()).value());
        assert_eq!(before, after, "{}", self.place());
    }

    fn drain(&mut self) {
        while let Some(output) = self.pipeline.poll() {
            match output {
                Output::Below(id, Order::Search(search)) => {
                    *self.interruptions.entry(id).or_default() += 1;
                    assert!(
                        self.orders.contains_key(&id),
                        "order to a lost worker: {}",
                        self.place()
                    );
                    self.orders.insert(id, Some(search));
                }
                Output::Below(id, Order::Stop(_)) => {
                    *self.interruptions.entry(id).or_default() += 1;
                    self.orders.insert(id, None);
                }
                Output::Below(id, Order::Harvest { epoch, place, count }) => {
                    let positions = harvest(place.position(), count, &mut self.rng);
                    if !self.rng.one_in(4) {
                        let report = Report::Harvest { epoch, positions };
                        self.pipeline.handle_report(self.now, id, report);
                    }
                }
                Output::Below(..) => {}
                Output::Above(Report::Done { epoch, best, .. }) => {
                    assert_eq!(Some(epoch), self.asked.take(), "{}", self.place());
                    let legal: Vec<_> = self.game.position().moves().into_iter().collect();
                    assert!(best.is_some_and(|mv| legal.contains(&mv)), "{}", self.place());
                    self.answers += 1;
                    self.game.play(best.unwrap());
                    // The opponent's answer, often one that the tree knows.
                    let moves: Vec<_> = self.game.position().moves().into_iter().collect();
                    if let Some(&mv) = self.rng.pick(&moves) {
                        self.game.play(mv);
                    }
                }
                Output::Above(_) => {}
            }
        }
    }

    /// Promise 2 of the design, and that every worker searches what the tree says.
    fn check(&self) {
        let tree = self.pipeline.tree();
        let working = |id: &NodeId| tree.node(*id).has_work();
        let nodes: Vec<_> = tree.ids().into_iter().filter(working).collect();
        assert!(
            nodes.len() <= self.orders.len().max(1),
            "more nodes than workers: {}",
            self.place()
        );
        for id in nodes {
            let node = tree.node(id);
            let Some(worker) = node.worker() else { continue };
            let Some(Some(search)) = self.orders.get(&worker) else { continue };
            assert_eq!(search.place.moves(), tree.place_of(id).moves(), "{}", self.place());
            let unrestricted = self.strategy == Strategy::OptimisticPondering;
            let all = (node.children().is_empty() || unrestricted) && search.only.is_empty();
            let rest = match self.strategy {
                Strategy::RootSplit => self.pipeline.part_of(worker).unwrap().to_vec(),
                Strategy::OptimisticPondering => node.legal().to_vec(),
                _ => tree.rest(id),
            };
            assert!(all || search.only == rest, "{}", self.place());
        }
        if self.strategy == Strategy::RootSplit {
            self.check_parts();
        }
    }

    /// While workers search, every move of the root is with exactly one of them.
    fn check_parts(&self) {
        let tree = self.pipeline.tree();
        let searching: Vec<_> =
            self.orders.iter().filter(|(_, order)| order.is_some()).map(|(&id, _)| id).collect();
        let legal = tree.node(tree.root()).legal();
        if searching.is_empty() || searching.len() < self.orders.len().min(legal.len()) {
            return;
        }
        let mut dealt: Vec<_> = searching
            .iter()
            .flat_map(|&id| self.pipeline.part_of(id).unwrap_or_default())
            .map(|&mv| G::code(mv))
            .collect();
        dealt.sort_unstable();
        let mut wanted: Vec<_> = legal.iter().map(|&mv| G::code(mv)).collect();
        wanted.sort_unstable();
        assert_eq!(dealt, wanted, "{}", self.place());
    }
}

fn line<G: Game>(position: &G, first: Vec<G::Move>, rng: &mut Rng) -> Vec<G::Move> {
    let plies = 1 + rng.below(4);
    rng.line(position, first, plies)
}

fn harvest<G: Game>(
    position: &G,
    count: usize,
    rng: &mut Rng,
) -> Vec<senbon_core::Valued<G::Move>> {
    (0..count)
        .map(|_| {
            let moves = position.moves().into_iter().collect();
            let way = line(position, moves, rng);
            senbon_core::Valued { way, score: Score::Centipawns(0), depth: 5, best: None }
        })
        .collect()
}

fn live<G: Notation>(strategy: Strategy, seed: u64, events: usize) {
    let mut world: World<G> = World::new(strategy, seed);
    for _ in 0..events {
        world.event();
    }
    assert!(world.answers > 3, "games were played: {}", world.place());
}

#[test]
fn random_worlds_keep_every_promise() {
    let seed = senbon_testkit::seed();
    for offset in 0..8 {
        live::<Chess>(Strategy::Pipeline, seed.wrapping_add(offset), 1_500);
        live::<Chess>(Strategy::RandomGrowth, seed.wrapping_add(offset), 800);
        live::<Chess>(Strategy::PublishedPipeline, seed.wrapping_add(offset), 800);
        live::<Chess>(Strategy::OptimisticPondering, seed.wrapping_add(offset), 800);
        live::<Chess>(Strategy::OriginalGpp, seed.wrapping_add(offset), 1_500);
        live::<Chess>(Strategy::RootSplit, seed.wrapping_add(offset), 1_000);
        live::<Chess>(Strategy::Single, seed.wrapping_add(offset), 500);
        live::<ConnectFour>(Strategy::OriginalGpp, seed.wrapping_add(offset), 1_500);
        live::<ConnectFour>(Strategy::RootSplit, seed.wrapping_add(offset), 1_000);
        live::<ConnectFour>(Strategy::Pipeline, seed.wrapping_add(offset), 1_500);
    }
}

/// A world with `count` steady workers that have reported along one line.
fn steady(count: usize, ponder: bool) -> (World<Chess>, Vec<<Chess as Game>::Move>) {
    let mut world: World<Chess> = World::new(Strategy::Pipeline, 7);
    world.pipeline.settings_mut().ponder = ponder;
    for id in 1..=count as u32 {
        let ability = Ability { harvests: false, ..ability(&mut Rng::new(1)) };
        world.orders.insert(WorkerId(id), None);
        world.pipeline.handle_joined(world.now, WorkerId(id), ability);
    }
    let limits = Limits { infinite: true, ..Limits::default() };
    let place = world.game.clone();
    let search = Search { epoch: Epoch(1), place, only: Vec::new(), lines: 1, limits };
    world.asked = Some(Epoch(1));
    world.pipeline.handle_order(world.now, Order::Search(search));
    world.drain();
    let mut position = Chess::start();
    let mut moves = Vec::new();
    for text in ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6", "b5a4", "g8f6"] {
        let mv = position.parse_move(text).unwrap();
        moves.push(mv);
        position.play(mv);
    }
    // Each node's worker tells how the line goes on, and the next free one takes that up.
    for plies in 0..count - 1 {
        let tree = world.pipeline.tree();
        let id = tree.ids().into_iter().find(|&id| tree.way(id) == moves[..plies]).unwrap();
        let worker = tree.node(id).worker().unwrap();
        let epoch = world.orders[&worker].as_ref().unwrap().epoch;
        let score = if plies % 2 == 0 { 30 } else { -30 };
        let line = moves[plies..].to_vec();
        let opinion = Opinion::new(Score::Centipawns(score), 20, line);
        world.pipeline.handle_report(world.now, worker, Report::Opinion { epoch, opinion });
        world.drain();
    }
    (world, moves)
}

#[test]
fn free_workers_follow_the_line() {
    let (world, moves) = steady(6, false);
    let tree = world.pipeline.tree();
    assert_eq!(tree.len(), 6);
    let deepest = tree.ids().into_iter().map(|id| tree.way(id)).max_by_key(Vec::len).unwrap();
    assert_eq!(deepest, moves[..5]);
    world.check();
}

#[test]
fn workers_on_surviving_nodes_get_no_stop() {
    let (mut world, moves) = steady(6, true);
    let tree = world.pipeline.tree();
    // The last one may get a child, and then has to leave that move out.
    let survivors: Vec<_> = tree
        .ids()
        .into_iter()
        .filter(|&id| (2..5).contains(&tree.way(id).len()))
        .map(|id| tree.node(id).worker().unwrap())
        .collect();
    assert_eq!(survivors.len(), 3);
    world.interruptions.clear();
    // Our move, then the expected answer and the next question.
    world.pipeline.handle_order(world.now, Order::Stop(Epoch(1)));
    while let Some(output) = world.pipeline.poll() {
        if let Output::Below(id, Order::Search(_) | Order::Stop(_)) = output {
            *world.interruptions.entry(id).or_default() += 1;
        }
    }
    let mut place = world.game.clone();
    place.play(moves[0]);
    place.play(moves[1]);
    let limits = Limits { infinite: true, ..Limits::default() };
    let search = Search { epoch: Epoch(2), place, only: Vec::new(), lines: 1, limits };
    world.pipeline.handle_order(world.now, Order::Search(search));
    while let Some(output) = world.pipeline.poll() {
        if let Output::Below(id, Order::Search(_) | Order::Stop(_)) = output {
            *world.interruptions.entry(id).or_default() += 1;
        }
    }
    for worker in survivors {
        let count = world.interruptions.get(&worker).copied().unwrap_or(0);
        assert_eq!(count, 0, "{worker:?} was interrupted");
    }
}
