//! What threads of one process take to talk to each other, and to remember together.

use std::sync::mpsc::sync_channel;
use std::sync::{Arc, Barrier};
use std::thread;
use std::time::Instant;

use senbon_games::shogi::{Shogi, ShogiEvaluator};
use senbon_games::{Game, Promising};
use senbon_search::fixed::{Fixed, Pool};

use super::{Watch, deepen};

/// Messages there and back.
const ROUNDS: u32 = 20_000;

/// Nanoseconds of processor time to write or to read a message, and nanoseconds until it is
/// there: what one thread tells another over a channel that it waits at.
pub(super) fn messages() -> (f64, f64) {
    let (ask, asked) = sync_channel::<[u64; 8]>(64);
    let (answer, answered) = sync_channel(64);
    let other = thread::spawn(move || {
        let watch = Watch::start();
        for letter in asked {
            if answer.send(letter).is_err() {
                break;
            }
        }
        watch.elapsed()
    });
    let (began, watch) = (Instant::now(), Watch::start());
    for round in 0..ROUNDS {
        if ask.send([round.into(); 8]).is_err() || answered.recv().is_err() {
            break;
        }
    }
    let (time, here) = (began.elapsed(), watch.elapsed());
    drop(ask);
    let there = other.join().unwrap_or_default();
    // Each letter is written and read once, and so is its answer.
    let cost = (here + there).as_nanos() as f64 / f64::from(4 * ROUNDS);
    (cost, time.as_nanos() as f64 / f64::from(2 * ROUNDS))
}

/// Nodes of each thread.
const NODES: u64 = 300_000;

/// How many times as long a node takes where two threads share a memory as where each has one
/// of its own. They search different positions, so that none is helped by the other; the middle
/// one of five rounds.
pub(super) fn shared_node(position: &Shogi, width: u8) -> f64 {
    let mut ratios: Vec<f64> =
        (0..5).map(|_| two(position, width, true) / two(position, width, false)).collect();
    ratios.sort_by(f64::total_cmp);
    ratios[2]
}

/// Nanoseconds of processor time a node, of two threads at the same time.
fn two(position: &Shogi, width: u8, together: bool) -> f64 {
    const BYTES: usize = 128 << 20;
    let pool = || Arc::new(Pool::new(BYTES));
    let first = pool();
    let second = if together { Arc::clone(&first) } else { pool() };
    let moves: Vec<_> = position.moves().into_iter().take(2).collect();
    let start = Arc::new(Barrier::new(moves.len()));
    let threads: Vec<_> = moves
        .into_iter()
        .zip([first, second])
        .map(|(mv, pool)| {
            let (mut root, start) = (position.clone(), Arc::clone(&start));
            root.play(mv);
            thread::spawn(move || {
                let branching = Promising::new(ShogiEvaluator::default(), width.into());
                let mut search = Fixed::new(root.clone(), branching, 0);
                search.share(Some(pool));
                start.wait();
                deepen(&mut search, &root, NODES)
            })
        })
        .collect();
    let times = threads.into_iter().filter_map(|thread| thread.join().ok());
    let times: Vec<f64> = times.collect();
    times.iter().sum::<f64>() / times.len().max(1) as f64
}
