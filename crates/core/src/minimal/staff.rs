//! Who searches what: owners, loads, and the sheets of tasks that workers get.

use std::collections::{BTreeSet, VecDeque};

use senbon_games::{Bounds, Game, Worth};

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
    /// Tasks that are to be dropped, where the sheet is not whole: foremen hold many tasks and
    /// are told what changed.
    pub dropped: Vec<LeafId>,
    /// The ways from the root to those leaves that are new to the worker.
    pub ways: Vec<(LeafId, Vec<G::Move>)>,
    /// Tasks that are not named are to be dropped (this closes a pass: section 3.1's pass
    /// message). Otherwise these come to what there is.
    pub whole: bool,
    /// When in the pass it was written: what the pass had cost by then.
    pub written: super::PassCost,
    /// Findings deeper than this can wait.
    pub level: u8,
}

/// Where a leaf was put.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Seat {
    /// Who searches it.
    pub owner: Option<u32>,
    /// The last pass in which it was a task.
    pub sent: u32,
    /// It has had another owner before.
    moved: bool,
    /// Its place among the tasks of its owner in that pass.
    place: u32,
}

/// What a worker has to be told.
#[derive(Clone, Debug)]
pub(super) struct Told {
    pub index: u32,
    pub worker: WorkerId,
    pub tasks: Vec<Task>,
    pub dropped: Vec<LeafId>,
    pub whole: bool,
}

#[derive(Clone, Debug)]
struct Worker {
    id: WorkerId,
    /// Searches it makes at a time: more than one stand behind a foreman.
    capacity: u32,
    /// It is told what changed, and not everything anew.
    foreman: bool,
    /// Positions in the last pass, and those given to it anew in this one.
    load: u32,
    /// Positions in this pass.
    now: u32,
    tasks: Vec<Task>,
    /// It had nothing to do when this pass began: it is told in the middle of it.
    waits: bool,
    /// Tasks of this pass that were none in the last one and that it has not been told yet.
    fresh: Vec<Task>,
    /// What it has on its desk, by leaf.
    told: Vec<Task>,
    /// Leaves whose way it knows.
    knows: BTreeSet<LeafId>,
    left: bool,
    /// The master's level as it was told of it.
    level: u8,
}

/// A foreman is told of so many new tasks at a time in the middle of a pass.
const PORTION: usize = 32;

impl Worker {
    /// Load by capacity, in fractions fine enough to tell crews apart.
    fn strain(&self) -> u32 {
        self.load.saturating_mul(1_024) / self.capacity.max(1)
    }

    fn takes_tasks(&self) -> bool {
        !self.left && self.capacity > 0
    }
}

#[derive(Clone, Debug, Default)]
pub(super) struct Staff {
    workers: Vec<Worker>,
    /// By load; among equals the one that waited longest (round robin).
    by_load: BTreeSet<(u32, u64, u32)>,
    places: Vec<(u32, u64)>,
    turn: u64,
    /// Those with fewer positions than they can search at a time in the last pass, and how
    /// many fewer.
    idle: VecDeque<(u32, u32)>,
    pub pass: u32,
    /// Tasks of this pass.
    given: usize,
    /// Those of a crew help each other: a few tasks keep all of them busy.
    crews: bool,
    /// Tasks of the last pass, divided among all who take some.
    share: u32,
}

impl Staff {
    /// Nobody yet; with or without crews that share a memory.
    pub(super) fn new(crews: bool) -> Self {
        Staff { crews, ..Staff::default() }
    }

    /// A worker came, or a foreman with so many.
    pub(super) fn join(&mut self, id: WorkerId, crew: Option<u32>) {
        let index = self.workers.len() as u32;
        self.workers.push(Worker {
            id,
            capacity: crew.unwrap_or(1),
            foreman: crew.is_some(),
            load: 0,
            now: 0,
            tasks: Vec::new(),
            waits: true,
            fresh: Vec::new(),
            told: Vec::new(),
            knows: BTreeSet::new(),
            left: false,
            level: 0,
        });
        self.places.push((0, 0));
        self.put(index);
        self.rest(index);
    }

    /// The place of a worker that is there.
    pub(super) fn find(&self, id: WorkerId) -> Option<u32> {
        let index = self.workers.iter().position(|worker| worker.id == id && !worker.left)?;
        Some(index as u32)
    }

    /// None when there is no such worker.
    pub(super) fn leave(&mut self, id: WorkerId) -> Option<u32> {
        let index = self.find(id)?;
        self.workers[index as usize].left = true;
        self.put(index);
        self.idle.retain(|&(other, _)| other != index);
        Some(index)
    }

