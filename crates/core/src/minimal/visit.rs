//! What a pass does at a node (section 3.1, figure 4).

use senbon_games::{Bounds, Branching, Game, HIGHEST, Worth};

use super::master::GROWN_AT;
use super::need::{self, CERTAIN, Odds};
use super::node::{NO_BEST, NO_LEAF};
use super::{Master, Signature, Task, Windows};

/// How a pass looks at a node.
#[derive(Clone, Copy)]
pub(super) struct View {
    /// The pass window: what seems to be so.
    pub a1: Worth,
    pub b1: Worth,
    /// The task window: what is certain.
    pub a2: Worth,
    pub b2: Worth,
    /// What leaves that have not been searched are taken for, as long as nothing is known of
    /// them: what a node above was worth as a leaf.
    pub expected: Option<Worth>,
    /// How likely it is that the search needs to look here.
    pub need: Odds,
}

impl View {
    /// The root's.
    pub(super) const OPEN: Self = View {
        a1: -HIGHEST,
        b1: HIGHEST,
        a2: -HIGHEST,
        b2: HIGHEST,
        expected: None,
        need: CERTAIN,
    };

    /// To the other side.
    pub(super) fn turned(self) -> Self {
        let expected = self.expected.map(|expected| -expected);
        let (a1, b1, a2, b2) = (-self.b1, -self.a1, -self.b2, -self.a2);
        View { a1, b1, a2, b2, expected, ..self }
    }

    /// Nothing fits in between.
    fn is_null(self) -> bool {
        i32::from(self.a1) + 1 >= i32::from(self.b1)
    }
}

impl<G: Game, B: Branching<G>> Master<G, B> {
    /// MasterAlphaBeta of figure 4. What a node seems to be worth, in this pass's window.
    pub(super) fn visit(&mut self, at: usize, mut view: View, signature: Signature) -> Worth {
        self.cost.visits += 1;
        if self.is_end(at) || self.settings.history {
            self.judge(at);
        }
        if let Some(value) = self.counts(at).answer(view.a1, view.b1) {
            self.nodes[at].odds = if value >= view.b1 { CERTAIN } else { 0 };
            return value;
        }
        if self.nodes[at].leaf != NO_LEAF {
            if self.is_end(at) && !self.leaves[self.nodes[at].leaf.0 as usize].extended {
                return self.visit_leaf(at, view, signature);
            }
            self.outgrow(at);
        }
        view.expected = self.nodes[at].prior.or(view.expected);
        self.open(at);
        if self.nodes[at].count == 0 {
            return self.nodes[at].guess;
        }
        if !self.nodes[at].previewed {
            self.preview(at, view.a1, view.b1);
        }
        self.arrange(at);
        let best = self.visit_children(at, view, signature);
        self.conclude(at);
        let guess = self.counts(at).nearest(best);
        self.nodes[at].guess = guess;
        guess
    }

    /// What is certain of a node, as far as the level looks at it.
    #[inline]
    pub(super) fn counts(&self, at: usize) -> Bounds {
        let node = &self.nodes[at];
        if self.is_last() || node.ruled { node.decided } else { Bounds::NONE }
    }

    /// The tree goes no further here.
    #[inline]
    pub(super) fn is_end(&self, at: usize) -> bool {
        self.nodes[at].ply >= self.reach
    }

    /// A leaf is one no longer. What it was worth is what its own leaves are taken for until
    /// they are searched as deep, and what its search would try first is tried first.
    fn outgrow(&mut self, at: usize) {
        self.open(at);
        let leaf = &self.leaves[self.nodes[at].leaf.0 as usize];
        let prior = leaf.is_near(self.before()).then(|| leaf.estimate(self.level));
        let node = &mut self.nodes[at];
        // Whoever told may not know how many children there are.
        let best = if leaf.best < node.count { leaf.best } else { NO_BEST };
        node.was = std::mem::replace(&mut node.leaf, NO_LEAF);
        (node.prior, node.best, node.previewed) = (prior, best, true);
    }

    fn visit_children(&mut self, at: usize, mut view: View, signature: Signature) -> Worth {
        let ply = usize::from(self.nodes[at].ply);
        let children = self.nodes[at].children();
        let mut best = -HIGHEST;
        // What is decided comes first, and narrows both windows before others are searched.
        let window = view.turned();
        for child in children.clone() {
            view.a2 = view.a2.max(-self.nodes[child].decided.upper);
            if let Some(value) = self.counts(child).answer(window.a1, window.b1)
                && -value > best
            {
                best = -value;
                self.nodes[at].best = (child - children.start) as u8;
            }
        }
        view.a1 = view.a1.max(best);
        let (mut before, need, null) = (view, view.need, view.is_null());
        // That none of the children so far makes those after it pointless.
        let mut open = CERTAIN;
        for rank in 0..children.len() {
            if view.a1 >= view.b1 {
                self.note_spare(at, rank, best, before, signature);
                break;
            }
            before = view;
            let child = children.start + usize::from(self.order[children.start + rank]);
            if self.counts(child).answer(window.a1, window.b1).is_some() {
                continue;
            }
            let signature = signature.with(ply, rank as u8);
            let later = best > -HIGHEST;
            view.need = match (null, later) {
                (true, _) => need::both(need, open),
                (false, true) => need,
                // What stands beside the line of best moves below here is in vain when another
                // move proves better.
                (false, false) => need::both(need, self.nodes[at].stays),
            };
            let value = self.visit_child(child, view, signature, later);
            if null || later {
                open = need::both(open, self.nodes[child].odds);
            }
            if value > best {
                best = value;
                self.nodes[at].best = (child - children.start) as u8;
            }
            view.a1 = view.a1.max(value);
            view.a2 = view.a2.max(-self.nodes[child].decided.upper);
        }
        let node = &mut self.nodes[at];
        if null {
            node.odds = need::success(open, view.a1 >= view.b1);
        } else {
            (node.stays, node.odds) = (open, CERTAIN / 2);
        }
        best
    }

