//! Moves as text: USI.

use shogi_core::{Color, Hand, Move, Piece, PieceKind, Square, ToUsi};
use shunsai::{Bitboard, Position};

use super::sfen::{self, kind_of, name};
use super::{Moves, Shogi, attacks};
use crate::{Notation, NotationError};

impl Notation for Shogi {
    fn start() -> Self {
        Shogi::from_parts(Position::startpos(), 1)
    }

    fn parse_position(text: &str) -> Result<Self, NotationError> {
        sfen::parse(text)
    }

    fn format_position(&self) -> String {
        sfen::format(self)
    }

    fn parse_move(&self, text: &str) -> Result<Move, NotationError> {
        let mv = parse(text, self.position.side_to_move())?;
        self.check_legal(mv).map_err(|what| NotationError::new(0, format!("{text}: {what}")))
    }

    fn format_move(&self, mv: Move) -> String {
        mv.to_usi_owned()
    }
}

impl Shogi {
    /// `mv` if it is legal here, or why it is not.
    pub(super) fn check_legal(&self, mv: Move) -> Result<Move, String> {
        if Moves::all(&self.position).as_slice().contains(&mv) {
            return Ok(mv);
        }
        Err(match mv {
            Move::Normal { from, to, promote } => self.why_not_move(from, to, promote),
            Move::Drop { piece, to } => self.why_not_drop(piece, to),
        })
    }

    fn why_not_move(&self, from: Square, to: Square, promote: bool) -> String {
        let position = &self.position;
        let us = position.side_to_move();
        let Some(piece) = position.piece_at(from) else {
            return format!("there is no piece on {}", from.to_usi_owned());
        };
        let called = name(piece.piece_kind());
        if piece.color() != us {
            return format!("the {called} on {} is the opponent's", from.to_usi_owned());
        }
        let reach = attacks::attacks(piece, from, position.occupied());
        if !(reach & !position.player_bb(us)).contains(to) {
            return format!("the {called} cannot go to {}", to.to_usi_owned());
        }
        let camp = attacks::camp(us);
        if promote && piece.promote().is_none() {
            return format!("a {called} cannot promote");
        }
        if promote && !camp.contains(from) && !camp.contains(to) {
            return "this is not the promotion zone".to_owned();
        }
        if !promote && sfen::is_dead_end(piece, to) {
            return format!("the {called} must promote there");
        }
        "it leaves the king in check".to_owned()
    }

    fn why_not_drop(&self, piece: Piece, to: Square) -> String {
        let position = &self.position;
        let (kind, us) = piece.to_parts();
        let called = name(kind);
        if !Hand::is_hand_piece(kind) || position.hand(us).count(kind).unwrap_or(0) == 0 {
            return format!("there is no {called} in hand");
        }
        if position.piece_at(to).is_some() {
            return format!("{} is not empty", to.to_usi_owned());
        }
        if sfen::is_dead_end(piece, to) {
            return format!("a {called} dropped there could never move");
        }
        if kind == PieceKind::Pawn {
            let pawns = position.piece_kind_bb(kind) & position.player_bb(us);
            if !(pawns & Bitboard::file(to.file())).is_empty() {
                return "there is an unpromoted pawn on this file already".to_owned();
            }
            if !self.history.in_check() {
                return "a pawn may not be dropped to give mate".to_owned();
            }
        }
        "it leaves the king in check".to_owned()
    }
}

/// Reads the syntax of a move; drops are by `side`.
fn parse(text: &str, side: Color) -> Result<Move, NotationError> {
    let letters: Vec<char> = text.chars().collect();
    let expected = "a move reads like 7g7f, 8h2b+ or P*5e";
    let wrong = |index: usize, what: &str| {
        let at = letters.iter().take(index).map(|c| c.len_utf8()).sum();
        NotationError::new(at, format!("{what}; {expected}"))
    };
    let square = |index: usize| {
        let digit = |letter: Option<&char>, zero: char| {
            letter.map(|&c| (c as u32).wrapping_sub(zero as u32)).filter(|d| (1..=9).contains(d))
        };
        let file = digit(letters.get(index), '0')
            .ok_or_else(|| wrong(index, "a file from 1 to 9 is expected"))?;
        let rank = digit(letters.get(index + 1), '`')
            .ok_or_else(|| wrong(index + 1, "a rank from a to i is expected"))?;
        Square::new(file as u8, rank as u8).ok_or_else(|| wrong(index, "no such square"))
    };
    if letters.get(1) == Some(&'*') {
        // Both sides drop with a capital letter.
        let kind = kind_of(letters[0]).filter(|&kind| Hand::is_hand_piece(kind));
        let kind = kind.filter(|_| letters[0].is_ascii_uppercase());
        let kind = kind.ok_or_else(|| wrong(0, "a piece P, L, N, S, G, B or R is expected"))?;
        let to = square(2)?;
        return match letters.len() {
            4 => Ok(Move::Drop { piece: Piece::new(kind, side), to }),
            _ => Err(wrong(4, "the move goes on after its end")),
        };
    }
    let (from, to) = (square(0)?, square(2)?);
    match letters.get(4) {
        None => Ok(Move::Normal { from, to, promote: false }),
        Some('+') if letters.len() == 5 => Ok(Move::Normal { from, to, promote: true }),
        Some(_) => Err(wrong(4, "the move goes on after its end")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn refused(sfen: &str, mv: &str, at: usize, what: &str) {
        let game = Shogi::parse_position(sfen).unwrap();
        let error = game.parse_move(mv).unwrap_err();
        assert!(error.what.contains(what), "{error}");
        assert_eq!(error.at, at, "{error}");
    }

    #[test]
    fn says_what_is_wrong_with_a_move() {
        refused("startpos", "", 0, "file");
        refused("startpos", "7", 1, "rank");
        refused("startpos", "7g7", 3, "rank");
        refused("startpos", "7g7j", 3, "rank");
        refused("startpos", "0g7f", 0, "file");
        refused("startpos", "7g7f=", 4, "after its end");
        refused("startpos", "7g7f++", 4, "after its end");
        refused("startpos", "p*5e", 0, "a piece");
        refused("startpos", "K*5e", 0, "a piece");
        refused("startpos", "P*5", 3, "rank");
        refused("startpos", "歩7f", 0, "file");
        refused("startpos", "7歩7f", 1, "rank");
    }

    #[test]
    fn says_why_a_move_is_illegal() {
        refused("startpos", "5e5d", 0, "no piece");
        refused("startpos", "3c3d", 0, "opponent's");
        refused("startpos", "7g7e", 0, "cannot go");
        refused("startpos", "7i7g", 0, "cannot go");
        refused("startpos", "7g7f+", 0, "promotion zone");
        refused("startpos", "P*5e", 0, "no pawn in hand");
        refused("4k4/9/9/9/9/9/9/9/4K4 b P 1", "P*5i", 0, "not empty");
        refused("4k4/9/9/9/9/9/9/9/4K4 b P 1", "P*1a", 0, "never move");
        refused("4k4/9/8P/9/9/9/9/9/4K4 b P 1", "P*1e", 0, "on this file already");
        refused("4k4/8P/9/9/9/9/9/9/4K4 b - 1", "1b1a", 0, "must promote");
        refused("4k4/9/9/9/4r4/9/9/4G4/4K4 b - 1", "5h4h", 0, "king in check");
        refused("4k4/8G/9/9/9/9/9/9/4K4 b - 1", "1b1a+", 0, "gold cannot promote");
        // The pawn before the cornered king would be mate.
        refused("7lk/9/8G/9/9/9/9/9/4K4 b P 1", "P*1b", 0, "to give mate");
    }
}
