//! The master: passes over the upper part of the tree (section 3.1, figure 4).

use std::collections::{BTreeMap, VecDeque};

use senbon_games::{Bounds, Branching, Game, HIGHEST, OVER, Worth};

use super::leaf::Leaf;
use super::node::{NO_BEST, NO_LEAF, Node};
use super::settled::Settled;
use super::staff::{Staff, Told};
use super::{Bundle, Finding, LeafId, Settings, Sheet, Signature, Task, Windows};
use crate::WorkerId;

/// What a pass cost, by what was done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PassCost {
    /// Nodes come by.
    pub visits: u64,
    /// Nodes that were made: moves generated, children judged.
    pub made: u64,
}

/// A fixed-depth search by many workers.
///
/// Told of workers and findings, it says after each [`pass`](Self::pass) what workers have to
/// do ([`poll`](Self::poll)), until the [`value`](Self::value) is known.
pub struct Master<G: Game, B> {
    root: G,
    branching: B,
    pub(super) settings: Settings,
    pub(super) nodes: Vec<Node<G::Move>>,
    /// Children of each node, by rank: indices into its children.
    order: Vec<u8>,
    leaves: Vec<Leaf>,
    /// Leaves by position and depth.
    by_key: BTreeMap<(u64, u8), LeafId>,
    staff: Staff,
    out: VecDeque<Sheet<G>>,
    cost: PassCost,
    /// Findings up to this depth make predictions.
    pub(super) level: u8,
    /// A leaf that this pass came by has not been searched that deep.
    lacking: bool,
    /// Something happened that the next pass may see.
    stale: bool,
    /// Another pass might go another way even if nothing new were known.
    unsettled: bool,
    children: Vec<G::Move>,
    /// The only moves at the root; empty for all.
    only: Vec<G::Move>,
    settled: Option<Settled<G::Move>>,
}

/// The two windows of a visit: what seems to be so, and what is certain.
#[derive(Clone, Copy)]
struct View {
    a1: Worth,
    b1: Worth,
    a2: Worth,
    b2: Worth,
}

impl View {
    fn turned(self) -> Self {
        View { a1: -self.b1, b1: -self.a1, a2: -self.b2, b2: -self.a2 }
    }
}

/// Leaves that took fewer nodes than this are never divided.
const HEAVY: u64 = 2_000;

impl<G: Game, B: Branching<G>> Master<G, B> {
    /// A search of `root`, without workers yet.
    pub fn new(root: G, mut branching: B, mut settings: Settings) -> Self {
        settings.depth = settings.depth.max(1);
        // The deepest ply a signature can tell, and one below for tasks.
        let deepest = (settings.depth - 1).min(Signature::LONGEST as u8 - 4);
        settings.reach = settings.reach.min(deepest);
        branching.reset(&root);
        let worth = branching.worth(&root) as Worth;
        let mut master = Master {
            root,
            branching,
            settings,
            nodes: vec![Node::new(None, 0, 0, settings.depth, worth)],
            order: vec![0],
            leaves: Vec::new(),
            by_key: BTreeMap::new(),
            staff: Staff::default(),
            out: VecDeque::new(),
            cost: PassCost::default(),
            level: if settings.in_step { 0 } else { u8::MAX },
            lacking: false,
            stale: true,
            unsettled: true,
            children: Vec::new(),
            only: Vec::new(),
            settled: None,
        };
        if settings.reach == 0 {
            master.make_leaf(0);
        }
        master
    }

    /// Only these first moves are searched; before the first pass.
    #[must_use]
    pub fn restricted(mut self, only: &[G::Move]) -> Self {
        self.only = only.to_vec();
        self
    }

    /// The deepest level that nothing is missing of, searching in step: what iterative
    /// deepening by one would say; at the end the full depth.
    pub fn settled(&self) -> Option<&Settled<G::Move>> {
        self.settled.as_ref()
    }

    /// A worker came.
    pub fn handle_joined(&mut self, worker: WorkerId) {
        self.staff.join(worker, None);
        self.stale = true;
    }

    /// A foreman came, with so many workers.
    pub fn handle_foreman(&mut self, foreman: WorkerId, crew: u32) {
        self.staff.join(foreman, Some(crew));
        self.stale = true;
    }

    /// A foreman told what its crew found out. False when some of it makes no sense or
    /// contradicts what was told before.
    pub fn handle_bundle(&mut self, foreman: WorkerId, bundle: &Bundle) -> bool {
        self.stale |= self.staff.resize(foreman, bundle.crew);
        let mut sense = true;
        for finding in &bundle.findings {
            sense &= self.handle_finding(finding);
        }
        sense
    }

