//! The `go` command: what to search for, and how long.

use std::time::Duration;

use senbon_core::{Clock, Limits};
use senbon_games::Side;

use super::words::{Words, owned, push_field, push_some, push_words};
use super::{Dialect, SyntaxError};

/// A search for a forced win.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mate {
    /// UCI: find a mate in this many moves, and answer with `bestmove`.
    Moves(u32),
    /// USI: find a mate within this time, and answer with `checkmate`.
    Within(Duration),
    /// The same without a limit.
    Unlimited,
}

/// What `go` asks for. Limits given together hold together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Go {
    /// Search only these first moves; empty for all.
    pub search_moves: Vec<String>,
    /// The last move of the position is a guess: think on it, but do not answer before
    /// `ponderhit` or `stop`.
    pub ponder: bool,
    /// Do not answer before `stop`.
    pub infinite: bool,
    /// The clocks, by [`Side::index`]. White moves first in UCI, Black in USI.
    pub clocks: [Clock; 2],
    /// Time for each move once the clock has run out (Japanese byoyomi).
    pub byoyomi: Option<Duration>,
    /// Moves until the next time control.
    pub moves_to_go: Option<u32>,
    /// Plies to search.
    pub depth: Option<u32>,
    /// Nodes to search.
    pub nodes: Option<u64>,
    /// Look for a mate.
    pub mate: Option<Mate>,
    /// Think exactly this long.
    pub move_time: Option<Duration>,
}

impl Go {
    /// The limits as coordinators and searches know them.
    pub fn limits(&self) -> Limits {
        Limits {
            clocks: self.clocks,
            byoyomi: self.byoyomi,
            moves_to_go: self.moves_to_go,
            move_time: self.move_time,
            depth: self.depth,
            nodes: self.nodes,
            mate: match self.mate {
                Some(Mate::Moves(moves)) => Some(moves),
                _ => None,
            },
            infinite: self.infinite,
            ponder: self.ponder,
        }
    }

    /// The clock of `side`.
    pub fn clock(&self, side: Side) -> Clock {
        self.clocks[side.index()]
    }

    /// Reads what follows the word `go`. Unknown words are skipped, as the protocol asks.
    pub(super) fn parse(dialect: Dialect, words: &mut Words<'_>) -> Result<Go, SyntaxError> {
        let mut go = Go::default();
        while let Some(word) = words.next() {
            match word {
                "searchmoves" => go.search_moves = owned(&words.take_until(is_keyword)),
                "ponder" => go.ponder = true,
                "infinite" => go.infinite = true,
                "wtime" => go.clocks[white(dialect)].time = Some(time("wtime", words)?),
                "btime" => go.clocks[1 - white(dialect)].time = Some(time("btime", words)?),
                "winc" => go.clocks[white(dialect)].increment = Some(time("winc", words)?),
                "binc" => go.clocks[1 - white(dialect)].increment = Some(time("binc", words)?),
                "byoyomi" => go.byoyomi = Some(time("byoyomi", words)?),
                "movestogo" => go.moves_to_go = Some(number("movestogo", words)?),
                "depth" => go.depth = Some(number("depth", words)?),
                "nodes" => go.nodes = Some(number("nodes", words)?),
                "movetime" => go.move_time = Some(time("movetime", words)?),
                "mate" => go.mate = Some(mate(dialect, words)?),
                _ => {}
            }
        }
        Ok(go)
    }

    /// Appends the command's fields to `line`.
    pub(super) fn write(&self, dialect: Dialect, line: &mut String) {
        if self.ponder {
            line.push_str(" ponder");
        }
        if self.infinite {
            line.push_str(" infinite");
        }
        let (white, black) = (self.clocks[white(dialect)], self.clocks[1 - white(dialect)]);
        let milliseconds = |time: Option<Duration>| time.map(|time| time.as_millis());
        push_some(line, "wtime", milliseconds(white.time));
        push_some(line, "btime", milliseconds(black.time));
        push_some(line, "winc", milliseconds(white.increment));
        push_some(line, "binc", milliseconds(black.increment));
        push_some(line, "byoyomi", milliseconds(self.byoyomi));
        push_some(line, "movetime", milliseconds(self.move_time));
        push_some(line, "movestogo", self.moves_to_go);
        push_some(line, "depth", self.depth);
        push_some(line, "nodes", self.nodes);
        match self.mate {
            Some(Mate::Moves(moves)) => push_field(line, "mate", moves),
            Some(Mate::Within(time)) => push_field(line, "mate", time.as_millis()),
            Some(Mate::Unlimited) => line.push_str(" mate infinite"),
            None => {}
        }
        // Last, because some engines read every word after it as a move.
        if !self.search_moves.is_empty() {
            line.push_str(" searchmoves");
            push_words(line, &self.search_moves);
        }
    }
}

/// Where White's clock is kept: White moves first in chess and second in shogi.
fn white(dialect: Dialect) -> usize {
    match dialect {
        Dialect::Uci => Side::First.index(),
        Dialect::Usi => Side::Second.index(),
    }
}

fn is_keyword(word: &str) -> bool {
    matches!(
        word,
        "searchmoves"
            | "ponder"
            | "infinite"
            | "wtime"
            | "btime"
            | "winc"
            | "binc"
            | "byoyomi"
            | "movestogo"
            | "depth"
            | "nodes"
            | "movetime"
            | "mate"
    )
}

fn number<T: std::str::FromStr>(
    field: &'static str,
    words: &mut Words<'_>,
) -> Result<T, SyntaxError> {
    let word = words.next().ok_or(SyntaxError::missing("go", field))?;
    word.parse().map_err(|_| SyntaxError::not_a_number("go", field, word))
}

fn time(field: &'static str, words: &mut Words<'_>) -> Result<Duration, SyntaxError> {
    let milliseconds: i64 = number(field, words)?;
    Ok(Duration::from_millis(milliseconds.max(0).unsigned_abs()))
}

fn mate(dialect: Dialect, words: &mut Words<'_>) -> Result<Mate, SyntaxError> {
    if words.peek() == Some("infinite") {
        words.next();
        return Ok(Mate::Unlimited);
    }
    match dialect {
        Dialect::Uci => Ok(Mate::Moves(number("mate", words)?)),
        Dialect::Usi => Ok(Mate::Within(time("mate", words)?)),
    }
}
