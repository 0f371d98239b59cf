//! A worker's desk: which of its tasks it searches next (section 3.2, figure 5).

use std::collections::BTreeMap;

use senbon_games::{Bounds, Worth};

use super::found::Found;
use super::{Finding, LeafId, Task};

/// A search to be made now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Work {
    /// Of which leaf.
    pub leaf: LeafId,
    /// Plies.
    pub depth: u8,
    /// With which window.
    pub window: (Worth, Worth),
}

/// The tasks of a worker, and what it has found of them. `M` is a move.
#[derive(Clone, Debug)]
pub struct Desk<M> {
    tasks: BTreeMap<LeafId, Task>,
    found: BTreeMap<LeafId, Found>,
    ways: BTreeMap<LeafId, Vec<M>>,
    pass: u32,
    /// Only the depth asked for is searched and told of (the method "without updates").
    at_once: bool,
    /// Plies from one search of a task to the next deeper one.
    stride: u8,
}

impl<M> Desk<M> {
    /// An empty desk. Without `updates` only results at the depth asked for are told.
    pub fn new(updates: bool) -> Self {
        let (tasks, found, ways) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        Desk { tasks, found, ways, pass: 0, at_once: !updates, stride: 2 }
    }

    /// Every search of a task goes so many plies deeper than the last; usually 2.
    #[must_use]
    pub fn deepening_by(mut self, plies: u8) -> Self {
        self.stride = plies.max(1);
        self
    }

    /// Tasks came, with the ways from the root to those leaves that are new. What comes from
    /// an older pass than the newest does not count, and a task without a way is left out.
    pub fn handle_sheet(
        &mut self,
        pass: u32,
        tasks: &[Task],
        ways: impl IntoIterator<Item = (LeafId, Vec<M>)>,
        whole: bool,
    ) {
        self.ways.extend(ways);
        if pass < self.pass {
            return;
        }
        self.pass = pass;
        let mut old = if whole { std::mem::take(&mut self.tasks) } else { BTreeMap::new() };
        for &(mut task) in tasks.iter().filter(|task| self.ways.contains_key(&task.leaf)) {
            let known = old.remove(&task.leaf).or_else(|| self.tasks.get(&task.leaf).copied());
            // A search that is done is no reason to make another one than was asked for.
            let under_way = |known: &Task| known.covers(&task) && self.next(known).is_some();
            if let Some(known) = known.filter(under_way) {
                task.window = known.window;
            }
            self.tasks.insert(task.leaf, task);
        }
    }

    /// What to search now, if anything: the shallowest first, then in the order of a
    /// depth-first search. What has to be searched again, because its window was another one,
    /// comes when its depth does, not after everything else.
    pub fn work(&self) -> Option<Work> {
        let key = |(work, task): &(Work, &Task)| {
            let (alpha, beta) = task.window;
            (work.depth, task.signature, i32::from(beta) - i32::from(alpha))
        };
        let open = self.tasks.values().filter_map(|task| Some((self.next(task)?, task)));
        open.min_by_key(key).map(|(work, _)| work)
    }

    /// Plies that were searched of a task, here or elsewhere.
    fn searched(&self, task: &Task) -> u8 {
        self.found.get(&task.leaf).map_or(0, Found::deepest).max(task.searched)
    }

    /// The next search for a task; none when it is done.
    fn next(&self, task: &Task) -> Option<Work> {
        let found = self.found.get(&task.leaf);
        let answers = |depth| found.is_some_and(|found| found.answers(depth, task.window));
        let searched = self.searched(task);
        let depth = match found {
            _ if task.due > 0 && task.due < task.depth && !answers(task.due) => task.due,
            Some(found) if found.deepest() >= task.depth => {
                if answers(found.deepest()) {
                    return None;
                }
                task.depth
            }
            _ if self.at_once => task.depth,
            // What is left is a number of whole strides.
            _ => {
                let left = task.depth.saturating_sub(searched.saturating_add(1));
                task.depth - left / self.stride * self.stride
            }
        };
        Some(Work { leaf: task.leaf, depth, window: task.window })
    }

