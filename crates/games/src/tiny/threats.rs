//! Judging Connect Four positions.

use std::ops::ControlFlow;

use super::connect_four::{BOARD, Cell, ConnectFour, STRIDE, completing};
use crate::{Evaluator, Game, Leaf};

/// The three columns in the middle.
const CENTRE: u64 = 0x3f << (2 * STRIDE) | 0x3f << (3 * STRIDE) | 0x3f << (4 * STRIDE);

/// Counts cells that would complete a line (8 each) and stones in the three middle columns
/// (1 each), own against theirs.
#[derive(Clone, Copy, Debug, Default)]
pub struct Threats;

impl Evaluator<ConnectFour> for Threats {
    #[inline]
    fn evaluate(&mut self, position: &ConnectFour) -> i32 {
        let (own, theirs) = (position.own(), position.theirs());
        let free = BOARD & !(own | theirs);
        let threats = count(completing(own) & free) - count(completing(theirs) & free);
        8 * threats + count(own & CENTRE) - count(theirs & CENTRE)
    }

    /// The mover's new threats are all that has to be counted anew for each move.
    #[inline]
    fn each_leaf(
        &mut self,
        position: &mut ConnectFour,
        mut visit: impl FnMut(Leaf) -> ControlFlow<()>,
    ) {
        let (mover, other) = (position.own(), position.theirs());
        let free = BOARD & !(mover | other);
        let (wins, against) = (completing(mover), completing(other) & free);
        let before = 8 * count(against) + count(other & CENTRE) - count(mover & CENTRE);
        for cell in position.moves().map(Cell::bit) {
            let leaf = if cell & wins != 0 {
                Leaf::Over(-1)
            } else {
                let threats = completing(mover | cell) & free & !cell;
                let blocked = i32::from(cell & against != 0);
                let central = i32::from(cell & CENTRE != 0);
                Leaf::Worth(before - 8 * blocked - central - 8 * count(threats))
            };
            if visit(leaf).is_break() {
                break;
            }
        }
    }
}

#[inline]
fn count(cells: u64) -> i32 {
    cells.count_ones() as i32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Notation;

    /// The cells that complete a line, found by trying each.
    fn completing_slowly(stones: u64) -> u64 {
        let cell = |column: i32, row: i32| {
            let on_board = (0..7).contains(&column) && (0..6).contains(&row);
            on_board.then(|| 1u64 << (column * STRIDE as i32 + row))
        };
        let mut found = 0;
        for (column, row) in (0..7).flat_map(|c| (0..6).map(move |r| (c, r))) {
            for (right, up) in [(0, 1), (1, 0), (1, 1), (1, -1)] {
                let line: Option<Vec<u64>> =
                    (0..4).map(|i| cell(column + i * right, row + i * up)).collect();
                for &last in line.iter().flatten() {
                    let others = line.iter().flatten().filter(|&&bit| bit != last);
                    if others.fold(0, |sum, bit| sum | bit) & !stones == 0 {
                        found |= last;
                    }
                }
            }
        }
        found
    }

    #[test]
    fn threats_are_those_found_by_trying() {
        let mut rng = crate::Rng::new(senbon_testkit::seed());
        for _ in 0..300 {
            let mut position = ConnectFour::start();
            while position.outcome().is_none() {
                let moves: Vec<_> = position.moves().collect();
                position.play(*rng.pick(&moves).unwrap());
                let free = BOARD & !(position.own() | position.theirs());
                for stones in [position.own(), position.theirs()] {
                    assert_eq!(completing(stones) & free, completing_slowly(stones) & free);
                }
            }
        }
    }

    #[test]
    fn a_position_is_worth_the_opposite_to_the_other_side() {
        // Two threats at both ends of a row against none: 16, and two middle stones to one.
        let position = ConnectFour::parse_position("2737471").unwrap();
        assert_eq!(position.side_to_move(), crate::Side::Second);
        assert!(position.ended().is_some());
        let position = ConnectFour::parse_position("273747").unwrap();
        assert_eq!(Threats.evaluate(&position), 8 * 2 - 8 + 2);
    }
}
