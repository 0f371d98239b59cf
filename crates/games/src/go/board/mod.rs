//! Stones on a board, their chains, and the rules of capture. Made for playouts.
//!
//! The board is one table of cells with a wall around it. The stones of a chain form a ring
//! through [`Cell::next`]; every stone names its chain by one of the chain's stones, the head,
//! where the chain's pseudo-liberties and size are kept. A pseudo-liberty is a pair of a stone
//! and an empty point beside it: easier to keep than liberties, and zero exactly when they are.
//!
//! Every cell counts its neighbours by kind, so that most moves are known as legal without a
//! look around. An empty point names itself as its chain: what is written there is never read,
//! and that saves a branch that no processor can predict.
//!
//! Nothing here knows whose turn it is, of passes, komi or repetition.

mod probe;
#[cfg(test)]
mod tests;
mod undo;

pub(super) use undo::Trace;

use super::point::{CELLS, MAX_SIZE, MIN_SIZE, Point, Table, cells_used};
use super::rows::Rows;
use crate::Side;

/// What lies on a cell.
const EMPTY: u8 = 0;
const BLACK: u8 = 1;
const WHITE: u8 = 2;
const WALL: u8 = 3;

/// What a cell of each kind adds to its neighbours' counts: blacks in bits 0–3, whites in
/// bits 4–7, empty points in bits 8–11. A wall counts as both colours, so that a point
/// surrounded by one colour and the edge counts four.
const NEAR: [u16; 4] = [0x100, 0x001, 0x010, 0x011];

#[inline(always)]
const fn stone_of(side: Side) -> u8 {
    match side {
        Side::First => BLACK,
        Side::Second => WHITE,
    }
}

/// How a neighbour's count changes when a cell turns from one kind to another.
#[inline(always)]
const fn near_change(from: u8, to: u8) -> u16 {
    NEAR[to as usize].wrapping_sub(NEAR[from as usize])
}

#[derive(Clone, Copy)]
#[repr(align(8))]
struct Cell {
    stone: u8,
    /// Neighbours by kind, see [`NEAR`]. Meaningless on walls.
    near: u16,
    /// The head of the chain this stone belongs to; empty points and walls name themselves.
    chain: Point,
    /// The next stone of the same chain, round in a ring. Stays as it was when the stone is
    /// taken off, so that the chain can be put back.
    next: Point,
}

impl Cell {
    /// How many of the four neighbours are stones of `side` or wall.
    #[inline(always)]
    const fn near_side(self, side: Side) -> u16 {
        match side {
            Side::First => self.near & 0xF,
            Side::Second => self.near >> 4 & 0xF,
        }
    }

    #[inline(always)]
    const fn near_empty(self) -> u16 {
        self.near >> 8
    }
}

/// What the head of a chain knows; meaningless elsewhere.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chain {
    /// Pseudo-liberties.
    liberties: u16,
    /// Stones.
    size: u16,
}

/// Is told what [`Board::place`] changes beside the stone it was asked to place.
pub(super) trait Watch {
    /// The stone of `side` on `point` was taken off.
    fn emptied(&mut self, point: Point, side: Side);
    /// Chain `gone`, which was `was`, became part of chain `kept`.
    fn merged(&mut self, _kept: Point, _gone: Point, _was: Chain) {}
    /// All stones of chain `head` were taken off.
    fn removed(&mut self, _head: Point) {}
}

/// Stones on a square board, and the point where ko forbids to retake.
#[derive(Clone)]
pub struct Board {
    size: usize,
    ko: Point,
    cells: Table<Cell>,
    liberties: Table<u16>,
    sizes: Table<u16>,
}

impl Board {
    /// An empty board of `size` × `size` points.
    ///
    /// # Panics
    /// If `size` is not within [`MIN_SIZE`]`..=`[`MAX_SIZE`].
    pub fn new(size: usize) -> Board {
        assert!((MIN_SIZE..=MAX_SIZE).contains(&size), "boards have 2 to 25 rows, not {size}");
        let wall = Cell { stone: WALL, near: 0, chain: Point::NONE, next: Point::NONE };
        let mut board = Board {
            size,
            ko: Point::NONE,
            cells: Table([wall; CELLS]),
            liberties: Table([0; CELLS]),
            sizes: Table([0; CELLS]),
        };
        for point in board.points() {
            board.cells[point] = Cell { stone: EMPTY, near: 0, chain: point, next: point };
        }
        for point in board.points() {
            let near = point.neighbours().map(|n| NEAR[usize::from(board.cells[n].stone)]);
            board.cells[point].near = near.iter().sum();
        }
        board
    }

    /// A board of `size` with `stones` of Black and White. If a chain has no liberty, the error
    /// is one of its points.
    pub(super) fn with_stones(size: usize, stones: [Rows; 2]) -> Result<Board, Point> {
        let empty = Rows::rectangle(size, size) - stones[0] - stones[1];
        for side in stones {
            for chain in side.parts() {
                if (chain.grown() & empty).is_empty() {
                    return chain.first().map_or(Ok(Board::new(size)), Err);
                }
            }
        }
        // Stones of a position without strangled chains capture nothing on the way, whatever
        // the order: a part of a chain is beside the rest of it, which is still empty.
        let mut board = Board::new(size);
        for (side, stones) in [(Side::First, stones[0]), (Side::Second, stones[1])] {
            for point in stones.iter() {
                board.place_traced(point, side);
            }
        }
        board.set_ko(None);
        Ok(board)
    }

    /// Makes this board the same as `other`, copying only what boards of these sizes use.
    #[inline]
    pub(super) fn copy_from(&mut self, other: &Board) {
        let used = cells_used(self.size.max(other.size));
        self.size = other.size;
        self.ko = other.ko;
        self.cells.0[..used].copy_from_slice(&other.cells.0[..used]);
        self.liberties.0[..used].copy_from_slice(&other.liberties.0[..used]);
        self.sizes.0[..used].copy_from_slice(&other.sizes.0[..used]);
    }

