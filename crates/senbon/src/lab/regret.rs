//! `senbon lab regret`: what the moves of many workers cost, and how much faster than one
//! worker they are.

use std::fs;
use std::time::Duration;

use anyhow::Context;
use senbon_games::Rng;
use senbon_games::chess::Chess;
use senbon_games::shogi::Shogi;
use senbon_lab::matches::{MatchGame, Pace};
use senbon_lab::regret::{
    Figure, Plan, Positions, Results, csv, json, markdown, measure, positions_csv, summary, svg,
};

use super::command;
use super::progress::Bar;
use super::rank_frequency::{machine, program};
use crate::args::EngineGame;
use crate::args::regret::Regret;
use crate::report::Failure;

/// A reference should have so many times the nodes of the longest search that it judges.
const ENOUGH: f64 = 2.0;

pub(crate) fn run(args: &Regret) -> Result<(), Failure> {
    match args.game {
        EngineGame::Chess => compare::<Chess>(args),
        EngineGame::Shogi => compare::<Shogi>(args),
    }
}

fn compare<G>(args: &Regret) -> Result<(), Failure>
where
    G: MatchGame + Sync,
    G::Undo: Send,
{
    let plan = plan(args)?;
    let longest = plan.longest_nodes();
    if (plan.reference_nodes as f64) < ENOUGH * longest {
        eprintln!(
            "the reference of {} nodes is hardly deeper than the ruler, which ends at {longest:.0}; \
             give --reference-nodes several times that, or a shorter --ruler",
            plan.reference_nodes
        );
    }
    let mut rng = Rng::new(args.seed);
    let positions = Positions::<G>::read(&args.positions, args.plies, plan.count, &mut rng)
        .map_err(|error| Failure::Input(error.to_string()))?;
    fs::create_dir_all(&args.out)
        .with_context(|| format!("cannot make the folder {}", args.out.display()))?;
    let mut shown: Option<(_, Bar)> = None;
    let measured = measure(&plan, positions, |stage, progress| {
        if shown.as_ref().is_none_or(|(before, _)| *before != stage) {
            shown.iter().for_each(|(_, bar)| bar.end());
            shown = Some((stage, Bar::new(stage.name())));
        }
        if let Some((_, bar)) = &mut shown {
            bar.show(&progress);
        }
    });
    shown.iter().for_each(|(_, bar)| bar.end());
    let results = measured?;
    write(args, &plan, &results)?;
    show(args, &plan, &results);
    Ok(())
}

fn plan(args: &Regret) -> Result<Plan, Failure> {
    let move_time = Duration::try_from_secs_f64(args.move_time)
        .map_err(|error| Failure::Input(format!("--move-time {}: {error}", args.move_time)))?;
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    let in_folder = |name: &str| args.out.join(name);
    Ok(Plan {
        teams: args.teams.iter().flat_map(|teams| teams.0.clone()).collect(),
        times: args.times.clone(),
        ruler: args.ruler.clone(),
        move_time,
        pace: Pace {
            nodes_per_second: args.speed,
            table_bytes: args.hash.max(1) << 10,
            ponder: args.warm,
        },
        table: args.rank_table.table().clone(),
        warm: args.warm,
        count: args.count as usize,
        decided: args.decided,
        reference_nodes: args.reference_nodes,
        concurrency: args.concurrency.unwrap_or_else(cores).max(1),
        seed: args.seed,
        tag: args.tag.clone().unwrap_or_else(program),
        references: args.references.clone().unwrap_or_else(|| in_folder("references.jsonl")),
        choices: in_folder("choices.jsonl"),
    })
}

fn write(args: &Regret, plan: &Plan, results: &Results) -> Result<(), Failure> {
    let run = format!("`{}`, {}, on {}.", command(), program(), machine());
    for (name, text) in [
        ("regret.csv", csv(results)),
        ("regret-positions.csv", positions_csv(results)),
        ("regret.md", markdown(plan, results, &run)),
        ("regret.svg", svg(Figure::Regret, results)),
        ("regret-speedup.svg", svg(Figure::Speedup, results)),
    ] {
        let path = args.out.join(name);
        fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(())
}

fn show(args: &Regret, plan: &Plan, results: &Results) {
    if args.json {
        println!("{}", json(plan, results));
        return;
    }
    let count = results.positions.len();
    if count < plan.count {
        eprintln!("{count} positions instead of {}: there are no more", plan.count);
    }
    let [references, choices, values] = results.searched;
    println!("{count} positions, choices of '{}'", plan.tag);
    print!("{}", summary(results));
    println!(
        "searched in this run: {references} positions, {choices} choices, {values} moves; the \
         rest was in the journals\nwritten to {}",
        args.out.join("regret.md").display()
    );
}
