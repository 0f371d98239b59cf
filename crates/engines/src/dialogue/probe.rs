//! Finding out what an engine that nobody knows can do: a few short searches of the start
//! position before its first order.
//!
//! It begins with the most careful manners and learns what the engine has shown. Whatever
//! goes wrong costs an ability, not the engine.

use senbon_games::Notation;

use super::{Manners, Restriction};
use crate::universal::{Best, Command, Go, Info, Setup};

/// Nodes and depth asked for: a moment's work for any engine.
const NODES: u64 = 1_000;
const DEPTH: u32 = 3;
/// An engine that honours a number of nodes keeps to it within this factor; one that stops
/// after a single ply, or tells what it likes, does not.
const NODES_FACTOR: u64 = 10;

/// What is known so far, and what is being asked.
#[derive(Debug)]
pub(super) struct Probe<G: Notation> {
    verdict: Manners,
    question: Question<G::Move>,
    stopped: bool,
    /// Nodes told of the search under way.
    nodes: Option<u64>,
    ready: bool,
}

#[derive(Debug)]
enum Question<M> {
    /// Does `go nodes` end by itself?
    Nodes,
    /// Is the move found that alone is to be searched, and does `go depth` end by itself?
    /// Then the other one: an engine that leaves the restriction out answers one move twice.
    Only(M, Option<M>),
    /// Is `isready` answered while searching?
    Ready,
}

impl<G: Notation> Probe<G> {
    pub(super) fn new(several_lines: bool) -> Self {
        let verdict = Manners { several_lines, ..Manners::careful() };
        Probe { verdict, question: Question::Nodes, stopped: false, nodes: None, ready: false }
    }

    /// What the engine has shown so far.
    pub(super) fn verdict(&self) -> &Manners {
        &self.verdict
    }

    /// What to send for the question.
    pub(super) fn ask(&self) -> Vec<Command> {
        let start = Command::Position(Setup::default());
        let mut go = Go::default();
        match &self.question {
            Question::Nodes => go.nodes = Some(NODES),
            Question::Only(mv, _) => {
                go.depth = Some(DEPTH);
                go.search_moves = vec![G::start().format_move(*mv)];
            }
            Question::Ready => go.infinite = true,
        }
        let mut commands = vec![start, Command::Go(Box::new(go))];
        if matches!(self.question, Question::Ready) {
            commands.push(Command::IsReady);
        }
        commands
    }

    pub(super) fn hear_info(&mut self, info: &Info) {
        self.nodes = info.nodes.max(self.nodes);
    }

    /// Whether that is the answer waited for: the search is to be stopped now.
    pub(super) fn hear_ready(&mut self) -> bool {
        let awaited = matches!(self.question, Question::Ready) && !self.stopped;
        self.ready |= awaited;
        self.stopped |= awaited;
        awaited
    }

    /// The time for the question is up. True if the search is to be stopped; false if it was
    /// already, and the engine does not stop.
    pub(super) fn handle_timeout(&mut self) -> bool {
        !std::mem::replace(&mut self.stopped, true)
    }

    /// The search has ended. Goes on to the next question; false if there is none.
    pub(super) fn hear_best(&mut self, best: &Best) -> bool {
        let start = G::start();
        let best = match best {
            Best::Move(text) => start.parse_move(text).ok(),
            Best::Nothing | Best::Win => None,
        };
        let stopped = std::mem::take(&mut self.stopped);
        let nodes = self.nodes.take();
        match self.question {
            Question::Nodes => {
                let kept = nodes
                    .is_none_or(|it| (NODES / NODES_FACTOR..NODES * NODES_FACTOR).contains(&it));
                self.verdict.nodes = !stopped && best.is_some() && kept;
                let mut others: Vec<_> = start.moves().into_iter().collect();
                others.retain(|&mv| Some(mv) != best);
                self.question = match (others.first(), others.last()) {
                    (Some(&one), Some(&other)) => Question::Only(one, Some(other)),
                    _ => Question::Ready,
                };
            }
            Question::Only(mv, other) => {
                self.verdict.depth |= !stopped && best.is_some();
                self.question = match other {
                    Some(other) if best == Some(mv) => Question::Only(other, None),
                    _ => Question::Ready,
                };
                if best == Some(mv) && other.is_none() {
                    self.verdict.restriction = Restriction::SearchMoves;
                }
            }
            Question::Ready => {
                self.verdict.ready = self.ready;
                // Clocks are what every GUI sends; an engine that has come so far knows them.
                self.verdict.time = true;
                return false;
            }
        }
        true
    }
}
