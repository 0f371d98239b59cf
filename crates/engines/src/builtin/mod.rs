//! The built-in engines as programs: a conversation over two byte streams.
//!
//! Three threads: one reads commands, one searches, and the one that called [`run`] answers.
//! So every command is answered while a search runs. They talk through bounded channels; the
//! output is shared under a lock, one whole line at a time.
//!
//! Every `go` gets exactly one `bestmove`, of a legal move unless there is none: also when
//! the command was malformed, a new `go` came before the old one was answered, or the search
//! itself failed.

mod commons;
mod desk;
mod game;
mod games;
mod session;
mod settings;
mod tasks;
#[cfg(test)]
mod tests;
mod thinker;
mod worker;

use std::io::{self, Read, Write};
use std::sync::mpsc::sync_channel;
use std::sync::{Arc, Mutex, PoisonError};

pub use commons::Commons;
pub use desk::Desk;
pub use game::{BuiltIn, Judged};
pub use settings::Settings;
pub use tasks::{TaskDesk, tree};
pub use worker::Worker;

use crate::universal::{Dialect, Reply};
use crate::{Line, LineSplitter, read_lines};
use session::Session;

/// What the answering thread hears of.
enum Event {
    /// A line came in.
    Line(Line),
    /// No more will come.
    EndOfInput,
    /// The search of this number has ended.
    Finished(u64),
}

/// Lines that may wait to be answered; beyond that the sender has to wait.
const WAITING_LINES: usize = 64;

/// Plays `G` over `input` and `output` until `quit` or the end of the input.
///
/// Returns an error only when a thread cannot be started or the output cannot be written.
/// The thread that reads ends when its input does.
pub fn run<G: BuiltIn>(
    input: impl Read + Send + 'static,
    output: impl Write + Send + 'static,
) -> io::Result<()> {
    let (events, inbox) = sync_channel(WAITING_LINES);
    let mut session: Session<G, _> = Session::new(Output::new(output), events.clone())?;
    std::thread::Builder::new().name("commands".to_owned()).spawn(move || {
        let limit = LineSplitter::COMMAND_LIMIT;
        read_lines(input, limit, |line| events.send(Event::Line(line)).is_ok());
        // Nobody listens any more after `quit`.
        let _ = events.send(Event::EndOfInput);
    })?;
    for event in inbox {
        session.handle(event)?;
        if session.is_over() {
            break;
        }
    }
    Ok(())
}

/// The way out, shared by the threads; each reply is one line, sent at once.
struct Output<W>(Arc<Mutex<W>>);

impl<W> Clone for Output<W> {
    fn clone(&self) -> Self {
        Output(self.0.clone())
    }
}

impl<W: Write> Output<W> {
    fn new(writer: W) -> Self {
        Output(Arc::new(Mutex::new(writer)))
    }

    fn send(&self, dialect: Dialect, reply: &Reply) -> io::Result<()> {
        let mut line = reply.format(dialect);
        line.push('\n');
        let mut writer = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        writer.write_all(line.as_bytes())?;
        writer.flush()
    }
}
