//! Judging Connect Four positions by running sums.

use std::ops::ControlFlow;

use super::connect_four::{Cell, ConnectFour, STRIDE, completing};
use crate::{Evaluator, Game, Leaf};

/// Counts the lines of four that run through each stone, own against theirs.
///
/// Weaker than [`Threats`](super::Threats) and much cheaper: a move adds the lines through
/// one cell, so the balance is kept along the way instead of being counted at each leaf.
#[derive(Clone, Debug)]
pub struct Lines {
    /// The balance to the side to move after each move since the last reset.
    balance: [i32; 64],
    last: usize,
}

impl Default for Lines {
    fn default() -> Self {
        Lines { balance: [0; 64], last: 0 }
    }
}

impl Lines {
    /// Lines of four through a cell.
    #[inline]
    pub fn through(cell: Cell) -> i32 {
        i32::from(THROUGH[cell.bit().trailing_zeros() as usize & 63])
    }

    #[inline]
    fn balance(&self) -> i32 {
        self.balance[self.last % 64]
    }
}

impl Evaluator<ConnectFour> for Lines {
    #[inline]
    fn evaluate(&mut self, _position: &ConnectFour) -> i32 {
        self.balance()
    }

    fn reset(&mut self, position: &ConnectFour) {
        let count = |stones: u64| -> i32 {
            (0..49).filter(|cell| stones >> cell & 1 != 0).map(|c| i32::from(THROUGH[c])).sum()
        };
        self.last = 0;
        self.balance[0] = count(position.own()) - count(position.theirs());
    }

    #[inline]
    fn played(&mut self, _before: &ConnectFour, mv: Cell) {
        let after = -(self.balance() + Lines::through(mv));
        self.last += 1;
        self.balance[self.last % 64] = after;
    }

    #[inline]
    fn taken_back(&mut self) {
        self.last -= 1;
    }

    #[inline]
    fn each_leaf(
        &mut self,
        position: &mut ConnectFour,
        mut visit: impl FnMut(Leaf) -> ControlFlow<()>,
    ) {
        let before = self.balance();
        let wins = completing(position.own());
        for cell in position.moves() {
            let leaf = if cell.bit() & wins != 0 {
                Leaf::Over(-1)
            } else {
                Leaf::Worth(-(before + Lines::through(cell)))
            };
            if visit(leaf).is_break() {
                break;
            }
        }
    }
}

/// Lines of four through each cell.
const THROUGH: [u8; 64] = {
    let mut through = [0; 64];
    let mut cell = 0;
    while cell < 7 * STRIDE as i32 {
        let (column, row) = (cell / STRIDE as i32, cell % STRIDE as i32);
        let mut direction = 0;
        while direction < 4 {
            let (right, up) = [(0, 1), (1, 0), (1, 1), (1, -1)][direction];
            let (far_column, far_row) = (column + 3 * right, row + 3 * up);
            if row < 6 && far_column < 7 && 0 <= far_row && far_row < 6 {
                let mut step = 0;
                while step < 4 {
                    through
                        [((column + step * right) * STRIDE as i32 + row + step * up) as usize] += 1;
                    step += 1;
                }
            }
            direction += 1;
        }
        cell += 1;
    }
    through
};
