//! `senbon lab minimal-tree`: one search by many workers, in virtual time.

use std::fs;

use anyhow::Context;
use senbon_games::Notation;
use senbon_games::shogi::Shogi;
use senbon_lab::minimal::{
    Forest, Method, Plan, Results, Sample, csv, figures, json, markdown, measure, positions,
    run as search_all,
};
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
    if !args.live.is_empty() {
        return super::minimal_live::run(args);
    }
    let plan = plan(args)?;
    let mut bar = Bar::new("searches");
    let results = search_all(&plan, |progress| bar.show(progress))?;
    bar.end();
    let run = format!("`{}`, {}, on {}.", command(), program(), machine());
    let page = markdown(&plan, &results, &run);
    write(&plan, &results, &page)?;
    if args.json {
        println!("{}", json(&plan, &results));
    } else {
        print!("{page}");
    }
    Ok(())
}

fn write(plan: &Plan, results: &Results, page: &str) -> Result<(), Failure> {
    let mut files = vec![("minimal-tree.md".to_owned(), page.to_owned())];
    files.extend(csv(plan, results).into_iter().map(|(name, text)| (format!("{name}.csv"), text)));
    let pictures = figures(plan, results).into_iter();
    files.extend(pictures.map(|(name, picture)| (format!("{name}.svg"), picture)));
    for (name, text) in files {
        let path = plan.folder.join(name);
        fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(())
}

fn show_costs(args: &MinimalTree) -> Result<(), Failure> {
    let position = drawn(args, 1)?.into_iter().next().unwrap_or_else(Shogi::start);
    let costs = measure(&position, args.width);
    println!("a worker's node of a shogi tree     {:9.1} ns", costs.shogi_node);
    println!("a worker's node of a synthetic tree {:9.1} ns", costs.synthetic_node);
    println!("the master's visit                  {:9.1} ns", costs.visit);
    println!("its list of a shogi node's children {:9.1} ns", costs.open);
    println!("a shogi node judged by it           {:9.1} ns", costs.judge);
    println!("a task handed over                  {:9.1} ns", costs.item);
    println!("a message from thread to thread     {:9.1} ns", costs.handover);
    println!("the way from thread to thread       {:9.1} us", costs.wake / 1_000.0);
    println!("a node of two that share a memory   {:9.3} of one that does not", costs.shared);
    Ok(())
}

fn plan(args: &MinimalTree) -> Result<Plan, Failure> {
    let is_shogi = args.trees == ForestName::Shogi;
    let (depth, reach) = size(args)?;
    let usual = if args.full { vec![512, 1_536] } else { vec![16, 64] };
    let workers = if args.workers.is_empty() { usual } else { args.workers.clone() };
    let count = args.count.unwrap_or(if is_shogi { 32 } else { 4 });
    if workers.contains(&0) || count == 0 || args.node == 0 {
        return Err(Failure::Input("no workers, no trees, or nodes that take no time".to_owned()));
    }
    if args.foremen == 0 && methods(args).iter().any(|method| method.has_crews()) {
        let why = "crews are those of foremen: say how many machines there are with --foremen";
        return Err(Failure::Input(why.to_owned()));
    }
    if let Some(start) = args.start.filter(|&start| start > reach) {
        let why = format!("a master's tree of {reach} plies cannot begin with {start} (--start)");
        return Err(Failure::Input(why));
    }
    let seeds = |count: usize| (0..count as u64).map(|more| args.seed + more).collect();
    let shogi = drawn(args, count.max(args.ordering))?;
    let first = |count: usize| shogi.iter().take(count).cloned().collect();
    let forest =
        if is_shogi { Forest::Shogi(first(count)) } else { Forest::Synthetic(seeds(count)) };
    let has_positions = is_shogi || args.positions.is_some();
    let ordering = Sample {
        synthetic: seeds(args.ordering),
        shogi: if has_positions { first(args.ordering) } else { Vec::new() },
    };
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    let at_once = || if args.full { 1 } else { cores() };
    Ok(Plan {
        forest,
        width: args.width,
        depth,
        reach,
        start: args.start,
        hurries: args.hurry,
        stride: args.stride,
        alone_stride: args.alone_stride,
        scouts: args.alone_scouts,
        workers,
        foremen: args.foremen,
        methods: methods(args),
        analysis: (is_shogi || args.analysis) && !args.no_analysis,
        ordering,
        costs: costs(args),
        remember_from: args.remember_from,
        pool: args.pool << 20,
        concurrency: args.concurrency.unwrap_or_else(at_once),
        folder: args.out.clone().unwrap_or_default(),
    })
}

/// d and d'.
pub(super) fn size(args: &MinimalTree) -> Result<(u8, u8), Failure> {
    let is_wide = args.width > 10;
    let (depth, reach) = match (args.full, args.trees, is_wide) {
        (true, _, false) => (24, 12),
        (true, _, true) => (12, 6),
        (false, ForestName::Synthetic, false) => (16, 6),
        (false, ForestName::Synthetic, true) => (8, 4),
        (false, ForestName::Shogi, false) => (12, 6),
        (false, ForestName::Shogi, true) => (6, 2),
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
    Ok((depth, reach))
}

/// The methods that the tables need, if none are named: ways do not meet in synthetic trees, so
/// that there is nothing to share.
fn methods(args: &MinimalTree) -> Vec<Method> {
    if !args.methods.is_empty() {
        return args.methods.clone();
    }
    let mut methods = vec![Method::Published, Method::WithoutUpdates];
    if args.trees == ForestName::Shogi {
        methods.push(Method::Share);
    }
    methods.extend([Method::NegaScout, Method::Epsilon(50), Method::InStep(50)]);
    methods.push(Method::Growing(50));
    methods
}

pub(super) fn costs(args: &MinimalTree) -> Costs {
    Costs {
        node: args.node,
        visit: args.visit,
        open: args.open,
        judge: args.judge,
        message: args.message,
        item: args.item,
        latency: (args.latency * 1_000).max(1),
        handover: args.handover,
        wake: (args.wake * 1_000).max(1),
        entry: args.item,
    }
}

/// Where shogi trees begin.
pub(super) fn drawn(args: &MinimalTree, count: usize) -> Result<Vec<Shogi>, Failure> {
    let Some(path) = &args.positions else { return Ok(vec![Shogi::start()]) };
    positions(path, args.plies, count, args.seed)
        .map_err(|error| Failure::Input(format!("{error:#}")))
}
