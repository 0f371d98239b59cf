//! A worker in virtual time.

use std::collections::VecDeque;
use std::sync::Arc;

use senbon_core::WorkerId;
use senbon_core::minimal::{Desk, Finding, Sheet, Work};
use senbon_games::{Branching, Game};
use senbon_search::fixed::{Fixed, Pool};

use super::ring::{Entry, Parcel};

/// What arrives at a worker.
pub(super) enum Mail<G: Game> {
    Sheet(Sheet<G>),
    Parcel(Parcel),
}

pub(super) struct Worker<G: Game, B> {
    pub id: WorkerId,
    /// Its foreman, if it has one.
    pub boss: Option<u32>,
    updates: bool,
    stride: u8,
    root: G,
    search: Fixed<G, B>,
    desk: Desk<G::Move>,
    current: Option<Work>,
    /// The desk is as it was when `current` was chosen.
    chosen: bool,
    /// By time of arrival.
    pub mail: VecDeque<(u64, Mail<G>)>,
    /// Its time.
    pub clock: u64,
    /// Nanoseconds a node.
    pub node: u64,
    /// Since when it has had nothing to do.
    idle_since: Option<u64>,
    pub idle: Idle,
    /// An event for it is in the queue, for this time.
    pub woken_at: Option<u64>,
    pub full_windows: u64,
    pub finished: u64,
    /// The same, of searches to the full depth alone.
    pub ended_full: u64,
    pub ended: u64,
    /// Plies of the whole tree.
    depth: u8,
}

/// Time without work, in nanoseconds.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Idle {
    pub start_up: u64,
    pub other: u64,
    /// It has had a task.
    begun: bool,
}

impl<G: Game, B: Branching<G> + Clone> Worker<G, B> {
    pub(super) fn new(id: WorkerId, root: &G, branching: B, set_up: &super::Trial) -> Self {
        let mut search = Fixed::new(root.clone(), branching, set_up.memory);
        search.remember_from(set_up.remember_from);
        search.note_to(set_up.shares);
        search.scout(set_up.scouts);
        search.deepen_by(set_up.settings.stride);
        Worker {
            id,
            boss: None,
            updates: set_up.updates,
            stride: set_up.settings.stride,
            root: root.clone(),
            search,
            desk: Desk::new(set_up.updates).deepening_by(set_up.settings.stride),
            current: None,
            chosen: false,
            mail: VecDeque::new(),
            clock: 0,
            node: set_up.costs.node,
            idle_since: Some(0),
            idle: Idle::default(),
            woken_at: None,
            full_windows: 0,
            finished: 0,
            ended_full: 0,
            ended: 0,
            depth: set_up.settings.depth,
        }
    }

    /// It remembers positions together with others from now on, or by itself.
    pub(super) fn share(&mut self, pool: Option<Arc<Pool>>) {
        self.search.share(pool);
        self.current = None;
        self.chosen = false;
    }

    pub(super) fn nodes(&self) -> senbon_search::Nodes {
        self.search.nodes()
    }

    pub(super) fn remembers(&self) -> usize {
        self.search.memo().bytes()
    }

    /// It came at `from`; if it is a new one, it is idle since then.
    pub(super) fn came(&mut self, from: u64) {
        if self.clock == 0 {
            self.idle_since = Some(from);
        }
        self.clock = self.clock.max(from);
    }

    /// Its foreman is gone: it has nothing to do, but it knows what it has learnt.
    pub(super) fn lose_boss(&mut self) {
        self.boss = None;
        self.desk = Desk::new(self.updates).deepening_by(self.stride);
        self.search.lay_aside();
        self.current = None;
        self.chosen = false;
        self.mail.retain(|(_, mail)| matches!(mail, Mail::Parcel(_)));
        self.idle_since = self.idle_since.or(Some(self.clock));
    }

    /// Mail comes in the order in which it was sent, as sessions see to; when it comes is told.
    pub(super) fn deliver(&mut self, at: u64, mail: Mail<G>) -> u64 {
        let at = self.mail.back().map_or(at, |&(last, _)| at.max(last));
        self.mail.push_back((at, mail));
        at
    }

    pub(super) fn take_sheet(&mut self, sheet: Sheet<G>) {
        self.desk.handle_sheet(sheet.pass, &sheet.tasks, sheet.ways, sheet.whole);
        self.chosen = false;
    }

    pub(super) fn learn(&mut self, parcel: &Parcel) {
        for entry in parcel {
            let memo = self.search.memo_mut();
            if memo.get(entry.key).is_none_or(|own| own.depth < entry.known.depth) {
                memo.put(entry.key, entry.known);
            }
        }
    }

    pub(super) fn own_entries(&mut self, origin: u32) -> Vec<Entry> {
        let mut keys = self.search.take_noted();
        keys.sort_unstable();
        keys.dedup();
        let known = |key| Some(Entry { key, known: self.search.memo().get(key)?, origin });
        keys.into_iter().filter_map(known).collect()
    }

    /// Turns to the most important task; false when there is none.
    pub(super) fn choose(&mut self) -> bool {
        if self.chosen {
            return self.current.is_some();
        }
        let best = self.desk.work();
        self.chosen = true;
        if self.current == best && best.is_some() {
            return true;
        }
        let Some(work) = best else {
            self.search.lay_aside();
            self.current = None;
            if self.idle_since.is_none() {
                self.idle_since = Some(self.clock);
            }
            return false;
        };
        if let Some(since) = self.idle_since.take() {
            let waited = self.clock - since;
            let idle = &mut self.idle;
            if idle.begun {
                idle.other += waited
            } else {
                idle.start_up += waited
            }
            idle.begun = true;
        }
        let mut position = self.root.clone();
        for &mv in self.desk.way(work.leaf).unwrap_or_default() {
            position.play(mv);
        }
        let (alpha, beta) = work.window;
        self.search.start(&position, work.depth, alpha, beta);
        self.current = Some(work);
        true
    }

    /// Searches until `until`, or to the end of a search if that is earlier.
    pub(super) fn search(&mut self, until: u64) -> Option<Finding> {
        let room = until.saturating_sub(self.clock).div_ceil(self.node.max(1)).max(1);
        let before = self.search.nodes().total();
        let value = self.search.run(room);
        // Being told from memory takes time, too.
        let spent = (self.search.nodes().total() - before).max(1);
        self.clock += spent * self.node;
        let (value, work) = (value?, self.current.take()?);
        self.chosen = false;
        self.finished += 1;
        let open = senbon_games::HIGHEST;
        let full = u64::from(work.window == (-open, open));
        self.full_windows += full;
        let above = self.desk.way(work.leaf).map_or(0, <[_]>::len);
        if above + usize::from(work.depth) >= usize::from(self.depth) {
            self.ended += 1;
            self.ended_full += full;
        }
        let (nodes, best) = (self.search.effort(), self.search.favourite());
        Some(self.desk.handle_value(work, value, nodes, best))
    }

    /// The search is over at `end`.
    pub(super) fn close(&mut self, end: u64) {
        if let Some(since) = self.idle_since.take() {
            let waited = end.saturating_sub(since);
            if self.idle.begun { self.idle.other += waited } else { self.idle.start_up += waited }
        }
    }
}
