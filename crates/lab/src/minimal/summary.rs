//! What the searches say together.

use std::collections::BTreeMap;

use anyhow::{Result, ensure};
use serde_json::Value;

use super::analysis::{Factors, Forms, Parallel};
use super::jobs::{self, Job, look_up};
use super::staged::Form;
use super::{Accuracy, Kind, Method, Plan, Results, Row, Run, Stage};

/// Puts all searches together; every value is compared with that of the sequential search.
pub(super) fn results(plan: &Plan, known: &BTreeMap<String, Value>) -> Result<Results> {
    let mut rows: Vec<Row> = Vec::new();
    let mut nodes: BTreeMap<(Kind, u8), Vec<Vec<u8>>> = BTreeMap::new();
    for job in jobs::all(plan) {
        match job {
            Job::Search { tree, by } => {
                let run = compared(plan, known, tree, job)?;
                let (method, workers) =
                    by.map_or((None, 1), |(method, workers)| (Some(method), workers));
                match rows.iter_mut().find(|row| (row.method, row.workers) == (method, workers)) {
                    Some(row) => row.runs.push(run),
                    None => rows.push(Row { method, workers, runs: vec![run] }),
                }
            }
            Job::Ordering { kind, width, .. } => {
                let best = look_up(plan, known, job, jobs::read_best)?;
                nodes.entry((kind, width)).or_default().push(best);
            }
            Job::Staged { .. } => {}
        }
    }
    rows.sort_by_key(|row| (row.method.is_some(), row.workers));
    let stages = plan.reaches().map(|reach| stage(plan, known, reach)).collect::<Result<_>>()?;
    let count = |((kind, width), nodes): ((Kind, u8), Vec<Vec<u8>>)| {
        Accuracy::count(kind, width, nodes.iter().map(Vec::as_slice))
    };
    Ok(Results { rows, stages, ordering: nodes.into_iter().map(count).collect() })
}

fn compared(plan: &Plan, known: &BTreeMap<String, Value>, tree: usize, job: Job) -> Result<Run> {
    let finished = look_up(plan, known, job, jobs::read_search)?;
    let alone = look_up(plan, known, Job::Search { tree, by: None }, jobs::read_search)?;
    ensure!(
        finished.value == alone.value,
        "{} found {}, not {} as the sequential search",
        job.key(plan),
        finished.value,
        alone.value
    );
    Ok(Run { finished, alone: alone.time, alone_leaves: alone.leaves })
}

fn stage(plan: &Plan, known: &BTreeMap<String, Value>, reach: u8) -> Result<Stage> {
    let mut trees = Vec::new();
    for tree in 0..plan.trees() {
        let mut forms = Forms::default();
        for form in jobs::forms(plan) {
            let job = Job::Staged { tree, reach, form };
            let counted = look_up(plan, known, job, jobs::read_staged)?;
            let truth = match forms.counted.first() {
                Some((_, baseline)) => baseline.value,
                None if reach == plan.reach => {
                    let alone = Job::Search { tree, by: None };
                    look_up(plan, known, alone, jobs::read_search)?.value
                }
                None => counted.value,
            };
            let value = counted.value;
            ensure!(value == truth, "{} found {value}, not {truth}", job.key(plan));
            forms.counted.push((form, counted));
        }
        trees.push(forms);
    }
    Ok(Stage { reach, trees })
}

/// What a table says of a row.
#[derive(Clone, Copy, Debug)]
pub(super) struct Summary {
    /// Geometric means (section 4.3), with a 95 % interval of the speed-up over the trees.
    pub time: f64,
    pub speedup: f64,
    pub interval: Option<(f64, f64)>,
    /// Arithmetic means.
    pub leaves: f64,
    pub leaves_ratio: f64,
    pub start_up: f64,
    pub other: f64,
    pub master: f64,
    /// Tasks that ended with full windows, of all; none where that was not counted.
    pub full: Option<f64>,
}

