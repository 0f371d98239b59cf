//! Who works for a master: kept beside the coordinator, shown to whoever asks (`senbon workers`).

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use senbon_core::{Ability, Coordinator, Fault, WorkerId};
use senbon_games::Notation;
use serde_json::{Value, json};

use crate::View;

/// What the machine of the master itself is called.
const HERE: &str = "here";
/// Machines whose losses are remembered; names come from outside.
const MOST_HOSTS: usize = 4096;
/// How often the board is written.
const PAUSE: Duration = Duration::from_millis(500);

/// Where the newest state hangs, as JSON. Clones are the same board.
#[derive(Clone, Default)]
pub(crate) struct Board(Arc<Mutex<String>>);

impl Board {
    pub(crate) fn read(&self) -> String {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn write(&self, text: String) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = text;
    }
}

/// A worker that is there.
struct Member {
    host: String,
    engine: String,
    /// Mean round trip, of one on another machine.
    latency: Option<Duration>,
}

/// What happened to the engines of a machine.
#[derive(Default)]
struct History {
    lost: u64,
    last_fault: Option<String>,
}

/// All workers and what happened to them.
pub(crate) struct Roster {
    board: Board,
    members: BTreeMap<WorkerId, Member>,
    history: BTreeMap<String, History>,
    /// The hosts of workers that are about to join.
    announced: BTreeMap<WorkerId, String>,
    refused: Option<String>,
    next_write: Duration,
}

impl Roster {
    pub(crate) fn new(board: Board) -> Self {
        Roster {
            board,
            members: BTreeMap::new(),
            history: BTreeMap::new(),
            announced: BTreeMap::new(),
            refused: None,
            next_write: Duration::ZERO,
        }
    }

    /// The worker that joins next by this number is on another machine.
    pub(crate) fn announce(&mut self, id: WorkerId, host: String) {
        self.announced.insert(id, host);
    }

    pub(crate) fn joined(&mut self, id: WorkerId, ability: &Ability) {
        let host = self.announced.remove(&id);
        let engine = match &host {
            Some(host) => ability.name.trim_end_matches(&format!(" on {host}")).to_owned(),
            None => ability.name.clone(),
        };
        let host = host.unwrap_or_else(|| HERE.to_owned());
        self.members.insert(id, Member { host, engine, latency: None });
    }

    pub(crate) fn left(&mut self, id: WorkerId, fault: &Fault) {
        let host = self.members.remove(&id).map_or_else(|| HERE.to_owned(), |gone| gone.host);
        if self.history.len() < MOST_HOSTS || self.history.contains_key(&host) {
            let history = self.history.entry(host).or_default();
            history.lost += 1;
            history.last_fault = Some(fault.to_string());
        }
    }

    pub(crate) fn latency(&mut self, id: WorkerId, mean: Duration) {
        if let Some(member) = self.members.get_mut(&id) {
            member.latency = Some(mean);
        }
    }

    pub(crate) fn refused(&mut self, line: &str) {
        self.refused = Some(line.to_owned());
    }

    /// When the board is to be written next.
    pub(crate) fn next_write(&self) -> Duration {
        self.next_write
    }

    /// Writes the board, if it is time.
    pub(crate) fn write<G: Notation>(&mut self, now: Duration, coordinator: &Coordinator<G>) {
        if now >= self.next_write {
            self.next_write = now + PAUSE;
            self.board.write(self.state(now, coordinator).to_string());
        }
    }

    fn state<G: Notation>(&self, now: Duration, coordinator: &Coordinator<G>) -> Value {
        let mut slots: BTreeMap<&str, usize> = BTreeMap::new();
        for member in self.members.values() {
            *slots.entry(&member.host).or_default() += 1;
        }
        let view = View::of(coordinator, now);
        let nodes = view.nodes.iter().filter_map(|node| Some((node.worker?, node)));
        let nodes: BTreeMap<u32, _> = nodes.collect();
        let workers = self.members.iter().map(|(id, member)| {
            let node = nodes.get(&id.0).filter(|_| view.progress.is_some());
            let history = self.history.get(&member.host);
            json!({
                "worker": id.0,
                "host": member.host,
                "engine": member.engine,
                "slots": slots[member.host.as_str()],
                "nps": coordinator.speed_of(*id),
                "latency_ms": member.latency.map(|time| time.as_secs_f64() * 1e3),
                "searching": node.map(|node| node.way.clone()),
                "depth": node.map(|node| node.depth),
                "restarts": history.map_or(0, |history| history.lost),
                "last_fault": history.and_then(|history| history.last_fault.as_deref()),
            })
        });
        let gone = self.history.iter().filter(|(host, _)| !slots.contains_key(host.as_str()));
        json!({
            "game": G::NAME,
            "seconds": now.as_secs_f64(),
            "workers": workers.collect::<Vec<_>>(),
            "gone": gone.map(|(host, history)| json!({
                "host": host, "restarts": history.lost, "last_fault": history.last_fault,
            })).collect::<Vec<_>>(),
            "refused": self.refused,
        })
    }
}
