//! `senbon sim` as a program: its trace repeats, and a broken promise is told loudly.
#![allow(clippy::disallowed_methods, clippy::unwrap_used)]

use std::process::{Command, Output};

fn senbon(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_senbon")).arg("sim").args(arguments).output().unwrap()
}

fn text(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

#[test]
fn one_seed_closes_with_the_same_trace_each_time() {
    let first = senbon(&["--seed", "7"]);
    let told = text(&first);
    assert!(first.status.success(), "{told}");
    assert!(told.starts_with("seed 7\n"), "{told}");
    let last = told.lines().last().unwrap();
    let hash = last.strip_prefix("trace ").unwrap();
    assert!(hash.len() == 16 && hash.chars().all(|c| c.is_ascii_hexdigit()), "{last}");
    assert_eq!(text(&senbon(&["--seed", "7"])), told);
    let other = text(&senbon(&["--seed", "8"]));
    assert_ne!(other.lines().last().unwrap(), last);
}

#[test]
fn a_verbose_run_tells_every_event_and_changes_nothing() {
    let quiet = text(&senbon(&["--seed", "7"]));
    let loud = text(&senbon(&["--seed", "7", "--verbose"]));
    assert_eq!(loud.lines().last(), quiet.lines().last());
    assert!(loud.lines().any(|line| line.contains("above -> search #1")), "{loud}");
}

#[test]
fn a_broken_promise_is_told_with_how_to_replay_it() {
    let seeds = ["--seeds", "1..60", "--plant", "second-answer"];
    let swarm = senbon(&seeds);
    assert_eq!(swarm.status.code(), Some(1));
    let told = text(&swarm);
    assert!(told.contains("BROKEN: promise 1 broken at "), "{told}");
    let replay = told.lines().find_map(|line| line.strip_prefix("replay: senbon sim ")).unwrap();
    let replayed = senbon(&replay.split(' ').collect::<Vec<_>>());
    assert_eq!(replayed.status.code(), Some(1));
    let told = text(&replayed);
    assert!(told.contains("\nBROKEN: promise 1 broken at "), "{told}");
    assert!(told.lines().last().unwrap().starts_with("trace "), "{told}");
}

#[test]
fn a_swarm_counts_its_seeds_in_json() {
    let swarm = senbon(&["--seeds", "1..21", "--json"]);
    assert!(swarm.status.success());
    let told: serde_json::Value = serde_json::from_str(&text(&swarm)).unwrap();
    assert_eq!(told["seeds"], 20);
    assert_eq!(told["broken"], serde_json::json!([]));
    let none = senbon(&["--minutes", "0", "--threads", "1", "--json"]);
    let told: serde_json::Value = serde_json::from_str(&text(&none)).unwrap();
    assert_eq!(told["seeds"], 1, "what was begun is finished, and nothing else begun");
}

#[test]
fn a_range_that_holds_nothing_is_wrong_use() {
    for range in ["5..5", "9..1", "1-9", "a..b"] {
        let refused = senbon(&["--seeds", range]);
        assert_eq!(refused.status.code(), Some(2), "{range}");
    }
}
