//! Static exchange evaluation: what a move wins if both sides go on taking on its target
//! square for as long as it pays, the least valuable piece first.
//!
//! Pieces behind others join in as lines open, pawns that take on the last rank become
//! queens, and a king takes only what is no longer guarded. Pins are left aside.

use arrayvec::ArrayVec;
use cozy_chess::{
    BitBoard, Board, Color, Move, Piece, Rank, Square, get_bishop_moves, get_king_moves,
    get_knight_moves, get_pawn_attacks, get_rook_moves,
};

use super::captured;

/// What a piece counts in exchanges, in hundredths of a pawn.
pub(super) const fn value(piece: Piece) -> i32 {
    match piece {
        Piece::Pawn => 100,
        Piece::Knight => 320,
        Piece::Bishop => 330,
        Piece::Rook => 500,
        Piece::Queen => 950,
        Piece::King => 20_000,
    }
}

/// The captured piece plus what promotion adds.
pub(super) fn gain(board: &Board, mv: Move) -> i32 {
    let promotion = mv.promotion.map_or(0, |piece| value(piece) - value(Piece::Pawn));
    captured(board, mv).map_or(0, value) + promotion
}

/// The material that `mv` wins, or loses if negative, with best exchanges on its target.
pub(super) fn exchange(board: &Board, mv: Move) -> i32 {
    let us = board.side_to_move();
    if board.colors(us).has(mv.to) {
        return 0; // Castling.
    }
    let mut occupied = board.occupied() ^ mv.from.bitboard() | mv.to.bitboard();
    let mut moved = board.piece_on(mv.from).unwrap_or(Piece::Pawn);
    if moved == Piece::Pawn && !board.occupied().has(mv.to) && mv.from.file() != mv.to.file() {
        occupied ^= Square::new(mv.to.file(), mv.from.rank()).bitboard();
    }
    moved = mv.promotion.unwrap_or(moved);
    // balances[n]: the exchange up to the n-th capture, seen by who made that capture.
    let mut balances = ArrayVec::<i32, 32>::new();
    balances.push(gain(board, mv));
    let mut side = !us;
    while let Some((from, piece)) = least_attacker(board, mv.to, occupied, side) {
        occupied ^= from.bitboard();
        let is_guarded = || least_attacker(board, mv.to, occupied, !side).is_some();
        if piece == Piece::King && is_guarded() {
            break;
        }
        let promotes = piece == Piece::Pawn && mv.to.rank() == Rank::Eighth.relative_to(side);
        let promotion = if promotes { value(Piece::Queen) - value(Piece::Pawn) } else { 0 };
        let last = balances[balances.len() - 1];
        balances.push(value(moved) + promotion - last);
        moved = if promotes { Piece::Queen } else { piece };
        side = !side;
    }
    // Nobody has to take: from the end, each side chooses between taking and leaving it.
    let mut result = balances.pop().unwrap_or(0);
    while let Some(balance) = balances.pop() {
        result = -result.max(-balance);
    }
    result
}

/// The least valuable piece of `side` that attacks `target` through `occupied`.
fn least_attacker(
    board: &Board,
    target: Square,
    occupied: BitBoard,
    side: Color,
) -> Option<(Square, Piece)> {
    let ours = board.colors(side) & occupied;
    let first = |reach: BitBoard, piece: Piece| {
        (reach & ours & board.pieces(piece)).next_square().map(|from| (from, piece))
    };
    let diagonal = || get_bishop_moves(target, occupied);
    let straight = || get_rook_moves(target, occupied);
    first(get_pawn_attacks(target, !side), Piece::Pawn)
        .or_else(|| first(get_knight_moves(target), Piece::Knight))
        .or_else(|| first(diagonal(), Piece::Bishop))
        .or_else(|| first(straight(), Piece::Rook))
        .or_else(|| first(diagonal() | straight(), Piece::Queen))
        .or_else(|| first(get_king_moves(target), Piece::King))
}
