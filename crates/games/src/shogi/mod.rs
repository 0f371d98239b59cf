//! Shogi: Japanese chess with drops.
//!
//! Moves come from `shunsai`, which leaves out two pawns on a file and mate by pawn drop.
//! What it has no notion of is here: repetition and perpetual check, the entering-king
//! declaration, reading and writing positions, moves and records, and the tactical questions
//! a search asks. Black (Sente) is [`Side::First`].

mod attacks;
mod declaration;
pub mod eval;
mod exchange;
mod history;
mod moves;
pub mod record;
mod sfen;
mod tactics;
mod usi;

use std::fmt;
use std::sync::LazyLock;

use shogi_core::{Color, Move, PartialPosition, Square};
use shunsai::Position;

pub use self::declaration::Declaration;
pub use self::eval::ShogiEvaluator;
use self::history::{History, Repeated};
pub use self::moves::Moves;
use crate::{Ending, Game, Outcome, Side, Tactics};

pub use shogi_core;

/// A shogi position with the game that led to it.
///
/// ```
/// use senbon_games::{Game, Notation, shogi::Shogi};
/// let mut game = Shogi::start();
/// let mv = game.parse_move("7g7f").unwrap();
/// game.play(mv);
/// assert_eq!(
///     game.format_position(),
///     "lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2"
/// );
/// ```
#[derive(Clone)]
pub struct Shogi {
    position: Position,
    history: History,
    /// The number of the next move at the start of `history`; 1 in a whole game.
    first_ply: u16,
}

/// What [`Shogi`] needs to take a move back.
#[derive(Clone, Copy, Debug)]
pub struct Undo(shunsai::Undo);

/// Two things that `shunsai` does not give away: how its key changes with the side to move,
/// and an undo record of a move that captured nothing.
struct Passing {
    side_key: u64,
    undo: shunsai::Undo,
}

static PASSING: LazyLock<Passing> = LazyLock::new(|| {
    let mut position = PartialPosition::startpos();
    let black = Position::new(position.clone());
    position.side_to_move_set(Color::White);
    let white = Position::new(position);
    let advance = Move::Normal { from: Square::SQ_7G, to: Square::SQ_7F, promote: false };
    Passing { side_key: black.key() ^ white.key(), undo: black.clone().do_move(advance) }
});

impl Shogi {
    /// A game that starts at `position`, which must be one that the rules allow.
    fn from_parts(position: Position, first_ply: u16) -> Self {
        let history = History::new(position.key(), position.in_check());
        Shogi { position, history, first_ply }
    }

    /// The board and the hands.
    #[inline]
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The number of the next move: 1 at the start of a game.
    pub fn ply(&self) -> usize {
        usize::from(self.first_ply) + self.history.plies()
    }

    /// The colour of a side: Black moves first.
    pub fn color_of(side: Side) -> Color {
        match side {
            Side::First => Color::Black,
            Side::Second => Color::White,
        }
    }

    /// The side of a colour.
    pub fn side_of(color: Color) -> Side {
        match color {
            Color::Black => Side::First,
            Color::White => Side::Second,
        }
    }

    /// Gives the move to the other side. There must be a piece on `occupied`.
    ///
    /// `shunsai` has no such move, but its `undo_move` is one if the move to take back goes
    /// from a square to itself: the piece is lifted and put back, and the side to move
    /// changes. It also sets the key and counts a ply down. Neither is used here: our key
    /// follows the *change* of `shunsai`'s, and plies are counted by the history.
    fn switch_sides(&mut self, occupied: Square) {
        let nowhere = Move::Normal { from: occupied, to: occupied, promote: false };
        self.position.undo_move(nowhere, PASSING.undo);
    }
}

impl Game for Shogi {
    const NAME: &'static str = "shogi";

    type Move = Move;
    type Undo = Undo;
    type Moves = Moves;

    #[inline]
    fn side_to_move(&self) -> Side {
        Shogi::side_of(self.position.side_to_move())
    }

    #[inline]
    fn moves(&self) -> Moves {
        Moves::all(&self.position)
    }

    #[inline]
    fn play(&mut self, mv: Move) -> Undo {
        // Foreseeing a check is cheaper than looking for one around the king afterwards.
        let in_check = self.gives_check(mv);
        let before = self.position.key();
        let undo = self.position.do_move(mv);
        let key = self.history.key() ^ before ^ self.position.key();
        self.history.push(key, in_check);
        Undo(undo)
    }

    #[inline]
    fn take_back(&mut self, mv: Move, undo: Undo) {
        self.position.undo_move(mv, undo.0);
        self.history.pop();
    }

    #[inline]
    fn key(&self) -> u64 {
        self.history.key()
    }

    #[inline]
    fn code(mv: Move) -> u16 {
        match mv {
            Move::Normal { from, to, promote } => {
                u16::from(promote) << 15 | u16::from(from.index()) << 8 | u16::from(to.index())
            }
            // Squares end at 81, so bit 7 tells drops apart.
            Move::Drop { piece, to } => {
                (piece.piece_kind() as u16) << 8 | 1 << 7 | u16::from(to.index())
            }
        }
    }

    /// Never: even a player who may declare a win has to say so.
    fn ended(&self) -> Option<Outcome> {
        None
    }

    /// Whoever cannot move has lost, in check or not.
    fn stuck(&self) -> Outcome {
        let ending = if self.history.in_check() { Ending::Checkmate } else { Ending::NoMoves };
        Outcome::win(!self.side_to_move(), ending)
    }

    /// The fourth occurrence of a position draws; if one side gave check with every move
    /// since the first occurrence, it loses.
    fn ended_by_history(&self) -> Option<Outcome> {
        let mover = self.side_to_move();
        Some(match self.history.repeated()? {
            Repeated::Draw => Outcome::draw(Ending::Repetition),
            Repeated::MoverChecked => Outcome::win(!mover, Ending::PerpetualCheck),
            Repeated::OtherChecked => Outcome::win(mover, Ending::PerpetualCheck),
        })
    }

    fn repeats(&self) -> bool {
        self.history.repeats()
    }

    #[inline]
    fn count_moves(&self) -> usize {
        moves::count(&self.position)
    }
}

/// Equal board, hands, side to move, move number and history.
impl PartialEq for Shogi {
    fn eq(&self, other: &Self) -> bool {
        let (a, b) = (&self.position, &other.position);
        self.first_ply == other.first_ply
            && self.history == other.history
            && a.side_to_move() == b.side_to_move()
            && Color::all().into_iter().all(|color| a.hand(color) == b.hand(color))
            && Square::all().all(|square| a.piece_at(square) == b.piece_at(square))
    }
}

impl fmt::Debug for Shogi {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} after {} moves", sfen::format(self), self.history.plies())
    }
}
