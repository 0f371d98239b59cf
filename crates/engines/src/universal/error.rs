//! Why a line could not be read.

/// What is wrong with a line of the protocol.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SyntaxError {
    /// Nothing but blanks.
    #[error("the line is empty")]
    Blank,
    /// The line begins with no word of the protocol.
    #[error("unknown command '{0}'")]
    Unknown(String),
    /// Something that has to follow is not there.
    #[error("{command}: {what} is missing")]
    Missing {
        /// The command or reply.
        command: &'static str,
        /// What should have followed.
        what: &'static str,
    },
    /// A number was expected.
    #[error("{command}: {field} must be a whole number, not '{found}'")]
    NotANumber {
        /// The command or reply.
        command: &'static str,
        /// Which of its numbers.
        field: &'static str,
        /// What stands there.
        found: String,
    },
    /// Another word was expected.
    #[error("{command}: expected {expected}, found '{found}'")]
    Unexpected {
        /// The command or reply.
        command: &'static str,
        /// What may stand there.
        expected: &'static str,
        /// What stands there.
        found: String,
    },
}

impl SyntaxError {
    /// The command or reply that was recognised, if any was.
    pub fn command(&self) -> Option<&'static str> {
        match self {
            SyntaxError::Blank | SyntaxError::Unknown(_) => None,
            SyntaxError::Missing { command, .. }
            | SyntaxError::NotANumber { command, .. }
            | SyntaxError::Unexpected { command, .. } => Some(command),
        }
    }

    pub(super) fn missing(command: &'static str, what: &'static str) -> Self {
        SyntaxError::Missing { command, what }
    }

    pub(super) fn unexpected(
        command: &'static str,
        expected: &'static str,
        found: Option<&str>,
    ) -> Self {
        match found {
            Some(found) => SyntaxError::Unexpected { command, expected, found: quoted(found) },
            None => SyntaxError::Missing { command, what: expected },
        }
    }

    pub(super) fn not_a_number(command: &'static str, field: &'static str, found: &str) -> Self {
        SyntaxError::NotANumber { command, field, found: quoted(found) }
    }

    pub(super) fn unknown(word: &str) -> Self {
        SyntaxError::Unknown(quoted(word))
    }
}

/// Enough of a word to recognise it; the message goes back over the same line protocol.
fn quoted(word: &str) -> String {
    const SHOWN: usize = 40;
    if word.chars().count() <= SHOWN {
        return word.to_owned();
    }
    word.chars().take(SHOWN).chain(['…']).collect()
}
