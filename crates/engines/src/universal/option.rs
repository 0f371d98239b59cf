//! Options an engine has: how it declares them, and which values they take.

use super::SyntaxError;
use super::words::{Words, one_line, push_field, push_some};

/// An option as an engine declares it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionDeclaration {
    /// Its name; may contain blanks.
    pub name: String,
    /// Which values it takes.
    pub kind: OptionKind,
}

/// Which values an option takes, and which it has at first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionKind {
    /// On or off.
    Check {
        /// At first.
        default: bool,
    },
    /// A whole number.
    Spin {
        /// At first, if the engine says.
        default: Option<i64>,
        /// Least value, if the engine says.
        min: Option<i64>,
        /// Largest value, if the engine says.
        max: Option<i64>,
    },
    /// One of a list.
    Combo {
        /// At first.
        default: String,
        /// The list.
        values: Vec<String>,
    },
    /// Something to do, without a value.
    Button,
    /// Any text.
    Text {
        /// At first.
        default: String,
    },
    /// A file's path (USI).
    File {
        /// At first.
        default: String,
    },
}

/// A value that an option takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionValue {
    /// Of a check.
    Check(bool),
    /// Of a spin.
    Spin(i64),
    /// Of a combo (as declared), text or file.
    Text(String),
    /// The button was pressed.
    Pressed,
}

/// Why an option does not take a value.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OptionError {
    /// No value was given.
    #[error("option {name} needs a value")]
    NoValue {
        /// The option.
        name: String,
    },
    /// The value is not one of this option's.
    #[error("option {name} takes {expected}, not '{found}'")]
    BadValue {
        /// The option.
        name: String,
        /// What it takes.
        expected: String,
        /// What was given.
        found: String,
    },
}

/// How both protocols write an empty text.
const EMPTY: &str = "<empty>";

impl OptionDeclaration {
    /// Whether `name` means this option. Case does not matter.
    pub fn is_named(&self, name: &str) -> bool {
        self.name.eq_ignore_ascii_case(name)
    }

    /// Reads a value given for this option.
    pub fn value(&self, given: Option<&str>) -> Result<OptionValue, OptionError> {
        if self.kind == OptionKind::Button {
            return Ok(OptionValue::Pressed);
        }
        let Some(given) = given else {
            return Err(OptionError::NoValue { name: self.name.clone() });
        };
        self.read(given).ok_or_else(|| OptionError::BadValue {
            name: self.name.clone(),
            expected: self.expected(),
            found: given.to_owned(),
        })
    }

    fn read(&self, given: &str) -> Option<OptionValue> {
        match &self.kind {
            OptionKind::Button => Some(OptionValue::Pressed),
            OptionKind::Check { .. } => match given.to_ascii_lowercase().as_str() {
                "true" => Some(OptionValue::Check(true)),
                "false" => Some(OptionValue::Check(false)),
                _ => None,
            },
            OptionKind::Spin { min, max, .. } => {
                let number: i64 = given.parse().ok()?;
                let fits =
                    min.is_none_or(|min| number >= min) && max.is_none_or(|max| number <= max);
                fits.then_some(OptionValue::Spin(number))
            }
            OptionKind::Combo { values, .. } => values
                .iter()
                .find(|value| value.eq_ignore_ascii_case(given))
                .map(|value| OptionValue::Text(value.clone())),
            OptionKind::Text { .. } | OptionKind::File { .. } => {
                Some(OptionValue::Text(if given == EMPTY {
                    String::new()
                } else {
                    given.to_owned()
                }))
            }
        }
    }

    fn expected(&self) -> String {
        match &self.kind {
            OptionKind::Check { .. } => "true or false".to_owned(),
            OptionKind::Spin { min: Some(min), max: Some(max), .. } => {
                format!("a whole number from {min} to {max}")
            }
            OptionKind::Spin { .. } => "a whole number within its limits".to_owned(),
            OptionKind::Combo { values, .. } => format!("one of: {}", values.join(", ")),
            OptionKind::Button | OptionKind::Text { .. } | OptionKind::File { .. } => {
                "a text".to_owned()
            }
        }
    }

    /// Reads what follows the word `option`.
    pub(super) fn parse(words: &mut Words<'_>) -> Result<Self, SyntaxError> {
        const COMMAND: &str = "option";
        match words.next() {
            Some("name") => {}
            other => return Err(SyntaxError::unexpected(COMMAND, "'name'", other)),
        }
        let name = words.take_until(|word| word == "type").join(" ");
        if name.is_empty() {
            return Err(SyntaxError::missing(COMMAND, "the option's name"));
        }
        words.next();
        let kind = words.next();
        let attributes = Attributes::parse(words);
        let kind = match kind {
            Some("check") => OptionKind::Check {
                default: attributes.default.is_some_and(|text| text.eq_ignore_ascii_case("true")),
            },
            Some("spin") => OptionKind::Spin {
                default: attributes.default.and_then(|text| text.parse().ok()),
                min: attributes.min,
                max: attributes.max,
            },
            Some("combo") => OptionKind::Combo {
                default: attributes.default.unwrap_or_default(),
                values: attributes.values,
            },
            Some("button") => OptionKind::Button,
            Some("string") => OptionKind::Text { default: attributes.default.unwrap_or_default() },
            Some("filename") => {
                OptionKind::File { default: attributes.default.unwrap_or_default() }
            }
            other => {
                return Err(SyntaxError::unexpected(
                    COMMAND,
                    "a type: check, spin, combo, button, string or filename",
                    other,
                ));
            }
        };
        Ok(OptionDeclaration { name, kind })
    }

    /// Appends the declaration.
    pub(super) fn write(&self, line: &mut String) {
        push_field(line, "name", one_line(&self.name));
        let text = |default: &str| match one_line(default) {
            text if text.is_empty() => EMPTY.to_owned(),
            text => text,
        };
        match &self.kind {
            OptionKind::Check { default } => {
                line.push_str(" type check");
                push_field(line, "default", default);
            }
            OptionKind::Spin { default, min, max } => {
                line.push_str(" type spin");
                push_some(line, "default", *default);
                push_some(line, "min", *min);
                push_some(line, "max", *max);
            }
            OptionKind::Combo { default, values } => {
                line.push_str(" type combo");
                push_field(line, "default", text(default));
                for value in values {
                    push_field(line, "var", one_line(value));
                }
            }
            OptionKind::Button => line.push_str(" type button"),
            OptionKind::Text { default } => {
                line.push_str(" type string");
                push_field(line, "default", text(default));
            }
            OptionKind::File { default } => {
                line.push_str(" type filename");
                push_field(line, "default", text(default));
            }
        }
    }
}

/// What may follow the type of an option.
#[derive(Default)]
struct Attributes {
    default: Option<String>,
    min: Option<i64>,
    max: Option<i64>,
    values: Vec<String>,
}

impl Attributes {
    fn parse(words: &mut Words<'_>) -> Self {
        let is_keyword = |word: &str| matches!(word, "default" | "min" | "max" | "var");
        let mut attributes = Attributes::default();
        while let Some(word) = words.next() {
            match word {
                "default" => {
                    let text = words.take_until(is_keyword).join(" ");
                    attributes.default = Some(if text == EMPTY { String::new() } else { text });
                }
                "min" => attributes.min = words.take_parsed(),
                "max" => attributes.max = words.take_parsed(),
                "var" => attributes.values.push(words.take_until(is_keyword).join(" ")),
                _ => {}
            }
        }
        attributes
    }
}
