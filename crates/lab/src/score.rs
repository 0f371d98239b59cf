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
    /// Counts a game whose partner is not played yet: it is no pair, and the error does not
    /// know of it.
    pub fn add_single(&mut self, sign: i32) {
        match sign {
            1 => self.wins += 1,
            -1 => self.losses += 1,
            _ => self.draws += 1,
        }
    }

    /// Counts a pair of games, each +1 for a win, 0 for a draw, −1 for a loss.
    pub fn add_pair(&mut self, signs: [i32; 2]) {
        for sign in signs {
            self.add_single(sign);
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
        self.spread().map_or(0.5, |(_, error)| 1.96 * error)
    }

    /// The likelihood that the first side is the stronger one, from the spread of the pairs;
    /// none while they say nothing.
    pub fn superiority(&self) -> Option<f64> {
        let (mean, error) = self.spread()?;
        Some(0.5 * (1.0 + erf((mean - 0.5) / error / std::f64::consts::SQRT_2)))
    }

    /// Mean of the pairs and its standard error. Pairs that are all alike say little of their
    /// spread: half a pair of each result is thought to them.
    fn spread(&self) -> Option<(f64, f64)> {
        let count = self.pairs.iter().sum::<u32>();
        if count < 2 {
            return None;
        }
        let alike = self.pairs.contains(&count);
        let weights = self.pairs.map(|n| f64::from(n) + if alike { 0.5 } else { 0.0 });
        let total: f64 = weights.iter().sum();
        let rate = |index: usize| index as f64 / 4.0;
        let weighted = |value: &dyn Fn(usize) -> f64| -> f64 {
            weights.iter().enumerate().map(|(i, &n)| n * value(i)).sum()
        };
        let mean = weighted(&rate) / total;
        let variance = weighted(&|i| (rate(i) - mean).powi(2)) / (total - 1.0);
        Some((mean, (variance / total).sqrt()))
    }

    /// The difference in Elo that the rate stands for.
    pub fn elo(&self) -> f64 {
        elo_of_rate(self.rate())
    }
}

/// The error function, by its power series and, far out, its continued fraction.
fn erf(x: f64) -> f64 {
    let a = x.abs();
    let value = if a < 3.0 {
        let (mut term, mut sum) = (a, a);
        for n in 1..80 {
            term *= -a * a / f64::from(n);
            sum += term / f64::from(2 * n + 1);
        }
        2.0 / std::f64::consts::PI.sqrt() * sum
    } else {
        let tail = (1..60).rev().fold(a, |below, n| a + f64::from(n) / 2.0 / below);
        1.0 - (-a * a).exp() / std::f64::consts::PI.sqrt() / tail
    };
    value.copysign(x)
}

/// The share of points that a side stronger by `elo` gets.
pub fn rate_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
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
    fn a_series_computed_by_hand() {
        // Eight pairs: ½, 1, 1, 1½, 2, 2, 2, 2 points of two.
        // Mean (0.25 + 2 × 0.5 + 0.75 + 4 × 1) / 8 = 0.75.
        // Squares of the deviations: 0.25 + 2 × 0.0625 + 0 + 4 × 0.0625 = 0.625.
        // Variance 0.625 / 7 = 0.0892857; error √(0.0892857 / 8) = 0.105644.
        // Margin 1.96 × 0.105644 = 0.207063. The mean is 0.25 / 0.105644 = 2.36643 errors
        // above ½, and tables of the normal distribution give 0.99102 for that.
        // Elo 400 log₁₀(0.75 / 0.25) = 400 × 0.477121 = 190.85.
        let mut score = Score::default();
        for signs in [[-1, 0], [0, 0], [1, -1], [0, 1], [1, 1], [1, 1], [1, 1], [1, 1]] {
            score.add_pair(signs);
        }
        assert_eq!((score.wins, score.draws, score.losses), (10, 4, 2));
        assert_eq!(score.pairs, [0, 1, 2, 1, 4]);
        assert!((score.rate() - 0.75).abs() < 1e-12);
        assert!((score.margin() - 0.207_063).abs() < 1e-6, "{}", score.margin());
        let superiority = score.superiority().unwrap();
        assert!((superiority - 0.991_02).abs() < 1e-5, "{superiority}");
        assert!((score.elo() - 190.85).abs() < 0.01);
    }

    #[test]
    fn likelihoods_of_superiority() {
        for (x, expected) in [(0.5, 0.520_499_9), (1.0, 0.842_700_8), (3.5, 0.999_999_257)] {
            assert!((erf(x) - expected).abs() < 1e-6 && (erf(-x) + expected).abs() < 1e-6, "{x}");
        }
        let even = Score { wins: 5, draws: 0, losses: 5, pairs: [1, 0, 3, 0, 1] };
        assert!((even.superiority().unwrap() - 0.5).abs() < 1e-9);
        let ahead = Score { wins: 60, draws: 20, losses: 20, pairs: [2, 3, 10, 15, 20] };
        assert!(ahead.superiority().unwrap() > 0.999);
        assert_eq!(Score::default().superiority(), None);
        let all = Score { wins: 20, draws: 0, losses: 0, pairs: [0, 0, 0, 0, 10] };
        assert!(all.superiority().unwrap() > 0.99 && all.margin() > 0.05, "{all}");
        assert!((rate_of_elo(190.85) - 0.75).abs() < 1e-4);
    }

    #[test]
    fn three_quarters_are_191_elo() {
        assert!((elo_of_rate(0.75) - 190.85).abs() < 0.01);
        assert!(elo_of_rate(1.0) <= 1_200.0);
    }
}
