//! Those of a crew who help with the first tasks, and have none of their own.

use std::collections::BTreeSet;

use super::Task;
use crate::WorkerId;

/// So many of the vanguard go to one task: with its owner they are eight, who have it more than
/// seven times as soon for hardly more nodes (docs/results/minimal-tree.md, helpers).
const AT_A_TASK: usize = 7;

/// A search by one knows all that is left of a node before it goes on; many go on with what
/// seems to be so, and what they do is in vain when a task further left says otherwise. The
/// sooner the leftmost tasks are answered, the less of it there is.
#[derive(Clone, Debug, Default)]
pub(super) struct Vanguard {
    most: usize,
    workers: BTreeSet<WorkerId>,
}

impl Vanguard {
    /// Of so many at most.
    pub(super) fn new(most: u32) -> Self {
        Vanguard { most: most as usize, workers: BTreeSet::new() }
    }

    /// A worker came; whether it is one of them.
    pub(super) fn join(&mut self, worker: WorkerId) -> bool {
        self.workers.len() < self.most && self.workers.insert(worker)
    }

    /// A worker is gone.
    pub(super) fn leave(&mut self, worker: WorkerId) {
        self.workers.remove(&worker);
    }

    /// What is helped with, of the open tasks in the order of a depth-first search: those that
    /// the level waits for, and the first few of them while nobody else is without a task.
    pub(super) fn first(&self, open: Vec<Task>, level: u8, waiting: usize) -> Vec<Task> {
        if self.workers.is_empty() {
            return open;
        }
        let lacks = |task: &&Task| task.due > 0 || task.searched < level.min(task.depth);
        let lacking: Vec<Task> = open.iter().filter(lacks).copied().collect();
        let mut first = if lacking.is_empty() { open } else { lacking };
        if waiting <= self.workers.len() {
            first.truncate(self.workers.len().div_ceil(AT_A_TASK));
        }
        first
    }
}
