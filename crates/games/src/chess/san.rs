//! Standard algebraic notation.
//!
//! Syntax and legality are apart: [`San`] is what the text says, [`San::resolve`] finds the
//! one legal move it means in a position. Reading is generous (superfluous squares, `0-0`,
//! missing `x`, `+` or `=`, trailing `!?`); writing is exact.

use std::fmt;

use cozy_chess::{BitBoard, CastleRights, Color, File, Move, Piece, Rank, Square};

use super::Chess;
use crate::{Game, NotationError};

/// What a move in algebraic notation says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct San {
    /// The move itself.
    pub action: Action,
    /// The sign behind it.
    pub mark: Mark,
}

/// The move of a [`San`], without the sign of check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// A piece goes to a square.
    Piece {
        /// What moves.
        piece: Piece,
        /// The file it comes from, if the text says so.
        file: Option<File>,
        /// The rank it comes from, if the text says so.
        rank: Option<Rank>,
        /// Whether the text says that it takes something.
        takes: bool,
        /// Where it goes.
        to: Square,
        /// What a pawn becomes.
        promotion: Option<Piece>,
    },
    /// Castling, to the h-side or to the a-side.
    Castling {
        /// To the a-side.
        long: bool,
    },
    /// `--`: the move goes to the other side. Some programs write it in variations; it
    /// cannot be played.
    Null,
}

/// The sign behind a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// Nothing.
    None,
    /// `+`
    Check,
    /// `#`
    Mate,
}

/// Why a [`San`] is not a move of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SanError {
    /// No legal move fits.
    #[error("{0} is not a legal move here")]
    Illegal(San),
    /// Several do.
    #[error("{0} could be {1} or {2}")]
    Ambiguous(San, Move, Move),
    /// Only promotions fit.
    #[error("{0} must say what it promotes to, such as =Q")]
    NoPromotion(San),
}

impl San {
    /// Reads the syntax of a move.
    pub fn parse(text: &str) -> Result<San, NotationError> {
        let bytes = text.as_bytes();
        match San::read(bytes) {
            Some((san, len)) if bytes[len..].iter().all(|b| b"!?".contains(b)) => Ok(san),
            Some((_, len)) => {
                Err(NotationError::new(len, format!("{text} is a move up to here only")))
            }
            None => Err(NotationError::new(0, format!("{text} is no move, such as e4 or Nf3"))),
        }
    }

    /// Reads a move at the start of `bytes`, up to and with its sign of check; returns how
    /// long it was.
    pub(super) fn read(bytes: &[u8]) -> Option<(San, usize)> {
        let (action, mut len) = read_action(bytes)?;
        if bytes[len..].starts_with(b"e.p.") {
            len += 4;
        }
        let mut mark = Mark::None;
        while let Some(sign) = bytes.get(len) {
            mark = match sign {
                b'+' if mark == Mark::None => Mark::Check,
                b'+' => mark,
                b'#' => Mark::Mate,
                _ => break,
            };
            len += 1;
        }
        Some((San { action, mark }, len))
    }

    /// The legal move this means in `position`.
    pub fn resolve(self, position: &Chess) -> Result<Move, SanError> {
        let board = &position.board;
        let us = board.side_to_move();
        match self.action {
            Action::Null => Err(SanError::Illegal(self)),
            Action::Castling { long } => {
                let CastleRights { short: short_rook, long: long_rook } = *board.castle_rights(us);
                let from = board.king(us);
                let file = if long { long_rook } else { short_rook };
                file.map(|file| Move { from, to: Square::new(file, from.rank()), promotion: None })
                    .filter(|&mv| board.is_legal(mv))
                    .ok_or(SanError::Illegal(self))
            }
            Action::Piece { piece, file, rank, to, promotion, .. } => {
                let from = file.map_or(BitBoard::FULL, File::bitboard)
                    & rank.map_or(BitBoard::FULL, Rank::bitboard);
                let needs_promotion =
                    piece == Piece::Pawn && to.rank() == Rank::Eighth.relative_to(us);
                match (sources(position, piece, from, to), needs_promotion, promotion) {
                    ((Some(_), _), true, None) => Err(SanError::NoPromotion(self)),
                    ((Some(_), _), false, Some(_)) => Err(SanError::Illegal(self)),
                    ((Some(from), None), ..) => Ok(Move { from, to, promotion }),
                    ((Some(first), Some(second)), ..) => Err(SanError::Ambiguous(
                        self,
                        Move { from: first, to, promotion },
                        Move { from: second, to, promotion },
                    )),
                    ((None, _), ..) => Err(SanError::Illegal(self)),
                }
            }
        }
    }

