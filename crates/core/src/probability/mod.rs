//! How often the move of each rank is played: the only parameter of the position pipeline.

mod text;

use std::collections::BinaryHeap;

pub use text::RankTableError;

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
        self.utilities(workers, ranks).last().copied().unwrap_or(0.0)
    }

    /// [`Self::utility`] of 1, 2, 3, … up to `workers` workers.
    pub fn utilities(&self, workers: usize, ranks: usize) -> Vec<f64> {
        let ranks: Vec<f64> = (1..=ranks).map(|rank| self.rank(rank)).collect();
        // The bits of numbers that are not negative are in the order of the numbers.
        let mut open = BinaryHeap::from([1.0f64.to_bits()]);
        let mut utilities: Vec<f64> = Vec::with_capacity(workers);
        while utilities.len() < workers
            && let Some(best) = open.pop().map(f64::from_bits)
        {
            // The root, which comes first, is not ahead of the game.
            utilities.push(utilities.last().map_or(0.0, |before| before + best));
            // A measured table need not fall from rank to rank, so every rank is a candidate.
            open.extend(ranks.iter().map(|rank| (best * rank).to_bits()));
        }
        utilities
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
        let all = RankTable::published().utilities(1_536, 10);
        assert_eq!(all.len(), 1_536);
        assert!(all.windows(2).all(|pair| pair[0] < pair[1]), "every worker adds something");
    }

    #[test]
    fn a_table_that_does_not_fall_grows_the_best_node_first() {
        let table = RankTable::from_counts(&[1, 3], 0).unwrap();
        // 3/4, then 9/16 below it, then 27/64 below that, then the root's other child.
        let expected = [0.0, 0.75, 1.3125, 1.734_375];
        for (ours, expected) in table.utilities(4, 2).into_iter().zip(expected) {
            assert!((ours - expected).abs() < 1e-12, "{ours} against {expected}");
        }
    }
}
