//! What all parts of the evaluation look at: pawns, kings, and who attacks what.

use cozy_chess::{
    BitBoard, Board, Color, Piece, Rank, Square, get_between_rays, get_bishop_rays, get_king_moves,
    get_rook_rays,
};

use super::bits;

/// A board with its attack maps. Arrays go by colour, White first.
pub(super) struct View<'a> {
    pub(super) board: &'a Board,
    pub(super) occupied: BitBoard,
    pub(super) pawns: [BitBoard; 2],
    pub(super) kings: [Square; 2],
    /// The squares around each king.
    pub(super) rings: [BitBoard; 2],
    /// Pieces that shield their own king from a slider.
    pub(super) pinned: [BitBoard; 2],
    /// Squares where a piece of this colour would stand well enough to count as mobility.
    pub(super) mobile: [BitBoard; 2],
    /// Attacks by piece type.
    pub(super) by: [[BitBoard; 6]; 2],
    pub(super) attacked: [BitBoard; 2],
    pub(super) attacked_twice: [BitBoard; 2],
    /// Pieces that attack the ring of the other king.
    pub(super) attackers: [u32; 2],
}

impl<'a> View<'a> {
    /// With the attacks of pawns and kings; pieces add theirs.
    pub(super) fn new(board: &'a Board) -> Self {
        let pawns = Color::ALL.map(|color| board.colored_pieces(color, Piece::Pawn));
        let kings = Color::ALL.map(|color| board.king(color));
        let mut view = View {
            board,
            occupied: board.occupied(),
            pawns,
            kings,
            rings: [BitBoard::EMPTY; 2],
            pinned: Color::ALL.map(|color| pinned(board, color, kings[color as usize])),
            mobile: [BitBoard::EMPTY; 2],
            by: [[BitBoard::EMPTY; 6]; 2],
            attacked: [BitBoard::EMPTY; 2],
            attacked_twice: [BitBoard::EMPTY; 2],
            attackers: [0; 2],
        };
        for us in Color::ALL {
            view.add_basic_attacks(us);
        }
        for us in Color::ALL {
            view.mobile[us as usize] = view.mobile_squares(us);
        }
        view
    }

    fn add_basic_attacks(&mut self, us: Color) {
        let side = us as usize;
        let (left, right) = bits::pawn_attacks(us, self.pawns[side]);
        let king = get_king_moves(self.kings[side]);
        self.by[side][Piece::Pawn as usize] = left | right;
        self.by[side][Piece::King as usize] = king;
        self.attacked[side] = left | right | king;
        self.attacked_twice[side] = (left & right) | (king & (left | right));
        let centre = bits::off_edge(self.kings[side]);
        // What two pawns guard is no way in.
        self.rings[side] = (get_king_moves(centre) | centre.bitboard()) & !(left & right);
    }

    /// Not on own pawns that are low or blocked, not on the own king, not where pawns take.
    fn mobile_squares(&self, us: Color) -> BitBoard {
        let side = us as usize;
        let low = bits::ranks(us, 1, 2);
        let blocked = bits::forward(!us, self.occupied);
        let stuck = self.pawns[side] & (low | blocked);
        !(stuck | self.kings[side].bitboard() | self.pawn_attacks(!us))
    }

    pub(super) fn pawn_attacks(&self, color: Color) -> BitBoard {
        self.by[color as usize][Piece::Pawn as usize]
    }

    pub(super) fn pieces(&self, color: Color, piece: Piece) -> BitBoard {
        self.board.colored_pieces(color, piece)
    }

    /// Notes what a piece of `us` attacks.
    #[inline]
    pub(super) fn add_attacks(&mut self, us: Color, piece: Piece, attacks: BitBoard) {
        let side = us as usize;
        self.by[side][piece as usize] |= attacks;
        self.attacked_twice[side] |= self.attacked[side] & attacks;
        self.attacked[side] |= attacks;
    }
}

/// Pieces of `us` that alone stand between their king and an enemy slider.
fn pinned(board: &Board, us: Color, king: Square) -> BitBoard {
    let queens = board.pieces(Piece::Queen);
    let sliders = board.colors(!us)
        & ((get_bishop_rays(king) & (board.pieces(Piece::Bishop) | queens))
            | (get_rook_rays(king) & (board.pieces(Piece::Rook) | queens)));
    let mut pinned = BitBoard::EMPTY;
    for slider in sliders {
        let between = get_between_rays(king, slider) & board.occupied();
        if between.len() == 1 {
            pinned |= between & board.colors(us);
        }
    }
    pinned
}

/// +1 for White's features, −1 for Black's.
#[inline]
pub(super) const fn sign(us: Color) -> i32 {
    match us {
        Color::White => 1,
        Color::Black => -1,
    }
}

/// The seventh rank as `us` counts.
pub(super) const fn seventh(us: Color) -> Rank {
    Rank::Seventh.relative_to(us)
}
