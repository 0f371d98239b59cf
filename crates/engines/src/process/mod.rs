//! Engines as child processes: a thread that keeps one running and holds the [`Dialogue`].
//!
//! The thread starts the program, passes lines and orders to and fro, and when the engine
//! fails, says so and starts it again after a while. Three helpers do the blocking work: one
//! reads its output, one its error output, one writes its input.

mod child;
mod group;
pub mod leash;

use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, sync_channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use senbon_core::{Ability, Fault, Order, Report};
use senbon_games::Notation;

use crate::Line;
use crate::dialogue::{Dialogue, Manners, Patience, Said};
use crate::universal::Dialect;
use child::Child;
pub use leash::Leash;

/// How to run an engine.
#[derive(Clone, Debug)]
pub struct EngineCommand {
    /// The program.
    pub program: String,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// UCI or USI.
    pub dialect: Dialect,
    /// Options to set, as far as it has them.
    pub options: Vec<(String, Option<String>)>,
    /// What it can do, when the user knows better.
    pub manners: Option<Manners>,
    /// How long it may take.
    pub patience: Patience,
    /// Ends it when we are gone; without one, engines that ignore the end of their input
    /// outlive us.
    pub leash: Option<Leash>,
}

/// What is told of an engine.
#[derive(Clone, Debug)]
pub enum Told<G: senbon_games::Game> {
    /// It is ready to take orders.
    Joined(Ability),
    /// It said something about an order.
    Report(Report<G>),
    /// It failed; it will be started again, unless that is hopeless.
    Left(Fault),
    /// A line of its error output.
    Complaint(String),
}

/// What the thread hears of.
pub(crate) enum Event<G: senbon_games::Game> {
    Order(Order<G>),
    Line(u32, Line),
    Complaint(String),
    Closed(u32),
    Quit,
}

/// Lines and orders that may wait.
const WAITING: usize = 1024;

/// Waits between starts: the first, and the longest.
const FIRST_REST: Duration = Duration::from_millis(100);
const LONGEST_REST: Duration = Duration::from_secs(10);

/// An engine that is kept running.
pub struct Engine<G: senbon_games::Game> {
    events: SyncSender<Event<G>>,
    thread: Option<JoinHandle<()>>,
}

impl<G: Notation + Send + 'static> Engine<G>
where
    G::Undo: Send,
{
    /// Starts the engine; `tell` hears of everything, on the engine's thread.
    pub fn start(command: EngineCommand, tell: impl FnMut(Told<G>) + Send + 'static) -> Self {
        let (events, inbox) = sync_channel(WAITING);
        let to_self = events.clone();
        let name = format!("engine {}", command.program);
        let keeper = move || Keeper { command, tell, events: to_self, run: 0 }.keep(&inbox);
        // Without a thread there is no engine; whoever waits for it hears nothing, as from
        // any engine that does not start.
        let thread = std::thread::Builder::new().name(name).spawn(keeper).ok();
        Engine { events, thread }
    }

    /// Passes an order on. False when the engine's thread does not keep up, or is gone.
    pub fn order(&self, order: Order<G>) -> bool {
        !matches!(
            self.events.try_send(Event::Order(order)),
            Err(TrySendError::Full(_) | TrySendError::Disconnected(_))
        )
    }
}

impl<G: senbon_games::Game> Drop for Engine<G> {
    fn drop(&mut self) {
        let _ = self.events.send(Event::Quit);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// The thread's own state.
struct Keeper<G: Notation, F> {
    command: EngineCommand,
    tell: F,
    events: SyncSender<Event<G>>,
    /// Which start this is: lines of an earlier process are not listened to.
    run: u32,
}

/// Why a run of the engine ended.
enum End {
    /// Told to.
    Quit,
    /// It failed after having been ready, or before.
    Failed { was_ready: bool },
}

impl<G: Notation + Send + 'static, F: FnMut(Told<G>)> Keeper<G, F>
where
    G::Undo: Send,
{
    fn keep(mut self, inbox: &Receiver<Event<G>>) {
        let mut rest = FIRST_REST;
        loop {
            self.run += 1;
            match self.run_once(inbox) {
                End::Quit => return,
                End::Failed { was_ready } => {
                    rest = if was_ready { FIRST_REST } else { (rest * 2).min(LONGEST_REST) };
                }
            }
            if self.quit_within(rest, inbox) {
                return;
            }
        }
    }

    /// Waits before the next start; orders meanwhile go nowhere.
    fn quit_within(&mut self, rest: Duration, inbox: &Receiver<Event<G>>) -> bool {
        let until = Instant::now() + rest;
        loop {
            match inbox.recv_timeout(until.saturating_duration_since(Instant::now())) {
                Ok(Event::Quit) | Err(RecvTimeoutError::Disconnected) => return true,
                Ok(Event::Complaint(text)) => (self.tell)(Told::Complaint(text)),
                Ok(_) => {}
                Err(RecvTimeoutError::Timeout) => return false,
            }
        }
    }

    fn run_once(&mut self, inbox: &Receiver<Event<G>>) -> End {
        let mut child = match Child::start(&self.command, self.run, &self.events) {
            Ok(child) => child,
            Err(error) => {
                let why = format!("cannot start {}: {error}", self.command.program);
                (self.tell)(Told::Left(Fault::Died(why)));
                return End::Failed { was_ready: false };
            }
        };
        let began = Instant::now();
        let EngineCommand { dialect, options, manners, patience, .. } = self.command.clone();
        let mut dialogue = Dialogue::new(Duration::ZERO, dialect, options, manners, patience);
        let mut was_ready = false;
        loop {
            while let Some(said) = dialogue.poll() {
                match said {
                    Said::Send(line) => {
                        if !child.send(line) {
                            dialogue.handle_exit("it does not read what it is told");
                        }
                    }
                    Said::Ready(ability) => {
                        was_ready = true;
                        (self.tell)(Told::Joined(ability));
                    }
                    Said::Tell(report) => (self.tell)(Told::Report(report)),
                    Said::Failed(fault) => {
                        (self.tell)(Told::Left(fault));
                        child.kill();
                        return End::Failed { was_ready };
                    }
                }
            }
            let wait = dialogue
                .poll_timeout()
                .map_or(Duration::from_secs(3600), |at| at.saturating_sub(began.elapsed()));
            match inbox.recv_timeout(wait) {
                Ok(Event::Order(order)) => dialogue.handle_order(began.elapsed(), order),
                Ok(Event::Line(run, Line::Text(text))) if run == self.run => {
                    dialogue.handle_line(began.elapsed(), &text);
                }
                Ok(Event::Complaint(text)) => (self.tell)(Told::Complaint(text)),
                Ok(Event::Closed(run)) if run == self.run => {
                    dialogue.handle_exit(&child.last_words());
                }
                // Lines of an earlier process, and lines too long to be sense.
                Ok(Event::Line(..) | Event::Closed(_)) => {}
                Ok(Event::Quit) | Err(RecvTimeoutError::Disconnected) => {
                    child.quit();
                    return End::Quit;
                }
                Err(RecvTimeoutError::Timeout) => dialogue.handle_timeout(began.elapsed()),
            }
        }
    }
}
