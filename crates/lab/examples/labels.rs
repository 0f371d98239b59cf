//! Makes labelled positions for tuning: `labels chess|shogi GAMES SEED OPENINGS ENGINE [ARG…]`
//! writes them to standard output, one to a line. OPENINGS is a file with a position on each
//! line; the engine speaks UCI (chess) or USI (shogi).
#![allow(clippy::disallowed_methods)] // It reads a file and starts an engine.

use std::io::Write;

use anyhow::{Context, Result, bail};
use senbon_engines::process::{EngineCommand, EngineLine};
use senbon_games::{Rng, chess::Chess, shogi::Shogi};
use senbon_lab::labels::{Terms, one_game};
use senbon_lab::matches::{EnginePlayer, MatchGame};

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [game, games, seed, openings, command @ ..] = &arguments[..] else {
        bail!("usage: labels chess|shogi GAMES SEED OPENINGS ENGINE [ARG…]");
    };
    let openings = std::fs::read_to_string(openings).with_context(|| openings.clone())?;
    let (games, seed) = (games.parse()?, seed.parse()?);
    match game.as_str() {
        "chess" => make::<Chess>(games, seed, &openings, command, Terms::default()),
        "shogi" => make::<Shogi>(games, seed, &openings, command, shogi_terms()),
        _ => bail!("no labels are made for {game}"),
    }
}

/// Shogi games are longer, and more is at stake with every piece.
fn shogi_terms() -> Terms {
    Terms { nodes: 600, random_plies: 8, longest_plies: 256, decided_value: 2_500 }
}

fn make<G: MatchGame>(
    games: usize,
    seed: u64,
    openings: &str,
    command: &[String],
    terms: Terms,
) -> Result<()>
where
    G::Undo: Send,
{
    let read = |line: &str| G::parse_position(line).with_context(|| line.to_owned());
    let mut starts: Vec<G> = openings.lines().map(read).collect::<Result<_>>()?;
    starts.push(G::start());
    let line: EngineLine = command.join(" ").parse()?;
    let mut engine = EnginePlayer::start(EngineCommand::new(&line, G::DIALECT, G::NAME, 16, 1));
    let mut rng = Rng::new(seed);
    let mut out = std::io::stdout().lock();
    for _ in 0..games {
        for label in one_game(&mut engine, &starts, &terms, &mut rng)? {
            writeln!(out, "{}", label.to_line())?;
        }
    }
    Ok(())
}
