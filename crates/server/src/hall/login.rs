//! Logging in: names, passwords, and the kind of game that is asked for.

use std::time::Duration;

use senbon_engines::csa::{GameName, ServerLine, Turn};

use super::guest::{Conn, Stage, Wish};
use super::{Event, Hall, Output};
use crate::{Entry, Secret};

/// The longest password.
const LONGEST: usize = 256;

impl Hall {
    pub(super) fn login(
        &mut self,
        now: Duration,
        conn: Conn,
        name: String,
        field: &str,
        extended: bool,
    ) {
        let (game, password) = split(field);
        let wish =
            Wish { game: game.unwrap_or_else(|| self.settings.game.clone()), turn: Turn::Either };
        let Some(guest) = self.guests.get_mut(&conn) else { return };
        guest.extended = extended;
        let bucket = self.failures.entry(guest.address.clone()).or_default();
        // Looks whether there is room without taking it: only failures take it.
        if !bucket.clone().failure(now) {
            return self.incorrect(now, conn, "too many wrong passwords from there");
        }
        if password.is_empty() || password.len() > LONGEST {
            return self.incorrect(now, conn, "no password, or one that is too long");
        }
        let password = password.to_owned();
        let accounts = self.settings.listed.as_ref().unwrap_or(&self.accounts);
        let output = match accounts.get(&name) {
            Some(secret) => Output::Check(conn, secret.clone(), password),
            None if self.settings.listed.is_some() => {
                return self.incorrect(now, conn, "no such account");
            }
            None if accounts.len() >= self.settings.limits.accounts => {
                return self.incorrect(now, conn, "no room for more accounts");
            }
            None if !bucket.account(now) => {
                return self.incorrect(now, conn, "too many new accounts from there");
            }
            None => Output::Hash(conn, password),
        };
        guest.stage = Stage::Checking { name, wish };
        self.output.push_back(output);
    }

    /// Whether a password was right.
    pub fn handle_checked(&mut self, now: Duration, conn: Conn, right: bool) {
        if right {
            self.enter(now, conn);
        } else {
            self.incorrect(now, conn, "the wrong password");
        }
    }

    /// What is to be stored for the password of a new account; nothing if that failed.
    pub fn handle_hashed(&mut self, now: Duration, conn: Conn, secret: Option<Secret>) {
        let Some(guest) = self.guests.get(&conn) else { return };
        let Stage::Checking { name, .. } = &guest.stage else { return };
        let name = name.clone();
        match secret {
            // Somebody else may have been faster.
            Some(secret) if !self.accounts.contains_key(&name) => {
                self.accounts.insert(name.clone(), secret.clone());
                self.output
                    .push_back(Output::Journal(Entry::Account { name: name.clone(), secret }));
                self.log(Event::Account(name));
                self.enter(now, conn);
            }
            _ => self.incorrect(now, conn, "the account could not be made"),
        }
    }

    fn incorrect(&mut self, now: Duration, conn: Conn, why: &str) {
        let Some(guest) = self.guests.get(&conn) else { return };
        let address = guest.address.clone();
        self.failures.entry(address.clone()).or_default().failure(now);
        self.send(conn, &ServerLine::LoginIncorrect);
        self.log(Event::Refused(address, why.to_owned()));
        self.close(now, conn);
    }

    /// A guest becomes a player, and gets back the game it had.
    fn enter(&mut self, now: Duration, conn: Conn) {
        let Some(guest) = self.guests.get_mut(&conn) else { return };
        let Stage::Checking { name, wish } = &guest.stage else { return };
        let (name, wish) = (name.clone(), wish.clone());
        guest.stage = Stage::In(name.clone());
        guest.wish = Some(wish);
        let (extended, address) = (guest.extended, guest.address.clone());
        if let Some(&before) = self.players.get(&name) {
            // A link that is dead may look alive here. Whoever has the password is the player.
            self.close(now, before);
        }
        self.players.insert(name.clone(), conn);
        self.log(Event::Login(name.clone(), address));
        self.send(conn, &ServerLine::LoginOk(name.clone()));
        if !self.return_to_game(now, conn, &name) && !extended {
            self.wait(now, conn);
        }
    }
}

/// The kind of game and the password: `GAME,PASSWORD` as on Floodgate, or a password alone.
fn split(field: &str) -> (Option<GameName>, &str) {
    match field.split_once(',') {
        Some((game, password)) if let Ok(game) = game.parse() => (Some(game), password),
        _ => (None, field),
    }
}
