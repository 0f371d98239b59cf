//! What a GUI tells an engine.

use super::words::{Words, one_line, owned, push_field, push_words};
use super::{Dialect, Go, SyntaxError, harvest};

/// A command from the GUI to the engine.
///
/// ```
/// use senbon_engines::universal::{Command, Dialect};
///
/// let command = Command::parse(Dialect::Uci, "setoption name Clear Hash").unwrap();
/// assert_eq!(command, Command::SetOption { name: "Clear Hash".into(), value: None });
/// assert_eq!(command.format(Dialect::Uci), "setoption name Clear Hash");
///
/// let error = Command::parse(Dialect::Usi, "go byoyomi soon").unwrap_err();
/// assert_eq!(error.to_string(), "go: byoyomi must be a whole number, not 'soon'");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// `uci` or `usi`: say who you are and which options you have.
    Hello,
    /// `debug on|off`.
    Debug(bool),
    /// `isready`: answer when everything asked for so far is done.
    IsReady,
    /// `setoption name … value …`.
    SetOption {
        /// The option's name; it may contain blanks.
        name: String,
        /// The value as written; a button has none.
        value: Option<String>,
    },
    /// `register …`, with what follows.
    Register(String),
    /// `ucinewgame` or `usinewgame`: the next position is of another game.
    NewGame,
    /// `position …`.
    Position(Setup),
    /// `go …`.
    Go(Box<Go>),
    /// `stop`: answer now.
    Stop,
    /// `ponderhit`: the guessed move was played, from now on the clock runs.
    PonderHit,
    /// `gameover …` (USI).
    GameOver(GameResult),
    /// `harvest …`, our own: tell up to so many of the most valuable positions you know below
    /// this one. Sent only to engines that declare it.
    Harvest {
        /// At most so many.
        count: usize,
        /// Below this position.
        setup: Setup,
    },
    /// `quit`.
    Quit,
}

/// A position as a protocol describes it: a start and the moves since.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Setup {
    /// FEN or SFEN; `None` is the usual start of a game.
    pub start: Option<String>,
    /// Moves in protocol notation.
    pub moves: Vec<String>,
}

/// How a game ended for the engine that is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameResult {
    /// It won.
    Win,
    /// It lost.
    Lose,
    /// A draw.
    Draw,
}

impl Command {
    /// Reads one line. Unknown words before a command are skipped, as the protocol asks.
    pub fn parse(dialect: Dialect, line: &str) -> Result<Command, SyntaxError> {
        let mut words = Words::new(line);
        let first = words.peek().ok_or(SyntaxError::Blank)?;
        while let Some(word) = words.next() {
            if let Some(command) = Self::parse_known(dialect, word, &mut words) {
                return command;
            }
        }
        Err(SyntaxError::unknown(first))
    }

    /// Reads what follows `word`; `None` if that is no command of the dialect.
    fn parse_known(
        dialect: Dialect,
        word: &str,
        words: &mut Words<'_>,
    ) -> Option<Result<Command, SyntaxError>> {
        let command = match (word, dialect) {
            ("uci", Dialect::Uci) | ("usi", Dialect::Usi) => Command::Hello,
            ("ucinewgame", Dialect::Uci) | ("usinewgame", Dialect::Usi) => Command::NewGame,
            ("isready", _) => Command::IsReady,
            ("stop", _) => Command::Stop,
            ("ponderhit", _) => Command::PonderHit,
            ("quit", _) => Command::Quit,
            ("register", _) => Command::Register(words.rest().to_owned()),
            ("setoption", _) => return Some(parse_set_option(words)),
            ("position", _) => return Some(parse_setup("position", words).map(Command::Position)),
            ("go", _) => {
                return Some(Go::parse(dialect, words).map(|go| Command::Go(Box::new(go))));
            }
            (harvest::COMMAND, _) => return Some(harvest::parse_command(words)),
            ("debug", _) => return Some(parse_debug(words)),
            ("gameover", Dialect::Usi) => return Some(parse_game_over(words)),
            _ => return None,
        };
        Some(Ok(command))
    }

