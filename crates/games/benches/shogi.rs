//! Shogi perft through `Game` against the bare generator, in one run, as a ratio; then the
//! cost of what a search asks of every node.
//!
//! `Game::play` also looks for checks, repetition and the key; a ratio of 0.9 or more is what
//! that may cost.
#![allow(clippy::disallowed_methods)]

use std::hint::black_box;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use senbon_games::shogi::shogi_core::Move;
use senbon_games::shogi::{Shogi, ShogiEvaluator};
use senbon_games::{Evaluator, Game, Notation, Rng, Tactics, perft};
use shunsai::Position;

/// The best of so many rounds counts: whatever else the machine does only adds time.
const ROUNDS: usize = 25;

const POSITIONS: [(&str, &str, u32); 3] = [
    ("start", "startpos", 4),
    ("drops", "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1", 3),
    ("full hands", "4k4/9/9/9/9/9/9/9/4K4 b RB2G2S2N2L9Prb2g2s2n2l9p 1", 2),
];

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

fn timed(work: impl FnOnce() -> u64) -> (u64, Duration) {
    let start = Instant::now();
    let count = black_box(work());
    (count, start.elapsed())
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

/// Nanoseconds a call of `work` takes on the positions, the best of some rounds.
fn nanoseconds(positions: &[Shogi], mut work: impl FnMut(&Shogi) -> u64) -> f64 {
    let round = |_| timed(|| positions.iter().map(&mut work).fold(0, u64::wrapping_add)).1;
    let best = (0..ROUNDS).map(round).min().unwrap_or_default();
    best.as_secs_f64() * 1e9 / positions.len() as f64
}

fn node_costs() {
    let positions = positions();
    let mut evaluator = ShogiEvaluator::default();
    let whole = nanoseconds(&positions, |game| {
        evaluator.reset(game);
        evaluator.evaluate(game) as u64
    });
    let reset = nanoseconds(&positions, |game| {
        evaluator.reset(game);
        0
    });
    let moves = nanoseconds(&positions, |game| game.moves().as_slice().len() as u64);
    let noisy = nanoseconds(&positions, |game| game.noisy_moves().into_iter().count() as u64);
    let exchange = nanoseconds(&positions, |game| {
        game.noisy_moves().into_iter().map(|mv| game.exchange(mv) as u64).fold(0, u64::wrapping_add)
    });
    println!(
        "shogi node: evaluate {:.0} ns (anew {whole:.0} ns), moves {moves:.0} ns, noisy moves \
         {noisy:.0} ns, with their exchanges {exchange:.0} ns",
        whole - reset
    );
}

fn main() {
    node_costs();
    let mut buffers = vec![Vec::new(); 8];
    for (name, sfen, depth) in POSITIONS {
        let mut game = Shogi::parse_position(sfen).expect("the positions are legal");
        let mut bare = game.position().clone();
        let (mut ours, mut theirs) = (Duration::MAX, Duration::MAX);
        let mut nodes = 0;
        for _ in 0..ROUNDS {
            let (count, time) = timed(|| perft(&mut game, depth));
            ours = ours.min(time);
            let (bare_count, time) = timed(|| bare_perft(&mut bare, depth, &mut buffers));
            theirs = theirs.min(time);
            assert_eq!(count, bare_count);
            nodes = count;
        }
        let rate = |time: Duration| nodes as f64 / time.as_secs_f64() / 1e6;
        let (ours, theirs) = (rate(ours), rate(theirs));
        println!(
            "shogi perft {name:<10} {nodes:>9} nodes: {ours:6.1} Mnps, bare {theirs:6.1} Mnps, \
             ratio {:.2}",
            ours / theirs
        );
    }
}
