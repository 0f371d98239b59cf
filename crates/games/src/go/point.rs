//! Points of the board and moves, as small numbers.

use std::fmt;
use std::ops::{Index, IndexMut};

/// The smallest board.
pub const MIN_SIZE: usize = 2;
/// The largest board: GTP has letters for 25 columns.
pub const MAX_SIZE: usize = 25;

/// Distance between two rows in tables of points. One stride for every size keeps points and
/// moves independent of the board, and makes neighbours constant offsets.
const STRIDE: u16 = 32;
/// Length of such tables: 27 rows with the walls, rounded up to a power of two so that masking
/// an index keeps it inside.
pub(super) const CELLS: usize = 1024;

/// How many cells a board of `size` uses, walls included.
pub(super) const fn cells_used(size: usize) -> usize {
    (size + 2) * STRIDE as usize
}

/// A point of the board. The top left one is column 0, row 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Point(u16);

impl Point {
    /// No point: a cell that is wall on every board.
    pub(super) const NONE: Point = Point(0);

    /// The point in `column` from the left and `row` from the top, both counted from 0.
    ///
    /// # Panics
    /// If one of them is not below [`MAX_SIZE`].
    #[inline]
    pub const fn new(column: usize, row: usize) -> Point {
        assert!(column < MAX_SIZE && row < MAX_SIZE, "no board has this point");
        Point((row as u16 + 1) * STRIDE + column as u16 + 1)
    }

    /// Columns from the left, counted from 0.
    #[inline]
    pub const fn column(self) -> usize {
        (self.0 % STRIDE) as usize - 1
    }

    /// Rows from the top, counted from 0.
    #[inline]
    pub const fn row(self) -> usize {
        (self.0 / STRIDE) as usize - 1
    }

    /// The left, right, upper and lower neighbour, which may be wall.
    #[inline(always)]
    pub(super) const fn neighbours(self) -> [Point; 4] {
        [self.moved(-1), self.moved(1), self.moved(-(STRIDE as i16)), self.moved(STRIDE as i16)]
    }

    /// The four diagonal neighbours, which may be wall.
    #[inline(always)]
    pub(super) const fn diagonals(self) -> [Point; 4] {
        let row = STRIDE as i16;
        [self.moved(-row - 1), self.moved(-row + 1), self.moved(row - 1), self.moved(row + 1)]
    }

    #[inline(always)]
    const fn moved(self, by: i16) -> Point {
        Point(self.0.wrapping_add_signed(by))
    }

    /// Index into tables of [`CELLS`]. The mask changes nothing for a real point; it lets the
    /// compiler drop the bounds check.
    #[inline(always)]
    pub(super) const fn index(self) -> usize {
        self.0 as usize % CELLS
    }
}

impl fmt::Debug for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Point::NONE => f.write_str("no point"),
            point => write!(f, "column {} row {}", point.column(), point.row()),
        }
    }
}

/// Something for every point and wall.
#[derive(Clone)]
pub(super) struct Table<T>(pub(super) [T; CELLS]);

impl<T> Index<Point> for Table<T> {
    type Output = T;

    #[inline(always)]
    fn index(&self, point: Point) -> &T {
        &self.0[point.index()]
    }
}

impl<T> IndexMut<Point> for Table<T> {
    #[inline(always)]
    fn index_mut(&mut self, point: Point) -> &mut T {
        &mut self.0[point.index()]
    }
}

/// A stone on a point, or a pass.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(Point);

impl Move {
    /// The pass. Its number is that of a wall.
    pub const PASS: Move = Move(Point(1));

    /// A stone on `point`.
    pub const fn at(point: Point) -> Move {
        Move(point)
    }

    /// Where the stone goes; `None` for a pass.
    #[inline]
    pub fn point(self) -> Option<Point> {
        (self != Move::PASS).then_some(self.0)
    }

    /// A number for tables, different for every move and never zero.
    pub(super) const fn code(self) -> u16 {
        self.0.0
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.point() {
            None => f.write_str("pass"),
            Some(point) => point.fmt(f),
        }
    }
}
