//! Records of games: the CSA and KIF formats.
//!
//! A record is read into the position it starts from and a list of moves, each of them legal;
//! a broken one gives the line and the reason. Texts are UTF-8: decoding older files, and
//! where they come from, is the caller's business.

pub mod csa;
pub mod kif;
mod setup;

use std::fmt;

use shogi_core::Move;

use super::Shogi;
use crate::{Game, Notation, Side};

/// One game as it was written down.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// The players' names, the first player's first; empty where not given.
    pub players: [String; 2],
    /// Everything else the head of the record says, as written: key and value.
    pub tags: Vec<(String, String)>,
    /// Where the game starts.
    pub start: Shogi,
    /// The moves played, all legal.
    pub moves: Vec<RecordedMove>,
    /// How it ended, if the record says so.
    pub finish: Option<Finish>,
}

/// A move of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedMove {
    /// The move.
    pub mv: Move,
    /// Time spent on it.
    pub time_ms: Option<u64>,
    /// Remarks on it, one a line.
    pub comment: String,
}

/// The ways records say a game ended. "The mover" is the side to move at the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Finish {
    /// The mover gave up.
    Resignation,
    /// The mover ran out of time.
    TimeUp,
    /// The mover is mated.
    Mate,
    /// The mover declared a win by entering king.
    Declaration,
    /// The mover made an illegal move, which is not in the record.
    IllegalMove,
    /// This side broke a rule.
    Foul(Side),
    /// The mover did not turn up.
    Default,
    /// The mover won because the opponent did not turn up.
    DefaultWin,
    /// The same position came up four times.
    Repetition,
    /// A draw by impasse of entered kings.
    Impasse,
    /// A draw by reaching the most moves allowed.
    MoveLimit,
    /// Interrupted, adjourned, or given up as a problem without mate.
    Interruption,
}

/// Who won a recorded game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameResult {
    /// This side won.
    Win(Side),
    /// Nobody won.
    Draw,
    /// The record does not say.
    Unknown,
}

impl Record {
    /// A record without moves.
    pub fn new(start: Shogi) -> Self {
        let (players, tags) = Default::default();
        Record { players, tags, start, moves: Vec::new(), finish: None }
    }

    /// The position after the last move.
    pub fn last_position(&self) -> Shogi {
        let mut game = self.start.clone();
        for recorded in &self.moves {
            game.play(recorded.mv);
        }
        game
    }

    /// Who won.
    pub fn result(&self) -> GameResult {
        let Some(finish) = self.finish else { return GameResult::Unknown };
        let last = self.last_position();
        let mover = last.side_to_move();
        match finish {
            Finish::Resignation
            | Finish::TimeUp
            | Finish::Mate
            | Finish::IllegalMove
            | Finish::Default => GameResult::Win(!mover),
            Finish::Declaration | Finish::DefaultWin => GameResult::Win(mover),
            Finish::Foul(side) => GameResult::Win(!side),
            // With perpetual check, repetition has a loser.
            Finish::Repetition => match last.ended_by_history().and_then(|o| o.winner) {
                Some(winner) => GameResult::Win(winner),
                None => GameResult::Draw,
            },
            Finish::Impasse | Finish::MoveLimit => GameResult::Draw,
            Finish::Interruption => GameResult::Unknown,
        }
    }
}

impl Default for Record {
    fn default() -> Self {
        Record::new(Shogi::start())
    }
}

/// Why a record cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordError {
    /// The line that is wrong, counted from 1.
    pub line: usize,
    /// What is wrong with it.
    pub what: String,
}

impl RecordError {
    fn new(line: usize, what: impl Into<String>) -> Self {
        RecordError { line, what: what.into() }
    }
}

impl fmt::Display for RecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.what)
    }
}

impl std::error::Error for RecordError {}

/// The moves of a record while it is read.
struct Body {
    record: Record,
    game: Shogi,
}

impl Body {
    fn new(record: Record) -> Self {
        let game = record.start.clone();
        Body { record, game }
    }

    /// Plays a move if it is legal.
    fn play(&mut self, mv: Move) -> Result<(), String> {
        let mv = self.game.check_legal(mv)?;
        self.game.play(mv);
        self.record.moves.push(RecordedMove { mv, time_ms: None, comment: String::new() });
        Ok(())
    }

    /// Notes the time of the last move.
    fn time(&mut self, time_ms: u64) {
        if let Some(last) = self.record.moves.last_mut() {
            last.time_ms = Some(time_ms);
        }
    }

    /// Adds a remark to the last move; those before the first move are dropped.
    fn comment(&mut self, text: &str) {
        if let Some(last) = self.record.moves.last_mut() {
            if !last.comment.is_empty() {
                last.comment.push('\n');
            }
            last.comment.push_str(text);
        }
    }
}
