//! Workers of other machines, as processes: they join in mid-search, are killed, freeze, come
//! back, and the answer is there all the same.
#![cfg(target_os = "linux")]
#![allow(clippy::disallowed_methods, clippy::unwrap_used)]

mod machines;

use std::io::{Read, Write};
use std::net::TcpStream;
use std::process::Command;
use std::time::{Duration, Instant};

use machines::{Senbon, free_address};
use serde_json::Value;

#[test]
fn workers_come_and_go_in_mid_search() {
    let address = free_address();
    let mut master = Senbon::master(&address);
    let steady = Senbon::worker(&address, "steady");
    master.joined("steady");

    // Joins while the search runs; is killed.
    let mut killed = Senbon::worker(&address, "killed");
    let number = master.joined("killed");
    killed.signal("KILL");
    killed.child.wait().unwrap();
    master.lost(&number);

    // Freezes; is taken for gone; is back by itself when it thaws.
    let mut frozen = Senbon::worker(&address, "frozen");
    let number = master.joined("frozen");
    frozen.signal("STOP");
    master.lost(&number);
    frozen.signal("CONT");
    let number = master.joined("frozen");

    // Leaves politely, with the reason.
    frozen.signal("TERM");
    let why = master.lost(&number);
    assert!(why.contains("its owner ended it"), "{why}");
    frozen.says("has left");
    assert!(frozen.child.wait().unwrap().success());

    let best = master.answer();
    assert!(best["move"].is_string() && best["nodes"].as_u64() > Some(0), "{best}");
    steady.says("engine 1 is free again");
}

#[test]
fn a_worker_finds_the_next_master_by_itself() {
    let address = free_address();
    let worker = Senbon::worker(&address, "attic");
    let mut first = Senbon::master(&address);
    first.joined("attic");
    first.event("line");
    first.signal("KILL");
    first.child.wait().unwrap();
    worker.says("engine 1 is free again");
    let mut second = Senbon::master(&address);
    second.joined("attic");
    second.event("line");
    assert!(second.answer()["move"].is_string());
}

#[test]
fn what_is_not_safe_is_refused_before_anything_starts() {
    let refused = |arguments: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_senbon")).args(arguments).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        String::from_utf8(output.stderr).unwrap()
    };
    let why = refused(&["analyse", "--listen", "0.0.0.0:7447"]);
    assert!(why.contains("--insecure") && why.contains("senbon keys new"), "{why}");
    let why = refused(&["uci", "--listen", "0.0.0.0:7447"]);
    assert!(why.contains("--insecure"), "{why}");
    let why = refused(&["worker", "--connect", "192.0.2.1:7447"]);
    assert!(why.contains("--insecure"), "{why}");
    let why = refused(&["worker", "--connect", "tls/127.0.0.1:7447"]);
    assert!(why.contains("corrupt memory"), "{why}");
    let why = refused(&["analyse", "--workers", "0"]);
    assert!(why.contains("--listen"), "{why}");
}

#[test]
fn credentials_are_made_used_and_revoked() {
    let folder = format!("{}/keys-of-the-program", env!("CARGO_TARGET_TMPDIR"));
    let _ = std::fs::remove_dir_all(&folder);
    let keys = |arguments: &[&str]| {
        let program = env!("CARGO_BIN_EXE_senbon");
        let output = Command::new(program).arg("keys").args(arguments).output().unwrap();
        (output.status.success(), String::from_utf8(output.stdout).unwrap())
    };
    assert!(keys(&["new", &folder, "attic"]).0);
    assert!(!keys(&["new", &folder]).0, "an authority is not made twice");
    assert!(!keys(&["worker", &folder, "../attic"]).0);

    let address = free_address();
    let (master, attic) = (format!("{folder}/master"), format!("{folder}/workers/attic"));
    let listen = ["analyse", "--workers", "0", "--json", "--infinite", "--listen", &address];
    let mut master = Senbon::start(&[&listen[..], &["--keys", &master]].concat());
    let dial = ["worker", "--connect", &address, "--slots", "1", "--keys", &attic];
    let worker = Senbon::start(&dial);
    let number = master.joined("attic");
    master.event("line");
    drop(worker);
    master.lost(&number);
    assert!(keys(&["revoke", &folder, "attic"]).0);
    assert_eq!(keys(&["list", &folder]), (true, "attic (revoked)\n".to_owned()));
    let worker = Senbon::start(&dial);
    worker.says("the credentials of attic were revoked");
    assert!(master.answer()["move"].is_string());
}

