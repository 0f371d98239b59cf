//! Moves as UCI writes them, and [`Notation`] as a whole.
//!
//! Castling is `e1g1` in ordinary chess and "king takes rook" (`e1h1`) in Chess960. Both
//! forms are read wherever they can only mean castling.

use cozy_chess::{Board, CastleRights, File, Move, Piece, Rank, Square};

use super::{Chess, fen};
use crate::{Notation, NotationError};

impl Notation for Chess {
    fn start() -> Self {
        Chess::from_board(Board::startpos(), false)
    }

    fn parse_position(text: &str) -> Result<Self, NotationError> {
        fen::parse(text)
    }

    fn format_position(&self) -> String {
        fen::format(self)
    }

    fn parse_move(&self, text: &str) -> Result<Move, NotationError> {
        let mv = parse_squares(text)?;
        if self.board.is_legal(mv) {
            return Ok(mv);
        }
        if let Some(castling) = self.as_castling(mv).filter(|&mv| self.board.is_legal(mv)) {
            return Ok(castling);
        }
        Err(self.why_illegal(mv))
    }

    fn format_move(&self, mv: Move) -> String {
        if self.chess960 || !self.is_castling(mv) {
            return mv.to_string();
        }
        let file = if mv.to.file() > mv.from.file() { File::G } else { File::C };
        let to = Square::new(file, mv.from.rank());
        Move { to, ..mv }.to_string()
    }

    /// Algebraic notation, or UCI.
    fn parse_readable(&self, text: &str) -> Result<Move, NotationError> {
        let squares = parse_squares(text).is_ok();
        self.parse_move(text).or_else(|error| {
            self.parse_san(text).map_err(|other| if squares { error } else { other })
        })
    }

    /// Algebraic notation.
    fn format_readable(&self, mv: Move) -> String {
        self.format_san(mv)
    }
}

impl Chess {
    /// A king's two-square step from the e-file, as "king takes rook".
    fn as_castling(&self, mv: Move) -> Option<Move> {
        let us = self.board.side_to_move();
        let back_rank = Rank::First.relative_to(us);
        if mv.from != self.board.king(us)
            || mv.from != Square::new(File::E, back_rank)
            || mv.to.rank() != back_rank
        {
            return None;
        }
        let &CastleRights { short, long } = self.board.castle_rights(us);
        let rook = match mv.to.file() {
            File::G => short?,
            File::C => long?,
            _ => return None,
        };
        Some(Move { to: Square::new(rook, back_rank), ..mv })
    }

    fn why_illegal(&self, mv: Move) -> NotationError {
        let us = self.board.side_to_move();
        if !self.board.colors(us).has(mv.from) {
            return NotationError::new(
                0,
                format!("no piece of the side to move is on {}", mv.from),
            );
        }
        let without = Move { promotion: None, ..mv };
        let as_queen = Move { promotion: Some(Piece::Queen), ..mv };
        match mv.promotion {
            Some(_) if self.board.is_legal(without) => {
                NotationError::new(4, format!("{without} is no promotion"))
            }
            None if self.board.is_legal(as_queen) => {
                NotationError::new(4, format!("{mv} must say what it promotes to (q, r, b or n)"))
            }
            _ => NotationError::new(0, format!("{mv} is not a legal move here")),
        }
    }
}

/// Two squares and perhaps a promotion.
fn parse_squares(text: &str) -> Result<Move, NotationError> {
    let square = |at: usize| {
        let part = text.get(at..at + 2);
        part.and_then(|part| part.parse::<Square>().ok()).ok_or_else(|| {
            NotationError::new(at.min(text.len()), "a move is two squares, such as e2e4 or e7e8q")
        })
    };
    let (from, to) = (square(0)?, square(2)?);
    let promotion = match &text[4..] {
        "" => None,
        "q" => Some(Piece::Queen),
        "r" => Some(Piece::Rook),
        "b" => Some(Piece::Bishop),
        "n" => Some(Piece::Knight),
        rest => {
            return Err(NotationError::new(4, format!("{rest} is no promotion (q, r, b or n)")));
        }
    };
    Ok(Move { from, to, promotion })
}
