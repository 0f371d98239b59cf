//! What an engine answers.

use super::words::{Words, one_line, owned, push_words};
use super::{Dialect, Harvested, Info, OptionDeclaration, SyntaxError, harvest};

/// A reply from the engine to the GUI.
///
/// ```
/// use senbon_engines::universal::{Best, Dialect, Reply};
///
/// let reply = Reply::parse(Dialect::Uci, "bestmove e2e4 ponder e7e5").unwrap();
/// let Reply::BestMove { best, ponder } = reply else { panic!("not a best move") };
/// assert_eq!(best, Best::Move("e2e4".into()));
/// assert_eq!(ponder.as_deref(), Some("e7e5"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// `id name …`.
    Name(String),
    /// `id author …`.
    Author(String),
    /// `id harvest …`, our own: the engine knows the command, and tells so many positions at
    /// once at most.
    CanHarvest(usize),
    /// `option …`.
    Option(OptionDeclaration),
    /// `uciok` or `usiok`: that was all about me.
    HelloOk,
    /// `readyok`.
    ReadyOk,
    /// `info …`.
    Info(Box<Info>),
    /// `bestmove …`, the end of a search.
    BestMove {
        /// What to play.
        best: Best,
        /// The answer expected, to think about meanwhile.
        ponder: Option<String>,
    },
    /// `checkmate …` (USI), the end of a mate search.
    Checkmate(Checkmate),
    /// `harvest …`, our own: one valuable position.
    Harvested(Harvested),
    /// `harvestok`, our own: that was all.
    HarvestOk,
    /// `copyprotection …` (UCI).
    CopyProtection(Verdict),
    /// `registration …` (UCI).
    Registration(Verdict),
}

/// What an engine wants to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Best {
    /// Play this move.
    Move(String),
    /// There is no move, or none worth playing: UCI `0000` or `(none)`, USI `resign`.
    Nothing,
    /// Declare a win by entering king (USI `win`).
    Win,
}

/// The result of a USI mate search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Checkmate {
    /// The moves that mate.
    Moves(Vec<String>),
    /// There is no mate.
    NoMate,
    /// None was found in time.
    Timeout,
    /// The engine cannot look for mates.
    NotImplemented,
}

/// How a copy-protection or registration check stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Under way.
    Checking,
    /// Passed.
    Ok,
    /// Failed.
    Error,
}

impl Reply {
    /// Reads one line. Banners and other chatter are [`SyntaxError::Unknown`].
    pub fn parse(dialect: Dialect, line: &str) -> Result<Reply, SyntaxError> {
        let mut words = Words::new(line);
        let word = words.next().ok_or(SyntaxError::Blank)?;
        match (word, dialect) {
            ("id", _) => parse_id(&mut words),
            ("option", _) => OptionDeclaration::parse(&mut words).map(Reply::Option),
            ("uciok", Dialect::Uci) | ("usiok", Dialect::Usi) => Ok(Reply::HelloOk),
            ("readyok", _) => Ok(Reply::ReadyOk),
            ("info", _) => Ok(Reply::Info(Box::new(Info::parse(dialect, &mut words)))),
            ("bestmove", _) => parse_best_move(&mut words),
            (harvest::COMMAND, _) => Harvested::parse(dialect, &mut words).map(Reply::Harvested),
            ("harvestok", _) => Ok(Reply::HarvestOk),
            ("checkmate", Dialect::Usi) => parse_checkmate(&mut words),
            ("copyprotection", Dialect::Uci) => {
                parse_verdict("copyprotection", &mut words).map(Reply::CopyProtection)
            }
            ("registration", Dialect::Uci) => {
                parse_verdict("registration", &mut words).map(Reply::Registration)
            }
            _ => Err(SyntaxError::unknown(word)),
        }
    }