    /// A foreman's crew has this size now; false when it had before.
    pub(super) fn resize(&mut self, id: WorkerId, crew: u32) -> bool {
        let Some(index) = self.find(id) else { return false };
        if self.workers[index as usize].capacity == crew {
            return false;
        }
        self.workers[index as usize].capacity = crew;
        self.put(index);
        self.idle.retain(|&(other, _)| other != index);
        self.rest(index);
        true
    }

    pub(super) fn present(&self) -> usize {
        self.workers
            .iter()
            .filter(|worker| !worker.left)
            .map(|worker| worker.capacity as usize)
            .sum()
    }

    /// Workers without a task in this pass.
    pub(super) fn without_work(&self) -> usize {
        let room = |worker: &Worker| worker.capacity.saturating_sub(worker.now) as usize;
        self.workers.iter().filter(|worker| !worker.left).map(room).sum()
    }

    /// All who are there.
    pub(super) fn all(&self) -> impl Iterator<Item = WorkerId> {
        self.workers.iter().filter(|worker| !worker.left).map(|worker| worker.id)
    }

    /// Those without a task in this pass.
    pub(super) fn without_tasks(&self) -> impl Iterator<Item = WorkerId> {
        let all = self.workers.iter();
        all.filter(|worker| !worker.left && worker.now == 0).map(|worker| worker.id)
    }

    /// How many tasks this pass has so far.
    pub(super) fn given(&self) -> usize {
        self.given
    }

    /// Whether another pass would move a position to somebody idle.
    pub(super) fn is_uneven(&self) -> bool {
        let crowded = |worker: &Worker| !worker.left && worker.load > self.hands(worker);
        !self.idle.is_empty() && self.workers.iter().any(crowded)
    }

    fn put(&mut self, index: u32) {
        let at = index as usize;
        let (strain, turn) = self.places[at];
        self.by_load.remove(&(strain, turn, index));
        if self.workers[at].takes_tasks() {
            self.turn += 1;
            self.places[at] = (self.workers[at].strain(), self.turn);
            self.by_load.insert((self.places[at].0, self.turn, index));
        }
    }

    /// Notes what a worker could search besides.
    fn rest(&mut self, index: u32) {
        let worker = &self.workers[index as usize];
        let hands = self.hands(worker);
        if !worker.left && worker.load < hands {
            self.idle.push_back((index, hands - worker.load));
        }
    }

    /// How many tasks keep it busy.
    fn hands(&self, worker: &Worker) -> u32 {
        if self.crews { worker.capacity.min(self.share.max(1)) } else { worker.capacity }
    }

    /// One place less that is idle.
    fn occupy(&mut self, index: u32) {
        if let Some(at) = self.idle.iter().position(|&(other, _)| other == index) {
            self.idle[at].1 -= 1;
            if self.idle[at].1 == 0 {
                self.idle.remove(at);
            }
        }
    }

    pub(super) fn begin_pass(&mut self) {
        self.pass += 1;
        self.given = 0;
        for worker in &mut self.workers {
            worker.now = 0;
            worker.tasks.clear();
            worker.waits = worker.told.is_empty();
            worker.fresh.clear();
        }
    }

    /// Chooses the worker for a leaf that has become a task in this pass.
    fn owner_for(&mut self, seat: &Seat) -> Option<u32> {
        let owner = seat.owner.filter(|&owner| self.workers[owner as usize].takes_tasks());
        let Some(owner) = owner else {
            // Crews are filled evenly, not one after the other.
            let idle = self.idle.front().filter(|_| !self.crews).map(|&(idle, _)| idle);
            let least = idle.or_else(|| self.by_load.first().map(|&(_, _, least)| least))?;
            self.workers[least as usize].load += 1;
            self.put(least);
            self.occupy(least);
            return Some(least);
        };
        // To an idle one, if its owner has its hands full already (section 3.1).
        let worker = &self.workers[owner as usize];
        let full = worker.now >= self.hands(worker);
        let Some(&(idle, _)) = self.idle.front().filter(|_| full) else {
            return Some(owner);
        };
        self.occupy(idle);
        Some(idle)
    }

