//! What `senbon uci` costs a user: how exactly it keeps a time, how soon it stops, how soon it
//! says that it is ready, and how much of a processor it takes itself.
//!
//! `cargo bench -p senbon --bench front -- 200` tries the time of a move 200 times instead of
//! 20. The figures mean something on an idle machine only.
#![allow(clippy::disallowed_methods, clippy::unwrap_used)]

mod mock;
#[path = "../../tests/support/mod.rs"]
mod support;

use std::time::{Duration, Instant};

use senbon_engines::universal::Dialect;
use support::Engine;

const STOPS: usize = 20;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [first, rate] = &arguments[..]
        && first == "mock"
    {
        return mock::run(rate.parse().unwrap());
    }
    let tries = arguments.iter().find_map(|text| text.parse().ok()).unwrap_or(20);
    time_of_a_move(tries);
    for name in ["stockfish", "fairy-stockfish"] {
        match senbon_testkit::engine(name) {
            Some(path) => stop(name, path.to_str().unwrap()),
            None => println!("{name} is not installed: how soon it stops was not measured"),
        }
    }
    // Stockfish 15.1 printed 250 lines in the first 12 seconds of a search: 21 a second.
    for rate in [25, 200] {
        own_processor_time(rate);
    }
}

fn senbon(arguments: &[&str]) -> Engine {
    let arguments: Vec<_> = ["uci"].iter().chain(arguments).copied().collect();
    let mut engine = Engine::start(&arguments, Dialect::Uci);
    make_ready(&mut engine);
    engine
}

fn make_ready(engine: &mut Engine) {
    engine.say("uci\nisready");
    engine.until("readyok");
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

fn median(times: &mut [Duration]) -> Duration {
    times.sort();
    times[times.len() / 2]
}

/// `go movetime 1000`, in the positions of a game against itself.
fn time_of_a_move(tries: usize) {
    let mut engine = senbon(&[]);
    let mut moves = String::new();
    let mut times = Vec::new();
    for _ in 0..tries {
        let answer = engine.ask(&format!("position startpos{moves}\ngo movetime 1000"));
        times.push(answer.time);
        moves += if moves.is_empty() { " moves " } else { " " };
        moves += answer.text();
        if moves.len() > 200 {
            moves.clear();
        }
    }
    let kept = |time: &&Duration| (940.0..=1_000.0).contains(&ms(**time));
    let kept = times.iter().filter(kept).count();
    let (least, most) = (*times.iter().min().unwrap(), *times.iter().max().unwrap());
    println!(
        "go movetime 1000: {kept} of {tries} answered in 940 to 1,000 ms; median {:.1}, {:.1} to \
         {:.1} ms (wanted: all)",
        ms(median(&mut times)),
        ms(least),
        ms(most)
    );
}

/// From `stop` to `bestmove`, of an engine alone and behind us, in turn; and to `readyok`.
fn stop(name: &str, path: &str) {
    let mut alone = Engine::start_program(path, &[], Dialect::Uci);
    make_ready(&mut alone);
    let mut behind = senbon(&["--engine", path, "--workers", "1"]);
    let (mut own, mut ours, mut ready) = (Vec::new(), Vec::new(), Vec::new());
    for round in 0..STOPS {
        let pause = Duration::from_millis(50 + 10 * round as u64);
        own.push(stop_once(&mut alone, pause));
        behind.say("go infinite");
        let began = Instant::now();
        behind.say("isready");
        behind.until("readyok");
        ready.push(began.elapsed());
        std::thread::sleep(pause);
        ours.push(behind.ask("stop").time);
    }
    let most = |times: &[Duration]| ms(*times.iter().max().unwrap());
    let (own_most, ours_most) = (most(&own), most(&ours));
    let (own_median, ours_median) = (median(&mut own), median(&mut ours));
    println!(
        "stop to bestmove: {name} alone {:.1} ms, at most {own_most:.1}; behind senbon {:.1} ms, \
         at most {ours_most:.1} (wanted: within 30 of its own)",
        ms(own_median),
        ms(ours_median)
    );
    println!(
        "isready while {name} searches: answered in {:.1} ms, at most {:.1} (wanted: 100)",
        ms(median(&mut ready)),
        most(&ready)
    );
}

fn stop_once(engine: &mut Engine, pause: Duration) -> Duration {
    engine.say("go infinite");
    std::thread::sleep(pause);
    engine.ask("stop").time
}

/// The front's own share of a core while 16 workers report at full rate.
fn own_processor_time(rate: u32) {
    const WORKERS: usize = 16;
    const WATCHED: Duration = Duration::from_secs(10);
    let own = std::env::current_exe().unwrap();
    let line = format!("{} mock {rate}", own.display());
    let mut engine = senbon(&["--engine", &line, "--workers", &WORKERS.to_string()]);
    engine.say("go infinite");
    // The tree is grown and all have begun.
    std::thread::sleep(Duration::from_secs(2));
    let (began, before) = (Instant::now(), ticks(engine.id()));
    std::thread::sleep(WATCHED);
    let (taken, passed) = (ticks(engine.id()) - before, began.elapsed());
    let heard = engine.ask("stop").infos.len();
    // Linux counts processor time of processes in hundredths of a second.
    let share = taken as f64 / passed.as_secs_f64();
    println!(
        "processor time of the front with {WORKERS} workers at {rate} lines a second each: {share:.1} % \
         of a core, {heard} lines to the GUI (wanted: 5)"
    );
}

/// Processor time of a process, its children not counted, in hundredths of a second.
fn ticks(id: u32) -> u64 {
    let text = std::fs::read_to_string(format!("/proc/{id}/stat")).expect("Linux tells it");
    // The name of the program, in parentheses, may hold blanks; fields 14 and 15 of all.
    let (_, fields) = text.rsplit_once(')').unwrap();
    let fields: Vec<_> = fields.split_whitespace().collect();
    fields[11].parse::<u64>().unwrap() + fields[12].parse::<u64>().unwrap()
}