/// What `senbon workers` says, once `wanted` is content with it.
fn asked(arguments: &[&str], wanted: impl Fn(&str) -> bool) -> String {
    let until = Instant::now() + Duration::from_secs(60);
    loop {
        let mut command = Command::new(env!("CARGO_BIN_EXE_senbon"));
        let output = command.arg("workers").args(arguments).output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        if output.status.success() && wanted(&text) {
            return text;
        }
        let why = String::from_utf8_lossy(&output.stderr);
        assert!(Instant::now() < until, "{text}\n{why}");
        std::thread::sleep(Duration::from_millis(200));
    }
}

#[test]
fn whoever_asks_is_told_who_works() {
    let address = free_address();
    let listen = ["analyse", "--workers", "1", "--hash", "1", "--listen", &address];
    let mut master = Senbon::start(&[&listen[..], &["--json", "--infinite"]].concat());
    let worker = Senbon::start(&[
        "worker",
        "--connect",
        &address,
        "--name",
        "attic",
        "--slots",
        "1",
        "--hash",
        "1",
        "--json",
        "--metrics",
        "0",
    ]);
    let start = worker.event("start");
    master.joined("attic");
    worker.event("lent");

    let attic = |text: &str| {
        let state: Value = serde_json::from_str(text).unwrap();
        let mut workers = state["workers"].as_array().unwrap().iter();
        workers.find(|worker| worker["host"] == "attic").cloned()
    };
    let busy = |text: &str| {
        attic(text).is_some_and(|it| it["searching"].is_array() && it["latency_ms"].is_f64())
    };
    let state = asked(&["--connect", &address, "--json"], busy);
    let found = attic(&state).unwrap();
    assert!(found["engine"].as_str().unwrap().starts_with("Senbon"), "{found}");
    assert!(found["nps"].as_u64() > Some(0) && found["slots"] == 1, "{found}");
    assert!(found["restarts"] == 0 && found["last_fault"].is_null(), "{found}");
    let table = asked(&["--connect", &address], |text| text.contains("attic"));
    assert!(table.contains("here") && table.contains("nodes/s"), "{table}");

    let at = start["metrics"].as_str().unwrap().strip_prefix("http://").unwrap().to_owned();
    let mut stream = TcpStream::connect(at.strip_suffix("/metrics").unwrap()).unwrap();
    stream.write_all(b"GET /metrics HTTP/1.1\r\nHost: here\r\n\r\n").unwrap();
    let mut numbers = String::new();
    stream.read_to_string(&mut numbers).unwrap();
    assert!(numbers.contains("senbon_worker_engine_lent{engine=\"1\"} 1\n"), "{numbers}");

    // Gone, and remembered.
    worker.signal("TERM");
    let gone = |text: &str| text.contains("\"gone\":[{\"host\":\"attic\"");
    let state = asked(&["--connect", &address, "--json"], gone);
    assert!(state.contains("its owner ended it"), "{state}");
    assert!(master.answer()["move"].is_string());
    // Nobody there: told, with the reason.
    let mut command = Command::new(env!("CARGO_BIN_EXE_senbon"));
    let nobody = command.args(["workers", "--connect", &address, "--wait", "1"]).output().unwrap();
    assert_eq!(nobody.status.code(), Some(1));
    let why = String::from_utf8(nobody.stderr).unwrap();
    assert!(why.contains("no master answers at"), "{why}");
}
