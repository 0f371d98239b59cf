//! A made-up UCI engine that thinks nothing and says much: `info` lines with legal variations
//! at a fixed rate, until it is stopped.

use std::io::{BufRead, Write, stdin, stdout};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use senbon_engines::universal::{Command, Dialect, Setup};
use senbon_games::chess::Chess;
use senbon_games::{Game, Notation, Rng};

const PLIES: usize = 15;

/// A search that is made up on its own thread.
struct Talk {
    stop: Arc<AtomicBool>,
    thread: JoinHandle<()>,
}

/// Speaks UCI on the standard streams until told to quit; searches say `rate` lines a second.
pub(crate) fn run(rate: u32) {
    let mut position = Chess::start();
    let mut talk: Option<Talk> = None;
    for line in stdin().lock().lines().map_while(Result::ok) {
        match Command::parse(Dialect::Uci, &line) {
            Ok(Command::Hello) => say("id name Mock\nid author nobody\nuciok"),
            Ok(Command::IsReady) => say("readyok"),
            Ok(Command::Position(setup)) => position = set_up(&setup),
            Ok(Command::Go(go)) => {
                hush(talk.take());
                talk = Some(start(position.clone(), go.search_moves, rate));
            }
            Ok(Command::Stop) => hush(talk.take()),
            Ok(Command::Quit) => break,
            _ => {}
        }
    }
}

fn say(lines: &str) {
    let mut out = stdout().lock();
    let _ = writeln!(out, "{lines}").and_then(|()| out.flush());
}

fn hush(talk: Option<Talk>) {
    if let Some(talk) = talk {
        talk.stop.store(true, Ordering::Relaxed);
        talk.thread.join().unwrap();
    }
}

fn set_up(setup: &Setup) -> Chess {
    let start = setup.start.as_deref();
    let mut position = start.map_or_else(Chess::start, |text| Chess::parse_position(text).unwrap());
    for text in &setup.moves {
        position.play(position.parse_move(text).unwrap());
    }
    position
}

fn start(position: Chess, only: Vec<String>, rate: u32) -> Talk {
    let stop = Arc::new(AtomicBool::new(false));
    let stopped = stop.clone();
    let thread = std::thread::spawn(move || {
        let mut rng = Rng::new(u64::from(std::process::id()));
        let began = Instant::now();
        let mut count = 0;
        let mut first = variation(&position, &only, &mut rng);
        while !stopped.load(Ordering::Relaxed) {
            count += 1;
            first = variation(&position, &only, &mut rng);
            let (depth, score) = (1 + count / 40, rng.below(60) as i32 - 30);
            let (nodes, time) = (count * 4_000, began.elapsed().as_millis());
            say(&format!(
                "info depth {depth} seldepth {} multipv 1 score cp {score} nodes {nodes} nps \
                 800000 hashfull 100 tbhits 0 time {time} pv {}",
                depth + 9,
                first.join(" ")
            ));
            let next = began + Duration::from_secs(1) * count / rate;
            std::thread::sleep(next.saturating_duration_since(Instant::now()));
        }
        say(&format!("bestmove {}", first.first().map_or("(none)", String::as_str)));
    });
    Talk { stop, thread }
}

/// A random line of play whose first move is one of those allowed.
fn variation(position: &Chess, only: &[String], rng: &mut Rng) -> Vec<String> {
    let mut position = position.clone();
    let mut line = Vec::new();
    for ply in 0..PLIES {
        let moves: Vec<_> = position.moves().into_iter().collect();
        let named = rng.pick(only).filter(|_| ply == 0);
        let named = named.and_then(|text| position.parse_move(text).ok());
        let Some(mv) = named.or_else(|| rng.pick(&moves).copied()) else { break };
        line.push(position.format_move(mv));
        position.play(mv);
    }
    line
}
