//! What the position pipeline itself costs: reports merged a second on a tree of 60 nodes,
//! and following the game with a tree of 1,536 nodes.
//!
//! Only the pipeline's own work is timed, by the processor time it takes; the opinions and
//! harvests it is told are made up beforehand. The medians of the rounds count.
use std::collections::BTreeMap;
use std::time::Duration;

use senbon_core::pipeline::{Output, Pipeline, Settings};
use senbon_core::{
    Ability, Epoch, Limits, Opinion, Order, Place, Report, Score, Search, Valued, WorkerId,
};
use senbon_games::chess::Chess;
use senbon_games::{Game, Notation, Rng};
use senbon_testkit::thread_time;

type Move = <Chess as Game>::Move;

const ROUNDS: usize = 15;

fn main() {
    merge_reports();
    for harvests in [false, true] {
        follow_the_game(harvests);
    }
}

/// A pipeline with workers that answer at once, with made-up opinions.
struct World {
    pipeline: Pipeline<Chess>,
    /// What each worker is to search now.
    orders: BTreeMap<WorkerId, Search<Chess>>,
    /// Harvests asked for and not answered yet.
    harvests: Vec<(WorkerId, Epoch, Place<Chess>, usize)>,
    rng: Rng,
    now: Duration,
    asked: Epoch,
    game: Place<Chess>,
}

impl World {
    fn new(workers: u32, harvests: bool) -> Self {
        let mut pipeline = Pipeline::new(Chess::start(), Settings::default());
        for id in 1..=workers {
            let ability = Ability {
                name: "made up".to_owned(),
                game: Chess::NAME.to_owned(),
                speed: 1_000_000,
                restricts: true,
                counts_nodes: true,
                harvests,
                several_lines: true,
                tasks: false,
                berth: None,
            };
            pipeline.handle_joined(Duration::ZERO, WorkerId(id), ability);
        }
        World {
            pipeline,
            orders: BTreeMap::new(),
            harvests: Vec::new(),
            rng: Rng::new(1),
            now: Duration::ZERO,
            asked: Epoch(0),
            game: Place::new(Chess::start()),
        }
    }

    /// Asks for a move at the place where the game is; how long that took.
    fn ask(&mut self) -> Duration {
        self.asked = self.asked.next();
        let limits = Limits { infinite: true, ..Limits::default() };
        let place = self.game.clone();
        let search = Search { epoch: self.asked, place, only: Vec::new(), lines: 1, limits };
        let began = thread_time();
        self.pipeline.handle_order(self.now, Order::Search(search));
        let mut outputs = drain(&mut self.pipeline);
        let taken = thread_time() - began;
        self.note(&mut outputs);
        taken
    }

    /// Answers the harvests asked for; how long the pipeline took over them.
    fn answer_harvests(&mut self) -> Duration {
        let mut taken = Duration::ZERO;
        for (id, epoch, place, count) in std::mem::take(&mut self.harvests) {
            let positions = harvest(&place, count, &mut self.rng);
            let began = thread_time();
            self.pipeline.handle_report(self.now, id, Report::Harvest { epoch, positions });
            let mut outputs = drain(&mut self.pipeline);
            taken += thread_time() - began;
            self.note(&mut outputs);
        }
        taken
    }

    fn note(&mut self, outputs: &mut Vec<Output<Chess>>) {
        for output in outputs.drain(..) {
            match output {
                Output::Below(id, Order::Search(search)) => {
                    self.orders.insert(id, search);
                }
                Output::Below(id, Order::Harvest { epoch, place, count }) => {
                    self.harvests.push((id, epoch, place, count));
                }
                _ => {}
            }
        }
    }

    /// What a worker could say next of its task.
    fn report(&mut self, id: WorkerId, depth: u32) -> Option<Report<Chess>> {
        let search = self.orders.get(&id)?;
        let line = line(search, 12, &mut self.rng);
        let score = Score::Centipawns(self.rng.below(60) as i32 - 30);
        let opinion = Opinion {
            seldepth: depth + 8,
            nodes: u64::from(depth) * 50_000,
            hashfull: Some(100),
            ..Opinion::new(score, depth, line)
        };
        Some(Report::Opinion { epoch: search.epoch, opinion })
    }

