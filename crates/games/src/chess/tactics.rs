//! What a selective search asks of chess.

use cozy_chess::{
    BitBoard, Board, Color, File, Move, Piece, Rank, Square, get_bishop_moves, get_bishop_rays,
    get_king_moves, get_knight_moves, get_pawn_attacks, get_rook_moves, get_rook_rays,
};

use super::{Chess, Moves, exchange};
use crate::{Game, Tactics};

impl Tactics for Chess {
    /// Piece and target square. Searches keep the sides apart themselves.
    const HISTORY_SLOTS: usize = 6 * 64;

    #[inline]
    fn in_check(&self) -> bool {
        !self.board.checkers().is_empty()
    }

    /// Captures and promotions to a queen. Promotions to less are left to the full search,
    /// captures or not: where they matter, they are not about material.
    #[inline]
    fn is_noisy(&self, mv: Move) -> bool {
        match mv.promotion {
            None => self.captured(mv).is_some(),
            Some(piece) => piece == Piece::Queen,
        }
    }

    fn noisy_moves(&self) -> impl IntoIterator<Item = Move> {
        let board = &self.board;
        let us = board.side_to_move();
        let victims = board.colors(!us);
        let king = board.king(us);
        let mut moves = Moves::new();
        board.generate_moves_for(board.colors(us) ^ king.bitboard(), |mut piece_moves| {
            let from = piece_moves.from;
            if piece_moves.piece == Piece::Pawn {
                // Off the file is a capture (also en passant), the last rank a promotion.
                let last_rank = Rank::Eighth.relative_to(us).bitboard();
                piece_moves.to &= !from.file().bitboard() | last_rank;
                moves.extend(piece_moves.to.into_iter().map(|to| Move {
                    from,
                    to,
                    promotion: last_rank.has(to).then_some(Piece::Queen),
                }));
            } else {
                piece_moves.to &= victims;
                moves.extend(piece_moves);
            }
            false
        });
        let taken = (get_king_moves(king) & victims).into_iter();
        moves.extend(
            taken
                .map(|to| Move { from: king, to, promotion: None })
                .filter(|&mv| board.is_legal(mv)),
        );
        moves
    }

    fn exchange(&self, mv: Move) -> i32 {
        exchange::exchange(&self.board, mv)
    }

    #[inline]
    fn gain(&self, mv: Move) -> i32 {
        exchange::gain(&self.board, mv)
    }

    fn gives_check(&self, mv: Move) -> bool {
        gives_check(&self.board, mv)
    }

    /// Passing is fair when not in check and with a piece beyond pawns, as pure pawn
    /// endings are full of zugzwang.
    fn pass(&mut self) -> Option<Board> {
        let board = &self.board;
        let us = board.side_to_move();
        let simple = board.pieces(Piece::Pawn) | board.pieces(Piece::King);
        if board.colors(us).is_subset(simple) {
            return None;
        }
        let passed = board.null_move()?;
        self.history.push(self.key());
        Some(std::mem::replace(&mut self.board, passed))
    }

    fn take_back_pass(&mut self, undo: Board) {
        self.history.pop();
        self.board = undo;
    }

    #[inline]
    fn history_slot(&self, mv: Move) -> usize {
        let piece = self.board.piece_on(mv.from).map_or(0, |piece| piece as usize);
        piece * 64 + mv.to as usize
    }
}

/// Whether `mv` attacks the other king, directly or by opening a line.
fn gives_check(board: &Board, mv: Move) -> bool {
    let us = board.side_to_move();
    let king = board.king(!us);
    if board.colors(us).has(mv.to) {
        return castling_gives_check(board, mv, us, king);
    }
    let Some(moved) = board.piece_on(mv.from) else { return false };
    let mut occupied = board.occupied() ^ mv.from.bitboard() | mv.to.bitboard();
    let mut opened = mv.from.bitboard();
    if moved == Piece::Pawn && mv.from.file() != mv.to.file() && !board.occupied().has(mv.to) {
        let victim = Square::new(mv.to.file(), mv.from.rank()).bitboard();
        occupied ^= victim;
        opened |= victim;
    }
    let placed = mv.promotion.unwrap_or(moved);
    if attacks(placed, us, mv.to, occupied).has(king) {
        return true;
    }
    let rays = get_bishop_rays(king) | get_rook_rays(king);
    !(rays & opened).is_empty() && sliders_reach(board, us, king, occupied, mv.from)
}

fn castling_gives_check(board: &Board, mv: Move, us: Color, king: Square) -> bool {
    let back_rank = mv.from.rank();
    let (king_to, rook_to) =
        if mv.to.file() > mv.from.file() { (File::G, File::F) } else { (File::C, File::D) };
    let rook_to = Square::new(rook_to, back_rank);
    let lifted = mv.from.bitboard() | mv.to.bitboard();
    let placed = Square::new(king_to, back_rank).bitboard() | rook_to.bitboard();
    let occupied = (board.occupied() ^ lifted) | placed;
    get_rook_moves(rook_to, occupied).has(king) || sliders_reach(board, us, king, occupied, mv.to)
}

/// Whether a bishop, rook or queen of `us` sees `king`, the piece that left `gone` aside.
fn sliders_reach(board: &Board, us: Color, king: Square, occupied: BitBoard, gone: Square) -> bool {
    let ours = board.colors(us) & !gone.bitboard();
    let queens = board.pieces(Piece::Queen);
    let diagonal = get_bishop_moves(king, occupied) & (board.pieces(Piece::Bishop) | queens);
    let straight = get_rook_moves(king, occupied) & (board.pieces(Piece::Rook) | queens);
    !((diagonal | straight) & ours).is_empty()
}

fn attacks(piece: Piece, color: Color, from: Square, occupied: BitBoard) -> BitBoard {
    match piece {
        Piece::Pawn => get_pawn_attacks(from, color),
        Piece::Knight => get_knight_moves(from),
        Piece::Bishop => get_bishop_moves(from, occupied),
        Piece::Rook => get_rook_moves(from, occupied),
        Piece::Queen => get_bishop_moves(from, occupied) | get_rook_moves(from, occupied),
        Piece::King => get_king_moves(from),
    }
}