    /// A leaf is a task in this pass. One that the pass comes by twice is one task that answers
    /// both. Gives what is to be told at once, before the pass is over, because a worker waits.
    pub(super) fn give(&mut self, seat: &mut Seat, task: Task) -> Option<Told> {
        if seat.sent == self.pass
            && let Some(owner) = seat.owner
        {
            let known = &mut self.workers[owner as usize].tasks[seat.place as usize];
            known.window = around(known.window, task.window);
            known.pass_window = around(known.pass_window, task.pass_window);
            known.due = known.due.max(task.due);
            known.signature = known.signature.min(task.signature);
            return None;
        }
        let index = self.owner_for(seat)?;
        let worker = &mut self.workers[index as usize];
        let moved = seat.moved || seat.owner.is_some_and(|before| before != index);
        let place = worker.tasks.len() as u32;
        let stays = seat.owner == Some(index) && seat.sent + 1 == self.pass;
        *seat = Seat { owner: Some(index), sent: self.pass, moved, place };
        self.given += 1;
        worker.now += 1;
        worker.tasks.push(task);
        let tasks = if worker.foreman {
            worker.portion(task, !stays)?
        } else {
            (worker.waits && worker.tasks.len() == 1).then(|| worker.tasks.clone())?
        };
        worker.put_on_desk(&tasks);
        Some(Told { index, worker: worker.id, tasks, dropped: Vec::new(), whole: false })
    }

    /// The pass is over: loads are counted anew. Gives those who have to be told, with their
    /// tasks; foremen also when the level is another one.
    pub(super) fn end_pass(&mut self, repeats: bool, level: u8) -> Vec<Told> {
        let mut to_tell = Vec::new();
        let there = self.workers.iter().filter(|worker| worker.takes_tasks()).count().max(1);
        self.share = (self.given / there) as u32;
        self.idle.clear();
        self.by_load.clear();
        for index in 0..self.workers.len() {
            let worker = &mut self.workers[index];
            worker.load = worker.now;
            if worker.left {
                continue;
            }
            to_tell.extend(worker.news(index as u32, repeats, level));
            if worker.takes_tasks() {
                let turn = self.places[index].1;
                self.places[index].0 = self.workers[index].strain();
                self.by_load.insert((self.places[index].0, turn, index as u32));
            }
            self.rest(index as u32);
        }
        to_tell
    }

