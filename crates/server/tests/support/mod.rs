//! A hall with players in virtual time: what it sends is heard at once, what it writes is kept
//! as bytes, and it can be killed between any two outputs.
#![allow(dead_code, clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::num::NonZeroU32;
use std::time::Duration;

use senbon_games::Rng;
use senbon_server::{Conn, Event, Hall, Journal, Limits, Output, Rules, Secret, Settings};

pub(crate) const SECOND: Duration = Duration::from_secs(1);

pub(crate) fn settings() -> Settings {
    Settings {
        name: "s".to_owned(),
        game: "test-60-5".parse().unwrap(),
        rules: Rules::default(),
        continuous: false,
        listed: None,
        agree: 30 * SECOND,
        wait: 60 * SECOND,
        limits: Limits::default(),
        opened: 1_700_000_000,
        seed: 1,
    }
}

pub(crate) struct World {
    pub(crate) hall: Hall,
    pub(crate) settings: Settings,
    /// Since the hall was opened the last time.
    pub(crate) now: Duration,
    pub(crate) journal: Vec<u8>,
    /// Bytes of it that a crash cannot take away.
    pub(crate) synced: usize,
    /// Lines that connections have been sent and not looked at.
    pub(crate) heard: BTreeMap<Conn, Vec<String>>,
    pub(crate) closed: Vec<Conn>,
    pub(crate) records: BTreeMap<String, String>,
    pub(crate) events: Vec<Event>,
    next: u64,
}

impl World {
    pub(crate) fn new(settings: Settings) -> Self {
        let mut world = World {
            hall: Hall::new(settings.clone(), Vec::new()),
            settings,
            now: Duration::ZERO,
            journal: Vec::new(),
            synced: 0,
            heard: BTreeMap::new(),
            closed: Vec::new(),
            records: BTreeMap::new(),
            events: Vec::new(),
            next: 0,
        };
        world.drain();
        world
    }

    /// Does what the hall says, all of it.
    pub(crate) fn drain(&mut self) {
        self.drain_some(usize::MAX);
    }

    /// Does at most so many things that the hall says, in its order.
    pub(crate) fn drain_some(&mut self, most: usize) {
        for _ in 0..most {
            let Some(output) = self.hall.poll() else { return };
            match output {
                Output::Send(conn, text) => {
                    self.synced = self.journal.len();
                    let lines = text.lines().map(str::to_owned);
                    self.heard.entry(conn).or_default().extend(lines);
                }
                Output::Close(conn) => {
                    self.closed.push(conn);
                    self.hall.handle_closed(self.now, conn);
                }
                Output::Journal(entry) => {
                    self.journal.extend(entry.line().into_bytes());
                }
                Output::Record(id, text) => {
                    self.synced = self.journal.len();
                    self.records.entry(id).or_insert(text);
                }
                Output::Check(conn, secret, password) => {
                    self.hall.handle_checked(self.now, conn, secret.matches(&password));
                }
                Output::Hash(conn, password) => {
                    let secret = Secret::with_rounds(&password, NonZeroU32::MIN).ok();
                    self.hall.handle_hashed(self.now, conn, secret);
                }
                Output::Log(event) => self.events.push(event),
            }
        }
    }

    /// Kills the server: what is not on the disk is gone, and a new one reads what there is.
    /// The time while it is down is nobody's: the new one's clock begins at nothing.
    pub(crate) fn kill(&mut self, rng: &mut Rng) {
        let unsure = self.journal.len() - self.synced;
        self.journal.truncate(self.synced + rng.below(unsure + 1));
        let Journal { entries, good } = Journal::read(&self.journal).unwrap();
        self.journal.truncate(good);
        self.settings.opened += self.now.as_secs() + 1_000;
        self.hall = Hall::new(self.settings.clone(), entries);
        self.now = Duration::ZERO;
        self.heard.clear();
        self.drain();
        // As the live server does: the new journal has what is not over, and no more.
        let snapshot = self.hall.snapshot(self.now);
        self.journal = snapshot.iter().map(|entry| entry.line()).collect::<String>().into();
        self.synced = self.journal.len();
    }

    pub(crate) fn connect(&mut self) -> Conn {
        self.next += 1;
        let conn = Conn(self.next);
        self.hall.handle_open(self.now, conn, "192.0.2.1");
        self.drain();
        conn
    }

    pub(crate) fn say(&mut self, conn: Conn, lines: &str) {
        for line in lines.split('\n') {
            self.hall.handle_line(self.now, conn, line);
            self.drain();
        }
    }

    pub(crate) fn login(&mut self, name: &str) -> Conn {
        let conn = self.connect();
        self.say(conn, &format!("LOGIN {name} secret"));
        conn
    }

    pub(crate) fn cut(&mut self, conn: Conn) {
        self.hall.handle_closed(self.now, conn);
        self.drain();
    }

    pub(crate) fn pass(&mut self, time: Duration) {
        let until = self.now + time;
        while let Some(at) = self.hall.poll_timeout().filter(|&at| at <= until) {
            self.now = self.now.max(at);
            self.hall.handle_timeout(self.now);
            self.drain();
        }
        self.now = until;
    }

    /// What a connection has heard since it was last asked.
    pub(crate) fn hear(&mut self, conn: Conn) -> Vec<String> {
        self.heard.remove(&conn).unwrap_or_default()
    }

    /// Two players in a game that has begun: Black and White.
    pub(crate) fn game(&mut self) -> [Conn; 2] {
        let pair = [self.login("a"), self.login("b")];
        self.begin(pair)
    }

    /// Both have been offered a game and agree.
    pub(crate) fn begin(&mut self, pair: [Conn; 2]) -> [Conn; 2] {
        let mut black = None;
        for conn in pair {
            let heard = self.hear(conn);
            let turn = heard.iter().find_map(|line| line.strip_prefix("Your_Turn:"));
            if turn.unwrap_or_else(|| panic!("no offer in {heard:?}")) == "+" {
                black = Some(conn);
            }
            self.say(conn, "AGREE");
        }
        let black = black.unwrap();
        let [one, other] = pair;
        let pair = if one == black { [one, other] } else { [other, one] };
        for conn in pair {
            assert!(self.hear(conn)[0].starts_with("START:"));
        }
        pair
    }
}
