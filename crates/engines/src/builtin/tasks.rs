//! Leaves of minimal trees, searched by a built-in worker (minimal-trees-2014, figure 5).
//!
//! The live worker and the one in virtual time share these lines. Whoever drives them hands
//! over new tasks between two slices of nodes: that is the message check inside the search.

use senbon_core::minimal::{Desk, Finding, Shape, Tasks, Work};
use senbon_core::{Epoch, Report};
use senbon_games::{Branching, Promising};
use senbon_search::Quiescent;
use senbon_search::fixed::Fixed;

use super::Judged;

/// The tree of `G` with this shape.
pub fn tree<G: Judged>(shape: Shape) -> Box<dyn Branching<G>> {
    let (judge, width) = (G::Judge::default(), usize::from(shape.width));
    match shape.quiescence {
        true => Box::new(Quiescent::new(judge, width)),
        false => Box::new(Promising::new(judge, width)),
    }
}

/// A worker's search of leaves. What it learnt of positions outlives the search it was for.
pub struct TaskDesk<G: Judged> {
    memory: usize,
    search: Option<(Shape, Fixed<G, Box<dyn Branching<G>>>)>,
    at_work: Option<AtWork<G>>,
}

/// The search under way.
struct AtWork<G: Judged> {
    epoch: Epoch,
    root: G,
    desk: Desk<G::Move>,
    /// What is being searched, and the nodes before it.
    current: Option<(Work, u64)>,
    findings: Vec<Finding>,
    /// Nodes before this search began.
    before: u64,
}

impl<G: Judged> TaskDesk<G> {
    /// Nothing to do yet. What it learns takes at most `memory` bytes.
    pub fn new(memory: usize) -> Self {
        TaskDesk { memory, search: None, at_work: None }
    }

    /// Tasks came. Those of another epoch are another search, which begins with its root.
    pub fn take(&mut self, tasks: Tasks<G>) {
        let Tasks { epoch, root, pass, whole, ways, tasks } = tasks;
        if let Some((place, shape)) = root {
            let root = place.position().clone();
            if self.search.as_ref().is_none_or(|(known, _)| *known != shape) {
                let fresh = Fixed::new(root.clone(), tree::<G>(shape), self.memory);
                self.search = Some((shape, fresh));
            }
            let before = self.nodes();
            let (desk, findings) = (Desk::new(true), Vec::new());
            self.at_work = Some(AtWork { epoch, root, desk, current: None, findings, before });
        }
        if let Some(at_work) = self.at_work.as_mut().filter(|at_work| at_work.epoch == epoch) {
            at_work.desk.handle_sheet(pass, &tasks, ways, whole);
        }
    }

    /// The search whose tasks it has.
    pub fn epoch(&self) -> Option<Epoch> {
        self.at_work.as_ref().map(|at_work| at_work.epoch)
    }

    /// Whether there is nothing to search now; tasks may come.
    pub fn is_idle(&self) -> bool {
        self.at_work.as_ref().is_none_or(|at_work| at_work.desk.work().is_none())
    }

    /// Gives the tasks up, and says so.
    pub fn stop(&mut self) -> Option<Report<G>> {
        let epoch = self.at_work.take()?.epoch;
        if let Some((_, search)) = &mut self.search {
            search.abort();
        }
        Some(Report::Done { epoch, best: None, ponder: None })
    }

    /// Forgets everything that was learnt.
    pub fn new_game(&mut self) {
        (self.search, self.at_work) = (None, None);
    }

    fn nodes(&self) -> u64 {
        self.search.as_ref().map_or(0, |(_, search)| search.nodes().total())
    }

    /// Searches about `nodes` nodes, or to the end of one search if that is sooner; says how
    /// many it were, none when there is nothing to search.
    pub fn run(&mut self, nodes: u64) -> u64 {
        let (Some((_, search)), Some(at_work)) = (&mut self.search, &mut self.at_work) else {
            return 0;
        };
        let Some(work) = at_work.desk.work() else {
            search.abort();
            at_work.current = None;
            return 0;
        };
        let before = search.nodes().total();
        if at_work.current.map(|(current, _)| current) != Some(work) {
            let mut position = at_work.root.clone();
            for &mv in at_work.desk.way(work.leaf).unwrap_or_default() {
                position.play(mv);
            }
            let (alpha, beta) = work.window;
            search.start(&position, work.depth, alpha, beta);
            at_work.current = Some((work, before));
        }
        if let Some(value) = search.run(nodes)
            && let Some((work, since)) = at_work.current.take()
        {
            let nodes = search.nodes().total() - since;
            at_work.findings.push(at_work.desk.handle_value(work, value, nodes));
        }
        // Being told from memory is work, too.
        (search.nodes().total() - before).max(1)
    }

    /// What was found since the last call, if anything.
    pub fn findings(&mut self) -> Option<Report<G>> {
        let nodes = self.nodes();
        let at_work = self.at_work.as_mut().filter(|at_work| !at_work.findings.is_empty())?;
        let findings = std::mem::take(&mut at_work.findings);
        Some(Report::Findings { epoch: at_work.epoch, nodes: nodes - at_work.before, findings })
    }
}
