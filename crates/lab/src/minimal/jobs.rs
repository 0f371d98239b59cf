//! The searches of an experiment, one by one, and their lines in the journal.

use std::collections::BTreeMap;

use anyhow::{Context, Result};
use senbon_core::minimal::Settings;
use senbon_games::shogi::{Shogi, ShogiEvaluator};
use senbon_games::trees::{Incremental, IncrementalShape, TreeValue};
use senbon_games::{Branching, Game, HIGHEST, Promising};
use senbon_search::fixed::Fixed;
use senbon_sim::minimal::{Field, Finished, Trial};
use serde_json::{Value, json};

use super::ordering::best_children;
use super::staged::{self, Counted, Form};
use super::{Forest, Kind, Method, Plan};

/// As much as a sequential search may remember: the paper's had a thousand million entries.
const SEQUENTIAL_MEMORY: usize = 6 << 30;
/// The deepest searches of Figure 6 at 5 and at 20 children.
const ORDERING_DEPTHS: (u8, u8) = (16, 8);
/// The widths of Figure 6.
const ORDERING_WIDTHS: [u8; 2] = [5, 20];

/// One search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Job {
    /// Of a tree, by one (none) or by many.
    Search { tree: usize, by: Option<(Method, usize)> },
    /// Of a tree in two stages, the upper one of `reach` plies.
    Staged { tree: usize, reach: u8, form: Form },
    /// Of a node whose best children are wanted.
    Ordering { kind: Kind, width: u8, node: usize },
}

/// What makes two runs the same experiment. More trees, workers or methods are more of it.
pub(super) fn head(plan: &Plan) -> Value {
    json!({
        "minimal-tree": 1, "forest": plan.kind().to_string(), "width": plan.width,
        "depth": plan.depth, "reach": plan.reach, "remember_from": plan.remember_from,
        "costs": format!("{:?}", plan.costs), "pool": plan.pool,
    })
}

/// The name of a position.
pub(super) fn name(position: &Shogi) -> String {
    format!("{:016x}", position.key())
}

/// Everything there is to do. The ordering comes first: it takes the least time.
pub(super) fn all(plan: &Plan) -> Vec<Job> {
    let mut jobs = Vec::new();
    let sample = &plan.ordering;
    for (kind, nodes) in
        [(Kind::Synthetic, sample.synthetic.len()), (Kind::Shogi, sample.shogi.len())]
    {
        for width in ORDERING_WIDTHS {
            jobs.extend((0..nodes).map(|node| Job::Ordering { kind, width, node }));
        }
    }
    for tree in 0..plan.trees() {
        jobs.push(Job::Search { tree, by: None });
        for reach in plan.reaches() {
            jobs.extend(forms(plan).map(|form| Job::Staged { tree, reach, form }));
        }
        for &workers in &plan.workers {
            let by = |&method: &Method| Job::Search { tree, by: Some((method, workers)) };
            jobs.extend(plan.methods.iter().map(by));
        }
    }
    jobs
}

/// The forms of the search in two stages. Where tasks are smaller than the paper's, a third of
/// their plies is shared partly, as there: more would be as good as all.
pub(super) fn forms(plan: &Plan) -> impl Iterator<Item = Form> {
    let part = Method::shared_plies(plan.width).min((plan.depth - plan.reach) / 3);
    Form::all(part).into_iter()
}

/// How deep nodes of this width are searched for Figure 6: as deep as the paper says, but no
/// deeper than the trees of the plan, wide ones half as deep as narrow ones.
pub(super) fn ordering_depth(plan: &Plan, width: u8) -> u8 {
    let (narrow, wide) = ORDERING_DEPTHS;
    let own = if Method::is_wide(plan.width) { plan.depth * 2 } else { plan.depth };
    let depth = if Method::is_wide(width) { (own / 2).min(wide) } else { own.min(narrow) };
    (depth & !1).max(4)
}

