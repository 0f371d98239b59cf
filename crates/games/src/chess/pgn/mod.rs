//! Portable game notation: whole games with their tags, comments and variations.
//!
//! [`Reader`] walks over the bytes of a file and gives one [`Record`] after the other. Moves
//! are kept as they are written ([`San`]); [`Record::moves`] plays them through. A record is
//! written by its `Display`.
//!
//! ```
//! use senbon_games::chess::pgn::Reader;
//! let file = b"[White \"Anna\"]\n\n1. e4 e5 (1... c5 2. Nf3) 2. Nf3 $1 {as usual} *\n";
//! let record = Reader::new(file).next().unwrap().unwrap();
//! assert_eq!(record.tag("White"), Some("Anna"));
//! assert_eq!(record.moves().unwrap().len(), 3);
//! assert_eq!(record.line.moves[1].variations.len(), 1);
//! ```

mod reader;
mod writer;

use std::fmt;

use cozy_chess::Move;

pub use reader::Reader;

use super::{Chess, San};
use crate::{Game, Notation, Side};

/// Variations deeper than this are refused.
pub const MAX_DEPTH: usize = 64;
/// Games with more moves, all variations together, are refused.
pub const MAX_MOVES: usize = 1 << 18;
/// Games with more tags are refused.
pub const MAX_TAGS: usize = 1 << 10;
/// Longer tags and comments are refused.
pub const MAX_TEXT: usize = 1 << 18;

/// One game.
///
/// Two records are equal if they say the same, wherever they were read.
#[derive(Clone, Debug, Default)]
pub struct Record {
    /// Names and values, in the order of the file. Names are letters, digits and `_`.
    pub tags: Vec<(String, String)>,
    /// The moves played, with the variations at their sides.
    pub line: Line,
    /// The result behind the moves.
    pub result: GameResult,
    /// The game's number in the file it was read from, from 1; else 0.
    pub number: usize,
}

/// A sequence of moves: the game itself or a variation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line {
    /// Comments before the first move.
    pub comments: Vec<String>,
    /// The moves.
    pub moves: Vec<Node>,
}

/// A move and what is said about it.
#[derive(Clone, Debug)]
pub struct Node {
    /// The move.
    pub san: San,
    /// Numeric annotations: 1 is `!`, 2 is `?`, and so on.
    pub nags: Vec<u8>,
    /// Comments behind the move.
    pub comments: Vec<String>,
    /// What could have been played in place of this move.
    pub variations: Vec<Line>,
    /// The line of the file it was read from, from 1; else 0.
    pub source_line: usize,
}

/// How a game ended, as PGN writes it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum GameResult {
    /// `1-0` or `0-1`
    Win(Side),
    /// `1/2-1/2`
    Draw,
    /// `*`: not over, or not known.
    #[default]
    Unknown,
}

/// A game that could not be read, and where in the file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("game {game}, line {line}: {what}")]
pub struct PgnError {
    /// The number of the game in the file, from 1.
    pub game: usize,
    /// The line of the file, from 1.
    pub line: usize,
    /// What is wrong.
    pub what: String,
}

impl Record {
    /// A record of `moves`, all legal in turn from `start`.
    ///
    /// Tags for the start position are added where it is not the usual one.
    pub fn from_moves(start: &Chess, moves: &[Move], result: GameResult) -> Record {
        let mut record = Record { result, ..Record::default() };
        let mut tag = |name: &str, value: &str| record.tags.push((name.into(), value.into()));
        if start.is_chess960() {
            tag("Variant", "Chess960");
        }
        let text = start.format_position();
        if text != Chess::start().format_position() {
            tag("SetUp", "1");
            tag("FEN", &text);
        }
        tag("Result", &result.to_string());
        let mut position = start.clone();
        for &mv in moves {
            record.line.moves.push(Node::new(San::of(&position, mv)));
            position.play(mv);
        }
        record
    }

    /// The value of the first tag with this name, upper or lower case.
    pub fn tag(&self, name: &str) -> Option<&str> {
        let found = self.tags.iter().find(|(tag, _)| tag.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.as_str())
    }

    /// The position before the first move, from the tags `FEN` and `Variant`.
    pub fn start(&self) -> Result<Chess, PgnError> {
        let err = |what: String| PgnError { game: self.number, line: 0, what };
        let variant = self.tag("Variant").unwrap_or("").to_ascii_lowercase();
        let is_chess960 = ["chess960", "fischerandom", "fischerrandom", "fischer random"]
            .iter()
            .any(|name| variant.starts_with(name));
        let is_chess =
            ["", "?", "chess", "standard", "normal", "from position"].contains(&variant.as_str());
        if !is_chess960 && !is_chess {
            return Err(err(format!("the variant {variant} is not played here")));
        }
        let mut start = match self.tag("FEN") {
            Some(fen) => Chess::parse_position(fen).map_err(|e| err(format!("tag FEN: {e}")))?,
            None => Chess::start(),
        };
        if is_chess960 {
            start.set_chess960(true);
        }
        Ok(start)
    }

    /// The moves of the game itself, played through from the start.
    pub fn moves(&self) -> Result<Vec<Move>, PgnError> {
        self.line.play_from(self.start()?).map_err(|(line, what)| PgnError {
            game: self.number,
            line,
            what,
        })
    }
}

impl PartialEq for Record {
    fn eq(&self, other: &Self) -> bool {
        (&self.tags, &self.line, self.result) == (&other.tags, &other.line, other.result)
    }
}

impl Line {
    /// The moves played through from `position`; or the source line and what is wrong there.
    pub fn play_from(&self, mut position: Chess) -> Result<Vec<Move>, (usize, String)> {
        let mut moves = Vec::with_capacity(self.moves.len());
        for node in &self.moves {
            let mv = node.san.resolve(&position).map_err(|error| {
                (node.source_line, format!("move {}: {error}", position.board().fullmove_number()))
            })?;
            position.play(mv);
            moves.push(mv);
        }
        Ok(moves)
    }
}

impl Node {
    /// A move without any remarks.
    pub fn new(san: San) -> Node {
        Node { san, nags: Vec::new(), comments: Vec::new(), variations: Vec::new(), source_line: 0 }
    }
}

impl PartialEq for Node {
    fn eq(&self, other: &Self) -> bool {
        self.san == other.san
            && self.nags == other.nags
            && self.comments == other.comments
            && self.variations == other.variations
    }
}

impl Eq for Node {}

impl Eq for Record {}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            GameResult::Win(Side::First) => "1-0",
            GameResult::Win(Side::Second) => "0-1",
            GameResult::Draw => "1/2-1/2",
            GameResult::Unknown => "*",
        })
    }
}
