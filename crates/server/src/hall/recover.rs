//! A hall opened again, from what the last one wrote down.

use std::collections::BTreeMap;
use std::time::Duration;

use super::games::Hosted;
use super::pairing::Pairing;
use super::{Hall, Output, Settings};
use crate::{End, Entry, Table, record};

impl Hall {
    /// Opens a hall. Games in `entries` that have not ended wait for their players; records of
    /// those that have are written if they are missing.
    pub fn new(settings: Settings, entries: Vec<Entry>) -> Self {
        let mut hall = Hall {
            pairing: Pairing::new(settings.seed),
            settings,
            accounts: BTreeMap::new(),
            guests: BTreeMap::new(),
            players: BTreeMap::new(),
            failures: BTreeMap::new(),
            games: BTreeMap::new(),
            seats: BTreeMap::new(),
            next_tick: Duration::ZERO,
            last_date: 0,
            output: Default::default(),
        };
        let mut tables: BTreeMap<String, Table> = BTreeMap::new();
        for entry in entries {
            hall.remember(&mut tables, entry);
        }
        for (id, table) in tables {
            for player in &table.players {
                hall.seats.insert(player.clone(), id.clone());
            }
            hall.games.insert(id, Hosted::suspended(table));
        }
        hall
    }

    fn remember(&mut self, tables: &mut BTreeMap<String, Table>, entry: Entry) {
        match entry {
            Entry::Account { name, secret } => {
                self.accounts.insert(name, secret);
            }
            Entry::Game { id, name, players, rules, began } => {
                self.last_date = self.last_date.max(began);
                tables.insert(id.clone(), Table::new(id, name, players, rules, began));
            }
            Entry::Move { id, mv, units, comment } => {
                // What was written down was legal; if it is not, the game stands before it.
                if let Some(table) = tables.get_mut(&id) {
                    let _ = table.replay(&mv, units, comment);
                }
            }
            Entry::Clock { id, elapsed } => {
                if let Some(table) = tables.get_mut(&id) {
                    table.set_elapsed(elapsed);
                }
            }
            Entry::End { id, end } => {
                if let Some(table) = tables.remove(&id) {
                    self.write_record(&table, &end);
                }
            }
        }
    }

    pub(super) fn write_record(&mut self, table: &Table, end: &End) {
        let text = record::write(table, end);
        self.output.push_back(Output::Record(table.id.clone(), text));
    }
}
