//! Which move a team chooses in a position, and the file where that is kept.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use senbon_core::{Epoch, Limits, Place, RankTable, Search};
use serde_json::{Value, json};

use super::{Plan, Trial};
use crate::matches::{Answer, Journal, MatchGame, Player, VirtualPlayer, staff};

impl Plan {
    /// How long a trial thinks.
    fn time(&self, trial: &Trial) -> Duration {
        self.move_time.mul_f64(trial.multiple)
    }

    /// All that a choice depends on, but for the position and the search itself.
    pub(super) fn method(&self, trial: &Trial) -> String {
        let start = match self.warm {
            true => format!("warm, opponent {} s", self.move_time.as_secs_f64()),
            false => "cold".to_owned(),
        };
        let table = match self.table == RankTable::published() {
            true => String::new(),
            false => format!(", rank table {:?}", self.table.parts()),
        };
        format!(
            "{}, {} s, {} nodes/s, {} bytes, seed {}, {start}{table}, {}",
            trial.team,
            self.time(trial).as_secs_f64(),
            self.pace.nodes_per_second,
            self.pace.table_bytes,
            self.seed,
            self.tag
        )
    }

    /// The move that a team chooses at `place`: just come together, or after it thought at its
    /// move before and pondered while the opponent thought, as in a game.
    pub(super) fn choose<G>(&self, trial: &Trial, place: &Place<G>) -> Result<String>
    where
        G: MatchGame,
        G::Undo: Send,
    {
        let staff = staff(None, self.pace.table_bytes);
        let mut player =
            VirtualPlayer::new(trial.team, self.pace(), staff, self.table.clone(), self.seed)?;
        let time = self.time(trial);
        if self.warm {
            let history = place.before().and_then(|after| Some((after.before()?, after)));
            let (before, after) = history.context("a warm start needs two moves before")?;
            think(&mut player, &before, time)?;
            player.ponder_at(&after, self.move_time);
        }
        let mv = think(&mut player, place, time)?;
        Ok(place.position().format_move(mv))
    }
}

fn think<G: MatchGame>(
    player: &mut VirtualPlayer<G>,
    place: &Place<G>,
    time: Duration,
) -> Result<G::Move> {
    let limits = Limits { move_time: Some(time), ..Limits::default() };
    // The player counts its searches itself.
    let epoch = Epoch(0);
    let search = Search { epoch, place: place.clone(), only: Vec::new(), lines: 1, limits };
    let written = || place.position().format_position();
    match player.think(&search, Some(time))?.answer {
        Answer::Move(mv, _) => Ok(mv),
        Answer::Nothing | Answer::Late => bail!("no move was chosen in {}", written()),
        Answer::Failed(why) => bail!("{why} in {}", written()),
    }
}

/// The file of choices.
pub(super) struct Choices {
    journal: Journal,
    /// By method, then by position.
    known: BTreeMap<String, BTreeMap<String, String>>,
}

impl Choices {
    /// Opens or begins the file.
    pub(super) fn open<G: MatchGame>(path: &Path) -> Result<Self> {
        let head = json!({ "regret-choices": 1, "game": G::NAME });
        let (journal, rows) = Journal::open(path, &head)?;
        let mut choices = Choices { journal, known: BTreeMap::new() };
        for (index, row) in rows.iter().enumerate() {
            if choices.learn(row).is_none() {
                bail!("{}, line {}: this is no choice: {row}", path.display(), index + 2);
            }
        }
        Ok(choices)
    }

    fn learn(&mut self, row: &Value) -> Option<()> {
        let text = |name: &str| row[name].as_str().map(str::to_owned);
        let own = self.known.entry(text("method")?).or_default();
        own.insert(text("position")?, text("move")?);
        Some(())
    }

    /// Adds choices: method, position and move.
    pub(super) fn add(&mut self, found: Vec<[String; 3]>) -> Result<()> {
        let row = |[method, position, mv]: &[String; 3]| json!({ "method": method, "position": position, "move": mv });
        let rows: Vec<_> = found.iter().map(row).collect();
        self.journal.write_all(&rows)?;
        for [method, position, mv] in found {
            self.known.entry(method).or_default().insert(position, mv);
        }
        Ok(())
    }

    /// The move chosen, if known.
    pub(super) fn get(&self, method: &str, position: &str) -> Option<&str> {
        self.known.get(method)?.get(position).map(String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use senbon_games::Notation;
    use senbon_games::chess::Chess;

    use super::*;
    use crate::regret::tests::plan;

    #[test]
    fn methods_differ_in_all_that_matters() {
        let base = plan();
        let trial = Trial { team: "pipeline:2".parse().unwrap(), multiple: 2.0 };
        let method = base.method(&trial);
        assert!(method.starts_with("pipeline:2, 2 s, 300 nodes/s"), "{method}");
        let other = |change: fn(&mut Plan)| {
            let mut plan = base.clone();
            change(&mut plan);
            plan.method(&trial)
        };
        let changes: [fn(&mut Plan); 6] = [
            |plan| plan.tag.push('x'),
            |plan| plan.warm = true,
            |plan| plan.seed += 1,
            |plan| plan.pace.table_bytes *= 2,
            |plan| plan.pace.nodes_per_second += 1,
            |plan| plan.table = RankTable::from_counts(&[3, 1], 0).unwrap(),
        ];
        for (index, change) in changes.into_iter().enumerate() {
            assert_ne!(other(change), method, "change {index}");
        }
        // What is looked at does not change what is chosen.
        assert_eq!(other(|plan| plan.count += 1), method);
    }

    #[test]
    fn a_team_chooses_the_same_again_cold_and_warm() {
        let mut place = Place::new(Chess::start());
        for text in ["e2e4", "e7e5", "g1f3", "b8c6"] {
            place.play(place.position().parse_move(text).unwrap());
        }
        let trial = Trial { team: "pipeline:3".parse().unwrap(), multiple: 1.0 };
        for warm in [false, true] {
            let plan = Plan { warm, ..plan() };
            let first = plan.choose(&trial, &place).unwrap();
            assert!(place.position().parse_move(&first).is_ok());
            assert_eq!(plan.choose(&trial, &place).unwrap(), first, "warm: {warm}");
        }
        let warm = Plan { warm: true, ..plan() };
        let bare = Place::new(Chess::start());
        assert!(warm.choose(&trial, &bare).unwrap_err().to_string().contains("two moves"));
    }
}
