//! `senbon lab minimal-tree --live`: the live world against the virtual one.

use anyhow::Context;
use senbon_lab::minimal::{LivePlan, LiveRow, compare, measure};
use senbon_sim::minimal::Costs;

use super::minimal::{costs, drawn, size};
use crate::args::lab_minimal::MinimalTree;
use crate::report::Failure;

/// Positions if not said otherwise.
const POSITIONS: usize = 8;
/// Windows as in games.
const WIDER: i16 = 25;

pub(crate) fn run(args: &MinimalTree) -> Result<(), Failure> {
    let (depth, reach) = size(args)?;
    let positions = drawn(args, args.count.unwrap_or(POSITIONS))?;
    let mut plan = LivePlan {
        program: std::env::current_exe().context("this program does not know where it is")?,
        positions,
        width: args.width,
        depth,
        reach,
        wider: WIDER,
        workers: args.live.clone(),
        slots: args.slots,
        rounds: args.rounds,
        costs: costs(args),
    };
    plan.check()?;
    if let Some(position) = plan.positions.first() {
        let measured = measure(position, args.width);
        let (open, judge) = (measured.open as u64, measured.judge as u64);
        let (visit, item) = (measured.visit as u64, measured.item as u64);
        plan.costs = Costs { visit, open, judge, item, ..plan.costs };
    }
    println!("workers  tree    by one      live   virtual    error   live nodes   virtual nodes");
    let rows = compare(&plan, show)?;
    for &workers in &plan.workers {
        let errors: Vec<f64> =
            rows.iter().filter(|row| row.workers == workers).map(LiveRow::error).collect();
        let (live, predicted) = sums(&rows, workers);
        let size = errors.iter().map(|error| error.abs()).sum::<f64>() / errors.len() as f64;
        println!(
            "{workers} workers: all trees together {:+.1} %, one tree {:.1} % whichever way",
            100.0 * (predicted / live - 1.0),
            100.0 * size
        );
    }
    Ok(())
}

/// Seconds of all trees, live and virtual.
fn sums(rows: &[LiveRow], workers: usize) -> (f64, f64) {
    let rows = rows.iter().filter(|row| row.workers == workers);
    rows.fold((0.0, 0.0), |(live, predicted), row| {
        (live + row.middle().as_secs_f64(), predicted + row.predicted.as_secs_f64())
    })
}

fn show(row: &LiveRow) {
    println!(
        "{:7} {:5} {:7.2} s {:7.2} s {:7.2} s {:+6.1} % {:12} {:15}",
        row.workers,
        row.position + 1,
        row.alone.as_secs_f64(),
        row.middle().as_secs_f64(),
        row.predicted.as_secs_f64(),
        100.0 * row.error(),
        row.nodes.0,
        row.nodes.1
    );
}
