//! A worker without a search: its opinions are drawn from a seed. Cheap enough for swarms of
//! thousands, and as rude as it is told to be.

use std::time::Duration;

use senbon_core::{Ability, Epoch, Opinion, Order, Report, Score, Search, Valued};
use senbon_games::{Game, Rng};

use crate::link::between;

/// A scripted worker.
#[derive(Clone, Debug)]
pub struct Script<G: Game> {
    rng: Rng,
    /// Mean time between two reports.
    interval: Duration,
    current: Option<Search<G>>,
    nodes: u64,
    depth: u32,
}

impl<G: Game> Script<G> {
    /// A worker that reports about once in `interval`.
    pub fn new(seed: u64, interval: Duration) -> Self {
        Script { rng: Rng::new(seed), interval, current: None, nodes: 0, depth: 0 }
    }

    /// What it can do: some cannot harvest, some cannot leave moves out.
    pub fn ability(&mut self) -> Ability {
        Ability {
            name: "scripted".to_owned(),
            game: G::NAME.to_owned(),
            speed: self.rng.below(1_000) as u64,
            restricts: !self.rng.one_in(8),
            counts_nodes: true,
            harvests: self.rng.one_in(2),
            several_lines: true,
            tasks: false,
            berth: None,
        }
    }

    /// Whether there is nothing to search.
    pub fn is_idle(&self) -> bool {
        self.current.is_none()
    }

    /// When it reports next, counted from now.
    pub fn pause(&mut self) -> Duration {
        between(&mut self.rng, self.interval / 4, self.interval * 2)
    }

    /// Takes an order and answers what is answered at once.
    pub fn order(&mut self, order: Order<G>) -> Option<Report<G>> {
        match order {
            Order::Search(search) => {
                let old = self.current.replace(search);
                self.nodes = 0;
                self.depth = 0;
                // Some engines still answer what was superseded.
                old.filter(|_| self.rng.one_in(2)).map(|old| self.done(&old))
            }
            Order::Stop(epoch) => {
                let stopped = self.current.take_if(|search| search.epoch == epoch)?;
                Some(self.done(&stopped))
            }
            Order::Harvest { epoch, place, count } => {
                Some(self.harvest(epoch, place.position(), count))
            }
            // Whoever waits for the end of a search has to hear of it, as from other workers.
            Order::NewGame => {
                let ended = self.current.take()?;
                Some(self.done(&ended))
            }
            Order::PonderHit(_) | Order::Tasks(_) => None,
        }
    }

    /// Its next report on what it searches.
    pub fn act(&mut self) -> Option<Report<G>> {
        let search = self.current.clone()?;
        self.nodes += 100 + self.rng.below(5_000) as u64;
        self.depth += self.rng.below(2) as u32;
        let limits = &search.limits;
        let enough = limits.nodes.is_some_and(|nodes| self.nodes >= nodes)
            || limits.depth.is_some_and(|depth| self.depth >= depth);
        let first = first_moves(&search);
        if enough || first.is_empty() {
            self.current = None;
            return Some(self.done(&search));
        }
        let line = line(search.place.position(), first, &mut self.rng);
        let score = Score::Centipawns(self.rng.below(400) as i32 - 200);
        let opinion = Opinion {
            nodes: self.nodes,
            rank: if search.lines > 1 { self.rng.below(search.lines) } else { 0 },
            ..Opinion::new(score, self.depth, line)
        };
        Some(Report::Opinion { epoch: search.epoch, opinion })
    }

    fn done(&mut self, search: &Search<G>) -> Report<G> {
        let best = self.rng.pick(&first_moves(search)).copied();
        Report::Done { epoch: search.epoch, best, ponder: None }
    }

    fn harvest(&mut self, epoch: Epoch, position: &G, count: usize) -> Report<G> {
        let positions = (0..self.rng.below(count + 1))
            .map(|_| {
                let moves = position.moves().into_iter().collect();
                let way = line(position, moves, &mut self.rng);
                let score = Score::Centipawns(self.rng.below(100) as i32 - 50);
                Valued { way, score, depth: self.rng.below(12) as u32, best: None }
            })
            .collect();
        Report::Harvest { epoch, positions }
    }
}

fn first_moves<G: Game>(search: &Search<G>) -> Vec<G::Move> {
    if search.only.is_empty() {
        search.place.position().moves().into_iter().collect()
    } else {
        search.only.clone()
    }
}

/// One to five random moves from `position`, the first one of `moves`.
pub(crate) fn line<G: Game>(position: &G, moves: Vec<G::Move>, rng: &mut Rng) -> Vec<G::Move> {
    let plies = 1 + rng.below(5);
    rng.line(position, moves, plies)
}
