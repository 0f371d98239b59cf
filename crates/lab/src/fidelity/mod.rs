//! The virtual world against the live one: the same coordinator with the same built-in workers
//! answers the same positions in both, and the difference is the error of the model.
//!
//! A virtual worker takes the same time for every node; how long, is measured on a live worker
//! beforehand. Live runs do not repeat, so that each position is answered twice live, and twice
//! in virtual time with another jitter of the links: how far two runs of the same thing differ
//! is the yardstick for the error.

mod compare;
mod page;
mod worlds;

use std::time::Duration;

use anyhow::{Result, bail};
use senbon_core::pipeline::{Settings, Strategy};
use senbon_core::{Place, RankTable};
use senbon_engines::builtin::BuiltIn;
use senbon_games::Rng;
use senbon_search::{Free, Request, Searcher, Signals, Table};

pub use compare::{Comparison, Pair};
pub use page::{csv, markdown};
use worlds::{Live, Virtual};

/// What is compared.
#[derive(Clone, Debug)]
pub struct Plan {
    /// How workers are joined.
    pub strategy: Strategy,
    /// Numbers of workers.
    pub workers: Vec<usize>,
    /// Positions to answer.
    pub positions: usize,
    /// Time for each of them.
    pub move_time: Duration,
    /// Table of a worker in mebibytes.
    pub table_mib: usize,
    /// Nodes of a virtual worker in a second; measured on a live one if not given.
    pub nodes_per_second: Option<u64>,
    /// Draws the positions and the jitter of the links.
    pub seed: u64,
}

impl Plan {
    fn settings(&self) -> Settings {
        Settings {
            strategy: self.strategy,
            table: RankTable::published(),
            overhead: Duration::ZERO,
            ponder: false,
            seed: self.seed,
            ..Settings::default()
        }
    }
}

/// How a world answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answered {
    /// The move, as text; empty if there was none.
    pub best: String,
    /// Depth of the last opinion.
    pub depth: u32,
    /// Nodes of all workers by the last opinion, and when that was told.
    pub nodes: u64,
    /// When it was told.
    pub time: Duration,
}

impl Answered {
    /// Nodes a second until the last opinion; none if there was none.
    pub fn speed(&self) -> Option<f64> {
        (self.nodes > 0 && !self.time.is_zero())
            .then(|| self.nodes as f64 / self.time.as_secs_f64())
    }
}

/// One position with one number of workers, in both worlds.
#[derive(Clone, Debug)]
pub struct Row {
    /// How many workers.
    pub workers: usize,
    /// The position as text.
    pub position: String,
    /// Two live runs.
    pub live: [Answered; 2],
    /// Two virtual runs; the links of the second have another jitter.
    pub simulated: [Answered; 2],
}

/// All that was measured.
#[derive(Clone, Debug)]
pub struct Measured {
    /// Nodes of a virtual worker in a second.
    pub nodes_per_second: u64,
    /// Every position with every number of workers.
    pub rows: Vec<Row>,
}

impl Measured {
    /// The comparisons for one number of workers.
    pub fn comparisons(&self, workers: usize) -> Vec<Comparison> {
        let rows: Vec<_> = self.rows.iter().filter(|row| row.workers == workers).collect();
        Pair::ALL.map(|pair| Comparison::of(pair, workers, &rows)).to_vec()
    }
}

/// Positions on which the pace is measured: others than those compared.
const PACE_POSITIONS: usize = 8;

/// Lets both worlds answer. `tell` hears how many of all answers there are, and says whether to
/// go on.
pub fn measure<G>(plan: &Plan, mut tell: impl FnMut(usize, usize) -> bool) -> Result<Measured>
where
    G: BuiltIn + Sync,
    G::Undo: Send,
{
    let mut rng = Rng::new(plan.seed);
    let mut places =
        |count: usize| -> Vec<Place<G>> { (0..count).map(|_| middle_game(&mut rng)).collect() };
    let compared = places(plan.positions);
    let nodes_per_second = match plan.nodes_per_second {
        Some(given) => given,
        None => pace(plan, &places(PACE_POSITIONS))?,
    };
    let mut measured = Measured { nodes_per_second, rows: Vec::new() };
    let total = plan.workers.len() * compared.len();
    for &workers in &plan.workers {
        let mut live = Live::start(plan, workers)?;
        let seeds = [plan.seed, plan.seed.wrapping_add(1)];
        let [mut first, mut second] = [
            Virtual::new(plan, workers, nodes_per_second, seeds[0])?,
            Virtual::new(plan, workers, nodes_per_second, seeds[1])?,
        ];
        for place in &compared {
            measured.rows.push(Row {
                workers,
                position: place.position().format_position(),
                live: [live.answer(place)?, live.answer(place)?],
                simulated: [first.answer(place)?, second.answer(place)?],
            });
            if !tell(measured.rows.len(), total) {
                return Ok(measured);
            }
        }
    }
    Ok(measured)
}

/// Nodes a second of one live worker.
fn pace<G>(plan: &Plan, places: &[Place<G>]) -> Result<u64>
where
    G: BuiltIn + Sync,
    G::Undo: Send,
{
    let mut live = Live::start(plan, 1)?;
    let (mut nodes, mut time) = (0, Duration::ZERO);
    for place in places {
        let answered = live.answer(place)?;
        nodes += answered.nodes;
        time += answered.time;
    }
    let rate = nodes as f64 / time.as_secs_f64().max(1e-9);
    if rate < 1.0 {
        bail!("a worker told nothing within {:?}: give it more time", plan.move_time);
    }
    Ok(rate as u64)
}

/// Random plies, and plies of a short search after them.
const RANDOM_PLIES: usize = 6;
const SEARCHED_PLIES: usize = 10;

/// A position that is neither over nor given away by the random moves alone.
fn middle_game<G: BuiltIn>(rng: &mut Rng) -> Place<G> {
    let mut searcher = Searcher::new(G::Judge::default(), Table::with_mib(1).into());
    let request = Request { nodes: Some(2_000), ..Request::default() };
    'game: loop {
        let mut place = Place::new(G::start());
        for ply in 0..RANDOM_PLIES + SEARCHED_PLIES {
            let moves: Vec<_> = place.position().moves().into_iter().collect();
            let mv = if ply < RANDOM_PLIES {
                rng.pick(&moves).copied()
            } else {
                let signals = Signals::default();
                searcher.search(place.position(), &request, &signals, &mut Free, |_| {}).best()
            };
            match mv {
                Some(mv) => place.play(mv),
                None => continue 'game,
            }
        }
        // With one move there is nothing to choose, and nothing to search.
        if place.position().outcome().is_none() && place.position().count_moves() > 1 {
            return place;
        }
    }
}
