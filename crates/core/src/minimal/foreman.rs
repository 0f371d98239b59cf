//! A foreman: to the master one worker that makes many searches at a time, to its crew the
//! master (section 6, hierarchical masters).
//!
//! It divides the master's tasks by the same rules as the master would. Tasks keep their
//! depths, windows and signatures, so that the desk of a worker puts them in the order in which
//! the whole search wants them done: a foreman has no order of its own. What its crew finds out
//! goes up in bundles.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::time::Duration;

use senbon_games::Game;

use super::found::Found;
use super::front::{self, Open};
use super::helpers::{Helpers, Place};
use super::staff::{Seat, Staff, Told};
use super::{Bundle, Finding, LeafId, PassCost, Sheet, Signature, Task};
use crate::WorkerId;

/// What a foreman knows of a leaf that was a task once.
#[derive(Clone, Debug)]
struct Held<M> {
    way: Vec<M>,
    /// Who had it keeps it: it remembers what it searched.
    seat: Seat,
    /// The task, while it is one and not done.
    task: Option<Task>,
    /// What anybody of the crew found of it.
    found: Found,
    /// The depth asked for: it grows with the master's tree.
    depth: u8,
    /// Nodes of the deepest search by anybody of the crew.
    effort: u64,
}

impl<M> Held<M> {
    /// The depth at which the master waits for an answer that the crew has not found; or 0.
    fn still_due(&self, task: &Task) -> u8 {
        if self.found.answers(task.due, task.window) { 0 } else { task.due }
    }

    fn is_done(&self, task: &Task) -> bool {
        task.due == 0 && self.found.answers(task.depth, task.window)
    }
}

/// Bundles that the master does not look at yet may wait so many pauses.
const LATER: u32 = 16;

/// Stands between the master and a crew of workers.
pub struct Foreman<G: Game> {
    staff: Staff,
    crew: u32,
    held: BTreeMap<LeafId, Held<G::Move>>,
    /// Tasks in the order of a depth-first search.
    open: BTreeSet<(Signature, LeafId)>,
    /// The master's pass.
    pass: u32,
    out: VecDeque<Sheet<G>>,
    /// Tasks or workers have changed.
    stale: bool,
    findings: Vec<Finding>,
    /// The size of the crew has changed, and the master does not know yet.
    resized: bool,
    /// Least time from bundle to bundle.
    pause: Duration,
    told_at: Option<Duration>,
    /// The master looks at findings up to this depth.
    level: u8,
    /// It looks at some of those here.
    urgent: bool,
    /// The crew shares its memory: who has no task helps with one.
    shares: bool,
    helpers: Helpers,
    /// Nobody has tasks of its own: all are at the first ones.
    at_front: bool,
}

impl<G: Game> Foreman<G> {
    /// A foreman without a crew, which sends at most one bundle in `pause`.
    pub fn new(pause: Duration) -> Self {
        Foreman {
            staff: Staff::default(),
            crew: 0,
            held: BTreeMap::new(),
            open: BTreeSet::new(),
            pass: 0,
            out: VecDeque::new(),
            stale: false,
            findings: Vec::new(),
            resized: false,
            pause,
            told_at: None,
            level: 0,
            urgent: false,
            shares: false,
            helpers: Helpers::default(),
            at_front: false,
        }
    }

    /// The same, of a crew on one machine that remembers positions together
    /// (`senbon_search::fixed::Pool`): those without a task help with another's.
    #[must_use]
    pub fn sharing(self) -> Self {
        Foreman { shares: true, ..self }
    }

    /// Besides, nobody has tasks of its own: all are at those that come first, several at what
    /// the others depend on.
    #[must_use]
    pub fn at_front(self) -> Self {
        Foreman { at_front: true, ..self }
    }

    /// A worker came.
    pub fn handle_joined(&mut self, worker: WorkerId) {
        self.staff.join(worker, None);
        self.crew += 1;
        (self.stale, self.resized) = (true, true);
    }

