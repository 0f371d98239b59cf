//! Positions and moves as text.

use std::fmt;

use crate::Game;

/// A game with a written form: what its protocols (UCI, USI, GTP) and `--position` use.
///
/// Reading a position checks it by the rules; reading a move checks that it is legal in this
/// position. What was written can be read back and is the same.
pub trait Notation: Game {
    /// The usual start of a game.
    fn start() -> Self;

    /// Reads a position (FEN, SFEN, …).
    fn parse_position(text: &str) -> Result<Self, NotationError>;

    /// Writes the position (without history).
    fn format_position(&self) -> String;

    /// Reads a legal move in protocol notation.
    fn parse_move(&self, text: &str) -> Result<Self::Move, NotationError>;

    /// Writes a legal move in protocol notation.
    fn format_move(&self, mv: Self::Move) -> String;

    /// Reads a legal move as people write it; protocol notation will do, too.
    fn parse_readable(&self, text: &str) -> Result<Self::Move, NotationError> {
        self.parse_move(text)
    }

    /// Writes a legal move as people read it, where that differs from protocol notation.
    fn format_readable(&self, mv: Self::Move) -> String {
        self.format_move(mv)
    }

    /// Writes a line of play from here in protocol notation.
    fn format_line(&self, moves: &[Self::Move]) -> Vec<String> {
        write_line(self, moves, Self::format_move)
    }

    /// Writes a line of play from here as people read it.
    fn format_readable_line(&self, moves: &[Self::Move]) -> Vec<String> {
        write_line(self, moves, Self::format_readable)
    }
}

fn write_line<G: Game>(
    from: &G,
    moves: &[G::Move],
    write: impl Fn(&G, G::Move) -> String,
) -> Vec<String> {
    let mut position = from.clone();
    moves
        .iter()
        .map(|&mv| {
            let text = write(&position, mv);
            position.play(mv);
            text
        })
        .collect()
}

/// Why a text is not a position or not a move, written for the person who typed it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotationError {
    /// Byte offset in the text where the trouble starts.
    pub at: usize,
    /// What is wrong there.
    pub what: String,
}

impl NotationError {
    /// The text is wrong from byte `at` on.
    pub fn new(at: usize, what: impl Into<String>) -> Self {
        NotationError { at, what: what.into() }
    }
}

impl fmt::Display for NotationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (at character {})", self.what, self.at + 1)
    }
}

impl std::error::Error for NotationError {}
