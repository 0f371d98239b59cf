//! An engine that puts the moves of a position in order.

use std::sync::mpsc::{Receiver, sync_channel};
use std::time::Duration;

use anyhow::{Result, anyhow, bail};
use senbon_core::{Epoch, Fault, Limits, Order, Place, Report, Search};
use senbon_engines::process::{Engine, EngineCommand, Told};
use senbon_games::Notation;

/// Longest silence of an engine that starts or searches. A deep search of all moves tells of
/// each depth as it is done, but the last depths take long.
const SILENCE: Duration = Duration::from_secs(1_800);
/// How often a search is tried on an engine that fails.
const TRIES: usize = 3;
/// News of an engine that may wait.
const WAITING: usize = 1_024;

/// An engine at work.
pub(super) struct Judge<G: Notation> {
    // Dropped before the engine, whose thread may be waiting for room in it.
    told: Receiver<Told<G>>,
    engine: Engine<G>,
    /// What the engine calls itself.
    pub(super) name: String,
    epoch: Epoch,
}

impl<G: Notation + Send + 'static> Judge<G>
where
    G::Undo: Send,
{
    /// Starts the engine and waits until it is ready. One that cannot tell several lines is
    /// refused: it cannot rank.
    pub(super) fn start(command: &EngineCommand) -> Result<Self> {
        let (send, told) = sync_channel(WAITING);
        let engine = Engine::start(command.clone(), move |news| {
            let _ = send.send(news);
        });
        let mut judge = Judge { told, engine, name: String::new(), epoch: Epoch(0) };
        loop {
            match judge.next()? {
                Told::Joined(ability) if ability.several_lines => {
                    judge.name = ability.name;
                    return Ok(judge);
                }
                Told::Joined(ability) => bail!(
                    "{} has no option MultiPV, so it cannot rank moves; take another engine",
                    ability.name
                ),
                Told::Left(fault) => bail!("{fault}"),
                Told::Report(_) | Told::Complaint(_) => {}
            }
        }
    }

    /// Another game begins.
    pub(super) fn new_game(&self) -> Result<()> {
        self.order(Order::NewGame)
    }

    /// The first moves of the engine's `lines` best lines at this depth, best first. There
    /// may be fewer than asked for.
    pub(super) fn rank(
        &mut self,
        place: &Place<G>,
        lines: usize,
        depth: u32,
    ) -> Result<Vec<G::Move>> {
        let mut last = String::new();
        for _ in 0..TRIES {
            match self.search(place, lines, depth)? {
                Ok(order) => return Ok(order),
                Err(fault) => last = fault.to_string(),
            }
            self.wait_until_back()?;
        }
        Err(anyhow!("the engine failed {TRIES} times on one position; the last time: {last}"))
    }

    fn search(
        &mut self,
        place: &Place<G>,
        lines: usize,
        depth: u32,
    ) -> Result<Result<Vec<G::Move>, Fault>> {
        self.epoch = self.epoch.next();
        self.order(Order::Search(Search {
            epoch: self.epoch,
            place: place.clone(),
            only: Vec::new(),
            lines,
            limits: Limits { depth: Some(depth), ..Limits::default() },
        }))?;
        let mut best: Vec<Option<G::Move>> = vec![None; lines];
        loop {
            match self.next()? {
                Told::Report(Report::Opinion { epoch, opinion }) if epoch == self.epoch => {
                    // Every depth tells its lines anew: the last of each rank counts.
                    if let Some(slot) = best.get_mut(opinion.rank) {
                        *slot = opinion.line.first().copied();
                    }
                }
                Told::Report(Report::Done { epoch, .. }) if epoch == self.epoch => {
                    return Ok(in_order(best));
                }
                Told::Left(fault) => return Ok(Err(fault)),
                _ => {}
            }
        }
    }

    fn wait_until_back(&self) -> Result<()> {
        loop {
            match self.next()? {
                Told::Joined(_) => return self.new_game(),
                Told::Left(fault) => bail!("the engine does not start again: {fault}"),
                Told::Report(_) | Told::Complaint(_) => {}
            }
        }
    }

    fn next(&self) -> Result<Told<G>> {
        self.told
            .recv_timeout(SILENCE)
            .map_err(|_| anyhow!("the engine said nothing for {} s", SILENCE.as_secs()))
    }

    fn order(&self, order: Order<G>) -> Result<()> {
        if self.engine.order(order) { Ok(()) } else { bail!("the engine does not take orders") }
    }
}

/// The moves up to the first rank that was not told of; a move told of twice is nonsense.
fn in_order<M: Copy + PartialEq>(best: Vec<Option<M>>) -> Result<Vec<M>, Fault> {
    let moves: Vec<M> = best.into_iter().map_while(|mv| mv).collect();
    let twice = (1..moves.len()).any(|at| moves[..at].contains(&moves[at]));
    if twice {
        return Err(Fault::Nonsense("the engine gave one move two ranks".to_owned()));
    }
    Ok(moves)
}
