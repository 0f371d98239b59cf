//! The folder of a server: its journal, its lock, and the records of games.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use crate::{Entry, Journal};

/// A journal longer than this is written anew, without what is over.
const LONG: u64 = 16 << 20;

/// Open files of a server.
#[derive(Debug)]
pub(super) struct Store {
    folder: PathBuf,
    journal: File,
    length: u64,
    /// Held while the server runs: two servers in one folder would ruin each other's journal.
    _lock: File,
}

/// Names what could not be done to which file.
fn named(what: &str, path: &Path) -> impl FnOnce(io::Error) -> io::Error {
    let place = format!("cannot {what} {}", path.display());
    move |error| io::Error::new(error.kind(), format!("{place}: {error}"))
}

impl Store {
    /// Opens the folder, makes it if need be, and reads its journal.
    pub(super) fn open(folder: &Path) -> io::Result<(Store, Vec<Entry>)> {
        let games = folder.join("games");
        fs::create_dir_all(&games).map_err(named("make", &games))?;
        let lock = lock(&folder.join("lock"))?;
        let path = folder.join("journal");
        let mut options = OpenOptions::new();
        let mut journal = options
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&path)
            .map_err(named("open", &path))?;
        let bytes = fs::read(&path).map_err(named("read", &path))?;
        let Journal { entries, good } = Journal::read(&bytes).map_err(|error| {
            io::Error::new(io::ErrorKind::InvalidData, format!("{}: {error}", path.display()))
        })?;
        // The rest of a line that was never finished.
        journal.set_len(good as u64)?;
        journal.seek(SeekFrom::End(0))?;
        let length = good as u64;
        Ok((Store { folder: folder.to_owned(), journal, length, _lock: lock }, entries))
    }

    /// Writes an entry, not yet for good.
    pub(super) fn append(&mut self, entry: &Entry) -> io::Result<()> {
        let line = entry.line();
        self.length += line.len() as u64;
        self.journal.write_all(line.as_bytes()).map_err(|error| {
            let path = self.folder.join("journal");
            named("write", &path)(error)
        })
    }

    /// From here on, what was written lasts.
    pub(super) fn sync(&mut self) -> io::Result<()> {
        self.journal.sync_data().map_err(|error| named("write", &self.folder)(error))
    }

    /// Whether the journal should be written anew.
    pub(super) fn is_long(&self) -> bool {
        self.length > LONG
    }

    /// Writes the journal anew. Whenever the power fails, the old one or the new one is there.
    pub(super) fn rewrite(&mut self, entries: &[Entry]) -> io::Result<()> {
        let (new, path) = (self.folder.join("journal.new"), self.folder.join("journal"));
        let text: String = entries.iter().map(Entry::line).collect();
        let mut file = File::create(&new).map_err(named("make", &new))?;
        file.write_all(text.as_bytes())
            .and_then(|()| file.sync_all())
            .map_err(named("write", &new))?;
        fs::rename(&new, &path).map_err(named("rename", &new))?;
        sync_folder(&self.folder)?;
        (self.journal, self.length) = (file, text.len() as u64);
        Ok(())
    }

    /// Writes the record of a game, unless it is there.
    pub(super) fn record(&mut self, id: &str, text: &str) -> io::Result<()> {
        let folder = self.folder.join("games");
        let (path, new) = (folder.join(format!("{id}.csa")), folder.join(format!("{id}.new")));
        if path.exists() {
            return Ok(());
        }
        let mut file = File::create(&new).map_err(named("make", &new))?;
        file.write_all(text.as_bytes())
            .and_then(|()| file.sync_all())
            .map_err(named("write", &new))?;
        fs::rename(&new, &path).map_err(named("rename", &new))?;
        sync_folder(&folder)
    }
}

fn lock(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    let file = options.write(true).create(true).truncate(false).open(path);
    let file = file.map_err(named("open", path))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(_) => {
            let text = format!("another server uses this folder ({} is locked)", path.display());
            Err(io::Error::new(io::ErrorKind::ResourceBusy, text))
        }
    }
}

/// A new name in a folder lasts once the folder is written.
fn sync_folder(path: &Path) -> io::Result<()> {
    if cfg!(unix) {
        File::open(path).and_then(|folder| folder.sync_all()).map_err(named("write", path))?;
    }
    Ok(())
}
