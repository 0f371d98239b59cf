//! Names of games that say the time control, as Floodgate has them.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use super::TimeControl;
use super::message::is_name;

/// `NAME-TOTAL-BYOYOMI` or `NAME-TOTAL-INCREMENTF`, in seconds: `floodgate-300-10F` is 300
/// seconds and 10 more with each move.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct GameName {
    text: String,
    total: u64,
    byoyomi: u64,
    increment: u64,
}

/// Why a text is no name of a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "'{0}' is no name of a game: write NAME-TOTAL-BYOYOMI or NAME-TOTAL-INCREMENTF, in seconds, \
     such as test-600-10 or test-300-10F"
)]
pub struct GameNameError(String);

/// The longest name.
const LONGEST: usize = 64;
/// The most seconds: two days.
const MOST: u64 = 172_800;

impl GameName {
    /// The name as written.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The time control that the name says, in units of this length. Seconds that are no whole
    /// number of units are rounded up.
    pub fn control(&self, unit: Duration) -> TimeControl {
        let units = |seconds: u64| {
            let unit = unit.as_millis().max(1);
            u64::try_from((u128::from(seconds) * 1_000).div_ceil(unit)).unwrap_or(u64::MAX)
        };
        let (total, byoyomi) = (units(self.total), units(self.byoyomi));
        let increment = units(self.increment);
        TimeControl { unit, total, byoyomi, increment, ..TimeControl::default() }
    }
}

impl FromStr for GameName {
    type Err = GameNameError;

    fn from_str(text: &str) -> Result<Self, GameNameError> {
        let wrong = || GameNameError(text.chars().take(LONGEST).collect());
        let mut parts = text.rsplitn(3, '-');
        let (Some(second), Some(total), Some(name)) = (parts.next(), parts.next(), parts.next())
        else {
            return Err(wrong());
        };
        let seconds = |text: &str| {
            let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
            let number = digits.then(|| text.parse::<u64>().ok()).flatten();
            number.filter(|&number| number <= MOST).ok_or_else(wrong)
        };
        let total = seconds(total)?;
        let (byoyomi, increment) = match second.strip_suffix('F') {
            Some(increment) => (0, seconds(increment)?),
            None => (seconds(second)?, 0),
        };
        let timed = total + byoyomi + increment > 0;
        if !timed || !is_name(name) || text.len() > LONGEST {
            return Err(wrong());
        }
        Ok(GameName { text: text.to_owned(), total, byoyomi, increment })
    }
}

impl fmt::Display for GameName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_say_the_time() {
        let second = Duration::from_secs(1);
        let control = |text: &str| text.parse::<GameName>().unwrap().control(second);
        let floodgate = control("floodgate-300-10F");
        assert_eq!((floodgate.total, floodgate.byoyomi, floodgate.increment), (300, 0, 10));
        let byoyomi = control("my-own_game-0-30");
        assert_eq!((byoyomi.total, byoyomi.byoyomi, byoyomi.increment), (0, 30, 0));
        let fine: GameName = "a-1-0".parse().unwrap();
        assert_eq!(fine.control(Duration::from_millis(10)).total, 100);
        assert_eq!(fine.control(Duration::from_secs(60)).total, 1);
    }

    #[test]
    fn other_texts_are_no_names() {
        let long = "x".repeat(64) + "-1-1";
        for text in ["", "test", "test-600", "-600-10", "a-0-0", "a-0-0F", "a-x-1", "a-1-1f", &long]
        {
            assert!(text.parse::<GameName>().is_err(), "{text}");
        }
        for text in ["a b-1-1", "a-1-1FF", "a-+1-1", "a-999999999-1", "千-1-1", "a--1-1,"] {
            let error = text.parse::<GameName>().unwrap_err();
            assert!(error.to_string().contains("test-300-10F"), "{error}");
        }
    }
}
