//! No engine outlives us: a helper process that ends them when we are gone.
//!
//! Some engines ignore the end of their input, and a program that is killed cannot end its
//! children. So a small process of its own, the leash, is told of every engine that starts
//! (`+` and its process number) and ends (`-`). Its input is a pipe that we hold; the system
//! closes it however we end, and then the leash ends every group that is left.

use std::collections::BTreeSet;
use std::io::{self, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::group::{self, Signal};
use crate::{Line, read_lines};

/// More engines than this are not minded.
const MOST_ENGINES: usize = 16 * 1024;
/// Longest line of sense.
const LONGEST_LINE: usize = 32;
/// How long engines may take to end when asked to.
const FAREWELL: Duration = Duration::from_millis(300);
/// How long the leash may take to end when nothing is left for it to do.
const LAST_WAIT: Duration = Duration::from_secs(2);

/// The hand that holds the leash. Clones hold the same one; it ends with the last of them.
#[derive(Clone, Debug)]
pub struct Leash(Arc<Mutex<Holder>>);

#[derive(Debug)]
struct Holder {
    process: Child,
    input: Option<ChildStdin>,
}

impl Leash {
    /// Starts the helper: `command` runs a program that calls [`mind`] on its input.
    pub fn start(command: &mut Command) -> io::Result<Leash> {
        group::own_group(command);
        let mut process = command
            .stdin(Stdio::piped())
            // What we print to is closed when we end, not when the helper does.
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()?;
        let input = process.stdin.take();
        Ok(Leash(Arc::new(Mutex::new(Holder { process, input }))))
    }

    /// An engine was started; false when the helper is gone.
    pub(super) fn add(&self, engine: u32) -> bool {
        self.tell(&format!("+{engine}\n"))
    }

    /// An engine has ended, with all its group.
    pub(super) fn remove(&self, engine: u32) {
        self.tell(&format!("-{engine}\n"));
    }

    fn tell(&self, line: &str) -> bool {
        let mut holder = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(input) = &mut holder.input else { return false };
        // One write of one line: the helper never sees half of it.
        input.write_all(line.as_bytes()).and_then(|()| input.flush()).is_ok()
    }
}

impl Drop for Holder {
    fn drop(&mut self) {
        self.input = None;
        let until = Instant::now() + LAST_WAIT;
        while matches!(self.process.try_wait(), Ok(None)) && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}

/// The helper's whole work: listens until the input ends, then ends what is left.
pub fn mind(input: impl Read) {
    let mut engines = BTreeSet::new();
    read_lines(input, LONGEST_LINE, |line| {
        if let Line::Text(text) = line {
            note(&mut engines, &text);
        }
        true
    });
    end_all(&engines);
}

/// Takes note of one line; nonsense is left out.
fn note(engines: &mut BTreeSet<u32>, line: &str) {
    let number = |text: &str| text.parse::<u32>().ok().filter(|&number| number > 1);
    if let Some(number) = line.strip_prefix('+').and_then(number) {
        if engines.len() < MOST_ENGINES {
            engines.insert(number);
        }
    } else if let Some(number) = line.strip_prefix('-').and_then(number) {
        engines.remove(&number);
    }
}

fn end_all(engines: &BTreeSet<u32>) {
    let tell_all = |signal| engines.iter().for_each(|&engine| group::signal(engine, signal));
    tell_all(Signal::Terminate);
    let until = Instant::now() + FAREWELL;
    while engines.iter().any(|&engine| group::exists(engine)) && Instant::now() < until {
        std::thread::sleep(Duration::from_millis(5));
    }
    tell_all(Signal::Kill);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_makes_sense_is_noted() {
        let mut engines = BTreeSet::new();
        for line in ["+12", "+34", "-12", "+0", "+1", "-", "+", "+-5", "12", "+99999999999", ""] {
            note(&mut engines, line);
        }
        assert_eq!(engines, BTreeSet::from([34]));
        for number in 100..100 + 2 * MOST_ENGINES {
            note(&mut engines, &format!("+{number}"));
        }
        assert_eq!(engines.len(), MOST_ENGINES);
    }

    #[cfg(unix)]
    #[test]
    fn the_end_of_the_input_ends_those_who_are_left() {
        let sleeper = || {
            let mut command = Command::new("sh");
            command.args(["-c", "trap '' TERM; sleep 600 & wait; sleep 600"]);
            group::own_group(&mut command);
            command.spawn().unwrap()
        };
        let (mut kept, mut ended) = (sleeper(), sleeper());
        let lines = format!("+{}\n+{}\n-{}\n", kept.id(), ended.id(), kept.id());
        mind(lines.as_bytes());
        assert!(!ended.wait().unwrap().success());
        assert!(matches!(kept.try_wait(), Ok(None)));
        group::signal(kept.id(), Signal::Kill);
        kept.wait().unwrap();
        let until = Instant::now() + Duration::from_secs(60);
        while group::exists(ended.id()) && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(5));
        }
        assert!(!group::exists(ended.id()), "its child, too");
    }
}
