//! The lines that players and servers send.

use std::fmt;

use super::{Mark, Special};

/// What a player sends.
///
/// ```
/// use senbon_engines::csa::ClientLine;
/// let line = ClientLine::parse("+7776FU,'* 60 -3334FU").unwrap();
/// assert_eq!(line, ClientLine::Move {
///     mv: "+7776FU".into(),
///     comment: Some("* 60 -3334FU".into()),
/// });
/// assert_eq!(line.to_string(), "+7776FU,'* 60 -3334FU");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ClientLine {
    /// `LOGIN name password [x1]`.
    Login {
        /// Who it is.
        name: String,
        /// The password, perhaps with the name of a game before it.
        password: String,
        /// The extended mode with its `%%` commands is asked for.
        extended: bool,
    },
    /// `LOGOUT`.
    Logout,
    /// `AGREE [id]`: the offered game is accepted.
    Agree(Option<String>),
    /// `REJECT [id]`.
    Reject(Option<String>),
    /// `CHALLENGE`, an old word without effect.
    Challenge,
    /// A move, perhaps with a comment. Whether it is legal is not known here.
    Move {
        /// Like `+7776FU`.
        mv: String,
        /// What follows `,'`.
        comment: Option<String>,
    },
    /// `%TORYO` and its like.
    Special(Special),
    /// `%%…`, in the extended mode.
    Meta(Meta),
    /// A comment on a line of its own.
    Comment(String),
    /// An empty line.
    KeepAlive,
}

/// The commands of the extended mode.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Meta {
    /// `%%GAME name [+-*]` or `%%CHALLENGE …`: wait for an opponent; without a name, no more.
    Game(Option<String>, Turn),
    /// `%%WHO`: who is there.
    Who,
    /// `%%LIST`: which games are played.
    List,
    /// `%%SHOW id`: one of them.
    Show(String),
    /// `%%MONITORON id` and `%%MONITOROFF id`: tell me of its moves, or no more.
    Monitor(String, bool),
    /// `%%CHAT text`.
    Chat(String),
    /// `%%VERSION`.
    Version,
    /// `%%HELP`.
    Help,
    /// Another one: its name.
    Other(String),
}

/// Which side a player wants.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Turn {
    /// `+`.
    Black,
    /// `-`.
    White,
    /// `*`: whichever.
    #[default]
    Either,
}

/// What a server sends, one line of it. The lines of a summary are read by
/// [`super::SummaryReader`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ServerLine {
    /// `LOGIN:name OK`.
    LoginOk(String),
    /// `LOGIN:incorrect`.
    LoginIncorrect,
    /// `LOGOUT:completed`.
    LogoutCompleted,
    /// `BEGIN Game_Summary`: an offer begins.
    BeginSummary,
    /// `START:id`.
    Start(String),
    /// `REJECT:id by name`: there will be no such game.
    Reject {
        /// The game.
        id: String,
        /// Who did not want it.
        by: String,
    },
    /// A move and the units of time it took.
    Move {
        /// Like `+7776FU`.
        mv: String,
        /// Time.
        units: Option<u64>,
        /// What follows `,'`.
        comment: Option<String>,
    },
    /// `%TORYO` and its like, by either player, and the time it took.
    Special(Special, Option<u64>),
    /// `#WIN` and its like.
    Mark(Mark),
    /// `##[…]…`: an answer to a `%%` command.
    Info(String),
    /// An empty line.
    KeepAlive,
}

/// Why a line cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SyntaxError {
    /// The command is not known.
    #[error("'{0}' is no command of the protocol")]
    Unknown(String),
    /// Something is missing or too much.
    #[error("{command}: {what}")]
    Wrong {
        /// The command.
        command: &'static str,
        /// What is wrong with it.
        what: &'static str,
    },
}

impl SyntaxError {
    fn unknown(line: &str) -> Self {
        let shown = line.chars().take(40).map(|c| if c.is_control() { '\u{fffd}' } else { c });
        SyntaxError::Unknown(shown.collect())
    }
}

/// Whether this can be the name of a player or of a game: letters, digits, `-` and `_`, at most
/// 32 of them.
pub fn is_name(text: &str) -> bool {
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    (1..=32).contains(&text.len()) && text.bytes().all(fits)
}

fn first_word(text: &str) -> Option<String> {
    text.split_ascii_whitespace().next().map(str::to_owned)
}

/// Whether this has the form of a move.
fn is_move(text: &str) -> bool {
    match text.as_bytes() {
        [b'+' | b'-', squares @ .., a, b] if squares.len() == 4 => {
            squares.iter().all(u8::is_ascii_digit)
                && a.is_ascii_uppercase()
                && b.is_ascii_uppercase()
        }
        _ => false,
    }
}

