//! The last level by tests: null windows at the root, one after the other (Plaat's MTD(f)).

use senbon_games::{Bounds, Branching, Game, Worth};

use super::visit::View;
use super::{Master, Signature};

/// A test of fewer tasks than this, of a hundred workers, leaves room for others beside it.
/// Measured: docs/results/minimal-tree.md.
const ROOM: usize = 150;

/// How a level is tested.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Test {
    /// Whether the root is worth so much is asked now.
    beta: Option<Worth>,
    /// This visit looks beyond the test.
    pub beyond: bool,
}

impl<G: Game, B: Branching<G>> Master<G, B> {
    /// Asks whether the root is worth what the level before said; every answer says what is
    /// asked next, until both bounds meet.
    pub(super) fn test(&mut self) {
        while let Some(beta) = self.next_test() {
            self.test.beta = Some(beta);
            let null = View { a1: beta - 1, b1: beta, ..View::OPEN };
            self.visit(0, null, Signature::default());
            if self.nodes[0].decided.answer(beta - 1, beta).is_none() {
                return self.look_beyond();
            }
        }
    }

    /// None when nothing is left to ask.
    fn next_test(&self) -> Option<Worth> {
        let Bounds { lower, upper } = self.nodes[0].decided;
        let settled = self.settled.as_ref().map(|level| level.value);
        let beta = self.test.beta.or(settled).unwrap_or(self.nodes[0].guess);
        (lower < upper).then(|| if beta <= lower { lower + 1 } else { beta.min(upper) })
    }

    /// Near its end a test has few tasks. Those without one search what an open window would
    /// ask for, after all that the test does: the next test, wherever it is, needs most of it.
    fn look_beyond(&mut self) {
        if self.staff.given() * 100 >= self.staff.present() * ROOM {
            return;
        }
        // What is missing there keeps nobody waiting.
        let (lacking, unsettled) = (self.lacking, self.unsettled);
        self.test.beyond = true;
        self.visit(0, View::OPEN, Signature::default());
        self.test.beyond = false;
        (self.lacking, self.unsettled) = (lacking, unsettled);
    }
}
