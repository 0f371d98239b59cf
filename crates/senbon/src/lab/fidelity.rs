//! `senbon lab fidelity`: the virtual world against the live one.

use std::fs;
use std::time::Instant;

use anyhow::Context;
use senbon_engines::builtin::BuiltIn;
use senbon_games::chess::Chess;
use senbon_games::shogi::Shogi;
use senbon_lab::fidelity::{Comparison, Measured, Plan, csv, markdown, measure};
use senbon_lab::progress::Progress;
use serde_json::{Value, json};

use super::command;
use super::progress::Bar;
use super::rank_frequency::{machine, program};
use crate::args::EngineGame;
use crate::args::lab::Fidelity;
use crate::report::Failure;

pub(crate) fn run(args: &Fidelity) -> Result<(), Failure> {
    match args.game {
        EngineGame::Chess => compare::<Chess>(args),
        EngineGame::Shogi => compare::<Shogi>(args),
    }
}

fn compare<G>(args: &Fidelity) -> Result<(), Failure>
where
    G: BuiltIn + Sync,
    G::Undo: Send,
{
    let plan = Plan {
        strategy: args.strategy.into(),
        workers: args.workers.iter().copied().map(usize::from).collect(),
        positions: args.positions,
        move_time: args.move_time,
        table_mib: args.hash,
        nodes_per_second: args.speed,
        seed: args.seed,
    };
    let (mut bar, began) = (Bar::new("positions"), Instant::now());
    let measured = measure::<G>(&plan, |done, total| {
        bar.show(&Progress { done, fresh: done, total, time: began.elapsed() });
        true
    });
    bar.end();
    let measured = measured?;
    write(args, &plan, &measured)?;
    let comparisons: Vec<_> =
        plan.workers.iter().flat_map(|&workers| measured.comparisons(workers)).collect();
    if args.json {
        let told: Vec<_> = comparisons.iter().map(as_json).collect();
        println!(
            "{}",
            json!({ "game": G::NAME, "positions": args.positions,
                    "move_time": args.move_time.as_secs_f64(),
                    "nodes_per_second": measured.nodes_per_second, "comparisons": told })
        );
        return Ok(());
    }
    println!("a virtual worker searches {} nodes a second", measured.nodes_per_second);
    for error in &comparisons {
        println!(
            "{} workers, {}: {} of {} moves the same, nodes {:.3} times, error in nodes {:.1} % \
             (median {:.1} %), in speed {:.1} % (median {:.1} %), depth {:+.2}",
            error.workers,
            error.pair.name(),
            error.same_moves,
            error.positions,
            error.nodes_ratio,
            100.0 * error.nodes.mean,
            100.0 * error.nodes.median,
            100.0 * error.speed.mean,
            100.0 * error.speed.median,
            error.depth
        );
    }
    Ok(())
}

fn as_json(error: &Comparison) -> Value {
    json!({ "workers": error.workers, "runs": error.pair.name(), "positions": error.positions,
            "same_moves": error.same_moves, "nodes_ratio": error.nodes_ratio,
            "nodes_error": { "mean": error.nodes.mean, "median": error.nodes.median },
            "speed_error": { "mean": error.speed.mean, "median": error.speed.median },
            "depth": error.depth })
}

fn write(args: &Fidelity, plan: &Plan, measured: &Measured) -> Result<(), Failure> {
    let Some(folder) = &args.out else { return Ok(()) };
    fs::create_dir_all(folder)
        .with_context(|| format!("cannot make the folder {}", folder.display()))?;
    let run = format!("`{}`, {}, on {}.", command(), program(), machine());
    for (name, text) in
        [("fidelity.md", markdown(plan, measured, &run)), ("fidelity.csv", csv(measured))]
    {
        let path = folder.join(name);
        fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(())
}
