//! Who searches what: owners, loads, and the sheets of tasks that workers get.

use std::collections::BTreeSet;

use senbon_games::{Game, Worth};

use super::leaf::Leaf;
use super::{LeafId, Task};
use crate::WorkerId;

/// All that a worker has to do from now on, or one thing more.
#[derive(Clone, Debug)]
pub struct Sheet<G: Game> {
    /// For whom.
    pub worker: WorkerId,
    /// The pass it comes from. What an older one says does not count any more.
    pub pass: u32,
    /// The tasks.
    pub tasks: Vec<Task>,
    /// The ways from the root to those leaves that are new to the worker.
    pub ways: Vec<(LeafId, Vec<G::Move>)>,
    /// Tasks that are not named are to be dropped (this closes a pass: section 3.1's pass
    /// message). Otherwise these come to what there is.
    pub whole: bool,
    /// When in the pass it was written: what the pass had cost by then.
    pub written: super::PassCost,
}

#[derive(Clone, Debug)]
pub(super) struct Worker {
    pub id: WorkerId,
    /// Positions in the last pass, and those given to it anew in this one.
    load: u32,
    /// Positions in this pass.
    now: u32,
    tasks: Vec<Task>,
    told: Vec<Task>,
    /// Leaves whose way it knows.
    knows: BTreeSet<LeafId>,
    left: bool,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Staff {
    pub workers: Vec<Worker>,
    /// By load; among equals the one that waited longest (round robin).
    by_load: BTreeSet<(u32, u64, u32)>,
    places: Vec<(u32, u64)>,
    turn: u64,
    /// Those without a position in the last pass.
    idle: Vec<u32>,
    pub pass: u32,
}

impl Staff {
    pub(super) fn join(&mut self, id: WorkerId) {
        let index = self.workers.len() as u32;
        let (tasks, told, knows) = (Vec::new(), Vec::new(), BTreeSet::new());
        self.workers.push(Worker { id, load: 0, now: 0, tasks, told, knows, left: false });
        self.places.push((0, 0));
        self.put(index);
        self.idle.push(index);
    }

    /// False when there is no such worker.
    pub(super) fn leave(&mut self, id: WorkerId) -> Option<u32> {
        let index = self.workers.iter().position(|worker| worker.id == id && !worker.left)?;
        self.workers[index].left = true;
        let (load, turn) = self.places[index];
        self.by_load.remove(&(load, turn, index as u32));
        self.idle.retain(|&other| other != index as u32);
        Some(index as u32)
    }

    pub(super) fn present(&self) -> usize {
        self.by_load.len()
    }

    /// Workers without a task in this pass.
    pub(super) fn without_work(&self) -> usize {
        self.workers.iter().filter(|worker| !worker.left && worker.now == 0).count()
    }

    fn put(&mut self, index: u32) {
        let at = index as usize;
        let (load, turn) = self.places[at];
        self.by_load.remove(&(load, turn, index));
        self.turn += 1;
        self.places[at] = (self.workers[at].load, self.turn);
        self.by_load.insert((self.workers[at].load, self.turn, index));
    }

    pub(super) fn begin_pass(&mut self) {
        self.pass += 1;
        for worker in &mut self.workers {
            worker.now = 0;
            worker.tasks.clear();
        }
    }

    /// Chooses the worker for a leaf that has become a task in this pass.
    pub(super) fn owner_for(&mut self, leaf: &mut Leaf) -> Option<u32> {
        let owner = leaf.owner.filter(|&owner| !self.workers[owner as usize].left);
        if leaf.sent == self.pass && owner.is_some() {
            return owner;
        }
        let chosen = match owner {
            None => {
                let &(_, _, least) = self.by_load.first()?;
                self.workers[least as usize].load += 1;
                self.put(least);
                self.idle.retain(|&other| other != least);
                least
            }
            // To an idle one, if its owner has another position already (section 3.1).
            Some(owner) if self.workers[owner as usize].now > 0 && !self.idle.is_empty() => {
                self.idle.remove(0)
            }
            Some(owner) => owner,
        };
        self.workers[chosen as usize].now += 1;
        leaf.sent = self.pass;
        leaf.owner = Some(chosen);
        Some(chosen)
    }

    /// Notes a task; true when it is the first of a worker that had none. A leaf that the pass
    /// comes by twice is one task that answers both.
    pub(super) fn note(&mut self, owner: u32, task: Task) -> bool {
        let worker = &mut self.workers[owner as usize];
        if let Some(known) = worker.tasks.iter_mut().find(|known| known.leaf == task.leaf) {
            known.window = around(known.window, task.window);
            known.pass_window = around(known.pass_window, task.pass_window);
            return false;
        }
        worker.tasks.push(task);
        worker.tasks.len() == 1 && worker.told.is_empty()
    }

    /// The task goes to its worker at once, before the pass is over.
    pub(super) fn tell_now(&mut self, owner: u32) -> (WorkerId, Vec<Task>) {
        let worker = &mut self.workers[owner as usize];
        worker.told.clone_from(&worker.tasks);
        (worker.id, worker.tasks.clone())
    }

    /// The pass is over: loads are counted anew. Gives those who have to be told, with their
    /// tasks.
    pub(super) fn end_pass(&mut self, repeats: bool) -> Vec<u32> {
        let mut to_tell = Vec::new();
        self.idle.clear();
        self.by_load.clear();
        for index in 0..self.workers.len() {
            let worker = &mut self.workers[index];
            worker.load = worker.now;
            if worker.left {
                continue;
            }
            if worker.now == 0 {
                self.idle.push(index as u32);
            }
            let changed = worker.tasks != worker.told;
            if changed || (repeats && !worker.tasks.is_empty()) {
                worker.told.clone_from(&worker.tasks);
                to_tell.push(index as u32);
            }
            let turn = self.places[index].1;
            self.places[index].0 = self.workers[index].load;
            self.by_load.insert((self.workers[index].load, turn, index as u32));
        }
        to_tell
    }

    pub(super) fn tasks_of(&self, owner: u32) -> (WorkerId, &[Task]) {
        let worker = &self.workers[owner as usize];
        (worker.id, &worker.told)
    }

    /// Whether the way to a leaf has to be told; from now on it is known.
    pub(super) fn is_new_to(&mut self, owner: u32, leaf: LeafId) -> bool {
        self.workers[owner as usize].knows.insert(leaf)
    }

    /// Leaves that are tasks in this pass, each once.
    pub(super) fn tasks(&self) -> impl Iterator<Item = &Task> {
        self.workers.iter().flat_map(|worker| &worker.tasks)
    }
}

/// The window that holds both.
fn around(one: (Worth, Worth), other: (Worth, Worth)) -> (Worth, Worth) {
    (one.0.min(other.0), one.1.max(other.1))
}
