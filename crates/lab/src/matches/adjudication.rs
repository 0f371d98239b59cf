//! Games that both players agree about need not be played to the end.

use std::fmt;
use std::str::FromStr;

use senbon_core::Score;

use super::impasse::ImpasseRule;

/// When a game is ended by what the players say of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Adjudication {
    /// A loss that both see.
    pub resign: Option<ResignRule>,
    /// A draw that both see.
    pub draw: Option<DrawRule>,
    /// A game of so many plies is a draw.
    pub longest: Option<usize>,
    /// What entered kings come to, in shogi.
    pub impasse: ImpasseRule,
}

/// Both players say for so many moves that one of them is lost by so much.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ResignRule {
    /// Centipawns.
    pub score: i32,
    /// Moves of each player in a row.
    pub moves: u32,
}

/// From some move on, both players say for so many moves that nobody is ahead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DrawRule {
    /// Not before this move of the game.
    pub from: u32,
    /// Moves of each player in a row.
    pub moves: u32,
    /// Centipawns that count as nothing.
    pub score: i32,
}

fn numbers<const N: usize>(text: &str, form: &str) -> Result<[u32; N], String> {
    let parts: Result<Vec<u32>, _> = text.split(':').map(str::parse).collect();
    let wrong = || format!("'{text}' is not of the form {form}, whole numbers all");
    parts.ok().and_then(|parts| parts.try_into().ok()).ok_or_else(wrong)
}

fn centipawns(number: u32) -> Result<i32, String> {
    i32::try_from(number).map_err(|_| format!("{number} centipawns are too many"))
}

impl FromStr for ResignRule {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let [score, moves] = numbers(text, "CENTIPAWNS:MOVES")?;
        Ok(ResignRule { score: centipawns(score)?, moves })
    }
}

impl FromStr for DrawRule {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let [from, moves, score] = numbers(text, "FROM:MOVES:CENTIPAWNS")?;
        Ok(DrawRule { from, moves, score: centipawns(score)? })
    }
}

impl fmt::Display for ResignRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.score, self.moves)
    }
}

impl fmt::Display for DrawRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.from, self.moves, self.score)
    }
}

/// What the players agree about so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Agreement {
    /// Sign of who wins, for the first player, and for how many plies in a row.
    winning: (i32, u32),
    even: u32,
}

/// What an agreement has come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Agreed {
    /// +1 if the first player has won, −1 if the second.
    Win(i32),
    Draw,
}

impl Agreement {
    /// A move was made with this score, seen from the first player; a move without a score
    /// ends all agreement.
    pub(super) fn hear(
        &mut self,
        rules: &Adjudication,
        plies: usize,
        score: Option<Score>,
    ) -> Option<Agreed> {
        let number = score.map(Score::number);
        let sign = match (rules.resign, number) {
            (Some(rule), Some(number)) if number.abs() >= i64::from(rule.score) => number.signum(),
            _ => 0,
        } as i32;
        let row = if sign == self.winning.0 { self.winning.1 + 1 } else { 1 };
        self.winning = (sign, row);
        let even = |rule: DrawRule| number.is_some_and(|n| n.abs() <= i64::from(rule.score));
        self.even = if rules.draw.is_some_and(even) { self.even + 1 } else { 0 };
        if let Some(rule) = rules.resign
            && sign != 0
            && row >= 2 * rule.moves.max(1)
        {
            return Some(Agreed::Win(sign));
        }
        let rule = rules.draw?;
        let late = plies >= 2 * rule.from as usize;
        (late && self.even >= 2 * rule.moves.max(1)).then_some(Agreed::Draw)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules() -> Adjudication {
        Adjudication {
            resign: Some("600:2".parse().unwrap()),
            draw: Some("3:2:10".parse().unwrap()),
            ..Adjudication::default()
        }
    }

    fn hear(scores: &[i32]) -> Option<(usize, Agreed)> {
        let mut agreement = Agreement::default();
        scores.iter().enumerate().find_map(|(ply, &score)| {
            let score = Some(Score::Centipawns(score));
            agreement.hear(&rules(), ply + 1, score).map(|agreed| (ply + 1, agreed))
        })
    }

    #[test]
    fn agreement_takes_both_and_some_moves() {
        assert_eq!(hear(&[700, 650, 800, 900]), Some((4, Agreed::Win(1))));
        assert_eq!(hear(&[-700, 650, -800, 900, -700, 100]), None);
        assert_eq!(hear(&[0, 5, -3, 0, 1, 2, 0]), Some((6, Agreed::Draw)), "not before move 3");
        assert_eq!(hear(&[0, 5, -30, 0, 1, 200, 0]), None);
        let mut agreement = Agreement::default();
        for ply in 1..20 {
            assert_eq!(agreement.hear(&rules(), ply, None), None);
        }
        assert_eq!(agreement.hear(&rules(), 20, Some(Score::Mated(3))), None);
        for ply in 21..23 {
            assert_eq!(agreement.hear(&rules(), ply, Some(Score::Mated(3))), None);
        }
        let last = agreement.hear(&rules(), 23, Some(Score::Mated(3)));
        assert_eq!(last, Some(Agreed::Win(-1)));
    }

    #[test]
    fn rules_are_read_from_text() {
        assert_eq!("600:2".parse::<ResignRule>().unwrap().to_string(), "600:2");
        assert_eq!("3:2:10".parse::<DrawRule>().unwrap().to_string(), "3:2:10");
        for text in ["", "600", "a:b", "1:2:3:4"] {
            assert!(text.parse::<ResignRule>().unwrap_err().contains("CENTIPAWNS:MOVES"));
            assert!(text.parse::<DrawRule>().is_err());
        }
    }
}
