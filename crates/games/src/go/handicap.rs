//! Handicap stones.

use super::board::Board;
use super::point::Point;
use super::position::Go;
use super::rows::Rows;
use super::rules::Rules;
use crate::Side;

/// Why a handicap cannot be given.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HandicapError {
    /// There are no fixed points for so many stones on this board.
    #[error("a board of {size} rows has fixed points for {most} handicap stones, not {stones}")]
    NoFixedPoints {
        /// Rows of the board.
        size: usize,
        /// The most stones it has fixed points for.
        most: usize,
        /// The stones asked for.
        stones: usize,
    },
    /// The points are too few, too many, off the board, or named twice.
    #[error("free handicap stones must be at least 2, fewer than the points, each on its own")]
    NotFree,
}

/// The most stones with fixed points: nine on odd boards from 9 rows, four on others from 7.
pub fn most_fixed_handicap(size: usize) -> usize {
    match size {
        0..=6 => 0,
        7 => 4,
        _ if size.is_multiple_of(2) => 4,
        _ => 9,
    }
}

/// The fixed points of `stones` handicap stones, in the order of the GTP specification
/// (version 2, section 4.1.1).
pub fn fixed_handicap(size: usize, stones: usize) -> Result<Vec<Point>, HandicapError> {
    let most = most_fixed_handicap(size);
    if !(2..=most).contains(&stones) {
        return Err(HandicapError::NoFixedPoints { size, most, stones });
    }
    // The fourth line on large boards, the third on small ones.
    let low = if size >= 13 { 3 } else { 2 };
    let (mid, high) = (size / 2, size - 1 - low);
    // Columns from the left and rows from the bottom: two corners, the other two, the sides
    // left and right, the sides below and above.
    let pairs = [(low, low), (high, high), (low, high), (high, low)];
    let sides = [(low, mid), (high, mid), (mid, low), (mid, high)];
    let around = stones - usize::from(stones >= 5 && stones % 2 == 1);
    let mut places: Vec<_> = pairs.into_iter().chain(sides).take(around).collect();
    if around < stones {
        places.push((mid, mid));
    }
    Ok(places.into_iter().map(|(column, row)| Point::new(column, size - 1 - row)).collect())
}

impl Go {
    /// A new game with `stones` black stones on their fixed points and White to move.
    ///
    /// # Panics
    /// If there is no board of `size`.
    pub fn with_fixed_handicap(
        size: usize,
        rules: Rules,
        stones: usize,
    ) -> Result<Go, HandicapError> {
        Go::with_free_handicap(size, rules, &fixed_handicap(size, stones)?)
    }

    /// A new game with black stones where Black wants them and White to move.
    ///
    /// # Panics
    /// If there is no board of `size`.
    pub fn with_free_handicap(
        size: usize,
        rules: Rules,
        points: &[Point],
    ) -> Result<Go, HandicapError> {
        let fits = |point: &Point| point.column() < size && point.row() < size;
        let stones: Rows = points.iter().copied().filter(fits).collect();
        if points.len() < 2 || stones.len() != points.len() || points.len() >= size * size {
            return Err(HandicapError::NotFree);
        }
        // Fewer stones than points: every chain has a liberty.
        let board =
            Board::with_stones(size, [stones, Rows::EMPTY]).map_err(|_| HandicapError::NotFree)?;
        Ok(Go::with_position(board, rules, Side::Second, 0, [0; 2]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Game;
    use crate::go::vertex;

    fn names(size: usize, stones: usize) -> String {
        let points = fixed_handicap(size, stones).unwrap();
        points.iter().map(|&point| vertex(point, size)).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn fixed_points_are_those_of_gtp() {
        assert_eq!(names(19, 2), "D4 Q16");
        assert_eq!(names(19, 3), "D4 Q16 D16");
        assert_eq!(names(19, 4), "D4 Q16 D16 Q4");
        assert_eq!(names(19, 5), "D4 Q16 D16 Q4 K10");
        assert_eq!(names(19, 6), "D4 Q16 D16 Q4 D10 Q10");
        assert_eq!(names(19, 7), "D4 Q16 D16 Q4 D10 Q10 K10");
        assert_eq!(names(19, 8), "D4 Q16 D16 Q4 D10 Q10 K4 K16");
        assert_eq!(names(19, 9), "D4 Q16 D16 Q4 D10 Q10 K4 K16 K10");
        assert_eq!(names(13, 5), "D4 K10 D10 K4 G7");
        assert_eq!(names(9, 4), "C3 G7 C7 G3");
        assert_eq!(names(7, 2), "C3 E5");
        assert_eq!(names(8, 4), "C3 F6 C6 F3");
    }

    #[test]
    fn boards_without_fixed_points_say_so() {
        for (size, stones) in [(6, 2), (7, 5), (8, 5), (18, 9), (9, 10), (19, 1), (19, 0)] {
            assert!(fixed_handicap(size, stones).is_err(), "{stones} on {size}");
        }
        let error = fixed_handicap(8, 5).unwrap_err();
        assert_eq!(
            error.to_string(),
            "a board of 8 rows has fixed points for 4 handicap stones, not 5"
        );
    }

    #[test]
    fn free_stones_go_where_they_are_wanted() {
        let points = [Point::new(0, 0), Point::new(1, 0), Point::new(4, 4)];
        let go = Go::with_free_handicap(5, Rules::CHINESE, &points).unwrap();
        assert_eq!(go.side_to_move(), Side::Second);
        assert_eq!(go.board().stones(Side::First), points.into_iter().collect());
        let twice = [Point::new(0, 0), Point::new(0, 0)];
        let outside = [Point::new(0, 0), Point::new(5, 0)];
        for wrong in [&twice[..], &outside, &points[..1]] {
            let error = Go::with_free_handicap(5, Rules::CHINESE, wrong).unwrap_err();
            assert_eq!(error, HandicapError::NotFree);
        }
    }
}
