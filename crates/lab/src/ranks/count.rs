//! Ranks counted, and how sure the shares are.

use super::Row;

/// How often each rank was played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counts {
    /// Rank 1, rank 2, …
    pub ranks: Vec<u64>,
    /// All ranks behind those.
    pub beyond: u64,
}

/// A share and its 95 % confidence interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The share counted.
    pub share: f64,
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

impl Counts {
    /// Counts rows, the first `ranks` ranks one by one.
    pub fn of<'a>(rows: impl IntoIterator<Item = &'a Row>, ranks: usize) -> Self {
        let mut counts = Counts { ranks: vec![0; ranks], beyond: 0 };
        for row in rows {
            match counts.ranks.get_mut(row.rank.saturating_sub(1)) {
                Some(count) => *count += 1,
                None => counts.beyond += 1,
            }
        }
        counts
    }

    /// All positions.
    pub fn total(&self) -> u64 {
        self.ranks.iter().sum::<u64>() + self.beyond
    }

    /// The name of a class by its index: `1`, `2`, … and `11+` for all beyond.
    pub fn class(&self, index: usize) -> String {
        let plus = if index >= self.ranks.len() { "+" } else { "" };
        format!("{}{plus}", index + 1)
    }

    /// The share of each rank, and of all beyond as the last.
    pub fn intervals(&self) -> Vec<Interval> {
        let counts = self.ranks.iter().chain([&self.beyond]);
        counts.map(|&count| Interval::wilson(count, self.total())).collect()
    }
}

impl Interval {
    /// Wilson's interval for `count` of `total`: right for small counts, too.
    pub fn wilson(count: u64, total: u64) -> Self {
        if total == 0 {
            return Interval { share: 0.0, low: 0.0, high: 1.0 };
        }
        const Z: f64 = 1.959_964;
        let n = total as f64;
        let share = count as f64 / n;
        let z2 = Z * Z / n;
        let middle = (share + z2 / 2.0) / (1.0 + z2);
        let half = Z * (share * (1.0 - share) / n + z2 / (4.0 * n)).sqrt() / (1.0 + z2);
        Interval { share, low: (middle - half).max(0.0), high: (middle + half).min(1.0) }
    }

    /// Whether a value lies within.
    pub fn holds(&self, value: f64) -> bool {
        (self.low..=self.high).contains(&value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wilson_by_hand() {
        // 10 of 100: centre (0.1 + 0.0192073) / 1.0384146, half-width by the formula.
        let interval = Interval::wilson(10, 100);
        assert!((interval.low - 0.05523).abs() < 1e-5, "{interval:?}");
        assert!((interval.high - 0.17437).abs() < 1e-5, "{interval:?}");
        let none = Interval::wilson(0, 50);
        assert!(none.low == 0.0 && (none.high - 0.07135).abs() < 1e-5, "{none:?}");
        assert!(interval.holds(0.1) && !interval.holds(0.2));
    }

    #[test]
    fn ranks_beyond_the_last_are_one_class() {
        let row = |rank| Row {
            game: 1,
            ply: 1,
            position: String::new(),
            played: String::new(),
            rank,
            lines: 3,
            legal: 9,
            exact: None,
            ms: 0,
        };
        let rows = [row(1), row(2), row(1), row(3), row(9)];
        let counts = Counts::of(&rows, 2);
        assert_eq!(counts, Counts { ranks: vec![2, 1], beyond: 2 });
        assert_eq!(counts.total(), 5);
        assert_eq!(counts.intervals().len(), 3);
        assert_eq!([counts.class(0), counts.class(2)], ["1", "3+"]);
    }
}
