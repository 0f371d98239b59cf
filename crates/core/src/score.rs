//! Scores as engines tell them, comparable with each other.

use std::cmp::Ordering;
use std::fmt;
use std::ops::Neg;

use senbon_games::{OVER, Worth};

/// How a score relates to the true one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Bound {
    /// As good as the engine knows.
    #[default]
    Exact,
    /// At least this.
    Lower,
    /// At most this.
    Upper,
}

/// The value of a position from one side's view.
///
/// Ordered: being mated < being mated later < any number of centipawns < mating later <
/// mating.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Score {
    /// A judgement in hundredths of a pawn.
    Centipawns(i32),
    /// Mates in so many plies.
    Mates(u32),
    /// Is mated in so many plies.
    Mated(u32),
}

impl Score {
    /// The score seen from one ply earlier by the other side.
    #[must_use]
    pub fn one_ply_up(self) -> Score {
        match self {
            Score::Centipawns(value) => Score::Centipawns(-value),
            Score::Mates(plies) => Score::Mated(plies.saturating_add(1)),
            Score::Mated(plies) => Score::Mates(plies.saturating_add(1)),
        }
    }

    /// The score seen from one ply later by the other side.
    #[must_use]
    pub fn one_ply_down(self) -> Score {
        match self {
            Score::Centipawns(value) => Score::Centipawns(-value),
            Score::Mates(plies) => Score::Mated(plies.saturating_sub(1)),
            Score::Mated(plies) => Score::Mates(plies.saturating_sub(1)),
        }
    }

    /// One number in the same order: what plots and thresholds use.
    pub fn number(self) -> i64 {
        const MATE: i64 = 1 << 40;
        match self {
            Score::Centipawns(value) => i64::from(value),
            Score::Mates(plies) => MATE - i64::from(plies),
            Score::Mated(plies) => i64::from(plies) - MATE,
        }
    }

    /// What a fixed-depth search of so many plies found, where a game that is over is worth
    /// [`OVER`] and the plies that were left.
    pub fn of_worth(value: Worth, depth: u32) -> Score {
        let left = i32::from(value.abs()) - i32::from(OVER);
        let plies = depth.saturating_sub(left.unsigned_abs());
        match (left < 0, value > 0) {
            (true, _) => Score::Centipawns(value.into()),
            (false, true) => Score::Mates(plies),
            (false, false) => Score::Mated(plies),
        }
    }

    /// Whether it is a proven win or loss.
    pub fn is_mate(self) -> bool {
        !matches!(self, Score::Centipawns(_))
    }
}

impl Neg for Score {
    type Output = Score;

    fn neg(self) -> Score {
        match self {
            Score::Centipawns(value) => Score::Centipawns(-value),
            Score::Mates(plies) => Score::Mated(plies),
            Score::Mated(plies) => Score::Mates(plies),
        }
    }
}

impl PartialOrd for Score {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Score {
    fn cmp(&self, other: &Self) -> Ordering {
        self.number().cmp(&other.number())
    }
}

impl fmt::Display for Score {
    /// As players write it: `+0.34`, `#3` for mate in three moves, `#-3` for being mated.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Score::Centipawns(value) => write!(f, "{:+.2}", f64::from(value) / 100.0),
            Score::Mates(plies) => write!(f, "#{}", plies.div_ceil(2)),
            Score::Mated(plies) => write!(f, "#-{}", plies.div_ceil(2)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plies_left_become_plies_to_mate() {
        assert_eq!(Score::of_worth(-35, 6), Score::Centipawns(-35));
        assert_eq!(Score::of_worth(OVER - 1, 6), Score::Centipawns((OVER - 1).into()));
        assert_eq!(Score::of_worth(OVER + 5, 6), Score::Mates(1));
        assert_eq!(Score::of_worth(-OVER - 4, 6), Score::Mated(2));
        assert_eq!(Score::of_worth(OVER, 6), Score::Mates(6));
    }

    #[test]
    fn scores_are_ordered_as_players_want_them() {
        let rising = [
            Score::Mated(0),
            Score::Mated(4),
            Score::Centipawns(-30_000),
            Score::Centipawns(0),
            Score::Centipawns(30_000),
            Score::Mates(5),
            Score::Mates(1),
        ];
        assert!(rising.is_sorted());
        for score in rising {
            assert_eq!(-(-score), score);
            assert_eq!(score.one_ply_up().one_ply_down(), score);
        }
    }

    #[test]
    fn distances_grow_on_the_way_up() {
        assert_eq!(Score::Mated(0).one_ply_up(), Score::Mates(1));
        assert_eq!(Score::Mates(1).one_ply_up(), Score::Mated(2));
        assert_eq!(Score::Mates(5).to_string(), "#3");
        assert_eq!(Score::Centipawns(-34).to_string(), "-0.34");
    }
}
