//! Chess and Chess960, over the boards of `cozy-chess`.
//!
//! [`Chess`] is a board plus what a board alone cannot know: the positions before it (for
//! repetition) and whether moves are written the Chess960 way. Castling is "king takes own
//! rook" everywhere inside; only [`Notation`](crate::Notation) knows the other form.

mod count;
mod epd;
pub mod eval;
mod exchange;
mod fen;
pub mod pgn;
mod san;
mod tactics;
mod uci;

use arrayvec::ArrayVec;
use cozy_chess::{
    BitBoard, Board, CastleRights, Color, File, Piece, Rank, Square, get_pawn_attacks,
};

pub use cozy_chess::Move;
pub use epd::{Epd, Operation};
pub use eval::ChessEvaluator;
pub use san::{Action, Mark, San, SanError};

use crate::{Ending, Game, Outcome, Side};

/// The most legal moves a position can have.
///
/// 218 was long the record and is now known to be the maximum for every position with no more
/// promoted pieces than missing pawns, which is all that [`parse_position`] lets in.
///
/// [`parse_position`]: crate::Notation::parse_position
pub const MAX_MOVES: usize = 218;

/// A list of legal moves.
pub type Moves = ArrayVec<Move, MAX_MOVES>;

/// Plies without a capture or a pawn move after which the game is drawn.
const FIFTY_MOVES_PLIES: u8 = 100;

/// A chess position with the history that the rules ask for.
///
/// Equality is that of the whole state: clocks and history count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chess {
    board: Board,
    /// Keys of the positions before this one, the oldest first, one for each move played.
    history: Vec<u64>,
    chess960: bool,
}

impl Chess {
    /// The start position of Chess960 with Scharnagl's `number`; `None` from 960 on.
    ///
    /// Number 518 is the usual start, but moves are written the Chess960 way.
    ///
    /// ```
    /// use senbon_games::{Notation, chess::Chess};
    /// let start = Chess::chess960_start(0).unwrap();
    /// assert_eq!(
    ///     start.format_position(),
    ///     "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1"
    /// );
    /// ```
    pub fn chess960_start(number: u32) -> Option<Self> {
        (number < 960).then(|| Chess::from_board(Board::chess960_startpos(number), true))
    }

    fn from_board(board: Board, chess960: bool) -> Self {
        let chess960 = chess960 || !has_usual_castling(&board);
        Chess { board, history: Vec::new(), chess960 }
    }

    /// The board as the rules crate keeps it.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Whether castling is written as king takes rook and castling rights as files.
    pub fn is_chess960(&self) -> bool {
        self.chess960
    }

    /// Chooses how castling is written. Where the usual form cannot express the castling
    /// rights of this position, the Chess960 form stays.
    pub fn set_chess960(&mut self, chess960: bool) {
        self.chess960 = chess960 || !has_usual_castling(&self.board);
    }

    /// How often this position came up before, since the last capture or pawn move.
    pub fn repetitions(&self) -> usize {
        let key = self.key();
        self.earlier_with_same_side().filter(|&earlier| earlier == key).count()
    }

    /// Keys of the earlier positions that could be this one again: those since the last
    /// irreversible move with the same side to move, the nearest first. Nothing can repeat
    /// in fewer than four plies.
    fn earlier_with_same_side(&self) -> impl Iterator<Item = u64> {
        let plies = usize::from(self.board.halfmove_clock());
        self.history.iter().rev().take(plies).skip(3).step_by(2).copied()
    }

    /// The square where a pawn can be taken en passant by a legal move.
    ///
    /// The board remembers every double step. Two positions are the same by the laws when
    /// the same moves are possible (FIDE Laws of Chess, 9.2.3), so only this square counts.
    fn en_passant_target(&self) -> Option<Square> {
        let file = self.board.en_passant()?;
        let us = self.board.side_to_move();
        let target = Square::new(file, Rank::Sixth.relative_to(us));
        let takers = get_pawn_attacks(target, !us) & self.board.colored_pieces(us, Piece::Pawn);
        takers
            .into_iter()
            .any(|from| self.board.is_legal(Move { from, to: target, promotion: None }))
            .then_some(target)
    }

    /// Whether `mv` is castling.
    fn is_castling(&self, mv: Move) -> bool {
        self.board.colors(self.board.side_to_move()).has(mv.to)
    }

    /// What `mv` takes.
    fn captured(&self, mv: Move) -> Option<Piece> {
        captured(&self.board, mv)
    }

    fn has_moves(&self) -> bool {
        self.board.generate_moves(|_| true)
    }
}

