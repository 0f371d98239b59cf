//! A game kept on disk while it is played: after the end of the process, however it ended, the
//! next one goes on with the tree that was there.
//!
//! A record is what was known at one position of the game. Records are written by a thread of
//! their own, newest first, so that a slow disk never costs time on the clock; the store
//! commits each of them whole or not at all.

#[cfg(test)]
mod tests;
mod text;

use std::path::Path;
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::thread::JoinHandle;

use redb::{Database, ReadableDatabase, ReadableTable, TableDefinition};
use senbon_core::{Memory, Place};
use senbon_games::Notation;

use text::Record;

/// Number of the record, and its text.
const RECORDS: TableDefinition<'_, u64, &str> = TableDefinition::new("records");
/// Positions kept: enough to take back some moves.
const MOST_RECORDS: u64 = 32;

/// Why a journal cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("cannot use the journal {path}: {why}; name another file, or move this one away")]
pub struct JournalError {
    path: String,
    why: String,
}

enum Job {
    Keep(Box<Record>),
    Forget,
}

/// A journal that is open. Only one process has it at a time.
pub struct GameJournal {
    /// What was there when it was opened, oldest first.
    found: Vec<Record>,
    jobs: SyncSender<Job>,
    /// Written by somebody else's pace: the newest that did not fit yet.
    waiting: Option<Box<Record>>,
    thread: Option<JoinHandle<()>>,
}

impl GameJournal {
    /// Opens or makes the file.
    pub fn open(path: &Path) -> Result<Self, JournalError> {
        let fail = |error: &dyn std::fmt::Display| JournalError {
            path: path.display().to_string(),
            why: error.to_string(),
        };
        let database = Database::create(path).map_err(|error| fail(&error))?;
        let records = read(&database).map_err(|error| fail(&error))?;
        let next = records.last().map_or(0, |&(number, _)| number + 1);
        let (jobs, inbox) = sync_channel(1);
        let thread = std::thread::Builder::new()
            .name("journal".to_owned())
            .spawn(move || Writer { database, next, last: None, complained: false }.run(&inbox))
            .map_err(|error| fail(&error))?;
        let found = records.into_iter().map(|(_, record)| record).collect();
        Ok(GameJournal { found, jobs, waiting: None, thread: Some(thread) })
    }

    /// What was known of this game when the journal was opened, at the latest position that
    /// `place` comes from or is.
    pub fn find<G: Notation>(&self, place: &Place<G>) -> Option<Memory<G>> {
        let moves = place.start().format_line(place.moves());
        let start = place.start().format_position();
        let fits = |record: &&Record| record.is_before(G::NAME, &start, &moves);
        // Of records of one position the newest counts.
        let best = self.found.iter().filter(fits).max_by_key(|record| record.moves.len())?;
        best.memory(place.start())
    }

    /// Keeps what is known. Does not wait: if the last record is still being written, this one
    /// comes after it, or a newer one in its place.
    pub fn keep<G: Notation>(&mut self, memory: &Memory<G>) {
        self.waiting = Some(Box::new(Record::of(memory)));
        self.flush();
    }

    /// Another game begins: what was kept is of no more use.
    pub fn forget(&mut self) {
        self.found.clear();
        self.waiting = None;
        let _ = self.jobs.send(Job::Forget);
    }

    fn flush(&mut self) {
        if let Some(record) = self.waiting.take()
            && let Err(TrySendError::Full(Job::Keep(record))) =
                self.jobs.try_send(Job::Keep(record))
        {
            self.waiting = Some(record);
        }
    }
}

impl Drop for GameJournal {
    /// What was kept is on the disk when this is over.
    fn drop(&mut self) {
        if let Some(record) = self.waiting.take() {
            let _ = self.jobs.send(Job::Keep(record));
        }
        let (closed, _) = sync_channel(1);
        self.jobs = closed;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn read(database: &Database) -> Result<Vec<(u64, Record)>, redb::Error> {
    let transaction = database.begin_read()?;
    let table = match transaction.open_table(RECORDS) {
        Err(redb::TableError::TableDoesNotExist(_)) => return Ok(Vec::new()),
        table => table?,
    };
    let mut records = Vec::new();
    for entry in table.iter()? {
        let (number, text) = entry?;
        // What another version wrote is left alone.
        records.extend(Record::parse(text.value()).map(|record| (number.value(), record)));
    }
    Ok(records)
}

struct Writer {
    database: Database,
    next: u64,
    /// The last record's number, and the moves of its position.
    last: Option<(u64, Vec<String>)>,
    complained: bool,
}

impl Writer {
    fn run(mut self, inbox: &Receiver<Job>) {
        for job in inbox {
            let done = match job {
                Job::Keep(record) => self.keep(&record),
                Job::Forget => self.forget(),
            };
            if let Err(error) = done
                && !std::mem::replace(&mut self.complained, true)
            {
                eprintln!("senbon: the game is not kept any more: {error}");
            }
        }
    }

    fn keep(&mut self, record: &Record) -> Result<(), redb::Error> {
        let same = self.last.take().filter(|(_, moves)| *moves == record.moves);
        let number = same.map_or(self.next, |(number, _)| number);
        let transaction = self.database.begin_write()?;
        {
            let mut table = transaction.open_table(RECORDS)?;
            table.insert(number, record.text().as_str())?;
            table.retain(|old, _| old + MOST_RECORDS > number)?;
        }
        transaction.commit()?;
        self.next = number + 1;
        self.last = Some((number, record.moves.clone()));
        Ok(())
    }

    fn forget(&mut self) -> Result<(), redb::Error> {
        self.last = None;
        let transaction = self.database.begin_write()?;
        transaction.open_table(RECORDS)?.retain(|_, _| false)?;
        transaction.commit()?;
        Ok(())
    }
}
