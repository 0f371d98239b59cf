//! A world with its faults, drawn from a seed: a phase in which everything may break and the
//! promises must hold, then a phase in which everything heals and must come to rest in time.

mod options;
mod play;
mod player;
mod rude;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use senbon_games::chess::Chess;
use senbon_games::shogi::Shogi;
use senbon_games::tiny::ConnectFour;

use crate::Listener;
use crate::check::{Breach, Promise};
pub use options::{Control, Fault, Options, ScenarioGame, Vice};
use play::Play;

/// A fault put into the coordinator's mouth or ears or into the sessions on purpose: a checker that lets it pass
/// is worth nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Planted {
    /// Reports on old orders are taken for reports on the newest.
    LateReports,
    /// Answers are moves from anywhere in the game.
    IllegalAnswer,
    /// Every search is answered twice.
    SecondAnswer,
    /// The coordinator sleeps through its deadlines.
    Oversleep,
    /// Sessions lose one report in eight.
    LostResult,
    /// Sessions hand on one report in eight twice.
    SecondResult,
    /// The lease is three seconds.
    LongLease,
    /// The lease is shorter than the time between two signs of life.
    ShortLease,
    /// Who has lost its session does not come back.
    NoReturn,
    /// Of votes, some answer is not what was decided.
    Minority,
}

impl Planted {
    /// All of them.
    pub const ALL: [Planted; 10] = [
        Planted::LateReports,
        Planted::IllegalAnswer,
        Planted::SecondAnswer,
        Planted::Oversleep,
        Planted::LostResult,
        Planted::SecondResult,
        Planted::LongLease,
        Planted::ShortLease,
        Planted::NoReturn,
        Planted::Minority,
    ];
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ran {
    /// The hash of all that happened.
    pub trace: u64,
    /// How much happened.
    pub events: u64,
    /// Searches that were answered.
    pub answers: usize,
    /// How long it took, in virtual time.
    pub time: Duration,
    /// How long after the healing every worker had work; `None` if a promise broke before.
    pub converged: Option<Duration>,
    /// The promise that broke, if one did.
    pub breach: Option<Breach>,
}

/// Runs the scenario. `listen` hears every event as a line of text.
pub fn run(options: &Options, planted: Option<Planted>, listen: Option<Listener>) -> Ran {
    match options.game {
        ScenarioGame::Chess => Play::<Chess>::new(options, planted, listen).run(),
        ScenarioGame::Shogi => Play::<Shogi>::new(options, planted, listen).run(),
        ScenarioGame::ConnectFour => Play::<ConnectFour>::new(options, planted, listen).run(),
    }
}

/// As [`run`], but a panic counts as a broken promise. Its message goes to the panic hook.
pub fn run_caught(options: &Options, planted: Option<Planted>, listen: Option<Listener>) -> Ran {
    let result = catch_unwind(AssertUnwindSafe(|| run(options, planted, listen)));
    result.unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        let text = text.or(panic.downcast_ref::<&str>().copied()).unwrap_or("no message");
        let what = format!("a panic: {text}");
        let breach = Breach { promise: Promise::Bounded, at: Duration::ZERO, what };
        let (time, breach) = (Duration::ZERO, Some(breach));
        Ran { trace: 0, events: 0, answers: 0, time, converged: None, breach }
    })
}
