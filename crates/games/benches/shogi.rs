//! Shogi perft through `Game` against the bare generator, in one run, as a ratio; then the
//! cost of what a search asks of every node.
//!
//! `Game::play` also looks for checks, repetition and the key; a ratio of 0.9 or more is what
//! that may cost.

use std::hint::black_box;
use std::ops::ControlFlow;

use senbon_games::shogi::shogi_core::Move;
use senbon_games::shogi::{Shogi, ShogiEvaluator};
use senbon_games::{Evaluator, Game, Notation, Rng, Tactics, perft};
use senbon_testkit::Rates;
use shunsai::Position;

const ROUNDS: usize = 15;

const POSITIONS: [(&str, &str, u32); 3] = [
    ("start", "startpos", 4),
    ("drops", "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1", 3),
    ("full hands", "4k4/9/9/9/9/9/9/9/4K4 b RB2G2S2N2L9Prb2g2s2n2l9p 1", 2),
];

fn main() {
    for (name, sfen, depth) in POSITIONS {
        compare_perft(name, sfen, depth);
    }
    node_costs();
}

fn compare_perft(name: &str, sfen: &str, depth: u32) {
    let mut game = Shogi::parse_position(sfen).expect("the positions are legal");
    let mut bare = game.position().clone();
    let mut buffers = vec![Vec::new(); depth as usize];
    assert_eq!(perft(&mut game, depth), bare_perft(&mut bare, depth, &mut buffers));
    let mut ours = || repeated(|| perft(&mut game, depth));
    let mut theirs = || repeated(|| bare_perft(&mut bare, depth, &mut buffers));
    let rates = Rates::measure(ROUNDS, [&mut ours, &mut theirs]);
    println!(
        "shogi perft {name:<10} {:6.1} Mnps, bare {:6.1} Mnps, ratio {:.2} (wanted: 0.9)",
        rates.rate(0) / 1e6,
        rates.rate(1) / 1e6,
        rates.ratio(0, 1)
    );
}

/// Often enough to be measured: some million leaves.
fn repeated(mut count: impl FnMut() -> u64) -> u64 {
    let mut leaves = 0;
    while leaves < 5_000_000 {
        leaves += black_box(count());
    }
    leaves
}

/// The generator at its best: bulk counts, and one buffer a depth.
fn bare_perft(position: &mut Position, depth: u32, buffers: &mut [Vec<Move>]) -> u64 {
    if depth == 1 {
        let mut count = 0;
        let _ = position.generate_moves(|set| {
            count += set.len() as u64;
            ControlFlow::Continue(())
        });
        return count;
    }
    let (buffer, rest) = buffers.split_first_mut().expect("a buffer for each depth");
    buffer.clear();
    let _ = position.generate_moves(|set| {
        set.write_into(buffer);
        ControlFlow::Continue(())
    });
    let mut leaves = 0;
    for &mv in buffer.iter() {
        let undo = position.do_move(mv);
        leaves += bare_perft(position, depth - 1, rest);
        position.undo_move(mv, undo);
    }
    leaves
}

/// Positions of random games.
fn positions() -> Vec<Shogi> {
    let mut rng = Rng::new(1);
    let mut positions = Vec::new();
    while positions.len() < 2_000 {
        let mut game = Shogi::start();
        for _ in 0..120 {
            let moves = game.moves();
            let Some(&mv) = rng.pick(moves.as_slice()) else { break };
            game.play(mv);
            positions.push(game.clone());
        }
    }
    positions
}

fn node_costs() {
    let positions = positions();
    let each = |mut work: Box<dyn FnMut(&Shogi) -> u64 + '_>| {
        let mut all = || {
            for game in &positions {
                black_box(work(game));
            }
            positions.len() as u64
        };
        1e9 / Rates::measure(ROUNDS, [&mut all]).rate(0)
    };
    let mut evaluator = ShogiEvaluator::default();
    let whole = each(Box::new(|game| {
        evaluator.reset(game);
        evaluator.evaluate(game) as u64
    }));
    let reset = each(Box::new(|game| {
        evaluator.reset(game);
        0
    }));
    let moves = each(Box::new(|game| game.moves().as_slice().len() as u64));
    let noisy = each(Box::new(|game| game.noisy_moves().into_iter().count() as u64));
    let exchanges = each(Box::new(|game| {
        game.noisy_moves().into_iter().map(|mv| game.exchange(mv) as u64).fold(0, u64::wrapping_add)
    }));
    println!(
        "shogi node: evaluate {:.0} ns (anew {whole:.0} ns), moves {moves:.0} ns, noisy moves \
         {noisy:.0} ns, with their exchanges {exchanges:.0} ns",
        whole - reset
    );
}
