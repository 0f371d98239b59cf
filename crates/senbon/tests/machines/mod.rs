//! `senbon` processes that play master and worker, and what they say.
// Each test program uses its part.
#![allow(dead_code)]

use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, sync_channel};
use std::time::{Duration, Instant};

use serde_json::Value;

/// How long anything may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(90);

/// A `senbon` whose lines are read.
pub(crate) struct Senbon {
    pub(crate) child: Child,
    lines: Receiver<String>,
}

impl Senbon {
    pub(crate) fn start(arguments: &[&str]) -> Self {
        Self::run(Command::new(env!("CARGO_BIN_EXE_senbon")).args(arguments))
    }

    /// Runs a command that becomes `senbon`.
    pub(crate) fn run(command: &mut Command) -> Self {
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().unwrap();
        let stdout = child.stdout.take().unwrap();
        let (sender, lines) = sync_channel(100_000);
        std::thread::spawn(move || {
            for line in BufReader::new(stdout).lines().map_while(Result::ok) {
                let _ = sender.send(line);
            }
        });
        Senbon { child, lines }
    }

    pub(crate) fn worker(address: &str, name: &str) -> Self {
        Self::workers(address, name, "1")
    }

    /// A machine that lends so many.
    pub(crate) fn workers(address: &str, name: &str, slots: &str) -> Self {
        let who = ["worker", "--connect", address, "--name", name];
        Self::start(&[&who[..], &["--slots", slots, "--hash", "1"]].concat())
    }

    /// Searches until it is interrupted.
    pub(crate) fn master(address: &str) -> Self {
        let listen = ["analyse", "--workers", "0", "--listen", address];
        Self::start(&[&listen[..], &["--json", "--infinite"]].concat())
    }

    pub(crate) fn signal(&self, name: &str) {
        let id = self.child.id().to_string();
        assert!(Command::new("kill").args(["-s", name, &id]).status().unwrap().success());
    }

    /// The first line that `wanted` likes.
    pub(crate) fn wait<T>(&self, what: &str, wanted: impl Fn(&str) -> Option<T>) -> T {
        let until = Instant::now() + PATIENCE;
        let mut heard = Vec::new();
        loop {
            let left = until.saturating_duration_since(Instant::now());
            let Ok(line) = self.lines.recv_timeout(left) else {
                panic!("no {what}; heard {heard:#?}");
            };
            if let Some(found) = wanted(&line) {
                return found;
            }
            heard.push(line);
        }
    }

    /// The next event of this kind.
    pub(crate) fn event(&self, kind: &str) -> Value {
        self.wait(kind, |line| {
            let event: Value = serde_json::from_str(line).unwrap();
            (event["event"] == kind).then_some(event)
        })
    }

    /// The number of the engine of this machine that comes next. On a busy machine others may
    /// be lost meanwhile, and come back.
    pub(crate) fn joined(&self, machine: &str) -> Value {
        let ending = format!(" on {machine}");
        loop {
            let joined = self.event("joined");
            if joined["engine"].as_str().unwrap().ends_with(&ending) {
                return joined["worker"].clone();
            }
        }
    }

    /// Why this engine was lost.
    pub(crate) fn lost(&self, worker: &Value) -> String {
        loop {
            let fault = self.event("fault");
            if fault["worker"] == *worker {
                return fault["reason"].as_str().unwrap().to_owned();
            }
        }
    }

    /// Asks for the answer.
    pub(crate) fn answer(&mut self) -> Value {
        self.signal("INT");
        let best = self.event("best");
        assert!(self.child.wait().unwrap().success());
        best
    }

    /// All lines so far that contain this and were not taken.
    pub(crate) fn said(&self, part: &str) -> Vec<String> {
        self.lines.try_iter().filter(|line| line.contains(part)).collect()
    }

    pub(crate) fn says(&self, part: &str) {
        self.wait(part, |line| line.contains(part).then_some(()));
    }
}

impl Drop for Senbon {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub(crate) fn free_address() -> String {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string()
}
