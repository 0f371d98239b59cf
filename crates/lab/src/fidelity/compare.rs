//! Two runs over the same positions, compared.

use super::{Answered, Row};

/// Which two runs are compared. The first is the one that errors are relative to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pair {
    /// The live world and the virtual one: the error of the model.
    LiveAndVirtual,
    /// The live world and itself: what no model can do better.
    LiveAndLive,
    /// The virtual world and itself with another jitter of the links.
    VirtualAndVirtual,
}

impl Pair {
    /// All of them, the one that matters first.
    pub const ALL: [Pair; 3] = [Pair::LiveAndVirtual, Pair::LiveAndLive, Pair::VirtualAndVirtual];

    /// As tables say it.
    pub const fn name(self) -> &'static str {
        match self {
            Pair::LiveAndVirtual => "live and virtual",
            Pair::LiveAndLive => "live and live again",
            Pair::VirtualAndVirtual => "virtual and virtual, other jitter",
        }
    }

    fn of(self, row: &Row) -> [&Answered; 2] {
        match self {
            Pair::LiveAndVirtual => [&row.live[0], &row.simulated[0]],
            Pair::LiveAndLive => [&row.live[0], &row.live[1]],
            Pair::VirtualAndVirtual => [&row.simulated[0], &row.simulated[1]],
        }
    }
}

/// How far two runs differ.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// Which.
    pub pair: Pair,
    /// How many workers.
    pub workers: usize,
    /// Positions compared.
    pub positions: usize,
    /// Positions answered by the same move.
    pub same_moves: usize,
    /// Nodes of all positions in the second run, for one in the first.
    pub nodes_ratio: f64,
    /// Mean and median of the error in nodes, as a part of the first run's.
    pub nodes: Error,
    /// The same for nodes a second.
    pub speed: Error,
    /// Mean of the depth in the second run less that in the first.
    pub depth: f64,
}

/// Absolute relative errors over all positions.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Error {
    /// Their mean.
    pub mean: f64,
    /// Their median.
    pub median: f64,
}

impl Error {
    fn of(mut errors: Vec<f64>) -> Error {
        errors.sort_by(f64::total_cmp);
        let (count, middle) = (errors.len(), errors.len() / 2);
        let median = match count {
            0 => return Error::default(),
            _ if count.is_multiple_of(2) => (errors[middle - 1] + errors[middle]) / 2.0,
            _ => errors[middle],
        };
        Error { mean: errors.iter().sum::<f64>() / count as f64, median }
    }
}

impl Comparison {
    pub(super) fn of(pair: Pair, workers: usize, rows: &[&Row]) -> Self {
        let pairs: Vec<_> = rows.iter().map(|row| pair.of(row)).collect();
        let total = |which: usize| pairs.iter().map(|pair| pair[which].nodes).sum::<u64>() as f64;
        let nodes = pairs.iter().map(|[a, b]| relative(a.nodes as f64, b.nodes as f64)).collect();
        // Where one run said nothing there is no speed; the nodes tell of it.
        let speed = |[a, b]: &[&Answered; 2]| Some(relative(a.speed()?, b.speed()?));
        let depths = pairs.iter().map(|[a, b]| f64::from(b.depth) - f64::from(a.depth));
        Comparison {
            pair,
            workers,
            positions: pairs.len(),
            same_moves: pairs.iter().filter(|[a, b]| a.best == b.best).count(),
            nodes_ratio: total(1) / total(0).max(1.0),
            nodes: Error::of(nodes),
            speed: Error::of(pairs.iter().filter_map(speed).collect()),
            depth: depths.sum::<f64>() / pairs.len().max(1) as f64,
        }
    }
}

/// How far `other` is from `base`, as a part of `base`.
fn relative(base: f64, other: f64) -> f64 {
    match (base, other) {
        (0.0, 0.0) => 0.0,
        (0.0, _) => 1.0,
        _ => (other - base).abs() / base,
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn answered(best: &str, nodes: u64, milliseconds: u64, depth: u32) -> Answered {
        let (best, time) = (best.to_owned(), Duration::from_millis(milliseconds));
        Answered { best, nodes, time, depth }
    }

    #[test]
    fn errors_by_hand() {
        let row = |live: Answered, simulated: Answered| Row {
            workers: 1,
            position: String::new(),
            live: [live.clone(), live],
            simulated: [simulated.clone(), simulated],
        };
        let rows = [
            row(answered("a", 100, 10, 5), answered("a", 150, 10, 6)),
            row(answered("b", 200, 10, 5), answered("c", 200, 20, 5)),
            row(answered("d", 400, 10, 5), answered("d", 100, 10, 3)),
            row(answered("e", 100, 10, 5), answered("e", 0, 0, 0)),
        ];
        let rows: Vec<_> = rows.iter().collect();
        let error = Comparison::of(Pair::LiveAndVirtual, 1, &rows);
        assert_eq!((error.positions, error.same_moves), (4, 3));
        assert_eq!(error.nodes_ratio, 450.0 / 800.0);
        // 0.5, 0, 0.75 and 1.
        assert_eq!(error.nodes, Error { mean: 0.5625, median: 0.625 });
        // Half as much more, half as much, a quarter; the last said nothing.
        assert_eq!(error.speed, Error { mean: (0.5 + 0.5 + 0.75) / 3.0, median: 0.5 });
        assert_eq!(error.depth, -1.5);
        let same = Comparison::of(Pair::LiveAndLive, 1, &rows);
        assert_eq!((same.same_moves, same.nodes, same.nodes_ratio), (4, Error::default(), 1.0));
        assert_eq!(relative(0.0, 0.0), 0.0);
        assert_eq!(relative(0.0, 3.0), 1.0);
    }
}
