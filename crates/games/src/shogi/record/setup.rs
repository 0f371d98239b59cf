//! A start position put together piece by piece.

use std::fmt::Write;

use shogi_core::{Color, Hand, Piece, PieceKind, Square, ToUsi};

use crate::shogi::{Shogi, sfen};

/// Pieces of a set without the kings, by [`PieceKind`].
const SET: [u8; 7] = [18, 4, 4, 4, 4, 2, 2];

/// Board, hands and side to move as a record gives them, not yet checked.
#[derive(Clone, Debug)]
pub(super) struct Setup {
    pub(super) board: [Option<Piece>; Square::NUM],
    /// Counts by colour and [`PieceKind`].
    pub(super) hands: [[u8; 7]; 2],
    pub(super) side: Color,
}

impl Setup {
    /// An empty board.
    pub(super) fn empty() -> Self {
        Setup { board: [None; Square::NUM], hands: [[0; 7]; 2], side: Color::Black }
    }

    /// The board and hands of `game`.
    pub(super) fn of(game: &Shogi) -> Self {
        let position = game.position();
        let mut setup = Setup::empty();
        for square in Square::all() {
            setup.board[square.array_index()] = position.piece_at(square);
        }
        for color in Color::all() {
            for kind in Hand::all_hand_pieces() {
                let count = position.hand(color).count(kind).unwrap_or(0);
                setup.hands[color.array_index()][kind.array_index()] = count;
            }
        }
        setup.side = position.side_to_move();
        setup
    }

    /// Adds pieces to a hand.
    pub(super) fn add_to_hand(
        &mut self,
        color: Color,
        kind: PieceKind,
        count: u8,
    ) -> Result<(), String> {
        let slot = self.hands[color.array_index()].get_mut(kind.array_index());
        let slot = slot.ok_or_else(|| format!("a {} cannot be in hand", sfen::name(kind)))?;
        *slot = slot.saturating_add(count);
        Ok(())
    }

    /// Gives all pieces that are nowhere yet to `color`'s hand.
    pub(super) fn rest_to_hand(&mut self, color: Color) {
        let mut left = SET;
        let on_board = self.board.iter().flatten().map(|piece| piece.piece_kind());
        for kind in on_board.map(|kind| kind.unpromote().unwrap_or(kind)) {
            if let Some(left) = left.get_mut(kind.array_index()) {
                *left = left.saturating_sub(1);
            }
        }
        for (index, left) in left.into_iter().enumerate() {
            let held = self.hands[0][index].saturating_add(self.hands[1][index]);
            self.hands[color.array_index()][index] += left.saturating_sub(held);
        }
    }

    /// The position, if the rules allow it.
    pub(super) fn position(&self) -> Result<Shogi, String> {
        let mut text = String::new();
        for rank in 1..=9 {
            for file in (1..=9).rev() {
                let square = Square::new(file, rank).expect("files and ranks run from 1 to 9");
                match self.board[square.array_index()] {
                    None => text.push('1'),
                    Some(piece) => text.push_str(&piece.to_usi_owned()),
                }
            }
            text.push(if rank < 9 { '/' } else { ' ' });
        }
        let _ = write!(text, "{} ", self.side.to_usi_owned());
        let mut empty = true;
        for color in Color::all() {
            for kind in Hand::all_hand_pieces() {
                let count = self.hands[color.array_index()][kind.array_index()];
                if count > 0 {
                    let _ = write!(text, "{count}{}", Piece::new(kind, color).to_usi_owned());
                    empty = false;
                }
            }
        }
        text.push_str(if empty { "- 1" } else { " 1" });
        sfen::parse(&text).map_err(|error| format!("the start position: {}", error.what))
    }
}
