//! A worker's desk: which of its tasks it searches next (section 3.2, figure 5).

use std::collections::BTreeMap;

use senbon_games::{Bounds, Worth};

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

/// What was found of a leaf at the deepest depth searched.
#[derive(Clone, Copy, Debug)]
struct Found {
    depth: u8,
    bounds: Bounds,
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
}

impl<M> Desk<M> {
    /// An empty desk. Without `updates` only results at the depth asked for are told.
    pub fn new(updates: bool) -> Self {
        let (tasks, found, ways) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        Desk { tasks, found, ways, pass: 0, at_once: !updates }
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
            if let Some(known) = known.filter(|known| known.depth == task.depth) {
                // The search under way will do (section 5.4: windows are not updated as long
                // as the pass window lies within).
                let (alpha, beta) = task.pass_window;
                if known.window.0 <= alpha && beta <= known.window.1 && narrow(known.window) {
                    task.window = known.window;
                }
            }
            self.tasks.insert(task.leaf, task);
        }
    }

    /// What to search now, if anything: the shallowest first, then in the order of a
    /// depth-first search.
    pub fn work(&self) -> Option<Work> {
        let key = |(_, task): &(Work, &Task)| {
            let (alpha, beta) = task.window;
            let done = self.found.get(&task.leaf).map_or(0, |found| found.depth);
            (done, task.signature, i32::from(beta) - i32::from(alpha))
        };
        let open = self.tasks.values().filter_map(|task| Some((self.next(task)?, task)));
        open.min_by_key(key).map(|(work, _)| work)
    }

    /// The next search for a task; none when it is done.
    fn next(&self, task: &Task) -> Option<Work> {
        let (alpha, beta) = task.window;
        let found = self.found.get(&task.leaf);
        let depth = match found {
            Some(found) if found.depth >= task.depth => {
                if found.bounds.answer(alpha, beta).is_some() {
                    return None;
                }
                task.depth
            }
            _ if self.at_once => task.depth,
            Some(found) => (found.depth + 2).min(task.depth),
            None if task.depth % 2 == 0 => 2.min(task.depth),
            None => 1,
        };
        Some(Work { leaf: task.leaf, depth, window: task.window })
    }

    /// A search ended with this value, fail-soft, after so many nodes. Gives what to tell the
    /// master.
    pub fn handle_value(&mut self, work: Work, value: Worth, nodes: u64) -> Finding {
        let (alpha, beta) = work.window;
        let mut bounds = Bounds::found(value, alpha, beta);
        if let Some(found) = self.found.get(&work.leaf)
            && found.depth == work.depth
        {
            bounds = bounds.and(found.bounds).unwrap_or(bounds);
        }
        self.found.insert(work.leaf, Found { depth: work.depth, bounds });
        Finding { leaf: work.leaf, depth: work.depth, bounds, nodes }
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

/// Whether a window leaves something out. Full windows are always worth giving up for
/// narrower ones.
fn narrow((alpha, beta): (Worth, Worth)) -> bool {
    alpha > -senbon_games::HIGHEST || beta < senbon_games::HIGHEST
}
