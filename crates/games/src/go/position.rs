//! A game of Go: board, rules and history under one roof, as a [`Game`].

use std::fmt;

use arrayvec::ArrayVec;

use super::board::{Board, Trace};
use super::history::History;
use super::order;
use super::point::{MAX_SIZE, Move, Point};
use super::rows::Rows;
use super::rules::{Ko, Rules, Scoring};
use super::score::{self, Score};
use super::zobrist;
use crate::{Ending, Game, Outcome, Side, Tactics};

/// The legal moves of a position: stones row by row from the top left, then the pass.
pub type Moves = ArrayVec<Move, { MAX_SIZE * MAX_SIZE + 1 }>;

/// A position of Go with the rules it is played by and the positions before it.
///
/// Black is [`Side::First`]. Passing is always legal; two passes in a row end the game, and it
/// is counted as it stands (see [`Go::score`]).
#[derive(Clone)]
pub struct Go {
    rules: Rules,
    board: Board,
    side: Side,
    /// Passes in a row, at most 2.
    passes: u8,
    /// Stones taken by Black and by White.
    prisoners: [u32; 2],
    /// Stones on the board.
    stones: u32,
    /// Key of the stones alone.
    stones_key: u64,
    /// Key of the size and the rules.
    rules_key: u64,
    history: History,
}

/// Why a move may not be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Illegal {
    /// The point is not on this board.
    #[error("the point is not on the board")]
    OffBoard,
    /// There is a stone.
    #[error("there is a stone already")]
    Occupied,
    /// The stone would have no liberty, and the rules forbid suicide.
    #[error("the stone would have no liberty (suicide)")]
    Suicide,
    /// The stone would retake a ko at once.
    #[error("the ko may not be retaken at once")]
    Ko,
    /// The stone would bring back an earlier position.
    #[error("the stone would bring back an earlier position (superko)")]
    Superko,
}

/// What [`Go::take_back`](Game::take_back) needs.
pub struct Undo {
    stones: u32,
    stones_key: u64,
    prisoners: [u32; 2],
    passes: u8,
    ko: Option<Point>,
    /// `None` for a pass.
    placed: Option<Trace>,
}

impl Go {
    /// An empty board of `size` × `size` points, Black to move.
    ///
    /// # Panics
    /// If `size` is not within [`MIN_SIZE`](super::MIN_SIZE)`..=`[`MAX_SIZE`].
    pub fn new(size: usize, rules: Rules) -> Go {
        Go::with_position(Board::new(size), rules, Side::First, 0, [0; 2])
    }

    /// A game that starts at a given position, in which every chain has a liberty.
    pub(super) fn with_position(
        board: Board,
        rules: Rules,
        side: Side,
        passes: u8,
        prisoners: [u32; 2],
    ) -> Go {
        let key_of = |point| board.get(point).map_or(0, |side| zobrist::stone(point, side));
        let stones_key = board.points().fold(0, |key, point| key ^ key_of(point));
        let stones = board.points().filter(|&point| !board.is_empty(point)).count() as u32;
        let mut go = Go {
            rules_key: rules_key(board.size(), &rules),
            history: History::new(0, 0),
            rules,
            board,
            side,
            passes,
            prisoners,
            stones,
            stones_key,
        };
        go.history = History::new(go.repetition_key(), stones);
        go
    }

    /// The board.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Rows and columns.
    pub fn size(&self) -> usize {
        self.board.size()
    }

    /// The rules.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Passes in a row that were just made, at most 2.
    pub fn passes(&self) -> u8 {
        self.passes
    }

    /// Stones that `side` has taken so far.
    pub fn prisoners(&self, side: Side) -> u32 {
        self.prisoners[side.index()]
    }

    /// The count if the game ended here with all stones left as they are. Under territory
    /// scoring, stones in the other side's pass-alive regions are dead all the same.
    pub fn score(&self) -> Score {
        self.score_without(&Rows::EMPTY)
    }

    /// The count if the game ended here and the players agreed that the stones on `dead` are
    /// dead. Points without a stone do not matter.
    pub fn score_without(&self, dead: &Rows) -> Score {
        score::count(&self.board, &self.rules, self.prisoners, dead)
    }

    /// Whether `mv` may be played, and if not, why.
    pub fn check(&self, mv: Move) -> Result<(), Illegal> {
        let Some(point) = mv.point() else { return Ok(()) };
        if !self.board.contains(point) {
            return Err(Illegal::OffBoard);
        }
        if !self.board.is_empty(point) {
            return Err(Illegal::Occupied);
        }
        self.check_empty(point)
    }

    fn check_empty(&self, point: Point) -> Result<(), Illegal> {
        let breathes = self.board.breathes(point, self.side);
        if !breathes && !self.rules.suicide {
            return Err(Illegal::Suicide);
        }
        if self.board.ko() == Some(point) {
            return Err(Illegal::Ko);
        }
        if self.rules.ko != Ko::Simple && self.repeats_by(point, breathes) {
            return Err(Illegal::Superko);
        }
        Ok(())
    }

    /// Whether a stone on the empty `point` would bring back what must not come back.
    fn repeats_by(&self, point: Point, breathes: bool) -> bool {
        // With more stones on the board than there ever were, it is a new position.
        let adds_one = breathes && !self.board.takes_any(point, self.side);
        let most_yet = self.stones == self.history.most_stones();
        !(adds_one && most_yet) && self.history.contains(self.key_after(point, breathes))
    }

