//! The workers of one process as a crew: one of them leads, and is a foreman to the master
//! (section 6, hierarchical masters).
//!
//! A state machine between those who give orders to the workers and the workers themselves.
//! What has nothing to do with tasks passes through. A search of tasks is led by the worker
//! whom its master chose: what the master tells that one is divided among all whom the same
//! master put under it, and what they find goes up as its findings. Workers of a process may
//! serve several masters, so a crew may have several leaders at a time.

use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

use senbon_games::Game;

use super::{Foreman, Shape, Tasks};
use crate::wire::MOST_FINDINGS;
use crate::{Epoch, Order, Report, WorkerId};

/// What is to be passed on, by number in the crew.
#[derive(Clone, Debug)]
pub enum Passed<G: Game> {
    /// To a worker.
    Down(u32, Order<G>),
    /// In the name of a worker, to whoever gives it orders.
    Up(u32, Report<G>),
}

/// Least time from bundle to bundle: short, because a crew that helps itself ends its tasks one
/// after the other.
const PAUSE: Duration = Duration::from_micros(100);

/// Which search of its master a worker takes part in. Masters number their orders by
/// themselves, and a leader may serve another one by now: the position has to be the same, too.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Part {
    leader: u32,
    epoch: Epoch,
    position: u64,
    shape: Shape,
}

/// A search that somebody leads.
struct Led<G: Game> {
    part: Part,
    foreman: Foreman<G>,
    /// Nodes of each, and of those who left.
    nodes: BTreeMap<u32, u64>,
    nodes_before: u64,
}

/// The workers of a process, by number.
pub struct Crew<G: Game> {
    /// Who takes part in what.
    parts: BTreeMap<u32, Part>,
    /// By who leads.
    searches: BTreeMap<u32, Led<G>>,
    output: VecDeque<Passed<G>>,
}

impl<G: Game> Default for Crew<G> {
    fn default() -> Self {
        let (parts, searches) = (BTreeMap::new(), BTreeMap::new());
        Crew { parts, searches, output: VecDeque::new() }
    }
}

impl<G: Game> Crew<G> {
    /// An order for a worker.
    pub fn handle_order(&mut self, now: Duration, worker: u32, order: Order<G>) {
        match order {
            Order::Tasks(tasks) => self.take_tasks(now, worker, tasks),
            Order::Stop(epoch) => {
                if self.parts.get(&worker).is_some_and(|part| part.epoch == epoch) {
                    self.release(now, worker);
                }
                self.output.push_back(Passed::Down(worker, Order::Stop(epoch)));
            }
            Order::Search(_) | Order::NewGame => {
                self.release(now, worker);
                self.output.push_back(Passed::Down(worker, order));
            }
            Order::PonderHit(_) | Order::Harvest { .. } => {
                self.output.push_back(Passed::Down(worker, order));
            }
        }
    }

    fn take_tasks(&mut self, now: Duration, worker: u32, tasks: Tasks<G>) {
        let epoch = tasks.epoch;
        if let Some((place, shape)) = tasks.root.clone() {
            self.release(now, worker);
            if let Some(leader) = tasks.leader {
                let part = Part { leader, epoch, position: place.position().key(), shape };
                let begin = Order::Tasks(Tasks::led(epoch, (place, shape), leader));
                self.output.push_back(Passed::Down(worker, begin));
                self.join(worker, part);
            }
        }
        let part = self.parts.get(&worker).filter(|part| part.epoch == epoch);
        let leads = part.is_some_and(|part| part.leader == worker);
        match self.searches.get_mut(&worker).filter(|_| leads) {
            Some(search) => search.foreman.handle_sheet(tasks.into_sheet(WorkerId(worker))),
            // Whoever is led has been told already.
            None if tasks.root.is_some() && tasks.leader.is_some() => {}
            None => self.output.push_back(Passed::Down(worker, Order::Tasks(tasks))),
        }
        self.tend_for(now, worker);
    }

    /// A worker takes part in a search, or leads one, with those who were put under it already.
    fn join(&mut self, worker: u32, part: Part) {
        self.parts.insert(worker, part);
        if part.leader == worker {
            let mut foreman = Foreman::new(PAUSE).sharing();
            for (&worker, _) in self.parts.iter().filter(|(_, other)| **other == part) {
                foreman.handle_joined(WorkerId(worker));
            }
            let search = Led { part, foreman, nodes: BTreeMap::new(), nodes_before: 0 };
            self.searches.insert(worker, search);
        } else if let Some(search) = self.search_of(worker) {
            search.foreman.handle_joined(WorkerId(worker));
        }
    }

