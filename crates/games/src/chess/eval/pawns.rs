//! Pawns and what depends on nothing but pawns and kings: structure, passed pawns by rank,
//! shelter and storm, and where pawns and kings stand.

use cozy_chess::{BitBoard, Color, File, Piece, Square};

use super::bits;
use super::layout::*;
use super::trace::Trace;
use super::view::sign;

/// Pawns and kings of a board: all that this part may look at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Skeleton {
    pub(super) pawns: [BitBoard; 2],
    pub(super) kings: [Square; 2],
}

/// The index of a piece's place, seen by its owner with the own king on files e to h.
#[inline]
pub(super) fn place(us: Color, piece: Piece, square: Square, own_king: Square) -> usize {
    let flip_ranks = if us == Color::White { 0 } else { 56 };
    let flip_files = if (own_king.file() as usize) < 4 { 7 } else { 0 };
    PLACE + piece as usize * 64 + (square as usize ^ flip_ranks ^ flip_files)
}

/// Evaluates both sides; gives the passed pawns.
pub(super) fn evaluate<T: Trace>(skeleton: &Skeleton, trace: &mut T) -> BitBoard {
    let mut passed = BitBoard::EMPTY;
    for us in Color::ALL {
        let king = skeleton.kings[us as usize];
        trace.add(place(us, Piece::King, king, king), sign(us));
        for square in skeleton.pawns[us as usize] {
            if evaluate_pawn(skeleton, us, square, trace) {
                passed |= square.bitboard();
            }
        }
        let islands = count_islands(skeleton.pawns[us as usize]);
        trace.add(ISLANDS, sign(us) * islands);
        evaluate_shelter(skeleton, us, trace);
    }
    passed
}

/// Evaluates one pawn; says whether it is passed.
fn evaluate_pawn<T: Trace>(skeleton: &Skeleton, us: Color, square: Square, trace: &mut T) -> bool {
    let ours = skeleton.pawns[us as usize];
    let theirs = skeleton.pawns[!us as usize];
    let sign = sign(us);
    let rank = bits::relative_rank(us, square);
    let own = square.bitboard();
    let ahead = bits::ahead(us, square);
    let neighbours = ours & bits::neighbours(square.file());
    let opposed = !(theirs & ahead).is_empty();
    let beside = bits::beside(own);
    let guards = neighbours & bits::forward(!us, beside);

    trace.add(MATERIAL + Piece::Pawn as usize, sign);
    trace.add(place(us, Piece::Pawn, square, skeleton.kings[us as usize]), sign);
    if !(ours & ahead).is_empty() {
        trace.add(DOUBLED, sign);
    }
    if !(neighbours & beside).is_empty() {
        trace.add(PHALANX + rank, sign);
    }
    if !guards.is_empty() {
        trace.add(SUPPORTED + rank, sign * guards.len() as i32);
    }
    if neighbours.is_empty() {
        trace.add(ISOLATED + usize::from(!opposed), sign);
    } else if is_backward(us, square, neighbours, theirs) {
        trace.add(BACKWARD + usize::from(!opposed), sign);
    }
    if !(ours & ahead).is_empty() || opposed {
        return false;
    }
    let stoppers = theirs & bits::passed_span(us, square);
    if stoppers.is_empty() {
        trace.add(PASSED + rank, sign);
        return true;
    }
    let helpers = neighbours & !bits::passed_span(us, square);
    if helpers.len() >= stoppers.len() {
        trace.add(CANDIDATE + rank, sign);
    }
    false
}

/// All neighbours are ahead, and an enemy pawn guards or holds the next square.
fn is_backward(us: Color, square: Square, neighbours: BitBoard, theirs: BitBoard) -> bool {
    let next = bits::forward(us, square.bitboard());
    let (left, right) = bits::pawn_attacks(us, next);
    let stopped = !(theirs & (left | right | next)).is_empty();
    stopped && neighbours.is_subset(bits::passed_span(us, square))
}

fn count_islands(pawns: BitBoard) -> i32 {
    let mut files = pawns.0;
    for shift in [32, 16, 8] {
        files |= files >> shift;
    }
    let files = files & 0xff;
    // An island begins where the file before has no pawn.
    (files & !(files << 1)).count_ones() as i32
}

/// Own pawns before the king and enemy pawns that come near, on three files.
fn evaluate_shelter<T: Trace>(skeleton: &Skeleton, us: Color, trace: &mut T) {
    let king = skeleton.kings[us as usize];
    let sign = sign(us);
    let not_behind = bits::ranks(us, bits::relative_rank(us, king) as u32, 7);
    let ours = skeleton.pawns[us as usize] & not_behind;
    let theirs = skeleton.pawns[!us as usize] & not_behind;
    let centre = (king.file() as usize).clamp(1, 6);
    for file in centre - 1..=centre + 1 {
        let squares = File::index(file).bitboard();
        let from_edge = file.min(7 - file);
        let own = nearest_rank(us, ours & squares);
        let enemy = nearest_rank(us, theirs & squares);
        trace.add(SHELTER + from_edge * 8 + own, sign);
        if own != 0 && own + 1 == enemy {
            trace.add(STORM_BLOCKED + enemy, sign);
        } else {
            trace.add(STORM + from_edge * 8 + enemy, sign);
        }
    }
    let on_file = king.file().bitboard();
    if (skeleton.pawns[us as usize] & on_file).is_empty() {
        let open = (skeleton.pawns[!us as usize] & on_file).is_empty();
        trace.add(if open { KING_OPEN } else { KING_HALF_OPEN }, sign);
    }
}

/// The rank, as `us` counts, of the pawn nearest to our back rank; 0 if there is none.
fn nearest_rank(us: Color, pawns: BitBoard) -> usize {
    match us {
        Color::White => pawns.0.trailing_zeros() as usize % 64 / 8,
        Color::Black if pawns.is_empty() => 0,
        Color::Black => pawns.0.leading_zeros() as usize / 8,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn islands_are_counted() {
        let islands = |squares: &[Square]| count_islands(squares.iter().copied().collect());
        use Square::*;
        assert_eq!(islands(&[]), 0);
        assert_eq!(islands(&[A2, B5, C7]), 1);
        assert_eq!(islands(&[A2, C3, D4, H7, H6]), 3);
    }

    #[test]
    fn ranks_from_either_side() {
        use Square::*;
        let pawns: BitBoard = [B3, B6].into_iter().collect();
        assert_eq!(nearest_rank(Color::White, pawns), 2);
        assert_eq!(nearest_rank(Color::Black, pawns), 2);
        assert_eq!(nearest_rank(Color::White, BitBoard::EMPTY), 0);
        assert_eq!(nearest_rank(Color::Black, BitBoard::EMPTY), 0);
        assert_eq!(nearest_rank(Color::Black, B7.bitboard()), 1);
    }
}
