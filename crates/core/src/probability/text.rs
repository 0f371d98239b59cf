//! Rank tables as text, so that a measured one can be given to the pipeline.
//!
//! ```text
//! senbon-rank-table 1
//! # Stockfish 15.1, depth 15, 12 games
//! counts
//! 1 597
//! 2 193
//! beyond 301
//! ```
//!
//! `counts` may be `probabilities`, which must add up to 1. Ranks are 1, 2, 3, … without a
//! gap; `beyond` is the last line and stands for all ranks that follow. Blank lines and what
//! follows a `#` say nothing.

use std::fmt;

use super::RankTable;

const MAGIC: &str = "senbon-rank-table 1";
/// Longer texts are refused.
const LONGEST: usize = 64 * 1024;
/// More ranks are refused: no position of chess or shogi has more moves.
const MOST_RANKS: usize = 600;
/// Printed tables are rounded; theirs may miss 1 by so much.
const ROUNDING: f64 = 0.001;
/// Larger counts are refused, so that sums cannot overflow.
const LARGEST_COUNT: u64 = 1 << 48;

/// Why a text is not a rank table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RankTableError {
    /// The line, from 1; 0 when the whole is meant.
    pub line: usize,
    /// What is wrong.
    pub what: String,
}

impl fmt::Display for RankTableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => f.write_str(&self.what),
            line => write!(f, "line {line}: {}", self.what),
        }
    }
}

impl std::error::Error for RankTableError {}

fn wrong<T>(line: usize, what: impl Into<String>) -> Result<T, RankTableError> {
    Err(RankTableError { line, what: what.into() })
}

/// What the numbers are.
#[derive(Clone, Copy, PartialEq)]
enum Unit {
    Counts,
    Probabilities,
}

impl RankTable {
    /// Reads a table.
    ///
    /// ```
    /// use senbon_core::RankTable;
    /// let table = RankTable::parse("senbon-rank-table 1\ncounts\n1 6\n2 3\nbeyond 1\n").unwrap();
    /// assert_eq!(table.rank(1), 0.6);
    /// ```
    pub fn parse(text: &str) -> Result<Self, RankTableError> {
        if text.len() > LONGEST {
            return wrong(0, format!("longer than {LONGEST} bytes"));
        }
        let content = |line: &'_ str| line.split('#').next().unwrap_or_default().trim().to_owned();
        let mut lines = text
            .lines()
            .enumerate()
            .map(|(index, line)| (index + 1, content(line)))
            .filter(|(_, line)| !line.is_empty());
        match lines.next() {
            Some((_, line)) if line == MAGIC => {}
            Some((at, _)) => return wrong(at, format!("a rank table begins with '{MAGIC}'")),
            None => return wrong(0, "the file is empty"),
        }
        let unit = match lines.next() {
            Some((_, line)) if line == "counts" => Unit::Counts,
            Some((_, line)) if line == "probabilities" => Unit::Probabilities,
            Some((at, _)) => return wrong(at, "'counts' or 'probabilities' expected"),
            None => return wrong(0, "it ends before 'counts' or 'probabilities'"),
        };
        let mut ranks = Vec::new();
        let mut beyond = None;
        for (at, line) in lines {
            if beyond.is_some() {
                return wrong(at, "'beyond' must be the last line");
            }
            match entry(at, &line, ranks.len() + 1, unit)? {
                (true, value) => beyond = Some(value),
                (false, value) => ranks.push(value),
            }
        }
        let Some(rest) = beyond else { return wrong(0, "the line 'beyond' is missing") };
        finish(ranks, rest, unit)
    }

    /// Writes the table as probabilities; reading gives the same table.
    pub fn format(&self) -> String {
        write("probabilities", &self.ranks, &self.rest, &[])
    }

    /// Writes a table of counts with remarks at its head.
    pub fn format_counts(ranks: &[u64], beyond: u64, remarks: &[String]) -> String {
        write("counts", ranks, &beyond, remarks)
    }
}

/// One line: whether it is that of the ranks beyond, and its value.
fn entry(at: usize, line: &str, next: usize, unit: Unit) -> Result<(bool, f64), RankTableError> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let [key, value] = words[..] else {
        return wrong(at, "a rank and its value expected, such as '1 0.55'");
    };
    let is_beyond = key == "beyond";
    if !is_beyond {
        if key.parse() != Ok(next) {
            return wrong(at, format!("rank {next} or 'beyond' expected, not '{key}'"));
        }
        if next > MOST_RANKS {
            return wrong(at, format!("more than {MOST_RANKS} ranks"));
        }
    }
    let number = match unit {
        Unit::Counts => value
            .parse()
            .ok()
            .filter(|&count| count <= LARGEST_COUNT)
            .map(|count: u64| count as f64),
        Unit::Probabilities => value.parse().ok().filter(|number| (0.0..=1.0).contains(number)),
    };
    match (number, unit) {
        (Some(number), _) => Ok((is_beyond, number)),
        (None, Unit::Counts) => wrong(at, format!("'{value}' is not a count")),
        (None, Unit::Probabilities) => {
            wrong(at, format!("'{value}' is not a probability from 0 to 1"))
        }
    }
}

