//! The journal of a measurement: every position ranked is a line, written at once, so that
//! an interrupted run goes on where it was.
//!
//! Comment lines (`# key: value`) at the head say what is measured; a journal of another
//! measurement is refused. Then a line of CSV for each position, in the order they were done.
//! A last line without its line end was cut off by a kill: it is dropped and done again.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::Path;

use anyhow::{Context, Result, anyhow, bail};

const MAGIC: &str = "# senbon rank-frequency journal 1";
const COLUMNS: &str = "game,ply,position,played,rank,lines,legal,exact,ms";
/// A journal larger than this is none of ours: a million positions take some 100 MB.
const LARGEST: u64 = 1 << 30;

/// What is measured. Two journals with the same head can be continued by each other's run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    /// The game, by its name.
    pub game: String,
    /// What the engine calls itself.
    pub engine: String,
    /// Options set on it beyond the usual, as the user gave them.
    pub options: String,
    /// Depth of each search.
    pub depth: u32,
    /// Lines asked for at first: a number, or `all`.
    pub lines: String,
    /// The games, by number, moves and fingerprint.
    pub input: String,
}

/// One position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Which game, from 1.
    pub game: usize,
    /// Which move of it, from 1.
    pub ply: usize,
    /// The position before the move.
    pub position: String,
    /// The move played.
    pub played: String,
    /// Its rank in the engine's first answer, from 1; one more than its lines when it is not
    /// among them.
    pub rank: usize,
    /// Lines of that answer.
    pub lines: usize,
    /// Legal moves there were.
    pub legal: usize,
    /// Its rank in the second answer, of all moves, where that was asked for and told.
    pub exact: Option<usize>,
    /// Milliseconds it took.
    pub ms: u64,
}

/// What a journal holds.
#[derive(Clone, Debug, Default)]
pub struct Contents {
    /// What is measured; `None` in a journal that has not begun.
    pub head: Option<Head>,
    /// The program and machine of each start, each once.
    pub runs: Vec<String>,
    /// Positions by game and ply.
    pub rows: BTreeMap<(usize, usize), Row>,
}

/// A journal open for writing. No other process writes to it meanwhile.
#[derive(Debug)]
pub struct Journal {
    file: File,
}

impl Journal {
    /// Opens or creates a journal and reads what it holds.
    pub fn open(path: &Path) -> Result<(Self, Contents)> {
        let shown = path.display();
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .with_context(|| format!("cannot open the journal {shown}"))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => bail!("another run is writing to {shown}"),
            Err(TryLockError::Error(error)) => {
                return Err(error).with_context(|| format!("cannot lock {shown}"));
            }
        }
        if file.metadata()?.len() > LARGEST {
            bail!("{shown} is too large for a journal");
        }
        let mut text = String::new();
        file.read_to_string(&mut text).with_context(|| format!("cannot read {shown}"))?;
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        if whole == 0 && !MAGIC.starts_with(&text) {
            bail!("{shown} is not a journal of ours; give another --journal (or --out)");
        }
        let contents = parse(&text[..whole]).with_context(|| {
            format!("the journal {shown} cannot be read; move it away to start anew")
        })?;
        // What was cut off goes; so does a head that was cut off.
        let keep = if contents.head.is_some() { whole } else { 0 };
        file.set_len(keep as u64)?;
        file.seek(SeekFrom::End(0))?;
        Ok((Journal { file }, contents))
    }

    /// Writes the head of a new journal.
    pub(super) fn begin(&mut self, head: &Head) -> Result<()> {
        let mut text = format!("{MAGIC}\n");
        for (key, value) in head.fields() {
            let _ = writeln!(text, "# {key}: {value}");
        }
        let _ = writeln!(text, "{COLUMNS}");
        self.append(&text)
    }

    /// Notes with which program and where the lines that follow were measured.
    pub(super) fn note_run(&mut self, run: &str) -> Result<()> {
        self.append(&format!("# run: {}\n", one_line(run)))
    }

    pub(super) fn add(&mut self, row: &Row) -> Result<()> {
        let Row { game, ply, position, played, rank, lines, legal, exact, ms } = row;
        let exact = exact.map_or_else(String::new, |rank| rank.to_string());
        let place = format!("{game},{ply},{position},{played}");
        self.append(&format!("{place},{rank},{lines},{legal},{exact},{ms}\n"))
    }

    fn append(&mut self, text: &str) -> Result<()> {
        self.file.write_all(text.as_bytes()).context("cannot write to the journal")
    }
}