    /// The exact notation of a legal move.
    pub fn of(position: &Chess, mv: Move) -> San {
        let mut after = position.clone();
        after.play(mv);
        let mark = match (after.board.checkers().is_empty(), after.has_moves()) {
            (true, _) => Mark::None,
            (false, true) => Mark::Check,
            (false, false) => Mark::Mate,
        };
        San { action: action_of(position, mv), mark }
    }
}

/// The first two squares out of `among` from which a `piece` can go to `to` by a legal move.
fn sources(
    position: &Chess,
    piece: Piece,
    among: BitBoard,
    to: Square,
) -> (Option<Square>, Option<Square>) {
    let board = &position.board;
    let us = board.side_to_move();
    let mut found = (None, None);
    // A king "takes" its rook only when castling, which is written otherwise.
    if board.colors(us).has(to) {
        return found;
    }
    board.generate_moves_for(board.colored_pieces(us, piece) & among, |moves| {
        if moves.to.has(to) {
            found = if found.0.is_none() {
                (Some(moves.from), None)
            } else {
                (found.0, Some(moves.from))
            };
        }
        found.1.is_some()
    });
    found
}

fn action_of(position: &Chess, mv: Move) -> Action {
    if position.is_castling(mv) {
        return Action::Castling { long: mv.to.file() < mv.from.file() };
    }
    let board = &position.board;
    let Move { from, to, promotion } = mv;
    let piece = board.piece_on(from).unwrap_or(Piece::Pawn);
    let takes = position.captured(mv).is_some();
    if piece == Piece::Pawn {
        let file = takes.then_some(from.file());
        return Action::Piece { piece, file, rank: None, takes, to, promotion };
    }
    let mut others = BitBoard::EMPTY;
    let alike = board.colored_pieces(board.side_to_move(), piece) ^ from.bitboard();
    board.generate_moves_for(alike, |moves| {
        if moves.to.has(to) {
            others |= moves.from.bitboard();
        }
        false
    });
    // The file if that tells them apart, else the rank, else both.
    let same_file = !(others & from.file().bitboard()).is_empty();
    let same_rank = !(others & from.rank().bitboard()).is_empty();
    let file = (!others.is_empty() && (!same_file || same_rank)).then_some(from.file());
    let rank = same_file.then_some(from.rank());
    Action::Piece { piece, file, rank, takes, to, promotion }
}

impl Chess {
    /// The algebraic notation of a legal move.
    ///
    /// ```
    /// use senbon_games::{Game, Notation, chess::Chess};
    /// let mut game = Chess::start();
    /// let mv = game.parse_san("Nf3").unwrap();
    /// assert_eq!(game.format_san(mv), "Nf3");
    /// assert_eq!(game.format_move(mv), "g1f3");
    /// ```
    pub fn format_san(&self, mv: Move) -> String {
        San::of(self, mv).to_string()
    }

    /// Reads a legal move in algebraic notation.
    pub fn parse_san(&self, text: &str) -> Result<Move, NotationError> {
        let san = San::parse(text)?;
        san.resolve(self).map_err(|error| NotationError::new(0, error.to_string()))
    }
}

fn read_action(bytes: &[u8]) -> Option<(Action, usize)> {
    match *bytes.first()? {
        b'O' | b'0' | b'o' => read_castling(bytes),
        b'-' => bytes.starts_with(b"--").then_some((Action::Null, 2)),
        b'Z' => bytes.starts_with(b"Z0").then_some((Action::Null, 2)),
        b'a'..=b'h' => read_piece(Piece::Pawn, bytes, 0),
        b'P' => read_piece(Piece::Pawn, bytes, 1),
        b'N' => read_piece(Piece::Knight, bytes, 1),
        b'B' => read_piece(Piece::Bishop, bytes, 1),
        b'R' => read_piece(Piece::Rook, bytes, 1),
        b'Q' => read_piece(Piece::Queen, bytes, 1),
        b'K' => read_piece(Piece::King, bytes, 1),
        _ => None,
    }
}