impl ClientLine {
    /// Reads a line without its line end.
    pub fn parse(line: &str) -> Result<ClientLine, SyntaxError> {
        let line = line.trim_ascii_end();
        if line.is_empty() {
            return Ok(ClientLine::KeepAlive);
        }
        if let Some(rest) = line.strip_prefix("%%") {
            return Meta::parse(rest).map(ClientLine::Meta);
        }
        if let Some(comment) = line.strip_prefix('\'') {
            return Ok(ClientLine::Comment(comment.to_owned()));
        }
        if line.starts_with('%') {
            let word = line.split(',').next().unwrap_or(line);
            let special = Special::parse(word).ok_or_else(|| SyntaxError::unknown(line))?;
            return Ok(ClientLine::Special(special));
        }
        if line.starts_with(['+', '-']) {
            return Self::parse_move(line);
        }
        // Some players write AGREE:id.
        if let Some(id) = line.strip_prefix("AGREE:") {
            return Ok(ClientLine::Agree(first_word(id)));
        }
        if let Some(id) = line.strip_prefix("REJECT:") {
            return Ok(ClientLine::Reject(first_word(id)));
        }
        let mut words = line.split_ascii_whitespace();
        match words.next() {
            Some("LOGIN") => Self::parse_login(words),
            Some("LOGOUT") => Ok(ClientLine::Logout),
            Some("AGREE") => Ok(ClientLine::Agree(words.next().map(str::to_owned))),
            Some("REJECT") => Ok(ClientLine::Reject(words.next().map(str::to_owned))),
            Some("CHALLENGE") => Ok(ClientLine::Challenge),
            _ => Err(SyntaxError::unknown(line)),
        }
    }

    fn parse_login<'a>(mut words: impl Iterator<Item = &'a str>) -> Result<Self, SyntaxError> {
        let wrong = |what| SyntaxError::Wrong { command: "LOGIN", what };
        let name = words.next().ok_or_else(|| wrong("a name and a password must follow"))?;
        let password = words.next().ok_or_else(|| wrong("a password must follow the name"))?;
        let extended = match words.next() {
            None => false,
            Some("x1") => true,
            Some(_) => return Err(wrong("only x1 may follow the password")),
        };
        if !is_name(name) {
            return Err(wrong("a name has up to 32 letters, digits, - and _"));
        }
        Ok(ClientLine::Login { name: name.to_owned(), password: password.to_owned(), extended })
    }

    fn parse_move(line: &str) -> Result<Self, SyntaxError> {
        let (mv, rest) = line.split_once(',').map_or((line, None), |(mv, rest)| (mv, Some(rest)));
        if !is_move(mv) {
            return Err(SyntaxError::Wrong { command: "move", what: "a move reads like +7776FU" });
        }
        // Players may give the time, which is the server's to know.
        let rest = rest.map(|rest| match rest.split_once(',') {
            Some((time, comment)) if time.starts_with('T') => comment,
            _ => rest,
        });
        let comment = rest.and_then(|rest| rest.strip_prefix('\'')).map(str::to_owned);
        Ok(ClientLine::Move { mv: mv.to_owned(), comment })
    }
}

impl Meta {
    fn parse(rest: &str) -> Result<Meta, SyntaxError> {
        let wrong = |what| SyntaxError::Wrong { command: "%%", what };
        let (word, arguments) = rest.split_once(' ').unwrap_or((rest, ""));
        let mut words = arguments.split_ascii_whitespace();
        let mut id =
            || words.next().map(str::to_owned).ok_or_else(|| wrong("a game must be named"));
        Ok(match word {
            "GAME" | "CHALLENGE" => {
                let name = words.next().map(str::to_owned);
                let turn = match words.next() {
                    None | Some("*") => Turn::Either,
                    Some("+") => Turn::Black,
                    Some("-") => Turn::White,
                    Some(_) => return Err(wrong("the side is one of + - *")),
                };
                Meta::Game(name, turn)
            }
            "WHO" => Meta::Who,
            "LIST" => Meta::List,
            "SHOW" => Meta::Show(id()?),
            "MONITORON" => Meta::Monitor(id()?, true),
            "MONITOROFF" => Meta::Monitor(id()?, false),
            "CHAT" => Meta::Chat(arguments.trim_ascii().to_owned()),
            "VERSION" => Meta::Version,
            "HELP" => Meta::Help,
            other => {
                let name = other.chars().take_while(|c| !c.is_ascii_whitespace());
                Meta::Other(name.take(32).collect())
            }
        })
    }
}

impl fmt::Display for ClientLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let with = |f: &mut fmt::Formatter<'_>, word: &str, id: &Option<String>| match id {
            Some(id) => write!(f, "{word} {id}"),
            None => f.write_str(word),
        };
        match self {
            ClientLine::Login { name, password, extended } => {
                write!(f, "LOGIN {name} {password}{}", if *extended { " x1" } else { "" })
            }
            ClientLine::Logout => f.write_str("LOGOUT"),
            ClientLine::Agree(id) => with(f, "AGREE", id),
            ClientLine::Reject(id) => with(f, "REJECT", id),
            ClientLine::Challenge => f.write_str("CHALLENGE"),
            ClientLine::Move { mv, comment: Some(comment) } => write!(f, "{mv},'{comment}"),
            ClientLine::Move { mv, comment: None } => f.write_str(mv),
            ClientLine::Special(special) => f.write_str(special.text()),
            ClientLine::Meta(meta) => meta.fmt(f),
            ClientLine::Comment(text) => write!(f, "'{text}"),
            ClientLine::KeepAlive => Ok(()),
        }
    }
}

