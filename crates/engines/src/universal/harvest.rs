//! The harvest: a command of our own, for engines that can tell the most valuable positions
//! of their table (pgpp-2015 section 4.3).
//!
//! An engine that knows it says so in its greeting: `id harvest 256`, the most positions it
//! tells at once. It is asked with `harvest 8 startpos moves e2e4`, also while it searches,
//! and answers a line for each position and `harvestok` at the end.

use super::command::parse_setup;
use super::words::{Words, one_line, owned, push_field, push_words};
use super::{Command, Dialect, Score, SyntaxError};

pub(super) const COMMAND: &str = "harvest";

/// Longest way read from a line.
const LONGEST_WAY: usize = 64;

/// A valuable position as an engine tells it.
///
/// ```
/// use senbon_engines::universal::{Dialect, Reply};
///
/// let line = "harvest depth 7 score cp -24 best g8f6 moves e2e4 e7e5 g1f3";
/// let Ok(Reply::Harvested(told)) = Reply::parse(Dialect::Uci, line) else { panic!() };
/// assert_eq!((told.depth, told.way.len()), (7, 3));
/// assert_eq!(Reply::Harvested(told).format(Dialect::Uci), line);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Harvested {
    /// The way there from the position asked about; never empty.
    pub way: Vec<String>,
    /// From the view of the side to move there.
    pub score: Score,
    /// Depth searched under it.
    pub depth: u32,
    /// Best move there, if known.
    pub best: Option<String>,
}

/// Reads what follows the command `harvest`.
pub(super) fn parse_command(words: &mut Words<'_>) -> Result<Command, SyntaxError> {
    let count = words.next().ok_or(SyntaxError::missing(COMMAND, "the number of positions"))?;
    let count =
        count.parse().map_err(|_| SyntaxError::not_a_number(COMMAND, "the number", count))?;
    let setup = parse_setup(COMMAND, words)?;
    Ok(Command::Harvest { count, setup })
}

impl Harvested {
    /// Reads what follows the reply `harvest`.
    pub(super) fn parse(dialect: Dialect, words: &mut Words<'_>) -> Result<Self, SyntaxError> {
        let (mut score, mut depth, mut best) = (None, 0, None);
        while let Some(word) = words.next() {
            match word {
                "depth" => depth = words.take_parsed().unwrap_or(0),
                "score" => score = Score::parse(dialect, words),
                "best" => best = words.next().map(str::to_owned),
                "moves" => {
                    let mut way = owned(&words.take_until(|_| false));
                    way.truncate(LONGEST_WAY);
                    if way.is_empty() {
                        break;
                    }
                    let score = score.ok_or(SyntaxError::missing(COMMAND, "the score"))?;
                    return Ok(Harvested { way, score, depth, best });
                }
                _ => {}
            }
        }
        Err(SyntaxError::missing(COMMAND, "the way"))
    }

    /// Appends the parts.
    pub(super) fn write(&self, dialect: Dialect, line: &mut String) {
        push_field(line, "depth", self.depth);
        self.score.write(dialect, line);
        if let Some(best) = &self.best {
            push_field(line, "best", one_line(best));
        }
        line.push_str(" moves");
        push_words(line, &self.way);
    }
}
