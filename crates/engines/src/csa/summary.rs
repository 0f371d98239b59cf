//! The offer of a game: who plays, with which clock, from where.
//!
//! A game that was broken off is offered as the protocol has it for a game that does not begin
//! at the usual position: its moves with their times follow the start position. What is left
//! on the clocks at the beginning of the turn follows from those times; `Remaining_Time+` and
//! `Remaining_Time-`, as Floodgate's `%%SHOW` writes them, say it too. `Elapsed_Time`, our own,
//! is what the turn under way has taken already.

use std::fmt::Write;

use senbon_games::shogi::Shogi;
use senbon_games::shogi::record::csa;
use senbon_games::shogi::shogi_core::Move;
use senbon_games::{Game, Notation, Side};

use super::{TimeControl, side_of, sign};

/// What a server offers.
#[derive(Clone, Debug, PartialEq)]
pub struct Summary {
    /// The game's name among all of them.
    pub id: String,
    /// Black's and White's names.
    pub names: [String; 2],
    /// The side of the player who is asked.
    pub you: Side,
    /// The clocks.
    pub clocks: [TimeControl; 2],
    /// What was left on them at the beginning of the turn, where the server says it.
    pub left: [Option<u64>; 2],
    /// What the turn under way has taken already.
    pub elapsed: u64,
    /// A game of so many moves is over.
    pub max_moves: Option<u32>,
    /// The rule for declaring a win, as the server names it.
    pub declaration: String,
    /// Where the game begins.
    pub start: Shogi,
    /// Moves made already, and the units of time they took.
    pub moves: Vec<(Move, u64)>,
}

/// Why an offer cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SummaryError {
    /// A field has no value that can be understood.
    #[error("the game summary's {0} cannot be read")]
    Field(String),
    /// The position or a move is wrong.
    #[error("the game summary's position: {0}")]
    Position(String),
    /// Too many lines.
    #[error("the game summary does not end")]
    Endless,
}

/// Lines of a summary: far more than the longest game needs.
const MOST_LINES: usize = 4096;

impl Summary {
    /// The 27-point rule of the Computer Shogi Association, by its name in the protocol.
    pub const DECLARATION: &'static str = "Jishogi 1.1";

    /// What was left on both clocks at the beginning of the turn: as the server says, or by the times of the moves.
    pub fn clocks_left(&self) -> [u64; 2] {
        let mut left = self.clocks.map(|clock| clock.total);
        let mut side = self.start.side_to_move();
        for &(_, units) in &self.moves {
            left[side.index()] = self.clocks[side.index()].after(left[side.index()], units);
            side = !side;
        }
        [0, 1].map(|side| self.left[side].unwrap_or(left[side]))
    }

    /// The lines of the offer.
    pub fn format(&self) -> String {
        let mut text = String::from("BEGIN Game_Summary\n");
        let mut line = |key: &str, value: &str| {
            let _ = writeln!(text, "{key}:{value}");
        };
        line("Protocol_Version", "1.2");
        line("Protocol_Mode", "Server");
        line("Format", "Shogi 1.0");
        if !self.declaration.is_empty() {
            line("Declaration", &self.declaration);
        }
        line("Game_ID", &self.id);
        line("Name+", &self.names[0]);
        line("Name-", &self.names[1]);
        line("Your_Turn", &sign(self.you).to_string());
        line("Rematch_On_Draw", "NO");
        line("To_Move", &sign(self.start.side_to_move()).to_string());
        if let Some(most) = self.max_moves {
            line("Max_Moves", &most.to_string());
        }
        self.write_time(&mut text);
        self.write_position(&mut text);
        text.push_str("END Game_Summary\n");
        text
    }

    fn write_time(&self, text: &mut String) {
        let [black, white] = self.clocks;
        if black == white {
            text.push_str("BEGIN Time\n");
            write_clock(text, &black);
            for (side, left) in ['+', '-'].into_iter().zip(self.left) {
                if let Some(left) = left {
                    let _ = writeln!(text, "Remaining_Time{side}:{left}");
                }
            }
            self.write_elapsed(text);
            text.push_str("END Time\n");
            return;
        }
        for (side, (clock, left)) in ['+', '-'].into_iter().zip(self.clocks.iter().zip(self.left)) {
            let _ = writeln!(text, "BEGIN Time{side}");
            write_clock(text, clock);
            if let Some(left) = left {
                let _ = writeln!(text, "Remaining_Time{side}:{left}");
            }
            self.write_elapsed(text);
            let _ = writeln!(text, "END Time{side}");
        }
    }

    fn write_elapsed(&self, text: &mut String) {
        if self.elapsed > 0 {
            let _ = writeln!(text, "Elapsed_Time:{}", self.elapsed);
        }
    }

    fn write_position(&self, text: &mut String) {
        text.push_str("BEGIN Position\n");
        text.push_str(&csa::format_position(&self.start));
        let mut game = self.start.clone();
        for &(mv, units) in &self.moves {
            let _ = writeln!(text, "{},T{units}", csa::format_move(&game, mv));
            game.play(mv);
        }
        text.push_str("END Position\n");
    }
}

fn write_clock(text: &mut String, clock: &TimeControl) {
    let _ = writeln!(text, "Time_Unit:{}", clock.format_unit());
    let _ = writeln!(text, "Total_Time:{}", clock.total);
    let _ = writeln!(text, "Byoyomi:{}", clock.byoyomi);
    if clock.increment > 0 {
        let _ = writeln!(text, "Increment:{}", clock.increment);
    }
    if clock.delay > 0 {
        let _ = writeln!(text, "Delay:{}", clock.delay);
    }
    let _ = writeln!(text, "Least_Time_Per_Move:{}", clock.least);
    if clock.round_up {
        text.push_str("Time_Roundup:YES\n");
    }
}

