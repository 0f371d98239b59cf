//! When a match may stop: the sequential probability ratio test, on pairs of games.

use std::fmt;

use crate::score::{Score, rate_of_elo};

/// A test between two hypotheses about the difference in strength.
///
/// The likelihood ratio is that of a normal distribution with the mean and the variance of the
/// pairs seen so far (the generalised test for pentanomial counts).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    /// Elo of the hypothesis that nothing is gained.
    pub elo0: f64,
    /// Elo of the hypothesis that something is.
    pub elo1: f64,
    /// Probability of accepting the second when the first is true.
    pub alpha: f64,
    /// Probability of accepting the first when the second is true.
    pub beta: f64,
}

/// What a test says so far.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Standing {
    /// Logarithm of the likelihood ratio.
    pub ratio: f64,
    /// Below this, the first hypothesis is accepted.
    pub low: f64,
    /// Above this, the second.
    pub high: f64,
}

impl Sprt {
    /// How a match stands.
    pub fn standing(&self, score: &Score) -> Standing {
        let low = (self.beta / (1.0 - self.alpha)).ln();
        let high = ((1.0 - self.beta) / self.alpha).ln();
        let ratio = match score.spread() {
            Some((mean, error)) => {
                let (s0, s1) = (rate_of_elo(self.elo0), rate_of_elo(self.elo1));
                (s1 - s0) * (2.0 * mean - s0 - s1) / (2.0 * error * error)
            }
            None => 0.0,
        };
        Standing { ratio, low, high }
    }
}

impl Standing {
    /// Which hypothesis is accepted: false the first, true the second; none to go on.
    pub fn verdict(&self) -> Option<bool> {
        if self.ratio >= self.high {
            Some(true)
        } else if self.ratio <= self.low {
            Some(false)
        } else {
            None
        }
    }
}

impl fmt::Display for Standing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "LLR {:+.2} [{:.2}, {:.2}]", self.ratio, self.low, self.high)
    }
}

#[cfg(test)]
mod tests {
    use senbon_games::Rng;

    use super::*;

    const TEST: Sprt = Sprt { elo0: 0.0, elo1: 20.0, alpha: 0.05, beta: 0.05 };

    /// Plays pairs at a true strength until the test ends.
    fn ends(elo: f64, rng: &mut Rng) -> (bool, u32) {
        let mut score = Score::default();
        for pairs in 1..100_000 {
            let game = |rng: &mut Rng| {
                let drawn = rng.below(1_000_000) as f64 / 1e6;
                // A third of the games are drawn, the others split by strength.
                let rate = rate_of_elo(elo);
                let (win, draw) = (rate - 1.0 / 6.0, 1.0 / 3.0);
                if drawn < win { 1 } else { -i32::from(drawn >= win + draw) }
            };
            score.add_pair([game(rng), game(rng)]);
            if let Some(verdict) = TEST.standing(&score).verdict()
                && pairs > 20
            {
                return (verdict, pairs);
            }
        }
        panic!("the test did not end");
    }

    #[test]
    fn errors_are_as_rare_as_asked_for() {
        let mut rng = Rng::new(senbon_testkit::seed());
        let wrong_high = (0..200).filter(|_| ends(0.0, &mut rng).0).count();
        let wrong_low = (0..200).filter(|_| !ends(20.0, &mut rng).0).count();
        // Ten are expected of each; five standard deviations more are not.
        assert!(wrong_high < 26 && wrong_low < 26, "{wrong_high} and {wrong_low} of 200");
        assert!(ends(100.0, &mut rng).1 < 500);
    }

    #[test]
    fn bounds_are_the_usual_ones() {
        let standing = TEST.standing(&Score::default());
        assert!((standing.high - 2.944).abs() < 0.001 && (standing.low + 2.944).abs() < 0.001);
        assert_eq!(standing.verdict(), None);
    }
}
