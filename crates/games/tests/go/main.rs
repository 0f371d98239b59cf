//! Go: rules, counting, notation, records and playouts, against slow oracles, an independent
//! board and reference files.
#![allow(clippy::unwrap_used)] // Helpers of tests fail as tests do.

mod contract;
mod count;
mod evaluate;
mod life;
mod naive;
mod peer;
mod playout;
mod records;
mod rules;
mod text;

#[path = "../support/mod.rs"]
mod support;

use senbon_games::go::{Go, Ko, Komi, Move, Rows, Rules, parse_vertex};
use senbon_games::{Game, Notation};

fn position(text: &str) -> Go {
    Go::parse_position(text).unwrap_or_else(|e| panic!("{text}: {e}"))
}

/// Every combination of ko rule and suicide, with area scoring.
fn all_rules() -> Vec<Rules> {
    let kos = [Ko::Simple, Ko::Positional, Ko::Situational];
    let both = |ko| [false, true].map(|suicide| Rules { ko, suicide, ..Rules::CHINESE });
    kos.into_iter().flat_map(both).collect()
}

/// Plays moves given by their names, all of which must be legal.
fn play_all(go: &mut Go, names: &str) {
    for name in names.split_whitespace() {
        let mv = go.parse_move(name).unwrap_or_else(|e| panic!("{name}: {e}: {go:?}"));
        go.play(mv);
    }
}

fn mv(go: &Go, name: &str) -> Move {
    match name {
        "pass" => Move::PASS,
        _ => Move::at(parse_vertex(name, go.size()).unwrap()),
    }
}

/// The points with these names.
fn points(go: &Go, names: &str) -> Rows {
    names.split_whitespace().map(|name| parse_vertex(name, go.size()).unwrap()).collect()
}

fn no_komi(rules: Rules) -> Rules {
    rules.with_komi(Komi::from_halves(0).unwrap())
}