    fn visit_child(
        &mut self,
        child: usize,
        view: View,
        signature: Signature,
        later: bool,
    ) -> Worth {
        let scouts = self.settings.windows != Windows::Task;
        if scouts && later && view.a1 > -HIGHEST && view.a1 + 1 < view.b1 {
            let null = View { b1: view.a1 + 1, ..view };
            let value = -self.visit(child, null.turned(), signature);
            if value <= view.a1 || value >= view.b1 {
                return value;
            }
        }
        -self.visit(child, view.turned(), signature)
    }

    /// EvalAndSendTask of figure 4.
    fn visit_leaf(&mut self, at: usize, view: View, signature: Signature) -> Worth {
        let (id, last, ahead) = (self.nodes[at].leaf, self.is_last(), self.ahead());
        let before = self.before();
        let leaf = &mut self.leaves[id.0 as usize];
        let guess = match view.expected {
            Some(expected) if !leaf.is_near(before) => expected,
            _ => leaf.estimate(self.level),
        };
        self.unsettled |= last && self.nodes[at].decided != leaf.decided();
        self.nodes[at].decided = leaf.decided();
        self.nodes[at].guess = guess;
        let (due, class) = (leaf.due(self.level, view.a1, view.b1), self.weigh(at, view));
        let leaf = &mut self.leaves[id.0 as usize];
        if due == 0 && leaf.decided().answer(view.a1, view.b1).is_some() {
            return guess;
        }
        let signature = signature.of_class(class);
        self.lacking += usize::from(leaf.lacks(self.level) || due > 0);
        let certain = leaf.decided();
        let (low, high) = (view.a2.max(certain.lower), view.b2.min(certain.upper));
        let window = match self.settings.windows {
            Windows::Task | Windows::Scout => (low, high),
            Windows::Epsilon(wider) => {
                (low.max(view.a1.saturating_sub(wider)), high.min(view.b1.saturating_add(wider)))
            }
        };
        // A window has room inside also where what is certain begins.
        let window = (window.0.min(view.a1), window.1.max(view.b1));
        let pass_window = (view.a1, view.b1);
        let depth = leaf.depth - leaf.depth.saturating_sub(ahead) / 2 * 2;
        // The full depth is searched anyway until it answers.
        let due = if due < depth { due } else { 0 };
        let task = Task { leaf: id, depth, window, pass_window, signature, searched: 0, due };
        if let Some(told) = self.staff.give(&mut leaf.seat, task) {
            self.send(told);
        }
        guess
    }

    /// How soon a leaf is to be searched, as its class. Notes how likely it is worth what the
    /// window asks for.
    fn weigh(&mut self, at: usize, view: View) -> u8 {
        if !self.settings.front {
            return Signature::LINE;
        }
        let (level, before) = (self.level, self.before());
        let node = &mut self.nodes[at];
        let leaf = &self.leaves[node.leaf.0 as usize];
        let scale = self.settings.windows.scale();
        let margin = leaf.margin(level, before, view.a1, view.b1);
        let stays = need::stays(margin, scale);
        node.odds = if node.guess >= view.b1 { stays } else { CERTAIN - stays };
        if !view.is_null() {
            return Signature::LINE;
        }
        let doubtful = need::is_doubtful(margin, scale) && view.need > CERTAIN / 5 * 2;
        if doubtful { Signature::DOUBTFUL } else { Signature::class_of(view.need) }
    }

    /// How deep workers may search ahead of the level. While the tree grows, leaves are not
    /// leaves for long.
    fn ahead(&self) -> u8 {
        if self.is_growing() { self.in_strides(GROWN_AT + 2) } else { u8::MAX }
    }

    /// What is certain of a node follows from what is certain of its children.
    fn conclude(&mut self, at: usize) {
        let (mut lower, mut upper) = (-HIGHEST, -HIGHEST);
        for child in self.nodes[at].children() {
            let Bounds { lower: least, upper: most } = self.nodes[child].decided.turned();
            lower = lower.max(least);
            upper = upper.max(most);
        }
        let last = self.is_last();
        let node = &mut self.nodes[at];
        let decided = node.decided.and(Bounds { lower, upper }).unwrap_or(node.decided);
        self.unsettled |= last && node.decided != decided;
        node.decided = decided;
    }

    /// The children by what they seem to be worth to the node; those that seem equal stay as
    /// they were.
    pub(super) fn sort(&mut self, at: usize) {
        let range = self.nodes[at].children();
        for child in range.clone() {
            self.judge(child);
        }
        let (nodes, first) = (&self.nodes, range.start);
        // To the child's mover: the less, the better.
        self.order[range].sort_by_key(|&index| nodes[first + usize::from(index)].guess);
    }

    /// The order in which a pass tries the children. In step, the child that proved best at the
    /// level before comes first and the others stay as they were, as in iterative deepening by
    /// one; a child that disappoints is searched to its end before another takes its place.
    fn arrange(&mut self, at: usize) {
        if !self.settings.in_step {
            return self.sort(at);
        }
        let (best, children) = (self.nodes[at].best, self.nodes[at].children());
        if self.nodes[at].arranged == self.stage || best == NO_BEST {
            return;
        }
        self.nodes[at].arranged = self.stage;
        let order = &mut self.order[children];
        if let Some(rank) = order.iter().position(|&index| index == best) {
            order[..=rank].rotate_right(1);
        }
    }
}