    /// The search that a worker takes part in, if it has begun.
    fn search_of(&mut self, worker: u32) -> Option<&mut Led<G>> {
        let part = self.parts.get(&worker)?;
        self.searches.get_mut(&part.leader).filter(|search| search.part == *part)
    }

    /// A worker takes part no longer. When it leads, the search is over: its master tells all
    /// others so, or who leads it from now on.
    fn release(&mut self, now: Duration, worker: u32) {
        if let Some(search) = self.search_of(worker) {
            search.foreman.handle_left(WorkerId(worker));
            search.nodes_before += search.nodes.remove(&worker).unwrap_or(0);
        }
        let Some(part) = self.parts.remove(&worker) else { return };
        if part.leader == worker {
            self.searches.remove(&worker);
            self.parts.retain(|_, other| *other != part);
        } else {
            self.tend(now, part.leader);
        }
    }

    /// A worker is gone for good.
    pub fn handle_left(&mut self, now: Duration, worker: u32) {
        self.release(now, worker);
    }

    /// A worker told something.
    pub fn handle_report(&mut self, now: Duration, worker: u32, report: Report<G>) {
        if let Report::Findings { epoch, nodes, findings } = &report
            && let Some(search) =
                self.search_of(worker).filter(|search| search.part.epoch == *epoch)
        {
            search.nodes.insert(worker, *nodes);
            for finding in findings {
                search.foreman.handle_finding(WorkerId(worker), finding);
            }
            return self.tend_for(now, worker);
        }
        // Also findings for whose leader is gone: they are as true as before.
        self.output.push_back(Passed::Up(worker, report));
    }

    /// Something is new for whoever leads this worker.
    fn tend_for(&mut self, now: Duration, worker: u32) {
        if let Some(leader) = self.parts.get(&worker).map(|part| part.leader) {
            self.tend(now, leader);
        }
    }

    /// Divides what there is to do, and tells what was found.
    fn tend(&mut self, now: Duration, leader: u32) {
        let Some(search) = self.searches.get_mut(&leader) else { return };
        let epoch = search.part.epoch;
        if search.foreman.is_stale() {
            search.foreman.divide();
        }
        while let Some(sheet) = search.foreman.poll() {
            let worker = sheet.worker.0;
            let orders = Tasks::of(sheet, epoch, None).into_iter().map(Order::Tasks);
            self.output.extend(orders.map(|order| Passed::Down(worker, order)));
        }
        if let Some(bundle) = search.foreman.poll_bundle(now) {
            let nodes = search.nodes_before + search.nodes.values().sum::<u64>();
            for findings in bundle.findings.chunks(MOST_FINDINGS) {
                let findings = findings.to_vec();
                let report = Report::Findings { epoch, nodes, findings };
                self.output.push_back(Passed::Up(leader, report));
            }
        }
    }

    /// When to call [`Self::handle_timeout`] if nothing else happens.
    pub fn poll_timeout(&self) -> Option<Duration> {
        self.searches.values().filter_map(|search| search.foreman.due()).min()
    }

    /// Time has passed.
    pub fn handle_timeout(&mut self, now: Duration) {
        let due = |search: &Led<G>| search.foreman.due().is_some_and(|due| due <= now);
        let leaders = self.searches.iter().filter(|(_, search)| due(search));
        let leaders: Vec<u32> = leaders.map(|(&leader, _)| leader).collect();
        for leader in leaders {
            self.tend(now, leader);
        }
    }

    /// The next thing to be passed on, if any.
    pub fn poll(&mut self) -> Option<Passed<G>> {
        self.output.pop_front()
    }
}

#[cfg(test)]
mod tests {
    use senbon_games::tiny::ConnectFour;
    use senbon_games::{Bounds, HIGHEST, Notation};

    use super::*;
    use crate::minimal::{Finding, LeafId, Signature, Task};
    use crate::{Limits, Place, Search};

    const NOW: Duration = Duration::from_millis(1);

    fn root() -> (Place<ConnectFour>, Shape) {
        (Place::new(ConnectFour::start()), Shape::PLAY)
    }

