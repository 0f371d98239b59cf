//! Somebody else's engine in virtual time: it cannot be held in mid-search, so it searches in
//! quanta of nodes, its table kept between them.
//!
//! Each quantum is a `go nodes` of its own, run ahead of virtual time; what it reports is given
//! out at the node at which it was said. A stop drops what was not given out yet. So the
//! engine may have searched up to a quantum more than it was asked for, and begins its
//! deepening anew with every quantum, on a warm table. Equal quanta therefore take less and
//! less effect the longer a search lasts; quanta that double lose a bounded part. `docs/sim.md`
//! says what either costs.

use std::collections::VecDeque;
use std::fmt;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use senbon_core::{Ability, Epoch, Fault, Limits, Opinion, Order, Report, Search};
use senbon_engines::dialogue::Patience;
use senbon_engines::process::{Engine, EngineCommand, Told};
use senbon_games::Notation;

use crate::machine::Stepped;
use crate::paced::nodes_time;

/// How long an engine may take on the wall for anything: there that says nothing about it, and
/// many of them on a busy machine take long only to start.
const PATIENCE: Duration = Duration::from_secs(300);

/// How many nodes an engine searches in one go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quanta {
    /// The first quantum of a search, at least one node.
    pub first: u64,
    /// Each further one is as long as all before it; all are equal otherwise.
    pub doubling: bool,
}

impl Quanta {
    /// The same number of nodes every time.
    pub const fn equal(nodes: u64) -> Self {
        Quanta { first: nodes, doubling: false }
    }

    /// The number of nodes of a search doubles with every quantum but the first.
    pub const fn doubling(first: u64) -> Self {
        Quanta { first, doubling: true }
    }

    /// The quantum after so many nodes of a search that has so many left.
    fn after(self, searched: u64, left: u64) -> u64 {
        let usual = if self.doubling { self.first.max(searched) } else { self.first };
        usual.min(left).max(1)
    }
}

impl fmt::Display for Quanta {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let form = if self.doubling { "by doubling quanta from" } else { "by quanta of" };
        write!(f, "{form} {} nodes", self.first)
    }
}

/// A worker with another engine behind it, in virtual time.
pub struct QuantaWorker<G: Notation> {
    engine: Engine<G>,
    told: Receiver<Told<G>>,
    ability: Ability,
    quanta: Quanta,
    node_time: Duration,
    /// Numbers the engine's own orders.
    own_epoch: u64,
    task: Option<Task<G>>,
    /// It is of no use any more.
    fault: Option<Fault>,
}

/// The search it was ordered to make.
struct Task<G: Notation> {
    search: Search<G>,
    /// Nodes given out, and nodes the engine has searched.
    given: u64,
    searched: u64,
    /// What the engine said and was not given out yet, with the node at which it was said.
    ahead: VecDeque<(u64, Opinion<G::Move>)>,
    /// Deepest line given out: a new quantum begins shallow again.
    depth: u32,
    best: Option<G::Move>,
    ponder: Option<G::Move>,
    /// There is no legal move.
    stuck: bool,
    stopped: bool,
}

impl<G: Notation> Task<G> {
    fn new(search: Search<G>) -> Self {
        Task {
            search,
            given: 0,
            searched: 0,
            ahead: VecDeque::new(),
            depth: 0,
            best: None,
            ponder: None,
            stuck: false,
            stopped: false,
        }
    }

    fn is_over(&self) -> bool {
        let limits = &self.search.limits;
        let used_up = limits.nodes.is_some_and(|nodes| self.given >= nodes);
        let deep = limits.depth.is_some_and(|depth| self.depth >= depth);
        self.stopped || used_up || deep || self.stuck
    }
}

