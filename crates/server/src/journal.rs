//! What a server must not forget, as lines of a file that only grows.
//!
//! A line is `CHECKSUM JSON`: the first eight bytes of the SHA-256 of the rest, in hexadecimal
//! digits. A server that was killed while writing leaves a last line that is cut off or wrong;
//! reading stops before the first such line, and writing goes on there.

use std::time::Duration;

use ring::digest::{SHA256, digest};
use senbon_engines::csa::{GameName, Mark, Special};
use senbon_games::Side;
use serde_json::{Value, json};

use crate::Secret;
use crate::table::{End, Impasse, Rules, Table};

/// Something that happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Entry {
    /// A player has an account.
    Account {
        /// Its name.
        name: String,
        /// Its password, as it is stored.
        secret: Secret,
    },
    /// A game began.
    Game {
        /// The game's name among all.
        id: String,
        /// The kind of game.
        name: GameName,
        /// Black and White.
        players: [String; 2],
        /// The rules.
        rules: Rules,
        /// When, in seconds since 1970.
        began: u64,
    },
    /// A move was made.
    Move {
        /// In this game.
        id: String,
        /// Like `+7776FU`.
        mv: String,
        /// Units of time.
        units: u64,
        /// What its player said about it.
        comment: Option<String>,
    },
    /// The turn under way has taken so long; the only entry that may get lost.
    Clock {
        /// In this game.
        id: String,
        /// So long.
        elapsed: Duration,
    },
    /// A game ended.
    End {
        /// This one.
        id: String,
        /// How.
        end: End,
    },
}

impl Entry {
    /// Whether the entry must be on the disk before anybody hears of what it says.
    pub fn must_last(&self) -> bool {
        !matches!(self, Entry::Clock { .. })
    }

    /// What brings `table` back.
    pub(crate) fn of_table(table: &Table, now: Duration) -> Vec<Entry> {
        let id = table.id.clone();
        let mut entries = vec![Entry::Game {
            id: id.clone(),
            name: table.name.clone(),
            players: table.players.clone(),
            rules: table.rules,
            began: table.began,
        }];
        entries.extend(table.moves().iter().map(|made| Entry::Move {
            id: id.clone(),
            mv: made.text.clone(),
            units: made.units,
            comment: made.comment.clone(),
        }));
        entries.push(Entry::Clock { id, elapsed: table.elapsed(now) });
        entries
    }

    /// The line, with its line end.
    pub fn line(&self) -> String {
        let text = self.json().to_string();
        format!("{} {text}\n", checksum(&text))
    }

    fn json(&self) -> Value {
        match self {
            Entry::Account { name, secret } => {
                json!({ "entry": "account", "name": name, "secret": secret.to_string() })
            }
            Entry::Game { id, name, players, rules, began } => json!({
                "entry": "game", "id": id, "name": name.as_str(), "players": players,
                "unit_ms": rules.unit.as_millis() as u64, "least": rules.least,
                "delay": rules.delay, "max_moves": rules.max_moves,
                "impasse": if rules.impasse == Impasse::Points27 { 27 } else { 24 },
                "began": began,
            }),
            Entry::Move { id, mv, units, comment } => json!({
                "entry": "move", "id": id, "move": mv, "units": units, "comment": comment,
            }),
            Entry::Clock { id, elapsed } => json!({
                "entry": "clock", "id": id, "elapsed_ms": elapsed.as_millis() as u64,
            }),
            Entry::End { id, end } => json!({
                "entry": "end", "id": id, "mark": end.mark.text(),
                "winner": end.winner.map(|side| if side == Side::First { "+" } else { "-" }),
                "word": end.word.map(|(word, _)| word.text()),
                "units": end.word.map(|(_, units)| units), "note": end.note,
            }),
        }
    }

    fn parse(text: &str) -> Option<Entry> {
        let value: Value = serde_json::from_str(text).ok()?;
        let string = |key: &str| Some(value.get(key)?.as_str()?.to_owned());
        let number = |key: &str| value.get(key)?.as_u64();
        let id = string("id");
        Some(match value.get("entry")?.as_str()? {
            "account" => {
                Entry::Account { name: string("name")?, secret: Secret::parse(&string("secret")?)? }
            }
            "game" => Entry::Game {
                id: id?,
                name: string("name")?.parse().ok()?,
                players: [0, 1]
                    .map(|side| value["players"][side].as_str().map(str::to_owned))
                    .into_iter()
                    .collect::<Option<Vec<_>>>()?
                    .try_into()
                    .ok()?,
                rules: Rules {
                    unit: Duration::from_millis(number("unit_ms")?),
                    least: number("least")?,
                    delay: number("delay")?,
                    max_moves: number("max_moves").and_then(|most| u32::try_from(most).ok()),
                    impasse: match number("impasse")? {
                        27 => Impasse::Points27,
                        _ => Impasse::Points24,
                    },
                },
                began: number("began")?,
            },
            "move" => Entry::Move {
                id: id?,
                mv: string("move")?,
                units: number("units")?,
                comment: string("comment"),
            },
            "clock" => {
                Entry::Clock { id: id?, elapsed: Duration::from_millis(number("elapsed_ms")?) }
            }
            "end" => Entry::End { id: id?, end: parse_end(&value)? },
            _ => return None,
        })
    }
}

