//! Sets of squares that evaluations ask for again and again.

use cozy_chess::{BitBoard, Color, File, Rank, Square};

const FILE_A: u64 = File::A.bitboard().0;
const FILE_H: u64 = File::H.bitboard().0;

/// All squares one step ahead.
#[inline]
pub(super) const fn forward(us: Color, squares: BitBoard) -> BitBoard {
    BitBoard(match us {
        Color::White => squares.0 << 8,
        Color::Black => squares.0 >> 8,
    })
}

/// What pawns on `pawns` attack to either side.
#[inline]
pub(super) const fn pawn_attacks(us: Color, pawns: BitBoard) -> (BitBoard, BitBoard) {
    let ahead = forward(us, pawns).0;
    (BitBoard((ahead & !FILE_A) >> 1), BitBoard((ahead & !FILE_H) << 1))
}

/// Squares beside `squares`.
#[inline]
pub(super) const fn beside(squares: BitBoard) -> BitBoard {
    BitBoard((squares.0 & !FILE_A) >> 1 | (squares.0 & !FILE_H) << 1)
}

/// All squares ahead of a square on its file.
#[inline]
pub(super) const fn ahead(us: Color, square: Square) -> BitBoard {
    let rank = square.rank() as u32 * 8;
    let beyond = match us {
        Color::White if rank == 56 => 0,
        Color::White => u64::MAX << (rank + 8),
        Color::Black => (1 << rank) - 1,
    };
    BitBoard(beyond & square.file().bitboard().0)
}

/// The files beside a file.
#[inline]
pub(super) const fn neighbours(file: File) -> BitBoard {
    beside(file.bitboard())
}

/// Ahead on the own and on both neighbouring files: where enemy pawns stop a passed pawn.
#[inline]
pub(super) const fn passed_span(us: Color, square: Square) -> BitBoard {
    let own = ahead(us, square);
    BitBoard(own.0 | beside(own).0)
}

/// Rank as `us` counts it, 0 to 7.
#[inline]
pub(super) const fn relative_rank(us: Color, square: Square) -> usize {
    let rank = square.rank() as usize;
    match us {
        Color::White => rank,
        Color::Black => 7 - rank,
    }
}

/// Ranks from `low` to `high` (0 to 7) as `us` counts them.
#[inline]
pub(super) const fn ranks(us: Color, low: u32, high: u32) -> BitBoard {
    let (low, high) = match us {
        Color::White => (low, high),
        Color::Black => (7 - high, 7 - low),
    };
    let count = (high - low + 1) * 8;
    let block = if count == 64 { u64::MAX } else { (1 << count) - 1 };
    BitBoard(block << (low * 8))
}

/// King steps from one square to another.
#[inline]
pub(super) const fn distance(a: Square, b: Square) -> i32 {
    let files = (a.file() as i32 - b.file() as i32).abs();
    let ranks = (a.rank() as i32 - b.rank() as i32).abs();
    if files > ranks { files } else { ranks }
}

/// The square itself, brought one step in from the edge of the board.
#[inline]
pub(super) fn off_edge(square: Square) -> Square {
    let file = (square.file() as usize).clamp(1, 6);
    let rank = (square.rank() as usize).clamp(1, 6);
    Square::new(File::index(file), Rank::index(rank))
}

pub(super) const DARK: BitBoard = BitBoard(0xaa55_aa55_aa55_aa55);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_by_hand() {
        use Square::*;
        let set = |squares: &[Square]| squares.iter().copied().collect::<BitBoard>();
        assert_eq!(ahead(Color::White, B6), set(&[B7, B8]));
        assert_eq!(ahead(Color::Black, B3), set(&[B2, B1]));
        assert_eq!(ahead(Color::White, B8), BitBoard::EMPTY);
        assert_eq!(passed_span(Color::White, A6), set(&[A7, A8, B7, B8]));
        assert_eq!(passed_span(Color::Black, G2), set(&[F1, G1, H1]));
        assert_eq!(neighbours(File::H), File::G.bitboard());
        assert_eq!(ranks(Color::White, 1, 2), Rank::Second.bitboard() | Rank::Third.bitboard());
        assert_eq!(ranks(Color::Black, 1, 2), Rank::Seventh.bitboard() | Rank::Sixth.bitboard());
        assert_eq!(ranks(Color::Black, 0, 7), BitBoard::FULL);
        assert_eq!(distance(A1, H7), 7);
        assert_eq!((off_edge(A1), off_edge(D8)), (B2, D7));
        let (left, right) = pawn_attacks(Color::White, set(&[A2, H2]));
        assert_eq!((left, right), (set(&[G3]), set(&[B3])));
        assert_eq!(relative_rank(Color::Black, A7), 1);
    }
}