    /// Writes the command as one line, without a line end.
    pub fn format(&self, dialect: Dialect) -> String {
        let fixed = match (self, dialect) {
            (Command::Hello, Dialect::Uci) => "uci",
            (Command::Hello, Dialect::Usi) => "usi",
            (Command::NewGame, Dialect::Uci) => "ucinewgame",
            (Command::NewGame, Dialect::Usi) => "usinewgame",
            (Command::Debug(true), _) => "debug on",
            (Command::Debug(false), _) => "debug off",
            (Command::IsReady, _) => "isready",
            (Command::Stop, _) => "stop",
            (Command::PonderHit, _) => "ponderhit",
            (Command::Quit, _) => "quit",
            (Command::GameOver(GameResult::Win), _) => "gameover win",
            (Command::GameOver(GameResult::Lose), _) => "gameover lose",
            (Command::GameOver(GameResult::Draw), _) => "gameover draw",
            (Command::Register(how), _) => return format!("register {}", one_line(how)),
            (Command::SetOption { name, value: None }, _) => {
                return format!("setoption name {}", one_line(name));
            }
            (Command::SetOption { name, value: Some(value) }, _) => {
                return format!("setoption name {} value {}", one_line(name), one_line(value));
            }
            (Command::Position(setup), _) => {
                let mut line = "position".to_owned();
                setup.write(dialect, &mut line);
                return line;
            }
            (Command::Harvest { count, setup }, _) => {
                let mut line = format!("{} {count}", harvest::COMMAND);
                setup.write(dialect, &mut line);
                return line;
            }
            (Command::Go(go), _) => {
                let mut line = "go".to_owned();
                go.write(dialect, &mut line);
                return line;
            }
        };
        fixed.to_owned()
    }
}

impl Setup {
    fn write(&self, dialect: Dialect, line: &mut String) {
        match (&self.start, dialect) {
            (None, _) => line.push_str(" startpos"),
            (Some(fen), Dialect::Uci) => push_field(line, "fen", one_line(fen)),
            (Some(sfen), Dialect::Usi) => push_field(line, "sfen", one_line(sfen)),
        }
        if !self.moves.is_empty() {
            line.push_str(" moves");
            push_words(line, &self.moves);
        }
    }
}

/// Reads a position, which is a part of `command`.
pub(super) fn parse_setup(
    command: &'static str,
    words: &mut Words<'_>,
) -> Result<Setup, SyntaxError> {
    let start = match words.next() {
        Some("startpos") => None,
        Some("fen" | "sfen") => {
            let fields = words.take_until(|word| word == "moves");
            if fields.is_empty() {
                return Err(SyntaxError::missing(command, "the position itself"));
            }
            Some(fields.join(" "))
        }
        other => {
            return Err(SyntaxError::unexpected(command, "'startpos', 'fen' or 'sfen'", other));
        }
    };
    match words.next() {
        None => Ok(Setup { start, moves: Vec::new() }),
        Some("moves") => Ok(Setup { start, moves: owned(&words.take_until(|_| false)) }),
        Some(other) => Err(SyntaxError::unexpected(command, "'moves'", Some(other))),
    }
}

fn parse_set_option(words: &mut Words<'_>) -> Result<Command, SyntaxError> {
    const COMMAND: &str = "setoption";
    match words.next() {
        Some("name") => {}
        other => return Err(SyntaxError::unexpected(COMMAND, "'name'", other)),
    }
    let name = words.take_until(|word| word == "value").join(" ");
    if name.is_empty() {
        return Err(SyntaxError::missing(COMMAND, "the option's name"));
    }
    // The value as it was written: a path may hold two blanks in a row.
    let value = words.next().map(|_value| words.rest().to_owned());
    Ok(Command::SetOption { name, value })
}

fn parse_debug(words: &mut Words<'_>) -> Result<Command, SyntaxError> {
    match words.next() {
        Some("on") => Ok(Command::Debug(true)),
        Some("off") => Ok(Command::Debug(false)),
        other => Err(SyntaxError::unexpected("debug", "'on' or 'off'", other)),
    }
}

fn parse_game_over(words: &mut Words<'_>) -> Result<Command, SyntaxError> {
    match words.next() {
        Some("win") => Ok(Command::GameOver(GameResult::Win)),
        Some("lose") => Ok(Command::GameOver(GameResult::Lose)),
        Some("draw") => Ok(Command::GameOver(GameResult::Draw)),
        other => Err(SyntaxError::unexpected("gameover", "'win', 'lose' or 'draw'", other)),
    }
}
