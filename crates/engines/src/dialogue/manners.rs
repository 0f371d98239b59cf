//! What engines can do, and how they differ from the protocol.

use std::fmt;
use std::str::FromStr;

/// How an engine can be kept from searching some moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Restriction {
    /// By `go searchmoves`.
    SearchMoves,
    /// By a command `ignore_moves` with all other moves before `go` (GPSshogi).
    IgnoreMoves,
    /// Not at all: the moves are searched one by one as positions of their own.
    OneByOne,
}

/// What may be sent to an engine. What it cannot do is never sent; we watch what it tells and
/// stop it instead.
///
/// Written as words between commas: `book` or `careful` first, as the one to start from, then
/// what is different. `no-` takes an ability away.
///
/// ```
/// use senbon_engines::dialogue::{Manners, Restriction};
///
/// let manners: Manners = "one-by-one,no-nodes".parse().unwrap();
/// assert_eq!(manners.restriction, Restriction::OneByOne);
/// assert!(manners.depth && !manners.nodes);
/// assert_eq!(manners.to_string(), "book,one-by-one,no-nodes");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Manners {
    /// How its first moves can be restricted.
    pub restriction: Restriction,
    /// It honours `go nodes`.
    pub nodes: bool,
    /// It honours `go depth`.
    pub depth: bool,
    /// It honours `go mate`.
    pub mate: bool,
    /// It honours `go movetime` and clocks.
    pub time: bool,
    /// It finds several lines, if it has an option MultiPV.
    pub several_lines: bool,
    /// It answers `isready` while it searches, and searches on.
    pub ready: bool,
}

/// A manner that nobody knows.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "unknown manner '{0}'; known are, between commas: book or careful (first), searchmoves, \
     ignore_moves, one-by-one, and nodes, depth, mate, time, multipv, ready, each also with no- \
     before it"
)]
pub struct UnknownManner(String);

impl Manners {
    /// What the protocol promises.
    pub const fn by_the_book() -> Self {
        Manners {
            restriction: Restriction::SearchMoves,
            nodes: true,
            depth: true,
            mate: true,
            time: true,
            several_lines: true,
            ready: true,
        }
    }

    /// Nothing but `go infinite` and `stop`.
    pub const fn careful() -> Self {
        Manners {
            restriction: Restriction::OneByOne,
            nodes: false,
            depth: false,
            mate: false,
            time: false,
            several_lines: false,
            ready: false,
        }
    }

    /// The manners of an engine known by its name, as it tells it after `id name`.
    pub fn known(name: &str) -> Option<Manners> {
        let book = Manners::by_the_book();
        let one_by_one = Manners { restriction: Restriction::OneByOne, ..book.clone() };
        let table: [(&str, Manners); 11] = [
            ("Senbon", book.clone()),
            ("Stockfish", book.clone()),
            ("Fairy-Stockfish", book.clone()),
            ("Glaurung", Manners { ready: false, ..book.clone() }),
            ("timecat", Manners { several_lines: false, ready: false, ..book.clone() }),
            ("Ethereal", Manners { nodes: false, ..one_by_one.clone() }),
            ("Toga", Manners { nodes: false, ..one_by_one.clone() }),
            ("GNU Chess", Manners { nodes: false, several_lines: false, ..one_by_one.clone() }),
            ("Sunfish", Manners { several_lines: false, ready: false, ..one_by_one.clone() }),
            ("Sekirei", Manners { ready: false, ..one_by_one }),
            // Most limits abort it. After `isready` in mid-search it answers no `stop`.
            ("gpsshogi", Manners { restriction: Restriction::IgnoreMoves, ..Manners::careful() }),
        ];
        let told = name.to_lowercase();
        table
            .into_iter()
            .find(|(known, _)| told.starts_with(&known.to_lowercase()))
            .map(|(_, manners)| manners)
    }

    /// The abilities by their names.
    fn switches(&mut self) -> [(&'static str, &mut bool); 6] {
        [
            ("nodes", &mut self.nodes),
            ("depth", &mut self.depth),
            ("mate", &mut self.mate),
            ("time", &mut self.time),
            ("multipv", &mut self.several_lines),
            ("ready", &mut self.ready),
        ]
    }
}

const RESTRICTIONS: [(&str, Restriction); 3] = [
    ("searchmoves", Restriction::SearchMoves),
    ("ignore_moves", Restriction::IgnoreMoves),
    ("one-by-one", Restriction::OneByOne),
];

impl FromStr for Manners {
    type Err = UnknownManner;

    fn from_str(text: &str) -> Result<Self, UnknownManner> {
        let mut manners = Manners::by_the_book();
        for (index, word) in text.split(',').map(str::trim).enumerate() {
            let restriction = RESTRICTIONS.iter().find(|(name, _)| *name == word);
            let (name, on) = word.strip_prefix("no-").map_or((word, true), |name| (name, false));
            let switch = manners.switches().into_iter().find(|(known, _)| *known == name);
            match (word, restriction, switch) {
                ("book", ..) if index == 0 => {}
                ("careful", ..) if index == 0 => manners = Manners::careful(),
                (_, Some((_, restriction)), _) => manners.restriction = *restriction,
                (_, _, Some((_, switch))) => *switch = on,
                _ => return Err(UnknownManner(word.chars().take(40).collect())),
            }
        }
        Ok(manners)
    }
}

impl fmt::Display for Manners {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("book")?;
        let restriction = RESTRICTIONS.iter().find(|(_, it)| *it == self.restriction);
        if let Some((name, _)) = restriction.filter(|(_, it)| *it != Restriction::SearchMoves) {
            write!(f, ",{name}")?;
        }
        for (name, on) in self.clone().switches() {
            if !*on {
                write!(f, ",no-{name}")?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn engines_are_known_by_name() {
        assert_eq!(Manners::known("Stockfish 15.1"), Some(Manners::by_the_book()));
        let toga = Manners::known("Toga II 3.0").unwrap();
        assert_eq!(toga.restriction, Restriction::OneByOne);
        assert!(!toga.nodes);
        assert_eq!(Manners::known("Something New"), None);
    }

    #[test]
    fn manners_are_written_and_read() {
        let gps = Manners::known("gpsshogi 0.7.0").unwrap();
        for manners in [Manners::by_the_book(), Manners::careful(), gps] {
            assert_eq!(manners.to_string().parse(), Ok(manners));
        }
        let mixed: Manners = "careful, searchmoves, depth".parse().unwrap();
        assert!(mixed.depth && !mixed.nodes && mixed.restriction == Restriction::SearchMoves);
        for bad in ["", "polite", "depth,careful", "no-searchmoves", "no-", "nodes;depth"] {
            let error = bad.parse::<Manners>().unwrap_err();
            assert!(error.to_string().contains("one-by-one"), "{error}");
        }
    }
}