    fn tasks(epoch: u64, leader: Option<u32>, leaves: &[u32]) -> Order<ConnectFour> {
        let window = (-HIGHEST, HIGHEST);
        let task = |&leaf: &u32| Task {
            leaf: LeafId(leaf),
            depth: 4,
            window,
            pass_window: window,
            signature: Signature::default().with(0, leaf as u8),
            searched: 0,
            due: 0,
        };
        Order::Tasks(Tasks {
            epoch: Epoch(epoch),
            root: leader.map(|_| root()),
            leader,
            pass: 1,
            whole: false,
            level: 4,
            dropped: Vec::new(),
            ways: leaves.iter().map(|&leaf| (LeafId(leaf), Vec::new())).collect(),
            tasks: leaves.iter().map(task).collect(),
        })
    }

    fn findings(epoch: u64, leaves: std::ops::Range<u32>) -> Report<ConnectFour> {
        let found = |leaf| {
            let (leaf, bounds) = (LeafId(leaf), Bounds::exactly(1));
            Finding { leaf, depth: 4, bounds, nodes: 1, best: 0 }
        };
        let findings = leaves.map(found).collect();
        Report::Findings { epoch: Epoch(epoch), nodes: 100, findings }
    }

    /// Leaves that each worker has to search, and findings with nodes that go up.
    #[derive(Debug, Default, PartialEq, Eq)]
    struct Said {
        down: BTreeMap<u32, Vec<u32>>,
        up: Vec<(u32, usize, u64)>,
        other: Vec<u32>,
    }

    fn said(crew: &mut Crew<ConnectFour>) -> Said {
        let mut said = Said::default();
        while let Some(passed) = crew.poll() {
            match passed {
                Passed::Down(worker, Order::Tasks(tasks)) => {
                    let leaves = said.down.entry(worker).or_default();
                    if tasks.whole {
                        leaves.clear();
                    }
                    leaves.extend(tasks.tasks.iter().map(|task| task.leaf.0));
                }
                Passed::Down(worker, _) => said.other.push(worker),
                Passed::Up(worker, Report::Findings { nodes, findings, .. }) => {
                    said.up.push((worker, findings.len(), nodes));
                }
                Passed::Up(worker, _) => said.other.push(worker),
            }
        }
        said
    }

    fn order(crew: &mut Crew<ConnectFour>, worker: u32, order: Order<ConnectFour>) -> Said {
        crew.handle_order(NOW, worker, order);
        said(crew)
    }

    fn later(crew: &mut Crew<ConnectFour>) -> Said {
        let due = crew.poll_timeout().unwrap();
        crew.handle_timeout(due);
        said(crew)
    }

    /// Whoever is told first that it is led, waits for its leader; what is found goes up as the
    /// leader's, with the nodes of all.
    #[test]
    fn the_leaders_tasks_are_divided_and_what_is_found_is_told_by_it() {
        let mut crew = Crew::default();
        assert_eq!(order(&mut crew, 2, tasks(5, Some(1), &[])).down, [(2, vec![])].into());
        let first = order(&mut crew, 1, tasks(5, Some(1), &[10, 11]));
        assert_eq!(first.down, [(1, vec![10]), (2, vec![11])].into());
        let more = order(&mut crew, 3, tasks(5, Some(1), &[]));
        assert_eq!(more.down, [(3, vec![10])].into(), "with nothing of its own it helps");
        crew.handle_report(NOW, 2, findings(5, 11..12));
        crew.handle_report(NOW, 3, findings(5, 10..11));
        let told = [said(&mut crew), later(&mut crew)];
        let told: Vec<_> = told.iter().flat_map(|said| &said.up).collect();
        assert_eq!(told.iter().map(|told| told.1).sum::<usize>(), 2, "{told:?}");
        assert!(told.iter().all(|told| told.0 == 1) && told.last().unwrap().2 == 200, "{told:?}");
        assert!(crew.poll_timeout().is_none(), "nothing is left to tell");
        // More than a report may hold.
        crew.handle_order(NOW, 1, tasks(5, None, &(20..2_000).collect::<Vec<_>>()));
        crew.handle_report(NOW, 1, findings(5, 20..2_000));
        let told = later(&mut crew).up;
        assert_eq!(told.iter().map(|told| told.1).collect::<Vec<_>>(), [1_024, 956]);
    }