    /// A search of the depth asked for found this. If it was the owner's, the task is off its
    /// desk, whatever comes next, unless an answer at another depth is due; who else could have
    /// told is not known of leaves that moved.
    pub(super) fn done(&mut self, seat: &Seat, leaf: LeafId, found: Bounds) {
        let owner = seat.owner.filter(|_| !seat.moved);
        let Some(worker) = owner.and_then(|owner| self.workers.get_mut(owner as usize)) else {
            return;
        };
        if let Ok(at) = worker.told.binary_search_by_key(&leaf, |task| task.leaf)
            && let (alpha, beta) = worker.told[at].window
            && found.answer(alpha, beta).is_some()
            && worker.told[at].due == 0
        {
            worker.told.remove(at);
        }
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

impl Worker {
    /// What a foreman is told in the middle of a pass, now that it has this task: what is new,
    /// a portion at a time, so that its crew need not wait for the end.
    fn portion(&mut self, task: Task, new: bool) -> Option<Vec<Task>> {
        if new {
            self.fresh.push(task);
        }
        let enough = new && self.fresh.len() >= PORTION.min(self.capacity as usize);
        enough.then(|| std::mem::take(&mut self.fresh))
    }

    /// It has been told of these.
    fn put_on_desk(&mut self, tasks: &[Task]) {
        let named: BTreeSet<LeafId> = tasks.iter().map(|task| task.leaf).collect();
        self.told.retain(|task| !named.contains(&task.leaf));
        self.told.extend(tasks);
        self.told.sort_by_key(|task| task.leaf);
    }

    /// What it has to be told at the end of a pass, if anything.
    fn news(&mut self, index: u32, repeats: bool, level: u8) -> Option<Told> {
        let old = std::mem::take(&mut self.told);
        let on_desk = |leaf: LeafId| {
            old.binary_search_by_key(&leaf, |task: &Task| task.leaf).ok().map(|at| old[at])
        };
        // What is on the desk and will do need not be told.
        let mut next = self.tasks.clone();
        for task in &mut next {
            if let Some(known) = on_desk(task.leaf).filter(|known| known.covers(task)) {
                task.window = known.window;
                task.pass_window = known.pass_window;
                if known.signature.is_like(task.signature) {
                    task.signature = known.signature;
                }
                // An answer that is there is no news to who gave it.
                task.due = task.due.max(known.due);
            }
        }
        // Signatures count by their order alone.
        if !next.is_sorted_by_key(|task| task.signature) {
            next.iter_mut().zip(&self.tasks).for_each(|(task, now)| task.signature = now.signature);
        }
        next.sort_by_key(|task| task.leaf);
        let stays = |leaf: LeafId| next.binary_search_by_key(&leaf, |task| task.leaf).is_ok();
        let mut dropped: Vec<LeafId> =
            old.iter().map(|task| task.leaf).filter(|&leaf| !stays(leaf)).collect();
        let mut changed: Vec<Task> =
            next.iter().filter(|task| on_desk(task.leaf) != Some(**task)).copied().collect();
        let repeats = repeats && !self.tasks.is_empty();
        let told = !self.foreman || self.level == level;
        self.level = level;
        if !repeats && changed.is_empty() && dropped.is_empty() && told {
            self.told = next;
            return None;
        }
        let whole = repeats || !self.foreman;
        if whole {
            changed.clone_from(&self.tasks);
            dropped.clear();
            for task in &mut changed {
                if let Some(known) = on_desk(task.leaf).filter(|known| known.covers(task)) {
                    task.window = known.window;
                }
            }
            next.clone_from(&changed);
            next.sort_by_key(|task| task.leaf);
        }
        self.told = next;
        Some(Told { index, worker: self.id, tasks: changed, dropped, whole })
    }
}

/// The window that holds both.
fn around(one: (Worth, Worth), other: (Worth, Worth)) -> (Worth, Worth) {
    (one.0.min(other.0), one.1.max(other.1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::minimal::Signature;

    fn task(leaf: u32) -> Task {
        let (depth, window, signature) = (4, (0, 1), Signature::default());
        let (leaf, searched, due) = (LeafId(leaf), 0, 0);
        Task { leaf, depth, window, pass_window: window, signature, searched, due }
    }

    /// A foreman need not wait for the end of a long pass; what it has is not told again, and
    /// another level is told even if nothing else is new.
    #[test]
    fn foremen_are_told_of_new_tasks_by_portions() {
        let mut staff = Staff::default();
        staff.join(WorkerId(0), Some(64));
        let mut seats = vec![Seat::default(); 80];
        let mut pass = |staff: &mut Staff, leaves: std::ops::Range<u32>, level| {
            staff.begin_pass();
            let mut told: Vec<Told> = Vec::new();
            for leaf in leaves {
                told.extend(staff.give(&mut seats[leaf as usize], task(leaf)));
            }
            let portions: Vec<_> = told.iter().map(|told| told.tasks.len()).collect();
            let last = staff.end_pass(false, level);
            (portions, last.iter().map(|told| (told.tasks.len(), told.dropped.len())).collect())
        };
        let none: Vec<(usize, usize)> = Vec::new();
        assert_eq!(pass(&mut staff, 0..70, 2), (vec![32, 32], vec![(6, 0)]));
        assert_eq!(pass(&mut staff, 0..70, 2), (vec![], none.clone()));
        assert_eq!(pass(&mut staff, 30..80, 2), (vec![], vec![(10, 30)]));
        assert_eq!(pass(&mut staff, 30..80, 4), (vec![], vec![(0, 0)]), "the level");
        assert_eq!(pass(&mut staff, 30..80, 4), (vec![], none));
    }

    /// A task that others depend on now is told anew, though its place is the same; one that is
    /// only more or less likely to be needed is not.
    #[test]
    fn what_others_depend_on_is_told_where_the_order_stays() {
        let mut staff = Staff::default();
        staff.join(WorkerId(0), Some(4));
        let mut seat = Seat::default();
        let mut told = |class| {
            staff.begin_pass();
            let task = task(0);
            let task = Task { signature: task.signature.of_class(class), ..task };
            staff.give(&mut seat, task);
            staff.end_pass(false, 2).len()
        };
        let classes = [3, 4, Signature::DOUBTFUL, Signature::DOUBTFUL, Signature::LINE, 3];
        assert_eq!(classes.map(&mut told), [1, 0, 1, 0, 1, 1]);
    }

    /// Crews that help each other are filled evenly, and one without tasks gets some of those
    /// of another that has more than its share; other foremen are filled one after the other.
    #[test]
    fn crews_share_few_tasks() {
        let loads = |crews| {
            let mut staff = Staff::new(crews);
            (0..2).for_each(|crew| staff.join(WorkerId(crew), Some(64)));
            let mut seats = [Seat::default(); 10];
            let mut pass = |is_task: &dyn Fn(&Seat) -> bool| {
                staff.begin_pass();
                for (seat, leaf) in seats.iter_mut().zip(0..).filter(|(seat, _)| is_task(seat)) {
                    staff.give(seat, task(leaf));
                }
                staff.end_pass(false, 2);
                (staff.workers[0].load, staff.workers[1].load)
            };
            let all = pass(&|_| true);
            let firsts = |seat: &Seat| seat.owner == Some(0);
            (all, pass(&firsts), pass(&firsts))
        };
        assert_eq!(loads(true), ((5, 5), (5, 0), (3, 2)));
        assert_eq!(loads(false), ((10, 0), (10, 0), (10, 0)));
    }
}
