//! Lets a built-in engine play pairs of games against another program, both at a fixed number
//! of nodes: `spar shogi PAIRS NODES OPPONENT_NODES SEED OPENINGS ENGINE [ARG…]`. OPENINGS is
//! a file with a position on each line; the engine speaks USI (shogi).
#![allow(clippy::disallowed_methods)] // It reads a file and starts an engine.

use anyhow::{Context, Result, bail};
use senbon_games::shogi::{Shogi, ShogiEvaluator};
use senbon_games::{Evaluator, Notation, Rng, Tactics};
use senbon_lab::sparring::{Dialect, Opponent, Terms, series};

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [game, pairs, nodes, opponent_nodes, seed, openings, command @ ..] = &arguments[..] else {
        bail!("usage: spar shogi PAIRS NODES OPPONENT_NODES SEED OPENINGS ENGINE [ARG…]");
    };
    let openings = std::fs::read_to_string(openings).with_context(|| openings.clone())?;
    let terms = Terms {
        nodes: nodes.parse()?,
        opponent_nodes: opponent_nodes.parse()?,
        pairs: pairs.parse()?,
        longest_plies: 400,
        table_mib: 16,
    };
    let mut rng = Rng::new(seed.parse()?);
    match game.as_str() {
        "shogi" => {
            spar::<Shogi, ShogiEvaluator>(&openings, command, Dialect::Usi, &terms, &mut rng)
        }
        _ => bail!("there is no built-in engine for {game}"),
    }
}

fn spar<G: Notation + Tactics, E: Evaluator<G> + Default>(
    openings: &str,
    command: &[String],
    dialect: Dialect,
    terms: &Terms,
    rng: &mut Rng,
) -> Result<()> {
    let read = |line: &str| G::parse_position(line).with_context(|| line.to_owned());
    let mut openings: Vec<G> = openings.lines().map(read).collect::<Result<_>>()?;
    rng.shuffle(&mut openings);
    let mut opponent = Opponent::start(command, dialect, &[])?;
    let score = series(&openings, E::default, &mut opponent, terms, |score, played| {
        println!("{:+} in {} plies, {} ({score})", played.sign, played.plies, played.why);
    })?;
    println!("{score}");
    Ok(())
}
