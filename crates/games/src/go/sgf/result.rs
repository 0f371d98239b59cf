//! The result of a game as SGF states it (property RE).

use std::fmt;
use std::str::FromStr;

use crate::Side;
use crate::go::rules::Komi;

/// How a game was won.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Margin {
    /// By so many half points.
    Halves(u16),
    /// The other side resigned.
    Resignation,
    /// The other side ran out of time.
    Time,
    /// The other side forfeited the game, an illegal move included.
    Forfeit,
    /// The file does not say.
    Unstated,
}

/// A stated result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// One side won.
    Won(Side, Margin),
    /// Nobody did.
    Draw,
    /// The game was broken off or does not count.
    Void,
    /// The result is not known.
    Unknown,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (side, margin) = match *self {
            Verdict::Draw => return f.write_str("0"),
            Verdict::Void => return f.write_str("Void"),
            Verdict::Unknown => return f.write_str("?"),
            Verdict::Won(side, margin) => (side, margin),
        };
        f.write_str(if side == Side::First { "B+" } else { "W+" })?;
        match margin {
            Margin::Halves(halves) => {
                write!(f, "{}{}", halves / 2, if halves % 2 == 0 { "" } else { ".5" })
            }
            Margin::Resignation => f.write_str("R"),
            Margin::Time => f.write_str("T"),
            Margin::Forfeit => f.write_str("F"),
            Margin::Unstated => Ok(()),
        }
    }
}

impl FromStr for Verdict {
    type Err = String;

    fn from_str(text: &str) -> Result<Verdict, String> {
        let wrong = || format!("`{text}` is not a result like B+3.5, W+R, 0, Void or ?");
        let (side, margin) = match text.trim() {
            "0" | "Draw" | "Jigo" => return Ok(Verdict::Draw),
            "Void" => return Ok(Verdict::Void),
            "?" | "" => return Ok(Verdict::Unknown),
            won => match won.split_once('+') {
                Some(("B", margin)) => (Side::First, margin),
                Some(("W", margin)) => (Side::Second, margin),
                _ => return Err(wrong()),
            },
        };
        let margin = match margin {
            "R" | "Resign" => Margin::Resignation,
            "T" | "Time" => Margin::Time,
            "F" | "Forfeit" | "Illegal" => Margin::Forfeit,
            "" => Margin::Unstated,
            points => {
                let points: Komi = points.parse().map_err(|_| wrong())?;
                Margin::Halves(points.halves().try_into().map_err(|_| wrong())?)
            }
        };
        Ok(Verdict::Won(side, margin))
    }
}