    /// Rows and columns.
    #[inline]
    pub fn size(&self) -> usize {
        self.size
    }

    /// All points, row by row from the top left.
    #[inline]
    pub fn points(&self) -> impl Iterator<Item = Point> + use<> {
        let size = self.size;
        (0..size).flat_map(move |row| (0..size).map(move |column| Point::new(column, row)))
    }

    /// Whether `point` is on this board.
    #[inline]
    pub fn contains(&self, point: Point) -> bool {
        self.cells[point].stone != WALL
    }

    /// Whose stone lies on `point`.
    #[inline]
    pub fn get(&self, point: Point) -> Option<Side> {
        match self.cells[point].stone {
            BLACK => Some(Side::First),
            WHITE => Some(Side::Second),
            _ => None,
        }
    }

    /// Whether `point` is on the board and has no stone.
    #[inline]
    pub fn is_empty(&self, point: Point) -> bool {
        self.cells[point].stone == EMPTY
    }

    /// Where the next stone may not retake a ko.
    #[inline]
    pub fn ko(&self) -> Option<Point> {
        (self.ko != Point::NONE).then_some(self.ko)
    }

    #[inline]
    pub(super) fn set_ko(&mut self, ko: Option<Point>) {
        self.ko = ko.unwrap_or(Point::NONE);
    }
}

/// Placing and taking off.
impl Board {
    /// Puts a stone of `side` on the empty `point`, takes off what it captures, or else its
    /// own chain if that has no liberty left, and notes where a ko may not be retaken.
    #[inline(always)]
    pub(super) fn place(&mut self, point: Point, side: Side, watch: &mut impl Watch) {
        let (own, foe) = (stone_of(side), stone_of(!side));
        let around = point.neighbours();
        let mut captures = false;
        for n in around {
            let cell = &mut self.cells[n];
            cell.near = cell.near.wrapping_add(near_change(EMPTY, own));
            let liberties = &mut self.liberties[cell.chain];
            *liberties = liberties.wrapping_sub(1);
            captures |= (cell.stone == foe) & (*liberties == 0);
        }
        let cell = &mut self.cells[point];
        (cell.stone, cell.next) = (own, point);
        self.liberties[point] = cell.near_empty();
        self.sizes[point] = 1;

        let mut chain = point;
        for n in around {
            let cell = self.cells[n];
            if cell.stone == own && cell.chain != chain {
                chain = self.merge(chain, cell.chain, watch);
            }
        }
        self.ko = Point::NONE;
        if captures {
            self.capture(point, side, watch);
        } else if self.liberties[chain] == 0 {
            self.remove(chain, watch);
        }
    }

    /// Joins two chains of one colour and names the one that keeps its head: the larger, so
    /// that fewer stones are renamed.
    #[inline]
    fn merge(&mut self, a: Point, b: Point, watch: &mut impl Watch) -> Point {
        let larger = self.sizes[a] > self.sizes[b];
        let (kept, gone) = if larger { (a, b) } else { (b, a) };
        let was = Chain { liberties: self.liberties[gone], size: self.sizes[gone] };
        watch.merged(kept, gone, was);
        self.liberties[kept] = self.liberties[kept].wrapping_add(was.liberties);
        self.sizes[kept] += was.size;
        self.rename(gone, kept);
        self.splice(kept, gone);
        kept
    }

    /// Gives all stones in the ring of `ring` to the chain of `head`.
    #[inline]
    fn rename(&mut self, ring: Point, head: Point) {
        let mut stone = ring;
        loop {
            let cell = &mut self.cells[stone];
            cell.chain = head;
            stone = cell.next;
            if stone == ring {
                return;
            }
        }
    }

    /// Makes one ring of two, or two of one: exchanging the successors of two stones is its
    /// own reverse.
    #[inline]
    fn splice(&mut self, a: Point, b: Point) {
        let (next_a, next_b) = (self.cells[a].next, self.cells[b].next);
        self.cells[a].next = next_b;
        self.cells[b].next = next_a;
    }

    /// Takes off the chains that the stone just placed by `side` on `point` left without
    /// liberty.
    fn capture(&mut self, point: Point, side: Side, watch: &mut impl Watch) {
        let mut captured = 0;
        let mut last = Point::NONE;
        for n in point.neighbours() {
            let Cell { stone, chain, .. } = self.cells[n];
            if stone == stone_of(!side) && self.liberties[chain] == 0 {
                captured += self.sizes[chain];
                last = n;
                self.remove(chain, watch);
            }
        }
        // A single stone that took a single stone and could be retaken at once.
        let chain = self.cells[point].chain;
        if captured == 1 && self.sizes[chain] == 1 && self.liberties[chain] == 1 {
            self.ko = last;
        }
    }

    /// Takes a whole chain off.
    fn remove(&mut self, head: Point, watch: &mut impl Watch) {
        let stone = self.cells[head].stone;
        let side = if stone == BLACK { Side::First } else { Side::Second };
        let mut point = head;
        loop {
            let cell = &mut self.cells[point];
            let next = cell.next;
            (cell.stone, cell.chain) = (EMPTY, point);
            for n in point.neighbours() {
                let cell = &mut self.cells[n];
                cell.near = cell.near.wrapping_add(near_change(stone, EMPTY));
                let liberties = &mut self.liberties[cell.chain];
                *liberties = liberties.wrapping_add(1);
            }
            watch.emptied(point, side);
            point = next;
            if point == head {
                break;
            }
        }
        watch.removed(head);
    }
}
