//! What becomes of a search whose workers are lost.

use std::time::Instant;

use senbon_games::Notation;
use senbon_games::chess::Chess;
use serde_json::Value;

use crate::machines::Senbon;
use crate::net::Network;

/// A worker's silence is noticed after a lease of one second and what the machines need; on a
/// machine as busy as those that run tests that may be more than the half second it mostly is.
const NOTICED: f64 = 4.0;
/// Its node is searched again within two seconds, of which one is how often trees are told.
const COVERED: f64 = 4.0;

/// A master and two workers, each on a machine of its own.
fn network() -> Option<(Network, String)> {
    let engine = senbon_testkit::engine("stockfish")?;
    let cables = &[["master", "attic"], ["master", "cellar"]];
    let network = Network::new(&["master", "attic", "cellar"], cables)?;
    Some((network, engine.to_string_lossy().into_owned()))
}

const FROM_ATTIC: &str = "10.213.0.1";
const FROM_CELLAR: &str = "10.213.1.1";

/// A tree that is complete: each of its positions has a worker, and `wanted` likes those.
fn tree(master: &Senbon, wanted: impl Fn(&[&Value]) -> bool) -> Value {
    loop {
        let tree = master.event("tree");
        let positions = tree["positions"].as_array().unwrap();
        let workers: Vec<_> = positions.iter().map(|position| &position["worker"]).collect();
        if !workers.is_empty() && workers.iter().all(|worker| !worker.is_null()) && wanted(&workers)
        {
            return tree;
        }
    }
}

/// A worker is lost in mid-search: that is noticed, and others search what it has searched.
fn is_covered(master: &Senbon, worker: &Value, lost: Instant) {
    let fault = loop {
        let fault = master.event("fault");
        if fault["worker"] == *worker {
            break fault;
        }
    };
    let felt = lost.elapsed().as_secs_f64();
    let reason = fault["reason"].as_str().unwrap();
    let silent = reason
        .rsplit_once("no sign of life for ")
        .and_then(|(_, time)| time.strip_suffix(" s")?.parse::<f64>().ok());
    // By the master's own clock; otherwise the network below has noticed it sooner.
    assert!(silent.is_none_or(|silent| silent < NOTICED), "{reason}");
    let tree = tree(master, |workers| !workers.contains(&worker));
    let again = tree["seconds"].as_f64().unwrap() - fault["seconds"].as_f64().unwrap();
    assert!(again < COVERED, "searched again after {again:.1} s");
    eprintln!("noticed after {felt:.2} s ({reason}), searched again within {again:.2} s");
}

/// Two workers search; one is lost and comes back.
fn survives(
    lose: impl FnOnce(&Network, Senbon) -> Option<Senbon>,
    mend: impl FnOnce(&Network, Option<Senbon>, &str) -> Senbon,
) {
    let Some((network, engine)) = network() else { return };
    let mut master = network.analyse();
    let attic = network.worker("attic", FROM_ATTIC, &engine);
    master.joined("attic");
    master.event("line");
    // The second comes while the search runs, and gets work.
    let cellar = network.worker("cellar", FROM_CELLAR, &engine);
    let first = master.joined("cellar");
    tree(&master, |workers| workers.contains(&&first));
    let lost = Instant::now();
    let cellar = lose(&network, cellar);
    is_covered(&master, &first, lost);
    let mended = Instant::now();
    let cellar = mend(&network, cellar, &engine);
    let second = master.joined("cellar");
    eprintln!("back after {:.2} s", mended.elapsed().as_secs_f64());
    assert_ne!(second, first);
    tree(&master, |workers| workers.contains(&&second));
    answers(&mut master);
    drop((attic, cellar));
}

pub(crate) fn answers(master: &mut Senbon) {
    let best = master.answer();
    let played = best["move"].as_str().unwrap();
    assert!(Chess::start().parse_move(played).is_ok(), "{played}");
}

#[test]
fn a_killed_worker() {
    survives(
        |_, mut worker| {
            worker.signal("KILL");
            worker.child.wait().unwrap();
            None
        },
        |network, _, engine| network.worker("cellar", FROM_CELLAR, engine),
    );
}

#[test]
fn a_frozen_worker() {
    survives(
        |_, worker| {
            worker.signal("STOP");
            Some(worker)
        },
        |_, worker, _| {
            let worker = worker.unwrap();
            worker.signal("CONT");
            worker
        },
    );
}

#[test]
fn a_worker_that_is_cut_off() {
    survives(
        |network, worker| {
            network.cable("cellar", "master", "down");
            Some(worker)
        },
        |network, worker, _| {
            let worker = worker.unwrap();
            worker.says("is free again");
            network.cable("cellar", "master", "up");
            worker
        },
    );
}

#[test]
fn a_master_that_is_killed_and_started_again() {
    let Some((network, engine)) = network() else { return };
    let mut first = network.analyse();
    let attic = network.worker("attic", FROM_ATTIC, &engine);
    let cellar = network.worker("cellar", FROM_CELLAR, &engine);
    // In whatever order they come.
    first.event("joined");
    first.event("joined");
    first.signal("KILL");
    first.child.wait().unwrap();
    // Whether or not its last words, that an engine is welcome, still arrived.
    attic.says("the master is gone");
    cellar.says("the master is gone");
    let began = Instant::now();
    let mut second = network.analyse();
    let numbers = [second.event("joined"), second.event("joined")];
    eprintln!("both back after {:.2} s", began.elapsed().as_secs_f64());
    let numbers = numbers.map(|joined| joined["worker"].clone());
    tree(&second, |workers| numbers.iter().all(|number| workers.contains(&number)));
    answers(&mut second);
}
