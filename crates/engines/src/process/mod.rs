//! Engines as child processes: a thread that keeps one running and holds the [`Dialogue`].
//!
//! The thread starts the program, passes lines and orders to and fro, and when the engine
//! fails, says so and starts it again after a while. Three helpers do the blocking work: one
//! reads its output, one its error output, one writes its input.

mod child;
mod command;
mod group;
mod inbox;
pub mod leash;
mod line;

use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use senbon_core::{Ability, Fault, Order, Report};
use senbon_games::Notation;

use crate::Line;
use crate::dialogue::{Dialogue, Manners, Said};
use child::Child;
pub use command::EngineCommand;
use inbox::{Heard, Inbox, Next};
pub use leash::Leash;
pub use line::{EngineLine, EngineLineError};

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

/// Waits between starts: the first, and the longest.
const FIRST_REST: Duration = Duration::from_millis(100);
const LONGEST_REST: Duration = Duration::from_secs(10);

/// An engine that is kept running.
pub struct Engine<G: senbon_games::Game> {
    inbox: Inbox<G>,
    thread: Option<JoinHandle<()>>,
}

impl<G: Notation + Send + 'static> Engine<G>
where
    G::Undo: Send,
{
    /// Starts the engine; `tell` hears of everything, on the engine's thread.
    pub fn start(command: EngineCommand, tell: impl FnMut(Told<G>) + Send + 'static) -> Self {
        let inbox = Inbox::new();
        let listen = inbox.clone();
        let name = format!("engine {}", command.program);
        let keeper = move || {
            let manners = command.manners.clone();
            Keeper { command, tell, inbox: listen, run: 0, manners }.keep();
        };
        // Without a thread there is no engine; whoever waits for it hears nothing, as from
        // any engine that does not start.
        let thread = std::thread::Builder::new().name(name).spawn(keeper).ok();
        Engine { inbox, thread }
    }

    /// Passes an order on; returns at once. False when the engine's thread is gone.
    pub fn order(&self, order: Order<G>) -> bool {
        self.inbox.order(order)
    }
}

impl<G: senbon_games::Game> Drop for Engine<G> {
    fn drop(&mut self) {
        self.inbox.quit();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// The thread's own state.
struct Keeper<G: Notation, F> {
    command: EngineCommand,
    tell: F,
    inbox: Inbox<G>,
    /// Which start this is: lines of an earlier process are not listened to.
    run: u32,
    /// What the user said of its manners, or what it taught us.
    manners: Option<Manners>,
}

/// Why a run of the engine ended.
enum End {
    /// Told to.
    Quit,
    /// It failed after having been of use, or before.
    Failed { was_useful: bool },
}

impl<G: Notation + Send + 'static, F: FnMut(Told<G>)> Keeper<G, F>
where
    G::Undo: Send,
{
    fn keep(mut self) {
        let mut rest = FIRST_REST;
        loop {
            self.run += 1;
            match self.run_once() {
                End::Quit => break,
                End::Failed { was_useful: true } => rest = FIRST_REST,
                End::Failed { was_useful: false } => {}
            }
            if self.quit_within(rest) {
                break;
            }
            rest = (rest * 2).min(LONGEST_REST);
        }
        self.inbox.close();
    }

    /// Waits before the next start; orders meanwhile go nowhere.
    fn quit_within(&mut self, rest: Duration) -> bool {
        let until = Instant::now() + rest;
        loop {
            match self.inbox.next(until.saturating_duration_since(Instant::now())) {
                Next::Quit => return true,
                Next::Heard(Heard::Complaint(text)) => (self.tell)(Told::Complaint(text)),
                Next::Order(_) | Next::Heard(_) => {}
                Next::Nothing => return false,
            }
        }
    }

    fn run_once(&mut self) -> End {
        let mut child = match Child::start(&self.command, self.run, &self.inbox) {
            Ok(child) => child,
            Err(error) => {
                let why = format!("cannot start {}: {error}", self.command.program);
                (self.tell)(Told::Left(Fault::Died(why)));
                return End::Failed { was_useful: false };
            }
        };
        let began = Instant::now();
        let EngineCommand { dialect, options, patience, .. } = self.command.clone();
        let manners = self.manners.clone();
        let mut dialogue = Dialogue::new(Duration::ZERO, dialect, options, manners, patience);
        let mut was_useful = false;
        loop {
            while let Some(said) = dialogue.poll() {
                match said {
                    Said::Send(line) => {
                        if !child.send(line) {
                            dialogue.handle_exit("it does not read what it is told");
                        }
                    }
                    Said::Ready(ability) => (self.tell)(Told::Joined(ability)),
                    Said::Tell(report) => {
                        was_useful |= matches!(report, Report::Done { .. });
                        (self.tell)(Told::Report(report));
                    }
                    Said::Failed(fault) => {
                        (self.tell)(Told::Left(fault));
                        child.kill();
                        self.manners = dialogue.lesson().cloned().or(self.manners.take());
                        return End::Failed { was_useful };
                    }
                }
            }
            let wait = dialogue
                .poll_timeout()
                .map_or(Duration::from_secs(3600), |at| at.saturating_sub(began.elapsed()));
            let next = self.inbox.next(wait);
            let now = began.elapsed();
            match next {
                Next::Order(order) => dialogue.handle_order(now, order),
                Next::Heard(Heard::Line(run, Line::Text(text))) if run == self.run => {
                    dialogue.handle_line(now, &text);
                }
                Next::Heard(Heard::Complaint(text)) => (self.tell)(Told::Complaint(text)),
                Next::Heard(Heard::Closed(run)) if run == self.run => {
                    dialogue.handle_exit(&child.last_words());
                }
                // Lines of an earlier process, and lines too long to be sense.
                Next::Heard(Heard::Line(..) | Heard::Closed(_)) | Next::Nothing => {}
                Next::Quit => {
                    child.quit();
                    return End::Quit;
                }
            }
            // Looked at after every event: a flood of lines must not hide the time.
            dialogue.handle_timeout(now);
        }
    }
}
