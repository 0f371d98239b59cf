//! When a match may stop: the sequential probability ratio test, on pairs of games.

use std::fmt;

use crate::score::{Score, rate_of_elo};

/// A test between two hypotheses about the difference in strength.
///
/// The likelihood ratio is the generalised one for pentanomial counts: under each hypothesis
/// the results of pairs have the distribution that makes what was seen most likely, among all
/// that have the mean the hypothesis says. No normal approximation: that one takes the spread
/// of a handful of pairs for the truth, and so ends coarse tests far too early.
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
        let ratio = match score.pairs.iter().sum::<u32>() {
            0 => 0.0,
            _ => likelihood(&score.pairs, self.elo1) - likelihood(&score.pairs, self.elo0),
        };
        Standing { ratio, low, high }
    }
}

/// Results that did not occur are counted as this much of a pair, since nothing has no
/// logarithm. The package mache takes the same, so that ratios can be compared.
const UNSEEN: f64 = 1e-3;

/// Logarithm of the greatest likelihood of the pairs among the distributions whose mean is the
/// rate at `elo`, up to a number that does not depend on `elo`.
///
/// With counts n over results x and mean s, the likeliest distribution is proportional to
/// n / (1 + t (x − s)), where t is the one number that gives it the mean s (M. Van den Bergh,
/// "The generalized maximum likelihood ratio for the expectation value of a distribution",
/// proposition 1.1).
fn likelihood(pairs: &[u32; 5], elo: f64) -> f64 {
    let mean = rate_of_elo(elo);
    let counts = pairs.map(|n| if n == 0 { UNSEEN } else { f64::from(n) });
    let terms = || counts.iter().enumerate().map(|(i, &n)| (n, i as f64 / 4.0 - mean));
    let excess = |t: f64| terms().map(|(n, x)| n * x / (1.0 + t * x)).sum::<f64>();
    // The excess falls from +∞ to −∞ between these two.
    let (mut low, mut high) = (-1.0 / (1.0 - mean), 1.0 / mean);
    let t = loop {
        let middle = f64::midpoint(low, high);
        if middle <= low || middle >= high {
            break middle;
        }
        if excess(middle) > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    };
    -terms().map(|(n, x)| n * (t * x).ln_1p()).sum::<f64>()
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
    use crate::score::elo_of_rate;

    const TEST: Sprt = Sprt { elo0: 0.0, elo1: 60.0, alpha: 0.05, beta: 0.05 };

    fn score(pairs: [u32; 5]) -> Score {
        Score { pairs, ..Score::default() }
    }

    /// Plays pairs at a true strength until the test ends: what it accepts, after how many.
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
            if let Some(verdict) = TEST.standing(&score).verdict() {
                return (verdict, pairs);
            }
        }
        panic!("the test did not end");
    }

    #[test]
    fn errors_are_as_rare_as_asked_for() {
        let mut rng = Rng::new(senbon_testkit::seed());
        let runs = 2_000;
        let wrong_high = (0..runs).filter(|_| ends(0.0, &mut rng).0).count();
        let wrong_low = (0..runs).filter(|_| !ends(60.0, &mut rng).0).count();
        // A hundred of each are expected; the standard deviation is √(2000 × 0.05 × 0.95) =
        // 9.7, and five of them are not chance.
        for wrong in [wrong_high, wrong_low] {
            assert!((51..=149).contains(&wrong), "{wrong_high} and {wrong_low} of {runs}");
        }
    }

    #[test]
    fn great_differences_end_a_test_soon() {
        let mut rng = Rng::new(senbon_testkit::seed());
        let (verdict, pairs) = ends(300.0, &mut rng);
        assert!(verdict && pairs < 100, "{verdict} after {pairs}");
        // Two good pairs are no proof, however alike they are.
        let coarse = Sprt { elo1: 100.0, ..TEST };
        assert_eq!(coarse.standing(&score([0, 0, 0, 1, 1])).verdict(), None);
        // A thousand drawn pairs prove that nothing is gained.
        assert_eq!(TEST.standing(&score([0, 0, 1_000, 0, 0])).verdict(), Some(false));
    }

    /// Results that were not seen weigh a thousandth each, which is what these may differ by.
    const NEAR: f64 = 0.01;

    #[test]
    fn ratios_computed_by_hand() {
        // Pairs are all lost or all won: the mean says the whole distribution, s and 1 − s.
        // From ½ to ¾: 20 ln(¾ / ½) + 10 ln(¼ / ½) = 8.1093 − 6.9315 = 1.1778.
        let sprt = Sprt { elo1: elo_of_rate(0.75), ..TEST };
        let ratio = sprt.standing(&score([10, 0, 0, 0, 20])).ratio;
        assert!((ratio - 1.1778).abs() < NEAR, "{ratio}");
        // 10 lost, 60 even, 30 won: a mean of 0.6. Under the mean 0.6 the likeliest
        // distribution is the one seen: 0.1, 0.6, 0.3. Under ½ lost and won are equally
        // likely: 0.2, 0.6, 0.2. So 10 ln(0.1 / 0.2) + 30 ln(0.3 / 0.2) = 12.1640 − 6.9315.
        let sprt = Sprt { elo1: elo_of_rate(0.6), ..TEST };
        let ratio = sprt.standing(&score([10, 0, 60, 0, 30])).ratio;
        assert!((ratio - 5.2325).abs() < NEAR, "{ratio}");
        // What is even between the hypotheses speaks for neither.
        let even = Sprt { elo0: -30.0, elo1: 30.0, ..TEST };
        let ratio = even.standing(&score([3, 14, 20, 14, 3])).ratio;
        assert!(ratio.abs() < 1e-9, "{ratio}");
    }

    #[test]
    fn bounds_are_the_usual_ones() {
        let standing = TEST.standing(&Score::default());
        assert!((standing.high - 2.944).abs() < 0.001 && (standing.low + 2.944).abs() < 0.001);
        assert_eq!(standing.verdict(), None);
    }
}
