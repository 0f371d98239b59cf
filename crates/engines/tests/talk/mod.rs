//! An engine's side of a dialogue, spoken by a test.
// Each test program uses its part.
#![allow(dead_code)]

use std::time::Duration;

use senbon_core::{Ability, Epoch, Fault, Limits, Order, Place, Report, Search};
use senbon_engines::dialogue::{Dialogue, Manners, Patience, Said};
use senbon_engines::universal::Dialect;
use senbon_games::Notation;
use senbon_games::chess::Chess;

pub(crate) const NOW: Duration = Duration::ZERO;

/// A dialogue, and what it said that was not for the engine.
pub(crate) struct Talk {
    pub(crate) dialogue: Dialogue<Chess>,
    pub(crate) ready: Option<Ability>,
    pub(crate) reports: Vec<Report<Chess>>,
    pub(crate) failed: Option<Fault>,
}

impl Talk {
    pub(crate) fn new(manners: Option<Manners>) -> Self {
        let wishes = vec![("Hash".to_owned(), Some("8".to_owned())), ("Nonsense".to_owned(), None)];
        let dialogue = Dialogue::new(NOW, Dialect::Uci, wishes, manners, Patience::default());
        Talk { dialogue, ready: None, reports: Vec::new(), failed: None }
    }

    /// Past the greeting, as the engine `name`.
    pub(crate) fn ready(name: &str) -> Self {
        // One that nobody knows is taken by its word: nothing to be found out.
        let manners = Manners::known(name).is_none().then(Manners::by_the_book);
        let mut talk = Talk::new(manners);
        talk.hears("uci");
        talk.says(&format!("id name {name}"));
        talk.says("option name Hash type spin default 16 min 1 max 1024");
        talk.says("option name MultiPV type spin default 1 min 1 max 500");
        talk.says("uciok");
        talk.hears("setoption name Hash value 8");
        talk.hears("isready");
        talk.says("readyok");
        talk.is_silent();
        assert!(talk.ready.is_some());
        talk
    }

    pub(crate) fn next(&mut self) -> Option<String> {
        while let Some(said) = self.dialogue.poll() {
            match said {
                Said::Send(line) => return Some(line),
                Said::Ready(ability) => self.ready = Some(ability),
                Said::Tell(report) => self.reports.push(report),
                Said::Failed(fault) => self.failed = Some(fault),
            }
        }
        None
    }

    pub(crate) fn hears(&mut self, line: &str) {
        assert_eq!(self.next().as_deref(), Some(line));
    }

    pub(crate) fn is_silent(&mut self) {
        assert_eq!(self.next(), None);
    }

    pub(crate) fn says(&mut self, line: &str) {
        self.dialogue.handle_line(NOW, line);
    }

    pub(crate) fn order(&mut self, order: Order<Chess>) {
        self.dialogue.handle_order(NOW, order);
    }

    pub(crate) fn done(&mut self) -> (Epoch, Option<String>) {
        self.is_silent();
        match self.reports.pop() {
            Some(Report::Done { epoch, best, .. }) => {
                (epoch, best.map(|mv| Chess::start().format_move(mv)))
            }
            other => panic!("{other:?}"),
        }
    }
}

pub(crate) fn search(epoch: u64, only: &[&str]) -> Order<Chess> {
    let place = Place::new(Chess::start());
    let only = only.iter().map(|text| place.position().parse_move(text).unwrap()).collect();
    let limits = Limits { infinite: true, ..Limits::default() };
    Order::Search(Search { epoch: Epoch(epoch), place, only, lines: 1, limits })
}
