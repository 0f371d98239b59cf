//! What a message becomes on its way between coordinator and worker.
//!
//! As a value, whose size is estimated ([`Values`]), which is fast; or as the bytes that go
//! over a real network, by the live world's own codec ([`Coded`]).

use std::collections::BTreeMap;

use senbon_core::wire::Codec;
use senbon_core::{Order, Report, WorkerId};
use senbon_games::{Game, Notation};

/// A message at the far end, and the bytes it took.
#[derive(Clone, Debug)]
pub struct Parcel<T> {
    /// What is read at the far end; `None` when it cannot be read.
    pub message: Option<T>,
    /// How much it was.
    pub bytes: usize,
}

/// Carries messages over a link.
pub trait Wire<G: Game> {
    /// An order on its way down.
    fn order(&mut self, to: WorkerId, order: Order<G>) -> Parcel<Order<G>>;
    /// A report on its way up.
    fn report(&mut self, from: WorkerId, report: Report<G>) -> Parcel<Report<G>>;
}

/// Messages as they are, with an estimate of their size.
#[derive(Clone, Copy, Debug, Default)]
pub struct Values;

/// Numbers, times and framing of any message.
const HEAD_BYTES: usize = 48;
/// A move as text with a blank.
const MOVE_BYTES: usize = 6;
/// A task takes about as many bytes as so many moves.
const TASK_MOVES: usize = 4;

impl<G: Game> Wire<G> for Values {
    fn order(&mut self, _: WorkerId, order: Order<G>) -> Parcel<Order<G>> {
        let moves = match &order {
            Order::Search(search) => search.place.moves().len() + search.only.len(),
            Order::Harvest { place, .. } => place.moves().len(),
            Order::Tasks(tasks) => {
                let root = tasks.root.as_ref().map_or(0, |(place, _)| place.moves().len());
                let ways: usize = tasks.ways.iter().map(|(_, way)| way.len()).sum();
                root + ways + TASK_MOVES * tasks.tasks.len()
            }
            _ => 0,
        };
        Parcel { message: Some(order), bytes: HEAD_BYTES + MOVE_BYTES * moves }
    }

    fn report(&mut self, _: WorkerId, report: Report<G>) -> Parcel<Report<G>> {
        let moves = match &report {
            Report::Opinion { opinion, .. } => opinion.line.len() + 2 * opinion.visits.len(),
            Report::Harvest { positions, .. } => {
                positions.iter().map(|valued| valued.way.len() + 2).sum()
            }
            Report::Findings { findings, .. } => TASK_MOVES * findings.len(),
            _ => 2,
        };
        Parcel { message: Some(report), bytes: HEAD_BYTES + MOVE_BYTES * moves }
    }
}

/// Connections whose codecs are kept; older ones have long ended.
const MOST_CONNECTIONS: usize = 1024;

/// Messages as bytes, there and back. What the codec refuses, such as an illegal move or a
/// report of an order long past, does not arrive.
#[derive(Clone, Debug)]
pub struct Coded<G: Notation> {
    /// The master's and the worker's end of each connection.
    ends: BTreeMap<WorkerId, (Codec<G>, Codec<G>)>,
}

impl<G: Notation> Default for Coded<G> {
    fn default() -> Self {
        Coded { ends: BTreeMap::new() }
    }
}

impl<G: Notation> Coded<G> {
    fn ends(&mut self, of: WorkerId) -> &mut (Codec<G>, Codec<G>) {
        if self.ends.len() >= MOST_CONNECTIONS && !self.ends.contains_key(&of) {
            self.ends.pop_first();
        }
        self.ends.entry(of).or_default()
    }
}

impl<G: Notation> Wire<G> for Coded<G> {
    fn order(&mut self, to: WorkerId, order: Order<G>) -> Parcel<Order<G>> {
        let (master, worker) = self.ends(to);
        let written = master.write_order(&order);
        let message = written.as_ref().ok().and_then(|bytes| worker.read_order(bytes).ok());
        Parcel { message, bytes: HEAD_BYTES + written.map_or(0, |bytes| bytes.len()) }
    }

    fn report(&mut self, from: WorkerId, report: Report<G>) -> Parcel<Report<G>> {
        let (master, worker) = self.ends(from);
        let written = worker.write_report(&report);
        let message = written.as_ref().ok().and_then(|bytes| master.read_report(bytes).ok());
        Parcel { message, bytes: HEAD_BYTES + written.map_or(0, |bytes| bytes.len()) }
    }
}

/// One or the other.
#[derive(Clone, Debug)]
pub enum EitherWire<G: Notation> {
    /// As values.
    Values(Values),
    /// As bytes.
    Coded(Coded<G>),
}

impl<G: Notation> Wire<G> for EitherWire<G> {
    fn order(&mut self, to: WorkerId, order: Order<G>) -> Parcel<Order<G>> {
        match self {
            EitherWire::Values(wire) => wire.order(to, order),
            EitherWire::Coded(wire) => wire.order(to, order),
        }
    }

    fn report(&mut self, from: WorkerId, report: Report<G>) -> Parcel<Report<G>> {
        match self {
            EitherWire::Values(wire) => wire.report(from, report),
            EitherWire::Coded(wire) => wire.report(from, report),
        }
    }
}
