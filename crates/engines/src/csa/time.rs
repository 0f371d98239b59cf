//! The clock of a game, reckoned alike by the server and by the players.
//!
//! Times are whole units. The increment of a turn is there from the beginning of the turn, the
//! first one too, as Floodgate keeps it.

use std::time::Duration;

/// How time is given and taken in one game, for one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeControl {
    /// What one unit is.
    pub unit: Duration,
    /// Units for the whole game.
    pub total: u64,
    /// Units for each move once those are used up; what is not used is lost.
    pub byoyomi: u64,
    /// Units added at the beginning of each turn.
    pub increment: u64,
    /// Units of each turn that do not count.
    pub delay: u64,
    /// A move takes so many units at least.
    pub least: u64,
    /// Begun units count as whole ones; otherwise they do not count.
    pub round_up: bool,
}

impl Default for TimeControl {
    fn default() -> Self {
        let unit = Duration::from_secs(1);
        let round_up = false;
        TimeControl { unit, total: 0, byoyomi: 0, increment: 0, delay: 0, least: 0, round_up }
    }
}

impl TimeControl {
    /// Units that a turn of this length takes.
    pub fn charged(&self, elapsed: Duration) -> u64 {
        let counted = elapsed.saturating_sub(self.time(self.delay)).as_nanos();
        let unit = self.unit.as_nanos().max(1);
        let units = if self.round_up { counted.div_ceil(unit) } else { counted / unit };
        u64::try_from(units).unwrap_or(u64::MAX).max(self.least)
    }

    /// Units left after a turn that began with `left` and took `charged`.
    pub fn after(&self, left: u64, charged: u64) -> u64 {
        left.saturating_add(self.increment).saturating_sub(charged)
    }

    /// How long a turn that begins with `left` may take; then the time is up.
    pub fn longest(&self, left: u64) -> Duration {
        let units = left.saturating_add(self.increment).saturating_add(self.byoyomi);
        self.time(units.saturating_add(self.delay))
    }

    /// So many units as time.
    pub fn time(&self, units: u64) -> Duration {
        let nanos = self.unit.as_nanos().saturating_mul(u128::from(units));
        Duration::from_nanos(u64::try_from(nanos).unwrap_or(u64::MAX))
    }

    /// The unit as the protocol writes it.
    pub fn format_unit(&self) -> String {
        let ms = self.unit.as_millis();
        match ms {
            ms if ms % 60_000 == 0 => format!("{}min", ms / 60_000),
            ms if ms % 1_000 == 0 => format!("{}sec", ms / 1_000),
            ms => format!("{ms}msec"),
        }
    }

    /// Reads a unit: `1sec`, `100msec`, `1min`.
    pub fn parse_unit(text: &str) -> Option<Duration> {
        let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
        let (number, word) = text.split_at(digits);
        let each = match word {
            "msec" => 1,
            "sec" => 1_000,
            "min" => 60_000,
            _ => return None,
        };
        let number: u64 = number.parse().ok().filter(|&number| number > 0)?;
        number.checked_mul(each).filter(|&ms| ms <= 3_600_000).map(Duration::from_millis)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    #[test]
    fn begun_seconds_do_not_count_unless_said() {
        let control = TimeControl { total: 10, ..TimeControl::default() };
        assert_eq!([0, 999, 1_000, 2_999].map(|time| control.charged(ms(time))), [0, 0, 1, 2]);
        let up = TimeControl { round_up: true, ..control };
        assert_eq!([0, 1, 1_000, 1_001].map(|time| up.charged(ms(time))), [0, 1, 1, 2]);
        let least = TimeControl { least: 1, delay: 2, ..control };
        assert_eq!([0, 2_999, 3_000, 4_000].map(|time| least.charged(ms(time))), [1, 1, 1, 2]);
        assert_eq!(least.longest(10), ms(12_000));
    }

    #[test]
    fn byoyomi_comes_back_and_increments_add_up() {
        let byoyomi = TimeControl { byoyomi: 10, ..TimeControl::default() };
        assert_eq!((byoyomi.after(5, 3), byoyomi.after(5, 12)), (2, 0));
        assert_eq!(byoyomi.longest(5), ms(15_000));
        let fischer = TimeControl { increment: 10, ..TimeControl::default() };
        assert_eq!((fischer.after(300, 3), fischer.after(5, 15)), (307, 0));
        assert_eq!(fischer.longest(0), ms(10_000));
        assert_eq!(fischer.longest(u64::MAX), Duration::from_nanos(u64::MAX));
    }

    #[test]
    fn units_are_written_and_read() {
        for text in ["1sec", "500msec", "1msec", "2min"] {
            let unit = TimeControl::parse_unit(text).unwrap();
            assert_eq!(TimeControl { unit, ..TimeControl::default() }.format_unit(), text);
        }
        for text in ["", "sec", "0sec", "1hour", "1 sec", "99999999999999999999msec", "9999min"] {
            assert_eq!(TimeControl::parse_unit(text), None, "{text}");
        }
    }
}
