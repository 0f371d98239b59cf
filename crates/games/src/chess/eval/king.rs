//! The pressure of one side on the other side's king.

use cozy_chess::{
    BitBoard, Color, File, Piece, get_bishop_moves, get_knight_moves, get_rook_moves,
};

use super::bits;
use super::layout::*;
use super::trace::Trace;
use super::view::View;

/// Whether the pieces of `us` near the other king are enough to speak of an attack.
pub(super) fn is_attacked_by(view: &View, us: Color) -> bool {
    view.attackers[us as usize] + view.pieces(us, Piece::Queen).len() >= 2
}

/// Evaluates the attack of `us`. All attack maps must be complete.
pub(super) fn evaluate<T: Trace>(view: &View, us: Color, trace: &mut T) {
    let them = !us;
    let (side, other) = (us as usize, them as usize);
    let ring = view.rings[other];
    let hardly_defended = !view.attacked[other]
        | view.by[other][Piece::King as usize]
        | view.by[other][Piece::Queen as usize];
    let weak = view.attacked[side] & !view.attacked_twice[other] & hardly_defended;
    let mut press = |feature: usize, count: u32| trace.press(side, feature, count as i32);

    press(BASE, 1);
    press(WEAK_RING, (weak & ring).len());
    press(NO_QUEEN, u32::from(view.pieces(us, Piece::Queen).is_empty()));
    press(PINNED, view.pinned[other].len());
    press(PAWN_ATTACKS, (view.pawn_attacks(us) & ring).len());
    let knight_guard = view.by[other][Piece::Knight as usize] & ring;
    press(KNIGHT_GUARD, u32::from(!knight_guard.is_empty()));

    checks(view, us, weak, &mut press);
    cover(view, them, &mut press);
    wing(view, us, &mut press);
}

/// Checks that could be given next move, on safe squares and on others.
fn checks(view: &View, us: Color, weak: BitBoard, press: &mut impl FnMut(usize, u32)) {
    let (side, other) = (us as usize, !us as usize);
    let king = view.kings[other];
    let free = view.occupied ^ view.pieces(!us, Piece::Queen);
    let diagonal = get_bishop_moves(king, free);
    let straight = get_rook_moves(king, free);
    let safe =
        !view.board.colors(us) & (!view.attacked[other] | (weak & view.attacked_twice[side]));
    let lines = [get_knight_moves(king), diagonal, straight, diagonal | straight];
    let mut unsafe_squares = BitBoard::EMPTY;
    for (kind, line) in lines.into_iter().enumerate() {
        let checks = line & view.by[side][Piece::Knight as usize + kind];
        match (checks & safe).len() {
            0 => unsafe_squares |= checks & !view.board.colors(us),
            1 => press(SAFE_CHECK + kind, 1),
            _ => press(MORE_SAFE_CHECKS + kind, 1),
        }
    }
    press(UNSAFE_CHECKS, unsafe_squares.len());
}

/// Pawns of `them` before their king, and files without any.
fn cover(view: &View, them: Color, press: &mut impl FnMut(usize, u32)) {
    let king = view.kings[them as usize];
    let pawns = view.pawns[them as usize];
    let centre = (king.file() as usize).clamp(1, 6);
    let files = [centre - 1, centre, centre + 1].map(|file| File::index(file).bitboard());
    let bare = files.iter().filter(|&&file| (pawns & file).is_empty()).count();
    press(OPEN_FILES, bare as u32);
    let rank = bits::relative_rank(them, king) as u32;
    let near = bits::ranks(them, rank, (rank + 2).min(7));
    let shield = pawns & near & (files[0] | files[1] | files[2]);
    press(SHIELD, shield.len());
}

/// Who controls the king's wing.
fn wing(view: &View, us: Color, press: &mut impl FnMut(usize, u32)) {
    let (side, other) = (us as usize, !us as usize);
    let files = match view.kings[other].file() {
        File::A | File::B | File::C => 0x0f0f_0f0f_0f0f_0f0f,
        File::D | File::E => 0x3c3c_3c3c_3c3c_3c3c,
        File::F | File::G | File::H => 0xf0f0_f0f0_f0f0_f0f0,
    };
    let camp = BitBoard(files) & bits::ranks(!us, 0, 4);
    press(WING_ATTACKED, (view.attacked[side] & camp).len());
    press(WING_ATTACKED_TWICE, (view.attacked_twice[side] & camp).len());
    press(WING_DEFENDED, (view.attacked[other] & camp).len());
    let no_pawns = (view.board.pieces(Piece::Pawn) & BitBoard(files)).is_empty();
    press(NO_PAWNS, u32::from(no_pawns));
}
