//! Work for workers without work.

use senbon_games::{Branching, Game, Worth};

use super::visit::View;
use super::{LeafId, Master, PassCost, Signature, Task};

/// A node where a child seems to refute what led there, so that those from `rank` on seem not
/// to be needed.
pub(super) struct Spare {
    /// How much better that child is than it would have to be.
    margin: Worth,
    at: u32,
    rank: u8,
    view: View,
    signature: Signature,
}

/// What a pass may cost for the sake of workers without work: others wait for its end.
const MOST: PassCost = PassCost { visits: 10_000, opened: 32, judged: 64 };

/// Nodes whose other children are looked at in one pass, at most.
const MOST_NODES: usize = 4_096;

/// Leaves that took fewer nodes than this are never divided.
const HEAVY: u64 = 2_000;

impl<G: Game, B: Branching<G>> Master<G, B> {
    /// The children of a node from `rank` on are left out of this pass; `view` is how they would
    /// have been looked at.
    #[inline]
    pub(super) fn note_spare(
        &mut self,
        at: usize,
        rank: usize,
        best: Worth,
        view: View,
        signature: Signature,
    ) {
        if let Some(spares) = &mut self.spares
            && view.a1 < view.b1
        {
            let margin = best.saturating_sub(view.b1);
            spares.push(Spare { margin, at: at as u32, rank: rank as u8, view, signature });
        }
    }

    /// Workers without work search what the pass left out. When what seemed to refute fails, the
    /// next child has been searched already: a search by one tries one after the other, but here
    /// most workers would wait meanwhile.
    pub(super) fn employ(&mut self) {
        let idle = self.staff.without_work();
        if let Some(spares) = self.spares.take() {
            self.visit_spares(spares, idle);
        }
        // The next pass notes what it leaves out.
        if self.settings.spares && idle > 0 && !self.is_growing() {
            self.spares = Some(Vec::new());
        }
    }

    /// Goes through what was left out, where the refutation is the least sure first, until
    /// nobody is idle or enough was spent. It decides nothing about the level.
    fn visit_spares(&mut self, mut spares: Vec<Spare>, mut idle: usize) {
        self.cost.visits += spares.len() as u64;
        let order = |spare: &Spare| (spare.margin, spare.at);
        if spares.len() > MOST_NODES {
            spares.select_nth_unstable_by_key(MOST_NODES, order);
            spares.truncate(MOST_NODES);
        }
        spares.sort_unstable_by_key(order);
        let (lacking, unsettled, before) = (self.lacking, self.unsettled, self.cost);
        'rounds: for round in 0..u8::MAX {
            let mut more = false;
            for spare in &spares {
                if idle == 0 || exceeds(self.cost, before) {
                    break 'rounds;
                }
                let tasks = self.staff.given();
                more |= self.visit_spare(spare, round);
                idle = idle.saturating_sub(self.staff.given() - tasks);
                if idle == 0 {
                    // Some went to those who have enough to do.
                    idle = self.staff.without_work();
                }
            }
            if !more {
                break;
            }
        }
        (self.lacking, self.unsettled) = (lacking, unsettled);
    }

    /// Looks at the child that is `round` ranks behind the first one left out; false when there
    /// is none.
    fn visit_spare(&mut self, spare: &Spare, round: u8) -> bool {
        let node = &self.nodes[spare.at as usize];
        let (children, ply) = (node.children(), usize::from(node.ply));
        let rank = usize::from(spare.rank) + usize::from(round);
        if rank >= children.len() {
            return false;
        }
        let child = children.start + usize::from(self.order[children.start + rank]);
        let view = spare.view.turned();
        if self.counts(child).answer(view.a1, view.b1).is_none() {
            self.visit(child, view, spare.signature.with(ply, rank as u8));
        }
        true
    }

    /// Divides the heaviest leaves among their children while workers have nothing to do.
    pub(super) fn extend(&mut self) {
        let (idle, all) = (self.staff.without_work(), self.staff.present());
        if idle == 0 || all == 0 {
            return;
        }
        let (leaves, stride) = (&self.leaves, self.settings.stride);
        let heavy = |task: &&Task| {
            let leaf = &leaves[task.leaf.0 as usize];
            leaf.effort >= HEAVY
                && leaf.depth >= 4
                && leaf.searched() + stride >= leaf.depth
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

/// Whether more was spent since than workers without work are worth.
fn exceeds(now: PassCost, before: PassCost) -> bool {
    now.visits - before.visits > MOST.visits
        || now.opened - before.opened > MOST.opened
        || now.judged - before.judged > MOST.judged
}
