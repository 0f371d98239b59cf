//! `senbon lab pgpp`: many workers against one, in virtual time.

use std::fs;
use std::time::Duration;

use anyhow::Context;
use senbon_games::Rng;
use senbon_games::chess::Chess;
use senbon_games::shogi::Shogi;
use senbon_lab::matches::{EngineKind, MatchGame, Pace, read_openings};
use senbon_lab::pgpp::{Figure, Plan, Point, csv, markdown, measure, svg};

use super::command;
use super::rank_frequency::{machine, program};
use crate::args::EngineGame;
use crate::args::lab::Pgpp;
use crate::quanta;
use crate::report::Failure;

pub(crate) fn run(args: &Pgpp) -> Result<(), Failure> {
    match args.game {
        EngineGame::Chess => play::<Chess>(args),
        EngineGame::Shogi => play::<Shogi>(args),
    }
}

fn play<G>(args: &Pgpp) -> Result<(), Failure>
where
    G: MatchGame + Sync,
    G::Undo: Send,
{
    let engine = quanta::engine::<G>(&args.quanta, args.hash.div_ceil(1_024))?;
    let plan = plan(args, engine)?;
    let pairs = args.games.div_ceil(2);
    let openings = read_openings::<G>(&args.openings, args.plies, pairs, &mut Rng::new(args.seed))
        .map_err(|error| Failure::Input(error.to_string()))?;
    let points = measure(&plan, &openings, |point, index, all| {
        let played = point.score.games() as usize;
        if played.is_multiple_of(10) || played >= plan.games {
            println!(
                "point {} of {all}  {}:{}  {}",
                index + 1,
                point.arm,
                point.workers,
                point.score
            );
        }
        true
    })?;
    write(args, &plan, &points)?;
    for Point { arm, workers, score, utility } in &points {
        let utility = utility.map_or(String::new(), |utility| format!("  foresight {utility:.2}"));
        println!("{arm}:{workers}  {score}{utility}");
    }
    Ok(())
}

fn plan(args: &Pgpp, engine: Option<EngineKind>) -> Result<Plan, Failure> {
    let move_time = Duration::try_from_secs_f64(args.move_time)
        .map_err(|error| Failure::Input(format!("--move-time {}: {error}", args.move_time)))?;
    if !(0.0..1.0).contains(&args.penalty) {
        return Err(Failure::Input(format!("--penalty {} is not from 0 to 1", args.penalty)));
    }
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    Ok(Plan {
        arms: args.arms.clone(),
        workers: args.workers.iter().copied().map(usize::from).collect(),
        games: args.games,
        concurrency: args.concurrency.unwrap_or_else(cores),
        pace: Pace {
            nodes_per_second: args.speed,
            table_bytes: args.hash.max(1) << 10,
            ponder: true,
        },
        engine,
        move_time,
        penalty: args.penalty,
        table: args.rank_table.table().clone(),
        seed: args.seed,
        folder: args.out.clone(),
    })
}

fn write(args: &Pgpp, plan: &Plan, points: &[Point]) -> Result<(), Failure> {
    let run = format!("`{}`, {}, on {}.", command(), program(), machine());
    for (name, text) in [
        ("pgpp.csv", csv(points)),
        ("pgpp.md", markdown(plan, points, &run)),
        ("pgpp-rate.svg", svg(Figure::Rate, points)),
        ("pgpp-utility.svg", svg(Figure::Utility, points)),
    ] {
        let path = args.out.join(name);
        fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(())
}
