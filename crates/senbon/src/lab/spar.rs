//! `senbon lab spar`: a built-in engine against another program.

use std::fs;

use anyhow::Context;
use senbon_games::chess::Chess;
use senbon_games::chess::ChessEvaluator;
use senbon_games::shogi::Shogi;
use senbon_games::shogi::ShogiEvaluator;
use senbon_games::{Evaluator, Notation, Rng, Side, Tactics};
use senbon_lab::score::Score;
use senbon_lab::sparring::{Dialect, Opponent, Played, Terms, series};
use serde_json::json;

use crate::args::EngineGame;
use crate::args::lab::Spar;
use crate::report::Failure;

use super::option;

/// Plies of a random opening when no file is given.
const RANDOM_PLIES: usize = 8;

pub(crate) fn run(args: &Spar) -> Result<(), Failure> {
    match args.game {
        EngineGame::Chess => spar::<Chess, _>(args, Dialect::Uci, ChessEvaluator::default),
        EngineGame::Shogi => spar::<Shogi, _>(args, Dialect::Usi, ShogiEvaluator::default),
    }
}

fn spar<G: Notation + Tactics, E: Evaluator<G>>(
    args: &Spar,
    dialect: Dialect,
    evaluator: impl Fn() -> E,
) -> Result<(), Failure> {
    let terms = Terms {
        nodes: args.nodes,
        opponent_nodes: args.opponent_nodes,
        pairs: args.games.div_ceil(2),
        longest_plies: 400,
        table_mib: args.hash,
    };
    let openings = openings::<G>(args)?;
    let command: Vec<String> = args.opponent.split_whitespace().map(str::to_owned).collect();
    let options = args.option.iter().map(|text| option(text)).collect::<Result<Vec<_>, _>>()?;
    let mut opponent = Opponent::start(&command, dialect, &options)?;
    let tell = |score: &Score, played: &Played| {
        if !args.json {
            let side = if played.ours == Side::First { "first" } else { "second" };
            let result = ["lost", "drew", "won"][(played.sign + 1) as usize];
            println!("moving {side} {result} in {} plies: {}", played.plies, played.why);
            if played.ours == Side::Second {
                println!("  before this pair: {score}");
            }
        }
    };
    let score = series(&openings, evaluator, &mut opponent, &terms, tell)?;
    if args.json {
        println!(
            "{}",
            json!({ "game": G::NAME, "opponent": args.opponent, "seed": args.seed,
                    "nodes": terms.nodes, "opponent_nodes": terms.opponent_nodes,
                    "wins": score.wins, "draws": score.draws, "losses": score.losses,
                    "pairs": score.pairs, "rate": score.rate(), "margin": score.margin(),
                    "elo": score.elo() })
        );
    } else {
        println!("{score}");
    }
    Ok(())
}

/// The openings of the file in an order drawn by the seed, or random ones.
fn openings<G: Notation>(args: &Spar) -> Result<Vec<G>, Failure> {
    let mut rng = Rng::new(args.seed);
    let Some(path) = &args.openings else {
        return Ok((0..args.games.div_ceil(2)).map(|_| random_opening(&mut rng)).collect());
    };
    let file = path.display();
    let text = fs::read_to_string(path).with_context(|| format!("cannot read {file}"))?;
    let mut openings = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let opening = opening(line)
            .map_err(|error| Failure::Input(format!("{file}, line {}: {error}", index + 1)))?;
        openings.push(opening);
    }
    if openings.is_empty() {
        return Err(Failure::Input(format!("{file} has no opening")));
    }
    rng.shuffle(&mut openings);
    Ok(openings)
}

/// A position, or `startpos`, each perhaps with `moves …` behind it.
fn opening<G: Notation>(line: &str) -> Result<G, String> {
    let (place, moves) = line.split_once(" moves ").unwrap_or((line, ""));
    let place = place.trim().trim_start_matches("sfen ");
    let mut position = if place == "startpos" {
        G::start()
    } else {
        G::parse_position(place).map_err(|error| error.to_string())?
    };
    for text in moves.split_whitespace() {
        let mv = position.parse_move(text).map_err(|error| format!("move {text}: {error}"))?;
        position.play(mv);
    }
    // The opponent is given the position alone, so history must not matter to us either.
    G::parse_position(&position.format_position()).map_err(|error| error.to_string())
}

fn random_opening<G: Notation>(rng: &mut Rng) -> G {
    loop {
        let mut position = G::start();
        for _ in 0..RANDOM_PLIES {
            let moves: Vec<_> = position.moves().into_iter().collect();
            let Some(&mv) = rng.pick(&moves) else { break };
            position.play(mv);
        }
        if position.outcome().is_none() {
            return position;
        }
    }
}
