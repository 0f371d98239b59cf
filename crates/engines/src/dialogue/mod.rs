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
mod sweep;
mod translate;

use std::collections::VecDeque;
use std::time::Duration;

use senbon_core::{Ability, Epoch, Fault, Opinion, Order, Place, Report, Search};
use senbon_games::Notation;

use crate::universal::{Best, Command, Dialect, OptionDeclaration, Reply};

use harvest::{Harvests, Variations};
pub use manners::{Manners, Restriction};
use sweep::Sweep;

/// How long an engine may take.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    /// From the start to `uciok` and to `readyok`.
    pub start: Duration,
    /// From `stop` to `bestmove`.
    pub stop: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Patience { start: Duration::from_secs(20), stop: Duration::from_secs(3) }
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
    Idle,
    Searching(Box<Task<G>>),
    Failed,
}

/// A search under way.
#[derive(Debug)]
struct Task<G: Notation> {
    search: Search<G>,
    stopping: bool,
    /// The moves of the search as positions of their own, for engines that cannot restrict.
    sweep: Option<Sweep<G::Move>>,
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
        [self.deadline, self.harvests.deadline()].into_iter().flatten().min()
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
        if self.deadline.is_some_and(|deadline| now >= deadline) {
            let what = match &self.state {
                State::Greeting => "did not say what it is",
                State::Preparing { .. } => "did not say that it is ready",
                _ => "did not stop",
            };
            let name = &self.name;
            self.fail(Fault::Silent(format!("{name} {what} in time")));
        }
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
                // Only the newest search matters; what waits was never begun.
                if matches!(order, Order::Search(_)) {
                    self.next.retain(|waiting| !matches!(waiting, Order::Search(_)));
                }
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
            // Coordinators keep the clock: the engine searches without limit meanwhile.
            Order::PonderHit(_) => {}
            Order::Harvest { epoch, place, count } => self.harvest(now, epoch, place, count),
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
            Reply::ReadyOk => {
                if let State::Preparing { announced } = self.state {
                    self.state = State::Idle;
                    self.deadline = None;
                    if !announced {
                        self.announce();
                    }
                    self.go_on(now);
                }
            }
            Reply::Info(info) => self.hear_info(&info),
            Reply::BestMove { best, ponder } => self.hear_best(now, &best, ponder.as_deref()),
            _ => {}
        }
    }

    fn prepare(&mut self, now: Duration) {
        if self.manners.is_none() {
            self.known = Manners::known(&self.name).unwrap_or_else(Manners::by_the_book);
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
                Some(Order::Search(search)) => self.begin(search),
                Some(_) => {}
            }
        }
    }

    fn begin(&mut self, search: Search<G>) {
        if search.place.position().moves().into_iter().next().is_none() {
            let epoch = search.epoch;
            let done = Report::Done { epoch, best: None, ponder: None };
            self.said.push_back(Said::Tell(done));
            return;
        }
        self.variations.begin(&search.place);
        let one_by_one = self.known.restriction == Restriction::OneByOne && !search.only.is_empty();
        let sweep = one_by_one.then(|| Sweep::new(&search.only));
        let mut task = Box::new(Task { search, stopping: false, sweep });
        self.set_lines(task.search.lines);
        self.ask(&mut task);
        self.state = State::Searching(task);
    }

    fn set_lines(&mut self, lines: usize) {
        if self.known.several_lines && lines != self.lines_set {
            self.lines_set = lines;
            let value = Some(lines.to_string());
            self.send(&Command::SetOption { name: "MultiPV".to_owned(), value });
        }
    }

    /// Sends the position and `go`.
    fn ask(&mut self, task: &mut Task<G>) {
        let question = translate::question(&self.known, &task.search, task.sweep.as_ref());
        self.send(&Command::Position(question.setup));
        if !question.ignored.is_empty() {
            let line = format!("ignore_moves {}", question.ignored.join(" "));
            self.said.push_back(Said::Send(line));
        }
        self.send(&Command::Go(Box::new(question.go)));
    }

    fn stop_search(&mut self, now: Duration) {
        if let State::Searching(task) = &mut self.state
            && !task.stopping
        {
            task.stopping = true;
            self.deadline = Some(now + self.patience.stop);
            self.send(&Command::Stop);
        }
    }

    fn hear_info(&mut self, info: &crate::universal::Info) {
        let State::Searching(task) = &mut self.state else { return };
        if task.stopping && !self.next.is_empty() {
            return;
        }
        let epoch = task.search.epoch;
        let opinion = match &mut task.sweep {
            Some(sweep) => {
                sweep.hear(&task.search, info);
                None
            }
            None => translate::opinion(&task.search, info),
        };
        if let Some(opinion) = opinion {
            self.tell_opinion(epoch, opinion);
        }
    }

    fn tell_opinion(&mut self, epoch: Epoch, opinion: Opinion<G::Move>) {
        self.variations.note(&opinion);
        self.said.push_back(Said::Tell(Report::Opinion { epoch, opinion }));
    }

    fn hear_best(&mut self, now: Duration, best: &Best, ponder: Option<&str>) {
        let State::Searching(mut task) = std::mem::replace(&mut self.state, State::Idle) else {
            // An answer nobody asked for: the engine is where it was.
            return;
        };
        let epoch = task.search.epoch;
        if let Some(sweep) = &mut task.sweep {
            if let Some(opinion) = sweep.next_move() {
                self.tell_opinion(epoch, opinion);
            }
            if !task.stopping {
                self.ask(&mut task);
                self.state = State::Searching(task);
                return;
            }
        }
        self.deadline = None;
        let swept = task.sweep.as_ref().map(Sweep::best);
        match swept.map_or_else(|| translate::answer(&task.search, best, ponder), Ok) {
            Ok((best, ponder)) => {
                self.said.push_back(Said::Tell(Report::Done { epoch, best, ponder }));
                self.go_on(now);
            }
            Err(text) => {
                let name = &self.name;
                self.fail(Fault::Nonsense(format!("{name} answered {text}")));
            }
        }
    }

    fn fail(&mut self, fault: Fault) {
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