    /// What [`Self::repetition_key`] would be after a stone on the empty `point`, found
    /// without placing it. Only for the superko rules.
    fn key_after(&self, point: Point, breathes: bool) -> u64 {
        let mut key = self.stones_key;
        let mut take = |stone: Point, side| {
            for stone in self.board.chain(stone) {
                key ^= zobrist::stone(stone, side);
            }
        };
        if breathes {
            for head in self.board.captures(point, self.side) {
                take(head, !self.side);
            }
            key ^= zobrist::stone(point, self.side);
        } else {
            for head in self.board.chains_beside(point, self.side) {
                take(head, self.side);
            }
        }
        self.repetition_key_of(key, !self.side)
    }

    /// What must not come back under the rules of this game.
    fn repetition_key(&self) -> u64 {
        self.repetition_key_of(self.stones_key, self.side)
    }

    fn repetition_key_of(&self, stones_key: u64, side: Side) -> u64 {
        match self.rules.ko {
            Ko::Positional => stones_key,
            Ko::Situational => stones_key ^ zobrist::turn(side),
            Ko::Simple => stones_key ^ zobrist::turn(side) ^ self.prisoners_key(),
        }
    }

    /// Prisoners are part of a position where they count.
    fn prisoners_key(&self) -> u64 {
        match self.rules.scoring {
            Scoring::Area => 0,
            Scoring::Territory => {
                zobrist::prisoners(self.prisoners[0] as i32 - self.prisoners[1] as i32)
            }
        }
    }
}

fn rules_key(size: usize, rules: &Rules) -> u64 {
    let parts = [
        size as u64,
        rules.ko as u64,
        rules.suicide as u64,
        rules.scoring as u64,
        rules.tax as u64,
        rules.komi.halves() as u64,
    ];
    parts.iter().fold(0, |key, &part| zobrist::mix(key ^ part))
}

impl Game for Go {
    const NAME: &'static str = "go";

    type Move = Move;
    type Undo = Undo;
    type Moves = Moves;

    fn side_to_move(&self) -> Side {
        self.side
    }

    fn moves(&self) -> Moves {
        let mut moves = Moves::new();
        for point in self.board.points() {
            if self.board.is_empty(point) && self.check_empty(point).is_ok() {
                moves.push(Move::at(point));
            }
        }
        moves.push(Move::PASS);
        moves
    }

    /// A stone on a point that is not empty counts as a pass.
    fn play(&mut self, mv: Move) -> Undo {
        let mut undo = Undo {
            stones: self.stones,
            stones_key: self.stones_key,
            prisoners: self.prisoners,
            passes: self.passes,
            ko: self.board.ko(),
            placed: None,
        };
        match mv.point().filter(|&point| self.board.is_empty(point)) {
            None => {
                self.passes = (self.passes + 1).min(2);
                self.board.set_ko(None);
            }
            Some(point) => {
                let trace = self.board.place_traced(point, self.side);
                self.stones_key ^= zobrist::stone(point, self.side) ^ trace.removed_key;
                self.stones = self.stones + 1 - trace.removed_stones;
                let suicide = self.board.is_empty(point);
                let taker = if suicide { !self.side } else { self.side };
                self.prisoners[taker.index()] += trace.removed_stones;
                self.passes = 0;
                undo.placed = Some(trace);
            }
        }
        self.side = !self.side;
        self.history.push(self.repetition_key(), self.stones);
        undo
    }

    fn take_back(&mut self, mv: Move, undo: Undo) {
        self.history.pop();
        self.side = !self.side;
        if let (Some(point), Some(trace)) = (mv.point(), &undo.placed) {
            self.board.unplace(point, self.side, trace);
        }
        self.board.set_ko(undo.ko);
        self.stones = undo.stones;
        self.stones_key = undo.stones_key;
        self.prisoners = undo.prisoners;
        self.passes = undo.passes;
    }

    fn key(&self) -> u64 {
        self.stones_key
            ^ zobrist::turn(self.side)
            ^ zobrist::ko(self.board.ko())
            ^ zobrist::passes(self.passes)
            ^ self.prisoners_key()
            ^ self.rules_key
    }

    fn code(mv: Move) -> u16 {
        mv.code()
    }

    fn ended(&self) -> Option<Outcome> {
        (self.passes >= 2).then(|| self.score().outcome())
    }

    /// Never asked: passing is always legal.
    fn stuck(&self) -> Outcome {
        self.score().outcome()
    }

    fn ended_by_history(&self) -> Option<Outcome> {
        self.repeats().then_some(Outcome::draw(Ending::Repetition))
    }

    /// Only under simple ko: the other rules do not let a position come back.
    fn repeats(&self) -> bool {
        self.rules.ko == Ko::Simple && self.history.is_repeated()
    }

    /// As provided, less the search for a legal move: there is always the pass.
    fn outcome(&self) -> Option<Outcome> {
        self.ended().or_else(|| self.ended_by_history())
    }

    fn order_hint(&self, mv: Move) -> i32 {
        order::hint(&self.board, self.side, mv)
    }
}

/// Go has no pieces to exchange and no check; it is searched without those techniques.
impl Tactics for Go {}

/// Positions are equal if play would go on in the same way: by the stones, not by how they
/// came to be kept.
impl PartialEq for Go {
    fn eq(&self, other: &Go) -> bool {
        let stones = |go: &Go, side| go.board.stones(side);
        self.rules == other.rules
            && self.size() == other.size()
            && [Side::First, Side::Second].iter().all(|&s| stones(self, s) == stones(other, s))
            && (self.side, self.passes, self.prisoners, self.board.ko())
                == (other.side, other.passes, other.prisoners, other.board.ko())
            && self.stones_key == other.stones_key
            && self.history == other.history
    }
}

impl fmt::Debug for Go {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&crate::Notation::format_position(self))
    }
}
