//! Another engine as a child process, asked for one move at a time.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, sync_channel};
use std::time::Duration;

use anyhow::{Context, Result, bail};

/// Longest wait for an answer.
const PATIENCE: Duration = Duration::from_secs(120);

/// Which protocol an engine speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// Chess engines.
    Uci,
    /// Shogi engines.
    Usi,
}

/// An engine to play against.
pub struct Opponent {
    dialect: Dialect,
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
}

/// Its answer.
pub(crate) struct Answer {
    pub(crate) best: String,
    /// Last value it told, from its own view; mates as large values.
    pub(crate) value: Option<i32>,
}

impl Opponent {
    /// Starts `command` (program and arguments) and sets `options` (name, value).
    pub fn start(
        command: &[String],
        dialect: Dialect,
        options: &[(String, String)],
    ) -> Result<Self> {
        let (program, arguments) = command.split_first().context("no engine command given")?;
        let mut child = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .with_context(|| format!("cannot start {program}"))?;
        let input = child.stdin.take().context("the engine has no input")?;
        let output = child.stdout.take().context("the engine has no output")?;
        let (sender, lines) = sync_channel(1_024);
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        let mut opponent = Opponent { dialect, child, input, lines };
        let (hello, ready) = match dialect {
            Dialect::Uci => ("uci", "uciok"),
            Dialect::Usi => ("usi", "usiok"),
        };
        opponent.send(hello)?;
        opponent.wait_for(ready, |_| {})?;
        for (name, value) in options {
            opponent.send(&format!("setoption name {name} value {value}"))?;
        }
        opponent.new_game()?;
        Ok(opponent)
    }

    pub(crate) fn new_game(&mut self) -> Result<()> {
        self.send(match self.dialect {
            Dialect::Uci => "ucinewgame",
            Dialect::Usi => "usinewgame",
        })?;
        self.send("isready")?;
        self.wait_for("readyok", |_| {})?;
        Ok(())
    }

    pub(crate) fn think(&mut self, start: &str, moves: &str, nodes: u64) -> Result<Answer> {
        let keyword = match self.dialect {
            Dialect::Uci => "fen",
            Dialect::Usi => "sfen",
        };
        let moves = if moves.is_empty() { String::new() } else { format!(" moves{moves}") };
        self.send(&format!("position {keyword} {start}{moves}"))?;
        self.send(&format!("go nodes {nodes}"))?;
        let mut value = None;
        let line = self.wait_for("bestmove", |line| {
            value = told_value(line).or(value);
        })?;
        let best = line.split_whitespace().nth(1).context("bestmove without a move")?.to_owned();
        Ok(Answer { best, value })
    }

    pub(crate) fn resigns(&self, best: &str) -> bool {
        matches!(best, "resign" | "0000" | "(none)")
    }

    fn send(&mut self, line: &str) -> Result<()> {
        writeln!(self.input, "{line}").with_context(|| format!("the engine died before {line:?}"))
    }

    fn wait_for(&mut self, word: &str, mut hear: impl FnMut(&str)) -> Result<String> {
        loop {
            match self.lines.recv_timeout(PATIENCE) {
                Ok(line) if line.split_whitespace().next() == Some(word) => return Ok(line),
                Ok(line) => hear(&line),
                Err(_) => bail!("the engine did not answer {word} within {PATIENCE:?}"),
            }
        }
    }
}

impl Drop for Opponent {
    fn drop(&mut self) {
        let _ = writeln!(self.input, "quit");
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The value in an `info` line.
fn told_value(line: &str) -> Option<i32> {
    let mut words = line.split_whitespace();
    if words.next() != Some("info") {
        return None;
    }
    words.find(|&word| word == "score")?;
    match (words.next()?, words.next()?) {
        ("cp", number) => number.parse().ok(),
        ("mate", number) => Some(if number.starts_with('-') { -30_000 } else { 30_000 }),
        _ => None,
    }
}
