//! Connect Four in writing: the columns played, `1` to `7`, one digit a ply.

use super::connect_four::{BOARD, Cell, ConnectFour, STRIDE};
use crate::{Game, Notation, NotationError};

impl Notation for ConnectFour {
    fn start() -> Self {
        ConnectFour::EMPTY
    }

    /// Reads the columns played so far, such as `445352`; the empty text is the empty board.
    fn parse_position(text: &str) -> Result<Self, NotationError> {
        let mut position = ConnectFour::EMPTY;
        for (at, letter) in text.char_indices() {
            if position.ended().is_some() {
                return Err(NotationError::new(
                    at,
                    "four in a row stand already, the game is over",
                ));
            }
            let column = column(letter).ok_or_else(|| {
                NotationError::new(at, format!("`{letter}` is not a column, write 1 to 7"))
            })?;
            let cell = position
                .landing(column)
                .ok_or_else(|| NotationError::new(at, format!("column {letter} is full")))?;
            position.play(cell);
        }
        Ok(position)
    }

    /// Writes one order of play that leads here, not always the one that was played.
    fn format_position(&self) -> String {
        Unstacker::new(self).unstack()
    }

    fn parse_move(&self, text: &str) -> Result<Cell, NotationError> {
        let mut letters = text.chars();
        let column = match (letters.next().and_then(column), letters.next()) {
            (Some(column), None) => column,
            _ => {
                let what = format!("`{text}` is not a move, write a column from 1 to 7");
                return Err(NotationError::new(0, what));
            }
        };
        let full = || NotationError::new(0, format!("column {text} is full"));
        self.landing(column).ok_or_else(full)
    }

    fn format_move(&self, mv: Cell) -> String {
        char::from(b'1' + mv.column()).to_string()
    }
}

/// The index of the column that `letter` names.
fn column(letter: char) -> Option<u8> {
    matches!(letter, '1'..='7').then(|| letter as u8 - b'1')
}

/// Finds an order in which the stones of a board can have been dropped.
///
/// Stones are dropped again in search of the whole board. What was dropped so far is told by
/// the columns' heights alone, so each of the 7^7 combinations is tried at most once.
struct Unstacker<'a> {
    goal: &'a ConnectFour,
    tried: Vec<bool>,
    played: Vec<Cell>,
}

impl<'a> Unstacker<'a> {
    fn new(goal: &'a ConnectFour) -> Self {
        Unstacker { goal, tried: vec![false; 7usize.pow(7)], played: Vec::new() }
    }

    fn unstack(mut self) -> String {
        let found = self.go_on(ConnectFour::EMPTY);
        debug_assert!(found, "no order of play leads to {:?}", self.goal);
        self.played.iter().map(|&mv| self.goal.format_move(mv)).collect()
    }

    fn go_on(&mut self, position: ConnectFour) -> bool {
        if position == *self.goal {
            return true;
        }
        if position.ended().is_some()
            || std::mem::replace(&mut self.tried[heights(&position)], true)
        {
            return false;
        }
        for cell in position.moves() {
            let mut after = position;
            after.play(cell);
            if self.fits(&after) {
                self.played.push(cell);
                if self.go_on(after) {
                    return true;
                }
                self.played.pop();
            }
        }
        false
    }

    /// Whether every stone of `part` stands on the goal's board in the same colour.
    fn fits(&self, part: &ConnectFour) -> bool {
        let same_side = part.side_to_move() == self.goal.side_to_move();
        let (own, theirs) =
            if same_side { (part.own(), part.theirs()) } else { (part.theirs(), part.own()) };
        own & !self.goal.own() == 0 && theirs & !self.goal.theirs() == 0
    }
}

/// The columns' heights as one number, in base seven.
fn heights(position: &ConnectFour) -> usize {
    let stones = (position.own() | position.theirs()) & BOARD;
    (0..7).fold(0, |sum, column| {
        let height = (stones >> (column * STRIDE) & 0x3f).count_ones();
        sum * 7 + height as usize
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bad_texts_say_where_and_why() {
        let at = |text: &str| ConnectFour::parse_position(text).unwrap_err();
        assert_eq!(at("4448").at, 3);
        assert!(at("44x").what.contains("not a column"));
        assert!(at("4444444").what.contains("full"));
        assert_eq!(at("12121213").at, 7);
        assert!(at("12121213").what.contains("over"));
        assert_eq!(at("4é").at, 1);
        let full = ConnectFour::parse_position("444444").unwrap();
        assert!(full.parse_move("4").unwrap_err().what.contains("full"));
        for text in ["", "0", "8", "11", "x"] {
            assert!(full.parse_move(text).is_err(), "{text}");
        }
    }

    #[test]
    fn the_order_of_play_found_leads_to_the_same_board() {
        for text in ["", "4", "44535261", "1234567", "121212343434565656", "444444333333222222"] {
            let position = ConnectFour::parse_position(text).unwrap();
            let written = position.format_position();
            assert_eq!(ConnectFour::parse_position(&written), Ok(position), "{text}");
        }
    }
}
