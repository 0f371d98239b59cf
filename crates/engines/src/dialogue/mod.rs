//! The conversation with somebody else's engine: orders in, lines out; lines in, reports out.
//!
//! Sans-IO: whoever owns the process tells of lines, orders and the time, then drains
//! [`Dialogue::poll`]. Every wait has a deadline; an engine that misses one, or answers an
//! illegal move, has failed, and whoever owns it starts it anew.
//!
//! A search is never begun while another runs: engines hang on a second `go`. The old one is
//! stopped, its answer awaited, then the new one sent.

mod harvest;
mod manners;
mod probe;
mod sweep;
mod task;
mod translate;
mod watch;

use std::collections::VecDeque;
use std::time::Duration;

use senbon_core::{Ability, Epoch, Fault, Order, Place, Report};
use senbon_games::Notation;

use crate::universal::{Command, Dialect, OptionDeclaration, Reply};

use harvest::{Harvests, Variations};
pub use manners::{Manners, Restriction, UnknownManner};
use probe::Probe;
use task::Task;

/// How long an engine may take.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    /// From the start to `uciok` and to `readyok`.
    pub start: Duration,
    /// From `stop` to `bestmove`.
    pub stop: Duration,
    /// For each question that finds out what an unknown engine can do.
    pub probe: Duration,
    /// Without a word in mid-search, before it is asked whether it is still there; and once
    /// more for the answer.
    pub silence: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Patience {
            start: Duration::from_secs(20),
            stop: Duration::from_secs(3),
            probe: Duration::from_secs(2),
            silence: Duration::from_secs(10),
        }
    }
}

/// More options than this are not listened to.
const MOST_OPTIONS: usize = 500;

/// What comes of the conversation.
#[derive(Clone, Debug)]
pub enum Said<G: senbon_games::Game> {
    /// Send this line to the engine.
    Send(String),
    /// The engine is ready, and this is what it can do.
    Ready(Ability),
    /// Tell this to whoever gave the orders.
    Tell(Report<G>),
    /// The engine is of no use any more.
    Failed(Fault),
}

/// One engine's side of the story.
#[derive(Debug)]
pub struct Dialogue<G: Notation> {
    dialect: Dialect,
    /// Overrides what the table knows and the book says.
    manners: Option<Manners>,
    known: Manners,
    /// Nothing about it needs to be found out.
    is_known: bool,
    /// What a failure has taught about its manners.
    lesson: Option<Manners>,
    wishes: Vec<(String, Option<String>)>,
    patience: Patience,
    name: String,
    declared: Vec<OptionDeclaration>,
    lines_set: usize,
    /// Most positions of its table that the engine tells at once; 0 if it cannot.
    most_harvested: usize,
    harvests: Harvests<G>,
    variations: Variations<G>,
    state: State<G>,
    deadline: Option<Duration>,
    /// To be sent as soon as the engine is free.
    next: VecDeque<Order<G>>,
    said: VecDeque<Said<G>>,
}

#[derive(Debug)]
enum State<G: Notation> {
    /// `uci` was sent.
    Greeting,
    /// `isready` was sent.
    Preparing {
        announced: bool,
    },
    /// It is being found out what the engine can do.
    Probing(Box<Probe<G>>),
    Idle,
    Searching(Box<Task<G>>),
    Failed,
}

impl<G: Notation> Dialogue<G> {
    /// Begins: the first line is waiting in [`Self::poll`]. `wishes` are options to set, as
    /// far as the engine has them; `manners` overrides what is known of it.
    pub fn new(
        now: Duration,
        dialect: Dialect,
        wishes: Vec<(String, Option<String>)>,
        manners: Option<Manners>,
        patience: Patience,
    ) -> Self {
        let mut dialogue = Dialogue {
            dialect,
            known: manners.clone().unwrap_or_else(Manners::by_the_book),
            manners,
            is_known: false,
            lesson: None,
            wishes,
            patience,
            name: "an engine without a name".to_owned(),
            declared: Vec::new(),
            lines_set: 1,
            most_harvested: 0,
            harvests: Harvests::new(),
            variations: Variations::new(),
            state: State::Greeting,
            deadline: Some(now + patience.start),
            next: VecDeque::new(),
            said: VecDeque::new(),
        };
        dialogue.send(&Command::Hello);
        dialogue
    }

    /// What to do next.
    pub fn poll(&mut self) -> Option<Said<G>> {
        self.said.pop_front()
    }

