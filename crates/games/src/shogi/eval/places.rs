//! Pieces by their place relative to each king: castles, attacks and approach, as a sum.
//!
//! Both sides look at the board from behind their own king. What a side sees of a piece is the
//! sum of two weights: by square, and by its distance from the king in files and ranks, left
//! and right being alike. The sums are spread out once into a table by king square, kind and
//! square, so that a piece costs one look-up.
//!
//! A weight for every square in each zone of king squares (17,496 more) predicted unseen games
//! no better and lost 130 Elo: there were too few positions to learn them from.

use std::sync::LazyLock;

use shogi_core::{Color, Piece, PieceKind, Square};

use super::layout::*;
use super::weights::{Pair, WEIGHTS};

/// A square from one side's view: file and rank, 1 to 9, the own camp being ranks 7 to 9.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    file: u8,
    rank: u8,
}

impl Place {
    pub(super) fn new(square: Square, side: Color) -> Self {
        match side {
            Color::Black => Place { file: square.file(), rank: square.rank() },
            Color::White => Place { file: 10 - square.file(), rank: 10 - square.rank() },
        }
    }

    fn index(self) -> usize {
        usize::from(self.file - 1) * 9 + usize::from(self.rank - 1)
    }

    /// Index on the half board, left and right being alike.
    pub(super) fn half_index(self) -> usize {
        let file = self.file.min(10 - self.file);
        Place { file, ..self }.index()
    }
}

/// A kind without the king, 0 to 12.
pub(super) fn kind_index(kind: PieceKind) -> Option<usize> {
    match kind.array_index() {
        index @ 0..=6 => Some(index),
        7 => None,
        index => Some(index - 1),
    }
}

/// What `side` sees in `piece`, if it is not its own king.
fn seen_kind(piece: Piece, side: Color) -> Option<usize> {
    let own = piece.color() == side;
    match kind_index(piece.piece_kind()) {
        Some(kind) if own => Some(kind),
        Some(kind) => Some(KINDS + kind),
        None if own => None,
        None => Some(2 * KINDS),
    }
}

/// The features of a seen kind at `place`, with the king at `king`.
fn features(king: Place, seen: usize, place: Place) -> [usize; 2] {
    let files = usize::from(king.file.abs_diff(place.file));
    let ranks = usize::from(place.rank + 8 - king.rank);
    [PLACE + seen * HALF + place.half_index(), DISTANCE + seen * STEPS + files * 17 + ranks]
}

/// The features of `piece` on `square` for `side`, whose king stands on `king`.
pub(super) fn features_of(
    side: Color,
    king: Square,
    piece: Piece,
    square: Square,
) -> impl Iterator<Item = usize> {
    let seen = seen_kind(piece, side);
    let (king, place) = (Place::new(king, side), Place::new(square, side));
    let material = seen.filter(|&seen| seen < KINDS).map(|kind| MATERIAL + kind);
    seen.map(|seen| features(king, seen, place)).into_iter().flatten().chain(material)
}

/// Where a side without a king looks from: its usual square.
pub(super) fn usual_king(side: Color) -> Square {
    match side {
        Color::Black => Square::SQ_5I,
        Color::White => Square::SQ_5A,
    }
}

/// The weights spread out by king square, seen kind and square, material included.
///
/// Sixteen bits a number: the table has 177,147 pairs, and it should stay in the cache.
pub(super) struct Spread {
    pairs: Vec<[i16; 2]>,
}

/// The one table.
pub(super) static SPREAD: LazyLock<Spread> = LazyLock::new(Spread::new);

impl Spread {
    fn new() -> Self {
        let short = |number: i32| number.clamp(i16::MIN.into(), i16::MAX.into()) as i16;
        let mut pairs = Vec::with_capacity(81 * SEEN_KINDS * 81);
        for king in Square::all() {
            let king = Place::new(king, Color::Black);
            for seen in 0..SEEN_KINDS {
                let material =
                    if seen < KINDS { WEIGHTS.linear(MATERIAL + seen) } else { Pair::default() };
                for square in Square::all() {
                    let found = features(king, seen, Place::new(square, Color::Black));
                    let sum = found.into_iter().map(|feature| WEIGHTS.linear(feature));
                    let sum = sum.fold(material, |sum, pair| sum + pair);
                    pairs.push([short(sum.opening), short(sum.fight)]);
                }
            }
        }
        Spread { pairs }
    }

    /// What `piece` on `square` is worth to `side`, whose king stands on `king`.
    #[inline]
    pub(super) fn worth(&self, side: Color, king: Square, piece: Piece, square: Square) -> Pair {
        let Some(seen) = seen_kind(piece, side) else { return Pair::default() };
        let turned = |square: Square| match side {
            Color::Black => square.array_index(),
            Color::White => 80 - square.array_index(),
        };
        let [opening, fight] = self.pairs[(turned(king) * SEEN_KINDS + seen) * 81 + turned(square)];
        Pair { opening: opening.into(), fight: fight.into() }
    }
}