impl Row {
    /// The method as it is written in tables.
    pub(super) fn name(&self) -> String {
        self.method.map_or_else(|| "sequential".to_owned(), |method| method.to_string())
    }

    pub(super) fn summary(&self) -> Summary {
        let count = self.runs.len().max(1) as f64;
        let mean = |value: &dyn Fn(&Run) -> f64| self.runs.iter().map(value).sum::<f64>() / count;
        let log = |run: &Run| (run.alone as f64 / run.finished.time.max(1) as f64).ln();
        let centre = mean(&log);
        let spread = mean(&|run| (log(run) - centre).powi(2));
        // Of the mean, with the sample's own variance.
        let error = 1.96 * (spread / (count - 1.0)).sqrt();
        Summary {
            time: mean(&|run| (run.finished.time as f64 / 1e9).ln()).exp(),
            speedup: centre.exp(),
            interval: (count > 1.0).then(|| ((centre - error).exp(), (centre + error).exp())),
            leaves: mean(&|run| run.finished.leaves as f64),
            leaves_ratio: mean(&|run| run.finished.leaves as f64 / run.alone_leaves.max(1) as f64),
            start_up: mean(&|run| run.finished.start_up_idle as f64 / 1e9),
            other: mean(&|run| run.finished.other_idle as f64 / 1e9),
            master: mean(&|run| run.finished.master_busy as f64 / run.finished.time.max(1) as f64),
            full: self.full(),
        }
    }

    fn full(&self) -> Option<f64> {
        let all = self.parallel();
        let counted = self.runs.iter().all(|run| run.finished.ended > 0);
        (counted && all.ended > 0).then(|| all.ended_full as f64 / all.ended as f64)
    }

    /// All trees together.
    fn parallel(&self) -> Parallel {
        let mut sum = Parallel::default();
        for run in &self.runs {
            let one = parallel(run);
            sum.leaves += one.leaves;
            sum.ended += one.ended;
            sum.ended_full += one.ended_full;
        }
        sum
    }
}

fn parallel(run: &Run) -> Parallel {
    let finished = &run.finished;
    let (leaves, ended, ended_full) = (finished.leaves, finished.ended, finished.ended_full);
    Parallel { leaves, ended, ended_full }
}

/// The increase of leaves, split, by one number of workers with the published method.
pub(super) struct Split {
    pub workers: usize,
    /// All trees together, as in Table 5.
    pub together: Factors,
    /// Each tree, by its number in the plan, as in Figure 11.
    pub trees: Vec<(usize, Factors)>,
}

impl Results {
    pub(super) fn row(&self, method: Option<Method>, workers: usize) -> Option<&Row> {
        self.rows.iter().find(|row| (row.method, row.workers) == (method, workers))
    }

    /// Table 5 for every number of workers.
    pub(super) fn splits(&self) -> Vec<Split> {
        let Some(stage) = self.stages.last() else { return Vec::new() };
        let published = self.rows.iter().filter(|row| row.method == Some(Method::Published));
        let split = |row: &Row| {
            let counted = row.runs.iter().zip(&stage.trees).enumerate();
            let factors = counted
                .map(|(tree, (run, forms))| Some((tree, Factors::new(forms, parallel(run))?)));
            let trees = factors.collect::<Option<Vec<_>>>()?;
            let together = Factors::new(&Forms::sum(stage.trees.iter()), row.parallel())?;
            Some(Split { workers: row.workers, together, trees })
        };
        published.filter_map(split).collect()
    }

    /// Figure 9: d' and the increase by each form but the baseline.
    pub(super) fn increases(&self) -> Vec<(u8, Vec<(Form, f64)>)> {
        let of_stage = |stage: &Stage| {
            let sum = Forms::sum(stage.trees.iter());
            let forms = sum.counted.iter().map(|(form, _)| *form);
            let forms = forms.filter(|form| *form != Form::BASELINE);
            let increases = forms.filter_map(|form| Some((form, sum.increase(form)?))).collect();
            (stage.reach, increases)
        };
        self.stages.iter().map(of_stage).collect()
    }
}
