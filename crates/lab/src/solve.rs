//! Positions with a known best move: how many the built-in chess engine finds.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use anyhow::{Context, Result};
use senbon_games::Evaluator;
use senbon_games::chess::{Chess, Epd};
use senbon_search::{Free, Request, Searcher, Signals, Table};

/// The engine's answer to one position.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The position's name, or its number.
    pub name: String,
    /// The move chosen, in algebraic notation.
    pub chosen: String,
    /// Whether it is one of the best moves and none of those to avoid.
    pub solved: bool,
    /// Nodes after which the engine settled on its final choice.
    pub settled_nodes: u64,
}

/// Reads positions with `bm` or `am`, one EPD a line.
pub fn read(text: &str) -> Result<Vec<Epd>> {
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    lines
        .map(|(index, line)| {
            let epd = Epd::parse(line).with_context(|| format!("line {}", index + 1))?;
            for code in ["bm", "am"] {
                epd.moves(code).with_context(|| format!("line {}", index + 1))?;
            }
            Ok(epd)
        })
        .collect()
}

/// Searches each position for `nodes` nodes on a fresh table, `threads` positions at a time.
/// `tell` hears each answer as it comes; the answers are returned in the order of `epds`.
pub fn solve<E: Evaluator<Chess>>(
    epds: &[Epd],
    nodes: u64,
    table_mib: usize,
    threads: usize,
    evaluator: impl Fn() -> E + Sync,
    tell: impl FnMut(&Answer) + Send,
) -> Vec<Answer> {
    let next = AtomicUsize::new(0);
    let answers: Mutex<Vec<(usize, Answer)>> = Mutex::new(Vec::new());
    let tell = Mutex::new(tell);
    std::thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            scope.spawn(|| {
                while let Some((index, epd)) = {
                    let index = next.fetch_add(1, Relaxed);
                    epds.get(index).map(|epd| (index, epd))
                } {
                    let answer = answer(epd, index, nodes, table_mib, evaluator());
                    if let Ok(mut tell) = tell.lock() {
                        tell(&answer);
                    }
                    if let Ok(mut answers) = answers.lock() {
                        answers.push((index, answer));
                    }
                }
            });
        }
    });
    let mut answers = answers.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    answers.sort_by_key(|&(index, _)| index);
    answers.into_iter().map(|(_, answer)| answer).collect()
}

fn answer<E: Evaluator<Chess>>(
    epd: &Epd,
    index: usize,
    nodes: u64,
    table_mib: usize,
    evaluator: E,
) -> Answer {
    let mut searcher = Searcher::new(evaluator, Table::with_mib(table_mib).into());
    let request = Request { nodes: Some(nodes), ..Request::default() };
    let mut settled = (None, 0);
    let found =
        searcher.search(&epd.position, &request, &Signals::default(), &mut Free, |progress| {
            if settled.0 != progress.line.moves.first().copied() {
                settled = (progress.line.moves.first().copied(), progress.nodes);
            }
        });
    let name = epd.text("id").map_or_else(|| format!("{}", index + 1), str::to_owned);
    let Some(chosen) = found.best() else {
        return Answer { name, chosen: "none".to_owned(), solved: false, settled_nodes: 0 };
    };
    let among = |code: &str| epd.moves(code).is_ok_and(|moves| moves.contains(&chosen));
    let solved = (epd.operation("bm").is_none() || among("bm")) && !among("am");
    Answer { name, chosen: epd.position.format_san(chosen), solved, settled_nodes: settled.1 }
}