fn finish(ranks: Vec<f64>, rest: f64, unit: Unit) -> Result<RankTable, RankTableError> {
    if ranks.is_empty() {
        return wrong(0, "no rank is listed");
    }
    let sum = ranks.iter().sum::<f64>() + rest;
    match unit {
        Unit::Counts if sum == 0.0 => wrong(0, "nothing was counted: all counts are 0"),
        Unit::Counts => Ok(RankTable {
            ranks: ranks.into_iter().map(|count| count / sum).collect(),
            rest: rest / sum,
        }),
        Unit::Probabilities if (sum - 1.0).abs() > ROUNDING => {
            wrong(0, format!("the probabilities add up to {sum:.4}, not to 1"))
        }
        Unit::Probabilities => Ok(RankTable { ranks, rest }),
    }
}

fn write<V: fmt::Display>(unit: &str, ranks: &[V], rest: &V, remarks: &[String]) -> String {
    let mut lines = vec![MAGIC.to_owned()];
    let remarks = remarks.iter().flat_map(|remark| remark.lines());
    lines.extend(remarks.map(|remark| format!("# {remark}")));
    lines.push(unit.to_owned());
    lines.extend(ranks.iter().enumerate().map(|(index, value)| format!("{} {value}", index + 1)));
    lines.push(format!("beyond {rest}\n"));
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_back() {
        let table = RankTable::published();
        assert_eq!(RankTable::parse(&table.format()), Ok(table));
        let remarks = ["an engine, depth 3\nand a second line".to_owned()];
        let text = RankTable::format_counts(&[6, 0, 3], 1, &remarks);
        assert_eq!(RankTable::parse(&text).ok(), RankTable::from_counts(&[6, 0, 3], 1));
        assert!(text.contains("# an engine, depth 3\n# and a second line\n"), "{text}");
        let spaced = "\n# mine\nsenbon-rank-table 1 # v1\r\n\nprobabilities\n 1\t0.75\nbeyond 0.25";
        assert_eq!(RankTable::parse(spaced).unwrap().parts(), (&[0.75][..], 0.25));
    }

    #[test]
    fn a_wrong_table_is_refused_with_its_line() {
        let head = "senbon-rank-table 1\nprobabilities\n";
        let counts = "senbon-rank-table 1\ncounts\n";
        let cases = [
            (String::new(), 0, "empty"),
            ("1 0.5\n".to_owned(), 1, "begins with"),
            ("senbon-rank-table 1\n1 0.5\n".to_owned(), 2, "expected"),
            ("senbon-rank-table 1\n".to_owned(), 0, "ends before"),
            (format!("{head}1 0.5\n3 0.5\n"), 4, "rank 2 or 'beyond'"),
            (format!("{head}1 0.5 x\n"), 3, "a rank and its value"),
            (format!("{head}1 -0.5\nbeyond 1.5\n"), 3, "not a probability"),
            (format!("{head}1 NaN\nbeyond 1\n"), 3, "not a probability"),
            (format!("{head}1 0.5\nbeyond 0.4\n"), 0, "add up to 0.9000"),
            (format!("{head}1 1\n"), 0, "'beyond' is missing"),
            (format!("{head}beyond 1\n"), 0, "no rank"),
            (format!("{head}1 0.5\nbeyond 0.5\n2 0\n"), 5, "last line"),
            (format!("{counts}1 0\nbeyond 0\n"), 0, "all counts are 0"),
            (format!("{counts}1 0.5\nbeyond 0\n"), 3, "not a count"),
            (format!("{counts}1 99999999999999999\nbeyond 0\n"), 3, "not a count"),
            ("#".repeat(LONGEST + 1), 0, "longer than"),
        ];
        for (text, line, what) in cases {
            let error = RankTable::parse(&text).unwrap_err();
            assert_eq!(error.line, line, "{text:.80}: {error}");
            assert!(error.what.contains(what), "{text:.80}: {error}");
        }
        let many: String = (1..=601).map(|rank| format!("{rank} 1\n")).collect();
        let error = RankTable::parse(&format!("{counts}{many}beyond 0\n")).unwrap_err();
        assert!(error.what.contains("more than 600"), "{error}");
    }

    #[test]
    fn damaged_tables_are_read_or_refused() {
        let mut rng = senbon_games::Rng::new(senbon_testkit::seed());
        let texts = [
            RankTable::published().format(),
            RankTable::format_counts(&[600, 200, 100], 31, &["remark".to_owned()]),
        ];
        let mut read = 0;
        for round in 0..20_000 {
            let mut bytes = texts[round % 2].clone().into_bytes();
            for _ in 0..1 + rng.below(3) {
                let at = rng.below(bytes.len());
                bytes[at] = b"0123456789.-e #\nab"[rng.below(18)];
            }
            let Ok(table) = RankTable::parse(&String::from_utf8_lossy(&bytes)) else { continue };
            read += 1;
            let (ranks, rest) = table.parts();
            let sum = ranks.iter().sum::<f64>() + rest;
            assert!((sum - 1.0).abs() < 0.0011, "{sum}");
            assert!(ranks.iter().chain([&rest]).all(|share| (0.0..=1.0).contains(share)));
        }
        assert!(read > 1_000, "only {read} were tables");
    }
}
