//! Leaves of minimal trees, searched by a built-in worker (minimal-trees-2014, figure 5).
//!
//! The live worker and the one in virtual time share these lines. Whoever drives them hands
//! over new tasks between two slices of nodes: that is the message check inside the search.

use senbon_core::minimal::{Desk, Finding, Shape, Tasks, Work};
use senbon_core::{Epoch, Report};
use senbon_games::{Branching, Promising};
use senbon_search::Quiescent;
use senbon_search::fixed::Fixed;

use super::{Commons, Judged};

/// The tree of `G` with this shape.
pub fn tree<G: Judged>(shape: Shape) -> Box<dyn Branching<G>> {
    let (judge, width) = (G::Judge::default(), usize::from(shape.width));
    match shape.quiescence {
        true => Box::new(Quiescent::new(judge, width)),
        false => Box::new(Promising::new(judge, width)),
    }
}

/// A search of such a tree.
type TreeSearch<G> = Fixed<G, Box<dyn Branching<G>>>;

/// A worker's search of leaves. What it learnt of positions outlives the search it was for.
pub struct TaskDesk<G: Judged> {
    memory: usize,
    /// In place of a memory of its own.
    commons: Option<Commons>,
    search: Option<(Shape, TreeSearch<G>)>,
    at_work: Option<AtWork<G>>,
}

/// The search under way.
struct AtWork<G: Judged> {
    epoch: Epoch,
    root: G,
    desk: Desk<G::Move>,
    /// What is being searched.
    current: Option<Work>,
    findings: Vec<Finding>,
    /// Nodes before this search began.
    before: u64,
}

impl<G: Judged> TaskDesk<G> {
    /// Nothing to do yet. What it learns takes at most `memory` bytes.
    pub fn new(memory: usize) -> Self {
        TaskDesk { memory, commons: None, search: None, at_work: None }
    }

    /// The same, remembering positions together with others of this process.
    #[must_use]
    pub fn sharing(self, commons: Option<Commons>) -> Self {
        TaskDesk { commons, ..self }
    }

    /// Tasks came. Those of another epoch are another search, which begins with its root.
    pub fn take(&mut self, tasks: Tasks<G>) {
        let Tasks { epoch, root, pass, whole, ways, tasks, .. } = tasks;
        if let Some((place, shape)) = root {
            let root = place.position().clone();
            if self.search.as_ref().is_none_or(|(known, _)| *known != shape) {
                let mut fresh = Fixed::new(root.clone(), tree::<G>(shape), self.memory);
                fresh.scout(true);
                fresh.share(self.commons.as_ref().map(|commons| commons.pool::<G>(shape)));
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
            search.lay_aside();
        }
        Some(Report::Done { epoch, best: None, ponder: None })
    }

    /// Forgets everything that was learnt.
    pub fn new_game(&mut self) {
        (self.search, self.at_work) = (None, None);
        if let Some(commons) = &self.commons {
            commons.clear();
        }
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
            search.lay_aside();
            at_work.current = None;
            return 0;
        };
        let before = search.nodes().total();
        if at_work.current != Some(work) {
            let mut position = at_work.root.clone();
            for &mv in at_work.desk.way(work.leaf).unwrap_or_default() {
                position.play(mv);
            }
            let (alpha, beta) = work.window;
            search.start(&position, work.depth, alpha, beta);
            at_work.current = Some(work);
        }
        if let Some(value) = search.run(nodes)
            && let Some(work) = at_work.current.take()
        {
            let (nodes, best) = (search.effort(), search.favourite());
            let finding = at_work.desk.handle_value(work, value, nodes, best);
            at_work.findings.push(finding);
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

#[cfg(test)]
mod tests {
    use senbon_core::minimal::{LeafId, Signature, Task};
    use senbon_core::{Epoch, Place};
    use senbon_games::chess::Chess;
    use senbon_games::{Bounds, Game, HIGHEST, Notation};

    use super::*;

    fn tasks(epoch: u64, fen: Option<&str>, depth: u8) -> Tasks<Chess> {
        let root = fen.map(|fen| (Place::new(Chess::parse_position(fen).unwrap()), Shape::PLAY));
        let position = Chess::parse_position(MATE).unwrap();
        let way = position.moves().into_iter().next().unwrap();
        let window = (-HIGHEST, HIGHEST);
        let task = Task {
            leaf: LeafId(3),
            depth,
            window,
            pass_window: window,
            signature: Signature::default(),
            searched: 0,
            due: 0,
        };
        let (epoch, ways) = (Epoch(epoch), vec![(LeafId(3), vec![way])]);
        let (leader, level, dropped) = (None, 0, Vec::new());
        let (pass, whole, tasks) = (1, true, vec![task]);
        Tasks { epoch, root, leader, pass, whole, level, dropped, ways, tasks }
    }

    /// What one has searched, the other need not.
    #[test]
    fn desks_of_one_process_remember_together() {
        let nodes = |commons: Option<Commons>| {
            let mut counts = Vec::new();
            let mut desks =
                [1, 2].map(|_| TaskDesk::<Chess>::new(1 << 20).sharing(commons.clone()));
            for desk in &mut desks {
                desk.take(tasks(1, Some(MATE), 4));
                let mut bounds = None;
                let mut nodes = 0;
                while !desk.is_idle() {
                    nodes += desk.run(1_000);
                    if let Some(Report::Findings { findings, .. }) = desk.findings() {
                        bounds = findings.last().map(|finding| finding.bounds);
                    }
                }
                counts.push((nodes, bounds.unwrap()));
            }
            desks[1].new_game();
            desks[1].take(tasks(2, Some(MATE), 4));
            let mut again = 0;
            while !desks[1].is_idle() {
                again += desks[1].run(1_000);
            }
            (counts[0], counts[1], again)
        };
        let (first, second, again) = nodes(None);
        assert_eq!((first, again), (second, first.0), "each by itself");
        let (first, second, again) = nodes(Commons::of(2, 1));
        assert_eq!(first.1, second.1);
        assert!(second.0 * 2 < first.0, "{} nodes after {}", second.0, first.0);
        assert_eq!(again, first.0, "a new game begins with nothing");
    }

    const MATE: &str = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1";

    #[test]
    fn a_task_is_searched_two_plies_deeper_each_time_and_told_of() {
        let mut desk: TaskDesk<Chess> = TaskDesk::new(1 << 20);
        assert_eq!((desk.run(100), desk.epoch()), (0, None), "nothing to do");
        desk.take(tasks(1, None, 4));
        assert!(desk.is_idle(), "nobody knows where that is");
        desk.take(tasks(2, Some(MATE), 4));
        let mut depths = Vec::new();
        while !desk.is_idle() {
            assert!(desk.run(50) > 0);
            if let Some(Report::Findings { epoch, nodes, findings }) = desk.findings() {
                assert_eq!((epoch, findings.len(), nodes > 0), (Epoch(2), 1, true));
                assert_eq!(findings[0].leaf, LeafId(3));
                let Bounds { lower, upper } = findings[0].bounds;
                assert_eq!(lower, upper, "a full window gives the value");
                depths.push(findings[0].depth);
            }
        }
        assert_eq!(depths, [2, 4]);
        desk.take(tasks(1, None, 6));
        assert!(desk.is_idle(), "an older search");
        let done = desk.stop();
        assert!(matches!(done, Some(Report::Done { epoch: Epoch(2), best: None, .. })));
        assert!(desk.stop().is_none() && desk.findings().is_none());
    }
}