fn read_castling(bytes: &[u8]) -> Option<(Action, usize)> {
    let is_o = |at: usize| bytes.get(at).is_some_and(|b| b"O0o".contains(b));
    let side = |at: usize| bytes.get(at) == Some(&b'-') && is_o(at + 1);
    if !side(1) {
        return None;
    }
    let long = side(3);
    Some((Action::Castling { long }, if long { 5 } else { 3 }))
}

/// Where the piece comes from, as far as it is written, and where it goes. The longest form
/// that fits is meant: `e2e4`, else `ed5`, else `1d2`, else `e4`.
fn read_piece(piece: Piece, bytes: &[u8], start: usize) -> Option<(Action, usize)> {
    let file_at = |at: usize| match bytes.get(at) {
        Some(&byte @ b'a'..=b'h') => File::try_index(usize::from(byte - b'a')),
        _ => None,
    };
    let rank_at = |at: usize| match bytes.get(at) {
        Some(&byte @ b'1'..=b'8') => Rank::try_index(usize::from(byte - b'1')),
        _ => None,
    };
    let read_target = |at: usize| {
        let sign = bytes.get(at).copied();
        let to_at = at + usize::from(matches!(sign, Some(b'x' | b':' | b'-')));
        let to = Square::new(file_at(to_at)?, rank_at(to_at + 1)?);
        Some((matches!(sign, Some(b'x' | b':')), to, to_at + 2))
    };
    let forms = [
        (file_at(start), rank_at(start + 1), start + 2),
        (file_at(start), None, start + 1),
        (None, rank_at(start), start + 1),
        (None, None, start),
    ];
    let (file, rank, (takes, to, len)) = forms.into_iter().find_map(|(file, rank, at)| {
        let is_written = usize::from(file.is_some()) + usize::from(rank.is_some()) == at - start;
        if is_written { Some((file, rank, read_target(at)?)) } else { None }
    })?;
    let (promotion, len) = read_promotion(piece, bytes, len)?;
    Some((Action::Piece { piece, file, rank, takes, to, promotion }, len))
}

/// `=Q`, `Q`, `q`, `(Q)` or `/Q` behind a pawn's target.
fn read_promotion(piece: Piece, bytes: &[u8], at: usize) -> Option<(Option<Piece>, usize)> {
    let sign = bytes.get(at).copied();
    let signed = matches!(sign, Some(b'=' | b'(' | b'/'));
    let letter_at = at + usize::from(signed);
    let promotion = match bytes.get(letter_at) {
        Some(b'Q' | b'q') => Piece::Queen,
        Some(b'R' | b'r') => Piece::Rook,
        Some(b'B' | b'b') => Piece::Bishop,
        Some(b'N' | b'n') => Piece::Knight,
        _ if signed => return None,
        _ => return Some((None, at)),
    };
    if piece != Piece::Pawn {
        return None;
    }
    let mut len = letter_at + 1;
    if sign == Some(b'(') {
        if bytes.get(len) != Some(&b')') {
            return None;
        }
        len += 1;
    }
    Some((Some(promotion), len))
}

impl fmt::Display for San {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.action {
            Action::Null => f.write_str("--")?,
            Action::Castling { long: false } => f.write_str("O-O")?,
            Action::Castling { long: true } => f.write_str("O-O-O")?,
            Action::Piece { piece, file, rank, takes, to, promotion } => {
                // A pawn's letter is left out, unless the rest would not begin with a file.
                if piece != Piece::Pawn || (file.is_none() && (takes || rank.is_some())) {
                    write!(f, "{}", letter(piece))?;
                }
                if let Some(file) = file {
                    write!(f, "{file}")?;
                }
                if let Some(rank) = rank {
                    write!(f, "{rank}")?;
                }
                write!(f, "{}{to}", if takes { "x" } else { "" })?;
                if let Some(promotion) = promotion {
                    write!(f, "={}", letter(promotion))?;
                }
            }
        }
        f.write_str(match self.mark {
            Mark::None => "",
            Mark::Check => "+",
            Mark::Mate => "#",
        })
    }
}

fn letter(piece: Piece) -> char {
    super::fen::cased(piece.into(), Color::White)
}
