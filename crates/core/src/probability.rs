//! How often the move of each rank is played: the only parameter of the position pipeline.

/// Probability that the move of rank n (by an engine's scores) is the one played.
///
/// Beyond the last rank of the table, moves share what is left in ever smaller parts, so that
/// a tree can always grow further. That tail is our choice (pgpp-2015 gives ranks above 10 as
/// one sum): each rank gets a quarter of what is left for it and all behind it.
#[derive(Clone, Debug, PartialEq)]
pub struct RankTable {
    ranks: Vec<f64>,
    rest: f64,
}

impl RankTable {
    /// pgpp-2015 Table 2: Stockfish at depth 15 on the games of Kasparov and Deep Blue.
    pub fn published() -> Self {
        RankTable {
            ranks: vec![
                0.5472, 0.1769, 0.0880, 0.0522, 0.0293, 0.0247, 0.0211, 0.0128, 0.0082, 0.0110,
            ],
            rest: 0.0284,
        }
    }

    /// A table from counts of how often each rank was played, and all ranks beyond.
    /// `None` when nothing was counted.
    pub fn from_counts(ranks: &[u64], beyond: u64) -> Option<Self> {
        let total = (ranks.iter().sum::<u64>() + beyond) as f64;
        let share = |count: u64| count as f64 / total;
        (total > 0.0).then(|| RankTable {
            ranks: ranks.iter().map(|&count| share(count)).collect(),
            rest: share(beyond),
        })
    }

    /// The probability of rank `n`, from 1.
    pub fn rank(&self, n: usize) -> f64 {
        match n.checked_sub(1) {
            None => 0.0,
            Some(index) => self.ranks.get(index).copied().unwrap_or_else(|| {
                let beyond = (index - self.ranks.len()).min(60);
                self.rest * 0.25 * 0.75f64.powi(beyond as i32)
            }),
        }
    }

    /// U(T) of equation 1 for the tree that greedy growth builds for so many workers, on
    /// positions of which nothing is known but the ranks, `ranks` moves each: the
    /// "simulation result" of pgpp-2015 Fig. 4b.
    ///
    /// Each node added raises the utility by its own probability (section 4.2).
    ///
    /// ```
    /// let table = senbon_core::RankTable::published();
    /// assert_eq!(format!("{:.4}", table.utility(4, 10)), "1.0235");
    /// ```
    pub fn utility(&self, workers: usize, ranks: usize) -> f64 {
        // A measured table need not fall from rank to rank, so every rank is a candidate.
        let below = |here: f64| (1..=ranks).map(move |rank| here * self.rank(rank));
        let mut open: Vec<f64> = below(1.0).collect();
        let mut utility = 0.0;
        for _ in 1..workers {
            let Some(best) = (0..open.len()).max_by(|&a, &b| open[a].total_cmp(&open[b])) else {
                break;
            };
            let taken = open.swap_remove(best);
            utility += taken;
            open.extend(below(taken));
        }
        utility
    }

    /// The ranks listed, first to last, and the sum of all beyond.
    pub fn parts(&self) -> (&[f64], f64) {
        (&self.ranks, self.rest)
    }
}

impl Default for RankTable {
    fn default() -> Self {
        RankTable::published()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn probabilities_add_up_to_one() {
        for table in [RankTable::published(), RankTable::from_counts(&[6, 3], 1).unwrap()] {
            let sum: f64 = (1..60).map(|rank| table.rank(rank)).sum();
            assert!((sum - 1.0).abs() < 0.002, "{sum}");
        }
        assert_eq!(RankTable::published().rank(0), 0.0);
        assert!(RankTable::published().rank(11) < RankTable::published().rank(10));
        assert_eq!(RankTable::from_counts(&[0, 0], 0), None);
    }

    #[test]
    fn utility_of_the_published_table() {
        let expected = [
            (1, 0.0),
            (2, 0.5472),
            (4, 1.0235),
            (8, 1.4706),
            (16, 1.9151),
            (32, 2.3347),
            (60, 2.7250),
        ];
        for (workers, utility) in expected {
            let ours = RankTable::published().utility(workers, 10);
            assert!((ours - utility).abs() < 0.000_05, "{workers} workers: {ours}");
        }
    }
}
