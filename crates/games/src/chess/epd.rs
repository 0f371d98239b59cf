//! Extended position description: a position and what is known of it, one to a line.
//!
//! Both common dialects are read: operations closed by semicolons (`bm Nf3; id "x";`) and
//! the perft tables' `;D1 20 ;D2 400`, with or without the two clocks of FEN.

use cozy_chess::Move;

use super::{Chess, fen};
use crate::NotationError;

/// One line of EPD.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Epd {
    /// The position.
    pub position: Chess,
    /// What is said about it, in the order of the line.
    pub operations: Vec<Operation>,
}

/// A code such as `bm` and what follows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operation {
    /// The code.
    pub code: String,
    /// The operands, without quotation marks.
    pub operands: Vec<String>,
    /// Byte offset in the line.
    pub at: usize,
}

impl Epd {
    /// Reads a line.
    ///
    /// ```
    /// use senbon_games::chess::Epd;
    /// let epd = Epd::parse(r#"4k3/8/8/8/8/8/4P3/4K3 w - - bm e4; id "an ending";"#).unwrap();
    /// assert_eq!(epd.text("id"), Some("an ending"));
    /// assert_eq!(epd.moves("bm").unwrap().len(), 1);
    /// ```
    pub fn parse(line: &str) -> Result<Epd, NotationError> {
        let end = position_end(line);
        let position = fen::parse(&line[..end])?;
        let operations = parse_operations(line, end)?;
        let mut epd = Epd { position, operations };
        epd.apply_clocks()?;
        Ok(epd)
    }

    /// The first operation with this code.
    pub fn operation(&self, code: &str) -> Option<&Operation> {
        self.operations.iter().find(|operation| operation.code == code)
    }

    /// The first operand of the operation with this code.
    pub fn text(&self, code: &str) -> Option<&str> {
        self.operation(code)?.operands.first().map(String::as_str)
    }

    /// The moves of an operation such as `bm` or `am`, which are in algebraic notation;
    /// none if there is no such operation.
    pub fn moves(&self, code: &str) -> Result<Vec<Move>, NotationError> {
        let Some(operation) = self.operation(code) else { return Ok(Vec::new()) };
        let read = |text: &String| {
            self.position.parse_san(text).map_err(|error| {
                NotationError::new(operation.at, format!("operation {code}: {}", error.what))
            })
        };
        operation.operands.iter().map(read).collect()
    }

    /// The operations `hmvc` and `fmvn` are FEN's two clocks.
    fn apply_clocks(&mut self) -> Result<(), NotationError> {
        let number = |code: &str| -> Result<Option<u16>, NotationError> {
            let Some(operation) = self.operation(code) else { return Ok(None) };
            let value = operation.operands.first().and_then(|text| text.parse().ok());
            let err =
                || NotationError::new(operation.at, format!("{code} is not followed by a number"));
            value.map(Some).ok_or_else(err)
        };
        let (plies, move_number) = (number("hmvc")?, number("fmvn")?);
        if let Some(plies) = plies {
            let plies = plies.min(u16::from(super::FIFTY_MOVES_PLIES)) as u8;
            self.position.board.set_halfmove_clock(plies);
        }
        if let Some(number) = move_number {
            self.position.board.set_fullmove_number(number.max(1));
        }
        Ok(())
    }
}

/// Where the position ends: after four fields, or six if two numbers follow.
fn position_end(line: &str) -> usize {
    let mut end = 0;
    for (index, (at, field)) in fen::fields(line).take(6).enumerate() {
        let belongs = index < 4 || field.bytes().all(|b| b.is_ascii_digit());
        if !belongs {
            break;
        }
        // A semicolon may stick to the last field.
        let len = field.find(';').unwrap_or(field.len());
        end = at + len;
        if len < field.len() {
            break;
        }
    }
    end
}

fn parse_operations(line: &str, start: usize) -> Result<Vec<Operation>, NotationError> {
    let mut operations: Vec<Operation> = Vec::new();
    let mut current: Option<Operation> = None;
    let mut at = start;
    while let Some(c) = line[at..].chars().next() {
        let (word, after) = match c {
            ';' => {
                operations.extend(current.take());
                at += 1;
                continue;
            }
            c if c.is_whitespace() => {
                at += c.len_utf8();
                continue;
            }
            '"' => quoted(line, at)?,
            _ => {
                let rest = &line[at..];
                let len = rest.find(|c: char| c == ';' || c.is_whitespace()).unwrap_or(rest.len());
                (&rest[..len], at + len)
            }
        };
        match &mut current {
            Some(operation) => operation.operands.push(word.to_owned()),
            None if c == '"' => {
                let what = "a text stands here without an operation before it";
                return Err(NotationError::new(at, what));
            }
            None => current = Some(Operation { code: word.to_owned(), operands: Vec::new(), at }),
        }
        at = after;
    }
    operations.extend(current);
    Ok(operations)
}

/// The text in quotation marks at `at`, and where the line goes on.
fn quoted(line: &str, at: usize) -> Result<(&str, usize), NotationError> {
    let inside = &line[at + 1..];
    let len = inside
        .find('"')
        .ok_or_else(|| NotationError::new(at, "this quotation mark is never closed"))?;
    Ok((&inside[..len], at + 1 + len + 1))
}
