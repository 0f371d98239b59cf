//! What a coordinator is made of, before it exists.

use crate::WorkerId;
use crate::pipeline::Settings;

use super::count::Weight;

/// A coordinator to be.
#[derive(Clone, Debug)]
pub enum Plan {
    /// A pipeline of all workers it is given.
    Pipeline(Settings),
    /// A vote.
    Vote(Box<VotePlan>),
}

/// A vote to be.
#[derive(Clone, Debug)]
pub struct VotePlan {
    /// Overhead and pondering; strategies are the members' own.
    pub settings: Settings,
    /// Who votes, the strongest first: ties that weights do not break go to the first.
    pub voters: Vec<VoterPlan>,
}

/// A voter to be.
#[derive(Clone, Debug)]
pub struct VoterPlan {
    /// What the log calls it; no two voters of a vote have the same name.
    pub name: String,
    /// What its vote counts.
    pub weight: Weight,
    /// It stops at this many nodes, whatever else limits the search.
    pub nodes: Option<u64>,
    /// It stops at this depth.
    pub depth: Option<u32>,
    /// Which workers are its own.
    pub staff: Staff,
    /// What it is.
    pub member: Plan,
}

/// Which workers a voter gets. Those of a voter that is a vote are those of its own voters.
#[derive(Clone, Debug, Default)]
pub struct Staff {
    /// By their numbers: those started with it.
    pub own: Vec<WorkerId>,
    /// And those that come from elsewhere, if their engine's name contains this, however it is
    /// capitalised; an empty text takes all.
    pub elsewhere: Option<String>,
}

impl Staff {
    /// Whether a worker belongs to it.
    pub fn takes(&self, id: WorkerId, engine: &str) -> bool {
        let named = |part: &str| engine.to_lowercase().contains(&part.to_lowercase());
        self.own.contains(&id) || self.elsewhere.as_deref().is_some_and(named)
    }
}

impl From<Settings> for Plan {
    fn from(settings: Settings) -> Self {
        Plan::Pipeline(settings)
    }
}
