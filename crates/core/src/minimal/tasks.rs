//! Tasks as an order to a worker.

use senbon_games::Game;

use super::{LeafId, PassCost, Sheet, Task};
use crate::{Epoch, Place, WorkerId};

/// The tree that is searched below a position: everybody who searches it has to see the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Children of a node, the most promising; [`Shape::ALL`] for all moves.
    pub width: u16,
    /// Leaves are judged by a search of captures, not as they stand.
    pub quiescence: bool,
}

impl Shape {
    /// All moves are children.
    pub const ALL: u16 = u16::MAX;

    /// What is searched in games.
    pub const PLAY: Self = Shape { width: Shape::ALL, quiescence: true };

    /// The trees of minimal-trees-2014, section 4.2.
    pub const fn published(width: u16) -> Self {
        Shape { width, quiescence: false }
    }
}

/// Tasks for a worker: all that it has to do from now on, or something more.
#[derive(Clone, Debug)]
pub struct Tasks<G: Game> {
    /// Which search they belong to; findings repeat it.
    pub epoch: Epoch,
    /// The position that is searched, with the first tasks of an epoch.
    pub root: Option<(Place<G>, Shape)>,
    /// With the root, for a worker that has a berth: who of its crew leads this search there,
    /// by number. The master talks to that one alone; it is a [`Foreman`](super::Foreman).
    pub leader: Option<u32>,
    /// The pass they come from.
    pub pass: u32,
    /// Tasks that are not named are to be dropped.
    pub whole: bool,
    /// Findings deeper than this can wait, as a foreman is told.
    pub level: u8,
    /// These tasks are to be dropped, as a foreman is told.
    pub dropped: Vec<LeafId>,
    /// Ways from the root to the leaves that are new to the worker.
    pub ways: Vec<(LeafId, Vec<G::Move>)>,
    /// The tasks.
    pub tasks: Vec<Task>,
}

/// Tasks in one order; more of them are several orders.
pub const MOST_TASKS: usize = 512;

impl<G: Game> Tasks<G> {
    /// The orders that tell a worker what is on its sheet, the first of the epoch with `root`.
    pub fn of(sheet: Sheet<G>, epoch: Epoch, root: Option<(Place<G>, Shape)>) -> Vec<Self> {
        let Sheet { pass, tasks, dropped, ways, whole, level, .. } = sheet;
        let mut orders: Vec<Self> = Vec::new();
        let (mut root, mut ways) = (root, ways.into_iter().peekable());
        let (parts, dropped) = (tasks.chunks(MOST_TASKS), dropped.chunks(MOST_TASKS));
        // At least one, also of nothing.
        for part in 0..parts.len().max(dropped.len()).max(1) {
            let tasks = parts.clone().nth(part).unwrap_or_default();
            let dropped = dropped.clone().nth(part).unwrap_or_default().to_vec();
            // Ways stand in the order of the tasks that need them.
            let needed = |leaf: LeafId| tasks.iter().any(|task| task.leaf == leaf);
            let mut own = Vec::new();
            while let Some(way) = ways.next_if(|&(leaf, _)| needed(leaf)) {
                own.push(way);
            }
            let (root, whole) = (root.take(), whole && part == 0);
            let (leader, ways, tasks) = (None, own, tasks.to_vec());
            orders.push(Tasks { epoch, root, leader, pass, whole, level, dropped, ways, tasks });
        }
        orders
    }

    /// The beginning of a search that somebody of the crew leads: nothing to do yet.
    pub fn led(epoch: Epoch, root: (Place<G>, Shape), leader: u32) -> Self {
        Tasks {
            epoch,
            root: Some(root),
            leader: Some(leader),
            pass: 0,
            whole: true,
            level: 0,
            dropped: Vec::new(),
            ways: Vec::new(),
            tasks: Vec::new(),
        }
    }

    /// The sheet that these came from, or a part of it.
    pub(super) fn into_sheet(self, worker: WorkerId) -> Sheet<G> {
        let Tasks { pass, whole, level, dropped, ways, tasks, .. } = self;
        let written = PassCost::default();
        Sheet { worker, pass, tasks, dropped, ways, whole, written, level }
    }
}

#[cfg(test)]
mod tests {
    use senbon_games::Notation;
    use senbon_games::chess::Chess;

    use super::*;
    use crate::minimal::Signature;

    #[test]
    fn long_sheets_are_several_orders() {
        let task = |leaf| Task {
            leaf: LeafId(leaf),
            depth: 2,
            window: (0, 1),
            pass_window: (0, 1),
            signature: Signature::default(),
            searched: 0,
            due: 0,
        };
        let sheet = |count: u32, dropped: u32| Sheet::<Chess> {
            worker: WorkerId(1),
            pass: 3,
            tasks: (0..count).map(task).collect(),
            dropped: (0..dropped).map(LeafId).collect(),
            ways: (0..count).step_by(3).map(|leaf| (LeafId(leaf), Vec::new())).collect(),
            whole: true,
            written: PassCost::default(),
            level: 0,
        };
        let root = (Place::new(Chess::start()), Shape::PLAY);
        let orders = Tasks::of(sheet(1_200, 0), Epoch(7), Some(root));
        let sizes: Vec<_> = orders.iter().map(|order| order.tasks.len()).collect();
        assert_eq!(sizes, [512, 512, 176]);
        let first: Vec<_> =
            orders.iter().map(|order| (order.root.is_some(), order.whole)).collect();
        assert_eq!(first, [(true, true), (false, false), (false, false)]);
        assert_eq!(orders.iter().map(|order| order.ways.len()).sum::<usize>(), 400);
        for order in &orders {
            let here = |leaf| order.tasks.iter().any(|task| task.leaf == leaf);
            assert!(order.ways.iter().all(|&(leaf, _)| here(leaf)), "a way with its task");
        }
        let empty = Tasks::of(sheet(0, 0), Epoch(7), None);
        assert!(empty.len() == 1 && empty[0].whole, "nothing left to do is told, too");
        let orders = Tasks::of(sheet(3, 600), Epoch(7), None);
        let sizes: Vec<_> =
            orders.iter().map(|order| (order.tasks.len(), order.dropped.len())).collect();
        assert_eq!(sizes, [(3, 512), (0, 88)], "all that is to be dropped");
    }
}