impl fmt::Display for Meta {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Meta::Game(None, _) => f.write_str("%%GAME"),
            Meta::Game(Some(name), turn) => {
                let turn = match turn {
                    Turn::Black => '+',
                    Turn::White => '-',
                    Turn::Either => '*',
                };
                write!(f, "%%GAME {name} {turn}")
            }
            Meta::Who => f.write_str("%%WHO"),
            Meta::List => f.write_str("%%LIST"),
            Meta::Show(id) => write!(f, "%%SHOW {id}"),
            Meta::Monitor(id, true) => write!(f, "%%MONITORON {id}"),
            Meta::Monitor(id, false) => write!(f, "%%MONITOROFF {id}"),
            Meta::Chat(text) => write!(f, "%%CHAT {text}"),
            Meta::Version => f.write_str("%%VERSION"),
            Meta::Help => f.write_str("%%HELP"),
            Meta::Other(name) => write!(f, "%%{name}"),
        }
    }
}

impl ServerLine {
    /// Reads a line without its line end.
    pub fn parse(line: &str) -> Result<ServerLine, SyntaxError> {
        let line = line.trim_ascii_end();
        if line.is_empty() {
            return Ok(ServerLine::KeepAlive);
        }
        if let Some(info) = line.strip_prefix("##") {
            return Ok(ServerLine::Info(info.to_owned()));
        }
        if line.starts_with('#') {
            let mark = Mark::parse(line).ok_or_else(|| SyntaxError::unknown(line))?;
            return Ok(ServerLine::Mark(mark));
        }
        if line.starts_with(['+', '-', '%']) {
            return Self::parse_timed(line);
        }
        if let Some(rest) = line.strip_prefix("LOGIN:") {
            // Some servers put a blank before the name.
            return match rest.trim_start().strip_suffix(" OK") {
                Some(name) => Ok(ServerLine::LoginOk(name.to_owned())),
                None => Ok(ServerLine::LoginIncorrect),
            };
        }
        if let Some(id) = line.strip_prefix("START:") {
            return Ok(ServerLine::Start(id.to_owned()));
        }
        if let Some(rest) = line.strip_prefix("REJECT:") {
            let (id, by) = rest.split_once(" by ").unwrap_or((rest, ""));
            return Ok(ServerLine::Reject { id: id.to_owned(), by: by.to_owned() });
        }
        match line {
            "LOGOUT:completed" => Ok(ServerLine::LogoutCompleted),
            "BEGIN Game_Summary" => Ok(ServerLine::BeginSummary),
            _ => Err(SyntaxError::unknown(line)),
        }
    }

    /// A move or a last word with its time.
    fn parse_timed(line: &str) -> Result<Self, SyntaxError> {
        let (word, mut rest) = line.split_once(',').unwrap_or((line, ""));
        let (mut units, mut comment) = (None, None);
        while !rest.is_empty() {
            if let Some(text) = rest.strip_prefix('\'') {
                comment = Some(text.to_owned());
                break;
            }
            let (part, more) = rest.split_once(',').unwrap_or((rest, ""));
            let time = part.strip_prefix('T').and_then(|time| time.parse().ok());
            let what = "the time reads like T12";
            units = Some(time.ok_or(SyntaxError::Wrong { command: "move", what })?);
            rest = more;
        }
        if line.starts_with('%') {
            let special = Special::parse(word).ok_or_else(|| SyntaxError::unknown(line))?;
            return Ok(ServerLine::Special(special, units));
        }
        if !is_move(word) {
            return Err(SyntaxError::Wrong { command: "move", what: "a move reads like +7776FU" });
        }
        Ok(ServerLine::Move { mv: word.to_owned(), units, comment })
    }
}

impl fmt::Display for ServerLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ServerLine::LoginOk(name) => write!(f, "LOGIN:{name} OK"),
            ServerLine::LoginIncorrect => f.write_str("LOGIN:incorrect"),
            ServerLine::LogoutCompleted => f.write_str("LOGOUT:completed"),
            ServerLine::BeginSummary => f.write_str("BEGIN Game_Summary"),
            ServerLine::Start(id) => write!(f, "START:{id}"),
            ServerLine::Reject { id, by } if by.is_empty() => write!(f, "REJECT:{id}"),
            ServerLine::Reject { id, by } => write!(f, "REJECT:{id} by {by}"),
            ServerLine::Move { mv, units, comment } => {
                f.write_str(mv)?;
                units.iter().try_for_each(|units| write!(f, ",T{units}"))?;
                comment.iter().try_for_each(|comment| write!(f, ",'{comment}"))
            }
            ServerLine::Special(special, units) => {
                f.write_str(special.text())?;
                units.iter().try_for_each(|units| write!(f, ",T{units}"))
            }
            ServerLine::Mark(mark) => f.write_str(mark.text()),
            ServerLine::Info(text) => write!(f, "##{text}"),
            ServerLine::KeepAlive => Ok(()),
        }
    }
}
