//! The master: passes over the upper part of the tree (section 3.1, figure 4).

use std::collections::{BTreeMap, VecDeque};

use senbon_games::{Bounds, Branching, Game, Worth};

use super::ground::Ground;
use super::leaf::Leaf;
use super::node::Node;
use super::settled::Settled;
use super::spares::Spare;
use super::staff::{Staff, Told};
use super::visit::View;
use super::{Bundle, Finding, LeafId, Settings, Sheet, Signature};
use crate::WorkerId;

/// What a pass cost, by what was done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PassCost {
    /// Nodes come by.
    pub visits: u64,
    /// Nodes whose children were listed.
    pub opened: u64,
    /// Nodes whose position was looked at: what it is worth, which leaf it is.
    pub judged: u64,
}

/// A fixed-depth search by many workers.
///
/// Told of workers and findings, it says after each [`pass`](Self::pass) what workers have to
/// do ([`poll`](Self::poll)), until the [`value`](Self::value) is known.
pub struct Master<G: Game, B> {
    pub(super) ground: Ground<G, B>,
    pub(super) settings: Settings,
    pub(super) nodes: Vec<Node<G::Move>>,
    /// Children of each node, by rank: indices into its children.
    pub(super) order: Vec<u8>,
    pub(super) leaves: Vec<Leaf>,
    /// Leaves by position and depth.
    pub(super) by_key: BTreeMap<(u64, u8), LeafId>,
    pub(super) staff: Staff,
    out: VecDeque<Sheet<G>>,
    pub(super) cost: PassCost,
    /// Plies of the tree so far.
    pub(super) reach: u8,
    /// Findings up to this depth make predictions.
    pub(super) level: u8,
    /// Counts levels and reaches: children are put in order once in each.
    pub(super) stage: u8,
    /// Leaves that this pass came by and that have not been searched that deep.
    pub(super) lacking: usize,
    /// Something happened that the next pass may see.
    pub(super) stale: bool,
    /// Another pass might go another way even if nothing new were known.
    pub(super) unsettled: bool,
    /// The only moves at the root; empty for all.
    pub(super) only: Vec<G::Move>,
    settled: Option<Settled<G::Move>>,
    /// What this pass left out, for workers without work; none while nobody is.
    pub(super) spares: Option<Vec<Spare>>,
}

/// A tree that grows does so when this many plies below its leaves are settled. With 4 it is no
/// better (docs/results/minimal-tree.md).
pub(super) const GROWN_AT: u8 = 6;

/// Of so many tasks one may lack something when a search that hurries goes deeper. Other numbers
/// have not been compared.
const HURRY: usize = 16;

