//! The `info` reply: what an engine tells while it searches.

use std::time::Duration;

use super::Dialect;
use super::words::{Words, one_line, owned, push_some, push_words};

/// What an engine tells while it searches; every part may be absent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Info {
    /// Plies searched.
    pub depth: Option<u32>,
    /// Deepest ply reached by a selective search.
    pub seldepth: Option<u32>,
    /// Rank of the line, from 1, where several are asked for.
    pub multipv: Option<u32>,
    /// The engine's judgement.
    pub score: Option<Score>,
    /// Chances of win, draw and loss in thousandths.
    pub wdl: Option<[u32; 3]>,
    /// Nodes searched.
    pub nodes: Option<u64>,
    /// Nodes a second.
    pub nps: Option<u64>,
    /// Fullness of the hash table in thousandths.
    pub hashfull: Option<u32>,
    /// Endgame table positions found.
    pub tbhits: Option<u64>,
    /// Processor load in thousandths.
    pub cpuload: Option<u32>,
    /// Time searched.
    pub time: Option<Duration>,
    /// The move being searched.
    pub currmove: Option<String>,
    /// Its number at the root, from 1.
    pub currmovenumber: Option<u32>,
    /// A move and its refutation.
    pub refutation: Vec<String>,
    /// The line being searched.
    pub currline: Vec<String>,
    /// The best line.
    pub pv: Vec<String>,
    /// Text for the person watching.
    pub string: Option<String>,
}

/// An engine's judgement of a position, from the side to move's view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Score {
    /// How much.
    pub worth: Worth,
    /// Whether the true value may be higher or lower.
    pub bound: ScoreBound,
}

/// The amount of a [`Score`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Worth {
    /// Hundredths of a pawn.
    Centipawns(i32),
    /// A forced win, after this many plies if that is known.
    Win(Option<u32>),
    /// A forced loss, after this many plies if that is known; 0 is mate on the board.
    Loss(Option<u32>),
}

/// How a score relates to the true value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScoreBound {
    /// The score is the value.
    Exact,
    /// The value is at least the score.
    Lower,
    /// The value is at most the score.
    Upper,
}

impl Info {
    /// Reads what follows the word `info`, leaving out what it cannot make sense of.
    pub(super) fn parse(dialect: Dialect, words: &mut Words<'_>) -> Info {
        let mut info = Info::default();
        while let Some(word) = words.next() {
            match word {
                "depth" => info.depth = words.take_parsed(),
                "seldepth" => info.seldepth = words.take_parsed(),
                "multipv" => info.multipv = words.take_parsed(),
                "nodes" => info.nodes = words.take_parsed(),
                "nps" => info.nps = words.take_parsed(),
                "hashfull" => info.hashfull = words.take_parsed(),
                "tbhits" => info.tbhits = words.take_parsed(),
                "cpuload" => info.cpuload = words.take_parsed(),
                "time" => info.time = words.take_parsed().map(Duration::from_millis),
                "currmovenumber" => info.currmovenumber = words.take_parsed(),
                "currmove" => info.currmove = words.next().map(str::to_owned),
                "score" => info.score = Score::parse(dialect, words).or(info.score),
                "wdl" => info.wdl = parse_wdl(words),
                "refutation" => info.refutation = owned(&words.take_until(is_keyword)),
                "currline" => info.currline = owned(&words.take_until(is_keyword)),
                "pv" => info.pv = owned(&words.take_until(is_keyword)),
                "string" => {
                    info.string = Some(words.rest().to_owned());
                    return info;
                }
                _ => {}
            }
        }
        info
    }

    /// Appends the fields that are there.
    pub(super) fn write(&self, dialect: Dialect, line: &mut String) {
        push_some(line, "depth", self.depth);
        push_some(line, "seldepth", self.seldepth);
        push_some(line, "multipv", self.multipv);
        if let Some(score) = self.score {
            score.write(dialect, line);
        }
        push_some(line, "wdl", self.wdl.map(|[win, draw, loss]| format!("{win} {draw} {loss}")));
        push_some(line, "nodes", self.nodes);
        push_some(line, "nps", self.nps);
        push_some(line, "hashfull", self.hashfull);
        push_some(line, "tbhits", self.tbhits);
        push_some(line, "cpuload", self.cpuload);
        push_some(line, "time", self.time.map(|time| time.as_millis()));
        push_some(line, "currmove", self.currmove.as_deref().map(one_line));
        push_some(line, "currmovenumber", self.currmovenumber);
        let lines =
            [("refutation", &self.refutation), ("currline", &self.currline), ("pv", &self.pv)];
        for (name, moves) in lines {
            if !moves.is_empty() {
                line.push(' ');
                line.push_str(name);
                push_words(line, moves);
            }
        }
        push_some(line, "string", self.string.as_deref().map(one_line));
    }
}

