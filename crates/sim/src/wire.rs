//! What a message becomes on its way between coordinator and worker.
//!
//! Today messages travel as values and only their size is estimated. A codec takes the place
//! of [`Values`]: it turns each message into bytes and back, and the rest does not notice.

use senbon_core::{Order, Report};
use senbon_games::Game;

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
    fn order(&mut self, order: Order<G>) -> Parcel<Order<G>>;
    /// A report on its way up.
    fn report(&mut self, report: Report<G>) -> Parcel<Report<G>>;
}

/// Messages as they are, with an estimate of their size.
#[derive(Clone, Copy, Debug, Default)]
pub struct Values;

/// Numbers, times and framing of any message.
const HEAD_BYTES: usize = 48;
/// A move as text with a blank.
const MOVE_BYTES: usize = 6;

impl<G: Game> Wire<G> for Values {
    fn order(&mut self, order: Order<G>) -> Parcel<Order<G>> {
        let moves = match &order {
            Order::Search(search) => search.place.moves().len() + search.only.len(),
            Order::Harvest { place, .. } => place.moves().len(),
            _ => 0,
        };
        Parcel { message: Some(order), bytes: HEAD_BYTES + MOVE_BYTES * moves }
    }

    fn report(&mut self, report: Report<G>) -> Parcel<Report<G>> {
        let moves = match &report {
            Report::Opinion { opinion, .. } => opinion.line.len() + 2 * opinion.visits.len(),
            Report::Harvest { positions, .. } => {
                positions.iter().map(|valued| valued.way.len() + 2).sum()
            }
            _ => 2,
        };
        Parcel { message: Some(report), bytes: HEAD_BYTES + MOVE_BYTES * moves }
    }
}
