//! Everything of the server that has no input or output: who is here, who waits, who plays.
//!
//! Tell it of connections, lines and the time, then do what [`Hall::poll`] says, in that
//! order: what is in the journal before a line is sent must be on the disk before it is sent.
//! Times are since the hall was opened. Passwords are looked at elsewhere, as that takes long.

mod event;
mod games;
mod guest;
mod login;
mod meta;
mod pairing;
mod recover;

use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

use senbon_engines::csa::{ClientLine, GameName, ServerLine};

use crate::{Entry, Rules, Secret};
pub use event::Event;
use games::Hosted;
use guest::{Bucket, Guest, Stage};
pub use guest::{Conn, Limits};
use pairing::{Pairing, Waiting};

/// What the hall wants done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Output {
    /// Send these lines; each has its line end.
    Send(Conn, String),
    /// Close the connection, when what was sent is gone.
    Close(Conn),
    /// Write this into the journal.
    Journal(Entry),
    /// Write the record of a finished game, if there is none of this name yet.
    Record(String, String),
    /// Say by [`Hall::handle_checked`] whether this is the password.
    Check(Conn, Secret, String),
    /// Tell by [`Hall::handle_hashed`] what is to be stored for this password.
    Hash(Conn, String),
    /// Tell whoever runs the server.
    Log(Event),
}

/// How the hall is run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Names of games begin with it.
    pub name: String,
    /// What players get who do not name a game.
    pub game: GameName,
    /// For all games.
    pub rules: Rules,
    /// Players wait for the next game as soon as one is over.
    pub continuous: bool,
    /// Who may log in. Without such a list, whoever comes with a new name gets an account.
    pub listed: Option<BTreeMap<String, Secret>>,
    /// How long a player may take to agree.
    pub agree: Duration,
    /// How long a game that was broken off waits for its second player, once the first is back.
    pub wait: Duration,
    /// How many, how long, how fast.
    pub limits: Limits,
    /// When the hall was opened, in seconds since 1970.
    pub opened: u64,
    /// Draws colours.
    pub seed: u64,
}

/// The running turn's time is written down so often.
const TICK: Duration = Duration::from_secs(1);

/// The hall.
#[derive(Debug)]
pub struct Hall {
    settings: Settings,
    accounts: BTreeMap<String, Secret>,
    guests: BTreeMap<Conn, Guest>,
    /// Who is logged in, and where.
    players: BTreeMap<String, Conn>,
    /// Wrong passwords by address.
    failures: BTreeMap<String, Bucket>,
    pairing: Pairing,
    games: BTreeMap<String, Hosted>,
    /// The game of each player.
    seats: BTreeMap<String, String>,
    next_tick: Duration,
    /// The date in the last game's name; no two games have the same.
    last_date: u64,
    output: VecDeque<Output>,
}

impl Hall {
    /// What to do next, if anything.
    pub fn poll(&mut self) -> Option<Output> {
        self.output.pop_front()
    }

    /// When [`Hall::handle_timeout`] wants to be called.
    pub fn poll_timeout(&self) -> Option<Duration> {
        let silent = self.guests.values().filter(|guest| matches!(guest.stage, Stage::New));
        let silent = silent.map(|guest| guest.opened + self.settings.limits.silence).min();
        let games = self.games.values().filter_map(Hosted::next).min();
        let running = self.games.values().any(|game| game.table.is_running());
        let tick = running.then_some(self.next_tick);
        [silent, games, tick, self.pairing.next()].into_iter().flatten().min()
    }

    /// How many games are there, running or not.
    pub fn games(&self) -> usize {
        self.games.len()
    }

    /// Everything that must not be forgotten, for a new journal.
    pub fn snapshot(&self, now: Duration) -> Vec<Entry> {
        let account = |(name, secret): (&String, &Secret)| Entry::Account {
            name: name.clone(),
            secret: secret.clone(),
        };
        let mut entries: Vec<Entry> = self.accounts.iter().map(account).collect();
        for game in self.games.values().filter(|game| game.has_begun()) {
            entries.extend(Entry::of_table(&game.table, now));
        }
        entries
    }

    /// Somebody has connected.
    pub fn handle_open(&mut self, now: Duration, conn: Conn, address: &str) {
        let limits = self.settings.limits;
        let here = self.guests.values().filter(|guest| guest.address == address).count();
        self.guests.insert(conn, Guest::new(address, now));
        if self.guests.len() > limits.connections {
            self.send_away(now, conn, "the server is full");
        } else if here >= limits.per_address {
            self.send_away(now, conn, "too many connections from one address");
        }
    }

    /// A connection is gone.
    pub fn handle_closed(&mut self, now: Duration, conn: Conn) {
        self.leave(now, conn);
        self.guests.remove(&conn);
    }

    /// Somebody sent a line that was too long.
    pub fn handle_long_line(&mut self, now: Duration, conn: Conn) {
        self.send_away(now, conn, "a line that is too long");
    }

