//! Every vote written down as it was taken (akara-2010 Figure 3): for people, and as lines of
//! JSON for scripts.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::Context;
use senbon_core::vote::{Arrival, Minutes, Purpose, Vow};
use senbon_games::Notation;
use serde_json::{Value, json};

use crate::report::Failure;

/// Both files, open for more.
pub(crate) struct MinutesLog {
    text: File,
    lines: File,
}

impl MinutesLog {
    /// Opens the files, if there is to be a log.
    pub(crate) fn open(path: Option<&Path>) -> Result<Option<Self>, Failure> {
        let Some(path) = path else { return Ok(None) };
        let open = |path: &Path| {
            let file = OpenOptions::new().create(true).append(true).open(path);
            file.with_context(|| format!("cannot write the log of votes {}", path.display()))
        };
        let mut beside = path.as_os_str().to_owned();
        beside.push(".jsonl");
        Ok(Some(MinutesLog { text: open(path)?, lines: open(Path::new(&beside))? }))
    }

    /// Writes a vote down. A full disk must not stop the game.
    pub(crate) fn write<G: Notation>(&mut self, minutes: &Minutes<G>) {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let written = writeln!(self.text, "{minutes}")
            .and_then(|()| writeln!(self.lines, "{}", line(minutes, since.as_secs_f64())));
        if let Err(error) = written {
            eprintln!("senbon: the vote could not be written down: {error}");
        }
    }
}

/// A vote as JSON; docs/vote.md describes it.
fn line<G: Notation>(minutes: &Minutes<G>, at: f64) -> Value {
    let place = &minutes.place;
    let moves = place.start().format_line(place.moves());
    let text = |mv: G::Move| minutes.format_move(mv);
    let voter = |vow: &Vow<G::Move>| {
        json!({
            "name": vow.name, "weight": f64::from(vow.weight.0) / 1000.0,
            "move": vow.mv.map(text), "final": vow.is_final, "present": vow.present,
            "score": vow.score.map(|score| score.to_string()), "depth": vow.depth,
            "nodes": vow.nodes, "seconds": vow.time.as_secs_f64(),
        })
    };
    json!({
        "vote": match minutes.purpose { Purpose::Move => "move", Purpose::Prediction => "prediction" },
        "at": at, "start": place.start().format_position(), "moves": moves,
        "position": match minutes.arrival {
            Arrival::New => "new",
            Arrival::Predicted => "predicted",
            Arrival::Alternated => "alternated",
        },
        "limits": minutes.limits.map(|limits| json!({
            "easy": limits.easy.as_secs_f64(), "fine": limits.fine.as_secs_f64(),
            "max": limits.max.as_secs_f64(),
        })),
        "seconds": minutes.time.as_secs_f64(),
        "voters": minutes.vows.iter().map(voter).collect::<Vec<_>>(),
        "sums": minutes.sums.iter()
            .map(|&(mv, sum)| json!({ "move": text(mv), "weight": sum as f64 / 1000.0 }))
            .collect::<Vec<_>>(),
        "move": minutes.chosen.map(text),
    })
}
