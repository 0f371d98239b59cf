//! What a selective search asks: checks, captures, exchanges, passing.

use shogi_core::{Color, Move, PieceKind, Square};
use shunsai::{Bitboard, MoveSet};

use super::exchange::{arriving, exchange, gain, promotion_gain};
use super::{Moves, PASSING, Shogi, Undo, attacks};
use crate::{Game, Tactics};

/// Promotions that win at least this much are looked at in quiescence: not those of silvers,
/// which often do better unpromoted.
const NOISY_PROMOTION: i32 = 100;

/// Kinds of move for [`Tactics::history_slot`]: of the fourteen kinds of piece, of the first
/// seven promoting, and of the same seven dropped. Searches keep the two sides apart.
const MOVE_KINDS: usize = PROMOTING + 7 + 7;
const PROMOTING: usize = PieceKind::NUM;
const DROPPED: usize = PROMOTING + 7;

/// Whether not promoting this piece, where it could, is never better but to avoid mating with
/// a dropped pawn.
#[inline]
fn always_promotes(kind: PieceKind) -> bool {
    matches!(kind, PieceKind::Pawn | PieceKind::Bishop | PieceKind::Rook)
}

impl Tactics for Shogi {
    const HISTORY_SLOTS: usize = MOVE_KINDS * Square::NUM;

    #[inline]
    fn in_check(&self) -> bool {
        self.history.in_check()
    }

    /// Captures, and promotions that win material. Not among them: a capture by pawn, bishop
    /// or rook that declines to promote.
    #[inline]
    fn is_noisy(&self, mv: Move) -> bool {
        let Move::Normal { from, to, promote } = mv else { return false };
        let Some(piece) = self.position.piece_at(from) else { return false };
        let (kind, color) = (piece.piece_kind(), piece.color());
        let captures = self.position.piece_at(to).is_some();
        if promote {
            return captures || promotion_gain(kind) >= NOISY_PROMOTION;
        }
        let camp = attacks::camp(color);
        let declines = always_promotes(kind) && (camp.contains(from) || camp.contains(to));
        captures && !declines
    }

    fn noisy_moves(&self) -> impl IntoIterator<Item = Move> {
        let enemies = self.position.player_bb(self.position.side_to_move().flip());
        Moves::some(&self.position, |set| {
            // Drops come last.
            let MoveSet::Normal { piece, from, promotions, non_promotions } = set else {
                return None;
            };
            let kind = piece.piece_kind();
            let captures = non_promotions & enemies;
            Some(MoveSet::Normal {
                piece,
                from,
                promotions: match promotion_gain(kind) >= NOISY_PROMOTION {
                    true => promotions,
                    false => promotions & enemies,
                },
                non_promotions: match always_promotes(kind) {
                    true => captures & !promotions,
                    false => captures,
                },
            })
        })
    }

    fn exchange(&self, mv: Move) -> i32 {
        exchange(&self.position, mv)
    }

    fn gain(&self, mv: Move) -> i32 {
        gain(&self.position, mv)
    }

    fn gives_check(&self, mv: Move) -> bool {
        let position = &self.position;
        let us = position.side_to_move();
        let Some(king) = position.king_square(us.flip()) else { return false };
        let Some(piece) = arriving(position, mv) else { return false };
        let mut occupied = position.occupied() | Bitboard::single(mv.to());
        if let Move::Normal { from, .. } = mv {
            occupied ^= Bitboard::single(from);
            // Leaving a line to the king may uncover a slider behind.
            if attacks::aligned(from, king) {
                let stayed = !Bitboard::single(from);
                if !attacks::sliders_to(position, king, occupied, us, stayed).is_empty() {
                    return true;
                }
            }
        }
        attacks::attacks(piece, mv.to(), occupied).contains(king)
    }

    /// Not in check; otherwise always, for having to move hardly ever hurts in shogi.
    fn pass(&mut self) -> Option<Undo> {
        if self.in_check() {
            return None;
        }
        let piece = self.a_king()?;
        let key = self.key() ^ PASSING.side_key;
        self.switch_sides(piece);
        self.history.push_pass(key);
        Some(Undo(PASSING.undo))
    }

    fn take_back_pass(&mut self, _undo: Undo) {
        if let Some(piece) = self.a_king() {
            self.switch_sides(piece);
            self.history.pop();
        }
    }

    #[inline]
    fn history_slot(&self, mv: Move) -> usize {
        let kind = match mv {
            Move::Drop { piece, .. } => DROPPED + piece.piece_kind().array_index(),
            Move::Normal { from, promote, .. } => {
                let piece = self.position.piece_at(from);
                piece.map_or(0, |piece| piece.piece_kind().array_index())
                    + if promote { PROMOTING } else { 0 }
            }
        };
        kind * Square::NUM + mv.to().array_index()
    }
}

impl Shogi {
    /// A square with a king on it: Black's if there is one.
    fn a_king(&self) -> Option<Square> {
        let king = |color| self.position.king_square(color);
        king(Color::Black).or_else(|| king(Color::White))
    }
}