    /// Somebody sent a line.
    pub fn handle_line(&mut self, now: Duration, conn: Conn, line: &str) {
        let limits = self.settings.limits;
        let Some(guest) = self.guests.get_mut(&conn) else { return };
        if !guest.bucket.line(now, &limits) {
            return self.send_away(now, conn, "too many lines");
        }
        let extended = guest.extended;
        let line = match (ClientLine::parse(line), &guest.stage) {
            // Its time is past, or its password is being looked at.
            (_, Stage::Gone | Stage::Checking { .. }) => return,
            (Ok(ClientLine::KeepAlive), _) => return self.send(conn, &ServerLine::KeepAlive),
            (Ok(ClientLine::Login { name, password, extended }), Stage::New) => {
                return self.login(now, conn, name, &password, extended);
            }
            (_, Stage::New) => return self.send_away(now, conn, "no LOGIN"),
            (Ok(line), Stage::In(_)) => line,
            (Err(error), Stage::In(_)) => {
                if extended {
                    self.info(conn, &format!("[ERROR] {error}"));
                }
                return;
            }
        };
        self.handle(now, conn, line);
    }

    fn handle(&mut self, now: Duration, conn: Conn, line: ClientLine) {
        match line {
            ClientLine::Agree(_) => self.agree(now, conn),
            ClientLine::Reject(_) => self.reject(now, conn),
            ClientLine::Move { mv, comment } => self.play(now, conn, &mv, comment),
            ClientLine::Special(special) => self.special(now, conn, special),
            ClientLine::Meta(meta) => {
                if self.guests.get(&conn).is_some_and(|guest| guest.extended) {
                    self.meta(now, conn, meta);
                }
            }
            ClientLine::Logout => {
                self.send(conn, &ServerLine::LogoutCompleted);
                self.close(now, conn);
            }
            ClientLine::Login { .. }
            | ClientLine::Challenge
            | ClientLine::Comment(_)
            | ClientLine::KeepAlive => {}
        }
    }

    /// The time has come.
    pub fn handle_timeout(&mut self, now: Duration) {
        let silence = self.settings.limits.silence;
        let late =
            |guest: &Guest| matches!(guest.stage, Stage::New) && now >= guest.opened + silence;
        let silent = self.guests.iter().filter(|(_, guest)| late(guest));
        for conn in silent.map(|(&conn, _)| conn).collect::<Vec<_>>() {
            self.send_away(now, conn, "no LOGIN in time");
        }
        self.look_at_games(now);
        self.failures.retain(|_, bucket| !bucket.is_empty(now));
        if now >= self.next_tick {
            self.next_tick = now + TICK;
            for game in self.games.values().filter(|game| game.table.is_running()) {
                let (id, elapsed) = (game.table.id.clone(), game.table.elapsed(now));
                self.output.push_back(Output::Journal(Entry::Clock { id, elapsed }));
            }
        }
        self.pair(now);
    }

    /// The server is to be ended: games are broken off, to go on later.
    pub fn handle_quit(&mut self, now: Duration) {
        for id in self.games.keys().cloned().collect::<Vec<_>>() {
            self.suspend(now, &id);
        }
        for conn in self.guests.keys().copied().collect::<Vec<_>>() {
            self.close(now, conn);
        }
    }

    fn send(&mut self, conn: Conn, line: &ServerLine) {
        self.send_text(conn, format!("{line}\n"));
    }

    fn send_text(&mut self, conn: Conn, text: String) {
        if self.guests.get(&conn).is_some_and(|guest| !matches!(guest.stage, Stage::Gone)) {
            self.output.push_back(Output::Send(conn, text));
        }
    }

    /// A line of the extended mode.
    fn info(&mut self, conn: Conn, text: &str) {
        self.send(conn, &ServerLine::Info(text.to_owned()));
    }

    fn log(&mut self, event: Event) {
        self.output.push_back(Output::Log(event));
    }

    fn send_away(&mut self, now: Duration, conn: Conn, why: &str) {
        let Some(guest) = self.guests.get(&conn) else { return };
        let address = guest.address.clone();
        self.info(conn, &format!("[ERROR] {why}"));
        self.log(Event::Refused(address, why.to_owned()));
        self.close(now, conn);
    }

    /// Closes a connection; nothing more is heard from it or sent to it.
    fn close(&mut self, now: Duration, conn: Conn) {
        self.leave(now, conn);
        let Some(guest) = self.guests.get_mut(&conn) else { return };
        if !matches!(guest.stage, Stage::Gone) {
            guest.stage = Stage::Gone;
            self.output.push_back(Output::Close(conn));
        }
    }

    /// A player is not here any more.
    fn leave(&mut self, now: Duration, conn: Conn) {
        self.pairing.forget(conn);
        let Some(name) = self.guests.get(&conn).and_then(Guest::name).map(str::to_owned) else {
            return;
        };
        if self.players.get(&name) != Some(&conn) {
            return;
        }
        self.players.remove(&name);
        self.log(Event::Left(name.clone()));
        self.leave_game(now, &name);
    }

    /// A player begins to wait for a game.
    fn wait(&mut self, now: Duration, conn: Conn) {
        let Some(guest) = self.guests.get(&conn) else { return };
        if let (Some(name), Some(wish)) = (guest.name(), guest.wish.clone()) {
            self.pairing.wait(Waiting { conn, name: name.to_owned(), wish });
            self.pair(now);
        }
    }
}
