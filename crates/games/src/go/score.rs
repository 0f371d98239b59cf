//! Counting a finished game.

use std::fmt;

use super::board::Board;
use super::life::{Claim, Shares, Stones};
use super::rows::Rows;
use super::rules::{Rules, Scoring, Tax};
use crate::{Ending, Outcome, Side};

/// By how much Black is ahead, komi included, in half points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Score(i32);

impl Score {
    /// Black is ahead by `halves` half points.
    pub const fn from_halves(halves: i32) -> Score {
        Score(halves)
    }

    /// Black's lead in half points.
    pub const fn halves(self) -> i32 {
        self.0
    }

    /// Who is ahead.
    pub fn winner(self) -> Option<Side> {
        match self.0 {
            0 => None,
            lead if lead > 0 => Some(Side::First),
            _ => Some(Side::Second),
        }
    }

    /// The result of a game with this count.
    pub fn outcome(self) -> Outcome {
        Outcome { winner: self.winner(), ending: Ending::Score }
    }
}

/// As SGF and GTP write it: `B+3.5`, `W+1` or `0`.
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(winner) = self.winner() else { return f.write_str("0") };
        let letter = if winner == Side::First { 'B' } else { 'W' };
        let half = if self.0 % 2 == 0 { "" } else { ".5" };
        write!(f, "{letter}+{}{half}", self.0.unsigned_abs() / 2)
    }
}

/// Counts `board` under `rules` after the stones in `dead` were taken off.
///
/// `prisoners` are the stones that Black and White have taken during the game. Under territory
/// scoring, stones in the other side's pass-alive regions are dead without being named.
pub(super) fn count(board: &Board, rules: &Rules, prisoners: [u32; 2], dead: &Rows) -> Score {
    let mut lead = match rules.scoring {
        Scoring::Area => area_lead(&Stones::from(board).without(dead), rules),
        Scoring::Territory => {
            let stones = Stones::from(board);
            let dead = *dead | pass_dead(&stones.without(dead), rules.suicide);
            let taken = |side: Side| {
                (stones.of(!side) & dead).len() as i32 + prisoners[side.index()] as i32
            };
            let left = stones.without(&dead);
            territory_lead(&left, rules) + taken(Side::First) - taken(Side::Second)
        }
    };
    lead *= 2;
    Score(lead - i32::from(rules.komi.halves()))
}

/// Stones that stand in regions where they can neither live nor do harm.
pub(super) fn pass_dead(stones: &Stones, suicide: bool) -> Rows {
    let [black, white] = stones.area(Claim::PassAlive, suicide);
    (stones.of(Side::Second) & black) | (stones.of(Side::First) & white)
}

fn area_lead(stones: &Stones, rules: &Rules) -> i32 {
    if rules.tax == Tax::None {
        return stones.area_lead();
    }
    let area = stones.area(Claim::Stones, rules.suicide);
    let living = stones.independent(&area);
    let stones = [Side::First, Side::Second].map(|side| stones.of(side) & area[side.index()]);
    lead(&[living[0] | stones[0], living[1] | stones[1]]) - group_tax(&living, rules)
}

fn territory_lead(stones: &Stones, rules: &Rules) -> i32 {
    if rules.tax == Tax::None {
        return lead(&stones.territory());
    }
    let area = stones.area(Claim::Stones, rules.suicide);
    let living = stones.independent(&area);
    let territory = [Side::First, Side::Second].map(|side| living[side.index()] - stones.of(side));
    lead(&territory) - group_tax(&living, rules)
}

/// How much more Black pays than White.
fn group_tax(living: &Shares, rules: &Rules) -> i32 {
    match rules.tax {
        Tax::All => 2 * (living[0].parts().count() as i32 - living[1].parts().count() as i32),
        Tax::None | Tax::Seki => 0,
    }
}

fn lead([black, white]: &Shares) -> i32 {
    black.len() as i32 - white.len() as i32
}
