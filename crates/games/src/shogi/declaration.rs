//! The entering-king declaration by the 27-point rule, as the Computer Shogi Association
//! plays it.
//!
//! The side to move may end the game with a win when its king stands in the enemy camp and
//! is not in check, at least ten other pieces of its own stand there, and these with its hand
//! come to 28 points for Black or 27 for White: five for rook and bishop, one for the rest.

use shogi_core::{Color, Hand, PieceKind};
use shunsai::Bitboard;

use super::{Shogi, attacks};
use crate::{Ending, Game, Outcome, Side, Tactics};

/// How far a side is on the way to declaring a win.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Declaration {
    /// Whether the king stands in the enemy camp.
    pub king_entered: bool,
    /// Pieces in the enemy camp besides the king.
    pub pieces: u32,
    /// Points of those pieces and of the hand.
    pub points: u32,
    /// Points that this side needs.
    pub points_needed: u32,
}

impl Declaration {
    /// Pieces that must stand in the enemy camp besides the king.
    pub const PIECES_NEEDED: u32 = 10;

    /// Whether everything is there but the move and safety from check.
    pub fn is_complete(&self) -> bool {
        self.has_entered() && self.points >= self.points_needed
    }

    /// Whether king and pieces are where a declaration wants them, whatever their points.
    pub fn has_entered(&self) -> bool {
        self.king_entered && self.pieces >= Self::PIECES_NEEDED
    }
}

impl Shogi {
    /// Where `side` stands on the way to a declaration.
    pub fn declaration(&self, side: Side) -> Declaration {
        let position = self.position();
        let color = Shogi::color_of(side);
        let camp = attacks::camp(color);
        let king = position.king_square(color);
        let king_entered = king.is_some_and(|king| camp.contains(king));
        let entered = position.player_bb(color) & camp;
        let pieces = entered.count() - u32::from(king_entered);
        let points_needed = if color == Color::Black { 28 } else { 27 };
        let points = self.board_points(entered) + hand_points(position.hand(color));
        Declaration { king_entered, pieces, points, points_needed }
    }

    /// Points of everything that `side` has, wherever it stands: what is counted when both
    /// kings have entered. Both sides together have 54.
    pub fn all_points(&self, side: Side) -> u32 {
        let color = Shogi::color_of(side);
        self.board_points(self.position().player_bb(color))
            + hand_points(self.position().hand(color))
    }

    /// Five for rook and bishop, promoted or not, nothing for the king, one for the rest.
    fn board_points(&self, pieces: Bitboard) -> u32 {
        let count = |kind| (self.position().piece_kind_bb(kind) & pieces).count();
        let big = [PieceKind::Rook, PieceKind::Bishop, PieceKind::ProRook, PieceKind::ProBishop]
            .map(count)
            .iter()
            .sum::<u32>();
        pieces.count() + 4 * big - count(PieceKind::King)
    }

    /// Whether the side to move may declare a win now.
    pub fn can_declare(&self) -> bool {
        self.declared().is_some()
    }

    /// The result of a declaration by the side to move, if it may declare.
    pub fn declared(&self) -> Option<Outcome> {
        let side = self.side_to_move();
        let color = Shogi::color_of(side);
        // Nearly always the king is at home.
        let king = self.position().king_square(color)?;
        let may = attacks::camp(color).contains(king)
            && !self.in_check()
            && self.declaration(side).is_complete();
        may.then_some(Outcome::win(side, Ending::Declaration))
    }
}

fn hand_points(hand: Hand) -> u32 {
    Hand::all_hand_pieces()
        .map(|kind| {
            let each = if matches!(kind, PieceKind::Rook | PieceKind::Bishop) { 5 } else { 1 };
            each * u32::from(hand.count(kind).unwrap_or(0))
        })
        .sum()
}