impl Job {
    /// Tells it from all others of the experiment.
    pub(super) fn key(&self, plan: &Plan) -> String {
        match *self {
            Job::Search { tree, by: None } => {
                let how = if plan.scouts { " scouting" } else { "" };
                format!("search {} alone{how}{}", plan.name(tree), strides(plan.alone_stride))
            }
            Job::Search { tree, by: Some((method, workers)) } => {
                let mut key = format!("search {} {method} {workers}", plan.name(tree));
                if plan.foremen > 0 {
                    key += &format!(" under {}", plan.foremen);
                }
                if let Some(start) = plan.start {
                    key += &format!(" from {start}");
                }
                if plan.hurries {
                    key += " in haste";
                }
                key + &strides(plan.stride)
            }
            Job::Staged { tree, reach, form } => {
                format!("staged {} {reach} {}", plan.name(tree), form.name())
            }
            Job::Ordering { kind, width, node } => {
                let name = match kind {
                    Kind::Synthetic => plan.ordering.synthetic[node].to_string(),
                    Kind::Shogi => name(&plan.ordering.shogi[node]),
                };
                format!("ordering {kind} {width} {} {name}", ordering_depth(plan, width))
            }
        }
    }

    /// Searches, and writes its line.
    pub(super) fn search(&self, plan: &Plan) -> Result<Value> {
        let key = self.key(plan);
        let (what, rest) = key.split_once(' ').unwrap_or_default();
        let mut line = match *self {
            Job::Search { tree, .. } | Job::Staged { tree, .. } => match &plan.forest {
                Forest::Synthetic(seeds) => {
                    let (root, branching) = synthetic(plan.width, plan.depth, seeds[tree])?;
                    self.search_tree(plan, &root, branching)?
                }
                Forest::Shogi(positions) => {
                    self.search_tree(plan, &positions[tree], shogi(plan.width))?
                }
            },
            Job::Ordering { kind, width, node } => {
                let depth = ordering_depth(plan, width);
                let best = match kind {
                    Kind::Synthetic => {
                        let seed = plan.ordering.synthetic[node];
                        let (root, branching) = synthetic(width, depth, seed)?;
                        best_children(&root, branching, depth, SEQUENTIAL_MEMORY)
                    }
                    Kind::Shogi => {
                        let root = &plan.ordering.shogi[node];
                        best_children(root, shogi(width), depth, SEQUENTIAL_MEMORY)
                    }
                };
                json!({ "best": best })
            }
        };
        line[what] = json!(rest);
        Ok(line)
    }

    fn search_tree<G: Game, B: Branching<G> + Clone>(
        &self,
        plan: &Plan,
        root: &G,
        branching: B,
    ) -> Result<Value> {
        match *self {
            Job::Search { by: Some((method, workers)), .. } => {
                let trial = trial(plan, method, workers);
                Ok(line_of_search(&Field::new(root.clone(), branching, trial).run()))
            }
            Job::Staged { reach, form, .. } => {
                let size = (plan.depth - plan.reach + reach, reach);
                let memory = (plan.remember_from, SEQUENTIAL_MEMORY);
                let Counted { value, leaves, tasks } =
                    staged::search(root, &branching, size, form, memory);
                Ok(json!({ "value": value, "leaves": leaves, "tasks": tasks }))
            }
            _ => alone(plan, root, branching).map(|finished| line_of_search(&finished)),
        }
    }
}

fn synthetic(width: u8, depth: u8, seed: u64) -> Result<(Incremental, Promising<TreeValue>)> {
    let root = Incremental::new(IncrementalShape::new(width, depth, seed))?;
    Ok((root, Promising::new(TreeValue, width.into())))
}

fn shogi(width: u8) -> Promising<ShogiEvaluator> {
    Promising::new(ShogiEvaluator::default(), width.into())
}

