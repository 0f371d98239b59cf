//! The program as a process, driven through its pipes.
// Each test program uses its part.
#![allow(dead_code)]

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, sync_channel};
use std::time::{Duration, Instant};

use senbon_engines::universal::{Best, Dialect, Info, Reply};

/// How long an answer may take before a test fails.
const PATIENCE: Duration = Duration::from_secs(60);

/// A running engine, mostly `senbon`, that speaks UCI or USI.
pub(crate) struct Engine {
    child: Child,
    commands: Option<ChildStdin>,
    replies: Receiver<String>,
    dialect: Dialect,
}

/// What an engine said to a `go`.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) best: Best,
    pub(crate) ponder: Option<String>,
    pub(crate) infos: Vec<Info>,
    pub(crate) time: Duration,
}

impl Engine {
    pub(crate) fn start(arguments: &[&str], dialect: Dialect) -> Self {
        Self::start_program(env!("CARGO_BIN_EXE_senbon"), arguments, dialect)
    }

    /// Another engine, driven the same way.
    pub(crate) fn start_program(program: &str, arguments: &[&str], dialect: Dialect) -> Self {
        let mut child = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let stdout = child.stdout.take().unwrap();
        let (sender, replies) = sync_channel(100_000);
        std::thread::spawn(move || {
            for line in BufReader::new(stdout).lines().map_while(Result::ok) {
                let _ = sender.send(line);
            }
        });
        Engine { commands: child.stdin.take(), child, replies, dialect }
    }

    /// The number of its process.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    pub(crate) fn say(&mut self, lines: &str) {
        let commands = self.commands.as_mut().unwrap();
        commands.write_all(format!("{lines}\n").as_bytes()).unwrap();
    }

    /// Replies up to and including the first that starts with `word`.
    pub(crate) fn until(&self, word: &str) -> Vec<String> {
        let mut heard = Vec::new();
        loop {
            let line = self.replies.recv_timeout(PATIENCE);
            heard.push(line.unwrap_or_else(|e| panic!("no {word}: {e}; heard {heard:#?}")));
            if heard.last().is_some_and(|line| line.starts_with(word)) {
                return heard;
            }
        }
    }

    /// Sends `lines`, the last of which is a `go`, and waits for the best move.
    pub(crate) fn ask(&mut self, lines: &str) -> Answer {
        let start = Instant::now();
        self.say(lines);
        let mut heard = self.until("bestmove");
        let time = start.elapsed();
        let last = Reply::parse(self.dialect, &heard.pop().unwrap()).unwrap();
        let Reply::BestMove { best, ponder } = last else { panic!("{last:?}") };
        let infos = heard.iter().map(|line| match Reply::parse(self.dialect, line) {
            Ok(Reply::Info(info)) => *info,
            other => panic!("{line}: {other:?}"),
        });
        Answer { best, ponder, infos: infos.collect(), time }
    }

    /// The text of the next remark.
    pub(crate) fn remark(&self) -> String {
        self.until("info string").pop().unwrap().replacen("info string ", "", 1)
    }

    /// The process number.
    pub(crate) fn number(&self) -> u32 {
        self.child.id()
    }

    /// Ends the process as nothing can prevent.
    pub(crate) fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Ends the input; how the process ended, and what it still said.
    pub(crate) fn end(mut self) -> (ExitStatus, Vec<String>) {
        self.commands = None;
        let status = self.child.wait().unwrap();
        (status, self.replies.iter().collect())
    }
}

impl Answer {
    /// The best move as text.
    pub(crate) fn text(&self) -> &str {
        match &self.best {
            Best::Move(text) => text,
            other => panic!("{other:?} is no move"),
        }
    }

    /// The last thing said about a score.
    pub(crate) fn last_scored(&self) -> &Info {
        self.infos.iter().rfind(|info| info.score.is_some()).unwrap()
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        // Gone already unless a test failed.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
