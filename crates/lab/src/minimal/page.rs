//! The page, and the table for other programs.

use std::fmt::Write;

use super::{Forest, Method, Plan, Row};

/// Speed-ups of the paper: trees, width, depth, reach, workers, method, value (Tables 1 to 3,
/// 6 and 7).
const PAPER: [(&str, u8, u8, u8, usize, &str, f64); 22] = [
    ("synthetic", 5, 24, 12, 512, "published", 343.0),
    ("synthetic", 5, 24, 12, 512, "without-updates", 385.0),
    ("synthetic", 5, 24, 12, 512, "epsilon", 505.0),
    ("synthetic", 5, 24, 12, 1536, "published", 750.0),
    ("synthetic", 5, 24, 12, 1536, "without-updates", 681.0),
    ("synthetic", 20, 12, 6, 512, "published", 351.0),
    ("synthetic", 20, 12, 6, 512, "without-updates", 320.0),
    ("synthetic", 20, 12, 6, 512, "epsilon", 422.0),
    ("synthetic", 20, 12, 6, 1536, "published", 653.0),
    ("synthetic", 20, 12, 6, 1536, "without-updates", 550.0),
    ("shogi", 5, 24, 12, 512, "published", 147.12),
    ("shogi", 5, 24, 12, 512, "epsilon", 251.08),
    ("shogi", 5, 24, 12, 1536, "published", 251.72),
    ("shogi", 5, 24, 12, 1536, "without-updates", 98.48),
    ("shogi", 5, 24, 12, 1536, "share", 258.49),
    ("shogi", 5, 24, 12, 1536, "epsilon", 346.87),
    ("shogi", 20, 12, 6, 512, "epsilon", 189.63),
    ("shogi", 20, 12, 6, 1536, "published", 198.46),
    ("shogi", 20, 12, 6, 1536, "epsilon", 243.50),
    ("shogi", 20, 14, 6, 1536, "published", 239.50),
    ("shogi", 20, 14, 6, 1536, "share", 249.50),
    ("shogi", 20, 14, 6, 1536, "epsilon", 278.82),
];

fn paper(plan: &Plan, method: Method, workers: usize) -> Option<f64> {
    let forest = match plan.forest {
        Forest::Synthetic(_) => "synthetic",
        Forest::Shogi(_) => "shogi",
    };
    let name = method.to_string();
    let name = name.split(':').next().unwrap_or_default();
    let wanted = (forest, plan.width, plan.depth, plan.reach, workers, name);
    let found = PAPER.iter().find(|row| (row.0, row.1, row.2, row.3, row.4, row.5) == wanted);
    found.map(|row| row.6)
}

/// What a table says of a row.
struct Summary {
    /// Geometric means (section 4.3), with a 95 % interval of the speed-up over the trees.
    time: f64,
    speedup: f64,
    interval: Option<(f64, f64)>,
    /// Arithmetic means.
    leaves: f64,
    leaves_ratio: f64,
    start_up: f64,
    other: f64,
    master: f64,
    full_windows: f64,
}

fn summary(row: &Row) -> Summary {
    let count = row.runs.len().max(1) as f64;
    let mean = |value: &dyn Fn(&super::Run) -> f64| row.runs.iter().map(value).sum::<f64>() / count;
    let log = |run: &super::Run| (run.alone as f64 / run.finished.time.max(1) as f64).ln();
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
        full_windows: mean(&|run| {
            run.finished.full_windows as f64 / run.finished.finished.max(1) as f64
        }),
    }
}

fn name(row: &Row) -> String {
    row.method.map_or_else(|| "sequential".to_owned(), |method| method.to_string())
}

/// The rows for other programs.
pub fn csv(plan: &Plan, rows: &[Row]) -> String {
    let mut text = "workers,method,trees,time_s,speedup,low,high,paper,leaves,leaves_ratio,\
                    start_up_idle_s,other_idle_s,master_busy,full_windows\n"
        .to_owned();
    for row in rows {
        let s = summary(row);
        let (low, high) = s.interval.unwrap_or((s.speedup, s.speedup));
        let paper = row.method.and_then(|method| paper(plan, method, row.workers));
        let paper = paper.map(|value| value.to_string()).unwrap_or_default();
        let _ = writeln!(
            text,
            "{},{},{},{:.4},{:.2},{low:.2},{high:.2},{paper},{:.0},{:.4},{:.4},{:.4},{:.4},{:.4}",
            row.workers,
            name(row),
            row.runs.len(),
            s.time,
            s.speedup,
            s.leaves,
            s.leaves_ratio,
            s.start_up,
            s.other,
            s.master,
            s.full_windows,
        );
    }
    text
}

/// The page.
pub fn markdown(plan: &Plan, rows: &[Row], run: &str) -> String {
    let (width, depth, reach) = (plan.width, plan.depth, plan.reach);
    let forest = match &plan.forest {
        Forest::Synthetic(_) => "Synthetic trees",
        Forest::Shogi(_) => "Shogi trees",
    };
    let costs = &plan.costs;
    let mut text = format!(
        "# {forest}, b = {width}, d = {depth}, d' = {reach}\n\n\
         Minimal-tree search in virtual time (minimal-trees-2014, section 4). {run}\n\n\
         Costs: a worker's node {} ns; the master's visit {} ns, node made {} ns, message {} ns \
         and {} ns for each task in it; from machine to machine {} us. Every search found the \
         value of the sequential one.\n\n\
         | workers | method | trees | time [s] | speed-up | 95 % | paper | leaves [10^6] | \
         of sequential | start-up idle [s] | other idle [s] | master busy |\n\
         |---|---|---|---|---|---|---|---|---|---|---|---|\n",
        costs.node,
        costs.visit,
        costs.make,
        costs.message,
        costs.item,
        costs.latency / 1_000,
    );
    for row in rows {
        let s = summary(row);
        let paper = row.method.and_then(|method| paper(plan, method, row.workers));
        let paper = paper.map_or_else(String::new, |value| format!("{value:.0}"));
        let interval = match (row.method, s.interval) {
            (Some(_), Some((low, high))) => format!("{low:.0} to {high:.0}"),
            _ => String::new(),
        };
        let _ = writeln!(
            text,
            "| {} | {} | {} | {:.2} | {:.1} | {interval} | {paper} | {:.1} | {:.2} | {:.3} | {:.3} \
             | {:.0} % |",
            row.workers,
            name(row),
            row.runs.len(),
            s.time,
            s.speedup,
            s.leaves / 1e6,
            s.leaves_ratio,
            s.start_up,
            s.other,
            100.0 * s.master,
        );
    }
    text
}