fn alone<G: Game, B: Branching<G>>(plan: &Plan, root: &G, branching: B) -> Result<Finished> {
    let mut search = Fixed::new(root.clone(), branching, SEQUENTIAL_MEMORY);
    search.remember_from(plan.remember_from);
    search.scout(plan.scouts);
    search.deepen_by(plan.alone_stride);
    search.start(root, plan.depth, -HIGHEST, HIGHEST);
    let value = search.run(u64::MAX).context("a search without end")?;
    let nodes = search.nodes();
    let time = nodes.total() * plan.costs.node;
    let (leaves, nodes) = (nodes.leaves, nodes.total());
    Ok(Finished { value, time, leaves, nodes, ..Finished::default() })
}

fn trial(plan: &Plan, method: Method, workers: usize) -> Trial {
    let mut settings = method.settings(Settings::published(plan.depth, plan.reach), plan.width);
    settings.start = plan.start.unwrap_or(settings.start);
    settings.hurries |= plan.hurries;
    settings.stride = plan.stride;
    Trial {
        foremen: plan.foremen,
        remember_from: plan.remember_from,
        updates: method != Method::WithoutUpdates,
        shares: method.shares(plan.width),
        scouts: method.scouts(),
        pause: method.pause(),
        pool: plan.pool,
        ..Trial::new(settings, workers, plan.costs)
    }
}

/// How a search deepens, where it is not by two plies, as published.
fn strides(stride: u8) -> String {
    if stride == 2 { String::new() } else { format!(" by {stride} plies") }
}

/// Which search a line is of.
pub(super) fn key_of(line: &Value) -> Option<String> {
    let named = |what: &str| Some(format!("{what} {}", line.get(what)?.as_str()?));
    ["search", "staged", "ordering"].into_iter().find_map(named)
}

fn line_of_search(finished: &Finished) -> Value {
    let Finished { messages, .. } = *finished;
    json!({
        "value": finished.value, "time": finished.time,
        "leaves": finished.leaves, "nodes": finished.nodes,
        "start_up_idle": finished.start_up_idle, "other_idle": finished.other_idle,
        "passes": finished.passes, "master_busy": finished.master_busy,
        "finished": finished.finished, "full_windows": finished.full_windows,
        "ended": finished.ended, "ended_full": finished.ended_full,
        "tasks": finished.tasks, "messages": messages.0, "sent_tasks": messages.1,
        "memory": finished.memory, "foreman_busy": finished.foreman_busy,
    })
}

/// What the journal has of a job; an error when it is missing or something else.
pub(super) fn look_up<T>(
    plan: &Plan,
    known: &BTreeMap<String, Value>,
    job: Job,
    read: fn(&Value) -> Option<T>,
) -> Result<T> {
    let key = job.key(plan);
    let line = known.get(&key).with_context(|| format!("{key} is missing in the journal"))?;
    read(line).with_context(|| format!("the journal has something else for {key}: {line}"))
}

pub(super) fn read_search(line: &Value) -> Option<Finished> {
    let number = |name: &str| line.get(name)?.as_u64();
    Some(Finished {
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
        // Journals of earlier versions do not have these.
        ended: number("ended").unwrap_or(0),
        ended_full: number("ended_full").unwrap_or(0),
        tasks: number("tasks")?,
        messages: (number("messages")?, number("sent_tasks")?),
        memory: number("memory")? as usize,
        died: 0,
        foreman_busy: number("foreman_busy").unwrap_or(0),
    })
}

pub(super) fn read_staged(line: &Value) -> Option<Counted> {
    let number = |name: &str| line.get(name)?.as_u64();
    let value = line.get("value")?.as_i64()? as i16;
    Some(Counted { value, leaves: number("leaves")?, tasks: number("tasks")? })
}

pub(super) fn read_best(line: &Value) -> Option<Vec<u8>> {
    line.get("best")?.as_array()?.iter().map(|best| Some(best.as_u64()? as u8)).collect()
}
