//! Engines that do not behave: the best move still comes, legal and in time, and the next one
//! does, too. The engines are a shell script; each way to misbehave is a word for it.
#![cfg(unix)]
#![allow(clippy::disallowed_methods, clippy::unwrap_used)]

mod support;

use std::path::Path;
use std::time::Duration;

use senbon_engines::universal::Dialect;
use senbon_games::chess::Chess;
use senbon_games::{Game, Notation};
use support::Engine;

const SCRIPT: &str = r#"how=$1
go() {
    case $how in
        dies) echo "info depth 1 score cp 30 nodes 9 pv e2e4"; exit 3 ;;
        floods)
            yes "info depth 5 seldepth 9 score cp 20 nodes 500 nps 9 time 2 pv e2e4 e7e5 g1f3" &
            flood=$! ;;
        complains) yes "a word of complaint" >&2 & flood=$! ;;
        cheats) echo "bestmove e2e5" ;;
        repeats) test -z "$last" || echo "bestmove $last"; last=e2e4 ;;
        stammers) printf 'info depth 3 score cp' ; exec sleep 3600 ;;
        rambles) head -c 1000000 /dev/zero | tr '\0' x; echo
            echo "info depth 2 score cp 12 nodes 40 pv d2d4" ;;
        *) echo "info depth 2 score cp 12 nodes 40 pv d2d4" ;;
    esac
}
while read -r line; do
    case $line in
        uci) test "$how" = hides || { echo "id name Mock $how"; echo uciok; } ;;
        isready) echo readyok ;;
        go*) go ;;
        stop)
            test -z "$flood" || kill "$flood"
            test "$how" = ignores || echo "bestmove e2e4" ;;
        quit) test -z "$flood" || kill "$flood"; exit ;;
    esac
done
"#;

/// Each test runs at the same time as others: a script of its own.
fn mock(how: &str, test: &str) -> String {
    let script = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{test}-{how}.sh"));
    std::fs::write(&script, SCRIPT).unwrap();
    format!("sh \"{}\" {how}", script.display())
}

/// Time for a busy machine on top of what was asked for.
const MARGIN: Duration = Duration::from_secs(20);

/// Plays some moves against itself with the given engines, then waits until the fault is
/// remarked, if one is to be.
fn plays_on(engines: &[&str], wait_for_worker: bool, fault: Option<&str>) {
    let workers = engines.len().to_string();
    let mut arguments = vec!["uci", "--hash", "4", "--workers", &workers];
    for engine in engines {
        arguments.extend(["--engine", engine]);
    }
    let mut program = Engine::start(&arguments, Dialect::Uci);
    if wait_for_worker {
        program.say("isready");
        program.until("readyok");
    }
    let mut position = Chess::start();
    let mut moves = String::new();
    let mut remarks = Vec::new();
    for _ in 0..4 {
        let answer = program.ask(&format!("position startpos moves{moves}\ngo movetime 300"));
        assert!(answer.time < Duration::from_millis(300) + MARGIN, "{:?}", answer.time);
        let mv = position.parse_move(answer.text()).unwrap_or_else(|e| panic!("{answer:?}: {e}"));
        position.play(mv);
        moves = format!("{moves} {}", answer.text());
        remarks.extend(answer.infos.into_iter().filter_map(|info| info.string));
    }
    if let Some(fault) = fault {
        while !remarks.iter().any(|remark| remark.contains(fault)) {
            remarks.push(program.remark());
        }
    }
    program.say("quit");
    assert!(program.end().0.success());
}

/// Alone and taken by its word; then beside an engine that behaves, and asked first what it
/// can do.
fn play_on(how: &str, fault: Option<&str>) {
    let engine = mock(how, "bad");
    let wait = how != "hides";
    plays_on(&[&format!("manners=book {engine}")], wait, fault);
    plays_on(&[&engine, "built-in"], wait, fault);
}

#[test]
fn an_engine_that_never_says_what_it_is() {
    play_on("hides", None);
}

#[test]
fn an_engine_that_dies_in_mid_search() {
    play_on("dies", Some("Mock dies ended: exit status: 3"));
}

#[test]
fn an_engine_that_floods_us() {
    play_on("floods", None);
    play_on("complains", None);
}

#[test]
fn an_engine_that_answers_an_illegal_move() {
    play_on("cheats", Some("Mock cheats answered e2e5"));
}

#[test]
fn an_engine_that_answers_the_order_before() {
    play_on("repeats", None);
}

#[test]
fn an_engine_that_says_half_a_line() {
    play_on("stammers", Some("Mock stammers did not stop in time"));
}

#[test]
fn an_engine_that_says_a_line_of_a_million_bytes() {
    play_on("rambles", None);
}

#[test]
fn an_engine_that_never_stops() {
    play_on("ignores", Some("Mock ignores did not stop in time"));
}

#[test]
fn a_search_without_a_clock_ends_without_an_engine() {
    let engine = mock("dies", "clockless");
    let mut program = Engine::start(&["uci", "--engine", &engine, "--workers", "1"], Dialect::Uci);
    let answer = program.ask("position startpos\ngo depth 30");
    assert!(Chess::start().parse_move(answer.text()).is_ok());
    program.say("quit");
    assert!(program.end().0.success());
}
