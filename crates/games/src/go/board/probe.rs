//! What a stone would do and how chains stand, without changing the board.

use super::{Board, Cell, WALL, stone_of};
use crate::Side;
use crate::go::point::Point;
use crate::go::rows::Rows;

/// What a stone would do, without placing it.
impl Board {
    /// Whether a stone of `side` on the empty `point` would have a liberty, by a capture if
    /// need be: whether it is no suicide.
    #[inline(always)]
    pub(in crate::go) fn breathes(&self, point: Point, side: Side) -> bool {
        self.cells[point].near_empty() != 0 || self.breathes_inside(point, side)
    }

    /// [`Self::breathes`] for a point without an empty neighbour.
    #[inline(always)]
    fn breathes_inside(&self, point: Point, side: Side) -> bool {
        let around = point.neighbours().map(|n| self.cells[n]);
        // How many of the four belong to the same chain: that many of the chain's
        // pseudo-liberties are on this point.
        let shared = |chain| around.iter().map(|cell| u16::from(cell.chain == chain)).sum();
        for Cell { stone, chain, .. } in around {
            let liberties = self.liberties[chain];
            if stone == stone_of(side) {
                if liberties > 4 || liberties > shared(chain) {
                    return true;
                }
            } else if stone == stone_of(!side) && liberties <= 4 && liberties == shared(chain) {
                return true;
            }
        }
        false
    }

    /// Whether a stone of `side` on the empty `point` would take anything.
    #[inline]
    pub(in crate::go) fn takes_any(&self, point: Point, side: Side) -> bool {
        if self.cells[point].near_side(!side) == 0 {
            return false;
        }
        let around = point.neighbours().map(|n| self.cells[n]);
        let shared = |chain| around.iter().map(|cell| u16::from(cell.chain == chain)).sum();
        around.iter().any(|&Cell { stone, chain, .. }| {
            let liberties = self.liberties[chain];
            stone == stone_of(!side) && liberties <= 4 && liberties == shared(chain)
        })
    }

    /// The chains of `side` beside `point`, each once, by their heads.
    #[inline]
    pub(in crate::go) fn chains_beside(
        &self,
        point: Point,
        side: Side,
    ) -> impl Iterator<Item = Point> + '_ {
        let around = point.neighbours().map(|n| self.cells[n]);
        let is_first = move |i: usize| around[..i].iter().all(|cell| cell.chain != around[i].chain);
        (0..4)
            .filter(move |&i| around[i].stone == stone_of(side) && is_first(i))
            .map(move |i| around[i].chain)
    }

    /// The chains that a stone of `side` on the empty `point` would take off, by their heads.
    pub(in crate::go) fn captures(
        &self,
        point: Point,
        side: Side,
    ) -> impl Iterator<Item = Point> + '_ {
        self.chains_beside(point, !side).filter(move |&head| {
            let beside =
                point.neighbours().iter().filter(|&&n| self.cells[n].chain == head).count();
            usize::from(self.liberties[head]) == beside
        })
    }

    /// Whether the empty `point` is an eye of `side` that holds: all neighbours are its own,
    /// and the other side has at most one of the diagonals, none at the edge.
    #[inline(always)]
    pub(in crate::go) fn is_true_eye(&self, point: Point, side: Side) -> bool {
        if self.cells[point].near_side(side) != 4 {
            return false;
        }
        let mut foes = 0;
        let mut edge = false;
        for d in point.diagonals() {
            let stone = self.cells[d].stone;
            foes += u8::from(stone == stone_of(!side));
            edge |= stone == WALL;
        }
        foes + u8::from(edge) < 2
    }

    /// Whether the light policy of playouts may play the empty `point`: no suicide, no retaking
    /// of a ko, no filling of an own eye.
    #[inline(always)]
    pub(in crate::go) fn is_sensible(&self, point: Point, side: Side) -> bool {
        if self.cells[point].near_empty() != 0 {
            return true;
        }
        // A ko point has no empty neighbour, so the test may wait until here.
        !self.is_true_eye(point, side) && self.breathes_inside(point, side) && point != self.ko
    }

    /// The stones of one chain, given any of them.
    pub(in crate::go) fn chain(&self, stone: Point) -> impl Iterator<Item = Point> + '_ {
        let mut next = Some(stone);
        std::iter::from_fn(move || {
            let point = next?;
            let following = self.cells[point].next;
            next = (following != stone).then_some(following);
            Some(point)
        })
    }

    /// Whether `point` is empty and could be where a single stone of `side` was just taken, so
    /// that ko forbids `side` to retake: it would take one stone alone, and be alone itself.
    pub(in crate::go) fn is_ko_shape(&self, point: Point, side: Side) -> bool {
        let surrounded = self.is_empty(point) && self.cells[point].near_side(!side) == 4;
        let mut taken = self.captures(point, side).flat_map(|head| self.chain(head));
        surrounded && taken.next().is_some() && taken.next().is_none()
    }

    /// The empty points beside the chain of `stone`; none if there is no stone.
    pub fn liberties(&self, stone: Point) -> Rows {
        let mut liberties = Rows::EMPTY;
        if self.get(stone).is_none() {
            return liberties;
        }
        for point in self.chain(stone) {
            self.add_empty_neighbours(point, &mut liberties);
        }
        liberties
    }

    /// The liberties that a stone of `side` on the empty `point` would have with the chain it
    /// becomes part of. Points of captured chains beside them are counted.
    pub fn liberties_after(&self, point: Point, side: Side) -> Rows {
        let mut liberties = Rows::EMPTY;
        let mut stones = Rows::EMPTY;
        stones.insert(point);
        self.add_empty_neighbours(point, &mut liberties);
        for n in point.neighbours() {
            if self.get(n) == Some(side) && !stones.contains(n) {
                for stone in self.chain(n) {
                    stones.insert(stone);
                    self.add_empty_neighbours(stone, &mut liberties);
                }
            }
        }
        let beside = stones.grown();
        for head in self.captures(point, side) {
            for stone in self.chain(head).filter(|&stone| beside.contains(stone)) {
                liberties.insert(stone);
            }
        }
        liberties.remove(point);
        liberties
    }

    /// How many liberties that are: [`Self::liberties_after`] without naming them.
    pub fn count_liberties_after(&self, point: Point, side: Side) -> usize {
        let alone = self.chains_beside(point, side).next().is_none();
        if alone && !self.takes_any(point, side) {
            return usize::from(self.cells[point].near_empty());
        }
        self.liberties_after(point, side).len()
    }

    fn add_empty_neighbours(&self, point: Point, to: &mut Rows) {
        for n in point.neighbours() {
            if self.is_empty(n) {
                to.insert(n);
            }
        }
    }

    /// The stones of `side`.
    pub fn stones(&self, side: Side) -> Rows {
        let stone = stone_of(side);
        Rows::from_fn(self.size, |column, row| self.cells[Point::new(column, row)].stone == stone)
    }

    /// One stone of every chain.
    pub(in crate::go) fn heads(&self) -> impl Iterator<Item = Point> + '_ {
        self.points().filter(|&p| !self.is_empty(p) && self.cells[p].chain == p)
    }

    /// +1 if all neighbours of the empty `point` are black, −1 if they are white, 0 if there
    /// are both; `None` if one is empty.
    #[inline]
    pub(in crate::go) fn surrounded_by(&self, point: Point) -> Option<i32> {
        let cell = self.cells[point];
        let all = |side| i32::from(cell.near_side(side) == 4);
        (cell.near_empty() == 0).then(|| all(Side::First) - all(Side::Second))
    }
}
