//! Go game records in SGF (version FF4), through `sgf-parse`.
//!
//! [`read`] follows the main line of the first game of a file; variations are left out. What a
//! file says is checked by the rules, and an error names the node (counted from 0 along the
//! main line) and the property that is wrong.

mod read;
mod result;
mod write;

pub use read::{SgfError, read};
pub use result::{Margin, Verdict};
pub use write::write;

use super::point::Move;
use super::position::Go;
use super::rules::Rules;
use crate::Game;

/// The names by which SGF files know rules: those that FF[4] lists first, then what else is
/// found in files.
const RULES: [(&str, Rules); 7] = [
    ("Japanese", Rules::JAPANESE),
    ("Chinese", Rules::CHINESE),
    ("AGA", Rules::AGA),
    ("NZ", Rules::NEW_ZEALAND),
    ("Tromp/Taylor", Rules::TROMP_TAYLOR),
    ("Tromp-Taylor", Rules::TROMP_TAYLOR),
    ("New Zealand", Rules::NEW_ZEALAND),
];

/// The rules that a file calls `name`, or that are spelled out as we write them.
fn rules_by_name(name: &str) -> Option<Rules> {
    let known = RULES.iter().find(|(known, _)| known.eq_ignore_ascii_case(name.trim()));
    known.map(|(_, rules)| *rules).or_else(|| name.parse().ok())
}

/// What to call `rules` in a file.
fn rules_name(rules: &Rules) -> String {
    let known = RULES.iter().find(|(_, known)| known.with_komi(rules.komi) == *rules);
    known.map_or_else(|| rules.to_string(), |(name, _)| (*name).to_owned())
}

/// A game with where it started, how it went and who played.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// The position before the first move: size, rules, komi, handicap or setup stones, side to
    /// move.
    pub start: Go,
    /// Handicap stones, which are among the stones of `start`; 0 or 1 for none.
    pub handicap: usize,
    /// The moves of the main line, all legal.
    pub moves: Vec<Move>,
    /// Who played Black.
    pub black: Option<String>,
    /// Who played White.
    pub white: Option<String>,
    /// The result that the file states.
    pub verdict: Option<Verdict>,
}

impl Record {
    /// A game without moves or names.
    pub fn new(start: Go) -> Record {
        let (moves, handicap) = (Vec::new(), 0);
        Record { start, handicap, moves, black: None, white: None, verdict: None }
    }

    /// The position after the last move.
    pub fn end(&self) -> Go {
        let mut go = self.start.clone();
        for &mv in &self.moves {
            go.play(mv);
        }
        go
    }
}
