//! What is known of a search under way: text and numbers, no game types, no clock. The three
//! forms of output are made from it.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use senbon_core::{Limits, Score};
use senbon_fabric::View;

/// What was asked for; does not change.
#[derive(Clone, Debug, Default)]
pub(super) struct Asked {
    pub(super) game: &'static str,
    /// The position, in the game's notation.
    pub(super) position: String,
    /// Who is to move there.
    pub(super) side: &'static str,
    pub(super) workers: usize,
    /// Command lines; empty for the built-in engine.
    pub(super) engines: Vec<String>,
    pub(super) strategy: String,
    pub(super) limits: Limits,
    pub(super) lines: usize,
}

/// One of the best lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct BestLine {
    /// From 1.
    pub(super) rank: usize,
    pub(super) score: Score,
    pub(super) depth: u32,
    pub(super) seldepth: u32,
    pub(super) nodes: u64,
    pub(super) time: Duration,
    /// In protocol notation.
    pub(super) moves: Vec<String>,
    /// As people read it.
    pub(super) readable: Vec<String>,
}

/// Something happened.
#[derive(Clone, Debug)]
pub(super) enum Change {
    Joined { worker: u32, engine: String },
    Fault { worker: u32, reason: String },
    Complaint { worker: u32, text: String },
    Line(BestLine),
}

/// The end of the search.
#[derive(Clone, Debug)]
pub(super) struct Answer {
    /// In protocol notation; none when there is no legal move.
    pub(super) best: Option<String>,
    /// The answer expected to it.
    pub(super) ponder: Option<String>,
    /// The best move as people read it.
    pub(super) readable: Option<String>,
    /// Ctrl-C or a signal ended it.
    pub(super) interrupted: bool,
}

/// Where the search stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Phase {
    #[default]
    Waiting,
    Searching,
    Done,
}

/// A failure, and whom it befell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Trouble {
    pub(super) reason: String,
    pub(super) workers: BTreeSet<u32>,
}

/// Different failures kept; older ones are forgotten.
const TROUBLES: usize = 16;

/// All that is shown.
#[derive(Clone, Debug, Default)]
pub(super) struct Model {
    pub(super) asked: Asked,
    pub(super) phase: Phase,
    /// Since the search began.
    pub(super) time: Duration,
    pub(super) nodes: u64,
    /// The best lines by rank, best first.
    pub(super) lines: Vec<BestLine>,
    pub(super) view: View,
    /// Newest last.
    pub(super) troubles: Vec<Trouble>,
    /// The workers that are there now, with the names of their engines.
    pub(super) present: BTreeMap<u32, String>,
    /// Workers that failed without ever having been there.
    hopeless: BTreeSet<u32>,
    /// Workers that were there at some time.
    known: BTreeSet<u32>,
    /// The last words of each on its error output.
    complaints: BTreeMap<u32, String>,
}

impl Model {
    pub(super) fn new(asked: Asked) -> Self {
        Model { asked, ..Model::default() }
    }

    /// Takes note of what happened.
    pub(super) fn change(&mut self, change: &Change) {
        match change {
            Change::Joined { worker, engine } => {
                self.present.insert(*worker, engine.clone());
                self.known.insert(*worker);
                self.complaints.remove(worker);
            }
            Change::Fault { worker, reason } => {
                self.present.remove(worker);
                if !self.known.contains(worker) {
                    self.hopeless.insert(*worker);
                }
                self.add_trouble(*worker, reason);
            }
            Change::Complaint { worker, text } => {
                self.complaints.insert(*worker, text.clone());
            }
            Change::Line(line) => self.add_line(line),
        }
    }

    fn add_trouble(&mut self, worker: u32, reason: &str) {
        let known = self.troubles.iter().position(|trouble| trouble.reason == reason);
        let mut trouble = known.map_or_else(
            || Trouble { reason: reason.to_owned(), workers: BTreeSet::new() },
            |at| self.troubles.remove(at),
        );
        trouble.workers.insert(worker);
        self.troubles.push(trouble);
        if self.troubles.len() > TROUBLES {
            self.troubles.remove(0);
        }
    }

    /// Ranks come in order, all of one moment. What the last such round did not tell of is
    /// out of date.
    fn add_line(&mut self, line: &BestLine) {
        self.nodes = self.nodes.max(line.nodes);
        self.time = self.time.max(line.time);
        if line.rank == 1
            && let Some(last) = self.lines.first().map(|first| first.time)
        {
            self.lines.retain(|line| line.time >= last);
        }
        match self.lines.iter().position(|other| other.rank >= line.rank) {
            Some(at) if self.lines[at].rank == line.rank => self.lines[at] = line.clone(),
            Some(at) => self.lines.insert(at, line.clone()),
            None => self.lines.push(line.clone()),
        }
    }

