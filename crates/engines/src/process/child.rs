//! The process itself and the threads around its pipes.

use std::io::{self, Write};
use std::process::{Child as Process, Command, Stdio};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::time::{Duration, Instant};

use senbon_games::Game;

use super::{EngineCommand, Event, Line};
use crate::read_lines;

/// Longest line listened to; longer ones are skipped.
const LONGEST_LINE: usize = 64 * 1024;
/// Lines waiting to be written.
const UNWRITTEN: usize = 256;
/// How long an engine may take to leave.
const FAREWELL: Duration = Duration::from_millis(500);

/// A running engine.
pub(super) struct Child {
    process: Process,
    input: Option<SyncSender<String>>,
}

impl Child {
    pub(super) fn start<G: Game + Send + 'static>(
        command: &EngineCommand,
        run: u32,
        events: &SyncSender<Event<G>>,
    ) -> io::Result<Child>
    where
        G::Undo: Send,
    {
        let mut process = Command::new(&command.program)
            .args(&command.arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        let (input, lines) = sync_channel(UNWRITTEN);
        if let Some(pipe) = process.stdin.take() {
            std::thread::spawn(move || write_lines(pipe, &lines));
        }
        if let Some(pipe) = process.stdout.take() {
            let events = events.clone();
            std::thread::spawn(move || {
                read_lines(pipe, LONGEST_LINE, |line| events.send(Event::Line(run, line)).is_ok());
                let _ = events.send(Event::Closed(run));
            });
        }
        if let Some(pipe) = process.stderr.take() {
            let events = events.clone();
            std::thread::spawn(move || {
                read_lines(pipe, LONGEST_LINE, |line| match line {
                    Line::Text(text) => events.send(Event::Complaint(text)).is_ok(),
                    _ => true,
                });
            });
        }
        Ok(Child { process, input: Some(input) })
    }

    /// Hands a line over to be written; false when too many wait already.
    pub(super) fn send(&self, line: String) -> bool {
        self.input.as_ref().is_some_and(|input| input.try_send(line).is_ok())
    }

    /// Ends the process at once.
    pub(super) fn kill(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }

    /// Asks the engine to leave, and makes it.
    pub(super) fn quit(&mut self) {
        self.send("stop".to_owned());
        self.send("quit".to_owned());
        self.input = None;
        let until = Instant::now() + FAREWELL;
        while Instant::now() < until {
            if !matches!(self.process.try_wait(), Ok(None)) {
                return;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        self.kill();
    }

    /// How the process ended, for the log.
    pub(super) fn last_words(&mut self) -> String {
        match self.process.try_wait() {
            Ok(Some(status)) => status.to_string(),
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