fn parse_end(value: &Value) -> Option<End> {
    let text = |key: &str| value.get(key)?.as_str();
    let mark = Mark::ALL.into_iter().find(|mark| Some(mark.text()) == text("mark"))?;
    let winner = match text("winner") {
        Some("+") => Some(Side::First),
        Some("-") => Some(Side::Second),
        _ => None,
    };
    let word = Special::ALL.into_iter().find(|word| Some(word.text()) == text("word"));
    let word = word.map(|word| (word, value["units"].as_u64().unwrap_or(0)));
    Some(End { winner, mark, word, note: text("note").unwrap_or_default().to_owned() })
}

fn checksum(text: &str) -> String {
    let digest = digest(&SHA256, text.as_bytes());
    digest.as_ref()[..8].iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A journal that was read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Journal {
    /// What happened.
    pub entries: Vec<Entry>,
    /// Bytes that are good; what follows is the rest of a line that was not finished.
    pub good: usize,
}

/// Why a journal cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "line {line} of the journal is broken, and good lines follow it: this is no crash but damage. \
     Keep the file, and remove that line from a copy to go on without it"
)]
pub struct JournalError {
    /// The first line that cannot be read.
    pub line: usize,
}

impl Journal {
    /// Reads the bytes of a journal, as far as they are good. Bad bytes at the end are what a
    /// crash leaves; good lines after bad ones are not.
    pub fn read(bytes: &[u8]) -> Result<Journal, JournalError> {
        let mut journal = Journal::default();
        let mut broken = None;
        for (index, line) in bytes.split_inclusive(|&byte| byte == b'\n').enumerate() {
            match (read_line(line), broken) {
                (Some(entry), None) => {
                    journal.entries.push(entry);
                    journal.good += line.len();
                }
                (Some(_), Some(line)) => return Err(JournalError { line }),
                (None, None) => broken = Some(index + 1),
                (None, Some(_)) => {}
            }
        }
        Ok(journal)
    }
}

fn read_line(line: &[u8]) -> Option<Entry> {
    let line = std::str::from_utf8(line.strip_suffix(b"\n")?).ok()?;
    let (sum, text) = line.split_once(' ')?;
    (checksum(text) == sum).then(|| Entry::parse(text)).flatten()
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU32;

    use super::*;

    fn entries() -> Vec<Entry> {
        let id = || "s+test-600-10+a+b+20261115210000".to_owned();
        let secret = Secret::with_rounds("x", NonZeroU32::MIN).unwrap();
        let end = |winner, mark, word| Entry::End {
            id: id(),
            end: End { winner, mark, word, note: "a 'note'\u{1}".to_owned() },
        };
        vec![
            Entry::Account { name: "a".to_owned(), secret },
            Entry::Game {
                id: id(),
                name: "test-600-10".parse().unwrap(),
                players: ["a".to_owned(), "b".to_owned()],
                rules: Rules { impasse: Impasse::Points24, max_moves: None, ..Rules::default() },
                began: 1_700_000_000,
            },
            Entry::Move { id: id(), mv: "+7776FU".to_owned(), units: 3, comment: None },
            Entry::Move {
                id: id(),
                mv: "-3334FU".to_owned(),
                units: 0,
                comment: Some("* 1 \"日本\"".to_owned()),
            },
            Entry::Clock { id: id(), elapsed: Duration::from_millis(1_234) },
            end(Some(Side::Second), Mark::Resign, Some((Special::Resign, 4))),
            end(None, Mark::Repetition, None),
        ]
    }

    #[test]
    fn a_journal_cut_off_anywhere_is_read_up_to_there() {
        let entries = entries();
        let lines: Vec<String> = entries.iter().map(Entry::line).collect();
        let text = lines.concat();
        let whole = Journal::read(text.as_bytes()).unwrap();
        assert_eq!((&whole.entries, whole.good), (&entries, text.len()));
        for cut in 0..text.len() {
            let journal = Journal::read(&text.as_bytes()[..cut]).unwrap();
            let mut good = 0;
            let count = lines.iter().take_while(|line| {
                good += line.len();
                good <= cut
            });
            let count = count.count();
            assert_eq!(journal.entries, entries[..count], "cut at {cut}");
            assert_eq!(journal.good, lines[..count].iter().map(String::len).sum::<usize>());
        }
    }

    #[test]
    fn damage_is_told_from_a_crash() {
        let text: String = entries().iter().map(Entry::line).collect();
        let mut bytes = text.clone().into_bytes();
        bytes[30] ^= 1;
        assert_eq!(Journal::read(&bytes), Err(JournalError { line: 1 }));
        let last = text.trim_end().rfind('\n').unwrap();
        let mut bytes = text.into_bytes();
        bytes[last + 30] ^= 1;
        assert_eq!(Journal::read(&bytes).unwrap().entries.len(), entries().len() - 1);
    }
}
