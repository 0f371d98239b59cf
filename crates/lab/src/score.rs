//! Results of a series of games and what they say of strength.

use std::fmt;

/// Wins, draws and losses of one side, and how its game pairs went.
///
/// Both games of an opening, one with each colour, make a pair. Pairs are what is
/// independent, so the error is computed from them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Score {
    /// Games won.
    pub wins: u32,
    /// Games drawn.
    pub draws: u32,
    /// Games lost.
    pub losses: u32,
    /// Pairs that brought 0, ½, 1, 1½ and 2 points.
    pub pairs: [u32; 5],
}

impl Score {
    /// Counts a pair of games, each +1 for a win, 0 for a draw, −1 for a loss.
    pub fn add_pair(&mut self, signs: [i32; 2]) {
        for sign in signs {
            match sign {
                1 => self.wins += 1,
                -1 => self.losses += 1,
                _ => self.draws += 1,
            }
        }
        let half_points = signs.iter().map(|sign| sign + 1).sum::<i32>();
        self.pairs[half_points.clamp(0, 4) as usize] += 1;
    }

    /// Games played.
    pub fn games(&self) -> u32 {
        self.wins + self.draws + self.losses
    }

    /// Points per game, 0 to 1; one half before the first game.
    pub fn rate(&self) -> f64 {
        match self.games() {
            0 => 0.5,
            games => (f64::from(self.wins) + 0.5 * f64::from(self.draws)) / f64::from(games),
        }
    }

    /// Half-width of the 95 % interval of the rate, from the spread of the pairs.
    pub fn margin(&self) -> f64 {
        let count = f64::from(self.pairs.iter().sum::<u32>());
        if count < 2.0 {
            return 0.5;
        }
        let rate = |index: usize| index as f64 / 4.0;
        let weighted = |value: &dyn Fn(usize) -> f64| -> f64 {
            self.pairs.iter().enumerate().map(|(i, &n)| f64::from(n) * value(i)).sum()
        };
        let mean = weighted(&rate) / count;
        let variance = weighted(&|i| (rate(i) - mean).powi(2)) / (count - 1.0);
        1.96 * (variance / count).sqrt()
    }

    /// The difference in Elo that the rate stands for.
    pub fn elo(&self) -> f64 {
        elo_of_rate(self.rate())
    }
}

/// Elo difference at which the stronger side scores `rate`, within ±1,200.
pub fn elo_of_rate(rate: f64) -> f64 {
    let rate = rate.clamp(0.001, 0.999);
    -400.0 * (1.0 / rate - 1.0).log10()
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (low, high) = (self.rate() - self.margin(), self.rate() + self.margin());
        write!(
            f,
            "{} games: +{} ={} -{}, {:.1} % ± {:.1}, Elo {:+.0} [{:+.0}, {:+.0}]",
            self.games(),
            self.wins,
            self.draws,
            self.losses,
            100.0 * self.rate(),
            100.0 * self.margin(),
            self.elo(),
            elo_of_rate(low),
            elo_of_rate(high),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_series_adds_up() {
        let mut score = Score::default();
        for signs in [[1, 1], [1, 0], [1, -1], [0, 0], [-1, 0], [-1, -1]] {
            score.add_pair(signs);
        }
        assert_eq!((score.wins, score.draws, score.losses), (4, 4, 4));
        assert_eq!(score.pairs, [1, 1, 2, 1, 1]);
        assert!((score.rate() - 0.5).abs() < 1e-12);
        // Spread by hand: deviations ½, ¼, 0, 0, ¼, ½ of 1; variance 0.625 / 5.
        let margin = 1.96 * (0.125f64 / 6.0).sqrt();
        assert!((score.margin() - margin).abs() < 1e-12, "{}", score.margin());
    }

    #[test]
    fn three_quarters_are_191_elo() {
        assert!((elo_of_rate(0.75) - 190.85).abs() < 0.01);
        assert!(elo_of_rate(1.0) <= 1_200.0);
    }
}
