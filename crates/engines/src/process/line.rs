//! An engine's command line as a person writes it.

use std::fmt;
use std::str::FromStr;

use crate::dialogue::{Manners, UnknownManner};

/// A program and its arguments. Words stand between blanks; a word with blanks in it is put
/// between double quotes. A first word `manners=…` says what the engine can do, for those who
/// know better than our table and our probe.
///
/// ```
/// use senbon_engines::process::EngineLine;
///
/// let line: EngineLine = "\"/opt/my engines/gnuchess\" --uci".parse().unwrap();
/// assert_eq!(line.program(), "/opt/my engines/gnuchess");
/// assert_eq!(line.arguments(), ["--uci"]);
///
/// let line: EngineLine = "manners=one-by-one,no-nodes toga2".parse().unwrap();
/// assert!(line.manners().is_some_and(|manners| !manners.nodes));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineLine {
    text: String,
    program: String,
    arguments: Vec<String>,
    manners: Option<Manners>,
}

/// What the word with the manners begins with.
const MANNERS: &str = "manners=";

/// Why a line is no command line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EngineLineError {
    /// There is nothing in it.
    #[error("the engine's command line is empty")]
    Empty,
    /// A quote has no partner.
    #[error("a double quote in the engine's command line is not closed: {0}")]
    OpenQuote(String),
    /// The manners make no sense.
    #[error(transparent)]
    Manners(#[from] UnknownManner),
}

impl EngineLine {
    /// The name by which our own engine is meant.
    pub const BUILT_IN: &'static str = "built-in";

    /// Whether our own engine is meant.
    pub fn is_built_in(&self) -> bool {
        self.text == EngineLine::BUILT_IN
    }

    /// The program.
    pub fn program(&self) -> &str {
        &self.program
    }

    /// Its arguments.
    pub fn arguments(&self) -> &[String] {
        &self.arguments
    }

    /// What the engine can do, if the line says so.
    pub fn manners(&self) -> Option<&Manners> {
        self.manners.as_ref()
    }

    /// The line as it was written, without blanks around it.
    pub fn as_str(&self) -> &str {
        &self.text
    }
}

impl fmt::Display for EngineLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl FromStr for EngineLine {
    type Err = EngineLineError;

    fn from_str(text: &str) -> Result<Self, EngineLineError> {
        let text = text.trim();
        let mut words = split(text)?.into_iter().peekable();
        let manners = words.next_if(|word| word.starts_with(MANNERS));
        let manners = manners.map(|word| word[MANNERS.len()..].parse()).transpose()?;
        let program = words.next().ok_or(EngineLineError::Empty)?;
        Ok(EngineLine { text: text.to_owned(), program, arguments: words.collect(), manners })
    }
}

fn split(text: &str) -> Result<Vec<String>, EngineLineError> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quoted = false;
    for c in text.chars() {
        match c {
            '"' => {
                quoted = !quoted;
                // Quotes around nothing are an empty word.
                word.get_or_insert_default();
            }
            c if c.is_whitespace() && !quoted => words.extend(word.take()),
            c => word.get_or_insert_default().push(c),
        }
    }
    if quoted {
        return Err(EngineLineError::OpenQuote(text.to_owned()));
    }
    words.extend(word);
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_quotes() {
        let words = |text| split(text).unwrap();
        assert_eq!(words("  a  b\tc "), ["a", "b", "c"]);
        assert_eq!(words("a \"b c\" \"\" d\"e f\"g"), ["a", "b c", "", "de fg"]);
        assert_eq!(EngineLine::from_str("  "), Err(EngineLineError::Empty));
        let open = EngineLine::from_str("a \"b").unwrap_err();
        assert!(open.to_string().ends_with("not closed: a \"b"), "{open}");
        let rude = EngineLine::from_str("manners=rude engine").unwrap_err();
        assert!(rude.to_string().starts_with("unknown manner 'rude'"), "{rude}");
        assert_eq!(EngineLine::from_str("manners=careful"), Err(EngineLineError::Empty));
        let plain = EngineLine::from_str("engine manners=careful").unwrap();
        assert_eq!((plain.manners(), plain.arguments().len()), (None, 1));
    }
}
