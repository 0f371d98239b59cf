//! Minimal-tree search in virtual time, as minimal-trees-2014 measured it: how much faster so
//! many workers are than one, on which trees, by which method, and why not more.
//!
//! Every search is a line of a journal, so that a run that was stopped goes on.

mod analysis;
mod figures;
mod jobs;
mod live;
mod measure;
mod methods;
mod ordering;
mod page;
mod paper;
mod positions;
mod records;
mod staged;
mod summary;

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Context, Result};
use senbon_games::shogi::Shogi;
use senbon_sim::minimal::{Costs, Finished};
use serde_json::Value;

use crate::matches::Journal;
use crate::parallel::in_parallel;
use crate::progress::Progress;

pub use analysis::{Factors, Forms};
pub use figures::figures;
use jobs::Job;
pub use live::{LivePlan, LiveRow, compare};
pub use measure::{Measured, measure};
pub use methods::Method;
pub use ordering::Accuracy;
pub use page::markdown;
pub use positions::positions;
pub use records::{csv, json};
pub use staged::Form;

/// A kind of trees.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// Incremental random trees.
    Synthetic,
    /// The most promising moves of shogi positions.
    Shogi,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kind::Synthetic => "synthetic",
            Kind::Shogi => "shogi",
        })
    }
}

/// Which trees are searched.
#[derive(Clone, Debug)]
pub enum Forest {
    /// Incremental random trees, by their numbers.
    Synthetic(Vec<u64>),
    /// Trees of the most promising moves below these positions.
    Shogi(Vec<Shogi>),
}

/// At which nodes the ordering of trees is measured.
#[derive(Clone, Debug, Default)]
pub struct Sample {
    /// The roots of these synthetic trees.
    pub synthetic: Vec<u64>,
    /// These positions.
    pub shogi: Vec<Shogi>,
}

/// What is measured.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Which trees.
    pub forest: Forest,
    /// Children of a node.
    pub width: u8,
    /// Plies (d).
    pub depth: u8,
    /// Plies of the master's tree (d').
    pub reach: u8,
    /// Plies of it at first, in methods in step; what the method has if not given.
    pub start: Option<u8>,
    /// Levels do not wait for the last few, in methods in step.
    pub hurries: bool,
    /// Plies by which searches by many go deeper at a time.
    pub stride: u8,
    /// Plies by which the search by one does.
    pub alone_stride: u8,
    /// The search by one has null windows (NegaScout), as the workers of crews.
    pub scouts: bool,
    /// Numbers of workers.
    pub workers: Vec<usize>,
    /// Foremen between them and the master; 0 is none.
    pub foremen: usize,
    /// Methods.
    pub methods: Vec<Method>,
    /// Whether the increase of leaves is split (section 5): six sequential searches a tree more,
    /// and again for smaller d.
    pub analysis: bool,
    /// Where the ordering is measured (Figure 6).
    pub ordering: Sample,
    /// How long things take.
    pub costs: Costs,
    /// The shallowest nodes that are remembered.
    pub remember_from: u8,
    /// Bytes in which a crew remembers positions together (method crews).
    pub pool: usize,
    /// Searches at the same time.
    pub concurrency: usize,
    /// Where the journal is kept.
    pub folder: PathBuf,
}

/// How the searches by one method and number of workers went.
#[derive(Clone, Debug)]
pub struct Row {
    /// The method; none is the sequential search.
    pub method: Option<Method>,
    /// Workers.
    pub workers: usize,
    /// What became of each tree.
    pub runs: Vec<Run>,
}

/// One search that ended, beside the sequential one of the same tree.
#[derive(Clone, Copy, Debug)]
pub struct Run {
    /// How it went.
    pub finished: Finished,
    /// Nanoseconds of the sequential search.
    pub alone: u64,
    /// Leaves of the sequential search.
    pub alone_leaves: u64,
}

/// The sequential search in two stages, of all trees (section 5.2).
#[derive(Clone, Debug)]
pub struct Stage {
    /// Plies of the upper stage (d'); the lower stage has as many as ever.
    pub reach: u8,
    /// Each tree.
    pub trees: Vec<Forms>,
}

/// All that was measured.
#[derive(Clone, Debug)]
pub struct Results {
    /// Searches by one and by many.
    pub rows: Vec<Row>,
    /// Searches in two stages, by d'; empty without an analysis.
    pub stages: Vec<Stage>,
    /// How well trees are ordered.
    pub ordering: Vec<Accuracy>,
}

impl Plan {
    /// Which trees.
    pub fn kind(&self) -> Kind {
        match &self.forest {
            Forest::Synthetic(_) => Kind::Synthetic,
            Forest::Shogi(_) => Kind::Shogi,
        }
    }

    fn size(&self) -> paper::Size {
        (self.kind(), self.width, self.depth, self.reach)
    }

    fn trees(&self) -> usize {
        match &self.forest {
            Forest::Synthetic(seeds) => seeds.len(),
            Forest::Shogi(positions) => positions.len(),
        }
    }

    /// The name of a tree: its number, or the key of its position.
    fn name(&self, tree: usize) -> String {
        match &self.forest {
            Forest::Synthetic(seeds) => seeds[tree].to_string(),
            Forest::Shogi(positions) => jobs::name(&positions[tree]),
        }
    }

    /// The d' of the searches in two stages, the last the plan's own: d - d' is the same.
    fn reaches(&self) -> impl Iterator<Item = u8> {
        let reach = if self.analysis { self.reach } else { 0 };
        (1..=reach).filter(move |less| (reach - less).is_multiple_of(2))
    }
}

/// Makes all searches, or those that are missing. `tell` hears how far it is.
pub fn run(plan: &Plan, mut tell: impl FnMut(&Progress)) -> Result<Results> {
    std::fs::create_dir_all(&plan.folder)
        .with_context(|| format!("cannot make the folder {}", plan.folder.display()))?;
    let path = plan.folder.join("minimal-tree.jsonl");
    let (mut journal, lines) = Journal::open(&path, &jobs::head(plan))?;
    let mut known: BTreeMap<String, Value> = BTreeMap::new();
    known.extend(lines.into_iter().filter_map(|line| Some((jobs::key_of(&line)?, line))));
    let jobs = jobs::all(plan);
    let is_open = |job: &&Job| !known.contains_key(&job.key(plan));
    let open: Vec<Job> = jobs.iter().filter(is_open).copied().collect();
    let (total, before, began) = (jobs.len(), jobs.len() - open.len(), Instant::now());
    let mut fresh = 0;
    tell(&Progress { done: before, fresh, total, time: began.elapsed() });
    in_parallel(
        &open,
        plan.concurrency,
        |job| job.search(plan),
        |results| {
            for (index, line) in results {
                journal.write(&line)?;
                known.insert(open[index].key(plan), line);
                fresh += 1;
                tell(&Progress { done: before + fresh, fresh, total, time: began.elapsed() });
            }
            Ok(())
        },
    )?;
    summary::results(plan, &known)
}
