//! From a tree of searchers (`senbon.toml`) to a coordinator and the workers to be started for
//! it.

#[cfg(test)]
mod tests;

use senbon_core::WorkerId;
use senbon_core::pipeline::Settings;
use senbon_core::vote::{Plan, Staff, VotePlan, VoterPlan};
use senbon_engines::builtin::Commons;
use senbon_engines::compose::{Composition, Hands, Searcher};
use senbon_engines::process::EngineCommand;
use senbon_engines::universal::Dialect;

use crate::WorkerSource;

/// What holds for all workers, where the file says nothing else.
#[derive(Clone, Debug)]
pub struct Hiring<'a> {
    /// Of the coordinator.
    pub settings: Settings,
    /// What the engines speak.
    pub dialect: Dialect,
    /// What is played.
    pub game: &'a str,
    /// Table of each worker in MiB.
    pub hash_mib: usize,
    /// Threads of each worker.
    pub threads: usize,
    /// Chess960 is played.
    pub chess960: bool,
}

/// The coordinator, and the workers to be started for it, in the order of their numbers.
pub fn hire(composition: &Composition, hiring: &Hiring<'_>) -> (Plan, Vec<WorkerSource>) {
    let mut sources = Vec::new();
    let settings = &hiring.settings;
    let ponder = composition.ponder.unwrap_or(settings.ponder);
    let settings = Settings { ponder, ..settings.clone() };
    let (plan, _) = hire_for(&composition.searcher, hiring, &settings, &mut sources);
    (plan, sources)
}

fn hire_for(
    searcher: &Searcher,
    hiring: &Hiring<'_>,
    settings: &Settings,
    sources: &mut Vec<WorkerSource>,
) -> (Plan, Staff) {
    match searcher {
        Searcher::Workers { strategy, hands } => {
            let first = sources.len() as u32 + 1;
            let commons = Commons::of(hands.workers, hands.hash.unwrap_or(hiring.hash_mib));
            let hired =
                (0..hands.workers).map(|number| source(hands, number, hiring, commons.as_ref()));
            sources.extend(hired);
            let own = (first..=sources.len() as u32).map(WorkerId).collect();
            let settings = Settings { strategy: *strategy, ..settings.clone() };
            (Plan::Pipeline(settings), Staff { own, elsewhere: hands.remote.clone() })
        }
        Searcher::Vote(members) => {
            // Voters stop when they are told; who thinks on the opponent's time about what,
            // the vote decides.
            let below = Settings { ponder: false, ..settings.clone() };
            let mut voters = Vec::new();
            for member in members {
                let (plan, staff) = hire_for(&member.searcher, hiring, &below, sources);
                voters.push(VoterPlan {
                    name: member.name.clone(),
                    weight: member.weight,
                    nodes: member.nodes,
                    depth: member.depth,
                    staff,
                    member: plan,
                });
            }
            let plan = VotePlan { settings: settings.clone(), voters };
            (Plan::Vote(Box::new(plan)), Staff::default())
        }
    }
}

/// The worker of this number among `hands`.
fn source(
    hands: &Hands,
    number: usize,
    hiring: &Hiring<'_>,
    commons: Option<&Commons>,
) -> WorkerSource {
    let hash_mib = hands.hash.unwrap_or(hiring.hash_mib);
    let line = hands.engines.get(number % hands.engines.len().max(1));
    let Some(line) = line.filter(|line| !line.is_built_in()) else {
        return WorkerSource::BuiltIn { table_mib: hash_mib, commons: commons.cloned() };
    };
    let threads = hands.threads.unwrap_or(hiring.threads);
    let command = EngineCommand::new(line, hiring.dialect, hiring.game, hash_mib, threads)
        .wish("UCI_Chess960", hiring.chess960);
    let wish = |command: EngineCommand, (name, value): &(String, String)| command.wish(name, value);
    WorkerSource::Engine(Box::new(hands.options.iter().fold(command, wish)))
}
