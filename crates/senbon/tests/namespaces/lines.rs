//! Games by the clock, with all engines on other machines: over long and lossy lines, and
//! while workers are lost.

use std::time::Duration;

use crate::line::{Line, Quality};
use crate::machines::Senbon;
use crate::net::Network;
use crate::pulse::Pulse;
use crate::timely::{Match, Played};

const SHORT: Duration = Duration::from_millis(700);
const LONG: Duration = Duration::from_millis(1500);

/// Where a standstill of the machine was so long, what is lost may be its doing: signs of life
/// come four times a second, and a second without one ends a session.
const STANDSTILL: Duration = Duration::from_millis(250);
/// As long a delay may keep a last word from counting.
const HICCUP: Duration = Duration::from_millis(20);
/// So many games, or searches, are tried again because of that.
const TRIES: usize = 6;

const FAR: Quality =
    Quality { delay: Duration::from_millis(200), jitter: Duration::from_millis(50), loss: 0 };
const LOSSY: Quality =
    Quality { delay: Duration::from_millis(2), jitter: Duration::from_millis(1), loss: 5 };

/// A master, and a worker at the far end of a line.
struct Far {
    game: Match,
    attic: Senbon,
    pulse: Pulse,
    _line: Line,
    _network: Network,
}

impl Far {
    fn new(quality: Quality, engine: &str) -> Option<Self> {
        let cables = &[["line", "master"], ["line", "attic"]];
        let network = Network::new(&["master", "line", "attic"], cables)?;
        let line = Line::new(&network, "line", "10.213.0.2:7447", quality);
        let uci = network.uci();
        let attic = network.worker("attic", "10.213.1.1", engine);
        let game = Match::new(uci);
        Some(Far { game, attic, pulse: Pulse::start(), _line: line, _network: network })
    }

    /// Sessions that ended so far.
    fn lost(&self) -> Vec<String> {
        self.attic.said("is free again")
    }
}

/// A game by one engine at the far end of a line: every move is legal, in time and what the
/// engine found, and the session lasts.
fn game_over(quality: Quality) {
    let Some(engine) = senbon_testkit::engine("stockfish") else { return };
    for _ in 0..TRIES {
        let Some(mut far) = Far::new(quality, &engine.to_string_lossy()) else { return };
        let played: Vec<_> = (0..6).map(|_| far.game.play(LONG, || {})).collect();
        let nodes: Vec<_> = played.iter().map(|played| played.nodes).collect();
        eprintln!("{nodes:?} positions a move; the latest {:?} late", far.game.latest());
        let lost = far.lost();
        if lost.is_empty() && played.iter().all(Played::is_found) {
            return;
        }
        let still = far.pulse.longest();
        assert!(still > STANDSTILL, "lost {lost:?}, played {played:#?}; at most {still:?} still");
        eprintln!("the machine stood still for {still:?}: once more");
    }
    senbon_testkit::skipped("the machine stands still too often for games over a line");
}

#[test]
fn a_game_over_a_long_line() {
    game_over(FAR);
}

#[test]
fn a_game_over_a_lossy_line() {
    game_over(LOSSY);
}

/// An engine that changes its mind when it is stopped: what it says then is its last word.
const LATE: &str = r#"while read -r line; do case "$line" in
    uci) echo "id name Late"; echo uciok;;
    isready) echo readyok;;
    go*) echo "info depth 1 score cp 10 nodes 10 time 1 pv a2a3";;
    stop) echo "info depth 20 score cp 90 nodes 90000 time 900 pv h2h4"; echo "bestmove h2h4";;
    quit) exit;;
esac; done
"#;

/// The worker is stopped so early that its last word is back before the time is up. How long
/// that takes is drawn for every packet, and one that gets lost has to be sent again, so that
/// about one in ten is too late; if nobody were stopped early all would be.
fn last_words_over(quality: Quality) {
    const SEARCHES: usize = 10;
    const TIME: Duration = Duration::from_millis(2000);
    let folder = senbon_testkit::Folder::new("late-engine");
    std::fs::write(folder.file("late.sh"), LATE).unwrap();
    let engine = format!("manners=careful sh {}", folder.file("late.sh"));
    let Some(mut far) = Far::new(quality, &engine) else { return };
    let (mut last, mut early, mut excused) = (0, 0, 0);
    while last + early < SEARCHES && excused < TRIES {
        far.game.begin_anew();
        far.pulse.longest();
        let played = far.game.play(TIME, || {});
        let still = far.pulse.longest();
        match played.best.as_str() {
            "h2h4" => last += 1,
            _ if still > HICCUP => excused += 1,
            "a2a3" => early += 1,
            _ => panic!("nobody found {played:?}; at most {still:?} still"),
        }
    }
    let lost = far.lost();
    eprintln!("{last} last words, {early} earlier ones, {excused} while the machine stood still");
    if excused == TRIES {
        senbon_testkit::skipped("the machine stands still too often for last words over a line");
        return;
    }
    assert!(last >= SEARCHES / 2, "{last} last words and {early} earlier ones; lost {lost:?}");
}

#[test]
fn last_words_over_a_long_line() {
    last_words_over(FAR);
}

#[test]
fn last_words_over_a_lossy_line() {
    last_words_over(LOSSY);
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
    assert!(game.play(LONG, || {}).nodes > 0);
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
