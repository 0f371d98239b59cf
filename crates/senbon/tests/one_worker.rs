//! One worker and no restriction cost nothing: `senbon uci` on one Stockfish answers what
//! Stockfish itself answers with the same number of nodes.
#![allow(clippy::disallowed_methods, clippy::unwrap_used)]

mod support;

use senbon_engines::universal::Dialect;
use senbon_testkit::{engine, long, reference_text};
use support::Engine;

const NODES: u32 = 20_000;

/// The answer in a game that begins here, so that nothing is remembered.
fn ask(engine: &mut Engine, position: &str) -> (String, Option<String>) {
    engine.say("ucinewgame\nisready");
    engine.until("readyok");
    let answer = engine.ask(&format!("position fen {position}\ngo nodes {NODES}"));
    (answer.text().to_owned(), answer.ponder)
}

#[test]
fn one_stockfish_behind_senbon_answers_as_by_itself() {
    let Some(positions) = reference_text("chess/wac300.epd") else { return };
    let Some(stockfish) = engine("stockfish") else { return };
    let stockfish = stockfish.to_str().unwrap();
    let arguments = ["uci", "--engine", stockfish, "--workers", "1", "--hash", "16"];
    let mut ours = Engine::start(&arguments, Dialect::Uci);
    ours.say("uci");
    ours.until("uciok");
    let mut alone = Engine::start_program(stockfish, &[], Dialect::Uci);
    alone.say("uci\nsetoption name Hash value 16");
    alone.until("uciok");
    let step = if long() { 1 } else { 20 };
    let mut asked = 0;
    let mut differ = Vec::new();
    for line in positions.lines().filter(|line| !line.trim().is_empty()).step_by(step) {
        let fields: Vec<_> = line.split_whitespace().take(4).collect();
        let position = format!("{} 0 1", fields.join(" "));
        let (own, behind) = (ask(&mut alone, &position), ask(&mut ours, &position));
        asked += 1;
        if own.0 != behind.0 {
            differ.push(format!("{position}: {own:?} alone, {behind:?} behind senbon"));
        }
    }
    println!("{} of {asked} positions answered as Stockfish does", asked - differ.len());
    assert!(asked >= 15);
    assert!(differ.is_empty(), "{} of {asked} differ:\n{}", differ.len(), differ.join("\n"));
}