    #[test]
    fn several_masters_have_leaders_of_their_own() {
        let mut crew = Crew::default();
        // Masters number their orders by themselves.
        order(&mut crew, 1, tasks(5, Some(1), &[10]));
        order(&mut crew, 2, tasks(5, Some(1), &[]));
        order(&mut crew, 3, tasks(5, Some(3), &[70]));
        let led = order(&mut crew, 4, tasks(5, Some(3), &[]));
        assert_eq!(led.down, [(4, vec![70])].into());
        crew.handle_report(NOW, 4, findings(5, 70..71));
        crew.handle_report(NOW, 2, findings(5, 10..11));
        let mut told = said(&mut crew).up;
        while crew.poll_timeout().is_some() {
            told.extend(later(&mut crew).up);
        }
        told.sort_unstable();
        assert_eq!(told, [(1, 1, 100), (3, 1, 100)]);
        // Tasks without a leader are for the worker alone, and other orders pass through.
        let alone = Tasks {
            root: Some(root()),
            ..match tasks(6, None, &[90]) {
                Order::Tasks(tasks) => tasks,
                _ => unreachable!(),
            }
        };
        assert_eq!(order(&mut crew, 4, Order::Tasks(alone)).down, [(4, vec![90])].into());
        crew.handle_report(NOW, 4, findings(6, 90..91));
        assert_eq!(said(&mut crew).up, [(4, 1, 100)]);
        assert_eq!(order(&mut crew, 4, Order::NewGame).other, [4]);
    }

    /// A worker that does something else is no longer counted on, and when the leader is gone
    /// nothing that was found is lost.
    #[test]
    fn who_leaves_takes_no_part() {
        let mut crew = Crew::default();
        order(&mut crew, 1, tasks(5, Some(1), &[10, 11]));
        let divided = order(&mut crew, 2, tasks(5, Some(1), &[])).down;
        assert!(divided[&2].len() == 1, "{divided:?}");
        let (epoch, place) = (Epoch(9), root().0);
        let limits = Limits { infinite: true, ..Limits::default() };
        let search = Search { epoch, place, only: Vec::new(), lines: 1, limits };
        let other = order(&mut crew, 2, Order::Search(search));
        assert_eq!((other.down.get(&1), other.other), (Some(&vec![10, 11]), vec![2]));
        assert_eq!(order(&mut crew, 2, tasks(5, Some(1), &[])).down[&2].len(), 1, "back again");
        assert_eq!(order(&mut crew, 2, Order::Stop(Epoch(4))).down.len(), 0, "of another order");
        assert_eq!(order(&mut crew, 2, Order::Stop(Epoch(5))).down[&1], [10, 11]);
        order(&mut crew, 2, tasks(5, Some(1), &[]));
        crew.handle_left(NOW, 1);
        crew.handle_report(NOW, 2, findings(5, 11..12));
        assert_eq!(said(&mut crew).up, [(2, 1, 100)], "by itself");
        // The master has chosen another leader, for the same search.
        let next = order(&mut crew, 2, tasks(5, Some(2), &[10]));
        assert_eq!(next.down, [(2, vec![10])].into());
    }

    /// A leader that left its master and serves another one, which gave its order the same
    /// number, does not take workers along that search something else.
    #[test]
    fn workers_of_one_master_do_not_search_for_another() {
        let mut elsewhere = root().0;
        let first = elsewhere.position().moves().next();
        elsewhere.play(first.unwrap());
        let other = |leaves: &[u32]| match tasks(5, Some(1), leaves) {
            Order::Tasks(tasks) => {
                Order::Tasks(Tasks { root: Some((elsewhere.clone(), Shape::PLAY)), ..tasks })
            }
            order => order,
        };
        let mut crew = Crew::default();
        // It waits for its leader, or has one already.
        order(&mut crew, 2, tasks(5, Some(1), &[]));
        assert_eq!(order(&mut crew, 1, other(&[10, 11])).down, [(1, vec![10, 11])].into());
        let mut crew = Crew::default();
        order(&mut crew, 1, tasks(5, Some(1), &[10, 11]));
        order(&mut crew, 2, tasks(5, Some(1), &[]));
        order(&mut crew, 1, Order::Stop(Epoch(5)));
        assert_eq!(
            order(&mut crew, 1, tasks(5, Some(1), &[10, 11])).down,
            [(1, vec![10, 11])].into()
        );
        crew.handle_report(NOW, 2, findings(5, 11..12));
        assert_eq!(said(&mut crew).up, [(2, 1, 100)], "to its own master");
    }
}