impl<G: Game, B: Branching<G>> Master<G, B> {
    /// A search of `root`, without workers yet.
    pub fn new(root: G, mut branching: B, mut settings: Settings) -> Self {
        settings.depth = settings.depth.max(1);
        // The deepest ply a signature can tell, and one below for tasks.
        let deepest = (settings.depth - 1).min(Signature::LONGEST as u8 - 4);
        settings.reach = settings.reach.min(deepest);
        let start = if settings.in_step { settings.start } else { settings.reach };
        settings.start = start.min(settings.reach);
        // Findings are told of every second depth.
        settings.stride = settings.stride.clamp(2, 8).next_multiple_of(2);
        branching.reset(&root);
        let worth = branching.worth(&root) as Worth;
        let mut master = Master {
            ground: Ground::new(root, branching),
            settings,
            nodes: vec![Node::new(None, 0, 0, settings.depth, worth)],
            order: vec![0],
            leaves: Vec::new(),
            by_key: BTreeMap::new(),
            staff: Staff::new(settings.crews),
            out: VecDeque::new(),
            cost: PassCost::default(),
            reach: settings.start,
            level: if settings.in_step { 0 } else { u8::MAX },
            stage: 0,
            lacking: 0,
            stale: true,
            unsettled: true,
            only: Vec::new(),
            settled: None,
            spares: None,
        };
        if master.reach == 0 {
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

    /// A foreman's crew has this size now.
    pub fn handle_crew(&mut self, foreman: WorkerId, crew: u32) {
        self.stale |= self.staff.resize(foreman, crew);
    }

    /// A foreman told what its crew found out. False when some of it makes no sense or
    /// contradicts what was told before.
    pub fn handle_bundle(&mut self, foreman: WorkerId, bundle: &Bundle) -> bool {
        self.handle_crew(foreman, bundle.crew);
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
            leaf.best = finding.best;
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
        self.lacking = 0;
        self.visit(0, View::OPEN, Signature::default());
        if (self.lacking == 0 && self.settings.in_step) || self.value().is_some() {
            self.settled = Some(self.settle());
        }
        if self.lacking <= self.tolerated() {
            self.advance();
        }
        if self.settings.extends {
            self.extend();
        }
        self.employ();
        for told in self.staff.end_pass(self.settings.repeats, self.level) {
            self.send(told);
        }
        self.unsettled |= self.staff.is_uneven();
        self.cost
    }

    /// How many leaves may lack something when the search goes deeper. Those that do are mostly
    /// waited for one after the other; at the last level all count.
    fn tolerated(&self) -> usize {
        let hurries = self.settings.hurries && !self.is_last();
        if hurries { self.staff.given() / HURRY } else { 0 }
    }

    /// Nothing is missing as deep as the search is now: it goes deeper. A tree that grows does so
    /// first, so that tasks stay small and many while the best moves are not known yet, and nodes
    /// are made where they are needed.
    fn advance(&mut self) {
        if self.level >= self.settings.depth {
            return;
        }
        if self.is_growing() && self.level >= GROWN_AT {
            self.reach = (self.reach + 2).min(self.settings.reach);
        } else {
            self.level = self.in_strides(self.level + self.settings.stride);
        }
        self.stage += 1;
        self.stale = true;
    }

    /// The deepest search of a leaf, up to so many plies, that lies whole strides before the last
    /// one when the tree has grown.
    pub(super) fn in_strides(&self, plies: u8) -> u8 {
        let (stride, last) = (self.settings.stride, self.settings.depth - self.settings.reach);
        if plies < last { last - (last - plies).next_multiple_of(stride) } else { plies }
    }

    /// The level before this one.
    pub(super) fn before(&self) -> u8 {
        self.level.saturating_sub(self.settings.stride)
    }

    pub(super) fn is_growing(&self) -> bool {
        self.reach < self.settings.reach
    }

    /// Whether what is certain counts. Before, predictions compare what was searched equally
    /// deep, and that only.
    pub(super) fn is_last(&self) -> bool {
        !self.is_growing() && self.level >= self.settings.depth - self.settings.reach
    }

    pub(super) fn send(&mut self, told: Told) {
        let Told { index, worker, tasks, dropped, whole } = told;
        let mut ways = Vec::new();
        for task in &tasks {
            if self.staff.is_new_to(index, task.leaf) {
                ways.push((task.leaf, self.way(task.leaf)));
            }
        }
        let (pass, written, level) = (self.staff.pass, self.cost, self.level);
        self.out.push_back(Sheet { worker, pass, tasks, dropped, ways, whole, written, level });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use senbon_games::Promising;
    use senbon_games::trees::{Incremental, IncrementalShape, TreeValue};

    /// While the tree grows, nobody searches to a depth that is no level's.
    #[test]
    fn tasks_of_a_tree_that_grows_end_at_a_level() {
        let root = Incremental::new(IncrementalShape::new(3, 14, 1)).unwrap();
        let depths = |stride| {
            let settings = Settings { stride, start: 2, ..Settings::best(14, 4) };
            let mut master = Master::new(root.clone(), Promising::new(TreeValue, 3), settings);
            master.handle_joined(WorkerId(1));
            master.pass();
            let tasks = std::iter::from_fn(|| master.poll()).flat_map(|sheet| sheet.tasks);
            let mut depths: Vec<_> = tasks.map(|task| task.depth).collect();
            depths.dedup();
            depths
        };
        assert_eq!((depths(2), depths(4)), (vec![8], vec![6]));
    }

    /// Whatever the size of the tree at first, its levels end at the full depth.
    #[test]
    fn levels_are_whole_strides_before_the_last() {
        let root = Incremental::new(IncrementalShape::new(3, 14, 1)).unwrap();
        let levels = |stride, reach| {
            let settings = Settings { stride, ..Settings::best(14, reach) };
            let mut master = Master::new(root.clone(), Promising::new(TreeValue, 3), settings);
            let mut levels = Vec::new();
            while master.level < 14 - reach {
                let before = master.level;
                master.advance();
                levels.push(master.level);
                assert!(master.before() == before || before == 0);
            }
            levels
        };
        assert_eq!((levels(2, 6), levels(2, 7)), (vec![2, 4, 6, 8], vec![1, 3, 5, 7]));
        assert_eq!(
            (levels(4, 4), levels(4, 6), levels(6, 5)),
            (vec![2, 6, 10], vec![4, 8], vec![3, 9])
        );
    }
}
