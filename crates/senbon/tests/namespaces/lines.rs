//! Games by the clock, with all engines on other machines: over long and lossy lines, and
//! while workers are lost.

use std::time::Duration;

use crate::line::{Line, Quality};
use crate::net::Network;
use crate::timely::Match;

const SHORT: Duration = Duration::from_millis(700);
const LONG: Duration = Duration::from_millis(1500);

/// A game by one engine at the far end of a line.
fn game_over(quality: Quality) {
    let Some(engine) = senbon_testkit::engine("stockfish") else { return };
    let cables = &[["line", "master"], ["line", "attic"]];
    let Some(network) = Network::new(&["master", "line", "attic"], cables) else { return };
    let _line = Line::new(&network, "line", "10.213.0.2:7447", quality);
    let uci = network.uci();
    let attic = network.worker("attic", "10.213.1.1", &engine.to_string_lossy());
    let mut game = Match::new(uci);
    let searched: Vec<_> = (0..6).map(|_| game.play(LONG, || {})).collect();
    eprintln!("{searched:?} positions a move; the latest {:?} late", game.latest());
    // On a machine that is too busy the worker may be lost for a move.
    assert!(searched.iter().filter(|&&nodes| nodes > 0).count() >= 3, "{searched:?}");
    drop(attic);
}

#[test]
fn a_long_line() {
    let (delay, jitter) = (Duration::from_millis(200), Duration::from_millis(50));
    game_over(Quality { delay, jitter, loss: 0 });
}

#[test]
fn a_lossy_line() {
    let (delay, jitter) = (Duration::from_millis(2), Duration::from_millis(1));
    game_over(Quality { delay, jitter, loss: 5 });
}

#[test]
fn moves_are_in_time_while_workers_are_lost() {
    let Some(engine) = senbon_testkit::engine("stockfish") else { return };
    let engine = engine.to_string_lossy();
    let cables = &[["master", "attic"], ["master", "cellar"]];
    let Some(network) = Network::new(&["master", "attic", "cellar"], cables) else { return };
    let uci = network.uci();
    let mut attic = network.worker("attic", "10.213.0.1", &engine);
    let cellar = network.worker("cellar", "10.213.1.1", &engine);
    let mut game = Match::new(uci);
    assert!(game.play(LONG, || {}) > 0);
    attic.says("is lent");
    game.play(LONG, || attic.signal("STOP"));
    game.play(SHORT, || network.cable("cellar", "master", "down"));
    // Nobody is there now.
    game.play(SHORT, || attic.signal("CONT"));
    game.play(SHORT, || network.cable("cellar", "master", "up"));
    attic.says("is lent");
    game.play(LONG, || attic.signal("KILL"));
    attic.child.wait().unwrap();
    cellar.says("is lent");
    game.play(SHORT, || drop(cellar));
    game.play(SHORT, || {});
    eprintln!("the latest move was {:?} late", game.latest());
}
