//! A first look at all moves of a position: what pieces and places come to after each.
//!
//! Fixed-depth trees take the best few of all moves at every node, so this is where most of
//! their time goes. Whatever the moves have in common is found out once.

use arrayvec::ArrayVec;
use shogi_core::{Color, Move, Piece, Square};
use shunsai::Position;

use super::places::Spread;
use super::terms::{FIGHT, progress};
use super::weights::{FINENESS, Pair};
use super::{exchange, king_of};

/// A position as a first look at its moves sees it.
pub(super) struct Outline<'a> {
    position: &'a Position,
    spread: &'a Spread,
    /// What each side sees now.
    now: [Pair; 2],
    kings: [Square; 2],
    progress: i32,
    /// The square a piece was last seen to leave, and what it was worth there.
    left: Option<(Square, Pair)>,
    /// Everything on the board, found when the first king move comes by.
    board: ArrayVec<(Square, Piece), 81>,
}

impl<'a> Outline<'a> {
    pub(super) fn new(position: &'a Position, spread: &'a Spread, now: [Pair; 2]) -> Self {
        Outline {
            position,
            spread,
            now,
            kings: Color::all().map(|side| king_of(position, side)),
            progress: progress(position),
            left: None,
            board: ArrayVec::new(),
        }
    }

    /// What `mv` adds to what pieces and places are worth to its player.
    #[inline]
    pub(super) fn gain(&mut self, mv: Move) -> i32 {
        let mover = self.position.side_to_move();
        let king = self.position.king_square(mover);
        let gain = match mv {
            Move::Normal { from, to, .. } if king == Some(from) => self.king_gain(mover, from, to),
            _ => self.piece_gain(mv),
        };
        let gain = (FIGHT - self.progress) * gain.opening + self.progress * gain.fight;
        let gain = gain / (FIGHT * FINENESS);
        if mover == Color::Black { gain } else { -gain }
    }

    /// What `piece` on `square` is worth to Black, both sides' views together.
    #[inline]
    fn worth(&self, piece: Piece, square: Square) -> Pair {
        let [black, white] = self.kings;
        self.spread.worth(Color::Black, black, piece, square)
            - self.spread.worth(Color::White, white, piece, square)
    }

    #[inline]
    fn piece_gain(&mut self, mv: Move) -> Pair {
        let Some(arriving) = exchange::arriving(self.position, mv) else { return Pair::default() };
        let mut gain = self.worth(arriving, mv.to());
        let Move::Normal { from, to, .. } = mv else { return gain };
        if let Some(captured) = self.position.piece_at(to) {
            gain = gain - self.worth(captured, to);
        }
        // Moves come piece by piece.
        let left = match self.left {
            Some((square, worth)) if square == from => worth,
            _ => {
                let leaving = self.position.piece_at(from);
                leaving.map_or(Pair::default(), |piece| self.worth(piece, from))
            }
        };
        self.left = Some((from, left));
        gain - left
    }

    /// The side whose king moves sees everything anew; the king itself it does not see.
    fn king_gain(&mut self, mover: Color, from: Square, to: Square) -> Pair {
        let position = self.position;
        if self.board.is_empty() {
            let seen = |square| Some((square, position.piece_at(square)?));
            self.board.extend(position.occupied().filter_map(seen));
        }
        let mut anew = Pair::default();
        for &(square, piece) in self.board.iter().filter(|(square, _)| *square != to) {
            anew += self.spread.worth(mover, to, piece, square);
        }
        let other = mover.flip();
        let king = self.kings[other.array_index()];
        let seen = |square| {
            let piece = position.piece_at(square);
            piece.map_or(Pair::default(), |piece| self.spread.worth(other, king, piece, square))
        };
        let arrived = position.piece_at(from);
        let arrived =
            arrived.map_or(Pair::default(), |piece| self.spread.worth(other, king, piece, to));
        let theirs = arrived - seen(to) - seen(from);
        let ours = anew - self.now[mover.array_index()];
        if mover == Color::Black { ours - theirs } else { theirs - ours }
    }
}
