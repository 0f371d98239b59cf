//! Lines for a pipe, a file or a terminal that can do nothing else: one for every change
//! worth it, then the answer. Failures go to standard error.

use std::io::{self, Write};
use std::time::Duration;

use super::model::{Answer, BestLine, Change, Model};
use super::show::Show;
use super::text::{clock, count};

/// A change of score or line alone is told this long after the last line at the earliest; a
/// new best move or a new depth at once.
const PAUSE: Duration = Duration::from_secs(1);

pub(super) struct Plain<W: Write> {
    out: W,
    /// The best lines last told.
    told: Vec<BestLine>,
}

impl<W: Write> Plain<W> {
    pub(super) fn new(out: W) -> Self {
        Plain { out, told: Vec::new() }
    }

    fn tell(&mut self, model: &Model) -> io::Result<()> {
        for line in &model.lines {
            writeln!(self.out, "{}", told(line, model.asked.lines > 1))?;
        }
        self.told.clone_from(&model.lines);
        self.out.flush()
    }

    fn is_due(&self, model: &Model) -> bool {
        // Ranks come one by one; the last of them completes the round.
        let Some(last) = model.lines.last().filter(|_| is_complete(model)) else { return false };
        let Some(before) = self.told.first() else { return true };
        let now = &model.lines[0];
        let new = now.depth > before.depth || now.moves.first() != before.moves.first();
        new || (differs(&model.lines, &self.told) && last.time >= before.time + PAUSE)
    }
}

fn is_complete(model: &Model) -> bool {
    model.lines.iter().all(|line| line.time == model.lines[0].time)
}

/// Whether the lines say anything else than before, times and counts aside.
fn differs(lines: &[BestLine], before: &[BestLine]) -> bool {
    let said = |lines: &[BestLine]| -> Vec<_> {
        lines.iter().map(|line| (line.score, line.depth, line.moves.clone())).collect()
    };
    said(lines) != said(before)
}

fn told(line: &BestLine, ranked: bool) -> String {
    let rank = if ranked { format!("{:>2}. ", line.rank) } else { String::new() };
    let (seconds, score) = (line.time.as_secs_f64(), line.score.to_string());
    format!(
        "{rank}{seconds:6.1} s  depth {:2}  {score:>7}  {:>12} nodes  {}",
        line.depth,
        line.nodes,
        line.readable.join(" ")
    )
}

/// The answer for a person.
pub(super) struct Summary {
    /// The move.
    pub(super) best: String,
    /// What it is worth.
    pub(super) score: String,
    /// What was done to find it.
    pub(super) work: String,
}

pub(super) fn summary(model: &Model, answer: &Answer) -> Summary {
    let best = match (&answer.readable, &answer.best) {
        (Some(readable), Some(best)) if readable != best => format!("best {readable} ({best})"),
        (_, Some(best)) => format!("best {best}"),
        _ => "best none".to_owned(),
    };
    let line = model.lines.first();
    let score =
        line.map_or_else(String::new, |line| format!("{}  depth {}", line.score, line.depth));
    let end = if answer.interrupted { ", interrupted" } else { "" };
    let work = format!("{} nodes in {}{end}", count(model.nodes), clock(model.time));
    Summary { best, score, work }
}

impl<W: Write> Show for Plain<W> {
    fn looks_every(&self) -> Option<Duration> {
        None
    }

    fn begin(&mut self, _model: &Model) -> io::Result<()> {
        Ok(())
    }

    fn change(&mut self, model: &Model, change: &Change) -> io::Result<()> {
        match change {
            Change::Line(_) if self.is_due(model) => self.tell(model),
            Change::Fault { worker, reason } => {
                eprintln!("senbon: worker {worker}: {reason}");
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn tick(&mut self, _model: &Model) -> io::Result<()> {
        Ok(())
    }

    fn answer(&mut self, model: &Model, answer: &Answer) -> io::Result<()> {
        if differs(&model.lines, &self.told) {
            self.tell(model)?;
        }
        let Summary { best, score, work } = summary(model, answer);
        writeln!(self.out, "{best}  {score}  {work}")?;
        self.out.flush()
    }

    fn fail(&mut self, _model: &Model, _reason: &str) -> io::Result<()> {
        Ok(())
    }
}