impl Head {
    fn fields(&self) -> [(&'static str, String); 6] {
        [
            ("game", self.game.clone()),
            ("engine", one_line(&self.engine)),
            ("options", one_line(&self.options)),
            ("depth", self.depth.to_string()),
            ("lines", self.lines.clone()),
            ("input", one_line(&self.input)),
        ]
    }

    /// Whether the journal of `self` may be continued by a run with the head `other`; if
    /// not, what differs.
    pub(super) fn check_same(&self, other: &Head) -> Result<()> {
        for ((key, was), (_, now)) in self.fields().into_iter().zip(other.fields()) {
            if was != now {
                bail!(
                    "the journal was written with {key} '{was}', this run has '{now}'; \
                     give another --journal (or --out), or move the old one away"
                );
            }
        }
        Ok(())
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Reads whole lines.
fn parse(text: &str) -> Result<Contents> {
    let mut contents = Contents::default();
    let mut head = BTreeMap::new();
    let mut lines = text.lines().enumerate();
    match lines.next() {
        None => return Ok(contents),
        Some((_, MAGIC)) => {}
        Some(_) => bail!("line 1: it does not begin with '{MAGIC}'"),
    }
    for (index, line) in lines {
        let at = || format!("line {}", index + 1);
        if let Some(comment) = line.strip_prefix("# ") {
            let (key, value) = comment.split_once(':').unwrap_or((comment, ""));
            let value = value.trim().to_owned();
            if key != "run" {
                head.insert(key.to_owned(), value);
            } else if !contents.runs.contains(&value) {
                contents.runs.push(value);
            }
        } else if line == COLUMNS {
            contents.head = Some(read_head(&head).with_context(at)?);
        } else if contents.head.is_none() {
            bail!("line {}: the head ends without the line '{COLUMNS}'", index + 1);
        } else {
            let row = read_row(line).with_context(at)?;
            contents.rows.insert((row.game, row.ply), row);
        }
    }
    Ok(contents)
}

fn read_head(fields: &BTreeMap<String, String>) -> Result<Head> {
    let field = |key: &str| {
        fields.get(key).cloned().ok_or_else(|| anyhow!("the head does not tell the {key}"))
    };
    Ok(Head {
        game: field("game")?,
        engine: field("engine")?,
        options: field("options")?,
        depth: number(&field("depth")?)?,
        lines: field("lines")?,
        input: field("input")?,
    })
}

fn read_row(line: &str) -> Result<Row> {
    let fields: Vec<&str> = line.split(',').collect();
    let [game, ply, position, played, rank, lines, legal, exact, ms] = fields[..] else {
        bail!("{} fields in place of 9", fields.len());
    };
    let row = Row {
        game: number(game)?,
        ply: number(ply)?,
        position: position.to_owned(),
        played: played.to_owned(),
        rank: number(rank)?,
        lines: number(lines)?,
        legal: number(legal)?,
        exact: if exact.is_empty() { None } else { Some(number(exact)?) },
        ms: number(ms)?,
    };
    if row.rank == 0 || row.rank > row.legal {
        bail!("rank {rank} among {legal} moves");
    }
    Ok(row)
}

fn number<N: std::str::FromStr>(text: &str) -> Result<N> {
    text.parse().map_err(|_| anyhow!("'{text}' is not a number here"))
}
