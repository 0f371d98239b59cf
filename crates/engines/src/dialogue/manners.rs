//! What engines can do, and how they differ from the protocol.

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

/// What may be sent to an engine. What it cannot do is never sent.
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
    /// It has an option MultiPV.
    pub several_lines: bool,
}

impl Manners {
    /// What the protocol promises.
    pub const fn by_the_book() -> Self {
        Manners {
            restriction: Restriction::SearchMoves,
            nodes: true,
            depth: true,
            mate: true,
            several_lines: true,
        }
    }

    /// The manners of an engine known by its name, as it tells it after `id name`.
    pub fn known(name: &str) -> Option<Manners> {
        let book = Manners::by_the_book();
        let one_by_one = Manners { restriction: Restriction::OneByOne, ..book.clone() };
        let table: [(&str, Manners); 10] = [
            ("Stockfish", book.clone()),
            ("Fairy-Stockfish", book.clone()),
            ("Glaurung", book.clone()),
            ("timecat", Manners { several_lines: false, ..book.clone() }),
            ("Ethereal", Manners { nodes: false, ..one_by_one.clone() }),
            ("Toga", Manners { nodes: false, ..one_by_one.clone() }),
            ("GNU Chess", Manners { nodes: false, several_lines: false, ..one_by_one.clone() }),
            ("Sunfish", Manners { several_lines: false, ..one_by_one.clone() }),
            ("Sekirei", one_by_one),
            (
                "gpsshogi",
                Manners {
                    restriction: Restriction::IgnoreMoves,
                    nodes: false,
                    depth: false,
                    mate: false,
                    several_lines: false,
                },
            ),
        ];
        let told = name.to_lowercase();
        table
            .into_iter()
            .find(|(known, _)| told.starts_with(&known.to_lowercase()))
            .map(|(_, manners)| manners)
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
}
