//! How far a long experiment has come: a bar on a terminal, plain lines elsewhere. Both go
//! to standard error, so that the output stays the result alone.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

use senbon_lab::progress::Progress;

/// Characters of the bar.
const WIDTH: usize = 30;
/// Time between plain lines.
const PLAIN_REST: Duration = Duration::from_secs(30);
/// Time between bars.
const BAR_REST: Duration = Duration::from_millis(200);

/// Shows progress now and then.
pub(super) struct Bar {
    what: &'static str,
    is_terminal: bool,
    shown: Option<Instant>,
}

impl Bar {
    /// A bar that counts `what`.
    pub(super) fn new(what: &'static str) -> Self {
        Bar { what, is_terminal: io::stderr().is_terminal(), shown: None }
    }

    /// Shows how far it is, unless that was shown a moment ago.
    pub(super) fn show(&mut self, progress: &Progress) {
        let Progress { done, total, .. } = *progress;
        let rest = if self.is_terminal { BAR_REST } else { PLAIN_REST };
        if done < total && self.shown.is_some_and(|shown| shown.elapsed() < rest) {
            return;
        }
        self.shown = Some(Instant::now());
        let rate = progress.rate().map_or_else(String::new, |rate| format!(", {rate:.1}/s"));
        let left = progress.remaining().map(|time| format!("{rate}, {} left", span(time)));
        let left = left.unwrap_or_default();
        let mut out = io::stderr().lock();
        // A progress that cannot be shown must not end the work.
        let _ = if self.is_terminal {
            let filled = WIDTH * done / total.max(1);
            let bar: String = (0..WIDTH).map(|at| if at < filled { '█' } else { '░' }).collect();
            write!(out, "\r\x1b[K{bar} {done}/{total} {}{left}", self.what)
        } else {
            writeln!(out, "{done}/{total} {}{left}", self.what)
        };
        let _ = out.flush();
    }

    /// Leaves the line of the bar.
    pub(super) fn end(&self) {
        if self.is_terminal && self.shown.is_some() {
            eprintln!();
        }
    }
}

/// A time as people say it.
pub(crate) fn span(time: Duration) -> String {
    let seconds = time.as_secs();
    match (seconds / 3_600, seconds / 60 % 60, seconds % 60) {
        (0, 0, seconds) => format!("{seconds} s"),
        (0, minutes, seconds) => format!("{minutes} min {seconds} s"),
        (hours, minutes, _) => format!("{hours} h {minutes} min"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_said_in_two_units() {
        let said = [5, 65, 7_260].map(|seconds| span(Duration::from_secs(seconds)));
        assert_eq!(said, ["5 s", "1 min 5 s", "2 h 1 min"]);
    }
}
