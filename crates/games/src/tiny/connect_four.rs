//! Connect Four on seven columns of six cells, as bitboards.

use crate::{Ending, Game, Outcome, Side, Tactics};

/// Cells of a column, plus one that stays empty so that lines do not wrap around.
pub(super) const STRIDE: u32 = 7;
/// The lowest cell of every column.
const BOTTOM: u64 = 0x0000_0408_1020_4081;
/// All 42 cells.
pub(super) const BOARD: u64 = BOTTOM * 0x3f;
/// The highest cell of every column.
const TOP: u64 = BOTTOM << 5;
/// Columns in the order they are tried: the centre takes part in most lines.
const CENTRE_FIRST: [u8; 7] = [3, 2, 4, 1, 5, 0, 6];

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

/// A move: the column a stone is dropped into, from 0 on the left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Column(u8);

impl Column {
    /// The column with this index, if it is one of the seven.
    pub const fn new(index: u8) -> Option<Self> {
        if index < 7 { Some(Column(index)) } else { None }
    }

    /// 0 for the leftmost column, 6 for the rightmost.
    pub const fn index(self) -> u8 {
        self.0
    }

    const fn bottom(self) -> u64 {
        1 << (self.0 as u32 * STRIDE)
    }

    pub(super) const fn top(self) -> u64 {
        self.bottom() << 5
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

    /// Whether a stone still fits into the column.
    #[inline]
    pub const fn is_open(&self, column: Column) -> bool {
        self.all & column.top() == 0
    }
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

/// The open columns of a position, the centre first.
#[derive(Clone, Debug)]
pub struct Columns {
    full: u64,
    next: usize,
}

impl Iterator for Columns {
    type Item = Column;

    #[inline]
    fn next(&mut self) -> Option<Column> {
        while let Some(&index) = CENTRE_FIRST.get(self.next) {
            self.next += 1;
            let column = Column(index);
            if self.full & column.top() == 0 {
                return Some(column);
            }
        }
        None
    }
}

impl Game for ConnectFour {
    const NAME: &'static str = "connect-four";

    type Move = Column;
    type Undo = ConnectFour;
    type Moves = Columns;

    #[inline]
    fn side_to_move(&self) -> Side {
        if self.plies & 1 == 0 { Side::First } else { Side::Second }
    }

    #[inline]
    fn moves(&self) -> Columns {
        Columns { full: self.all, next: 0 }
    }

    #[inline]
    fn play(&mut self, mv: Column) -> ConnectFour {
        let before = *self;
        self.own ^= self.all;
        // Adding to a column's lowest bit carries into its first empty cell.
        self.all |= self.all + mv.bottom();
        self.plies += 1;
        before
    }

    #[inline]
    fn take_back(&mut self, _mv: Column, undo: ConnectFour) {
        *self = undo;
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
    fn code(mv: Column) -> u16 {
        u16::from(mv.0) + 1
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
        (TOP & !self.all).count_ones() as usize
    }

    #[inline]
    fn order_hint(&self, mv: Column) -> i32 {
        -(i32::from(mv.0) - 3).abs()
    }
}

impl Tactics for ConnectFour {}
