//! Taking a stone back exactly: every step of [`Board::place`] in reverse.

use arrayvec::ArrayVec;

use super::{Board, Chain, EMPTY, Watch, near_change, stone_of};
use crate::Side;
use crate::go::point::Point;
use crate::go::zobrist;

/// What placing a stone did, as far as it is needed to take it back and to keep a key.
pub(in crate::go) struct Trace {
    /// Where ko forbade to play before.
    ko: Point,
    /// The successor in the ring that the point's last stone had: the chain of that stone may
    /// have to be put back later.
    next: Point,
    /// Chains that became part of another, in order: the head kept, the head lost, its chain.
    merged: ArrayVec<(Point, Point, Chain), 4>,
    /// Chains that were taken off, in order.
    removed: ArrayVec<Point, 4>,
    /// How many stones were taken off.
    pub(in crate::go) removed_stones: u32,
    /// Their keys.
    pub(in crate::go) removed_key: u64,
}

impl Watch for Trace {
    #[inline]
    fn emptied(&mut self, point: Point, side: Side) {
        self.removed_stones += 1;
        self.removed_key ^= zobrist::stone(point, side);
    }

    #[inline]
    fn merged(&mut self, kept: Point, gone: Point, was: Chain) {
        self.merged.push((kept, gone, was));
    }

    #[inline]
    fn removed(&mut self, head: Point) {
        self.removed.push(head);
    }
}

impl Board {
    /// [`Board::place`] with a trace to take it back by.
    pub(in crate::go) fn place_traced(&mut self, point: Point, side: Side) -> Trace {
        let mut trace = Trace {
            ko: self.ko,
            next: self.cells[point].next,
            merged: ArrayVec::new(),
            removed: ArrayVec::new(),
            removed_stones: 0,
            removed_key: 0,
        };
        self.place(point, side, &mut trace);
        trace
    }

    /// Takes back the last stone placed: that of `side` on `point`, which did `trace`.
    pub(in crate::go) fn unplace(&mut self, point: Point, side: Side, trace: &Trace) {
        // What was taken off is the other side's, except that a suicide takes the stone itself.
        let suicide = self.is_empty(point);
        let removed = stone_of(if suicide { side } else { !side });
        for &head in trace.removed.iter().rev() {
            self.put_back(head, removed);
        }
        for &(kept, gone, was) in trace.merged.iter().rev() {
            self.splice(kept, gone);
            self.rename(gone, gone);
            self.liberties[gone] = was.liberties;
            self.sizes[gone] = was.size;
            self.liberties[kept] = self.liberties[kept].wrapping_sub(was.liberties);
            self.sizes[kept] -= was.size;
        }
        let cell = &mut self.cells[point];
        (cell.stone, cell.next) = (EMPTY, trace.next);
        for n in point.neighbours() {
            let cell = &mut self.cells[n];
            cell.near = cell.near.wrapping_add(near_change(stone_of(side), EMPTY));
            let liberties = &mut self.liberties[cell.chain];
            *liberties = liberties.wrapping_add(1);
        }
        self.ko = trace.ko;
    }

    /// Puts a chain back that was taken off: its ring is still there.
    fn put_back(&mut self, head: Point, stone: u8) {
        let mut size = 0;
        let mut point = head;
        loop {
            let cell = &mut self.cells[point];
            (cell.stone, cell.chain) = (stone, head);
            let next = cell.next;
            for n in point.neighbours() {
                let cell = &mut self.cells[n];
                cell.near = cell.near.wrapping_add(near_change(EMPTY, stone));
                let liberties = &mut self.liberties[cell.chain];
                *liberties = liberties.wrapping_sub(1);
            }
            size += 1;
            point = next;
            if point == head {
                break;
            }
        }
        self.liberties[head] = 0;
        self.sizes[head] = size;
    }
}
