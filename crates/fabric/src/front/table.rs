//! The rank table that the user names.

use std::fs::File;
use std::io::Read;
use std::str::FromStr;

use senbon_core::RankTable;

/// A file larger than this is no rank table.
const LARGEST: u64 = 64 * 1024;

/// A rank table and the file it was read from; without a name the published one.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TableFile {
    name: String,
    table: RankTable,
}

impl TableFile {
    /// The file's name as the user gave it; empty for the published table.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The table.
    pub fn table(&self) -> &RankTable {
        &self.table
    }
}

impl FromStr for TableFile {
    type Err = String;

    /// Reads the table of the file with this name. The error says the file and what to do.
    fn from_str(name: &str) -> Result<Self, String> {
        let name = name.trim();
        if name.is_empty() {
            return Ok(TableFile::default());
        }
        let mut text = String::new();
        File::open(name)
            // One more than allowed, so that the reader below sees that it is too long.
            .and_then(|file| file.take(LARGEST + 1).read_to_string(&mut text))
            .map_err(|error| format!("cannot read the rank table {name}: {error}"))?;
        let table = RankTable::parse(&text).map_err(|error| {
            format!("{name} is not a rank table: {error}; see docs/protocol.md for the format")
        })?;
        Ok(TableFile { name: name.to_owned(), table })
    }
}

#[cfg(test)]
mod tests {
    use senbon_engines::universal::Dialect;

    use super::super::config::{Config, Effect};
    use super::*;

    #[test]
    fn the_pipeline_gets_the_table_that_was_named() {
        let folder = std::env::temp_dir();
        let file = |name: &str, text: &str| {
            let path = folder.join(format!("senbon-{name}-{}", std::process::id()));
            std::fs::write(&path, text).unwrap();
            path.to_str().unwrap().to_owned()
        };
        let good = file("good-table", &RankTable::format_counts(&[3, 1], 0, &[]));
        let bad = file("bad-table", "senbon-rank-table 1\ncounts\n1 x\n");
        let long = file("long-table", &"#".repeat(1 << 20));
        for dialect in [Dialect::Uci, Dialect::Usi] {
            let mut config = Config::default();
            let mut set = |value: &str| {
                let effect = config.set(dialect, false, "RankTable", Some(value));
                (effect, config.settings().table)
            };
            let counted = RankTable::from_counts(&[3, 1], 0).unwrap();
            assert_eq!(set(&good), (Ok(Effect::Adjust), counted.clone()));
            for (name, reason) in
                [(bad.as_str(), "line 3: 'x'"), ("/no/such", "cannot read"), (&long, "longer than")]
            {
                let (effect, table) = set(name);
                let error = effect.unwrap_err();
                assert!(error.contains(reason) && error.contains(name), "{error}");
                assert_eq!(table, counted, "the old table stays");
            }
            assert_eq!(set("<empty>"), (Ok(Effect::Adjust), RankTable::published()));
        }
        for path in [good, bad, long] {
            let _ = std::fs::remove_file(path);
        }
    }
}