    /// A worker is gone: others of the crew search what it owned.
    pub fn handle_left(&mut self, worker: WorkerId) {
        let Some(index) = self.staff.leave(worker) else { return };
        self.helpers.release(worker);
        for held in self.held.values_mut().filter(|held| held.seat.owner == Some(index)) {
            held.seat.owner = None;
        }
        self.crew -= 1;
        (self.stale, self.resized) = (true, true);
    }

    /// How many workers there are.
    pub fn crew(&self) -> u32 {
        self.crew
    }

    /// How many tasks are not done.
    pub fn tasks(&self) -> usize {
        self.open.len()
    }

    /// The master told what there is to do. What comes from an older pass than the newest does
    /// not count, and a task without a way is left out.
    pub fn handle_sheet(&mut self, sheet: Sheet<G>) {
        for (leaf, way) in sheet.ways {
            let (seat, found) = (Seat::default(), Found::default());
            let new = Held { way, seat, task: None, found, depth: 0, effort: 0 };
            self.held.entry(leaf).or_insert(new);
        }
        if sheet.pass < self.pass {
            return;
        }
        self.pass = sheet.pass;
        self.stale = true;
        self.level = sheet.level;
        let level = self.level;
        self.urgent |= self.findings.iter().any(|finding| finding.depth <= level);
        if sheet.whole {
            let named: BTreeSet<LeafId> = sheet.tasks.iter().map(|task| task.leaf).collect();
            let all: Vec<LeafId> = self.open.iter().map(|&(_, leaf)| leaf).collect();
            all.into_iter().filter(|leaf| !named.contains(leaf)).for_each(|leaf| self.close(leaf));
        }
        for leaf in sheet.dropped {
            self.close(leaf);
        }
        for mut task in sheet.tasks {
            let known = self.held.get(&task.leaf).and_then(|held| held.task);
            self.close(task.leaf);
            let Some(held) = self.held.get_mut(&task.leaf) else { continue };
            held.depth = task.depth;
            task.searched = known.map_or(0, |known| known.searched);
            if let Some(known) = known.filter(|known| known.covers(&task)) {
                task.window = known.window;
            }
            task.due = held.still_due(&task);
            if !held.is_done(&task) {
                held.task = Some(task);
                self.open.insert((task.signature, task.leaf));
            }
        }
    }

    /// The leaf is no task any more.
    fn close(&mut self, leaf: LeafId) {
        if let Some(task) = self.held.get_mut(&leaf).and_then(|held| held.task.take()) {
            self.open.remove(&(task.signature, leaf));
        }
    }

    /// A worker of the crew found something out; false when it makes no sense here. The master
    /// looks at it more closely.
    pub fn handle_finding(&mut self, worker: WorkerId, finding: &Finding) -> bool {
        let Some(held) = self.held.get_mut(&finding.leaf) else { return false };
        let owns = held.seat.owner.is_some() && held.seat.owner == self.staff.find(worker);
        let deeper = finding.depth > held.found.deepest();
        let new = held.found.learn(finding.depth, finding.bounds);
        if deeper {
            held.effort = finding.nodes;
            // Whoever is at it goes on from there.
            if let (Some(task), false) = (&mut held.task, owns) {
                task.searched = finding.depth;
            }
            self.stale |= self.helpers.are_at(finding.leaf);
        } else if self.shares && finding.depth < held.depth && !new {
            // Somebody was faster.
            return true;
        }
        self.findings.push(*finding);
        self.urgent |= finding.depth <= self.level;
        let Some(mut task) = held.task else { return true };
        task.due = held.still_due(&task);
        held.task = Some(task);
        if owns && task.depth == finding.depth {
            self.staff.done(&held.seat, finding.leaf, held.found.at(task.depth));
        }
        if held.is_done(&task) {
            self.close(finding.leaf);
            self.stale = true;
        }
        true
    }

