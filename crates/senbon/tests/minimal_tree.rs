//! Minimal-tree search as users run it: one alpha-beta search by processes that come, go and
//! are killed, with the value of a search by one.
#![cfg(target_os = "linux")]
#![allow(clippy::disallowed_methods, clippy::unwrap_used)]

mod machines;

use std::io::Write;
use std::process::{Command, Stdio};

use machines::{Senbon, free_address};
use serde_json::Value;

const METHOD: [&str; 3] = ["analyse", "--strategy", "minimal-tree"];
/// A middle game in which captures matter.
const FEN: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

/// The answer of one worker in this process.
fn by_one(depth: &str) -> Value {
    let more = ["--workers", "1", "--depth", depth, "--json", "--position", FEN];
    let alone = Senbon::start(&[&METHOD[..], &more].concat());
    alone.event("best")
}

#[test]
fn processes_find_the_value_of_one_though_one_is_killed() {
    let wanted = by_one("5");
    let address = free_address();
    let listen =
        ["--workers", "0", "--listen", &address, "--json", "--depth", "5", "--position", FEN];
    let steady = Senbon::worker(&address, "steady");
    let mut killed = Senbon::worker(&address, "killed");
    let master = Senbon::start(&[&METHOD[..], &listen].concat());
    let number = master.joined("killed");
    killed.signal("KILL");
    killed.child.wait().unwrap();
    // The search may be over before the loss is noticed: the value is the same.
    let best = master.event("best");
    assert_eq!((&best["cp"], &best["depth"]), (&wanted["cp"], &wanted["depth"]), "{number}");
    assert!(wanted["cp"].is_i64() && best["move"].is_string(), "{wanted} {best}");
    steady.says("engine 1 is free again");
}

/// Machines of three workers each: one of every three leads the others. A machine is killed with
/// all of them.
#[test]
fn crews_find_the_value_of_one_though_a_machine_is_killed() {
    let wanted = by_one("5");
    let address = free_address();
    let listen =
        ["--workers", "2", "--listen", &address, "--json", "--depth", "5", "--position", FEN];
    let steady = Senbon::workers(&address, "steady", "3");
    let mut killed = Senbon::workers(&address, "killed", "3");
    let master = Senbon::start(&[&METHOD[..], &listen].concat());
    master.joined("killed");
    killed.signal("KILL");
    killed.child.wait().unwrap();
    let best = master.event("best");
    assert_eq!((&best["cp"], &best["depth"]), (&wanted["cp"], &wanted["depth"]), "{best}");
    steady.says("the master is gone");
}

/// Says all of `commands` to `senbon WHICH --workers 2` and gives what it answered, up to as
/// many best moves.
fn talk(which: &str, commands: &[&str], answers: usize) -> Vec<String> {
    let mut program = Command::new(env!("CARGO_BIN_EXE_senbon"));
    program.args([which, "--workers", "2", "--strategy", "minimal-tree"]);
    let mut child = program
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::inherit())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    for command in commands {
        writeln!(input, "{command}").unwrap();
    }
    let output = std::io::BufReader::new(child.stdout.take().unwrap());
    let mut lines = Vec::new();
    for line in std::io::BufRead::lines(output).map_while(Result::ok) {
        lines.push(line);
        if lines.iter().filter(|line| line.starts_with("bestmove")).count() == answers {
            break;
        }
    }
    drop(input);
    assert!(child.wait().unwrap().success());
    lines
}

#[test]
fn guis_of_chess_and_shogi_get_moves_in_time_and_mates() {
    let mate = "position fen 6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1";
    let lines = talk("uci", &["uci", mate, "go movetime 300"], 1);
    assert!(lines.iter().any(|line| line.contains("score mate 1 ")), "{lines:#?}");
    assert_eq!(lines.last().unwrap(), "bestmove d1d8");

    let clock = "go btime 1000 wtime 1000 byoyomi 200";
    let lines = talk("usi", &["usi", "isready", "usinewgame", "position startpos", clock], 1);
    let depths = lines.iter().filter(|line| line.starts_with("info depth")).count();
    assert!(depths > 0 && !lines.last().unwrap().contains("resign"), "{lines:#?}");
}

/// A fixed-depth search cannot be had of other programs: they are told so, and nobody waits.
#[test]
fn other_engines_are_told_that_they_cannot_take_part() {
    let program = env!("CARGO_BIN_EXE_senbon");
    let engines = ["--engine", "built-in", "--engine", &format!("{program} engine chess")];
    let more = ["--workers", "2", "--time", "5", "--json", "--position", FEN];
    let master = Senbon::start(&[&METHOD[..], &engines, &more].concat());
    let line = master.event("complaint")["text"].as_str().unwrap().to_owned();
    assert!(line.contains("built-in engines alone"), "{line}");
    assert!(master.event("best")["move"].is_string());
}

#[test]
fn matches_are_played_to_their_end_live_and_in_virtual_time() {
    let program = env!("CARGO_BIN_EXE_senbon");
    let play = |arguments: &[&str]| {
        let output = Command::new(program).arg("match").args(arguments).output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
        assert!(text.contains("2 games:") && !text.contains("lost on time"), "{text}");
    };
    let first = format!("{program} uci --workers 2 --strategy minimal-tree --hash 4");
    let size = ["--games", "2", "--longest", "30"];
    let live = ["--first", &first, "--second", "built-in", "--control", "3600+1,nodes=2000"];
    play(&[&live[..], &size].concat());
    let teams = ["--virtual", "--first", "minimal-tree:3", "--second", "single"];
    let terms = ["--control", "movetime=0.5", "--speed", "2000", "--hash", "1"];
    play(&[&teams[..], &terms, &size].concat());
}
