//! What a GUI can set.

use std::time::Duration;

use senbon_core::pipeline::{Settings, Strategy};
use senbon_core::vote::Plan;
use senbon_engines::builtin;
use senbon_engines::compose::Composition;
use senbon_engines::process::{EngineLine, EngineLineError};
use senbon_engines::universal::{Dialect, OptionDeclaration, OptionKind, OptionValue};

use super::TableFile;
use crate::WorkerSource;
use crate::compose::{Hiring, hire};

/// Workers and how they are joined.
#[derive(Clone, Debug, PartialEq)]
pub struct Config {
    /// How many workers.
    pub workers: usize,
    /// Command lines of engines, taken in turn; `built-in` among them, or none at all, is
    /// our own.
    pub engines: Vec<EngineLine>,
    /// How they are joined.
    pub strategy: Strategy,
    /// A tree of searchers instead of all that.
    pub composition: Option<Box<Composition>>,
    /// How likely the move of each rank is thought to be.
    pub rank_table: TableFile,
    /// Table of each worker in MiB.
    pub hash_mib: usize,
    /// Threads of each worker.
    pub threads: usize,
    /// How many best lines to tell.
    pub lines: usize,
    /// Think on while the opponent does.
    pub ponder: bool,
    /// Time lost on the way to the clock and back.
    pub overhead: Duration,
    /// Chess960 is played.
    pub chess960: bool,
}

impl Default for Config {
    fn default() -> Self {
        Config {
            workers: 2,
            engines: Vec::new(),
            strategy: Strategy::Pipeline,
            composition: None,
            rank_table: TableFile::default(),
            hash_mib: 64,
            threads: 1,
            lines: 1,
            ponder: false,
            overhead: Duration::from_millis(40),
            chess960: false,
        }
    }
}

/// What follows from a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Effect {
    None,
    Adjust,
    Hire,
}

/// Option names; USI allows no blanks and fixes two of them.
struct Names {
    hash: &'static str,
    ponder: &'static str,
    overhead: &'static str,
}

fn names(dialect: Dialect) -> Names {
    match dialect {
        Dialect::Uci => Names { hash: "Hash", ponder: "Ponder", overhead: "Move Overhead" },
        Dialect::Usi => Names { hash: "USI_Hash", ponder: "USI_Ponder", overhead: "MoveOverhead" },
    }
}

impl Config {
    /// The coordinator's part.
    pub fn settings(&self) -> Settings {
        Settings {
            strategy: self.strategy,
            table: self.rank_table.table().clone(),
            overhead: self.overhead,
            ponder: self.ponder,
            ..Settings::default()
        }
    }

    /// The coordinator and the workers to be hired for it, for a game whose engines speak
    /// `dialect`.
    pub fn hire(&self, dialect: Dialect, game: &str) -> (Plan, Vec<WorkerSource>) {
        let plain;
        let composition = match &self.composition {
            Some(composition) => composition,
            None => {
                plain = Composition::of_workers(self.strategy, &self.engines, self.workers);
                &plain
            }
        };
        hire(
            composition,
            &Hiring {
                settings: self.settings(),
                dialect,
                game,
                hash_mib: self.hash_mib,
                threads: self.threads,
                chess960: self.chess960,
            },
        )
    }

    pub(super) fn position_settings(&self) -> builtin::Settings {
        builtin::Settings { chess960: self.chess960, ..builtin::Settings::default() }
    }

