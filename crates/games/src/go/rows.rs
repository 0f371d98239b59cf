//! Sets of points as one word of bits a row: floods and borders of a whole board in a few
//! hundred instructions.

use std::ops::{BitAnd, BitOr, Sub};

use super::point::{MAX_SIZE, Point};

/// A set of points. Nothing in it knows the size of the board: what [`grown`](Rows::grown)
/// spills over the edge is cut off by intersecting with the board's points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rows([u32; MAX_SIZE]);

impl Rows {
    /// No point.
    pub const EMPTY: Rows = Rows([0; MAX_SIZE]);

    /// All points of a board `width` columns wide and `height` rows high.
    ///
    /// # Panics
    /// If one of them is larger than [`MAX_SIZE`].
    pub fn rectangle(width: usize, height: usize) -> Rows {
        assert!(width <= MAX_SIZE && height <= MAX_SIZE, "no board is that large");
        let mut rows = Rows::EMPTY;
        rows.0[..height].fill((1 << width) - 1);
        rows
    }

    /// The points of a board of `size` rows for which `is_in(column, row)` holds.
    #[inline]
    pub(super) fn from_fn(size: usize, is_in: impl Fn(usize, usize) -> bool) -> Rows {
        let mut rows = Rows::EMPTY;
        for (row, bits) in rows.0[..size].iter_mut().enumerate() {
            for column in 0..size {
                *bits |= u32::from(is_in(column, row)) << column;
            }
        }
        rows
    }

    /// Whether `point` is in the set.
    #[inline]
    pub fn contains(&self, point: Point) -> bool {
        self.0[point.row()] >> point.column() & 1 != 0
    }

    /// Adds `point`.
    #[inline]
    pub fn insert(&mut self, point: Point) {
        self.0[point.row()] |= 1 << point.column();
    }

    /// Takes `point` out.
    #[inline]
    pub fn remove(&mut self, point: Point) {
        self.0[point.row()] &= !(1 << point.column());
    }

    /// Whether there is no point.
    pub fn is_empty(&self) -> bool {
        *self == Rows::EMPTY
    }

    /// How many points there are.
    pub fn len(&self) -> usize {
        self.0.iter().map(|row| row.count_ones() as usize).sum()
    }

    /// Whether all points are in `other` too.
    pub fn is_within(&self, other: &Rows) -> bool {
        (*self - *other).is_empty()
    }

    /// The first point, row by row from the top left.
    pub fn first(&self) -> Option<Point> {
        let row = self.0.iter().position(|&row| row != 0)?;
        Some(Point::new(self.0[row].trailing_zeros() as usize, row))
    }

    /// The points, row by row from the top left.
    pub fn iter(&self) -> impl Iterator<Item = Point> + use<> {
        let mut rest = *self;
        std::iter::from_fn(move || {
            let point = rest.first()?;
            rest.remove(point);
            Some(point)
        })
    }

    /// The points and their neighbours, some of which may be off the board.
    pub fn grown(&self) -> Rows {
        let rows = &self.0;
        // Three plain loops, which become vector instructions.
        let mut grown: [u32; MAX_SIZE] =
            std::array::from_fn(|i| rows[i] | rows[i] << 1 | rows[i] >> 1);
        for i in 1..MAX_SIZE {
            grown[i] |= rows[i - 1];
            grown[i - 1] |= rows[i];
        }
        Rows(grown)
    }

    /// All points of `area` that can be reached from this set without leaving `area`, and the
    /// set itself.
    pub fn flood(&self, area: &Rows) -> Rows {
        let mut reached = *self;
        loop {
            let next = reached | (reached.grown() & *area);
            if next == reached {
                return reached;
            }
            reached = next;
        }
    }

    /// The connected parts of the set.
    pub fn parts(&self) -> impl Iterator<Item = Rows> + use<> {
        let mut rest = *self;
        std::iter::from_fn(move || {
            let mut seed = Rows::EMPTY;
            seed.insert(rest.first()?);
            let part = seed.flood(&rest);
            rest = rest - part;
            Some(part)
        })
    }
}

impl BitAnd for Rows {
    type Output = Rows;

    fn bitand(self, other: Rows) -> Rows {
        Rows(std::array::from_fn(|i| self.0[i] & other.0[i]))
    }
}

impl BitOr for Rows {
    type Output = Rows;

    fn bitor(self, other: Rows) -> Rows {
        Rows(std::array::from_fn(|i| self.0[i] | other.0[i]))
    }
}

impl Sub for Rows {
    type Output = Rows;

    fn sub(self, other: Rows) -> Rows {
        Rows(std::array::from_fn(|i| self.0[i] & !other.0[i]))
    }
}

impl FromIterator<Point> for Rows {
    fn from_iter<I: IntoIterator<Item = Point>>(points: I) -> Rows {
        let mut rows = Rows::EMPTY;
        for point in points {
            rows.insert(point);
        }
        rows
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_a_ring_and_its_middle() {
        let board = Rows::rectangle(3, 3);
        let mut middle = Rows::EMPTY;
        middle.insert(Point::new(1, 1));
        let ring = board - middle;
        assert_eq!(ring.parts().map(|part| part.len()).collect::<Vec<_>>(), [8]);
        let corners = board - middle.grown();
        assert_eq!(corners.parts().count(), 4);
        assert_eq!(middle.flood(&board), board);
        assert_eq!(corners.iter().collect::<Rows>(), corners);
        assert!(corners.is_within(&ring) && !ring.is_within(&corners));
    }

    #[test]
    fn the_largest_board_has_room() {
        let board = Rows::rectangle(MAX_SIZE, MAX_SIZE);
        assert_eq!(board.len(), 625);
        assert_eq!(board.grown() & board, board);
        assert_eq!(board.iter().last(), Some(Point::new(24, 24)));
    }
}
