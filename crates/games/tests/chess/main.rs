//! Chess: rules, notation, tactics and files, against published counts and slow oracles.
#![allow(clippy::unwrap_used)] // Helpers of tests fail as tests do.

mod fuzz;
mod notation;
mod perft;
mod pgn;
mod rules;
mod tactics;

#[path = "../support/mod.rs"]
mod support;

use senbon_games::chess::Chess;
use senbon_games::{Game, Notation, Rng};

/// Positions with every special move, pins, checks and promotions close at hand.
const VARIED: [&str; 8] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "2r5/8/8/1K3Pp1/8/6k1/1p6/8 w - g6 0 2",
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
];

fn position(text: &str) -> Chess {
    Chess::parse_position(text).unwrap_or_else(|e| panic!("{text}: {e}"))
}

/// The usual start, the varied positions, and some starts of Chess960.
fn starts(rng: &mut Rng) -> Vec<Chess> {
    let mut starts: Vec<Chess> = VARIED.iter().map(|text| position(text)).collect();
    for _ in 0..8 {
        starts.extend(Chess::chess960_start(rng.below(960) as u32));
    }
    starts
}

/// Calls `check` at every position of random games.
fn walk(games: usize, plies: usize, seed: u64, mut check: impl FnMut(&Chess)) {
    let mut rng = Rng::new(seed);
    let starts = starts(&mut rng);
    for game in 0..games {
        let mut position = starts[game % starts.len()].clone();
        for _ in 0..plies {
            check(&position);
            let moves = position.moves();
            let Some(&mv) = rng.pick(&moves) else { break };
            position.play(mv);
        }
    }
}

/// Plays moves in UCI notation.
fn play_all(position: &mut Chess, moves: &str) {
    for text in moves.split_whitespace() {
        let mv = position.parse_move(text).unwrap_or_else(|e| panic!("{text}: {e}"));
        position.play(mv);
    }
}