    /// When to call [`Self::handle_timeout`] if nothing else happens.
    pub fn poll_timeout(&self) -> Option<Duration> {
        let deadlines = [self.deadline, self.harvests.deadline(), self.task_deadline()];
        deadlines.into_iter().flatten().min()
    }

    /// Whether the engine has failed.
    pub fn has_failed(&self) -> bool {
        matches!(self.state, State::Failed)
    }

    /// The time has come.
    pub fn handle_timeout(&mut self, now: Duration) {
        if self.harvests.deadline().is_some_and(|deadline| now >= deadline) {
            // That costs the ability, not the engine.
            self.most_harvested = 0;
            for (epoch, place, count) in self.harvests.give_up() {
                self.harvest_variations(epoch, &place, count);
            }
        }
        if self.task_deadline().is_some_and(|deadline| now >= deadline) {
            self.handle_task_timeout(now);
        }
        if self.deadline.is_some_and(|deadline| now >= deadline) {
            if let State::Probing(probe) = &mut self.state
                && probe.handle_timeout()
            {
                self.stop_probe(now);
                return;
            }
            let what = match &self.state {
                State::Greeting => "did not say what it is",
                State::Preparing { .. } => "did not say that it is ready",
                _ => "did not stop",
            };
            let name = &self.name;
            self.fail(Fault::Silent(format!("{name} {what} in time")));
        }
    }

    /// How to treat the engine after this failure, if that is to be different: it showed
    /// manners that it was not known for.
    pub fn lesson(&self) -> Option<&Manners> {
        self.lesson.as_ref()
    }

    /// The process is gone.
    pub fn handle_exit(&mut self, why: &str) {
        if !self.has_failed() {
            self.fail(Fault::Died(format!("{} ended: {why}", self.name)));
        }
    }

    /// An order from the coordinator.
    pub fn handle_order(&mut self, now: Duration, order: Order<G>) {
        match order {
            Order::Search(_) | Order::NewGame => {
                // Only the newest of each matters; what waits was never begun.
                let newest = std::mem::discriminant(&order);
                self.next.retain(|waiting| std::mem::discriminant(waiting) != newest);
                self.next.push_back(order);
                self.stop_search(now);
                self.go_on(now);
            }
            Order::Stop(epoch) => {
                self.next.retain(|waiting| !is_search_of(waiting, epoch));
                if matches!(&self.state, State::Searching(task) if task.search.epoch == epoch) {
                    self.stop_search(now);
                }
            }
            // No engine but our own can be asked for bounds of a fixed-depth search; none says
            // that it could.
            Order::Tasks(_) => {}
            Order::PonderHit(epoch) => self.ponder_hit(epoch),
            Order::Harvest { epoch, place, count } => self.harvest(now, epoch, place, count),
        }
    }

    /// The clock runs from now on. An engine that did not take clocks searches on as it did.
    fn ponder_hit(&mut self, epoch: Epoch) {
        for waiting in &mut self.next {
            if let Order::Search(search) = waiting
                && search.epoch == epoch
            {
                search.limits.ponder = false;
            }
        }
        if let State::Searching(task) = &mut self.state
            && task.search.epoch == epoch
            && std::mem::take(&mut task.search.limits.ponder)
            && self.known.time
        {
            self.send(&Command::PonderHit);
        }
    }

    fn harvest(&mut self, now: Duration, epoch: Epoch, place: Place<G>, count: usize) {
        let greeted = !matches!(self.state, State::Greeting | State::Failed);
        if greeted && self.most_harvested > 0 && self.harvests.has_room() {
            let count = count.min(self.most_harvested);
            let setup = translate::setup(&place, None);
            self.send(&Command::Harvest { count, setup });
            self.harvests.ask(epoch, place, count, now + self.patience.stop);
        } else {
            self.harvest_variations(epoch, &place, count);
        }
    }

    fn harvest_variations(&mut self, epoch: Epoch, place: &Place<G>, count: usize) {
        let positions = self.variations.harvest(place, count);
        self.said.push_back(Said::Tell(Report::Harvest { epoch, positions }));
    }

