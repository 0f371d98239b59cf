//! A worker's machine: its mind, its two links, and the state it is in.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

use senbon_core::{Ability, Berth, Order, Report, WorkerId};
use senbon_engines::builtin::Judged;
use senbon_games::Game;

use crate::paced::nodes_time;
use crate::sessions::Slot;
use crate::{Link, LinkProfile, PacedWorker, Script};

/// Names a machine for good; its worker gets a new [`WorkerId`] with every connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct MachineId(pub usize);

/// A worker that is let forward by nodes.
pub trait Stepped<G: Game> {
    /// What it can do.
    fn ability(&self) -> Ability;
    /// Whether there is nothing to search.
    fn is_idle(&self) -> bool;
    /// How long a node takes.
    fn node_time(&self) -> Duration;
    /// From now on a node takes this long.
    fn set_node_time(&mut self, node_time: Duration);
    /// Takes an order, which acts before the next node; tells what is answered at once.
    fn order(&mut self, order: Order<G>) -> Option<Report<G>>;
    /// Lets it search `nodes` nodes, or until it has nothing to search. `tell` hears each
    /// report and after how many of these nodes it was made. Returns the nodes used.
    fn run(&mut self, nodes: u64, tell: &mut dyn FnMut(u64, Report<G>)) -> u64;
}

/// A worker that outlives its world: whoever keeps the other end can use it in the next one.
impl<G: Game, W: Stepped<G>> Stepped<G> for Rc<RefCell<W>> {
    fn ability(&self) -> Ability {
        self.borrow().ability()
    }

    fn is_idle(&self) -> bool {
        self.borrow().is_idle()
    }

    fn node_time(&self) -> Duration {
        self.borrow().node_time()
    }

    fn set_node_time(&mut self, node_time: Duration) {
        self.borrow_mut().set_node_time(node_time);
    }

    fn order(&mut self, order: Order<G>) -> Option<Report<G>> {
        self.borrow_mut().order(order)
    }

    fn run(&mut self, nodes: u64, tell: &mut dyn FnMut(u64, Report<G>)) -> u64 {
        self.borrow_mut().run(nodes, tell)
    }
}

/// What thinks on a machine.
pub enum Mind<G: Judged> {
    /// Our search, in virtual time.
    Paced(Box<PacedWorker<G>>),
    /// Another engine, or whatever else goes by nodes.
    Stepped(Box<dyn Stepped<G>>),
    /// Opinions drawn from a seed.
    Script(Box<Script<G>>),
}

impl<G: Judged> Mind<G> {
    pub(crate) fn ability(&mut self) -> Ability {
        match self {
            Mind::Paced(worker) => worker.ability(),
            Mind::Stepped(worker) => worker.ability(),
            Mind::Script(script) => script.ability(),
        }
    }

    fn stepped(&self) -> Option<&dyn Stepped<G>> {
        match self {
            Mind::Paced(worker) => Some(worker.as_ref()),
            Mind::Stepped(worker) => Some(worker.as_ref()),
            Mind::Script(_) => None,
        }
    }

    fn stepped_mut(&mut self) -> Option<&mut dyn Stepped<G>> {
        match self {
            Mind::Paced(worker) => Some(worker.as_mut()),
            Mind::Stepped(worker) => Some(worker.as_mut()),
            Mind::Script(_) => None,
        }
    }
}

pub(crate) struct Machine<G: Judged> {
    pub(crate) mind: Mind<G>,
    pub(crate) down: Link,
    pub(crate) up: Link,
    /// Its worker's name on the connection it has.
    pub(crate) connection: Option<WorkerId>,
    pub(crate) alive: bool,
    pub(crate) frozen_until: Duration,
    /// Everything takes so many times as long.
    slowness: u32,
    node_time: Duration,
    /// Acts of a script and slices of a search that were planned in an earlier turn are void.
    pub(crate) turn: u64,
    /// The search has a slice coming.
    pub(crate) sliced: bool,
    /// Its nodes are paid for up to here.
    paid: Duration,
    /// When the orders on their way arrive.
    pub(crate) arrivals: Vec<Duration>,
    /// Its end of a session, in worlds that have them.
    pub(crate) slot: Option<Box<Slot<G>>>,
    /// The process it is a thread of, if there are others in it, and its place there while it
    /// runs.
    pub(crate) process: Option<usize>,
    pub(crate) berth: Option<Berth>,
    /// Put behind the name of its engine, for coordinators that go by names.
    pub(crate) tag: String,
}

