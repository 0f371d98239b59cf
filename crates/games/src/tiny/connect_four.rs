//! Connect Four on seven columns of six cells, as bitboards.

use crate::{Ending, Game, Outcome, Side, Tactics};

/// Cells of a column, plus one that stays empty so that lines do not wrap around.
pub(super) const STRIDE: u32 = 7;
/// The lowest cell of every column.
const BOTTOM: u64 = 0x0000_0408_1020_4081;
/// All 42 cells.
pub(super) const BOARD: u64 = BOTTOM * 0x3f;
/// The cells of each column, in the order they are tried: the centre takes part in most lines.
static CENTRE_FIRST: [u64; 7] =
    [cells_of(3), cells_of(2), cells_of(4), cells_of(1), cells_of(5), cells_of(0), cells_of(6)];

/// A Connect Four position.
///
/// Cell `r` of column `c` (both from 0, rows from below) is bit `7c + r`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConnectFour {
    /// Stones of the side to move.
    own: u64,
    /// Stones of both sides.
    all: u64,
    plies: u8,
}

/// A move: the cell a stone falls to, which is the lowest empty one of its column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cell(u64);

impl Cell {
    /// The only bit set on a board with a stone here.
    #[inline]
    pub const fn bit(self) -> u64 {
        self.0
    }

    /// 0 for the leftmost column, 6 for the rightmost.
    #[inline]
    pub const fn column(self) -> u8 {
        (self.0.trailing_zeros() / STRIDE) as u8
    }
}

impl ConnectFour {
    /// The empty board.
    pub const EMPTY: Self = ConnectFour { own: 0, all: 0, plies: 0 };

    /// The stones of the side to move.
    #[inline]
    pub const fn own(&self) -> u64 {
        self.own
    }

    /// The stones of the side that moved last.
    #[inline]
    pub const fn theirs(&self) -> u64 {
        self.own ^ self.all
    }

    /// How many stones are on the board.
    #[inline]
    pub const fn plies(&self) -> u8 {
        self.plies
    }

    /// The cell a stone in `column` (from 0) falls to, if there is room.
    pub fn landing(&self, column: u8) -> Option<Cell> {
        let cell = self.landings() & cells_of(column);
        (column < 7 && cell != 0).then_some(Cell(cell))
    }

    /// The lowest empty cell of every open column.
    #[inline]
    const fn landings(&self) -> u64 {
        // Adding to a column's lowest bit carries into its first empty cell.
        (self.all + BOTTOM) & BOARD
    }
}

const fn cells_of(column: u8) -> u64 {
    0x3f << (column as u32 % 7 * STRIDE)
}

/// Whether four of `stones` stand in a line.
#[inline]
fn has_line(stones: u64) -> bool {
    // Upwards, and the three directions to the next column.
    let lines = [1, STRIDE, STRIDE - 1, STRIDE + 1].map(|step| {
        let pairs = stones & (stones >> step);
        pairs & (pairs >> (2 * step))
    });
    lines[0] | lines[1] | lines[2] | lines[3] != 0
}

/// Cells, free or not, on which a stone makes a line of four with three of `stones`.
#[inline]
pub(super) fn completing(stones: u64) -> u64 {
    // The free cell of a vertical line is always the upper end.
    let mut cells = stones << 1 & stones << 2 & stones << 3;
    for step in [STRIDE, STRIDE - 1, STRIDE + 1] {
        let two_before = stones << step & stones << (2 * step);
        let two_after = stones >> step & stones >> (2 * step);
        cells |= two_before & (stones << (3 * step) | stones >> step);
        cells |= two_after & (stones >> (3 * step) | stones << step);
    }
    cells
}

/// The moves of a position, the centre first.
#[derive(Clone, Debug)]
pub struct Cells {
    landings: u64,
    columns: std::slice::Iter<'static, u64>,
}

impl Iterator for Cells {
    type Item = Cell;

    #[inline]
    fn next(&mut self) -> Option<Cell> {
        for &column in self.columns.by_ref() {
            let cell = self.landings & column;
            if cell != 0 {
                return Some(Cell(cell));
            }
        }
        None
    }
}

impl Game for ConnectFour {
    const NAME: &'static str = "connect-four";

    type Move = Cell;
    type Undo = ();
    type Moves = Cells;

    #[inline]
    fn side_to_move(&self) -> Side {
        if self.plies & 1 == 0 { Side::First } else { Side::Second }
    }

    #[inline]
    fn moves(&self) -> Cells {
        Cells { landings: self.landings(), columns: CENTRE_FIRST.iter() }
    }

    #[inline]
    fn play(&mut self, mv: Cell) {
        self.own ^= self.all;
        self.all |= mv.0;
        self.plies += 1;
    }

    #[inline]
    fn take_back(&mut self, mv: Cell, (): ()) {
        self.all &= !mv.0;
        self.own ^= self.all;
        self.plies -= 1;
    }

    /// Different for any two positions: the sum names each column's height and stones, and
    /// the scrambling after it can be undone.
    #[inline]
    fn key(&self) -> u64 {
        let mut key = self.all + BOTTOM + self.own;
        key = key.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        key ^= key >> 32;
        key.wrapping_mul(0xd6e8_feb8_6659_fd93)
    }

    #[inline]
    fn code(mv: Cell) -> u16 {
        mv.0.trailing_zeros() as u16 + 1
    }

    #[inline]
    fn ended(&self) -> Option<Outcome> {
        has_line(self.theirs()).then(|| Outcome::win(!self.side_to_move(), Ending::Line))
    }

    fn stuck(&self) -> Outcome {
        Outcome::draw(Ending::NoMoves)
    }

    #[inline]
    fn count_moves(&self) -> usize {
        self.landings().count_ones() as usize
    }

    #[inline]
    fn order_hint(&self, mv: Cell) -> i32 {
        -(i32::from(mv.column()) - 3).abs()
    }
}

impl Tactics for ConnectFour {}
