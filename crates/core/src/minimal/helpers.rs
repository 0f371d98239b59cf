//! Who helps with whose task, in a crew that shares its memory.

use std::collections::{BTreeMap, BTreeSet};

use super::{LeafId, Task};
use crate::WorkerId;

/// A task to be at.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub task: Task,
    /// So many are wanted here before anybody goes elsewhere.
    pub least: u32,
    /// No more than so many stay here.
    pub most: u32,
}

impl From<Task> for Place {
    fn from(task: Task) -> Self {
        Place { task, least: 0, most: u32::MAX }
    }
}

/// Workers without a task of their own, by what they help with, as it was told to them.
#[derive(Clone, Debug, Default)]
pub(super) struct Helpers(BTreeMap<WorkerId, Task>);

impl Helpers {
    /// It has something else to do; whether it helped before.
    pub(super) fn release(&mut self, worker: WorkerId) -> bool {
        self.0.remove(&worker).is_some()
    }

    /// Whether somebody helps with this leaf.
    pub(super) fn are_at(&self, leaf: LeafId) -> bool {
        self.0.values().any(|task| task.leaf == leaf)
    }

    /// Those who wait are divided among the open tasks: as many as are wanted at each, the
    /// others as evenly as can be. Who is at a task that is still open stays there while there is
    /// room. Gives those who have to be told, and what they help with now; nothing where nothing
    /// is left.
    pub(super) fn divide(
        &mut self,
        waiting: impl Iterator<Item = WorkerId>,
        open: &[Place],
    ) -> Vec<(WorkerId, Option<Task>)> {
        let by_leaf: BTreeMap<LeafId, usize> =
            open.iter().enumerate().map(|(at, place)| (place.task.leaf, at)).collect();
        let mut helped = vec![0; open.len()];
        let all: Vec<(WorkerId, Option<usize>)> = waiting
            .map(|worker| {
                let before = self.0.get(&worker);
                let at = before.and_then(|before| by_leaf.get(&before.leaf).copied());
                let stays = at.filter(|&at| helped[at] < open[at].most);
                stays.into_iter().for_each(|at| helped[at] += 1);
                (worker, stays)
            })
            .collect();
        let mut wanted = 0;
        // Among equals, in the order of a depth-first search.
        let mut fewest: BTreeSet<(u32, usize)> = BTreeSet::new();
        let mut told = Vec::new();
        for (worker, stays) in all {
            let next = stays.or_else(|| {
                while open.get(wanted).is_some_and(|place| helped[wanted] >= place.least) {
                    fewest.insert((helped[wanted], wanted));
                    wanted += 1;
                }
                if wanted < open.len() {
                    helped[wanted] += 1;
                    return Some(wanted);
                }
                let (count, at) = fewest.pop_first()?;
                fewest.insert((count + 1, at));
                Some(at)
            });
            let Some(task) = next.map(|at| open[at].task) else {
                if self.release(worker) {
                    told.push((worker, None));
                }
                continue;
            };
            let before = self.0.get(&worker);
            let will_do = |known: &Task| {
                known.leaf == task.leaf && known.covers(&task) && known.searched == task.searched
            };
            if !before.is_some_and(will_do) {
                self.0.insert(worker, task);
                told.push((worker, Some(task)));
            }
        }
        told
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::minimal::Signature;

    fn task(leaf: u32, searched: u8) -> Task {
        let (window, signature) = ((0, 1), Signature::default());
        let (leaf, due) = (LeafId(leaf), 0);
        Task { leaf, depth: 8, window, pass_window: window, signature, searched, due }
    }

    fn divide(helpers: &mut Helpers, workers: u32, open: &[Task]) -> Vec<(u32, Option<u32>)> {
        let open: Vec<Place> = open.iter().map(|&task| task.into()).collect();
        let told = helpers.divide((0..workers).map(WorkerId), &open);
        told.into_iter().map(|(worker, task)| (worker.0, task.map(|task| task.leaf.0))).collect()
    }

    #[test]
    fn helpers_are_spread_and_stay_where_they_are() {
        let mut helpers = Helpers::default();
        let both = [task(7, 2), task(3, 0)];
        let told = [(0, Some(7)), (1, Some(3)), (2, Some(7))];
        assert_eq!(divide(&mut helpers, 3, &both), told);
        assert_eq!(divide(&mut helpers, 3, &both), [], "they know");
        assert!(helpers.are_at(LeafId(7)) && !helpers.are_at(LeafId(4)));
        // One that is done sends its helpers to the others; one that got deeper is told anew.
        let next = [task(7, 4), task(5, 0)];
        assert_eq!(divide(&mut helpers, 3, &next), [(0, Some(7)), (1, Some(5)), (2, Some(7))]);
        assert_eq!(divide(&mut helpers, 3, &[]), [(0, None), (1, None), (2, None)]);
        assert_eq!(divide(&mut helpers, 3, &[]), [], "nothing is told once");
        assert!(!helpers.release(WorkerId(0)));
    }
}
