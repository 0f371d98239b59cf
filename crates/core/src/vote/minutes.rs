//! The record of a vote, as Figure 3 of akara-2010 shows it: who voted what with which weight,
//! at what speed, final or not, the limits, the prediction, the move.

use std::fmt;
use std::time::Duration;

use senbon_games::{Game, Notation};

use super::agreement::Agreement;
use super::count::Weight;
use crate::{Place, Score};

/// What a vote was about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// The move to play (phase 1).
    Move,
    /// What the opponent will play (phase 2).
    Prediction,
}

/// How the position voted on came about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrival {
    /// It was not expected to come.
    New,
    /// It had been predicted: the voters went on.
    Predicted,
    /// Another move than the predicted one was played.
    Alternated,
}

/// One voter and its vote.
#[derive(Clone, Debug, PartialEq)]
pub struct Vow<M> {
    /// Who.
    pub name: String,
    /// With which weight.
    pub weight: Weight,
    /// For which move; none without an opinion.
    pub mv: Option<M>,
    /// What it thinks of it, from the view of the side to move.
    pub score: Option<Score>,
    /// And how deep it looked.
    pub depth: u32,
    /// It was sure.
    pub is_final: bool,
    /// It has workers.
    pub present: bool,
    /// Positions searched.
    pub nodes: u64,
    /// In this time.
    pub time: Duration,
}

/// The record of a vote.
#[derive(Clone, Debug)]
pub struct Minutes<G: Game> {
    /// The position voted on, and how it was reached.
    pub place: Place<G>,
    /// What about.
    pub purpose: Purpose,
    /// How the position came about.
    pub arrival: Arrival,
    /// The limits, if there was a clock.
    pub limits: Option<Agreement>,
    /// How long it took.
    pub time: Duration,
    /// The voters in the order of the plan.
    pub vows: Vec<Vow<G::Move>>,
    /// The moves voted for and their weights together in thousandths, the winner first.
    pub sums: Vec<(G::Move, u64)>,
    /// What was decided: the winner, or a legal move when nobody voted.
    pub chosen: Option<G::Move>,
}

impl<G: Notation> Minutes<G> {
    /// A move of the position voted on.
    pub fn format_move(&self, mv: G::Move) -> String {
        self.place.position().format_move(mv)
    }
}

impl<G: Notation> fmt::Display for Minutes<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ply = self.place.moves().len();
        match self.purpose {
            Purpose::Move => write!(f, "Position {ply}: my turn")?,
            Purpose::Prediction => write!(f, "Position {ply}: the opponent's turn")?,
        }
        match self.arrival {
            Arrival::New => writeln!(f, ".")?,
            Arrival::Predicted => writeln!(f, ", as predicted.")?,
            Arrival::Alternated => writeln!(f, ", after an unexpected move.")?,
        }
        if let Some(limits) = &self.limits {
            let seconds = |time: Duration| time.as_secs_f64();
            let (max, fine, easy) =
                (seconds(limits.max), seconds(limits.fine), seconds(limits.easy));
            writeln!(f, "Time limits: max={max:.2} fine={fine:.2} easy={easy:.2}s")?;
        }
        let valid = self.vows.iter().filter(|vow| vow.mv.is_some()).count();
        writeln!(f, "{valid} valid ballots of {} voters.", self.vows.len())?;
        for &(mv, sum) in &self.sums {
            writeln!(f, "sum = {}", Weight(u32::try_from(sum).unwrap_or(u32::MAX)))?;
            for vow in self.vows.iter().filter(|vow| vow.mv == Some(mv)) {
                let seconds = vow.time.as_secs_f64();
                let speed = vow.nodes as f64 / seconds.max(1e-3) / 1000.0;
                let (weight, text) = (vow.weight, self.format_move(mv));
                let mark = if vow.is_final { " final" } else { "" };
                let name = &vow.name;
                writeln!(f, "{weight} {text} nps={speed:8.1}K {seconds:6.2} {name}{mark}")?;
            }
        }
        for vow in self.vows.iter().filter(|vow| vow.mv.is_none()) {
            let why = if vow.present { "has no opinion" } else { "is not there" };
            writeln!(f, "{} {} {why}", vow.weight, vow.name)?;
        }
        let chosen = self.chosen.map_or_else(|| "nothing".to_owned(), |mv| self.format_move(mv));
        let verb = match self.purpose {
            Purpose::Move => "Play",
            Purpose::Prediction => "Ponder on",
        };
        writeln!(f, "{verb} {chosen} after {:.2}s.", self.time.as_secs_f64())
    }
}
