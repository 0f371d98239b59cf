//! Minimal-tree search in virtual time, as minimal-trees-2014 measured it: how much faster so
//! many workers are than one, on which trees, by which method.
//!
//! Every search is a line of a journal, so that a run that was stopped goes on.

mod measure;
mod methods;
mod page;

use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Context, Result};
use senbon_core::minimal::Settings;
use senbon_games::shogi::{Shogi, ShogiEvaluator};
use senbon_games::trees::{Incremental, IncrementalShape, TreeValue};
use senbon_games::{Branching, Game, HIGHEST, Promising};
use senbon_search::fixed::Fixed;
use senbon_sim::minimal::{Costs, Field, Finished, Trial};
use serde_json::{Value, json};

use crate::matches::Journal;
use crate::parallel::in_parallel;
use crate::progress::Progress;

pub use measure::{Measured, measure};
pub use methods::Method;
pub use page::{csv, markdown};

/// Which trees are searched.
#[derive(Clone, Debug)]
pub enum Forest {
    /// Incremental random trees, by their numbers.
    Synthetic(Vec<u64>),
    /// Trees of the most promising moves below these positions.
    Shogi(Vec<Shogi>),
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
    /// Numbers of workers.
    pub workers: Vec<usize>,
    /// Methods.
    pub methods: Vec<Method>,
    /// How long things take.
    pub costs: Costs,
    /// The shallowest nodes that are remembered.
    pub remember_from: u8,
    /// Searches at the same time.
    pub concurrency: usize,
    /// Where the journal is kept.
    pub folder: PathBuf,
}

/// A search: by one, or by many.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Job {
    tree: usize,
    /// None is the sequential search.
    by: Option<(Method, usize)>,
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

impl Plan {
    fn trees(&self) -> usize {
        match &self.forest {
            Forest::Synthetic(seeds) => seeds.len(),
            Forest::Shogi(positions) => positions.len(),
        }
    }

    /// What makes two runs the same experiment. More trees, workers or methods are more of it.
    fn head(&self) -> Value {
        let forest = match &self.forest {
            Forest::Synthetic(_) => "synthetic",
            Forest::Shogi(_) => "shogi",
        };
        json!({
            "minimal-tree": 1, "forest": forest, "width": self.width, "depth": self.depth,
            "reach": self.reach, "remember_from": self.remember_from,
            "costs": format!("{:?}", self.costs),
        })
    }

    fn name(&self, tree: usize) -> String {
        match &self.forest {
            Forest::Synthetic(seeds) => seeds[tree].to_string(),
            Forest::Shogi(positions) => format!("{:016x}", positions[tree].key()),
        }
    }

    fn jobs(&self) -> Vec<Job> {
        let mut jobs = Vec::new();
        for tree in 0..self.trees() {
            jobs.push(Job { tree, by: None });
            for &workers in &self.workers {
                for &method in &self.methods {
                    jobs.push(Job { tree, by: Some((method, workers)) });
                }
            }
        }
        jobs
    }

    fn key(&self, job: &Job) -> String {
        let by = job.by.map(|(method, workers)| format!("{method} {workers}"));
        format!("{} {}", self.name(job.tree), by.as_deref().unwrap_or("alone"))
    }

    fn search(&self, job: &Job) -> Result<Finished> {
        match &self.forest {
            Forest::Synthetic(seeds) => {
                let shape = IncrementalShape::new(self.width, self.depth, seeds[job.tree]);
                let root = Incremental::new(shape)?;
                self.search_tree(job, root, Promising::new(TreeValue, self.width.into()))
            }
            Forest::Shogi(positions) => {
                let judge = ShogiEvaluator::default();
                let root = positions[job.tree].clone();
                self.search_tree(job, root, Promising::new(judge, self.width.into()))
            }
        }
    }

    fn search_tree<G: Game, B: Branching<G> + Clone>(
        &self,
        job: &Job,
        root: G,
        branching: B,
    ) -> Result<Finished> {
        let Some((method, workers)) = job.by else {
            let mut search = Fixed::new(root.clone(), branching, SEQUENTIAL_MEMORY);
            search.remember_from(self.remember_from);
            search.start(&root, self.depth, -HIGHEST, HIGHEST);
            let value = search.run(u64::MAX).context("a search without end")?;
            let nodes = search.nodes();
            let time = nodes.total() * self.costs.node;
            let (leaves, nodes) = (nodes.leaves, nodes.total());
            return Ok(Finished { value, time, leaves, nodes, ..Finished::default() });
        };
        let settings = method.settings(Settings::published(self.depth, self.reach));
        let trial = Trial {
            remember_from: self.remember_from,
            updates: method != Method::WithoutUpdates,
            shares: method.shares(self.width),
            ..Trial::new(settings, workers, self.costs)
        };
        Ok(Field::new(root, branching, trial).run())
    }
}