impl<G: Notation + Send + 'static> QuantaWorker<G>
where
    G::Undo: Send,
{
    /// Starts the engine and waits until it is ready. A node takes `node_time` of virtual time.
    pub fn start(
        mut command: EngineCommand,
        quanta: Quanta,
        node_time: Duration,
    ) -> Result<Self, Fault> {
        let usual = command.patience;
        command.patience = Patience { start: PATIENCE, stop: PATIENCE, silence: PATIENCE, ..usual };
        let (tell, told) = channel();
        let engine = Engine::start(command, move |news| {
            let _ = tell.send(news);
        });
        let ability = loop {
            match told.recv_timeout(PATIENCE) {
                Ok(Told::Joined(ability)) => break ability,
                Ok(Told::Left(fault)) => return Err(fault),
                Ok(_) => {}
                Err(_) => {
                    return Err(Fault::Silent(format!("not ready within {PATIENCE:?}")));
                }
            }
        };
        if !ability.counts_nodes {
            let what = format!("{} does not stop at a number of nodes", ability.name);
            return Err(Fault::Nonsense(what));
        }
        let (task, fault) = (None, None);
        Ok(QuantaWorker { engine, told, ability, quanta, node_time, own_epoch: 0, task, fault })
    }

    /// Why it is of no use any more, if it is not.
    pub fn fault(&self) -> Option<&Fault> {
        self.fault.as_ref()
    }

    /// The next quantum: the engine searches it in one go, on the wall.
    fn search_on(&mut self) -> Result<(), Fault> {
        let Some(task) = &mut self.task else { return Ok(()) };
        self.own_epoch += 1;
        let epoch = Epoch(self.own_epoch);
        let left = task.search.limits.nodes.map_or(u64::MAX, |nodes| nodes - task.searched);
        let quantum = self.quanta.after(task.searched, left);
        let limits = Limits { nodes: Some(quantum), ..Limits::default() };
        self.engine.order(Order::Search(Search { epoch, limits, ..task.search.clone() }));
        let base = task.searched;
        let mut last = 0;
        loop {
            match self.told.recv_timeout(PATIENCE) {
                Ok(Told::Report(Report::Opinion { epoch: of, opinion })) if of == epoch => {
                    last = opinion.nodes.clamp(last, quantum);
                    task.ahead.push_back((base + last, opinion));
                }
                Ok(Told::Report(Report::Done { epoch: of, best, ponder })) if of == epoch => {
                    task.best = task.best.or(best);
                    task.ponder = task.ponder.or(ponder);
                    break;
                }
                Ok(Told::Left(fault)) => return Err(fault),
                Ok(_) => {}
                Err(_) => return Err(Fault::Silent(format!("no answer within {PATIENCE:?}"))),
            }
        }
        task.stuck = task.best.is_none();
        task.searched = base + quantum;
        Ok(())
    }
}

impl<G: Notation + Send + 'static> Stepped<G> for QuantaWorker<G>
where
    G::Undo: Send,
{
    fn ability(&self) -> Ability {
        let node_nanos = self.node_time.as_nanos().max(1) as u64;
        Ability { speed: 1_000_000_000 / node_nanos, harvests: false, ..self.ability.clone() }
    }

    fn is_idle(&self) -> bool {
        self.task.is_none()
    }

    fn node_time(&self) -> Duration {
        self.node_time
    }

    fn set_node_time(&mut self, node_time: Duration) {
        self.node_time = node_time;
    }

    fn order(&mut self, order: Order<G>) -> Option<Report<G>> {
        match order {
            Order::Search(search) => {
                let old = self.task.replace(Task::new(search));
                old.map(|old| done(&old))
            }
            Order::Stop(epoch) => {
                if let Some(task) = self.task.as_mut().filter(|t| t.search.epoch == epoch) {
                    task.stopped = true;
                }
                None
            }
            Order::NewGame => {
                self.engine.order(Order::NewGame);
                self.task.take().map(|old| done(&old))
            }
            Order::PonderHit(_) | Order::Tasks(_) => None,
            Order::Harvest { epoch, .. } => Some(Report::Harvest { epoch, positions: Vec::new() }),
        }
    }

    fn run(&mut self, nodes: u64, tell: &mut dyn FnMut(u64, Report<G>)) -> u64 {
        let mut used = 0;
        while used < nodes {
            let Some(task) = &mut self.task else { break };
            if task.is_over() {
                tell(used, done(task));
                self.task = None;
                break;
            }
            if task.given == task.searched {
                if let Err(fault) = self.search_on() {
                    self.fault = Some(fault);
                    self.task = None;
                }
                continue;
            }
            let limit = task.search.limits.nodes.unwrap_or(u64::MAX);
            let step = (nodes - used).min(task.searched.min(limit) - task.given);
            task.given += step;
            used += step;
            let begun = task.given - used;
            while let Some((at, mut opinion)) = task.ahead.pop_front_if(|(at, _)| *at <= task.given)
            {
                if opinion.depth < task.depth {
                    continue;
                }
                task.depth = opinion.depth;
                opinion.nodes = at;
                opinion.time = nodes_time(self.node_time, at);
                if opinion.rank == 0 {
                    task.best = opinion.line.first().copied().or(task.best);
                    task.ponder = opinion.line.get(1).copied();
                }
                let epoch = task.search.epoch;
                tell(at - begun, Report::Opinion { epoch, opinion });
            }
        }
        used
    }
}

fn done<G: Notation>(task: &Task<G>) -> Report<G> {
    Report::Done { epoch: task.search.epoch, best: task.best, ponder: task.ponder }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quanta_are_equal_or_double_and_end_where_the_search_does() {
        let sizes = |quanta: Quanta, nodes: u64| {
            let (mut searched, mut sizes) = (0, Vec::new());
            while searched < nodes {
                sizes.push(quanta.after(searched, nodes - searched));
                searched += sizes[sizes.len() - 1];
            }
            sizes
        };
        assert_eq!(sizes(Quanta::equal(400), 1_000), [400, 400, 200]);
        assert_eq!(sizes(Quanta::doubling(100), 1_000), [100, 100, 200, 400, 200]);
        assert_eq!(Quanta::equal(0).after(0, u64::MAX), 1, "never nothing at all");
        assert_eq!(Quanta::doubling(500).to_string(), "by doubling quanta from 500 nodes");
    }
}
