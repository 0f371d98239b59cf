//! Harvests: valuable positions from the engine's table if it can tell them, else from the
//! variations it has reported.

use std::collections::VecDeque;
use std::time::Duration;

use senbon_core::{Epoch, Opinion, Place, Report, Valued};
use senbon_games::Notation;

use super::translate;
use crate::universal::Harvested;

/// Harvests that may be under way at once.
const MOST_WAITING: usize = 16;
/// Variations remembered.
const MOST_LINES: usize = 16;
/// Plies of a variation that are looked at.
const REACH: usize = 8;

/// The harvests that the engine was asked for and has not finished.
#[derive(Debug)]
pub(super) struct Harvests<G: Notation> {
    waiting: VecDeque<Asked<G>>,
}

#[derive(Debug)]
struct Asked<G: Notation> {
    epoch: Epoch,
    place: Place<G>,
    count: usize,
    until: Duration,
    found: Vec<Valued<G::Move>>,
}

impl<G: Notation> Harvests<G> {
    pub(super) fn new() -> Self {
        Harvests { waiting: VecDeque::new() }
    }

    pub(super) fn has_room(&self) -> bool {
        self.waiting.len() < MOST_WAITING
    }

    pub(super) fn ask(&mut self, epoch: Epoch, place: Place<G>, count: usize, until: Duration) {
        self.waiting.push_back(Asked { epoch, place, count, until, found: Vec::new() });
    }

    /// The engine told one position. What breaks the rules is left out.
    pub(super) fn hear(&mut self, told: &Harvested) {
        let Some(asked) = self.waiting.front_mut() else { return };
        let way = translate::line(asked.place.position(), &told.way);
        if way.len() != told.way.len() || asked.found.len() >= asked.count {
            return;
        }
        let mut there = asked.place.position().clone();
        for &mv in &way {
            there.play(mv);
        }
        let best = told.best.as_ref().and_then(|text| there.parse_move(text).ok());
        let score = translate::worth(told.score.worth);
        asked.found.push(Valued { way, score, depth: told.depth, best });
    }

    /// The engine has told all it knows.
    pub(super) fn finish(&mut self) -> Option<Report<G>> {
        let Asked { epoch, found, .. } = self.waiting.pop_front()?;
        Some(Report::Harvest { epoch, positions: found })
    }

    /// When the first of them is overdue.
    pub(super) fn deadline(&self) -> Option<Duration> {
        self.waiting.front().map(|asked| asked.until)
    }

    /// Gives up all of them: what was asked, to be answered from elsewhere.
    pub(super) fn give_up(&mut self) -> Vec<(Epoch, Place<G>, usize)> {
        self.waiting.drain(..).map(|asked| (asked.epoch, asked.place, asked.count)).collect()
    }
}

/// What the engine reported of the search under way, or of the last one.
#[derive(Debug)]
pub(super) struct Variations<G: Notation> {
    place: Option<Place<G>>,
    /// Newest last.
    lines: VecDeque<Opinion<G::Move>>,
}

impl<G: Notation> Variations<G> {
    pub(super) fn new() -> Self {
        Variations { place: None, lines: VecDeque::new() }
    }

    /// A search of `place` begins.
    pub(super) fn begin(&mut self, place: &Place<G>) {
        self.place = Some(place.clone());
        self.lines.clear();
    }

    pub(super) fn note(&mut self, opinion: &Opinion<G::Move>) {
        self.lines.retain(|known| known.line != opinion.line);
        if self.lines.len() >= MOST_LINES {
            self.lines.pop_front();
        }
        self.lines.push_back(opinion.clone());
    }

    /// Positions below `place` on the variations through it, those searched deepest first.
    pub(super) fn harvest(&self, place: &Place<G>, count: usize) -> Vec<Valued<G::Move>> {
        let Some(prefix) = self.place.as_ref().and_then(|here| here.way_to(place)) else {
            return Vec::new();
        };
        let mut found: Vec<Valued<G::Move>> = Vec::new();
        for opinion in self.lines.iter().rev().filter(|it| it.line.starts_with(prefix)) {
            let mut score = opinion.score;
            for ply in 1..=opinion.line.len().min(prefix.len() + REACH) {
                score = score.one_ply_down();
                let depth = opinion.depth.saturating_sub(ply as u32);
                if ply <= prefix.len() || depth == 0 {
                    continue;
                }
                let way = opinion.line[prefix.len()..ply].to_vec();
                let best = opinion.line.get(ply).copied();
                if found.iter().all(|known| known.way != way) {
                    found.push(Valued { way, score, depth, best });
                }
            }
        }
        found.sort_by_key(|valued| (std::cmp::Reverse(valued.depth), valued.way.len()));
        found.truncate(count);
        found
    }
}