    /// A worker is gone: others search what it owned.
    pub fn handle_left(&mut self, worker: WorkerId) {
        let Some(index) = self.staff.leave(worker) else { return };
        for leaf in self.leaves.iter_mut().filter(|leaf| leaf.seat.owner == Some(index)) {
            leaf.seat.owner = None;
        }
        self.stale = true;
    }

    /// A worker found something out. What comes late or twice does no harm: it is as true as
    /// before. False when it makes no sense. When findings about a leaf contradict each other,
    /// they are all forgotten, and the leaf is searched anew.
    pub fn handle_finding(&mut self, finding: &Finding) -> bool {
        let Some(leaf) = self.leaves.get_mut(finding.leaf.0 as usize) else { return false };
        if !leaf.has_step(finding.depth) || finding.bounds.lower > finding.bounds.upper {
            return false;
        }
        let before = leaf.shows(self.level);
        let learnt = leaf.learn(finding.depth, finding.bounds);
        if learnt {
            // Findings that only later levels look at change nothing now.
            self.stale |= self.unsettled || before != leaf.shows(self.level);
            leaf.effort = finding.nodes;
            if finding.depth == leaf.depth {
                self.staff.done(&leaf.seat, finding.leaf, leaf.decided());
            }
        } else {
            self.stale = true;
            self.begin_anew(finding.leaf);
        }
        learnt
    }

    /// Nothing that was found of a leaf counts, nor what was decided by it. It gets another
    /// number: workers would not search again what they have searched.
    fn begin_anew(&mut self, old: LeafId) {
        let new = LeafId(self.leaves.len() as u32);
        let leaf = self.leaves[old.0 as usize].unsearched();
        self.leaves.push(leaf);
        for known in self.by_key.values_mut().filter(|known| **known == old) {
            *known = new;
        }
        for node in &mut self.nodes {
            if node.leaf == old {
                node.leaf = new;
            }
            // What the rules decided stays; the rest follows from the leaves again.
            if !node.ruled {
                node.decided = Bounds::NONE;
            }
        }
    }

    /// Whether a pass could find something new.
    pub fn is_stale(&self) -> bool {
        self.stale && self.value().is_none()
    }

    /// The value of the root, once it is certain.
    pub fn value(&self) -> Option<Worth> {
        let Bounds { lower, upper } = self.nodes[0].decided;
        (lower == upper).then_some(lower)
    }

    /// The way from the root to a leaf.
    fn way(&self, leaf: LeafId) -> Vec<G::Move> {
        let mut way = Vec::new();
        let mut at = self.leaves[leaf.0 as usize].node as usize;
        while let Some(mv) = self.nodes[at].mv {
            way.push(mv);
            at = self.nodes[at].parent as usize;
        }
        way.reverse();
        way
    }

    /// Plies searched in all.
    pub fn depth(&self) -> u8 {
        self.settings.depth
    }

    /// Nodes of the master's tree, and leaves among them.
    pub fn size(&self) -> (usize, usize) {
        (self.nodes.len(), self.leaves.len())
    }

    /// The next sheet for a worker, if any.
    pub fn poll(&mut self) -> Option<Sheet<G>> {
        self.out.pop_front()
    }

    /// Goes through the tree once; what workers have to do then comes out of
    /// [`poll`](Self::poll). Says what it cost.
    pub fn pass(&mut self) -> PassCost {
        self.cost = PassCost::default();
        self.stale = false;
        self.unsettled = !self.settings.in_step || self.settings.extends;
        if self.value().is_some() {
            return self.cost;
        }
        self.staff.begin_pass();
        self.lacking = false;
        let open = View { a1: -HIGHEST, b1: HIGHEST, a2: -HIGHEST, b2: HIGHEST };
        self.visit(0, open, Signature::default());
        if (!self.lacking && self.settings.in_step) || self.value().is_some() {
            self.settled = Some(self.settle());
        }
        if !self.lacking && self.level < self.settings.depth {
            self.level += 2;
            self.stale = true;
        }
        if self.settings.extends {
            self.extend();
        }
        for told in self.staff.end_pass(self.settings.repeats) {
            self.send(told);
        }
        self.unsettled |= self.staff.is_uneven();
        self.cost
    }

    fn send(&mut self, told: Told) {
        let Told { index, worker, tasks, dropped, whole } = told;
        let mut ways = Vec::new();
        for task in &tasks {
            if self.staff.is_new_to(index, task.leaf) {
                ways.push((task.leaf, self.way(task.leaf)));
            }
        }
        let (pass, written) = (self.staff.pass, self.cost);
        self.out.push_back(Sheet { worker, pass, tasks, dropped, ways, whole, written });
    }

