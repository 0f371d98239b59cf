//! `senbon worker`: lends this machine's engines to a master.

use std::io::{self, Write};
use std::time::Instant;

use senbon_engines::builtin::BuiltIn;
use senbon_fabric::Security;
use senbon_fabric::carrier::Net;
use senbon_fabric::lend::{Lender, Status};
use senbon_games::chess::Chess;
use senbon_games::shogi::Shogi;

use crate::args::EngineGame;
use crate::args::worker::Worker;
use crate::leash;
use crate::report::Failure;

pub(crate) fn run(args: &Worker) -> Result<(), Failure> {
    match args.game {
        EngineGame::Chess => lend::<Chess>(args),
        EngineGame::Shogi => lend::<Shogi>(args),
    }
}

fn lend<G: BuiltIn + Sync>(args: &Worker) -> Result<(), Failure>
where
    G::Undo: Send,
{
    let security = args.protection.choose(&args.connect)?;
    let name = name(args, &security)?;
    let config = args.config();
    let sources = leash::hold(config.sources(G::DIALECT, G::NAME));
    let count = sources.len();
    let open = |deliver| Net::connect(&args.connect, security.credentials(), deliver);
    let lender: Lender<G> = Lender::start(&name, sources, open)?;
    let quit = lender.quitter();
    ctrlc::set_handler(quit)?;
    let engines = if count == 1 { "engine" } else { "engines" };
    say(&format!("{name} dials {} to lend {count} {engines}", args.connect));
    let began = Instant::now();
    lender.run(|status| {
        let time = began.elapsed().as_secs_f64();
        say(&format!("{time:9.3} {}", describe(&status)));
    });
    say(&format!("{name} has left"));
    Ok(())
}

/// What the master calls this machine.
fn name(args: &Worker, security: &Security) -> Result<String, Failure> {
    if let Some(credentials) = security.credentials() {
        return Ok(credentials.name()?);
    }
    let machine = || std::fs::read_to_string("/etc/hostname").ok();
    let name = args.name.clone().or_else(machine).unwrap_or_default();
    let name: String = name.trim().chars().take(64).collect();
    Ok(if name.is_empty() { "worker".to_owned() } else { name })
}

fn describe(status: &Status) -> String {
    match status {
        Status::Ready(engine, name) => format!("engine {engine} is ready: {name}"),
        Status::Failed(engine, fault) => format!("engine {engine} failed: {fault}"),
        Status::Complaint(engine, text) => format!("engine {engine} complains: {text}"),
        Status::NoConnection(why) => format!("no connection yet: {why}"),
        Status::Master(_) => "the master is there".to_owned(),
        Status::MasterGone(_) => "the master is gone".to_owned(),
        Status::Joined(engine, _) => format!("engine {engine} is lent"),
        Status::Left(engine, fault) => format!("engine {engine} is free again: {fault}"),
        Status::Refused(engine, why) => format!("engine {engine} was refused: {why}"),
    }
}

/// A line of the log. Whoever reads it may have gone; the work goes on.
fn say(line: &str) {
    let mut out = io::stdout().lock();
    let _ = writeln!(out, "{line}").and_then(|()| out.flush());
}