    pub(super) fn options(&self, dialect: Dialect, chess960: bool) -> Vec<OptionDeclaration> {
        let names = names(dialect);
        let spin = |now: usize, max: i64| OptionKind::Spin {
            default: Some(now as i64),
            // None on this machine, where others may come from elsewhere.
            min: Some(now.min(1) as i64),
            max: Some(max),
        };
        let lines: Vec<_> = self.engines.iter().map(EngineLine::as_str).collect();
        let engine =
            if lines.is_empty() { EngineLine::BUILT_IN.to_owned() } else { lines.join(" | ") };
        let overhead = OptionKind::Spin {
            default: Some(self.overhead.as_millis() as i64),
            min: Some(0),
            max: Some(5_000),
        };
        let workers = [
            ("Workers", spin(self.workers, 4_096)),
            ("Engine", OptionKind::Text { default: engine }),
            (
                "Strategy",
                OptionKind::Combo {
                    default: self.strategy.name().to_owned(),
                    values: Strategy::ALL.map(|strategy| strategy.name().to_owned()).to_vec(),
                },
            ),
        ];
        let others = [
            ("RankTable", OptionKind::Text { default: self.rank_table.name().to_owned() }),
            (names.hash, spin(self.hash_mib, 65_536)),
            ("Threads", spin(self.threads, 512)),
            ("MultiPV", spin(self.lines, 256)),
            (names.ponder, OptionKind::Check { default: self.ponder }),
            (names.overhead, overhead),
        ];
        // Where a file says who searches, there is nothing to choose.
        let mut options = if self.composition.is_none() { workers.to_vec() } else { Vec::new() };
        options.extend(others);
        if chess960 {
            options.push(("UCI_Chess960", OptionKind::Check { default: self.chess960 }));
        }
        let declare =
            |(name, kind): (&str, OptionKind)| OptionDeclaration { name: name.to_owned(), kind };
        options.into_iter().map(declare).collect()
    }

    /// Sets one option by its name.
    pub(super) fn set(
        &mut self,
        dialect: Dialect,
        chess960: bool,
        name: &str,
        value: Option<&str>,
    ) -> Result<Effect, String> {
        let options = self.options(dialect, chess960);
        let option = options
            .iter()
            .find(|option| option.is_named(name))
            .ok_or_else(|| format!("there is no option '{name}'"))?;
        let value = option.value(value).map_err(|error| error.to_string())?;
        let before = self.clone();
        match value {
            OptionValue::Spin(number) => self.set_number(dialect, &option.name, number),
            OptionValue::Check(on) if option.name == "UCI_Chess960" => self.chess960 = on,
            OptionValue::Check(on) => self.ponder = on,
            OptionValue::Text(text) if option.name == "Engine" => {
                let own = text.trim().is_empty() || text == EngineLine::BUILT_IN;
                let lines: Result<_, _> = text.split('|').map(str::parse).collect();
                let lines = lines.map_err(|error: EngineLineError| error.to_string());
                self.engines = if own { Vec::new() } else { lines? };
            }
            OptionValue::Text(text) if option.name == "RankTable" => {
                self.rank_table = text
                    .parse()
                    .map_err(|error| format!("{error}; the table that was used stays"))?;
            }
            OptionValue::Text(text) => {
                if let Some(strategy) = Strategy::from_name(&text) {
                    self.strategy = strategy;
                }
            }
            OptionValue::Pressed => {}
        }
        Ok(self.effect_since(&before))
    }

    fn set_number(&mut self, dialect: Dialect, name: &str, number: i64) {
        let names = names(dialect);
        let number = number.unsigned_abs();
        match name {
            "Workers" => self.workers = number as usize,
            "Threads" => self.threads = number as usize,
            "MultiPV" => self.lines = number as usize,
            name if name == names.hash => self.hash_mib = number as usize,
            name if name == names.overhead => self.overhead = Duration::from_millis(number),
            _ => {}
        }
    }

    fn effect_since(&self, before: &Config) -> Effect {
        let adjustable = Config {
            strategy: self.strategy,
            rank_table: self.rank_table.clone(),
            lines: self.lines,
            ponder: self.ponder,
            overhead: self.overhead,
            ..before.clone()
        };
        if self == before {
            Effect::None
        } else if *self == adjustable {
            Effect::Adjust
        } else {
            Effect::Hire
        }
    }
}
