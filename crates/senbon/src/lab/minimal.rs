//! `senbon lab minimal-tree`: one search by many workers, in virtual time.

use std::fs;

use anyhow::Context;
use senbon_games::shogi::Shogi;
use senbon_games::{Notation, Rng};
use senbon_lab::matches::read_openings;
use senbon_lab::minimal::{Forest, Plan, csv, markdown, measure, run as search_all};
use senbon_sim::minimal::Costs;

use super::command;
use super::progress::Bar;
use super::rank_frequency::{machine, program};
use crate::args::lab_minimal::{ForestName, MinimalTree};
use crate::report::Failure;

pub(crate) fn run(args: &MinimalTree) -> Result<(), Failure> {
    if args.measure {
        return show_costs(args);
    }
    let plan = plan(args)?;
    let mut bar = Bar::new("searches");
    let rows = search_all(&plan, |progress| bar.show(progress))?;
    bar.end();
    let run = format!("`{}`, {}, on {}.", command(), program(), machine());
    let page = markdown(&plan, &rows, &run);
    for (name, text) in [("minimal-tree.csv", csv(&plan, &rows)), ("minimal-tree.md", page.clone())]
    {
        let path = plan.folder.join(name);
        fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
    }
    print!("{page}");
    Ok(())
}

fn show_costs(args: &MinimalTree) -> Result<(), Failure> {
    let position = positions(args)?.into_iter().next().unwrap_or_else(Shogi::start);
    let costs = measure(&position, args.width);
    println!("a worker's node of a shogi tree     {:9.1} ns", costs.shogi_node);
    println!("a worker's node of a synthetic tree {:9.1} ns", costs.synthetic_node);
    println!("the master's visit                  {:9.1} ns", costs.visit);
    println!("a node of shogi made by the master  {:9.1} ns", costs.make);
    println!("a task handed over                  {:9.1} ns", costs.item);
    Ok(())
}

fn plan(args: &MinimalTree) -> Result<Plan, Failure> {
    let wide = args.width > 10;
    let (depth, reach) = match (args.full, wide) {
        (true, false) => (24, 12),
        (true, true) => (12, 6),
        (false, false) => (16, 6),
        (false, true) => (8, 4),
    };
    let (depth, reach) = (args.depth.unwrap_or(depth), args.reach.unwrap_or(reach));
    if args.width == 0 || !(2..=40).contains(&depth) || reach >= depth {
        let why = format!(
            "a tree has at least one child a node and 2 to 40 plies, fewer of them the master's: \
             not {} children, {depth} plies, {reach} of them the master's",
            args.width
        );
        return Err(Failure::Input(why));
    }
    let usual = if args.full { vec![512, 1_536] } else { vec![16, 64] };
    let workers = if args.workers.is_empty() { usual } else { args.workers.clone() };
    if workers.contains(&0) || args.count == 0 || args.node == 0 {
        return Err(Failure::Input("no workers, no trees, or nodes that take no time".to_owned()));
    }
    let forest = match args.trees {
        ForestName::Synthetic => {
            Forest::Synthetic((0..args.count as u64).map(|more| args.seed + more).collect())
        }
        ForestName::Shogi => Forest::Shogi(positions(args)?),
    };
    let costs = Costs {
        node: args.node,
        visit: args.visit,
        make: args.make,
        message: args.message,
        item: args.item,
        latency: (args.latency * 1_000).max(1),
        entry: args.item,
    };
    Ok(Plan {
        forest,
        width: args.width,
        depth,
        reach,
        workers,
        methods: args.methods.clone(),
        costs,
        remember_from: args.remember_from,
        concurrency: args.concurrency,
        folder: args.out.clone().unwrap_or_default(),
    })
}

/// Where shogi trees begin.
fn positions(args: &MinimalTree) -> Result<Vec<Shogi>, Failure> {
    let Some(path) = &args.positions else { return Ok(vec![Shogi::start()]) };
    let mut rng = Rng::new(args.seed);
    let openings = read_openings::<Shogi>(path, args.plies, args.count, &mut rng)
        .map_err(|error| Failure::Input(error.to_string()))?;
    Ok(openings.iter().take(args.count).map(|opening| opening.position().clone()).collect())
}