    /// A search ended with this value, fail-soft, after so many nodes, and would try the child
    /// `best` first next time. Gives what to tell the master.
    pub fn handle_value(&mut self, work: Work, value: Worth, nodes: u64, best: u8) -> Finding {
        let (alpha, beta) = work.window;
        let found = self.found.entry(work.leaf).or_default();
        found.learn(work.depth, Bounds::found(value, alpha, beta));
        let bounds = found.at(work.depth);
        Finding { leaf: work.leaf, depth: work.depth, bounds, nodes, best }
    }

    /// The way from the root to a leaf.
    pub fn way(&self, leaf: LeafId) -> Option<&[M]> {
        self.ways.get(&leaf).map(Vec::as_slice)
    }

    /// How many tasks there are, done or not.
    pub fn len(&self) -> usize {
        self.tasks.len()
    }

    /// Whether there is no task.
    pub fn is_empty(&self) -> bool {
        self.tasks.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::minimal::Signature;
    use senbon_games::HIGHEST;

    fn task(leaf: u32, rank: u8, window: (Worth, Worth)) -> Task {
        let signature = Signature::default().with(0, rank);
        let (leaf, searched, due) = (LeafId(leaf), 0, 0);
        Task { leaf, depth: 6, window, pass_window: window, signature, searched, due }
    }

    fn way(leaf: u32) -> (LeafId, Vec<u8>) {
        (LeafId(leaf), vec![leaf as u8])
    }

    const OPEN: (Worth, Worth) = (-HIGHEST, HIGHEST);

    #[test]
    fn the_shallowest_comes_first_then_the_leftmost() {
        let mut desk = Desk::new(true);
        let tasks = [task(1, 3, OPEN), task(2, 0, OPEN)];
        desk.handle_sheet(1, &tasks, [way(1), way(2)], true);
        let first = desk.work().unwrap();
        assert_eq!((first.leaf, first.depth), (LeafId(2), 2), "the leftmost, two plies");
        let finding = desk.handle_value(first, 7, 10, 2);
        assert_eq!((finding.bounds, finding.nodes, finding.best), (Bounds::exactly(7), 10, 2));
        let second = desk.work().unwrap();
        assert_eq!((second.leaf, second.depth), (LeafId(1), 2), "the other is shallower now");
        desk.handle_value(second, 9, 10, 0);
        assert_eq!(desk.work().unwrap().depth, 4);
    }

    /// What is left is always a number of whole strides, wherever others left off.
    #[test]
    fn searches_deepen_in_strides() {
        let depths = |stride: u8, depth, searched| {
            let mut desk = Desk::new(true).deepening_by(stride);
            let task = Task { depth, searched, ..task(1, 0, OPEN) };
            desk.handle_sheet(1, &[task], [way(1)], true);
            let mut depths = Vec::new();
            while let Some(work) = desk.work() {
                depths.push(work.depth);
                desk.handle_value(work, 7, 10, 0);
            }
            depths
        };
        assert_eq!((depths(2, 7, 0), depths(2, 6, 2)), (vec![1, 3, 5, 7], vec![4, 6]));
        assert_eq!((depths(4, 10, 0), depths(4, 8, 0)), (vec![2, 6, 10], vec![4, 8]));
        assert_eq!((depths(4, 10, 4), depths(4, 10, 9)), (vec![6, 10], vec![10]));
        assert_eq!(depths(8, 5, 0), [5]);
    }

    /// What others have searched is not searched again, and what is behind comes first.
    #[test]
    fn a_task_that_others_began_goes_on_from_there() {
        let mut desk = Desk::new(true);
        let begun = Task { searched: 4, ..task(1, 0, OPEN) };
        desk.handle_sheet(1, &[begun, task(2, 1, OPEN)], [way(1), way(2)], true);
        assert_eq!(desk.work().map(|work| (work.leaf, work.depth)), Some((LeafId(2), 2)));
        desk.handle_sheet(2, &[begun], [], true);
        let work = desk.work().unwrap();
        assert_eq!(work.depth, 6);
        // Nonsense from elsewhere does no harm.
        desk.handle_sheet(3, &[Task { searched: u8::MAX, ..begun }], [], true);
        assert_eq!(desk.work(), Some(work), "no deeper than was asked for");
    }

    /// The master waits at a depth that was searched with another window: that comes first, and
    /// once. So does the full depth when it has to be searched again, in its turn.
    #[test]
    fn a_depth_is_searched_again_when_its_answer_is_due() {
        let mut desk = Desk::new(true);
        let narrow = (50, 51);
        let both = [task(1, 0, (0, 1)), task(2, 1, (0, 1))];
        desk.handle_sheet(1, &both, [way(1), way(2)], true);
        // Both have been searched 4 plies deep and are worth more than was asked.
        while let Some(work) = desk.work().filter(|work| work.depth < 6) {
            desk.handle_value(work, 9, 10, 0);
        }
        let next = [task(1, 0, narrow), Task { due: 4, ..task(2, 1, narrow) }];
        desk.handle_sheet(2, &next, [], true);
        let again = desk.work().unwrap();
        assert_eq!((again.leaf, again.depth, again.window), (LeafId(2), 4, narrow));
        assert_eq!(desk.handle_value(again, 40, 10, 0).bounds, Bounds { lower: 9, upper: 40 });
        let deeper = desk.work().unwrap();
        assert_eq!((deeper.leaf, deeper.depth), (LeafId(1), 6), "answered");
        desk.handle_value(deeper, 60, 10, 0);
        desk.handle_sheet(3, &[task(1, 0, (70, 71)), next[1]], [], true);
        let work = desk.work().unwrap();
        assert_eq!((work.leaf, work.depth), (LeafId(1), 6), "before the one behind it");
    }

    #[test]
    fn only_the_newest_pass_counts_and_nothing_without_a_way() {
        let mut desk = Desk::new(true);
        desk.handle_sheet(5, &[task(1, 0, OPEN), task(9, 0, OPEN)], [way(1)], true);
        assert_eq!(desk.len(), 1, "nobody knows where leaf 9 is");
        desk.handle_sheet(4, &[task(2, 0, OPEN)], [way(2)], true);
        assert_eq!(desk.work().unwrap().leaf, LeafId(1));
        desk.handle_sheet(5, &[task(2, 1, OPEN)], [], false);
        assert_eq!(desk.len(), 2, "one more");
        desk.handle_sheet(6, &[], [], true);
        assert!(desk.is_empty() && desk.work().is_none());
    }

    /// Section 5.4: the window stays while it covers what the master asks.
    #[test]
    fn a_window_is_changed_only_when_it_must_be() {
        let mut desk = Desk::new(false);
        let asked = |pass: (Worth, Worth), wider| Task {
            window: (pass.0 - wider, pass.1 + wider),
            pass_window: pass,
            ..task(1, 0, pass)
        };
        desk.handle_sheet(1, &[asked((10, 11), 50)], [way(1)], true);
        desk.handle_sheet(2, &[asked((30, 31), 50)], [], true);
        let work = desk.work().unwrap();
        assert_eq!((work.window, work.depth), ((-40, 61), 6), "at once to the depth asked for");
        desk.handle_sheet(3, &[asked((90, 91), 50)], [], true);
        assert_eq!(desk.work().unwrap().window, (40, 141));
        let failed_low = desk.handle_value(desk.work().unwrap(), 30, 5, 0);
        assert_eq!(failed_low.bounds, Bounds { lower: -HIGHEST, upper: 30 });
        assert!(desk.work().is_none(), "that answers it");
    }
}
