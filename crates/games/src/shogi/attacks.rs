//! Attack sets: which squares a piece bears on, and which pieces bear on a square.
//!
//! The move generator's own tables are used, through its `_bench-internals` feature. They
//! are not a stable interface, so the dependency is pinned to one version and this file is
//! the only one that knows of them. A second set of slider tables would cost half a megabyte
//! of cache beside the generator's; a bitboard type of our own cannot be had, because the
//! generator's does not show its bits.

use shogi_core::{Color, Piece, PieceKind, Square};
use shunsai::internals;
use shunsai::{Bitboard, Position};

/// The squares `piece` on `from` bears on when `occupied` squares block its lines.
#[inline(always)]
pub(crate) fn attacks(piece: Piece, from: Square, occupied: Bitboard) -> Bitboard {
    internals::attacks_of(piece, from, occupied)
}

/// The eight neighbours of `square`.
#[inline(always)]
pub(crate) fn neighbours(square: Square) -> Bitboard {
    internals::attacks_of(Piece::B_K, square, Bitboard::EMPTY)
}

/// The pieces of `color` within `mask` that bear on `square`, given `occupied`.
#[inline(always)]
pub(crate) fn attackers(
    position: &Position,
    square: Square,
    occupied: Bitboard,
    color: Color,
    mask: Bitboard,
) -> Bitboard {
    internals::attackers_to(position, square, occupied, color, mask)
}

/// The sliding pieces of `color` within `mask` whose lines reach `square`, given `occupied`.
///
/// Only lines: the single steps of dragons and horses are left out.
#[inline]
pub(crate) fn sliders_to(
    position: &Position,
    square: Square,
    occupied: Bitboard,
    color: Color,
    mask: Bitboard,
) -> Bitboard {
    let rooks =
        position.piece_kind_bb(PieceKind::Rook) | position.piece_kind_bb(PieceKind::ProRook);
    let bishops =
        position.piece_kind_bb(PieceKind::Bishop) | position.piece_kind_bb(PieceKind::ProBishop);
    let lances = position.piece_kind_bb(PieceKind::Lance);
    // A lance bears on `square` exactly when a lance of the other side would bear on it
    // from there.
    let reached = (internals::rook_attacks(square, occupied) & rooks)
        | (internals::bishop_attacks(square, occupied) & bishops)
        | (internals::lance_attacks(color.flip(), square, occupied) & lances);
    reached & mask & position.player_bb(color)
}

/// Whether two squares share a rank, a file or a diagonal.
#[inline(always)]
pub(crate) fn aligned(a: Square, b: Square) -> bool {
    let files = i32::from(a.file()) - i32::from(b.file());
    let ranks = i32::from(a.rank()) - i32::from(b.rank());
    files == 0 || ranks == 0 || files.abs() == ranks.abs()
}

/// The farthest three ranks from `color`'s view, where its pieces promote.
pub(crate) fn camp(color: Color) -> Bitboard {
    match color {
        Color::Black => CAMPS[0],
        Color::White => CAMPS[1],
    }
}

static CAMPS: std::sync::LazyLock<[Bitboard; 2]> = std::sync::LazyLock::new(|| {
    Color::all().map(|color| {
        Square::all()
            .filter(|square| square.relative_rank(color) <= 3)
            .fold(Bitboard::EMPTY, |camp, square| camp | Bitboard::single(square))
    })
});