    /// What there is to tell the master now.
    pub fn poll_bundle(&mut self, now: Duration) -> Option<Bundle> {
        if self.due().is_none_or(|due| now < due) {
            return None;
        }
        self.told_at = Some(now);
        (self.resized, self.urgent) = (false, false);
        Some(Bundle { crew: self.crew, findings: std::mem::take(&mut self.findings) })
    }

    /// When there will be something to tell the master.
    pub fn due(&self) -> Option<Duration> {
        if self.findings.is_empty() && !self.resized {
            return None;
        }
        let hurry = self.urgent || self.resized;
        let pause = if hurry { self.pause } else { self.pause * LATER };
        Some(self.told_at.map_or(Duration::ZERO, |told| told + pause))
    }

    /// Whether workers have to be told of something.
    pub fn is_stale(&self) -> bool {
        self.stale
    }

    /// Divides the tasks among the crew; what workers have to do then comes out of
    /// [`poll`](Self::poll).
    pub fn divide(&mut self) {
        self.stale = false;
        if self.at_front {
            let places = front::places(self.open_tasks(), self.crew, self.level);
            return self.place(self.staff.all().collect(), &places);
        }
        // The first time those with nothing to do are known, the second time they get it.
        for _ in 0..2 {
            self.divide_once();
            if !self.staff.is_uneven() {
                break;
            }
        }
        if self.shares {
            self.help();
        }
    }

    /// The open tasks in the order of their signatures.
    fn open_tasks(&self) -> Vec<Open> {
        let open = |(_, leaf): &(Signature, LeafId)| {
            let held = self.held.get(leaf)?;
            let task = Task { searched: held.found.deepest(), ..held.task? };
            Some(Open { task, effort: held.effort })
        };
        self.open.iter().filter_map(open).collect()
    }

    /// Those without a task help with others' tasks.
    fn help(&mut self) {
        let open: Vec<Place> = self.open_tasks().into_iter().map(|open| open.task.into()).collect();
        self.place(self.staff.without_tasks().collect(), &open);
    }

    /// These workers are to be at these tasks, and have no others.
    fn place(&mut self, workers: Vec<WorkerId>, places: &[Place]) {
        for (worker, task) in self.helpers.divide(workers.into_iter(), places) {
            let Some(index) = self.staff.find(worker) else { continue };
            let (tasks, dropped) = (task.into_iter().collect(), Vec::new());
            self.write(Told { index, worker, tasks, dropped, whole: true });
        }
    }

    fn divide_once(&mut self) {
        self.staff.begin_pass();
        for (_, leaf) in std::mem::take(&mut self.open) {
            let Some(held) = self.held.get_mut(&leaf) else { continue };
            let Some(task) = held.task else { continue };
            self.open.insert((task.signature, leaf));
            if let Some(told) = self.staff.give(&mut held.seat, task) {
                self.send(told);
            }
        }
        for told in self.staff.end_pass(false, self.level) {
            self.send(told);
        }
    }

    fn send(&mut self, mut told: Told) {
        // With a task of its own it need not help any more.
        told.whole |= self.helpers.release(told.worker);
        self.write(told);
    }

    fn write(&mut self, told: Told) {
        let Told { index, worker, tasks, dropped, whole } = told;
        let mut ways = Vec::new();
        for task in &tasks {
            if self.staff.is_new_to(index, task.leaf)
                && let Some(held) = self.held.get(&task.leaf)
            {
                ways.push((task.leaf, held.way.clone()));
            }
        }
        // A sheet that says everything stands for those before it.
        while whole
            && let Some(at) = self.out.iter().position(|sheet| sheet.worker == worker)
            && let Some(before) = self.out.remove(at)
        {
            ways.extend(before.ways);
        }
        let (pass, written, level) = (self.staff.pass, PassCost::default(), self.level);
        self.out.push_back(Sheet { worker, pass, tasks, dropped, ways, whole, written, level });
    }

