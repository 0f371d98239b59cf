//! `senbon perft`: the count under each move as it comes, then the total.

use std::io::Write;

use senbon_games::chess::Chess;
use senbon_games::go::Go;
use senbon_games::shogi::Shogi;
use senbon_games::{Notation, perft};
use serde_json::{Map, json};

use crate::args::{GameName, Perft};
use crate::report::Failure;

pub(crate) fn run(args: &Perft) -> Result<(), Failure> {
    match args.game {
        GameName::Chess => count::<Chess>(args),
        GameName::Shogi => count::<Shogi>(args),
        GameName::Go => count::<Go>(args),
    }
}

fn count<G: Notation>(args: &Perft) -> Result<(), Failure> {
    let mut position = match &args.position {
        None => G::start(),
        Some(text) => {
            G::parse_position(text).map_err(|e| Failure::notation("position", text, &e))?
        }
    };
    let mut out = std::io::stdout().lock();
    let mut by_move = Map::new();
    let mut total = u64::from(args.depth == 0);
    if args.depth > 0 {
        for mv in position.moves() {
            let name = position.format_move(mv);
            let undo = position.play(mv);
            let leaves = perft(&mut position, args.depth - 1);
            position.take_back(mv, undo);
            total += leaves;
            if args.json {
                by_move.insert(name, leaves.into());
            } else {
                writeln!(out, "{name} {leaves}")?;
            }
        }
    }
    if args.json {
        let position = position.format_position();
        let object = json!({
            "game": G::NAME, "position": position, "depth": args.depth,
            "moves": by_move, "total": total,
        });
        writeln!(out, "{object}")?;
    } else {
        writeln!(out, "total {total}")?;
    }
    Ok(())
}