    /// Lets every worker speak until the tree has a node for each.
    fn grow(&mut self, nodes: usize) {
        for depth in 1..1_000 {
            if self.pipeline.tree().len() >= nodes {
                return;
            }
            let ids: Vec<_> = self.orders.keys().copied().collect();
            for id in ids {
                let Some(report) = self.report(id, depth) else { continue };
                self.pipeline.handle_report(self.now, id, report);
                let mut outputs = drain(&mut self.pipeline);
                self.note(&mut outputs);
            }
        }
        panic!("{} nodes of {nodes}", self.pipeline.tree().len());
    }
}

fn drain(pipeline: &mut Pipeline<Chess>) -> Vec<Output<Chess>> {
    std::iter::from_fn(|| pipeline.poll()).collect()
}

/// A line of play from where the search begins, within its restriction.
fn line(search: &Search<Chess>, plies: usize, rng: &mut Rng) -> Vec<Move> {
    let mut position = search.place.position().clone();
    let mut line = Vec::new();
    for ply in 0..plies {
        let first = ply == 0 && !search.only.is_empty();
        let moves: Vec<_> =
            if first { search.only.clone() } else { position.moves().into_iter().collect() };
        let Some(&mv) = rng.pick(&moves) else { break };
        line.push(mv);
        position.play(mv);
    }
    line
}

/// Positions worth a worker, as a table would hold them: each one ply from one before it.
fn harvest(place: &Place<Chess>, count: usize, rng: &mut Rng) -> Vec<Valued<Move>> {
    let mut ways: Vec<Vec<Move>> = vec![Vec::new()];
    while ways.len() <= count {
        let mut way = ways[rng.below(ways.len())].clone();
        let mut position = place.position().clone();
        for &mv in &way {
            position.play(mv);
        }
        let moves: Vec<_> = position.moves().into_iter().collect();
        way.extend(rng.pick(&moves));
        ways.push(way);
    }
    let score = Score::Centipawns(10);
    let ways = ways.into_iter().skip(1);
    ways.map(|way| Valued { way, score, depth: 8, best: None }).collect()
}

fn merge_reports() {
    const NODES: usize = 60;
    const REPORTS: usize = 60_000;
    let mut world = World::new(NODES as u32, false);
    world.ask();
    world.grow(NODES);
    let mut rates: Vec<f64> = (0..ROUNDS)
        .map(|round| {
            let reports: Vec<_> = (0..REPORTS)
                .filter_map(|number| {
                    let id = WorkerId(1 + (number % NODES) as u32);
                    let depth = 20 + (round * REPORTS + number) as u32 / NODES as u32 / 50;
                    Some((id, world.report(id, depth)?))
                })
                .collect();
            assert_eq!(reports.len(), REPORTS);
            let mut told = 0;
            let began = thread_time();
            for (id, report) in reports {
                world.pipeline.handle_report(world.now, id, report);
                while let Some(output) = world.pipeline.poll() {
                    told += usize::from(matches!(output, Output::Above(_)));
                }
            }
            let taken = thread_time() - began;
            assert!(told > 0 && world.pipeline.tree().len() == NODES);
            REPORTS as f64 / taken.as_secs_f64()
        })
        .collect();
    rates.sort_by(f64::total_cmp);
    println!(
        "reports merged: {:.2} million a second on a tree of {NODES} nodes (wanted: 1)",
        rates[ROUNDS / 2] / 1e6
    );
}

/// Plays a game; at each of its positions the tree is made full first.
fn follow_the_game(harvests: bool) {
    const NODES: usize = 1_536;
    let mut world = World::new(NODES as u32, harvests);
    world.ask();
    let (mut times, mut sizes) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        world.answer_harvests();
        world.grow(NODES);
        // The move the tree holds best, and an answer to it.
        for _ in 0..2 {
            let tree = world.pipeline.tree();
            let way = world.pipeline.tree().place().way_to(&world.game).map(<[_]>::len);
            let best = tree.best(tree.root()).map(|choice| choice.line);
            let mv = best.and_then(|line| line.get(way.unwrap_or(0)).copied());
            world.game.play(mv.expect("a line of two moves"));
        }
        let order = world.ask();
        times.push(order + world.answer_harvests());
        sizes.push(world.pipeline.tree().len());
    }
    times.sort();
    sizes.sort_unstable();
    let how = if harvests { "with harvests" } else { "by the variations told" };
    println!(
        "a game followed with {NODES} nodes, regrown {how} to {} nodes at once: {:.2} ms, at most \
         {:.2} ms (wanted: 5)",
        sizes[ROUNDS / 2],
        times[ROUNDS / 2].as_secs_f64() * 1e3,
        times[ROUNDS - 1].as_secs_f64() * 1e3
    );
}
