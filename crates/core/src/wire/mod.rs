//! Orders and reports as bytes: one format for the live and the virtual world.
//!
//! docs/protocol.md describes it, and a test compares the two. Whatever arrives is checked:
//! lengths against the limits below, positions and moves against the rules. A move is written
//! in protocol notation and means something only together with its position, so both ends
//! remember the places of the newest orders, and reports are read against them.

mod bytes;
mod order;
mod report;
mod tasks;
#[cfg(test)]
mod tests;

use std::collections::VecDeque;

use senbon_games::{Notation, NotationError};

use crate::{Epoch, Order, Report};
pub(crate) use bytes::{Reader, Writer};
pub(crate) use report::{read_fault, write_fault};

/// The version of the format, in the head of every message. Both ends must speak the same.
pub const VERSION: u8 = 8;

/// Longest order or report in bytes.
pub const MOST_BYTES: usize = 64 * 1024;
/// Most moves of a game's history.
pub const MOST_HISTORY: usize = 4096;
/// Most findings in one report.
pub const MOST_FINDINGS: usize = 1024;
/// Most moves of one position, and most lines asked for.
pub const MOST_MOVES: usize = 1024;
/// Most moves of a line or way that is told; a longer one is cut.
pub const MOST_LINE: usize = 128;
/// Most positions of a harvest.
pub const MOST_HARVEST: usize = 1024;
/// Longest position as text.
pub const MOST_POSITION: usize = 1024;
/// Longest move as text.
pub const MOST_MOVE: usize = 16;
/// Longest reason or name; a longer one is cut.
pub const MOST_TEXT: usize = 512;

/// Places remembered beside that of the newest search. Reports of older orders are of no use.
const REMEMBERED: usize = 8;

/// Why bytes are no message, or a message cannot be sent.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WireError {
    /// It ends too early.
    #[error("the message is cut off")]
    CutOff,
    /// It goes on after its end.
    #[error("{0} bytes too many at the end of the message")]
    Surplus(usize),
    /// A number of the wrong form or size.
    #[error("a number is malformed or too large")]
    BadNumber,
    /// More than is allowed.
    #[error("{what}: more than {most}")]
    TooMany {
        /// What there is too much of.
        what: &'static str,
        /// What is allowed.
        most: usize,
    },
    /// A text that is not UTF-8.
    #[error("{what} is not text")]
    NoText {
        /// Which text.
        what: &'static str,
    },
    /// A kind of something that this version does not know.
    #[error("{what} of unknown kind {kind}")]
    UnknownKind {
        /// What has kinds.
        what: &'static str,
        /// Its number.
        kind: u8,
    },
    /// A position or move that breaks the rules.
    #[error("{what}: {why}")]
    BreaksRules {
        /// Which.
        what: &'static str,
        /// Why, by the rules.
        why: NotationError,
    },
    /// A report of an order that was not given, or long ago.
    #[error("a report of order {0}, which is not remembered")]
    UnknownOrder(u64),
}

/// One end of the conversation with one worker: remembers the places of the newest orders.
#[derive(Clone, Debug)]
pub struct Codec<G: Notation> {
    /// The newest search: however many harvests are asked for beside it, its end is told.
    search: Option<(Epoch, G)>,
    /// Older searches, and harvests.
    known: VecDeque<(Epoch, G)>,
}

impl<G: Notation> Default for Codec<G> {
    fn default() -> Self {
        Codec { search: None, known: VecDeque::with_capacity(REMEMBERED) }
    }
}

impl<G: Notation> Codec<G> {
    /// An order as bytes.
    pub fn write_order(&mut self, order: &Order<G>) -> Result<Vec<u8>, WireError> {
        let mut writer = Writer::default();
        order::write(&mut writer, order, |epoch| self.position(epoch))?;
        self.note(order);
        finish(writer)
    }

    /// The order in `bytes`.
    pub fn read_order(&mut self, bytes: &[u8]) -> Result<Order<G>, WireError> {
        let mut reader = begin(bytes)?;
        let order = order::read(&mut reader, |epoch| self.position(epoch))?;
        reader.end()?;
        self.note(&order);
        Ok(order)
    }

    /// A report as bytes.
    pub fn write_report(&self, report: &Report<G>) -> Result<Vec<u8>, WireError> {
        let mut writer = Writer::default();
        report::write(&mut writer, report, |epoch| self.position(epoch))?;
        finish(writer)
    }

    /// The report in `bytes`.
    pub fn read_report(&self, bytes: &[u8]) -> Result<Report<G>, WireError> {
        let mut reader = begin(bytes)?;
        let report = report::read(&mut reader, |epoch| self.position(epoch))?;
        reader.end()?;
        Ok(report)
    }

