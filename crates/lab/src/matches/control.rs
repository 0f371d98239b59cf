//! How long a player may think: time controls as people write them, and the clock of a game.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use senbon_core::{Clock, Limits};

/// The limits of one player.
///
/// ```
/// use senbon_lab::matches::Control;
///
/// let control: Control = "40/60+0.5".parse().unwrap();
/// assert_eq!(control.to_string(), "40/60+0.5");
/// assert!("fast".parse::<Control>().is_err());
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Control {
    /// Time on the clock at the start and after every `moves` moves.
    pub base: Option<Duration>,
    /// Added after each move.
    pub increment: Duration,
    /// The clock gets `base` again after so many moves.
    pub moves: Option<u32>,
    /// For each move once the clock has run out.
    pub byoyomi: Option<Duration>,
    /// Exactly this long for each move.
    pub move_time: Option<Duration>,
    /// Nodes for each move.
    pub nodes: Option<u64>,
    /// Depth for each move.
    pub depth: Option<u32>,
}

/// Why a text is no time control.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "cannot read the control '{text}': {what}; write for example 10+0.1, 40/60+0.5, \
     byoyomi=5, movetime=1, nodes=20000, depth=8, or several joined by commas"
)]
pub struct ControlError {
    text: String,
    what: String,
}

impl FromStr for Control {
    type Err = ControlError;

    fn from_str(text: &str) -> Result<Self, ControlError> {
        let mut control = Control::default();
        for part in text.split(',').map(str::trim) {
            control.read_part(part).map_err(|what| ControlError { text: text.to_owned(), what })?;
        }
        Ok(control)
    }
}

impl Control {
    fn read_part(&mut self, part: &str) -> Result<(), String> {
        match part.split_once('=') {
            Some(("byoyomi", value)) => self.byoyomi = Some(seconds(value)?),
            Some(("movetime", value)) => self.move_time = Some(positive(value)?),
            Some(("nodes", value)) => self.nodes = Some(count(value)?),
            Some(("depth", value)) => self.depth = Some(count(value)?),
            Some((name, _)) => return Err(format!("there is no '{name}'")),
            None => {
                let (moves, time) = match part.split_once('/') {
                    Some((moves, time)) => (Some(count(moves)?), time),
                    None => (None, part),
                };
                let (base, increment) = time.split_once('+').unwrap_or((time, "0"));
                self.moves = moves;
                self.base = Some(seconds(base)?);
                self.increment = seconds(increment)?;
            }
        }
        Ok(())
    }

    /// Whether a clock decides games.
    pub fn is_timed(&self) -> bool {
        self.base.is_some() || self.byoyomi.is_some() || self.move_time.is_some()
    }
}

fn seconds(text: &str) -> Result<Duration, String> {
    let number: f64 = text.parse().map_err(|_| format!("'{text}' is no number of seconds"))?;
    Duration::try_from_secs_f64(number).map_err(|_| format!("'{text}' seconds cannot be"))
}

fn positive(text: &str) -> Result<Duration, String> {
    seconds(text).and_then(|time| match time.is_zero() {
        true => Err("no time at all".to_owned()),
        false => Ok(time),
    })
}

fn count<T: FromStr + PartialOrd + From<u8>>(text: &str) -> Result<T, String> {
    let number: T = text.parse().map_err(|_| format!("'{text}' is no whole number"))?;
    if number < T::from(1) { Err(format!("'{text}' is too few")) } else { Ok(number) }
}

impl fmt::Display for Control {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = Vec::new();
        if let Some(base) = self.base {
            let moves = self.moves.map_or(String::new(), |moves| format!("{moves}/"));
            let increment = match self.increment.is_zero() {
                true => String::new(),
                false => format!("+{}", self.increment.as_secs_f64()),
            };
            parts.push(format!("{moves}{}{increment}", base.as_secs_f64()));
        }
        parts.extend(self.byoyomi.map(|time| format!("byoyomi={}", time.as_secs_f64())));
        parts.extend(self.move_time.map(|time| format!("movetime={}", time.as_secs_f64())));
        parts.extend(self.nodes.map(|nodes| format!("nodes={nodes}")));
        parts.extend(self.depth.map(|depth| format!("depth={depth}")));
        f.write_str(&parts.join(","))
    }
}

/// One player's clock in a game.
#[derive(Clone, Debug)]
pub(super) struct GameClock {
    control: Control,
    left: Duration,
    made: u32,
    /// Lost between the players and the clock without being held against them.
    grace: Duration,
}

impl GameClock {
    pub(super) fn new(control: Control, grace: Duration) -> Self {
        let left = control.base.unwrap_or_default();
        GameClock { control, left, made: 0, grace }
    }

    /// What stands on it.
    pub(super) fn reading(&self) -> Clock {
        match self.control.base {
            None => Clock::default(),
            Some(_) => {
                let increment = Some(self.control.increment).filter(|time| !time.is_zero());
                Clock { time: Some(self.left), increment }
            }
        }
    }

    /// The limits of its owner's next move, but for the clocks.
    pub(super) fn limits(&self) -> Limits {
        let control = &self.control;
        Limits {
            byoyomi: control.byoyomi,
            moves_to_go: control.moves.map(|moves| moves - self.made % moves),
            move_time: control.move_time,
            depth: control.depth,
            nodes: control.nodes,
            ..Limits::default()
        }
    }

    /// The longest a move may take now; none without a clock.
    pub(super) fn longest(&self) -> Option<Duration> {
        let control = &self.control;
        if let Some(time) = control.move_time {
            return Some(time + self.grace);
        }
        control.is_timed().then(|| self.left + control.byoyomi.unwrap_or_default() + self.grace)
    }

    /// A move took this long; false if that was too long.
    pub(super) fn spend(&mut self, time: Duration) -> bool {
        if self.longest().is_some_and(|longest| time > longest) {
            return false;
        }
        self.left = self.left.saturating_sub(time) + self.control.increment;
        self.made += 1;
        if self.control.moves.is_some_and(|moves| self.made.is_multiple_of(moves)) {
            self.left += self.control.base.unwrap_or_default();
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    #[test]
    fn controls_are_written_as_they_are_read() {
        for text in
            ["10", "10+0.1", "40/60+0.5", "0,byoyomi=5", "movetime=0.25", "nodes=5000", "depth=7"]
        {
            assert_eq!(text.parse::<Control>().unwrap().to_string(), text);
        }
        for text in ["", "x", "10+", "0/10", "-1", "nodes=0", "movetime=0", "speed=3", "1e30"] {
            let error = text.parse::<Control>().unwrap_err().to_string();
            assert!(error.contains("write for example"), "{text}: {error}");
        }
    }

    #[test]
    fn clocks_run_and_flags_fall() {
        let mut clock = GameClock::new("2/1+0.1".parse().unwrap(), ms(10));
        assert!(clock.spend(ms(600)));
        assert_eq!(clock.reading().time, Some(ms(500)));
        assert_eq!(clock.limits().moves_to_go, Some(1));
        assert!(clock.spend(ms(505)), "within the grace");
        // Nothing left, the increment, and the second period.
        assert_eq!(clock.reading().time, Some(ms(1_100)));
        assert!(!clock.spend(ms(1_111)));
        let mut byoyomi = GameClock::new("0,byoyomi=1".parse().unwrap(), ms(10));
        assert!(byoyomi.spend(ms(1_000)) && byoyomi.spend(ms(1_000)));
        assert!(!byoyomi.spend(ms(1_020)));
        let mut nodes = GameClock::new("nodes=10".parse().unwrap(), ms(10));
        assert!(nodes.spend(ms(1_000_000)));
    }
}