    /// MasterAlphaBeta of figure 4. What a node seems to be worth, in this pass's window.
    fn visit(&mut self, at: usize, view: View, signature: Signature) -> Worth {
        self.cost.visits += 1;
        if let Some(value) = self.nodes[at].decided.answer(view.a1, view.b1) {
            return value;
        }
        if self.nodes[at].leaf != NO_LEAF {
            if !self.leaves[self.nodes[at].leaf.0 as usize].extended {
                return self.visit_leaf(at, view, signature);
            }
            self.nodes[at].leaf = NO_LEAF;
        }
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
        let node = &mut self.nodes[at];
        node.guess = node.decided.nearest(best);
        node.guess
    }

    fn visit_children(&mut self, at: usize, mut view: View, signature: Signature) -> Worth {
        let ply = usize::from(self.nodes[at].ply);
        let children = self.nodes[at].children();
        let mut best = -HIGHEST;
        // What is decided comes first, and narrows both windows before others are searched.
        let window = view.turned();
        for child in children.clone() {
            let decided = self.nodes[child].decided;
            view.a2 = view.a2.max(-decided.upper);
            if let Some(value) = decided.answer(window.a1, window.b1)
                && -value > best
            {
                best = -value;
                self.nodes[at].best = (child - children.start) as u8;
            }
        }
        view.a1 = view.a1.max(best);
        for rank in 0..children.len() {
            if view.a1 >= view.b1 {
                break;
            }
            let child = children.start + usize::from(self.order[children.start + rank]);
            if self.nodes[child].decided.answer(window.a1, window.b1).is_some() {
                continue;
            }
            let signature = signature.with(ply, rank as u8);
            let value = self.visit_child(child, view, signature, best > -HIGHEST);
            if value > best {
                best = value;
                self.nodes[at].best = (child - children.start) as u8;
            }
            view.a1 = view.a1.max(value);
            view.a2 = view.a2.max(-self.nodes[child].decided.upper);
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
        let id = self.nodes[at].leaf;
        let leaf = &mut self.leaves[id.0 as usize];
        let guess = leaf.estimate(self.level);
        self.unsettled |= self.nodes[at].decided != leaf.decided();
        self.nodes[at].decided = leaf.decided();
        self.nodes[at].guess = guess;
        if leaf.decided().answer(view.a1, view.b1).is_some() {
            return guess;
        }
        self.lacking |= leaf.lacks(self.level);
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
        let task = Task { leaf: id, depth: leaf.depth, window, pass_window, signature };
        if let Some(told) = self.staff.give(&mut leaf.seat, task) {
            self.send(told);
        }
        guess
    }

    /// What is certain of a node follows from what is certain of its children.
    fn conclude(&mut self, at: usize) {
        let (mut lower, mut upper) = (-HIGHEST, -HIGHEST);
        for child in self.nodes[at].children() {
            let Bounds { lower: least, upper: most } = self.nodes[child].decided.turned();
            lower = lower.max(least);
            upper = upper.max(most);
        }
        let node = &mut self.nodes[at];
        let decided = node.decided.and(Bounds { lower, upper }).unwrap_or(node.decided);
        self.unsettled |= node.decided != decided;
        node.decided = decided;
    }

    /// The children by what they seem to be worth to the node; those that seem equal stay as
    /// they were.
    fn sort(&mut self, at: usize) {
        let range = self.nodes[at].children();
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
        if self.nodes[at].arranged == self.level || best == NO_BEST {
            return;
        }
        self.nodes[at].arranged = self.level;
        let order = &mut self.order[children];
        if let Some(rank) = order.iter().position(|&index| index == best) {
            order[..=rank].rotate_right(1);
        }
    }

    /// The position of a node, by its way from the root; the branching follows.
    fn set_up(&mut self, at: usize) -> G {
        let mut way = Vec::new();
        let mut node = at;
        while let Some(mv) = self.nodes[node].mv {
            way.push(mv);
            node = self.nodes[node].parent as usize;
        }
        let mut position = self.root.clone();
        self.branching.reset(&position);
        for &mv in way.iter().rev() {
            self.branching.played(&position, mv);
            position.play(mv);
        }
        position
    }

    /// Makes the children of a node, once.
    fn open(&mut self, at: usize) {
        if self.nodes[at].open {
            return;
        }
        let mut position = self.set_up(at);
        let mut moves = std::mem::take(&mut self.children);
        moves.clear();
        self.branching.children(&position, &mut moves);
        if at == 0 && !self.only.is_empty() {
            moves.retain(|mv| self.only.contains(mv));
        }
        self.cost.made += 1;
        let (ply, depth) = (self.nodes[at].ply + 1, self.nodes[at].depth - 1);
        let first = self.nodes.len();
        moves.truncate(usize::from(u8::MAX));
        for (index, &mv) in moves.iter().enumerate() {
            self.branching.played(&position, mv);
            let undo = position.play(mv);
            let worth = self.branching.worth(&position) as Worth;
            let key = (position.key(), depth);
            let seen = if self.settings.history { seen_before(&position) } else { None };
            position.take_back(mv, undo);
            self.branching.taken_back();
            self.cost.made += 1;
            self.nodes.push(Node::new(Some(mv), at as u32, ply, depth, worth));
            self.order.push(index as u8);
            if let Some(value) = seen {
                self.nodes[first + index].decide(value);
            } else if ply >= self.settings.reach {
                self.find_leaf(first + index, key);
            }
        }
        let ending = moves.is_empty().then(|| self.branching.ending(&position, depth + 1));
        let node = &mut self.nodes[at];
        (node.open, node.first, node.count) = (true, first as u32, moves.len() as u8);
        if let Some(value) = ending {
            node.decide(value);
        }
        self.children = moves;
    }

    /// The node is a leaf: the one that another way led to, or a new one.
    fn find_leaf(&mut self, at: usize, key: (u64, u8)) {
        if let Some(&leaf) = self.by_key.get(&key) {
            self.nodes[at].leaf = leaf;
            return;
        }
        let leaf = self.make_leaf(at);
        self.by_key.insert(key, leaf);
    }

    fn make_leaf(&mut self, at: usize) -> LeafId {
        let leaf = LeafId(self.leaves.len() as u32);
        let node = &mut self.nodes[at];
        self.leaves.push(Leaf::new(node.depth, at as u32, node.guess));
        node.leaf = leaf;
        leaf
    }

    /// The shallower searches before a first visit (figure 4, line 14): alpha-beta by static
    /// values, two plies deeper each time, which puts the children in order.
    fn preview(&mut self, at: usize, alpha: Worth, beta: Worth) {
        let ply = self.nodes[at].ply;
        if self.settings.reach > ply + 2 {
            self.glimpse(at, self.settings.reach - 2, alpha, beta);
        }
        self.nodes[at].previewed = true;
    }

    fn glimpse(&mut self, at: usize, horizon: u8, alpha: Worth, beta: Worth) -> Worth {
        self.cost.visits += 1;
        let ply = self.nodes[at].ply;
        if ply >= horizon || self.nodes[at].leaf != NO_LEAF {
            return self.nodes[at].guess;
        }
        self.open(at);
        if self.nodes[at].count == 0 {
            return self.nodes[at].guess;
        }
        if !self.nodes[at].previewed {
            self.nodes[at].previewed = true;
            if horizon > ply + 2 {
                self.glimpse(at, horizon - 2, alpha, beta);
            }
        }
        self.sort(at);
        let children = self.nodes[at].children();
        let mut best = -HIGHEST;
        for rank in 0..children.len() {
            let child = children.start + usize::from(self.order[children.start + rank]);
            let value = -self.glimpse(child, horizon, -beta, -alpha.max(best));
            best = best.max(value);
            if best >= beta {
                break;
            }
        }
        self.nodes[at].guess = best;
        best
    }

    /// Divides the heaviest leaves among their children while workers have nothing to do.
    fn extend(&mut self) {
        let (idle, all) = (self.staff.without_work(), self.staff.present());
        if idle == 0 || all == 0 {
            return;
        }
        let leaves = &self.leaves;
        let heavy = |task: &&Task| {
            let leaf = &leaves[task.leaf.0 as usize];
            leaf.effort >= HEAVY
                && leaf.depth >= 4
                && leaf.searched() + 2 >= leaf.depth
                && task.signature.ranks().len() + 1 < Signature::LONGEST
        };
        let mut tasks: Vec<LeafId> = self.staff.tasks().filter(heavy).map(|t| t.leaf).collect();
        tasks.sort_by_key(|&leaf| (std::cmp::Reverse(leaves[leaf.0 as usize].effort), leaf));
        tasks.dedup();
        for leaf in tasks.into_iter().take(idle.div_ceil(4)) {
            self.leaves[leaf.0 as usize].extended = true;
            self.stale = true;
        }
    }
}

/// What a position is worth because of the game before it; nothing usually.
fn seen_before<G: Game>(position: &G) -> Option<Worth> {
    if let Some(outcome) = position.ended_by_history() {
        return Some(outcome.sign_for(position.side_to_move()) as Worth * OVER);
    }
    // Who can repeat once can repeat again.
    position.repeats().then_some(0)
}
