//! What general rules get wrong about end games: drawish material, and driving a bare king
//! to the edge.

use cozy_chess::{BitBoard, Board, Color, File, Piece, Square};

use super::bits;

/// The full end-game value, in [`scale`]'s unit.
pub(super) const FULL: i32 = 64;

/// Plain piece values, for judging which side is ahead.
fn worth(piece: Piece) -> i32 {
    match piece {
        Piece::Pawn => 1,
        Piece::Knight | Piece::Bishop => 3,
        Piece::Rook => 5,
        Piece::Queen => 9,
        Piece::King => 0,
    }
}

fn count(board: &Board, color: Color, piece: Piece) -> i32 {
    board.colored_pieces(color, piece).len() as i32
}

/// Worth of all pieces but pawns.
fn pieces_worth(board: &Board, color: Color) -> i32 {
    [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen]
        .into_iter()
        .map(|piece| worth(piece) * count(board, color, piece))
        .sum()
}

/// How much of the end-game value stands, out of [`FULL`]: less where winning is hard.
///
/// It depends on the material alone, so that the evaluation stays linear in its weights.
pub(super) fn scale(board: &Board) -> i32 {
    let total = |color| pieces_worth(board, color) + count(board, color, Piece::Pawn);
    let lead = total(Color::White) - total(Color::Black);
    match lead {
        0 => scale_for(board, Color::White).max(scale_for(board, Color::Black)),
        1.. => scale_for(board, Color::White),
        _ => scale_for(board, Color::Black),
    }
}

/// What stands of the end-game value when `strong` is the side that tries to win.
fn scale_for(board: &Board, strong: Color) -> i32 {
    let (ours, theirs) = (pieces_worth(board, strong), pieces_worth(board, !strong));
    let pawns = count(board, strong, Piece::Pawn);
    let only_knights = ours == 3 * count(board, strong, Piece::Knight);
    if pawns == 0 && (ours - theirs <= 3 || (only_knights && ours <= 6)) {
        return match (ours, theirs) {
            (..5, _) => 0,
            _ if only_knights => 0,
            (_, ..=3) => 6,
            _ => 16,
        };
    }
    if has_wrong_bishop(board, strong) {
        return 0;
    }
    if has_opposite_bishops(board) {
        let only_bishops = ours == 3 && theirs == 3;
        return if only_bishops { (16 + 8 * pawns).min(44) } else { 50 };
    }
    (40 + 6 * pawns).min(FULL)
}

fn has_opposite_bishops(board: &Board) -> bool {
    let [white, black] = Color::ALL.map(|color| board.colored_pieces(color, Piece::Bishop));
    let dark = |bishops: BitBoard| !(bishops & bits::DARK).is_empty();
    white.len() == 1 && black.len() == 1 && dark(white) != dark(black)
}

/// Nothing but pawns on one rook file and a bishop that does not guard their last square,
/// with the defending king there.
fn has_wrong_bishop(board: &Board, strong: Color) -> bool {
    let pawns = board.colored_pieces(strong, Piece::Pawn);
    let bishops = board.colored_pieces(strong, Piece::Bishop);
    let others = board.colors(strong) & !pawns & !bishops & !board.pieces(Piece::King);
    let file = if pawns.is_subset(File::A.bitboard()) {
        File::A
    } else if pawns.is_subset(File::H.bitboard()) {
        File::H
    } else {
        return false;
    };
    let corner = Square::new(file, cozy_chess::Rank::Eighth.relative_to(strong));
    let guards = |square: Square| bits::DARK.has(square) == bits::DARK.has(corner);
    others.is_empty()
        && !bishops.into_iter().any(guards)
        && bits::distance(board.king(!strong), corner) <= 1
}

/// A bare king against enough to mate: the value for the side with the pieces, larger the
/// nearer the bare king is to the edge, or to the right corner, and the kings to each other.
pub(super) fn bare_king(board: &Board) -> Option<(Color, i32)> {
    let weak = Color::ALL.into_iter().find(|&color| board.colors(color).len() == 1)?;
    let strong = !weak;
    let bishops = board.colored_pieces(strong, Piece::Bishop);
    let both_bishops = !(bishops & bits::DARK).is_empty() && !(bishops & !bits::DARK).is_empty();
    let has = |piece| count(board, strong, piece) > 0;
    let knight_and_bishop = has(Piece::Knight) && has(Piece::Bishop);
    let majors = has(Piece::Rook) || has(Piece::Queen);
    if has(Piece::Pawn) || !(majors || both_bishops || knight_and_bishop) {
        return None;
    }
    let (king, hunter) = (board.king(weak), board.king(strong));
    let edge = if majors || both_bishops {
        let off_centre = |x: usize| (2 * x as i32 - 7).abs();
        10 * (off_centre(king.file() as usize) + off_centre(king.rank() as usize))
    } else {
        // Only a corner of the bishop's colour will do.
        let corners = if bits::DARK.is_disjoint(bishops) {
            [Square::A8, Square::H1]
        } else {
            [Square::A1, Square::H8]
        };
        40 * (7 - corners.map(|corner| bits::distance(king, corner)).into_iter().min()?)
    };
    let near = 8 * (7 - bits::distance(king, hunter));
    let material = 100 * pieces_worth(board, strong);
    Some((strong, 1_000 + material.min(4_000) + edge + near))
}
