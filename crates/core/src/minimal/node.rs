//! Nodes of the master's tree.

use senbon_games::{Bounds, Worth};

use super::LeafId;
use super::need::{CERTAIN, Odds};

pub(super) const NO_LEAF: LeafId = LeafId(u32::MAX);
pub(super) const NO_BEST: u8 = u8::MAX;

#[derive(Clone, Debug)]
pub(super) struct Node<M> {
    /// The move that leads here; none at the root.
    pub mv: Option<M>,
    pub parent: u32,
    /// Its children stand together from here on.
    pub first: u32,
    pub count: u8,
    /// Plies below the root.
    pub ply: u8,
    /// Plies left to search.
    pub depth: u8,
    /// Its children are known.
    pub open: bool,
    /// What it is worth without search is known.
    pub judged: bool,
    /// Its children were put in order by a shallow search.
    pub previewed: bool,
    /// The child that was best when it was come by last; [`NO_BEST`] before.
    pub best: u8,
    /// The level at which that child was put first.
    pub arranged: u8,
    /// What is certain.
    pub decided: Bounds,
    /// It is certain by the rules, and not because of what was found below.
    pub ruled: bool,
    /// What it seems to be worth to the side to move here.
    pub guess: Worth,
    /// In a null window: how likely it is worth the upper end of it or more.
    pub odds: Odds,
    /// On the line of best moves: how likely the best move stays the best.
    pub stays: Odds,
    /// The leaf it is, if it is one.
    pub leaf: LeafId,
    /// The leaf it was before the tree grew.
    pub was: LeafId,
    /// What it was worth when it was a leaf, if it was one that had been searched.
    pub prior: Option<Worth>,
}

impl<M> Node<M> {
    pub(super) fn new(mv: Option<M>, parent: u32, ply: u8, depth: u8, guess: Worth) -> Self {
        Node {
            mv,
            parent,
            first: 0,
            count: 0,
            ply,
            depth,
            open: false,
            judged: false,
            previewed: false,
            best: NO_BEST,
            arranged: 0,
            decided: Bounds::NONE,
            ruled: false,
            guess,
            odds: 0,
            stays: CERTAIN,
            leaf: NO_LEAF,
            was: NO_LEAF,
            prior: None,
        }
    }

    /// The rules say what it is worth.
    pub(super) fn decide(&mut self, value: Worth) {
        (self.decided, self.guess, self.ruled) = (Bounds::exactly(value), value, true);
    }

    #[inline]
    pub(super) fn children(&self) -> std::ops::Range<usize> {
        self.first as usize..self.first as usize + usize::from(self.count)
    }
}
