//! A file of lines that grows while an experiment runs, so that it can go on after a stop.
//!
//! The first line says what the experiment is; a file of another one is refused. A last line
//! that was cut off in the middle is forgotten.

use std::fs::{File, OpenOptions};
use std::io::{Seek, SeekFrom, Write};
use std::path::Path;

use anyhow::{Context, Result, bail};
use serde_json::Value;

/// A file of JSON lines.
#[derive(Debug)]
pub struct Journal {
    file: File,
}

impl Journal {
    /// Opens or begins the journal of the experiment that `head` describes; also what is in
    /// it already.
    pub fn open(path: &Path, head: &Value) -> Result<(Journal, Vec<Value>)> {
        let shown = path.display();
        let text = match std::fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
            Err(error) => return Err(error).with_context(|| format!("cannot read {shown}")),
        };
        let mut lines = Vec::new();
        let mut whole = 0;
        for line in text.split_inclusive('\n').filter(|line| line.ends_with('\n')) {
            let Ok(value) = serde_json::from_str::<Value>(line) else {
                bail!("{shown}, line {}: this is no journal", lines.len() + 1);
            };
            lines.push(value);
            whole += line.len();
        }
        let mut file = OpenOptions::new()
            .create(true)
            .truncate(false)
            .write(true)
            .open(path)
            .with_context(|| format!("cannot write {shown}"))?;
        if file.try_lock().is_err() {
            bail!("{shown} is in use by another run");
        }
        file.set_len(whole as u64)?;
        file.seek(SeekFrom::End(0))?;
        let mut journal = Journal { file };
        match lines.first() {
            None => journal.write(head)?,
            Some(other) if other != head => bail!(
                "{shown} is the journal of something else: {other}\nthis is {head}\n\
                 give another file, or delete that one"
            ),
            Some(_) => {}
        }
        Ok((journal, lines.into_iter().skip(1).collect()))
    }

    /// Adds a line, on the disk before this returns.
    pub fn write(&mut self, value: &Value) -> Result<()> {
        self.write_all(std::slice::from_ref(value))
    }

    /// Adds lines; to wait once for the disk is quicker than once for each.
    pub fn write_all(&mut self, values: &[Value]) -> Result<()> {
        let lines: String = values.iter().map(|value| format!("{value}\n")).collect();
        self.file.write_all(lines.as_bytes()).context("cannot write the journal")?;
        self.file.sync_data().context("cannot write the journal")
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_journal_goes_on_after_a_cut_line() {
        let path = std::env::temp_dir().join(format!("senbon-journal-{}", std::process::id()));
        let _ = std::fs::remove_file(&path);
        let head = json!({ "match": "a against b" });
        let (mut journal, before) = Journal::open(&path, &head).unwrap();
        assert!(before.is_empty());
        journal.write(&json!({ "game": 1 })).unwrap();
        journal.write(&json!({ "game": 2 })).unwrap();
        drop(journal);
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, &text[..text.len() - 3]).unwrap();
        let (mut journal, before) = Journal::open(&path, &head).unwrap();
        assert_eq!(before, [json!({ "game": 1 })]);
        journal.write(&json!({ "game": 2 })).unwrap();
        let error = Journal::open(&path, &head).unwrap_err().to_string();
        assert!(error.contains("in use"), "{error}");
        drop(journal);
        let (_, before) = Journal::open(&path, &head).unwrap();
        assert_eq!(before.len(), 2);
        let error = Journal::open(&path, &json!({ "match": "c" })).unwrap_err().to_string();
        assert!(error.contains("something else"), "{error}");
        std::fs::remove_file(&path).unwrap();
    }
}