/// What `mv` takes on `board`; castling takes nothing.
fn captured(board: &Board, mv: Move) -> Option<Piece> {
    if board.colors(!board.side_to_move()).has(mv.to) {
        return board.piece_on(mv.to);
    }
    let is_en_passant = mv.from.file() != mv.to.file() && board.pieces(Piece::Pawn).has(mv.from);
    is_en_passant.then_some(Piece::Pawn)
}

/// Whether all castling rights are of kings on the e-file with rooks in the corners.
fn has_usual_castling(board: &Board) -> bool {
    Color::ALL.iter().all(|&color| {
        let &CastleRights { short, long } = board.castle_rights(color);
        let on_e = short.or(long).is_none() || board.king(color).file() == File::E;
        on_e && short.is_none_or(|f| f == File::H) && long.is_none_or(|f| f == File::A)
    })
}

/// White moves first.
fn side_of(color: Color) -> Side {
    match color {
        Color::White => Side::First,
        Color::Black => Side::Second,
    }
}

/// Squares of one colour: a1 and all like it.
const DARK_SQUARES: BitBoard = BitBoard(0xaa55_aa55_aa55_aa55);

impl Game for Chess {
    const NAME: &'static str = "chess";

    type Move = Move;
    type Undo = Board;
    type Moves = Moves;

    #[inline]
    fn side_to_move(&self) -> Side {
        side_of(self.board.side_to_move())
    }

    #[inline]
    fn moves(&self) -> Moves {
        let mut moves = Moves::new();
        self.board.generate_moves(|piece_moves| {
            moves.extend(piece_moves);
            false
        });
        moves
    }

    #[inline]
    fn play(&mut self, mv: Move) -> Board {
        let undo = self.board.clone();
        self.history.push(self.key());
        self.board.play_unchecked(mv);
        undo
    }

    #[inline]
    fn take_back(&mut self, _mv: Move, undo: Board) {
        self.history.pop();
        self.board = undo;
    }

    #[inline]
    fn key(&self) -> u64 {
        if self.board.en_passant().is_none() || self.en_passant_target().is_some() {
            self.board.hash()
        } else {
            self.board.hash_without_ep()
        }
    }

    /// From-square, to-square and promotion; no move stays where it is, so none is zero.
    #[inline]
    fn code(mv: Move) -> u16 {
        let promotion = mv.promotion.map_or(0, |piece| piece as u16);
        mv.from as u16 | (mv.to as u16) << 6 | promotion << 12
    }

    /// Positions that no sequence of moves can win: bare kings, one knight, or bishops that
    /// all live on squares of one colour.
    #[inline]
    fn ended(&self) -> Option<Outcome> {
        let board = &self.board;
        let majors_and_pawns =
            board.pieces(Piece::Pawn) | board.pieces(Piece::Rook) | board.pieces(Piece::Queen);
        if !majors_and_pawns.is_empty() {
            return None;
        }
        let bishops = board.pieces(Piece::Bishop);
        let is_dead = match board.pieces(Piece::Knight).len() {
            0 => bishops.is_subset(DARK_SQUARES) || bishops.is_disjoint(DARK_SQUARES),
            1 => bishops.is_empty(),
            _ => false,
        };
        is_dead.then_some(Outcome::draw(Ending::InsufficientMaterial))
    }

    fn stuck(&self) -> Outcome {
        if self.board.checkers().is_empty() {
            Outcome::draw(Ending::NoMoves)
        } else {
            Outcome::win(!self.side_to_move(), Ending::Checkmate)
        }
    }

    /// Threefold repetition and the fifty-move rule. A mate given by the hundredth ply
    /// stands (FIDE Laws of Chess, 9.3 and 5.1.1).
    fn ended_by_history(&self) -> Option<Outcome> {
        if self.board.halfmove_clock() >= FIFTY_MOVES_PLIES
            && (self.board.checkers().is_empty() || self.has_moves())
        {
            return Some(Outcome::draw(Ending::FiftyMoves));
        }
        (self.repetitions() >= 2).then_some(Outcome::draw(Ending::Repetition))
    }

    fn repeats(&self) -> bool {
        let key = self.key();
        self.earlier_with_same_side().any(|earlier| earlier == key)
    }

    #[inline]
    fn count_moves(&self) -> usize {
        count::count_moves(&self.board)
    }

    /// Classes: captures of much by little, then quiet moves, then promotions to less than a
    /// queen.
    fn order_hint(&self, mv: Move) -> i32 {
        match (mv.promotion, self.captured(mv)) {
            (Some(Piece::Queen), None) => 8 * Piece::Queen as i32,
            (Some(Piece::Queen) | None, Some(victim)) => {
                let attacker = self.board.piece_on(mv.from).map_or(0, |piece| piece as i32);
                8 + 8 * victim as i32 - attacker
            }
            (Some(_), _) => -1,
            (None, None) => 0,
        }
    }
}