    /// A newer look at the tree.
    pub(super) fn look(&mut self, view: View) {
        if let Some((time, nodes)) = view.progress {
            self.time = self.time.max(time);
            self.nodes = self.nodes.max(nodes);
        }
        self.view = view;
    }

    /// Nodes a second since the search began.
    pub(super) fn speed(&self) -> u64 {
        let seconds = self.time.as_secs_f64();
        if seconds < 0.01 { 0 } else { (self.nodes as f64 / seconds) as u64 }
    }

    /// Whether every worker has failed to start.
    pub(super) fn is_hopeless(&self) -> bool {
        self.known.is_empty() && self.hopeless.len() >= self.asked.workers
    }

    /// How far the search is to its limit, from 0 to 1; none without a limit to measure by.
    pub(super) fn done(&self) -> Option<f64> {
        let limits = &self.asked.limits;
        let share = |have: f64, want: f64| (have / want).clamp(0.0, 1.0);
        let time = limits.move_time.map(|time| share(self.time.as_secs_f64(), time.as_secs_f64()));
        let nodes = limits.nodes.map(|nodes| share(self.nodes as f64, nodes as f64));
        let depth = limits.depth.map(|depth| share(f64::from(self.depth()), f64::from(depth)));
        [time, nodes, depth].into_iter().flatten().max_by(f64::total_cmp)
    }

    /// Whether the mate that was looked for is found. Other workers may search on for mates
    /// elsewhere; the answer need not wait for them.
    pub(super) fn has_found_mate(&self) -> bool {
        match (self.asked.limits.mate, self.lines.first().map(|line| line.score)) {
            (Some(moves), Some(Score::Mates(plies))) => plies.div_ceil(2) <= moves,
            _ => false,
        }
    }

    /// Depth of the best line.
    pub(super) fn depth(&self) -> u32 {
        self.lines.first().map_or(0, |line| line.depth)
    }

    /// Failures as one line each, newest first: who, why, and what came of it.
    pub(super) fn troubles(&self) -> impl Iterator<Item = String> {
        self.troubles.iter().rev().map(|trouble| {
            let who = match trouble.workers.first() {
                Some(worker) if trouble.workers.len() == 1 => format!("worker {worker}"),
                _ => format!("{} workers", trouble.workers.len()),
            };
            let said = trouble.workers.iter().find_map(|worker| self.complaints.get(worker));
            let said = said.map_or_else(String::new, |text| format!(" (it said: {text})"));
            let back = trouble.workers.iter().all(|worker| self.present.contains_key(worker));
            let back = if back { "; started again" } else { "" };
            format!("{who}: {}{said}{back}", trouble.reason)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(worker: u32, reason: &str) -> Change {
        Change::Fault { worker, reason: reason.to_owned() }
    }

    #[test]
    fn equal_faults_are_told_once() {
        let mut model = Model::new(Asked { workers: 3, ..Asked::default() });
        for worker in 1..=2 {
            model.change(&fault(worker, "cannot start x"));
            assert!(!model.is_hopeless());
        }
        model.change(&fault(3, "cannot start y"));
        assert!(model.is_hopeless());
        let told: Vec<_> = model.troubles().collect();
        assert_eq!(told, ["worker 3: cannot start y", "2 workers: cannot start x"]);
        model.change(&Change::Complaint { worker: 3, text: "no library".to_owned() });
        assert_eq!(
            model.troubles().next().unwrap(),
            "worker 3: cannot start y (it said: no library)"
        );
        model.change(&Change::Joined { worker: 3, engine: "E".to_owned() });
        assert_eq!(model.troubles().next().unwrap(), "worker 3: cannot start y; started again");
        assert!(!model.is_hopeless());
    }

    #[test]
    fn lines_that_are_told_no_more_go() {
        let line = |rank, second| BestLine {
            rank,
            score: Score::Centipawns(0),
            depth: 1,
            seldepth: 1,
            nodes: 1,
            time: Duration::from_secs(second),
            moves: Vec::new(),
            readable: Vec::new(),
        };
        let mut model = Model::default();
        let rounds = [(1, 1), (2, 1), (3, 1), (1, 2), (2, 2), (1, 3), (2, 3)];
        for (rank, second) in rounds {
            model.change(&Change::Line(line(rank, second)));
        }
        let ranks: Vec<_> = model.lines.iter().map(|line| line.rank).collect();
        assert_eq!(ranks, [1, 2]);
    }

    #[test]
    fn the_first_limit_to_be_reached_counts() {
        let limits = Limits { nodes: Some(100), depth: Some(10), ..Limits::default() };
        let mut model = Model::new(Asked { limits, ..Asked::default() });
        model.nodes = 50;
        assert_eq!(model.done(), Some(0.5));
        model.asked.limits = Limits { infinite: true, ..Limits::default() };
        assert_eq!(model.done(), None);
    }
}
