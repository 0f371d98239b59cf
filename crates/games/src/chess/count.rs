//! Counting legal moves without listing them.
//!
//! Most moves of most positions are counted by the rules crate, piece by piece. Free pawns
//! are counted here, all at once; that alone makes up for what the common interface costs
//! in perft.

use cozy_chess::{BitBoard, Board, Color, File, Piece, Rank, get_between_rays};

/// How many legal moves there are on `board`.
#[inline]
pub(super) fn count_moves(board: &Board) -> usize {
    let us = board.side_to_move();
    // Taking en passant has its own rules of legality, so leave all pawns to the rules crate.
    let free_pawns = match board.en_passant() {
        None => board.colored_pieces(us, Piece::Pawn) & !board.pinned(),
        Some(_) => BitBoard::EMPTY,
    };
    let mut count = count_pawn_moves(board, us, free_pawns);
    board.generate_moves_for(!free_pawns, |moves| {
        count += moves.len();
        false
    });
    count
}

/// The moves of pawns that are not pinned, apart from en passant.
#[inline]
fn count_pawn_moves(board: &Board, us: Color, pawns: BitBoard) -> usize {
    let allowed = match board.checkers().len() {
        0 => BitBoard::FULL,
        1 => board.checkers().next_square().map_or(BitBoard::EMPTY, |checker| {
            get_between_rays(checker, board.king(us)) | checker.bitboard()
        }),
        _ => return 0,
    };
    let forward = |pawns: BitBoard| match us {
        Color::White => BitBoard(pawns.0 << 8),
        Color::Black => BitBoard(pawns.0 >> 8),
    };
    let empty = !board.occupied();
    let steps = forward(pawns) & empty;
    let leaps = forward(steps & Rank::Third.relative_to(us).bitboard()) & empty;
    let takeable = board.colors(!us) & allowed;
    let ahead = forward(pawns);
    let left = BitBoard((ahead & !File::A.bitboard()).0 >> 1) & takeable;
    let right = BitBoard((ahead & !File::H.bitboard()).0 << 1) & takeable;
    let steps = steps & allowed;
    let last_rank = Rank::Eighth.relative_to(us).bitboard();
    let count = |targets: BitBoard| targets.len() + 3 * (targets & last_rank).len();
    (count(steps) + count(left) + count(right) + (leaps & allowed).len()) as usize
}
