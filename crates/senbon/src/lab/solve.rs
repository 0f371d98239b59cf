//! `senbon lab solve`: known best moves against a node limit.

use std::fs;

use anyhow::Context;
use senbon_games::chess::ChessEvaluator;
use senbon_lab::solve::{Answer, read, solve};
use serde_json::json;

use crate::args::lab::Solve;
use crate::report::Failure;

pub(crate) fn run(args: &Solve) -> Result<(), Failure> {
    let file = args.file.display();
    let text = fs::read_to_string(&args.file).with_context(|| format!("cannot read {file}"))?;
    let epds = read(&text).map_err(|error| Failure::Input(format!("{file}: {error:#}")))?;
    let mut done = 0;
    let total = epds.len();
    let tell = |answer: &Answer| {
        done += 1;
        if !args.json {
            let mark = if answer.solved { "solved" } else { "FAILED" };
            println!("{done}/{total} {mark} {} {}", answer.name, answer.chosen);
        }
    };
    let threads = args.threads.unwrap_or_else(available_threads);
    let evaluator = ChessEvaluator::default;
    let answers = solve(&epds, args.nodes, args.hash, threads, evaluator, tell);
    let solved = answers.iter().filter(|answer| answer.solved).count();
    if args.json {
        let failed: Vec<_> = answers.iter().filter(|a| !a.solved).map(|a| &a.name).collect();
        println!(
            "{}",
            json!({ "file": file.to_string(), "nodes": args.nodes, "hash_mib": args.hash,
                    "solved": solved, "positions": total, "failed": failed })
        );
    } else {
        println!("solved {solved} of {total} at {} nodes each", args.nodes);
    }
    Ok(())
}

fn available_threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}
