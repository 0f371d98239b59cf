//! Knights, bishops, rooks and queens: where they stand, where they can go, and what is
//! special about each.

use cozy_chess::{
    BitBoard, Color, Piece, Rank, Square, get_between_rays, get_bishop_moves, get_bishop_rays,
    get_knight_moves, get_line_rays, get_rook_moves, get_rook_rays,
};

use super::bits;
use super::layout::*;
use super::pawns::place;
use super::trace::Trace;
use super::view::{View, seventh, sign};

const CENTRE: BitBoard = BitBoard(0x0000_0018_1800_0000);

/// Evaluates the pieces of `us` and adds their attacks to the view.
pub(super) fn evaluate<T: Trace>(view: &mut View, us: Color, trace: &mut T) {
    let outposts = outposts(view, us);
    for square in view.pieces(us, Piece::Knight) {
        let attacks = enter(view, us, Piece::Knight, square, get_knight_moves(square), trace);
        minor(view, us, square, outposts, OUTPOST, trace);
        if !outposts.has(square)
            && !(attacks & outposts & view.pawn_attacks(us) & !view.board.colors(us)).is_empty()
        {
            trace.add(OUTPOST_NEAR, sign(us));
        }
        trace.add(KNIGHT_PAWNS, sign(us) * (view.pawns[us as usize].len() as i32 - 5));
    }
    let queens = view.board.pieces(Piece::Queen);
    for square in view.pieces(us, Piece::Bishop) {
        let attacks = get_bishop_moves(square, view.occupied ^ queens);
        enter(view, us, Piece::Bishop, square, attacks, trace);
        minor(view, us, square, outposts, OUTPOST + 2, trace);
        bishop(view, us, square, trace);
    }
    let majors = queens | view.pieces(us, Piece::Rook);
    for square in view.pieces(us, Piece::Rook) {
        let attacks = get_rook_moves(square, view.occupied & !majors);
        let attacks = enter(view, us, Piece::Rook, square, attacks, trace);
        rook(view, us, square, attacks, trace);
    }
    for square in view.pieces(us, Piece::Queen) {
        let attacks =
            get_bishop_moves(square, view.occupied) | get_rook_moves(square, view.occupied);
        enter(view, us, Piece::Queen, square, attacks, trace);
        queen(view, us, square, trace);
    }
    let bishops = view.pieces(us, Piece::Bishop);
    if !(bishops & bits::DARK).is_empty() && !(bishops & !bits::DARK).is_empty() {
        trace.add(BISHOP_PAIR, sign(us));
    }
}

/// What every piece has: material, place, mobility, and perhaps a look at the other king.
/// Gives its attacks, along the pin if it is pinned.
#[inline]
fn enter<T: Trace>(
    view: &mut View,
    us: Color,
    piece: Piece,
    square: Square,
    mut attacks: BitBoard,
    trace: &mut T,
) -> BitBoard {
    let side = us as usize;
    let own_king = view.kings[side];
    if view.pinned[side].has(square) {
        attacks &= get_line_rays(own_king, square);
    }
    view.add_attacks(us, piece, attacks);
    trace.add(MATERIAL + piece as usize, sign(us));
    trace.add(place(us, piece, square, own_king), sign(us));
    let table = match piece {
        Piece::Knight => KNIGHT_MOBILITY,
        Piece::Bishop => BISHOP_MOBILITY,
        Piece::Rook => ROOK_MOBILITY,
        _ => QUEEN_MOBILITY,
    };
    trace.add(table + (attacks & view.mobile[side]).len() as usize, sign(us));
    let hits = attacks & view.rings[!us as usize];
    if !hits.is_empty() {
        let kind = piece as usize - Piece::Knight as usize;
        view.attackers[side] += 1;
        trace.press(side, ATTACKERS + kind, 1);
        trace.press(side, RING_ATTACKS + kind, hits.len() as i32);
    }
    attacks
}

/// Squares on ranks 4 to 6 that no enemy pawn can ever attack.
fn outposts(view: &View, us: Color) -> BitBoard {
    let mut span = view.pawn_attacks(!us);
    for _ in 0..4 {
        span |= bits::forward(!us, span);
    }
    bits::ranks(us, 3, 5) & !span
}

fn minor<T: Trace>(
    view: &View,
    us: Color,
    square: Square,
    outposts: BitBoard,
    outpost: usize,
    trace: &mut T,
) {
    if outposts.has(square) {
        let guarded = usize::from(view.pawn_attacks(us).has(square));
        trace.add(outpost + guarded, sign(us));
    }
    let before = bits::forward(us, square.bitboard());
    if !(before & view.pawns[us as usize]).is_empty() {
        trace.add(SHIELDED_MINOR, sign(us));
    }
    if view.rings[us as usize].has(square) {
        trace.add(KING_GUARDS, sign(us));
    }
}

fn bishop<T: Trace>(view: &View, us: Color, square: Square, trace: &mut T) {
    let pawns = view.pawns[us as usize];
    let colour = if bits::DARK.has(square) { bits::DARK } else { !bits::DARK };
    let blocked = pawns & bits::forward(!us, view.occupied);
    trace.add(BISHOP_PAWNS, sign(us) * (pawns & colour).len() as i32);
    trace.add(BISHOP_BLOCKED_PAWNS, sign(us) * (blocked & colour).len() as i32);
    let all_pawns = view.board.pieces(Piece::Pawn);
    if (get_bishop_moves(square, all_pawns) & CENTRE).len() > 1 {
        trace.add(BISHOP_CENTRE, sign(us));
    }
}

fn rook<T: Trace>(view: &View, us: Color, square: Square, attacks: BitBoard, trace: &mut T) {
    let file = square.file().bitboard();
    let (ours, theirs) = (view.pawns[us as usize], view.pawns[!us as usize]);
    trace.add(ROOK_PAWNS, sign(us) * (ours.len() as i32 - 5));
    if (ours & file).is_empty() {
        let open = (theirs & file).is_empty();
        trace.add(if open { ROOK_OPEN } else { ROOK_HALF_OPEN }, sign(us));
    } else if (attacks & view.mobile[us as usize]).len() <= 3 {
        // Between the king and the corner, and the king on that side itself.
        let king = view.kings[us as usize];
        let (king_file, rook_file) = (king.file() as usize, square.file() as usize);
        let same_rank = bits::relative_rank(us, king) == 0;
        if same_rank && (king_file < 4) == (rook_file < king_file) && king_file != rook_file {
            trace.add(ROOK_TRAPPED, sign(us));
        }
    }
    if !(view.pieces(!us, Piece::Queen) & file).is_empty() {
        trace.add(ROOK_QUEEN_FILE, sign(us));
    }
    let seventh = seventh(us);
    let last = Rank::Eighth.relative_to(us);
    let prey = !(theirs & seventh.bitboard()).is_empty() || view.kings[!us as usize].rank() == last;
    if square.rank() == seventh && prey {
        trace.add(ROOK_SEVENTH, sign(us));
    }
}

/// Sliders that look at the queen through one other piece.
fn queen<T: Trace>(view: &View, us: Color, square: Square, trace: &mut T) {
    let sliders = (get_bishop_rays(square) & view.pieces(!us, Piece::Bishop))
        | (get_rook_rays(square) & view.pieces(!us, Piece::Rook));
    let behind_one =
        |&slider: &Square| (get_between_rays(square, slider) & view.occupied).len() == 1;
    let count = sliders.into_iter().filter(behind_one).count() as i32;
    if count > 0 {
        trace.add(QUEEN_BEHIND, sign(us) * count);
    }
}