    /// Writes the reply as one line, without a line end.
    pub fn format(&self, dialect: Dialect) -> String {
        match self {
            Reply::Name(name) => format!("id name {}", one_line(name)),
            Reply::Author(author) => format!("id author {}", one_line(author)),
            Reply::CanHarvest(most) => format!("id harvest {most}"),
            Reply::Option(option) => {
                let mut line = "option".to_owned();
                option.write(&mut line);
                line
            }
            Reply::HelloOk => match dialect {
                Dialect::Uci => "uciok".to_owned(),
                Dialect::Usi => "usiok".to_owned(),
            },
            Reply::ReadyOk => "readyok".to_owned(),
            Reply::Info(info) => {
                let mut line = "info".to_owned();
                info.write(dialect, &mut line);
                line
            }
            Reply::BestMove { best, ponder } => {
                let mut line = format!("bestmove {}", best.format(dialect));
                if let Some(ponder) = ponder {
                    line.push_str(" ponder ");
                    line.push_str(&one_line(ponder));
                }
                line
            }
            Reply::Harvested(told) => {
                let mut line = harvest::COMMAND.to_owned();
                told.write(dialect, &mut line);
                line
            }
            Reply::HarvestOk => "harvestok".to_owned(),
            Reply::Checkmate(checkmate) => checkmate.format(),
            Reply::CopyProtection(verdict) => format!("copyprotection {}", verdict.word()),
            Reply::Registration(verdict) => format!("registration {}", verdict.word()),
        }
    }

    /// `info string …`, text for the person watching.
    pub fn remark(text: impl Into<String>) -> Reply {
        Reply::Info(Box::new(Info { string: Some(text.into()), ..Info::default() }))
    }
}

impl Best {
    fn format(&self, dialect: Dialect) -> String {
        match (self, dialect) {
            (Best::Move(mv), _) => one_line(mv),
            // UCI knows no declaration; there is no move to send either.
            (Best::Nothing | Best::Win, Dialect::Uci) => "0000".to_owned(),
            (Best::Nothing, Dialect::Usi) => "resign".to_owned(),
            (Best::Win, Dialect::Usi) => "win".to_owned(),
        }
    }
}

impl Checkmate {
    fn format(&self) -> String {
        let mut line = "checkmate".to_owned();
        match self {
            Checkmate::Moves(moves) => push_words(&mut line, moves),
            Checkmate::NoMate => line.push_str(" nomate"),
            Checkmate::Timeout => line.push_str(" timeout"),
            Checkmate::NotImplemented => line.push_str(" notimplemented"),
        }
        line
    }
}

impl Verdict {
    fn word(self) -> &'static str {
        match self {
            Verdict::Checking => "checking",
            Verdict::Ok => "ok",
            Verdict::Error => "error",
        }
    }
}

fn parse_id(words: &mut Words<'_>) -> Result<Reply, SyntaxError> {
    match words.next() {
        Some("name") => Ok(Reply::Name(words.rest().to_owned())),
        Some("author") => Ok(Reply::Author(words.rest().to_owned())),
        Some("harvest") => {
            let most = words.next().ok_or(SyntaxError::missing("id", "the number of positions"))?;
            let read = most.parse().map(Reply::CanHarvest);
            read.map_err(|_| SyntaxError::not_a_number("id", "harvest", most))
        }
        other => Err(SyntaxError::unexpected("id", "'name', 'author' or 'harvest'", other)),
    }
}

fn parse_best_move(words: &mut Words<'_>) -> Result<Reply, SyntaxError> {
    let best = match words.next() {
        None => return Err(SyntaxError::missing("bestmove", "the move")),
        Some("resign" | "0000" | "(none)" | "none" | "NULL") => Best::Nothing,
        Some("win") => Best::Win,
        Some(mv) => Best::Move(mv.to_owned()),
    };
    let ponder = match words.next() {
        Some("ponder") => words.next().filter(|mv| !matches!(*mv, "0000" | "(none)")),
        _ => None,
    };
    Ok(Reply::BestMove { best, ponder: ponder.map(str::to_owned) })
}

fn parse_checkmate(words: &mut Words<'_>) -> Result<Reply, SyntaxError> {
    let checkmate = match words.peek() {
        None => return Err(SyntaxError::missing("checkmate", "the moves, or 'nomate'")),
        Some("nomate") => Checkmate::NoMate,
        Some("timeout") => Checkmate::Timeout,
        Some("notimplemented") => Checkmate::NotImplemented,
        Some(_) => Checkmate::Moves(owned(&words.take_until(|_| false))),
    };
    Ok(Reply::Checkmate(checkmate))
}

fn parse_verdict(command: &'static str, words: &mut Words<'_>) -> Result<Verdict, SyntaxError> {
    match words.next() {
        Some("checking") => Ok(Verdict::Checking),
        Some("ok") => Ok(Verdict::Ok),
        Some("error") => Ok(Verdict::Error),
        other => Err(SyntaxError::unexpected(command, "'checking', 'ok' or 'error'", other)),
    }
}
