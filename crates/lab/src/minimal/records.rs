//! The results for other programs.

use std::fmt::Write;

use serde_json::{Value, json};

use super::analysis::correlation;
use super::ordering::share;
use super::{Plan, Results, paper};

/// Tables of values with commas between: a name for the file and the text.
pub fn csv(plan: &Plan, results: &Results) -> Vec<(&'static str, String)> {
    let mut tables = vec![("minimal-tree", searches(plan, results))];
    if !results.stages.is_empty() {
        tables.push(("figure-9", forms(plan, results)));
    }
    if !results.splits().is_empty() {
        tables.push(("table-5", splits(plan, results)));
    }
    if !results.ordering.is_empty() {
        tables.push(("figure-6", ordering(results)));
    }
    tables
}

fn text_of(value: Option<f64>) -> String {
    value.map(|value| value.to_string()).unwrap_or_default()
}

/// Tables 1 to 4, 6 and 7, Figures 7, 8 and 10.
fn searches(plan: &Plan, results: &Results) -> String {
    let mut text = "workers,method,trees,time_s,speedup,low,high,leaves,leaves_ratio,\
                    start_up_idle_s,other_idle_s,master_busy,full_windows,paper_time_s,\
                    paper_speedup,paper_leaves,paper_start_up_idle_s,paper_other_idle_s\n"
        .to_owned();
    for row in &results.rows {
        let s = row.summary();
        let (low, high) = s.interval.unwrap_or((s.speedup, s.speedup));
        let paper = paper::find(plan.size(), row.method, row.workers);
        let cited = |of: fn(&paper::Published) -> f64| text_of(paper.as_ref().map(of));
        let full = s.full.map_or_else(String::new, |full| format!("{full:.4}"));
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "{},{},{},{:.4},{:.2},{low:.2},{high:.2},{:.0},{:.4},{:.4},{:.4},{:.4},{full},{},{},\
             {},{},{}",
            row.workers,
            row.name(),
            row.runs.len(),
            s.time,
            s.speedup,
            s.leaves,
            s.leaves_ratio,
            s.start_up,
            s.other,
            s.master,
            cited(|paper| paper.time),
            cited(|paper| paper.speedup),
            cited(|paper| paper.leaves * 1e6),
            cited(|paper| paper.start_up),
            cited(|paper| paper.other),
        );
    }
    text
}

/// Every search in two stages.
fn forms(plan: &Plan, results: &Results) -> String {
    let mut text = "d,d_master,tree,form,leaves,tasks\n".to_owned();
    for stage in &results.stages {
        let depth = plan.depth - plan.reach + stage.reach;
        for (tree, forms) in stage.trees.iter().enumerate() {
            for (form, counted) in &forms.counted {
                let _ = writeln!(
                    text,
                    "{depth},{},{},{},{},{}",
                    stage.reach,
                    plan.name(tree),
                    form.name(),
                    counted.leaves,
                    counted.tasks
                );
            }
        }
    }
    text
}

/// Table 5 and Figure 11: all trees together and each of them.
fn splits(plan: &Plan, results: &Results) -> String {
    let mut text = "workers,tree,full_windows,table,windows,tasks,estimated,actual\n".to_owned();
    for split in results.splits() {
        let trees = split.trees.iter().map(|(tree, factors)| (plan.name(*tree), factors));
        let together = std::iter::once(("all".to_owned(), &split.together));
        for (name, one) in together.chain(trees) {
            let _ = writeln!(
                text,
                "{},{name},{:.4},{:.4},{:.4},{:.4},{:.4},{:.4}",
                split.workers,
                one.full,
                one.table,
                one.windows,
                one.tasks,
                one.estimated(),
                one.actual
            );
        }
    }
    text
}

fn ordering(results: &Results) -> String {
    let mut text = "trees,b,depth,kept,nodes,percent,low,high,paper\n".to_owned();
    for accuracy in &results.ordering {
        for &(depth, kept, all) in &accuracy.steps {
            let (percent, (low, high)) = share(kept, all);
            let (kind, width) = (accuracy.kind, accuracy.width);
            let paper = paper::ordering(kind, width, depth);
            let _ = writeln!(
                text,
                "{kind},{width},{depth},{kept},{all},{percent:.2},{low:.2},{high:.2},{}",
                text_of(paper)
            );
        }
    }
    text
}

/// Everything as one object.
pub fn json(plan: &Plan, results: &Results) -> Value {
    let row = |row: &super::Row| {
        let s = row.summary();
        let paper = paper::find(plan.size(), row.method, row.workers);
        json!({
            "workers": row.workers, "method": row.name(), "trees": row.runs.len(),
            "time_s": s.time, "speedup": s.speedup, "interval": s.interval,
            "leaves": s.leaves, "leaves_ratio": s.leaves_ratio,
            "start_up_idle_s": s.start_up, "other_idle_s": s.other,
            "master_busy": s.master, "full_windows": s.full,
            "paper": paper.map(|paper| json!({
                "time_s": paper.time, "speedup": paper.speedup, "leaves": paper.leaves * 1e6,
                "start_up_idle_s": paper.start_up, "other_idle_s": paper.other,
            })),
        })
    };
    let factors = |one: &super::Factors| {
        json!({
            "full_windows": one.full, "table": one.table, "windows": one.windows,
            "tasks": one.tasks, "estimated": one.estimated(), "actual": one.actual,
        })
    };
    let split = |split: &super::summary::Split| {
        let pairs: Vec<_> =
            split.trees.iter().map(|(_, one)| (one.estimated(), one.actual)).collect();
        json!({
            "workers": split.workers, "together": factors(&split.together),
            "trees": split.trees.iter().map(|(_, one)| factors(one)).collect::<Vec<_>>(),
            "correlation": correlation(&pairs),
        })
    };
    let step = |one: &super::Accuracy| {
        let steps = one.steps.iter().map(|&(depth, kept, all)| {
            let (percent, interval) = share(kept, all);
            let paper = paper::ordering(one.kind, one.width, depth);
            json!({ "depth": depth, "nodes": all, "percent": percent, "interval": interval,
                    "paper": paper })
        });
        json!({ "trees": one.kind.to_string(), "b": one.width, "steps": steps.collect::<Vec<_>>() })
    };
    json!({
        "trees": plan.kind().to_string(), "b": plan.width, "d": plan.depth, "d_master": plan.reach,
        "searches": results.rows.iter().map(row).collect::<Vec<_>>(),
        "analysis": results.splits().iter().map(split).collect::<Vec<_>>(),
        "ordering": results.ordering.iter().map(step).collect::<Vec<_>>(),
    })
}
