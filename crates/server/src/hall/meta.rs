//! The commands of the extended mode: who is here, which games are played, and watching them.

use std::time::Duration;

use senbon_engines::csa::{GameName, Meta};
use senbon_games::Side;

use super::Hall;
use super::guest::{Conn, Guest, Wish};

/// Games that one connection may watch.
const WATCHED: usize = 16;

/// Letters of a message to all.
const CHAT: usize = 200;

impl Hall {
    pub(super) fn meta(&mut self, now: Duration, conn: Conn, meta: Meta) {
        match meta {
            Meta::Game(None, _) => self.pairing.forget(conn),
            Meta::Game(Some(name), turn) => match name.parse::<GameName>() {
                Ok(game) => self.ask_for(now, conn, Wish { game, turn }),
                Err(error) => self.info(conn, &format!("[ERROR] {error}")),
            },
            Meta::Who => self.who(conn),
            Meta::List => self.list(conn),
            Meta::Show(id) => self.show(now, conn, &id),
            Meta::Monitor(id, on) => self.watch(conn, id, on),
            Meta::Chat(text) => self.chat(conn, &text),
            Meta::Version => {
                let version = format!("[VERSION] Senbon {}", env!("CARGO_PKG_VERSION"));
                self.info(conn, &version);
            }
            Meta::Help => {
                let known = "[HELP] %%GAME name [+-*] %%CHALLENGE name [+-*] %%WHO %%LIST %%SHOW id \
                             %%MONITORON id %%MONITOROFF id %%CHAT text %%VERSION %%HELP";
                self.info(conn, known);
            }
            Meta::Other(name) => self.info(conn, &format!("[ERROR] %%{name} is not known here")),
        }
    }

    fn ask_for(&mut self, now: Duration, conn: Conn, wish: Wish) {
        let Some(guest) = self.guests.get_mut(&conn) else { return };
        guest.wish = Some(wish);
        let plays = guest.name().is_some_and(|name| self.seats.contains_key(name));
        if plays {
            self.info(conn, "[ERROR] you have a game already");
        } else {
            self.wait(now, conn);
        }
    }

    fn who(&mut self, conn: Conn) {
        let waiting = self.pairing.waiting();
        let line = |(name, &conn): (&String, &Conn)| {
            let doing = match (self.seats.get(name), waiting.iter().find(|one| one.conn == conn)) {
                (Some(id), _) => format!("game {id}"),
                (None, Some(one)) => format!("game_waiting {}", one.wish.game),
                (None, None) => "connected".to_owned(),
            };
            format!("[WHO] {name} {doing}")
        };
        let lines: Vec<String> = self.players.iter().map(line).collect();
        self.list_of(conn, "WHO", lines);
    }

    fn list(&mut self, conn: Conn) {
        let lines = self.games.values().map(|game| format!("[LIST] {}", game.table.id)).collect();
        self.list_of(conn, "LIST", lines);
    }

    fn show(&mut self, now: Duration, conn: Conn, id: &str) {
        let lines = self.games.get(id).map(|game| {
            let text = game.table.summary(Side::First, now).format();
            text.lines().map(|line| format!("[SHOW] {line}")).collect()
        });
        self.list_of(conn, "SHOW", lines.unwrap_or_default());
    }

    /// Lines, and one that says that these were all.
    fn list_of(&mut self, conn: Conn, word: &str, lines: Vec<String>) {
        lines.iter().for_each(|line| self.info(conn, line));
        self.info(conn, &format!("[{word}] +OK"));
    }

    fn watch(&mut self, conn: Conn, id: String, on: bool) {
        let there = self.games.contains_key(&id);
        let Some(guest) = self.guests.get_mut(&conn) else { return };
        if on && there && guest.watches.len() < WATCHED {
            guest.watches.insert(id);
        } else {
            guest.watches.remove(&id);
        }
    }

    pub(super) fn tell_watchers(&mut self, id: &str, line: &str) {
        let watching = self.guests.iter().filter(|(_, guest)| guest.watches.contains(id));
        for conn in watching.map(|(&conn, _)| conn).collect::<Vec<_>>() {
            self.info(conn, &format!("[MONITOR][{id}] {line}"));
        }
    }

    pub(super) fn stop_watching(&mut self, id: &str) {
        self.tell_watchers(id, "END");
        for guest in self.guests.values_mut() {
            guest.watches.remove(id);
        }
    }

    fn chat(&mut self, conn: Conn, text: &str) {
        let Some(name) = self.guests.get(&conn).and_then(Guest::name) else { return };
        let text: String = text.chars().filter(|c| !c.is_control()).take(CHAT).collect();
        let line = format!("[CHAT][{name}] {text}");
        let all = self.guests.iter().filter(|(_, guest)| guest.extended);
        for conn in all.map(|(&conn, _)| conn).collect::<Vec<_>>() {
            self.info(conn, &line);
        }
    }
}