fn parse_wdl(words: &mut Words<'_>) -> Option<[u32; 3]> {
    Some([words.take_parsed()?, words.take_parsed()?, words.take_parsed()?])
}

fn is_keyword(word: &str) -> bool {
    matches!(
        word,
        "depth"
            | "seldepth"
            | "multipv"
            | "score"
            | "wdl"
            | "nodes"
            | "nps"
            | "hashfull"
            | "tbhits"
            | "cpuload"
            | "time"
            | "currmove"
            | "currmovenumber"
            | "refutation"
            | "currline"
            | "pv"
            | "string"
    )
}

impl Score {
    /// An exact score.
    pub const fn exact(worth: Worth) -> Self {
        Score { worth, bound: ScoreBound::Exact }
    }

    pub(super) fn parse(dialect: Dialect, words: &mut Words<'_>) -> Option<Score> {
        let mut worth = None;
        let mut bound = ScoreBound::Exact;
        loop {
            match words.peek() {
                Some("cp") => {
                    words.next();
                    worth = words.take_parsed().map(Worth::Centipawns);
                }
                Some("mate") => {
                    words.next();
                    worth = parse_mate(dialect, words.peek()?);
                    words.next();
                }
                Some("lowerbound") => {
                    words.next();
                    bound = ScoreBound::Lower;
                }
                Some("upperbound") => {
                    words.next();
                    bound = ScoreBound::Upper;
                }
                _ => return Some(Score { worth: worth?, bound }),
            }
        }
    }

    pub(super) fn write(self, dialect: Dialect, line: &mut String) {
        line.push_str(" score ");
        line.push_str(&match (self.worth, dialect) {
            (Worth::Centipawns(value), _) => format!("cp {value}"),
            (Worth::Win(Some(plies)), Dialect::Uci) => format!("mate {}", plies.div_ceil(2)),
            (Worth::Loss(Some(plies)), Dialect::Uci) => match plies.div_ceil(2) {
                0 => "mate 0".to_owned(),
                moves => format!("mate -{moves}"),
            },
            (Worth::Win(Some(plies)), Dialect::Usi) => format!("mate {plies}"),
            (Worth::Loss(Some(plies)), Dialect::Usi) => format!("mate -{plies}"),
            (Worth::Win(None), Dialect::Usi) => "mate +".to_owned(),
            (Worth::Loss(None), Dialect::Usi) => "mate -".to_owned(),
            // UCI cannot say "won, I do not know how fast".
            (Worth::Win(None), Dialect::Uci) => format!("cp {UNKNOWN_MATE}"),
            (Worth::Loss(None), Dialect::Uci) => format!("cp -{UNKNOWN_MATE}"),
        });
        line.push_str(match self.bound {
            ScoreBound::Exact => "",
            ScoreBound::Lower => " lowerbound",
            ScoreBound::Upper => " upperbound",
        });
    }
}

/// What a forced win of unknown length is called in UCI, in centipawns.
const UNKNOWN_MATE: i32 = 30_000;

/// UCI counts the winner's moves, USI counts plies; both are negative for the loser.
fn parse_mate(dialect: Dialect, word: &str) -> Option<Worth> {
    let lost = word.starts_with('-');
    let digits = word.trim_start_matches(['-', '+']);
    let plies = match (digits, dialect) {
        ("", Dialect::Usi) => None,
        (_, Dialect::Usi) => Some(digits.parse::<u32>().ok()?),
        (_, Dialect::Uci) => {
            let moves = digits.parse::<u32>().ok()?;
            if moves == 0 {
                return Some(Worth::Loss(Some(0)));
            }
            Some(moves.checked_mul(2)? - u32::from(!lost))
        }
    };
    // Mate in no plies is on the board already: the side to move has lost.
    let lost = lost || plies == Some(0);
    Some(if lost { Worth::Loss(plies) } else { Worth::Win(plies) })
}