/// Gathers an offer from its lines, those after `BEGIN Game_Summary`.
#[derive(Debug, Default)]
pub struct SummaryReader {
    lines: usize,
    part: Part,
    fields: Fields,
    position: String,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Part {
    #[default]
    Head,
    /// Of one side, or of both.
    Time(Option<Side>),
    Position,
}

#[derive(Debug, Default)]
struct Fields {
    id: String,
    names: [String; 2],
    you: Option<Side>,
    to_move: Option<Side>,
    clocks: [TimeControl; 2],
    left: [Option<u64>; 2],
    elapsed: u64,
    max_moves: Option<u32>,
    declaration: String,
}

impl SummaryReader {
    /// Another line; the offer, when that was the last one.
    pub fn line(&mut self, line: &str) -> Result<Option<Summary>, SummaryError> {
        self.lines += 1;
        if self.lines > MOST_LINES {
            return Err(SummaryError::Endless);
        }
        match (self.part, line.trim()) {
            (_, "END Game_Summary") => return self.finish().map(Some),
            (_, "") => {}
            (Part::Head, "BEGIN Time") => self.part = Part::Time(None),
            (Part::Head, "BEGIN Time+") => self.part = Part::Time(Some(Side::First)),
            (Part::Head, "BEGIN Time-") => self.part = Part::Time(Some(Side::Second)),
            (Part::Head, "BEGIN Position") => self.part = Part::Position,
            (Part::Time(_), "END Time" | "END Time+" | "END Time-") => self.part = Part::Head,
            (Part::Position, "END Position") => self.part = Part::Head,
            (Part::Position, _) => {
                self.position.push_str(line);
                self.position.push('\n');
            }
            (Part::Head, line) => self.fields.head(line)?,
            (Part::Time(side), line) => self.fields.time(side, line)?,
        }
        Ok(None)
    }

    fn finish(&mut self) -> Result<Summary, SummaryError> {
        let fields = std::mem::take(&mut self.fields);
        let you = fields.you.ok_or_else(|| SummaryError::Field("Your_Turn".to_owned()))?;
        let (start, moves) = self.game(fields.to_move, &fields.clocks)?;
        Ok(Summary {
            id: fields.id,
            names: fields.names,
            you,
            clocks: fields.clocks,
            left: fields.left,
            elapsed: fields.elapsed,
            max_moves: fields.max_moves,
            declaration: fields.declaration,
            start,
            moves,
        })
    }

    fn game(
        &self,
        to_move: Option<Side>,
        clocks: &[TimeControl; 2],
    ) -> Result<(Shogi, Vec<(Move, u64)>), SummaryError> {
        if self.position.is_empty() {
            return Ok((Shogi::start(), Vec::new()));
        }
        let record =
            csa::read(&self.position).map_err(|error| SummaryError::Position(error.to_string()))?;
        let mut side = record.start.side_to_move();
        // Servers that say whose move it is at the start say the same in both places.
        if to_move.is_some_and(|to_move| to_move != side && record.moves.is_empty()) {
            return Err(SummaryError::Field("To_Move".to_owned()));
        }
        let mut moves = Vec::new();
        for made in &record.moves {
            // The reader takes units for seconds.
            let units = made.time_ms.unwrap_or(0) / 1_000;
            moves.push((made.mv, units.max(clocks[side.index()].least)));
            side = !side;
        }
        Ok((record.start, moves))
    }
}

impl Fields {
    fn head(&mut self, line: &str) -> Result<(), SummaryError> {
        let Some((key, value)) = line.split_once(':') else { return Ok(()) };
        let wrong = || SummaryError::Field(key.to_owned());
        match key {
            "Game_ID" => self.id = value.to_owned(),
            "Name+" => self.names[0] = value.to_owned(),
            "Name-" => self.names[1] = value.to_owned(),
            "Declaration" => self.declaration = value.to_owned(),
            "Your_Turn" => self.you = Some(side_of(value).ok_or_else(wrong)?),
            "To_Move" => self.to_move = Some(side_of(value).ok_or_else(wrong)?),
            "Max_Moves" => self.max_moves = Some(value.parse().map_err(|_| wrong())?),
            _ => {}
        }
        Ok(())
    }

    fn time(&mut self, side: Option<Side>, line: &str) -> Result<(), SummaryError> {
        let Some((key, value)) = line.split_once(':') else { return Ok(()) };
        let wrong = || SummaryError::Field(key.to_owned());
        let number = || value.parse::<u64>().map_err(|_| wrong());
        let clocks = match side {
            None => &mut self.clocks[..],
            Some(side) => std::slice::from_mut(&mut self.clocks[side.index()]),
        };
        for clock in clocks {
            match key {
                "Time_Unit" => clock.unit = TimeControl::parse_unit(value).ok_or_else(wrong)?,
                "Total_Time" => clock.total = number()?,
                "Byoyomi" => clock.byoyomi = number()?,
                "Increment" => clock.increment = number()?,
                "Delay" => clock.delay = number()?,
                "Least_Time_Per_Move" => clock.least = number()?,
                "Time_Roundup" => clock.round_up = value == "YES",
                _ => {}
            }
        }
        match key {
            "Remaining_Time+" => self.left[0] = Some(number()?),
            "Remaining_Time-" => self.left[1] = Some(number()?),
            "Elapsed_Time" => self.elapsed = number()?,
            _ => {}
        }
        Ok(())
    }
}
