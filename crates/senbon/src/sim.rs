//! `senbon sim`: scenarios with faults in virtual time.

use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use anyhow::anyhow;
use senbon_sim::Listener;
use senbon_sim::scenario::{Options, Planted, run_caught};
use senbon_sim::swarm::{Tally, swarm};
use serde_json::json;

use crate::analyse::interrupt::Interrupts;
use crate::args::sim::Sim;
use crate::report::Failure;

/// Seeds that a person can read out; enough that two fresh ones hardly ever meet.
const FRESH_SEEDS: u64 = 1_000_000_000;

/// How often progress is shown on a terminal, and elsewhere.
const REDRAW: Duration = Duration::from_millis(200);
const REPORT: Duration = Duration::from_secs(10);

pub(crate) fn run(args: &Sim) -> Result<(), Failure> {
    if args.seeds.is_none() && args.minutes.is_none() {
        return one(args, args.seed.unwrap_or_else(fresh_seed));
    }
    many(args)
}

fn fresh_seed() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    now.map_or(1, |now| now.as_nanos() as u64) % FRESH_SEEDS
}

/// How to see it again.
fn replay(args: &Sim, seed: u64) -> String {
    let plant = args.plant.map(|plant| format!(" --plant {}", plant.name())).unwrap_or_default();
    format!("senbon sim --seed {seed}{plant} --verbose")
}

fn one(args: &Sim, seed: u64) -> Result<(), Failure> {
    let options = Options::draw(seed);
    if !args.json {
        println!("seed {seed}\n{options}");
    }
    let listen = args.verbose.then(|| -> Listener { Box::new(|line| println!("{line}")) });
    let ran = run_caught(&options, args.plant.map(Planted::from), listen);
    if args.json {
        let broken = ran.breach.as_ref().map(|breach| {
            json!({ "promise": breach.promise.number(), "at_ms": breach.at.as_secs_f64() * 1e3,
                    "what": breach.what, "replay": replay(args, seed) })
        });
        println!(
            "{}",
            json!({ "seed": seed, "options": options.to_string(), "events": ran.events,
                    "answers": ran.answers, "virtual_seconds": ran.time.as_secs_f64(),
                    "converged_seconds": ran.converged.map(|time| time.as_secs_f64()),
                    "broken": broken, "trace": format!("{:016x}", ran.trace) })
        );
    } else {
        if let Some(breach) = &ran.breach {
            println!("\nBROKEN: {breach}\nreplay: {}\n", replay(args, seed));
        } else if let Some(converged) = ran.converged {
            println!("every promise kept; all workers had work {converged:?} after the healing");
        }
        let (events, answers, time) = (ran.events, ran.answers, ran.time);
        println!("{events} events, {answers} moves in {time:?} of virtual time");
        println!("trace {:016x}", ran.trace);
    }
    match ran.breach {
        Some(breach) => Err(anyhow!("seed {seed}: {breach}").into()),
        None => Ok(()),
    }
}

fn many(args: &Sim) -> Result<(), Failure> {
    let seeds = args.seeds.clone().unwrap_or_else(|| fresh_seed()..u64::MAX);
    let threads =
        args.threads.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from));
    let mut progress = Progress::new(args, seeds.clone());
    if !args.json {
        println!("seeds from {} on, {threads} at the same time", seeds.start);
    }
    let interrupts = Interrupts::listen()?;
    let tally = swarm(seeds.clone(), threads, args.plant.map(Planted::from), |tally| {
        progress.show(tally);
        let out_of_time = args.minutes.is_some_and(|most| progress.began.elapsed() >= most);
        let over = out_of_time || interrupts.count() > 0;
        !over && (args.keep_going || tally.broken.is_empty())
    });
    progress.end();
    tell(args, seeds.start, &tally, progress.began.elapsed());
    match tally.broken.len() {
        0 => Ok(()),
        broken => Err(anyhow!("{broken} of {} seeds broke a promise", tally.seeds).into()),
    }
}

fn tell(args: &Sim, first: u64, tally: &Tally, took: Duration) {
    if args.json {
        let broken: Vec<_> = tally
            .broken
            .iter()
            .map(|(seed, breach)| {
                json!({ "seed": seed, "promise": breach.promise.number(),
                        "at_ms": breach.at.as_secs_f64() * 1e3, "what": breach.what,
                        "replay": replay(args, *seed) })
            })
            .collect();
        println!(
            "{}",
            json!({ "first_seed": first, "seeds": tally.seeds, "events": tally.events,
                    "answers": tally.answers, "virtual_seconds": tally.time.as_secs_f64(),
                    "slowest_convergence_seconds": tally.slowest.as_secs_f64(),
                    "seconds": took.as_secs_f64(), "broken": broken })
        );
        return;
    }
    for (seed, breach) in &tally.broken {
        println!("\nseed {seed} BROKEN: {breach}\nreplay: {}\n", replay(args, *seed));
    }
    let Tally { seeds, events, answers, time, slowest, .. } = tally;
    println!("{seeds} seeds, {events} events, {answers} moves in {:.0} s", took.as_secs_f64());
    println!(
        "{:.0} s of virtual time; slowest to have all at work {slowest:?}",
        time.as_secs_f64()
    );
}

/// Shows how far a swarm is: a bar on a terminal, a line now and then elsewhere.
struct Progress {
    began: Instant,
    shown: Instant,
    /// `None` when nothing is to be shown.
    every: Option<Duration>,
    terminal: bool,
    total: Option<u64>,
    minutes: Option<Duration>,
}

impl Progress {
    fn new(args: &Sim, seeds: std::ops::Range<u64>) -> Self {
        let terminal = std::io::stderr().is_terminal();
        let now = Instant::now();
        Progress {
            began: now,
            shown: now,
            every: (!args.json || terminal).then_some(if terminal { REDRAW } else { REPORT }),
            terminal,
            total: args.seeds.as_ref().map(|_| seeds.end - seeds.start),
            minutes: args.minutes,
        }
    }

    fn show(&mut self, tally: &Tally) {
        let now = Instant::now();
        if self.every.is_none_or(|every| now - self.shown < every) {
            return;
        }
        self.shown = now;
        let elapsed = now - self.began;
        let by_seeds = self.total.map(|total| tally.seeds as f64 / total as f64);
        let by_time = self.minutes.map(|most| elapsed.as_secs_f64() / most.as_secs_f64());
        let part = by_seeds.into_iter().chain(by_time).fold(0.0, f64::max).clamp(0.0, 1.0);
        let seconds = elapsed.as_secs();
        let text = format!(
            "{:3.0} %  {} seeds, {} broken, {seconds} s",
            part * 100.0,
            tally.seeds,
            tally.broken.len()
        );
        let mut out = std::io::stderr().lock();
        let _ = if self.terminal {
            let full = (part * 30.0).round() as usize;
            write!(out, "\r[{:<30}] {text}\x1b[K", "#".repeat(full))
        } else {
            writeln!(out, "{}", text.trim_start())
        };
        let _ = out.flush();
    }

    fn end(&self) {
        if self.terminal && self.every.is_some() {
            eprint!("\r\x1b[K");
        }
    }
}