impl<G: Judged> Machine<G> {
    pub(crate) fn new(mind: Mind<G>, profile: LinkProfile) -> Self {
        let mut machine = Machine {
            mind,
            down: Link::new(profile),
            up: Link::new(profile),
            connection: None,
            alive: true,
            frozen_until: Duration::ZERO,
            slowness: 1,
            node_time: Duration::ZERO,
            turn: 0,
            sliced: false,
            paid: Duration::ZERO,
            arrivals: Vec::new(),
            slot: None,
            process: None,
            berth: None,
            tag: String::new(),
        };
        machine.note_node_time();
        machine
    }

    fn note_node_time(&mut self) {
        if let Some(worker) = self.mind.stepped() {
            self.node_time = worker.node_time();
        }
    }

    /// A process starts anew on the machine.
    pub(crate) fn restart(&mut self, mind: Mind<G>) {
        self.mind = mind;
        self.alive = true;
        self.connection = None;
        self.turn += 1;
        self.sliced = false;
        self.note_node_time();
        self.slow(self.slowness);
    }

    pub(crate) fn slow(&mut self, slowness: u32) {
        self.slowness = slowness.max(1);
        let node_time = self.node_time * self.slowness;
        if let Some(worker) = self.mind.stepped_mut() {
            worker.set_node_time(node_time);
        }
    }

    pub(crate) fn arrived(&mut self, at: Duration) {
        if let Some(index) = self.arrivals.iter().position(|&arrival| arrival == at) {
            self.arrivals.swap_remove(index);
        }
    }

    /// When a script acts next after `now`.
    pub(crate) fn next_act(&mut self, now: Duration) -> Option<Duration> {
        let slowness = self.slowness;
        match &mut self.mind {
            Mind::Script(script) if !script.is_idle() => Some(now + script.pause() * slowness),
            _ => None,
        }
    }

    pub(crate) fn order(&mut self, now: Duration, order: Order<G>) -> Option<Report<G>> {
        if let Mind::Script(script) = &mut self.mind {
            if matches!(order, Order::Search(_) | Order::NewGame) {
                self.turn += 1;
            }
            return script.order(order);
        }
        let worker = self.mind.stepped_mut()?;
        if worker.is_idle() {
            self.paid = now;
        }
        worker.order(order)
    }

    /// Whether a search waits to be let forward.
    pub(crate) fn wants_slice(&self) -> bool {
        self.mind.stepped().is_some_and(|worker| !worker.is_idle())
    }

    /// Lets the search forward as far as no order can reach it, and returns when to come
    /// again. An order takes at least the link's latency: until then, or until one that is on
    /// its way already arrives, nothing can disturb the search.
    pub(crate) fn slice(
        &mut self,
        now: Duration,
        mut tell: impl FnMut(Duration, Report<G>),
    ) -> Option<Duration> {
        let worker = self.mind.stepped_mut()?;
        let node_time = worker.node_time().max(Duration::from_nanos(1));
        let free = now + self.down.profile().latency;
        let horizon = self.arrivals.iter().copied().min().map_or(free, |next| next.min(free));
        if now > self.paid + node_time {
            // It stood still: that time is lost.
            self.paid = now;
        }
        let nanos = horizon.saturating_sub(self.paid).as_nanos();
        let nodes = (nanos / node_time.as_nanos()).max(1) as u64;
        let begun = self.paid;
        let used = worker.run(nodes, &mut |used, report| {
            tell((begun + nodes_time(node_time, used)).max(now), report);
        });
        self.paid += nodes_time(node_time, used);
        (!worker.is_idle()).then_some(self.paid.max(now))
    }
}
