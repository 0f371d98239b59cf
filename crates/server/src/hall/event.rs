//! What is told to whoever runs the server.

use std::fmt;

use senbon_engines::csa::Mark;
use serde_json::{Value, json};

/// Something that happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// Somebody logged in: the name, and from where.
    Login(String, String),
    /// An account was made.
    Account(String),
    /// Somebody was not let in, or was sent away: from where, and why.
    Refused(String, String),
    /// A player is gone.
    Left(String),
    /// A game is offered.
    Offered(String),
    /// Nobody plays this game: who did not want it.
    Rejected(String, String),
    /// A game began.
    Started(String),
    /// A game that was broken off goes on.
    Resumed(String),
    /// A game is broken off, to go on later.
    Suspended(String),
    /// A player in a game has lost its link, or is back: the game, and who.
    Lost(String, String),
    /// A player is back in its game.
    Back(String, String),
    /// A move: the game, the move, and its units of time.
    Move(String, String, u64),
    /// A game ended: the game, who won, and why.
    Ended(String, Option<String>, Mark),
}

impl Event {
    /// For scripts.
    pub fn json(&self) -> Value {
        match self {
            Event::Login(name, address) => {
                json!({ "event": "login", "name": name, "address": address })
            }
            Event::Account(name) => json!({ "event": "account", "name": name }),
            Event::Refused(address, why) => {
                json!({ "event": "refused", "address": address, "reason": why })
            }
            Event::Left(name) => json!({ "event": "left", "name": name }),
            Event::Offered(id) => json!({ "event": "offered", "game": id }),
            Event::Rejected(id, by) => json!({ "event": "rejected", "game": id, "by": by }),
            Event::Started(id) => json!({ "event": "started", "game": id }),
            Event::Resumed(id) => json!({ "event": "resumed", "game": id }),
            Event::Suspended(id) => json!({ "event": "suspended", "game": id }),
            Event::Lost(id, name) => json!({ "event": "lost", "game": id, "name": name }),
            Event::Back(id, name) => json!({ "event": "back", "game": id, "name": name }),
            Event::Move(id, mv, units) => {
                json!({ "event": "move", "game": id, "move": mv, "units": units })
            }
            Event::Ended(id, winner, mark) => {
                json!({ "event": "ended", "game": id, "winner": winner, "why": &mark.text()[1..] })
            }
        }
    }
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Event::Login(name, address) => write!(f, "{name} logged in from {address}"),
            Event::Account(name) => write!(f, "{name} has an account now"),
            Event::Refused(address, why) => write!(f, "{address} was sent away: {why}"),
            Event::Left(name) => write!(f, "{name} has left"),
            Event::Offered(id) => write!(f, "{id} is offered"),
            Event::Rejected(id, by) => write!(f, "{id} was rejected by {by}"),
            Event::Started(id) => write!(f, "{id} begins"),
            Event::Resumed(id) => write!(f, "{id} goes on"),
            Event::Suspended(id) => write!(f, "{id} is suspended"),
            Event::Lost(id, name) => write!(f, "{id}: {name} has lost its link"),
            Event::Back(id, name) => write!(f, "{id}: {name} is back"),
            Event::Move(id, mv, units) => write!(f, "{id}: {mv},T{units}"),
            Event::Ended(id, Some(winner), mark) => {
                write!(f, "{id}: {winner} wins, {}", mark.text())
            }
            Event::Ended(id, None, mark) => write!(f, "{id}: nobody wins, {}", mark.text()),
        }
    }
}
