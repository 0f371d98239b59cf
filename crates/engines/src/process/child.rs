//! The process itself and the threads around its pipes.

use std::io::{self, Write};
use std::process::{Child as Process, Command, Stdio};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::time::{Duration, Instant};

use senbon_games::Game;

use super::group::{self, Signal};
use super::inbox::{Heard, Inbox};
use super::{EngineCommand, Leash, Line};
use crate::read_lines;

/// Longest line listened to; longer ones are skipped.
const LONGEST_LINE: usize = 64 * 1024;
/// Lines waiting to be written.
const UNWRITTEN: usize = 256;
/// How long an engine may take to leave.
const FAREWELL: Duration = Duration::from_millis(500);
/// How long the end of a process may take to show.
const MOMENT: Duration = Duration::from_millis(100);

/// A running engine.
pub(super) struct Child {
    process: Process,
    input: Option<SyncSender<String>>,
    leash: Option<Leash>,
    /// The group was ended and the process collected.
    gone: bool,
}

impl Child {
    pub(super) fn start<G: Game + Send + 'static>(
        command: &EngineCommand,
        run: u32,
        inbox: &Inbox<G>,
    ) -> io::Result<Child>
    where
        G::Undo: Send,
    {
        let mut to_start = Command::new(&command.program);
        to_start
            .args(&command.arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        group::own_group(&mut to_start);
        let mut process = to_start.spawn()?;
        let leash = command.leash.clone().filter(|leash| leash.add(process.id()));
        if command.leash.is_some() && leash.is_none() {
            let text = "the leash is gone: this engine may outlive us".to_owned();
            inbox.hear(Heard::Complaint(text));
        }
        let (input, lines) = sync_channel(UNWRITTEN);
        if let Some(pipe) = process.stdin.take() {
            std::thread::spawn(move || write_lines(pipe, &lines));
        }
        if let Some(pipe) = process.stdout.take() {
            let inbox = inbox.clone();
            std::thread::spawn(move || {
                read_lines(pipe, LONGEST_LINE, |line| inbox.hear(Heard::Line(run, line)));
                inbox.hear(Heard::Closed(run));
            });
        }
        if let Some(pipe) = process.stderr.take() {
            let inbox = inbox.clone();
            std::thread::spawn(move || {
                read_lines(pipe, LONGEST_LINE, |line| match line {
                    Line::Text(text) => inbox.hear(Heard::Complaint(text)),
                    _ => true,
                });
            });
        }
        Ok(Child { process, input: Some(input), leash, gone: false })
    }

    /// Hands a line over to be written; false when too many wait already.
    pub(super) fn send(&self, line: String) -> bool {
        self.input.as_ref().is_some_and(|input| input.try_send(line).is_ok())
    }

    /// Ends the process and all it started, at once.
    pub(super) fn kill(&mut self) {
        if self.gone {
            return;
        }
        self.gone = true;
        let number = self.process.id();
        group::signal(number, Signal::Kill);
        let _ = self.process.kill();
        // Before the process is collected: until then nobody else can have its number.
        if let Some(leash) = &self.leash {
            leash.remove(number);
        }
        let _ = self.process.wait();
    }

    /// Asks the engine to leave, and makes it.
    pub(super) fn quit(&mut self) {
        self.send("stop".to_owned());
        self.send("quit".to_owned());
        self.input = None;
        self.ends_within(FAREWELL);
        self.kill();
    }

    fn ends_within(&mut self, wait: Duration) -> bool {
        let until = Instant::now() + wait;
        loop {
            if group::has_ended(&mut self.process) {
                return true;
            }
            if Instant::now() >= until {
                return false;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// How the process ended, for the log. Whatever is left of it is ended, too.
    pub(super) fn last_words(&mut self) -> String {
        // A process closes its output a moment before it has ended.
        let by_itself = self.ends_within(MOMENT);
        self.kill();
        match self.process.wait() {
            Ok(status) if by_itself => status.to_string(),
            _ => "its output was closed".to_owned(),
        }
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        self.kill();
    }
}

fn write_lines(mut pipe: impl Write, lines: &Receiver<String>) {
    for line in lines {
        if writeln!(pipe, "{line}").and_then(|()| pipe.flush()).is_err() {
            return;
        }
    }
}
