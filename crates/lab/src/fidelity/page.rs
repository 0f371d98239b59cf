//! The comparison as a page for people and as a table for programs.

use std::fmt::Write;

use super::{Answered, Measured, Plan};

/// One line a position and number of workers, all four runs side by side.
pub fn csv(measured: &Measured) -> String {
    let mut text = String::from("workers,position");
    for run in ["live", "live2", "virtual", "virtual2"] {
        // Writing to a string cannot fail.
        let _ = write!(text, ",{run}_move,{run}_depth,{run}_nodes,{run}_ms");
    }
    text.push('\n');
    for row in &measured.rows {
        let _ = write!(text, "{},{}", row.workers, row.position);
        for Answered { best, depth, nodes, time } in row.live.iter().chain(&row.simulated) {
            let _ = write!(text, ",{best},{depth},{nodes},{:.1}", time.as_secs_f64() * 1e3);
        }
        text.push('\n');
    }
    text
}

/// A page. `run` says by which command, commit and machine.
pub fn markdown(plan: &Plan, measured: &Measured, run: &str) -> String {
    let mut text = format!(
        "# The virtual world against the live one\n\n{run}\n\n\
         {} positions (random openings, then plies of a short search), {} ms each, built-in \
         workers with tables of {} MiB, strategy `{}`. A virtual worker searches {} nodes a \
         second{}. Nodes are those that the coordinator knew of when it last told of its best \
         line; speed is these nodes by the time of that moment. Errors are absolute, relative to \
         the first of the two runs. Two live runs differ, too: that is the yardstick.\n\n\
         | workers | runs | same move | nodes, second for one of the first | error in nodes: \
         median, mean | error in speed: median, mean | depth |\n|---|---|---|---|---|---|---|\n",
        plan.positions,
        plan.move_time.as_millis(),
        plan.table_mib,
        plan.strategy.name(),
        measured.nodes_per_second,
        if plan.nodes_per_second.is_some() { "" } else { ", as one live worker did just before" },
    );
    for error in plan.workers.iter().flat_map(|&workers| measured.comparisons(workers)) {
        let _ = writeln!(
            text,
            "| {} | {} | {} of {} | {:.3} | {:.1} %, {:.1} % | {:.1} %, {:.1} % | {:+.2} |",
            error.workers,
            error.pair.name(),
            error.same_moves,
            error.positions,
            error.nodes_ratio,
            100.0 * error.nodes.median,
            100.0 * error.nodes.mean,
            100.0 * error.speed.median,
            100.0 * error.speed.mean,
            error.depth
        );
    }
    text
}
