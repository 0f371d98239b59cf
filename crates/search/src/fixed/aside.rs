//! Searches that were laid aside for something more important.

use std::collections::VecDeque;

use senbon_games::{Branching, Game, Worth};

use super::Fixed;
use super::frame::Frame;

/// What is searched: two searches of the same have the same value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Question {
    /// The position, by its key.
    pub key: u64,
    pub depth: u8,
    pub window: (Worth, Worth),
}

/// A search that is not under way at the moment.
struct Aside<G: Game> {
    question: Question,
    stack: Vec<Frame<G>>,
    children: Vec<G::Move>,
    order: Vec<u8>,
    /// Nodes that it took so far.
    effort: u64,
}

/// The last few, the oldest first.
pub(super) struct Asides<G: Game>(VecDeque<Aside<G>>);

/// So many are kept. Other numbers have not been compared.
const MOST: usize = 16;

impl<G: Game> Asides<G> {
    pub(super) fn new() -> Self {
        Asides(VecDeque::new())
    }

    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    fn put(&mut self, aside: Aside<G>) {
        if self.0.len() == MOST {
            self.0.pop_front();
        }
        self.0.push_back(aside);
    }

    fn take(&mut self, question: Question) -> Option<Aside<G>> {
        let at = self.0.iter().position(|aside| aside.question == question)?;
        self.0.remove(at)
    }
}

impl<G: Game, B: Branching<G>> Fixed<G, B> {
    /// Lays the search under way aside, if there is one: it goes on when the same is started.
    pub fn lay_aside(&mut self) {
        self.unmark();
        if let (Some(question), false) = (self.question.take(), self.stack.is_empty()) {
            let aside = Aside {
                question,
                stack: std::mem::take(&mut self.stack),
                children: std::mem::take(&mut self.children),
                order: std::mem::take(&mut self.order),
                effort: self.effort(),
            };
            self.asides.put(aside);
        }
        self.stack.clear();
        self.children.clear();
        self.order.clear();
    }

    /// Goes on with a search that was laid aside, from its root, where it is; false when there
    /// is none of this.
    pub(super) fn take_up(&mut self, question: Question) -> bool {
        let Some(aside) = self.asides.take(question) else { return false };
        let Aside { stack, children, order, effort, .. } = aside;
        (self.stack, self.children, self.order) = (stack, children, order);
        self.begun = self.nodes.total() - effort;
        for frame in &mut self.stack {
            if let Some((mv, undo)) = &mut frame.way {
                self.branching.played(&self.position, *mv);
                *undo = self.position.play(*mv);
            }
            if let (Some(pool), Some(mark)) = (&self.pool, frame.mark) {
                pool.enter(mark);
            }
        }
        true
    }
}
