//! `senbon bench`: fixed positions to a fixed depth.
//!
//! The node count is the search's signature: a change that was meant to leave the search
//! alone leaves it alone.

mod positions;

use std::time::{Duration, Instant};

use clap::ValueEnum;
use senbon_games::chess::Chess;
use senbon_games::chess::ChessEvaluator;
use senbon_games::go::{Go, Influence};
use senbon_games::shogi::Shogi;
use senbon_games::shogi::ShogiEvaluator;
use senbon_games::trees::{Regular, TreeValue};
use senbon_games::{Evaluator, Notation, Tactics};
use senbon_search::{Free, Request, Searcher, Signals, Table, Window, alpha_beta};
use serde_json::json;

use crate::args::{Bench, BenchGame};
use crate::report::Failure;

const TABLE_MIB: usize = 16;

/// What one game's positions took.
struct Row {
    game: &'static str,
    positions: usize,
    depth: u32,
    nodes: u64,
    time: Duration,
}

impl Row {
    fn nodes_per_second(&self) -> f64 {
        self.nodes as f64 / self.time.as_secs_f64().max(1e-9)
    }
}

pub(crate) fn run(args: &Bench) -> Result<(), Failure> {
    if !args.json {
        println!(
            "{:<7}{:>10}{:>7}{:>13}{:>9}{:>13}",
            "game", "positions", "depth", "signature", "seconds", "nodes/s"
        );
    }
    let wanted = |game| args.game.is_none_or(|only| only == game);
    let mut rows = Vec::new();
    for game in BenchGame::value_variants().iter().copied().filter(|&g| wanted(g)) {
        let row = match game {
            BenchGame::Chess => measure::<Chess, _>(positions::CHESS, 12, ChessEvaluator::default)?,
            BenchGame::Shogi => measure::<Shogi, _>(positions::SHOGI, 9, ShogiEvaluator::default)?,
            BenchGame::Go => measure::<Go, _>(positions::GO, 6, || Influence)?,
            BenchGame::Trees => measure_trees()?,
        };
        if !args.json {
            let Row { game, positions, depth, nodes, .. } = row;
            let (seconds, speed) = (row.time.as_secs_f64(), row.nodes_per_second());
            println!("{game:<7}{positions:>10}{depth:>7}{nodes:>13}{seconds:>9.2}{speed:>13.0}");
        }
        rows.push(row);
    }
    if args.json {
        let rows: Vec<_> = rows
            .iter()
            .map(|row| {
                json!({ "game": row.game, "positions": row.positions, "depth": row.depth,
                        "signature": row.nodes, "seconds": row.time.as_secs_f64(),
                        "nodes_per_second": row.nodes_per_second() })
            })
            .collect();
        println!("{}", json!({ "hash_mib": TABLE_MIB, "games": rows }));
    }
    Ok(())
}

fn measure<G: Notation + Tactics, E: Evaluator<G>>(
    positions: &[&str],
    depth: u32,
    evaluator: impl Fn() -> E,
) -> Result<Row, Failure> {
    let mut nodes = 0;
    let mut time = Duration::ZERO;
    for text in positions {
        let position =
            G::parse_position(text).map_err(|e| Failure::notation("bench position", text, &e))?;
        let mut searcher = Searcher::new(evaluator(), Table::with_mib(TABLE_MIB).into());
        let request = Request { depth: Some(depth), ..Request::default() };
        let begin = Instant::now();
        let found = searcher.search(&position, &request, &Signals::default(), &mut Free, |_| {});
        time += begin.elapsed();
        nodes += found.nodes;
    }
    Ok(Row { game: G::NAME, positions: positions.len(), depth, nodes, time })
}

/// Regular trees have no use for tables and histories: plain alpha-beta is their search.
fn measure_trees() -> Result<Row, Failure> {
    let mut nodes = 0;
    let mut time = Duration::ZERO;
    for text in positions::TREES {
        let mut tree =
            Regular::parse_position(text).map_err(|e| Failure::notation("bench tree", text, &e))?;
        let begin = Instant::now();
        let open = Window::OPEN;
        let found = alpha_beta(&mut tree, positions::TREE_DEPTH, open, &mut TreeValue, &mut Free);
        time += begin.elapsed();
        nodes += found.nodes.total();
    }
    let (positions, depth) = (positions::TREES.len(), positions::TREE_DEPTH);
    Ok(Row { game: "trees", positions, depth, nodes, time })
}