    /// The next sheet for a worker, if any.
    pub fn poll(&mut self) -> Option<Sheet<G>> {
        self.out.pop_front()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::minimal::Desk;
    use senbon_games::tiny::ConnectFour;
    use senbon_games::{Bounds, HIGHEST, Worth};

    fn task(leaf: u32, window: (Worth, Worth)) -> Task {
        let signature = Signature::default().with(0, leaf as u8);
        let (leaf, searched, due) = (LeafId(leaf), 0, 0);
        Task { leaf, depth: 4, window, pass_window: window, signature, searched, due }
    }

    fn sheet(pass: u32, tasks: &[Task], dropped: &[u32], whole: bool) -> Sheet<ConnectFour> {
        Sheet {
            worker: WorkerId(9),
            pass,
            tasks: tasks.to_vec(),
            dropped: dropped.iter().map(|&leaf| LeafId(leaf)).collect(),
            ways: tasks.iter().map(|task| (task.leaf, Vec::new())).collect(),
            whole,
            written: PassCost::default(),
            level: 4,
        }
    }

    fn finding(leaf: u32, depth: u8) -> Finding {
        Finding { leaf: LeafId(leaf), depth, bounds: Bounds::exactly(3), nodes: 1, best: 0 }
    }

    /// Who has how many tasks after what came is divided.
    fn desks(foreman: &mut Foreman<ConnectFour>, desks: &mut [Desk<u8>]) -> Vec<usize> {
        foreman.divide();
        while let Some(sheet) = foreman.poll() {
            let ways = sheet.ways.iter().map(|&(leaf, _)| (leaf, Vec::new()));
            let desk = &mut desks[sheet.worker.0 as usize];
            desk.handle_sheet(sheet.pass, &sheet.tasks, ways, sheet.whole);
        }
        desks.iter().map(Desk::len).collect()
    }

    const OPEN: (Worth, Worth) = (-HIGHEST, HIGHEST);

    #[test]
    fn work_is_divided_and_goes_to_those_who_wait() {
        let mut foreman = Foreman::new(Duration::ZERO);
        let mut crew = [Desk::new(true), Desk::new(true)];
        (0..2).for_each(|worker| foreman.handle_joined(WorkerId(worker)));
        let tasks: Vec<Task> = (0..4).map(|leaf| task(leaf, OPEN)).collect();
        foreman.handle_sheet(sheet(1, &tasks, &[], false));
        assert_eq!(desks(&mut foreman, &mut crew), [2, 2]);
        assert_eq!(crew[0].work().map(|work| work.leaf), Some(LeafId(0)), "the first two");
        // The master drops both tasks of the first: it gets one of the other's.
        foreman.handle_sheet(sheet(2, &[], &[0, 2], false));
        assert_eq!(desks(&mut foreman, &mut crew), [1, 1]);
        // An older sheet does not count; a whole one says everything.
        foreman.handle_sheet(sheet(1, &tasks, &[], true));
        assert_eq!(foreman.tasks(), 2);
        foreman.handle_sheet(sheet(3, &tasks[..1], &[], true));
        assert_eq!(desks(&mut foreman, &mut crew).iter().sum::<usize>(), 1);
        foreman.handle_left(WorkerId(0));
        foreman.handle_left(WorkerId(1));
        assert_eq!((foreman.crew(), desks(&mut foreman, &mut crew).len()), (0, 2), "nobody to ask");
    }

    /// Three workers that share a memory, one task: all are at it, and whoever is first says so
    /// for all.
    #[test]
    fn those_without_a_task_help() {
        let mut foreman: Foreman<ConnectFour> = Foreman::new(Duration::ZERO).sharing();
        let mut crew = [Desk::new(true), Desk::new(true), Desk::new(true)];
        (0..3).for_each(|worker| foreman.handle_joined(WorkerId(worker)));
        foreman.poll_bundle(Duration::ZERO);
        foreman.handle_sheet(sheet(1, &[task(0, OPEN)], &[], false));
        assert_eq!(desks(&mut foreman, &mut crew), [1, 1, 1]);
        let owner = foreman.held[&LeafId(0)].seat.owner.unwrap();
        let helper = WorkerId((owner + 1) % 3);
        assert!(foreman.handle_finding(helper, &finding(0, 2)));
        desks(&mut foreman, &mut crew);
        let depths = crew.iter().map(|desk| desk.work().unwrap().depth);
        assert!(depths.eq([4, 4, 4]), "all go on from there");
        assert!(foreman.handle_finding(WorkerId(owner), &finding(0, 2)));
        let told = foreman.poll_bundle(Duration::ZERO).unwrap();
        assert_eq!(told.findings, [finding(0, 2)], "the master hears it once");
        // A second task is for one of the helpers; the other may choose.
        foreman.handle_sheet(sheet(2, &[task(5, OPEN)], &[], false));
        assert_eq!(desks(&mut foreman, &mut crew), [1, 1, 1]);
        let at_it =
            |leaf| crew.iter().filter(|desk| desk.work().unwrap().leaf == LeafId(leaf)).count();
        assert_eq!(at_it(0) + at_it(5), 3);
        assert!(at_it(5) >= 1);
        // The helper is done first: nobody is at it any more.
        assert!(foreman.handle_finding(helper, &finding(0, 4)));
        desks(&mut foreman, &mut crew);
        let left: Vec<_> = crew.iter().map(|desk| desk.work().unwrap().leaf).collect();
        assert_eq!(left, [LeafId(5); 3]);
    }

    /// Ten workers are at the first tasks, all that can be at the line of best moves and two at
    /// a doubtful one; then at the next, also where one has been searched as deep with a window
    /// that does not answer the one it has now.
    #[test]
    fn a_crew_at_the_front_is_at_its_first_tasks() {
        let mut foreman: Foreman<ConnectFour> = Foreman::new(Duration::ZERO).sharing().at_front();
        let mut crew: Vec<_> = (0..10).map(|_| Desk::new(true)).collect();
        (0..10).for_each(|worker| foreman.handle_joined(WorkerId(worker)));
        let of_class = |leaf, class| {
            let task = task(leaf, (0, 1));
            Task { signature: task.signature.of_class(class), ..task }
        };
        let mut tasks: Vec<Task> = (0..20).map(|leaf| of_class(leaf, 2)).collect();
        tasks[5] = of_class(5, Signature::DOUBTFUL);
        foreman.handle_sheet(sheet(1, &tasks, &[], false));
        assert_eq!(desks(&mut foreman, &mut crew), [1; 10]);
        let at = |crew: &[Desk<u8>], leaf: u32| {
            crew.iter().filter(|desk| desk.work().is_some_and(|work| work.leaf.0 == leaf)).count()
        };
        assert_eq!([5, 0, 1, 8, 9].map(|leaf| at(&crew, leaf)), [2, 1, 1, 1, 0]);
        // Leaf 9 is on the line of best moves now.
        foreman.handle_sheet(sheet(2, &[of_class(9, Signature::LINE)], &[], false));
        desks(&mut foreman, &mut crew);
        assert_eq!([9, 5].map(|leaf| at(&crew, leaf)), [10, 0]);
        // It is searched, but what was found does not answer: it stays the first.
        let vague = Finding { bounds: Bounds { lower: -9, upper: 9 }, ..finding(9, 4) };
        assert!(foreman.handle_finding(WorkerId(0), &vague));
        desks(&mut foreman, &mut crew);
        assert_eq!(at(&crew, 9), 10);
        assert!(foreman.handle_finding(WorkerId(0), &finding(9, 4)));
        desks(&mut foreman, &mut crew);
        assert_eq!([9, 5, 0].map(|leaf| at(&crew, leaf)), [0, 2, 1]);
        (1..10).for_each(|worker| foreman.handle_left(WorkerId(worker)));
        for leaf in (0..20).filter(|&leaf| leaf != 9) {
            foreman.handle_finding(WorkerId(0), &finding(leaf, 4));
        }
        desks(&mut foreman, &mut crew);
        assert_eq!((foreman.tasks(), crew[0].len()), (0, 0));
    }

    /// A task that is done is not closed while an answer at a smaller depth is due, and that
    /// answer goes up though somebody was there before.
    #[test]
    fn what_is_due_keeps_a_task_open() {
        let mut foreman: Foreman<ConnectFour> = Foreman::new(Duration::ZERO).sharing();
        foreman.handle_joined(WorkerId(0));
        let least = Bounds { lower: 1, upper: HIGHEST };
        foreman.handle_sheet(sheet(1, &[task(0, (0, 1))], &[], false));
        foreman.handle_finding(WorkerId(0), &Finding { bounds: least, ..finding(0, 2) });
        let due = Task { due: 2, ..task(0, (2, 9)) };
        foreman.handle_sheet(sheet(2, &[due], &[], false));
        foreman.handle_finding(WorkerId(0), &finding(0, 4));
        assert_eq!(foreman.tasks(), 1, "the master waits");
        foreman.poll_bundle(Duration::ZERO);
        foreman.handle_finding(WorkerId(0), &finding(0, 2));
        assert_eq!(foreman.tasks(), 0);
        assert_eq!(foreman.poll_bundle(Duration::ZERO).unwrap().findings, [finding(0, 2)]);
        foreman.handle_sheet(sheet(3, &[due], &[], false));
        assert_eq!(foreman.tasks(), 0, "that has been answered");
    }

    #[test]
    fn findings_go_up_in_bundles() {
        let ms = Duration::from_millis;
        let mut foreman: Foreman<ConnectFour> = Foreman::new(ms(5));
        foreman.handle_joined(WorkerId(0));
        assert_eq!(foreman.poll_bundle(ms(0)), Some(Bundle { crew: 1, findings: Vec::new() }));
        assert!(!foreman.handle_finding(WorkerId(0), &finding(0, 2)), "nobody asked for that");
        foreman.handle_sheet(sheet(1, &[task(0, OPEN)], &[], false));
        foreman.divide();
        assert!(
            foreman.handle_finding(WorkerId(0), &finding(0, 2))
                && foreman.handle_finding(WorkerId(0), &finding(0, 4))
        );
        assert_eq!(foreman.tasks(), 0, "done, whatever the master makes of it");
        assert_eq!((foreman.poll_bundle(ms(4)), foreman.due()), (None, Some(ms(5))));
        let bundle = foreman.poll_bundle(ms(5)).unwrap();
        assert_eq!(bundle.findings, [finding(0, 2), finding(0, 4)]);
        assert_eq!((foreman.poll_bundle(ms(50)), foreman.due()), (None, None));
    }

    /// What the master does not look at yet waits, until it does; and a task that is asked for
    /// deeper is open again.
    #[test]
    fn findings_ahead_of_the_level_can_wait() {
        let ms = Duration::from_millis;
        let mut foreman: Foreman<ConnectFour> = Foreman::new(ms(5));
        foreman.handle_joined(WorkerId(0));
        foreman.poll_bundle(ms(0));
        let mut first = sheet(1, &[task(0, OPEN)], &[], false);
        first.level = 2;
        foreman.handle_sheet(first);
        foreman.handle_finding(WorkerId(0), &finding(0, 4));
        assert_eq!((foreman.tasks(), foreman.due()), (0, Some(ms(5) * LATER)));
        foreman.handle_finding(WorkerId(0), &finding(0, 2));
        assert_eq!(foreman.due(), Some(ms(5)), "that one is waited for");
        assert_eq!(foreman.poll_bundle(ms(5)).unwrap().findings.len(), 2, "both go");
        foreman.handle_finding(WorkerId(0), &finding(0, 4));
        assert_eq!(foreman.due(), Some(ms(5) + ms(5) * LATER));
        let deeper = Task { depth: 6, ..task(0, OPEN) };
        foreman.handle_sheet(sheet(2, &[deeper], &[], false));
        assert_eq!((foreman.tasks(), foreman.due()), (1, Some(ms(10))), "level 4 looks at it");
    }
}
