//! What minimal-trees-2014 printed, to be set beside what is measured.

use super::{Kind, Method};

/// A row of Tables 1, 2, 3, 6 or 7.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Published {
    /// Which table.
    pub table: u8,
    /// Which trees.
    pub kind: Kind,
    /// Children of a node (b).
    pub width: u8,
    /// Plies (d).
    pub depth: u8,
    /// Plies of the master's tree (d'), 0 for the sequential search.
    pub reach: u8,
    /// Processes.
    pub workers: usize,
    /// The method by our name for it, without units.
    pub method: &'static str,
    /// Epsilon, where there is one.
    pub epsilon: Option<u16>,
    /// Search time in seconds.
    pub time: f64,
    /// Speed-up.
    pub speedup: f64,
    /// Leaves visited, in millions.
    pub leaves: f64,
    /// Start-up idle time in seconds.
    pub start_up: f64,
    /// Other idle time in seconds.
    pub other: f64,
}

/// A row of Table 5, for 1,536 processes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Split {
    /// b, d and d'.
    pub size: (u8, u8, u8),
    /// The factors "table", "windows" and "tasks".
    pub factors: [f64; 3],
    /// Their product, as printed.
    pub estimated: f64,
    /// What was measured.
    pub actual: f64,
}

/// Table 5.
pub(super) const TABLE_5: [Split; 3] = [
    Split { size: (5, 24, 12), factors: [1.942, 2.877, 0.960], estimated: 5.362, actual: 5.126 },
    Split { size: (20, 12, 6), factors: [1.573, 2.863, 1.072], estimated: 4.829, actual: 6.204 },
    Split { size: (20, 14, 6), factors: [1.788, 2.328, 0.966], estimated: 4.021, actual: 4.873 },
];

/// How many processes Table 5 is of.
pub(super) const TABLE_5_WORKERS: usize = 1_536;

/// Table 4: processes, b, d, d', search time with sharing by search time without.
pub(super) const TABLE_4: [(usize, u8, u8, u8, f64); 9] = [
    (64, 5, 24, 10, 0.969),
    (64, 5, 24, 12, 0.985),
    (64, 20, 12, 4, 0.935),
    (64, 20, 12, 6, 0.961),
    (64, 20, 14, 4, 0.957),
    (64, 20, 14, 6, 0.965),
    (1_536, 5, 24, 12, 0.974),
    (1_536, 20, 12, 6, 1.022),
    (1_536, 20, 14, 6, 0.960),
];

/// Section 4.2, about Figure 6: trees, b, the deeper of the two depths, per cent of best
/// children that stay the best.
pub(super) const ORDERING: [(Kind, u8, u8, f64); 4] = [
    (Kind::Synthetic, 5, 16, 89.8),
    (Kind::Synthetic, 20, 8, 81.9),
    (Kind::Shogi, 5, 16, 82.3),
    (Kind::Shogi, 20, 8, 66.7),
];

/// What the paper says of the ordering of these trees between `depth - 2` and `depth` plies.
pub(super) fn ordering(kind: Kind, width: u8, depth: u8) -> Option<f64> {
    let found = ORDERING.into_iter().find(|one| (one.0, one.1, one.2) == (kind, width, depth));
    found.map(|one| one.3)
}

/// All rows of Tables 1, 2, 3, 6 and 7.
pub(super) fn rows() -> impl Iterator<Item = Published> {
    let lines = include_str!("paper.txt").lines().filter(|line| !line.starts_with('#'));
    lines.filter_map(row)
}

fn row(line: &'static str) -> Option<Published> {
    let mut words = line.split_whitespace();
    let table = words.next()?.parse().ok()?;
    let kind = [Kind::Synthetic, Kind::Shogi];
    let name = words.next()?;
    let kind = kind.into_iter().find(|kind| kind.to_string() == name)?;
    let mut small = || words.next()?.parse::<u8>().ok();
    let (width, depth, reach) = (small()?, small()?, small()?);
    let workers = words.next()?.parse().ok()?;
    let method = words.next()?;
    let epsilon = words.next()?.parse().ok().filter(|&epsilon| epsilon > 0);
    let mut number = || words.next()?.parse::<f64>().ok();
    let (time, speedup, leaves) = (number()?, number()?, number()?);
    let (start_up, other) = (number()?, number()?);
    Some(Published {
        table,
        kind,
        width,
        depth,
        reach,
        workers,
        method,
        epsilon,
        time,
        speedup,
        leaves,
        start_up,
        other,
    })
}

/// A size of trees: which, b, d and d'.
pub(super) type Size = (Kind, u8, u8, u8);

impl Published {
    /// Whether it is of trees of this size.
    pub(super) fn is_of(&self, (kind, width, depth, reach): Size) -> bool {
        (self.kind, self.width, self.depth) == (kind, width, depth)
            && (self.reach == reach || self.reach == 0)
    }
}

/// What the paper has for this size, method (none is the sequential search) and number of
/// workers.
pub(super) fn find(size: Size, method: Option<Method>, workers: usize) -> Option<Published> {
    let name = method.map_or_else(|| "sequential".to_owned(), |method| method.to_string());
    let name = name.split(':').next().unwrap_or_default();
    rows().find(|row| row.is_of(size) && row.method == name && row.workers == workers)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Speed-ups follow from times, Table 4 from Tables 2 and 3, and the estimates of Table 5
    /// from its factors: a slip of the pen would show.
    #[test]
    fn the_tables_agree_with_each_other() {
        let rows: Vec<_> = rows().collect();
        let written = include_str!("paper.txt").lines().filter(|line| !line.starts_with('#'));
        assert_eq!((rows.len(), written.count()), (80, 80));
        for row in &rows {
            let size = (row.kind, row.width, row.depth, row.reach);
            let alone = find(size, None, 1).unwrap();
            let speedup = alone.time / row.time;
            assert!((speedup / row.speedup - 1.0).abs() < 2e-3, "{row:?}: {speedup}");
        }
        for (workers, width, depth, reach, ratio) in TABLE_4 {
            let size = (Kind::Shogi, width, depth, reach);
            let time = |method| find(size, Some(method), workers).unwrap().time;
            let own = time(Method::Share) / time(Method::Published);
            assert!((own - ratio).abs() < 1e-3, "{workers} {size:?}: {own}");
        }
        for Split { size, factors, estimated, actual } in TABLE_5 {
            let product: f64 = factors.into_iter().product();
            assert!((product / estimated - 1.0).abs() < 1e-3, "{size:?}: {product}");
            let size = (Kind::Shogi, size.0, size.1, size.2);
            let leaves = |method, workers| find(size, method, workers).unwrap().leaves;
            let own = leaves(Some(Method::Published), TABLE_5_WORKERS) / leaves(None, 1);
            assert!((own / actual - 1.0).abs() < 5e-3, "{size:?}: {own}");
        }
    }
}
