//! When the game is written into the journal, and when it is read from there.

use std::time::Duration;

use senbon_core::{Coordinator, Memory, Order};
use senbon_games::Notation;

use crate::GameJournal;

/// How often the game is written while it is searched.
const PAUSE: Duration = Duration::from_secs(1);

/// Writes what a coordinator knows.
pub(crate) struct Scribe {
    journal: GameJournal,
    /// Something was searched since the start, or since the last game began.
    begun: bool,
    searching: bool,
    written: Duration,
}

impl Scribe {
    pub(crate) fn new(journal: GameJournal) -> Self {
        Scribe { journal, begun: false, searching: false, written: Duration::ZERO }
    }

    /// Takes note of an order before it is obeyed; what is known of the position to be
    /// searched, if this is the first search.
    ///
    /// GUIs that start an engine again in the middle of a game begin with a new game, too: so
    /// that forgets only what this process has searched itself.
    pub(crate) fn before<G: Notation>(&mut self, order: &Order<G>) -> Option<Memory<G>> {
        match order {
            Order::Search(search) => {
                let first = !std::mem::replace(&mut self.begun, true);
                first.then(|| self.journal.find(&search.place)).flatten()
            }
            Order::NewGame => {
                if std::mem::take(&mut self.begun) {
                    self.journal.forget();
                }
                None
            }
            _ => None,
        }
    }

    /// Writes the game down: now and then while it is searched, and when that is over.
    pub(crate) fn write<G: Notation>(&mut self, now: Duration, coordinator: &Coordinator<G>) {
        let searching = coordinator.progress(now).is_some();
        let over = self.searching && !searching;
        self.searching = searching;
        let due = self.begun && now >= self.written + PAUSE;
        if (over || due)
            && let Some(memory) = coordinator.recall()
        {
            self.written = now;
            self.journal.keep(&memory);
        }
    }
}
