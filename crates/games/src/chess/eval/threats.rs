//! Threats, space, and passed pawns with regard to the pieces around them.

use cozy_chess::{
    BitBoard, Color, Piece, Rank, Square, get_bishop_moves, get_knight_moves, get_rook_moves,
};

use super::bits;
use super::layout::*;
use super::trace::Trace;
use super::view::{View, sign};

const WITHOUT_KING: [Piece; 5] =
    [Piece::Pawn, Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen];

/// What `us` threatens. All attack maps must be complete.
pub(super) fn evaluate<T: Trace>(view: &View, us: Color, trace: &mut T) {
    let (side, other) = (us as usize, !us as usize);
    let sign = sign(us);
    let theirs = view.board.colors(!us);
    let pieces = theirs & !view.pawns[other];
    let strong = view.pawn_attacks(!us) | (view.attacked_twice[other] & !view.attacked_twice[side]);
    let weak = theirs & !strong & view.attacked[side];
    let by = |piece: Piece| view.by[side][piece as usize];
    let minors = by(Piece::Knight) | by(Piece::Bishop);

    let mut each = |table: usize, targets: BitBoard| {
        if targets.is_empty() {
            return;
        }
        for piece in WITHOUT_KING {
            let count = (targets & view.board.pieces(piece)).len() as i32;
            if count > 0 {
                trace.add(table + piece as usize, sign * count);
            }
        }
    };
    each(PAWN_THREAT, view.pawn_attacks(us) & theirs);
    each(MINOR_THREAT, minors & (pieces | weak));
    each(ROOK_THREAT, by(Piece::Rook) & weak);
    each(HANGING, view.attacked[side] & theirs & !view.attacked[other]);
    if !(by(Piece::King) & weak).is_empty() {
        trace.add(KING_THREAT, sign);
    }
    let restricted = view.attacked[other] & !strong & view.attacked[side];
    trace.add(RESTRICTED, sign * restricted.len() as i32);
    step_threats(view, us, pieces, trace);
    queen_threats(view, us, strong, trace);
}

/// Pieces that a pawn would attack after a safe step.
fn step_threats<T: Trace>(view: &View, us: Color, pieces: BitBoard, trace: &mut T) {
    let (side, other) = (us as usize, !us as usize);
    let empty = !view.occupied;
    let steps = bits::forward(us, view.pawns[side]) & empty;
    let leaps = bits::forward(us, steps & Rank::Third.relative_to(us).bitboard()) & empty;
    let safe = !view.pawn_attacks(!us) & (view.attacked[side] | !view.attacked[other]);
    let (left, right) = bits::pawn_attacks(us, (steps | leaps) & safe);
    let targets = (left | right) & pieces & !view.pawn_attacks(us);
    trace.add(STEP_THREAT, sign(us) * targets.len() as i32);
}

/// Safe squares from which the enemy queen could be attacked.
fn queen_threats<T: Trace>(view: &View, us: Color, strong: BitBoard, trace: &mut T) {
    let side = us as usize;
    let queens = view.pieces(!us, Piece::Queen);
    let (1, Some(queen)) = (queens.len(), queens.next_square()) else { return };
    let safe = view.mobile[side] & !strong & !view.board.colors(us);
    let by = |piece: Piece| view.by[side][piece as usize];
    let knights = by(Piece::Knight) & get_knight_moves(queen) & safe;
    let sliders = (by(Piece::Bishop) & get_bishop_moves(queen, view.occupied))
        | (by(Piece::Rook) & get_rook_moves(queen, view.occupied));
    let sliders = sliders & safe & view.attacked_twice[side];
    trace.add(QUEEN_THREAT, sign(us) * knights.len() as i32);
    trace.add(QUEEN_THREAT + 1, sign(us) * sliders.len() as i32);
}

/// Room behind the own pawns in the centre; the more pieces, the more it counts.
pub(super) fn space<T: Trace>(view: &View, us: Color, trace: &mut T) {
    let (side, other) = (us as usize, !us as usize);
    let centre = BitBoard(0x3c3c_3c3c_3c3c_3c3c) & bits::ranks(us, 1, 3);
    let safe = centre & !view.pawns[side] & !view.pawn_attacks(!us);
    let mut behind = view.pawns[side];
    behind |= bits::forward(!us, behind);
    behind |= bits::forward(!us, bits::forward(!us, behind));
    let sheltered = behind & safe & !view.attacked[other];
    let room = (safe.len() + sheltered.len()) as i32;
    let pieces = view.board.colors(us).len() as i32;
    trace.add(SPACE, sign(us) * (room * pieces * pieces / 256));
}

/// Passed pawns: who stands where along their way.
pub(super) fn passed<T: Trace>(view: &View, us: Color, passed: BitBoard, trace: &mut T) {
    let other = !us as usize;
    let mut unstoppable = false;
    for square in passed & view.pawns[us as usize] {
        let rank = bits::relative_rank(us, square);
        let way = bits::ahead(us, square);
        let Some(next) = bits::forward(us, square.bitboard()).next_square() else { continue };
        let mut add = |feature: usize, count: i32| trace.add(feature, sign(us) * count);
        add(PASSED_OWN_KING + rank, bits::distance(view.kings[us as usize], next));
        add(PASSED_ENEMY_KING + rank, bits::distance(view.kings[other], next));
        if !view.occupied.has(next) {
            add(PASSED_FREE + rank, 1);
        }
        if (way & (view.attacked[other] | view.board.colors(!us))).is_empty() {
            add(PASSED_SAFE + rank, 1);
        }
        let behind = bits::ahead(!us, square);
        let rooks = get_rook_moves(square, view.occupied) & behind & view.board.pieces(Piece::Rook);
        if !(rooks & view.board.colors(us)).is_empty() {
            add(PASSED_ROOK, 1);
        } else if !rooks.is_empty() {
            add(PASSED_ROOK + 1, 1);
        }
        unstoppable |= is_unstoppable(view, us, square, way);
    }
    if unstoppable {
        trace.add(UNSTOPPABLE, sign(us));
    }
}

/// Against a bare king and pawns: the way is free, and the king too far away.
fn is_unstoppable(view: &View, us: Color, square: Square, way: BitBoard) -> bool {
    let simple = view.board.pieces(Piece::Pawn) | view.board.pieces(Piece::King);
    if !view.board.colors(!us).is_subset(simple) || !(way & view.occupied).is_empty() {
        return false;
    }
    let rank = bits::relative_rank(us, square) as i32;
    let steps = 7 - rank.max(2);
    let goal = Square::new(square.file(), Rank::Eighth.relative_to(us));
    let head_start = i32::from(view.board.side_to_move() != us);
    bits::distance(view.kings[!us as usize], goal) - head_start > steps
}
