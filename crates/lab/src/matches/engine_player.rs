//! Another program as a player, in real time.

use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use senbon_core::{Epoch, Opinion, Order, Place, Report, Search};
use senbon_engines::process::{Engine, EngineCommand, Told};
use senbon_games::Game;

use super::games::MatchGame;
use super::player::{Answer, Player, Thought};

/// Longest wait for a program to be ready, and for an answer when no clock runs.
const PATIENCE: Duration = Duration::from_secs(600);
/// A program that fails so many times before it was ready once is given up.
const MOST_STARTS: u32 = 5;
/// A program that is late gets this much more before it is given up, so that its answer does
/// not fall into the next game.
const MERCY: Duration = Duration::from_secs(3);

/// A program that speaks UCI or USI.
pub struct EnginePlayer<G: Game> {
    engine: Engine<G>,
    told: Receiver<Told<G>>,
    is_ready: bool,
    last_fault: Option<String>,
    /// Numbers of its own: a game's questions count from one again.
    epoch: Epoch,
    /// What it ponders on: the place that it expects.
    pondering: Option<(Epoch, Place<G>)>,
}

impl<G: MatchGame> EnginePlayer<G>
where
    G::Undo: Send,
{
    /// Starts the program.
    pub fn start(command: EngineCommand) -> Self {
        // Unbounded on purpose: an engine's reports between two looks are few, and its thread
        // must not wait for a match that is not listening.
        let (tell, told) = channel();
        let engine = Engine::start(command, move |news| {
            let _ = tell.send(news);
        });
        EnginePlayer {
            engine,
            told,
            is_ready: false,
            last_fault: None,
            epoch: Epoch(0),
            pondering: None,
        }
    }

    fn wait_until_ready(&mut self) -> Result<()> {
        let until = Instant::now() + PATIENCE;
        let (mut starts, mut complaint) = (0, None);
        while !self.is_ready {
            match self.told.recv_timeout(until.saturating_duration_since(Instant::now())) {
                Ok(told) => {
                    self.note(&told);
                    match told {
                        Told::Left(_) => starts += 1,
                        Told::Complaint(text) => complaint = Some(text),
                        Told::Joined(_) | Told::Report(_) => {}
                    }
                }
                Err(_) => bail!("{}", self.last_fault.as_deref().unwrap_or("it does not start")),
            }
            if starts == MOST_STARTS {
                let fault = self.last_fault.as_deref().unwrap_or("it does not start");
                let said = complaint.map_or(String::new(), |text| format!("; it said: {text}"));
                bail!("{fault}{said}");
            }
            if let Some(fault) = self.last_fault.as_deref().filter(|why| why.contains("start")) {
                bail!("{fault}");
            }
        }
        Ok(())
    }

    fn note(&mut self, told: &Told<G>) {
        match told {
            Told::Joined(_) => {
                self.is_ready = true;
                self.last_fault = None;
            }
            Told::Left(fault) => {
                self.is_ready = false;
                self.pondering = None;
                self.last_fault = Some(fault.to_string());
            }
            Told::Report(_) | Told::Complaint(_) => {}
        }
    }

    /// Waits for the answer to `epoch` until the time is up.
    fn answer(&mut self, epoch: Epoch, longest: Duration) -> Thought<G> {
        let began = Instant::now();
        let mut opinion: Option<Opinion<G::Move>> = None;
        let mut stopped = false;
        loop {
            let limit = if stopped { longest + MERCY } else { longest };
            let wait = limit.saturating_sub(began.elapsed());
            let thought = |answer, opinion| Thought { answer, time: began.elapsed(), opinion };
            match self.told.recv_timeout(wait) {
                Ok(Told::Report(Report::Opinion { epoch: of, opinion: news }))
                    if of == epoch && news.rank == 0 =>
                {
                    opinion = Some(news);
                }
                Ok(Told::Report(Report::Done { epoch: of, best, ponder })) if of == epoch => {
                    let answer = match best {
                        _ if stopped => Answer::Late,
                        Some(mv) => Answer::Move(mv, ponder),
                        None => Answer::Nothing,
                    };
                    return thought(answer, opinion);
                }
                Ok(told) => {
                    self.note(&told);
                    if let Told::Left(fault) = told {
                        return thought(Answer::Failed(fault.to_string()), opinion);
                    }
                }
                Err(RecvTimeoutError::Timeout) if !stopped => {
                    stopped = true;
                    self.engine.order(Order::Stop(epoch));
                }
                Err(RecvTimeoutError::Timeout) => return thought(Answer::Late, opinion),
                Err(RecvTimeoutError::Disconnected) => {
                    let why = "its thread has ended".to_owned();
                    return thought(Answer::Failed(why), opinion);
                }
            }
        }
    }

    fn search(&mut self, search: &Search<G>) -> Epoch {
        self.epoch = self.epoch.next();
        self.engine.order(Order::Search(Search { epoch: self.epoch, ..search.clone() }));
        self.epoch
    }
}

impl<G: MatchGame> Player<G> for EnginePlayer<G>
where
    G::Undo: Send,
{
    fn new_game(&mut self) -> Result<()> {
        self.pondering = None;
        self.wait_until_ready()?;
        self.engine.order(Order::NewGame);
        Ok(())
    }

    fn think(&mut self, search: &Search<G>, longest: Option<Duration>) -> Result<Thought<G>> {
        let longest = longest.unwrap_or(PATIENCE);
        let hit = self
            .pondering
            .take()
            .filter(|(_, expected)| expected.way_to(&search.place).is_some_and(<[_]>::is_empty));
        let epoch = match hit {
            Some((epoch, _)) => {
                self.engine.order(Order::PonderHit(epoch));
                epoch
            }
            None => self.search(search),
        };
        Ok(self.answer(epoch, longest))
    }

    fn ponder(&mut self, expected: &Search<G>) {
        let epoch = self.search(expected);
        self.pondering = Some((epoch, expected.place.clone()));
    }
}