    fn note(&mut self, order: &Order<G>) {
        let older = match order {
            Order::Search(search) => {
                let newest = (search.epoch, search.place.position().clone());
                self.search.replace(newest).filter(|(epoch, _)| *epoch != search.epoch)
            }
            Order::Harvest { epoch, place, .. } => Some((*epoch, place.position().clone())),
            Order::Tasks(tasks) => tasks.root.as_ref().and_then(|(place, _)| {
                let newest = (tasks.epoch, place.position().clone());
                self.search.replace(newest).filter(|(epoch, _)| *epoch != tasks.epoch)
            }),
            Order::Stop(_) | Order::PonderHit(_) | Order::NewGame => None,
        };
        let Some(older) = older else { return };
        self.known.retain(|(known, _)| *known != older.0);
        if self.known.len() == REMEMBERED {
            self.known.pop_front();
        }
        self.known.push_back(older);
    }

    fn position(&self, epoch: Epoch) -> Result<&G, WireError> {
        let all = self.search.iter().chain(self.known.iter().rev());
        let found = all.into_iter().find(|(known, _)| *known == epoch);
        found.map(|(_, position)| position).ok_or(WireError::UnknownOrder(epoch.0))
    }
}

fn begin(bytes: &[u8]) -> Result<Reader<'_>, WireError> {
    if bytes.len() > MOST_BYTES {
        return Err(WireError::TooMany { what: "bytes of a message", most: MOST_BYTES });
    }
    Ok(Reader::new(bytes))
}

fn finish(writer: Writer) -> Result<Vec<u8>, WireError> {
    let bytes = writer.into_bytes();
    begin(&bytes)?;
    Ok(bytes)
}

/// Writes moves that may all be played in `position`.
fn write_choices<G: Notation>(
    writer: &mut Writer,
    position: &G,
    moves: &[G::Move],
    what: &'static str,
) -> Result<(), WireError> {
    writer.number(moves.len() as u64);
    moves.iter().try_for_each(|&mv| write_move(writer, position, mv, what))
}

fn read_choices<G: Notation>(
    reader: &mut Reader<'_>,
    position: &G,
    what: &'static str,
) -> Result<Vec<G::Move>, WireError> {
    let count = reader.count(what, MOST_MOVES)?;
    (0..count).map(|_| read_move(reader, position, what)).collect()
}

/// Writes a move. What breaks the rules stays here: it could not be read at the other end.
fn write_move<G: Notation>(
    writer: &mut Writer,
    position: &G,
    mv: G::Move,
    what: &'static str,
) -> Result<(), WireError> {
    let text = position.format_move(mv);
    position.parse_move(&text).map_err(|why| WireError::BreaksRules { what, why })?;
    writer.text(&text, MOST_MOVE);
    Ok(())
}

fn read_move<G: Notation>(
    reader: &mut Reader<'_>,
    position: &G,
    what: &'static str,
) -> Result<G::Move, WireError> {
    let text = reader.text(what, MOST_MOVE)?;
    position.parse_move(text).map_err(|why| WireError::BreaksRules { what, why })
}

/// Writes moves that are played one after the other, and gives the position after them.
fn write_way<G: Notation>(
    writer: &mut Writer,
    position: &G,
    moves: &[G::Move],
    what: &'static str,
) -> Result<G, WireError> {
    let mut position = position.clone();
    writer.number(moves.len() as u64);
    for &mv in moves {
        write_move(writer, &position, mv, what)?;
        position.play(mv);
    }
    Ok(position)
}

fn read_way<G: Notation>(
    reader: &mut Reader<'_>,
    position: &G,
    what: &'static str,
    most: usize,
) -> Result<(Vec<G::Move>, G), WireError> {
    let mut position = position.clone();
    let count = reader.count(what, most)?;
    let mut moves = Vec::with_capacity(count);
    for _ in 0..count {
        let mv = read_move(reader, &position, what)?;
        position.play(mv);
        moves.push(mv);
    }
    Ok((moves, position))
}

fn write_optional_move<G: Notation>(
    writer: &mut Writer,
    position: &G,
    mv: Option<G::Move>,
    what: &'static str,
) -> Result<(), WireError> {
    match mv {
        Some(mv) => write_move(writer, position, mv, what),
        None => {
            writer.text("", MOST_MOVE);
            Ok(())
        }
    }
}

/// A move; none where the text is empty.
fn read_optional_move<G: Notation>(
    reader: &mut Reader<'_>,
    position: &G,
    what: &'static str,
) -> Result<Option<G::Move>, WireError> {
    match reader.text(what, MOST_MOVE)? {
        "" => Ok(None),
        text => {
            let read = position.parse_move(text);
            read.map(Some).map_err(|why| WireError::BreaksRules { what, why })
        }
    }
}
