//! Positions as one line of text, and points as GTP names them. `docs/go.md` specifies both.
//!
//! ```
//! use senbon_games::{Game, Notation, go::Go};
//! let text = "3/1XO/3 w - 0 0/0 7.5 positional,area";
//! let go = Go::parse_position(text)?;
//! assert_eq!(go.format_position(), text);
//! let mv = go.parse_move("A2")?;
//! assert_eq!(go.format_move(mv), "A2");
//! # Ok::<(), senbon_games::NotationError>(())
//! ```

use super::board::Board;
use super::point::{MAX_SIZE, MIN_SIZE, Move, Point};
use super::position::Go;
use super::rows::Rows;
use super::rules::{Komi, Rules};
use crate::{Game, Notation, NotationError, Side};

/// Letters of the columns. GTP leaves out the I.
const COLUMNS: &[u8; MAX_SIZE] = b"ABCDEFGHJKLMNOPQRSTUVWXYZ";

/// More prisoners than any game has.
const MOST_PRISONERS: u32 = 99_999;

impl Notation for Go {
    /// An empty board of 19 × 19 points, Chinese rules.
    fn start() -> Go {
        Go::new(19, Rules::CHINESE)
    }

    fn parse_position(text: &str) -> Result<Go, NotationError> {
        let mut fields = Fields { text, at: 0 };
        let (at, rows) = fields.next().ok_or_else(|| {
            NotationError::new(0, "nothing there: write a board like 9x9 or 3/1XO/3")
        })?;
        let (board, fields) = (read_board(rows, at)?, &mut fields);
        let side = fields.read("b", read_side)?;
        let (ko_at, ko) = fields.next().unwrap_or((text.len(), "-"));
        let passes = fields.read("0", read_passes)?;
        let prisoners = fields.read("0/0", read_prisoners)?;
        let komi = fields.read("-", |text| match text {
            "-" => Ok(None),
            text => text.parse::<Komi>().map(Some),
        })?;
        let rules: Rules = fields.read("chinese", str::parse)?;
        if let Some((at, _)) = fields.next() {
            return Err(NotationError::new(at, "nothing may follow the rules"));
        }
        let rules = rules.with_komi(komi.unwrap_or(rules.komi));
        let board =
            with_ko(board, side, passes, ko).map_err(|what| NotationError::new(ko_at, what))?;
        Ok(Go::with_position(board, rules, side, passes, prisoners))
    }

    fn format_position(&self) -> String {
        let board = self.board();
        let rows: Vec<String> = (0..self.size()).map(|row| format_row(board, row)).collect();
        let side = if self.side_to_move() == Side::First { "b" } else { "w" };
        let ko = board.ko().map_or("-".to_owned(), |point| vertex(point, self.size()));
        format!(
            "{} {side} {ko} {} {}/{} {} {}",
            rows.join("/"),
            self.passes(),
            self.prisoners(Side::First),
            self.prisoners(Side::Second),
            self.rules().komi,
            self.rules()
        )
    }

    fn parse_move(&self, text: &str) -> Result<Move, NotationError> {
        let mv = match text {
            _ if text.eq_ignore_ascii_case("pass") => Move::PASS,
            _ => Move::at(parse_vertex(text, self.size())?),
        };
        match self.check(mv) {
            Ok(()) => Ok(mv),
            Err(why) => Err(NotationError::new(0, format!("{text} is not legal: {why}"))),
        }
    }

    fn format_move(&self, mv: Move) -> String {
        mv.point().map_or("pass".to_owned(), |point| vertex(point, self.size()))
    }
}

/// The name of a point on a board of `size`: `C3` is the third column from the left, the third
/// row from the bottom.
pub fn vertex(point: Point, size: usize) -> String {
    // A point of a larger board has no row here; call it 0 rather than fail.
    format!("{}{}", char::from(COLUMNS[point.column()]), size.saturating_sub(point.row()))
}

/// Reads the name of a point on a board of `size`, in either case.
pub fn parse_vertex(text: &str, size: usize) -> Result<Point, NotationError> {
    let last = char::from(COLUMNS[size.clamp(1, MAX_SIZE) - 1]);
    let no_column = || format!("a point starts with its column, A to {last} without I");
    let letter = text.bytes().next().map(|letter| letter.to_ascii_uppercase());
    let column = COLUMNS[..size.min(MAX_SIZE)].iter().position(|&c| Some(c) == letter);
    let column = column.ok_or_else(|| NotationError::new(0, no_column()))?;
    let number = &text[1..];
    let digits = !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit());
    match number.parse::<usize>() {
        Ok(row) if digits && (1..=size).contains(&row) => Ok(Point::new(column, size - row)),
        _ => Err(NotationError::new(1, format!("after the column comes its row, 1 to {size}"))),
    }
}

