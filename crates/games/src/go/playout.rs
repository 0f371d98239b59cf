//! Random games to the end, as fast as they can be played.
//!
//! The policy is light: any legal move, all equally likely, except into an own true eye. Ko is
//! the simple rule and suicide is not played, whatever the rules of the game are; a playout
//! decides nothing that finer rules would change often. Nothing is allocated.

use super::board::{Board, Watch};
use super::life::Stones;
use super::point::{MAX_SIZE, MIN_SIZE, Point};
use super::position::Go;
use crate::{Game, Rng, Side};

/// The empty points of a board, in no order.
#[derive(Clone)]
struct Open {
    /// How many stones more Black has on the board.
    stones_lead: i32,
    len: usize,
    points: [Point; MAX_SIZE * MAX_SIZE],
}

/// +1 for Black, −1 for White.
#[inline(always)]
const fn sign(side: Side) -> i32 {
    match side {
        Side::First => 1,
        Side::Second => -1,
    }
}

impl Open {
    /// Starts anew with the empty points of `board`.
    fn collect(&mut self, board: &Board) {
        self.stones_lead = 0;
        self.len = 0;
        for point in board.points() {
            match board.get(point) {
                Some(side) => self.stones_lead += sign(side),
                None => {
                    self.points[self.len] = point;
                    self.len += 1;
                }
            }
        }
    }
}

impl Watch for Open {
    #[inline]
    fn emptied(&mut self, point: Point, side: Side) {
        self.stones_lead -= sign(side);
        self.points[self.len] = point;
        self.len += 1;
    }
}

/// A board to play random games on, again and again.
#[derive(Clone)]
pub struct Playout {
    board: Board,
    open: Open,
}

impl Default for Playout {
    fn default() -> Playout {
        Playout::new()
    }
}

impl Playout {
    /// Room for playouts on boards of any size.
    pub fn new() -> Playout {
        let points = [Point::NONE; MAX_SIZE * MAX_SIZE];
        Playout { board: Board::new(MIN_SIZE), open: Open { stones_lead: 0, len: 0, points } }
    }

    /// Plays a random game from `go` on until both sides pass, or until three moves for every
    /// point of the board were made, and returns by how many points of area Black is then
    /// ahead, without komi.
    pub fn play(&mut self, go: &Go, rng: &mut Rng) -> i32 {
        self.board.copy_from(go.board());
        self.open.collect(&self.board);
        let mut passes = go.passes();
        let mut side = go.side_to_move();
        for _ in 0..3 * self.board.size() * self.board.size() {
            if passes == 2 {
                break;
            }
            // Two copies of the same code, each for one colour, measure 2 % faster than one.
            let played = match side {
                Side::First => self.play_one(Side::First, rng),
                Side::Second => self.play_one(Side::Second, rng),
            };
            passes = if played { 0 } else { passes + 1 };
            side = !side;
        }
        self.area_lead()
    }

    /// By how many points of area Black is ahead.
    fn area_lead(&self) -> i32 {
        let mut lead = self.open.stones_lead;
        for &point in &self.open.points[..self.open.len] {
            match self.board.surrounded_by(point) {
                Some(surrounded) => lead += surrounded,
                // Does not happen once both sides have passed, only at the limit of moves.
                None => return Stones::from(&self.board).area_lead(),
            }
        }
        lead
    }

    /// The board as the last playout left it.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Plays a random sensible move of `side`; passes and says so if there is none.
    #[inline(always)]
    fn play_one(&mut self, side: Side, rng: &mut Rng) -> bool {
        let Playout { board, open } = self;
        // Points that turn out not to be sensible go behind the remaining candidates, so that
        // those stay equally likely and each is tried once.
        let mut candidates = open.len;
        while candidates > 0 {
            let i = rng.below(candidates);
            let point = open.points[i];
            if board.is_sensible(point, side) {
                open.len -= 1;
                open.points[i] = open.points[open.len];
                open.stones_lead += sign(side);
                board.place(point, side, open);
                return true;
            }
            candidates -= 1;
            open.points.swap(i, candidates);
        }
        board.set_ko(None);
        false
    }
}