    /// A line came from the engine.
    pub fn handle_line(&mut self, now: Duration, line: &str) {
        // Banners, debug output and half lines are no crime.
        if let State::Searching(task) = &mut self.state {
            task.hear(now);
        }
        let Ok(reply) = Reply::parse(self.dialect, line) else { return };
        match reply {
            Reply::Name(name) => self.name = name,
            Reply::CanHarvest(most) => self.most_harvested = most,
            Reply::Harvested(told) => self.harvests.hear(&told),
            Reply::HarvestOk => {
                self.said.extend(self.harvests.finish().map(Said::Tell));
            }
            Reply::Option(option) if self.declared.len() < MOST_OPTIONS => {
                self.declared.push(option);
            }
            Reply::HelloOk if matches!(self.state, State::Greeting) => self.prepare(now),
            Reply::ReadyOk => self.hear_ready(now),
            Reply::Info(info) => match &mut self.state {
                State::Probing(probe) => probe.hear_info(&info),
                _ => self.hear_info(now, &info),
            },
            Reply::BestMove { best, ponder } => match &mut self.state {
                State::Probing(probe) => {
                    let more = probe.hear_best(&best);
                    self.probe(now, more);
                }
                State::Searching(_) => self.hear_best(now, &best, ponder.as_deref()),
                // An answer nobody asked for: the engine is where it was.
                _ => {}
            },
            _ => {}
        }
    }

    fn hear_ready(&mut self, now: Duration) {
        match &mut self.state {
            State::Preparing { announced: false } if !self.is_known => {
                self.is_known = true;
                self.state = State::Probing(Box::new(Probe::new(self.known.several_lines)));
                self.probe(now, true);
            }
            State::Preparing { announced } => {
                let announced = *announced;
                self.state = State::Idle;
                self.deadline = None;
                if !announced {
                    self.announce();
                }
                self.go_on(now);
            }
            State::Probing(probe) => {
                let awaited = probe.hear_ready();
                if awaited {
                    self.stop_probe(now);
                }
            }
            _ => {}
        }
    }

    /// Asks the next question, or takes note of what was found out.
    fn probe(&mut self, now: Duration, more: bool) {
        let State::Probing(probe) = &self.state else { return };
        if more {
            let commands = probe.ask();
            self.deadline = Some(now + self.patience.probe);
            commands.iter().for_each(|command| self.send(command));
        } else {
            self.known = probe.verdict().clone();
            // The games to come shall not depend on what was asked here.
            self.send(&Command::NewGame);
            self.become_ready(now, false);
        }
    }

    fn prepare(&mut self, now: Duration) {
        let by_name = Manners::known(&self.name);
        self.is_known = self.manners.is_some() || by_name.is_some();
        if self.manners.is_none() {
            self.known = by_name.unwrap_or_else(Manners::by_the_book);
        }
        self.known.several_lines &= self.declares("MultiPV");
        for (name, value) in std::mem::take(&mut self.wishes) {
            if self.declares(&name) {
                self.send(&Command::SetOption { name, value });
            }
        }
        self.become_ready(now, false);
    }

    fn become_ready(&mut self, now: Duration, announced: bool) {
        self.send(&Command::IsReady);
        self.state = State::Preparing { announced };
        self.deadline = Some(now + self.patience.start);
    }

    fn stop_probe(&mut self, now: Duration) {
        self.deadline = Some(now + self.patience.stop);
        self.send(&Command::Stop);
    }

    fn declares(&self, name: &str) -> bool {
        self.declared.iter().any(|option| option.is_named(name))
    }

    fn announce(&mut self) {
        let ability = Ability {
            name: self.name.clone(),
            game: G::NAME.to_owned(),
            speed: 0,
            restricts: self.known.restriction != Restriction::OneByOne,
            counts_nodes: self.known.nodes,
            harvests: self.most_harvested > 0,
            several_lines: self.known.several_lines,
            tasks: false,
            berth: None,
        };
        self.said.push_back(Said::Ready(ability));
    }

    /// Sends what waits, if the engine is free.
    fn go_on(&mut self, now: Duration) {
        while matches!(self.state, State::Idle) {
            match self.next.pop_front() {
                None => return,
                Some(Order::NewGame) => {
                    self.send(&Command::NewGame);
                    self.become_ready(now, true);
                }
                Some(Order::Search(search)) => self.begin(now, search),
                Some(_) => {}
            }
        }
    }

    fn fail(&mut self, fault: Fault) {
        if let State::Probing(probe) = &self.state {
            self.lesson = Some(probe.verdict().clone());
        }
        self.state = State::Failed;
        self.deadline = None;
        self.next.clear();
        self.harvests = Harvests::new();
        self.said.push_back(Said::Failed(fault));
    }

    fn send(&mut self, command: &Command) {
        self.said.push_back(Said::Send(command.format(self.dialect)));
    }
}

fn is_search_of<G: Notation>(order: &Order<G>, epoch: Epoch) -> bool {
    matches!(order, Order::Search(search) if search.epoch == epoch)
}