/// The fields of a line with the places where they start.
struct Fields<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Fields<'a> {
    fn next(&mut self) -> Option<(usize, &'a str)> {
        let rest = &self.text[self.at..];
        let start = self.at + rest.find(|c: char| !c.is_whitespace())?;
        let rest = &self.text[start..];
        let field = &rest[..rest.find(char::is_whitespace).unwrap_or(rest.len())];
        self.at = start + field.len();
        Some((start, field))
    }

    /// The next field as `read` understands it; `default` if there is none.
    fn read<T>(
        &mut self,
        default: &'a str,
        read: impl Fn(&str) -> Result<T, String>,
    ) -> Result<T, NotationError> {
        let (at, field) = self.next().unwrap_or((self.text.len(), default));
        read(field).map_err(|what| NotationError::new(at, what))
    }
}

fn read_side(text: &str) -> Result<Side, String> {
    match text {
        "b" => Ok(Side::First),
        "w" => Ok(Side::Second),
        _ => Err(format!("the side to move is b or w, not `{text}`")),
    }
}

fn read_passes(text: &str) -> Result<u8, String> {
    match text {
        "0" => Ok(0),
        "1" => Ok(1),
        "2" => Ok(2),
        _ => Err(format!("the passes just made are 0, 1 or 2, not `{text}`")),
    }
}

fn read_prisoners(text: &str) -> Result<[u32; 2], String> {
    let number = |text: &str| {
        let digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        text.parse().ok().filter(|&n| digits && n <= MOST_PRISONERS)
    };
    let read = || {
        let (black, white) = text.split_once('/')?;
        Some([number(black)?, number(white)?])
    };
    read()
        .ok_or_else(|| format!("prisoners are written like 3/0 for Black and White, not `{text}`"))
}

/// Reads `9x9` as an empty board, or rows from the top like `3/1XO/3`.
fn read_board(text: &str, at: usize) -> Result<Board, NotationError> {
    if let Some((rows, columns)) = text.split_once('x')
        && let (Ok(rows), Ok(columns)) = (rows.parse::<usize>(), columns.parse::<usize>())
    {
        check_size(rows, at)?;
        return match rows == columns {
            true => Ok(Board::new(rows)),
            false => Err(NotationError::new(at, "only square boards can be played on")),
        };
    }
    let size = text.split('/').count();
    check_size(size, at)?;
    let mut stones = [Rows::EMPTY; 2];
    let mut row_at = at;
    for (row, line) in text.split('/').enumerate() {
        read_row(line, row_at, row, size, &mut stones)?;
        row_at += line.len() + 1;
    }
    Board::with_stones(size, stones).map_err(|stone| {
        let name = vertex(stone, size);
        NotationError::new(at, format!("the stones of {name} have no liberty"))
    })
}

fn check_size(size: usize, at: usize) -> Result<(), NotationError> {
    if (MIN_SIZE..=MAX_SIZE).contains(&size) {
        return Ok(());
    }
    let what = format!("a board has {MIN_SIZE} to {MAX_SIZE} rows, not {size}");
    Err(NotationError::new(at, what))
}

fn read_row(
    line: &str,
    at: usize,
    row: usize,
    size: usize,
    stones: &mut [Rows; 2],
) -> Result<(), NotationError> {
    let mut column = 0;
    let mut run = 0;
    for (i, c) in line.char_indices() {
        let digit = c.to_digit(10);
        if let Some(digit) = digit {
            if run == 0 && digit == 0 {
                return Err(NotationError::new(
                    at + i,
                    "a run of empty points cannot start with 0",
                ));
            }
            run = 10 * run + digit as usize;
        } else {
            column += run;
            run = 0;
        }
        let wide = column + run + usize::from(digit.is_none()) > size;
        if wide {
            let what = format!("the board has {size} rows, but this one has more points");
            return Err(NotationError::new(at + i, what));
        }
        match c {
            'X' | 'x' => stones[0].insert(Point::new(column, row)),
            'O' | 'o' => stones[1].insert(Point::new(column, row)),
            '.' => {}
            _ if digit.is_some() => continue,
            _ => {
                let what = format!("`{c}` is neither X, O, a dot nor a number of empty points");
                return Err(NotationError::new(at + i, what));
            }
        }
        column += 1;
    }
    if column + run < size {
        let what = format!("the board has {size} rows, but this one has {} points", column + run);
        return Err(NotationError::new(at + line.len(), what));
    }
    Ok(())
}

/// Sets the ko point if it can be one: if `side` could take back a single stone there, which
/// has no other liberty.
fn with_ko(mut board: Board, side: Side, passes: u8, text: &str) -> Result<Board, String> {
    if text == "-" {
        return Ok(board);
    }
    let point = parse_vertex(text, board.size()).map_err(|e| e.what)?;
    if passes > 0 {
        return Err("there is no ko after a pass".to_owned());
    }
    if !board.is_ko_shape(point, side) {
        return Err(format!("{text} cannot be a ko: the last move took no single stone there"));
    }
    board.set_ko(Some(point));
    Ok(board)
}

fn format_row(board: &Board, row: usize) -> String {
    let mut text = String::new();
    let mut run = 0;
    for column in 0..board.size() {
        let letter = match board.get(Point::new(column, row)) {
            None => {
                run += 1;
                continue;
            }
            Some(Side::First) => 'X',
            Some(Side::Second) => 'O',
        };
        if run > 0 {
            text += &run.to_string();
        }
        run = 0;
        text.push(letter);
    }
    if run > 0 {
        text += &run.to_string();
    }
    text
}
