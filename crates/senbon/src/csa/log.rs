//! What the player says on standard output.

use std::io::{self, Write};
use std::time::Duration;

use senbon_engines::csa::{Mark, Played, Summary};
use senbon_games::Side;
use senbon_games::shogi::record::csa;
use senbon_games::shogi::shogi_core::Move;
use serde_json::{Map, Value, json};

pub(super) struct Log {
    json: bool,
}

impl Log {
    pub(super) fn new(json: bool) -> Self {
        Log { json }
    }

    /// A line: what happened, and more about it. Whoever reads it may have gone; the game goes
    /// on.
    pub(super) fn say(&self, at: Duration, event: &str, fields: &[(&str, String)]) {
        let seconds = at.as_secs_f64();
        let line = if self.json {
            let mut object = Map::new();
            object.insert("event".to_owned(), json!(event));
            object.insert("seconds".to_owned(), json!(seconds));
            for (key, value) in fields {
                object.insert((*key).to_owned(), json!(value));
            }
            Value::Object(object).to_string()
        } else {
            let values: Vec<&str> = fields.iter().map(|(_, value)| value.as_str()).collect();
            format!("{seconds:9.3} {event} {}", values.join(" ")).trim_end().to_owned()
        };
        let mut out = io::stdout().lock();
        let _ = writeln!(out, "{line}").and_then(|()| out.flush());
    }

    pub(super) fn offered(&self, at: Duration, summary: Option<&Summary>) {
        if let Some(summary) = summary {
            self.say(at, "offered", &[("game", summary.id.clone())]);
        }
    }

    pub(super) fn started(&self, at: Duration, game: &Played) {
        let moves = game.place.moves().len();
        let us = if game.summary.you == Side::First { "black" } else { "white" };
        let event = if moves == 0 { "started" } else { "resumed" };
        let fields = [
            ("game", game.summary.id.clone()),
            ("side", us.to_owned()),
            ("moves", moves.to_string()),
        ];
        self.say(at, event, &fields);
    }

    /// `mv` led to where the game is.
    pub(super) fn moved(&self, at: Duration, game: &Played, mv: Move) {
        if let Some(before) = game.place.before() {
            let left = game.left[(!game.to_move()).index()];
            let mv = csa::format_move(before.position(), mv);
            self.say(at, "move", &[("move", mv), ("left", left.to_string())]);
        }
    }

    pub(super) fn ended(&self, at: Duration, mark: Mark, why: Option<Mark>) {
        let word = |mark: Mark| mark.text()[1..].to_owned();
        let why = why.map_or(String::new(), word);
        self.say(at, "ended", &[("result", word(mark)), ("why", why)]);
    }
}
