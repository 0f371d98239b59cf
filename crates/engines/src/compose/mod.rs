//! `senbon.toml`: a tree of searchers, each with a kind and its members (docs/vote.md).

mod file;
#[cfg(test)]
mod tests;

use std::path::PathBuf;

use senbon_core::pipeline::Strategy;
use senbon_core::vote::Weight;

use crate::process::EngineLine;

pub use file::ComposeError;

/// A tree of searchers, read and checked.
#[derive(Clone, Debug, PartialEq)]
pub struct Composition {
    /// Where every vote is written down, as text and as lines of JSON.
    pub log: Option<PathBuf>,
    /// Think on the opponent's time, whatever the GUI says.
    pub ponder: Option<bool>,
    /// The root of the tree.
    pub searcher: Searcher,
}

/// One searcher of the tree.
#[derive(Clone, Debug, PartialEq)]
pub enum Searcher {
    /// Workers on one tree; one alone is an engine as it is.
    Workers {
        /// How they search it.
        strategy: Strategy,
        /// Who they are.
        hands: Hands,
    },
    /// Voters, the strongest first.
    Vote(Vec<Member>),
}

/// A voter.
#[derive(Clone, Debug, PartialEq)]
pub struct Member {
    /// What the log calls it; none twice in a vote.
    pub name: String,
    /// What its vote counts.
    pub weight: Weight,
    /// It stops after so many nodes.
    pub nodes: Option<u64>,
    /// It stops at this depth.
    pub depth: Option<u32>,
    /// What it is.
    pub searcher: Searcher,
}

/// The workers of a searcher.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Hands {
    /// Taken in turn; none is the built-in engine.
    pub engines: Vec<EngineLine>,
    /// How many on this machine.
    pub workers: usize,
    /// Table of each in MiB, where not as usual.
    pub hash: Option<usize>,
    /// Threads of each, where not as usual.
    pub threads: Option<usize>,
    /// Engine options by name.
    pub options: Vec<(String, String)>,
    /// Workers of other machines whose engine's name contains this.
    pub remote: Option<String>,
}

impl Composition {
    /// A vote of these engines, each one worker with the same weight: the common case.
    pub fn of_engines(engines: &[EngineLine]) -> Composition {
        let mut names: Vec<String> = Vec::new();
        let mut member = |line: &EngineLine| {
            let program = line.program().rsplit('/').next().unwrap_or_default();
            let same = names.iter().filter(|name| name.as_str() == program).count();
            names.push(program.to_owned());
            let name =
                if same == 0 { program.to_owned() } else { format!("{program}-{}", same + 1) };
            let hands = Hands { engines: vec![line.clone()], workers: 1, ..Hands::default() };
            let searcher = Searcher::Workers { strategy: Strategy::Single, hands };
            Member { name, weight: Weight::ONE, nodes: None, depth: None, searcher }
        };
        let searcher = Searcher::Vote(engines.iter().map(&mut member).collect());
        Composition { log: None, ponder: None, searcher }
    }

    /// So many workers on one tree, running these engines in turn; none is our own engine.
    pub fn of_workers(strategy: Strategy, engines: &[EngineLine], workers: usize) -> Composition {
        let hands = Hands { engines: engines.to_vec(), workers, ..Hands::default() };
        let searcher = Searcher::Workers { strategy, hands };
        Composition { log: None, ponder: None, searcher }
    }

    /// The names of the voters; none where it is no vote.
    pub fn voters(&self) -> Vec<&str> {
        match &self.searcher {
            Searcher::Workers { .. } => Vec::new(),
            Searcher::Vote(members) => members.iter().map(|member| member.name.as_str()).collect(),
        }
    }

    /// The vote of one voter alone, to see what it is worth.
    pub fn only(&self, name: &str) -> Result<Composition, ComposeError> {
        let member = match &self.searcher {
            Searcher::Workers { .. } => None,
            Searcher::Vote(members) => members.iter().find(|member| member.name == name),
        };
        let Some(member) = member else {
            return Err(ComposeError::no_voter(name, &self.voters()));
        };
        Ok(Composition { searcher: Searcher::Vote(vec![member.clone()]), ..self.clone() })
    }

    /// How many workers run on this machine.
    pub fn workers(&self) -> usize {
        self.searcher.workers()
    }

    /// What it is, in a word.
    pub fn kind(&self) -> &'static str {
        match &self.searcher {
            Searcher::Workers { strategy, .. } => strategy.name(),
            Searcher::Vote(_) => "vote",
        }
    }
}

impl Searcher {
    fn workers(&self) -> usize {
        match self {
            Searcher::Workers { hands, .. } => hands.workers,
            Searcher::Vote(members) => members.iter().map(|m| m.searcher.workers()).sum(),
        }
    }

    /// Whether workers of other machines have a place in it.
    fn takes_others(&self) -> bool {
        match self {
            Searcher::Workers { hands, .. } => hands.remote.is_some(),
            Searcher::Vote(members) => members.iter().any(|m| m.searcher.takes_others()),
        }
    }
}
