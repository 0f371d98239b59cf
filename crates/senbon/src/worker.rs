//! `senbon worker`: lends this machine's engines to a master.

use std::io::{self, Write};
use std::net::SocketAddr;
use std::time::Instant;

use senbon_engines::builtin::BuiltIn;
use senbon_fabric::Security;
use senbon_fabric::carrier::Net;
use senbon_fabric::lend::{Lender, Status};
use senbon_games::chess::Chess;
use senbon_games::shogi::Shogi;
use serde_json::{Value, json};

use crate::args::EngineGame;
use crate::args::worker::Worker;
use crate::leash;
use crate::metrics::Metrics;
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
    let sources = leash::hold(config.hire(G::DIALECT, G::NAME).1);
    let count = sources.len();
    let open = |deliver| Net::connect(&args.connect, security.credentials(), deliver);
    let lender: Lender<G> = Lender::start(&name, sources, open)?;
    let quit = lender.quitter();
    ctrlc::set_handler(quit)?;
    let metrics = Metrics::new(count);
    let served = args.metrics.map(|address| metrics.serve(address)).transpose();
    let served = served.map_err(|error| anyhow::anyhow!("--metrics: {error}"))?;
    let log = Log { json: args.json, began: Instant::now() };
    log.begin(&name, &args.connect.to_string(), count, served);
    lender.run(|status| {
        metrics.note(&status);
        log.tell(&status);
    });
    log.end(&name);
    Ok(())
}

/// What is said on standard output.
struct Log {
    json: bool,
    began: Instant,
}

impl Log {
    fn begin(&self, name: &str, master: &str, count: usize, metrics: Option<SocketAddr>) {
        let at = metrics.map(|at| format!("http://{at}/metrics"));
        if self.json {
            let event = json!({
                "event": "start", "name": name, "master": master, "engines": count, "metrics": at,
            });
            return self.say(&event.to_string());
        }
        let engines = if count == 1 { "engine" } else { "engines" };
        self.say(&format!("{name} dials {master} to lend {count} {engines}"));
        if let Some(at) = at {
            self.say(&format!("metrics are at {at}"));
        }
    }

    fn tell(&self, status: &Status) {
        let seconds = self.began.elapsed().as_secs_f64();
        match (self.json, status) {
            // After every search: for the monitor.
            (_, Status::Speed(..)) => {}
            (true, _) => self.say(&as_json(seconds, status).to_string()),
            (false, _) => self.say(&format!("{seconds:9.3} {}", describe(status))),
        }
    }

    fn end(&self, name: &str) {
        if self.json {
            let seconds = self.began.elapsed().as_secs_f64();
            self.say(&json!({ "event": "end", "seconds": seconds }).to_string());
        } else {
            self.say(&format!("{name} has left"));
        }
    }

    /// A line. Whoever reads it may have gone; the work goes on.
    fn say(&self, line: &str) {
        let mut out = io::stdout().lock();
        let _ = writeln!(out, "{line}").and_then(|()| out.flush());
    }
}

fn as_json(seconds: f64, status: &Status) -> Value {
    let (event, engine, field, text) = match status {
        Status::Ready(engine, name) => ("ready", Some(engine), "name", name.clone()),
        Status::Speed(engine, speed) => ("speed", Some(engine), "nps", speed.to_string()),
        Status::Failed(engine, fault) => ("failed", Some(engine), "reason", fault.to_string()),
        Status::Complaint(engine, text) => ("complaint", Some(engine), "text", text.clone()),
        Status::NoConnection(why) => ("no connection", None, "reason", why.clone()),
        Status::Master(master) => ("master", None, "master", format!("{:x}", master.0)),
        Status::MasterGone(master) => ("master gone", None, "master", format!("{:x}", master.0)),
        Status::Joined(engine, master) => {
            ("lent", Some(engine), "master", format!("{:x}", master.0))
        }
        Status::Left(engine, fault) => ("free", Some(engine), "reason", fault.to_string()),
        Status::Refused(engine, why) => ("refused", Some(engine), "reason", why.clone()),
    };
    json!({ "event": event, "seconds": seconds, "engine": engine, field: text })
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
        Status::Speed(engine, speed) => format!("engine {engine} searches {speed} nodes a second"),
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
