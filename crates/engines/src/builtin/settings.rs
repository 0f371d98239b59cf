//! The options of the built-in engines.

use std::time::Duration;

use crate::universal::{Dialect, OptionDeclaration, OptionError, OptionKind, OptionValue};

/// What can be set from outside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Size of the transposition table.
    pub hash_mib: usize,
    /// How many best lines to show.
    pub lines: usize,
    /// Whether the GUI may let us think on the opponent's time; only the GUI acts on it.
    pub ponder: bool,
    /// Time lost on the way to the clock and back.
    pub overhead: Duration,
    /// Whether castling is written as king takes rook.
    pub chess960: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            hash_mib: 16,
            lines: 1,
            ponder: false,
            overhead: Duration::from_millis(30),
            chess960: false,
        }
    }
}

/// What has to be done after an option was set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Consequence {
    /// Nothing more.
    None,
    /// The table has another size now.
    ResizeTable,
    /// The table is to be emptied.
    ClearTable,
}

/// Why an option could not be set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum SetError {
    /// There is no such option.
    #[error("there is no option '{0}'")]
    Unknown(String),
    /// The option does not take the value.
    #[error(transparent)]
    Value(#[from] OptionError),
}

/// Name of the Chess960 option, as the protocol has it.
const CHESS960: &str = "UCI_Chess960";

/// Names of the options every engine has. USI allows no blanks in a name, and fixes two.
struct Names {
    hash: &'static str,
    clear: &'static str,
    lines: &'static str,
    ponder: &'static str,
    overhead: &'static str,
}

fn names(dialect: Dialect) -> Names {
    match dialect {
        Dialect::Uci => Names {
            hash: "Hash",
            clear: "Clear Hash",
            lines: "MultiPV",
            ponder: "Ponder",
            overhead: "Move Overhead",
        },
        Dialect::Usi => Names {
            hash: "USI_Hash",
            clear: "ClearHash",
            lines: "MultiPV",
            ponder: "USI_Ponder",
            overhead: "MoveOverhead",
        },
    }
}

fn declare(name: &str, kind: OptionKind) -> OptionDeclaration {
    OptionDeclaration { name: name.to_owned(), kind }
}

fn spin(default: i64, min: i64, max: i64) -> OptionKind {
    OptionKind::Spin { default: Some(default), min: Some(min), max: Some(max) }
}

impl Settings {
    /// The options of an engine that speaks `dialect`.
    pub(super) fn options(dialect: Dialect, chess960: bool) -> Vec<OptionDeclaration> {
        let usual = Settings::default();
        let names = names(dialect);
        let mut options = vec![
            declare(names.hash, spin(usual.hash_mib as i64, 1, 65_536)),
            declare(names.clear, OptionKind::Button),
            declare(names.lines, spin(usual.lines as i64, 1, 256)),
            declare(names.ponder, OptionKind::Check { default: usual.ponder }),
            declare(names.overhead, spin(usual.overhead.as_millis() as i64, 0, 5_000)),
        ];
        if chess960 {
            options.push(declare(CHESS960, OptionKind::Check { default: usual.chess960 }));
        }
        options
    }

    /// Sets one of `options`.
    pub(super) fn set(
        &mut self,
        dialect: Dialect,
        options: &[OptionDeclaration],
        name: &str,
        value: Option<&str>,
    ) -> Result<Consequence, SetError> {
        let option = options.iter().find(|option| option.is_named(name));
        let option = option.ok_or_else(|| SetError::Unknown(name.to_owned()))?;
        let names = names(dialect);
        match option.value(value)? {
            OptionValue::Spin(number) => {
                // Within the declared limits, so never negative.
                let number = number.unsigned_abs();
                if option.is_named(names.hash) {
                    self.hash_mib = number as usize;
                    return Ok(Consequence::ResizeTable);
                } else if option.is_named(names.lines) {
                    self.lines = number as usize;
                } else if option.is_named(names.overhead) {
                    self.overhead = Duration::from_millis(number);
                }
            }
            OptionValue::Check(on) if option.is_named(names.ponder) => self.ponder = on,
            OptionValue::Check(on) if option.is_named(CHESS960) => self.chess960 = on,
            OptionValue::Pressed if option.is_named(names.clear) => {
                return Ok(Consequence::ClearTable);
            }
            OptionValue::Check(_) | OptionValue::Pressed | OptionValue::Text(_) => {}
        }
        Ok(Consequence::None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_declared_option_can_be_set() {
        for dialect in [Dialect::Uci, Dialect::Usi] {
            let options = Settings::options(dialect, true);
            for option in &options {
                let mut settings = Settings::default();
                let value = match option.kind {
                    OptionKind::Spin { max, .. } => max.map(|max| max.to_string()),
                    OptionKind::Check { default } => Some((!default).to_string()),
                    _ => None,
                };
                let name = option.name.to_uppercase();
                let consequence = settings.set(dialect, &options, &name, value.as_deref()).unwrap();
                // Something came of it.
                let changed = settings != Settings::default();
                assert!(changed || consequence != Consequence::None, "{}", option.name);
            }
            assert!(dialect == Dialect::Uci || options.iter().all(|o| !o.name.contains(' ')));
        }
    }

    #[test]
    fn what_cannot_be_set_says_why() {
        let options = Settings::options(Dialect::Uci, false);
        let mut settings = Settings::default();
        for (name, value, message) in [
            ("Threads", Some("2"), "there is no option 'Threads'"),
            ("Hash", Some("0"), "option Hash takes a whole number from 1 to 65536, not '0'"),
            ("MultiPV", None, "option MultiPV needs a value"),
        ] {
            let error = settings.set(Dialect::Uci, &options, name, value).unwrap_err();
            assert_eq!(error.to_string(), message);
        }
        assert_eq!(settings, Settings::default());
    }
}