/// As much as the sequential search may remember: the paper's had a thousand million entries.
const SEQUENTIAL_MEMORY: usize = 6 << 30;

/// Makes all searches, or those that are missing. `tell` hears how far it is.
pub fn run(plan: &Plan, mut tell: impl FnMut(&Progress)) -> Result<Vec<Row>> {
    std::fs::create_dir_all(&plan.folder)
        .with_context(|| format!("cannot make the folder {}", plan.folder.display()))?;
    let path = plan.folder.join("minimal-tree.jsonl");
    let (mut journal, lines) = Journal::open(&path, &plan.head())?;
    let mut known: Vec<(String, Finished)> = lines.iter().filter_map(read).collect();
    let jobs = plan.jobs();
    let done = |known: &[(String, Finished)], job: &Job| {
        let key = plan.key(job);
        known.iter().any(|(other, _)| *other == key)
    };
    let open: Vec<Job> = jobs.iter().filter(|job| !done(&known, job)).copied().collect();
    let (total, before, began) = (jobs.len(), jobs.len() - open.len(), Instant::now());
    let mut fresh = 0;
    tell(&Progress { done: before, fresh, total, time: began.elapsed() });
    in_parallel(
        &open,
        plan.concurrency,
        |job| plan.search(job),
        |results| {
            for (index, finished) in results {
                let key = plan.key(&open[index]);
                journal.write(&line(&key, &finished))?;
                known.push((key, finished));
                fresh += 1;
                tell(&Progress { done: before + fresh, fresh, total, time: began.elapsed() });
            }
            Ok(())
        },
    )?;
    rows(plan, &jobs, &known)
}

/// Puts the searches of each method and number of workers together; every value is compared
/// with that of the sequential search.
fn rows(plan: &Plan, jobs: &[Job], known: &[(String, Finished)]) -> Result<Vec<Row>> {
    let find = |job: &Job| {
        let key = plan.key(job);
        known.iter().find(|(other, _)| *other == key).map(|(_, finished)| *finished)
    };
    let mut rows: Vec<Row> = Vec::new();
    for job in jobs {
        let finished = find(job).context("a search is missing")?;
        let alone = find(&Job { by: None, ..*job }).context("a sequential search is missing")?;
        anyhow::ensure!(
            finished.value == alone.value,
            "tree {}: {} found {}, not {} as the sequential search",
            plan.name(job.tree),
            plan.key(job),
            finished.value,
            alone.value
        );
        let run = Run { finished, alone: alone.time, alone_leaves: alone.leaves };
        let (method, workers) =
            job.by.map_or((None, 1), |(method, workers)| (Some(method), workers));
        match rows.iter_mut().find(|row| (row.method, row.workers) == (method, workers)) {
            Some(row) => row.runs.push(run),
            None => rows.push(Row { method, workers, runs: vec![run] }),
        }
    }
    rows.sort_by_key(|row| (row.method.is_some(), row.workers));
    Ok(rows)
}

fn line(key: &str, finished: &Finished) -> Value {
    let Finished { messages, .. } = *finished;
    json!({
        "search": key, "value": finished.value, "time": finished.time,
        "leaves": finished.leaves, "nodes": finished.nodes,
        "start_up_idle": finished.start_up_idle, "other_idle": finished.other_idle,
        "passes": finished.passes, "master_busy": finished.master_busy,
        "finished": finished.finished, "full_windows": finished.full_windows,
        "tasks": finished.tasks, "messages": messages.0, "sent_tasks": messages.1,
        "memory": finished.memory,
    })
}

fn read(line: &Value) -> Option<(String, Finished)> {
    let number = |name: &str| line.get(name)?.as_u64();
    let finished = Finished {
        value: line.get("value")?.as_i64()? as i16,
        time: number("time")?,
        leaves: number("leaves")?,
        nodes: number("nodes")?,
        start_up_idle: number("start_up_idle")?,
        other_idle: number("other_idle")?,
        passes: number("passes")? as u32,
        master_busy: number("master_busy")?,
        finished: number("finished")?,
        full_windows: number("full_windows")?,
        tasks: number("tasks")?,
        messages: (number("messages")?, number("sent_tasks")?),
        memory: number("memory")? as usize,
        died: 0,
    };
    Some((line.get("search")?.as_str()?.to_owned(), finished))
}
