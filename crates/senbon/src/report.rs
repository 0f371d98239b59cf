//! What went wrong, told to a person.

use std::process::ExitCode;

use senbon_games::NotationError;

/// Exit status of a program that Ctrl-C ended.
pub(crate) const INTERRUPTED: u8 = 130;

/// Why a command ended early.
pub(crate) enum Failure {
    /// The input cannot be read: exit status 2.
    Input(String),
    /// The work could not be done: exit status 1.
    Work(anyhow::Error),
    /// The user quit before there was an answer: exit status 130, as by Ctrl-C.
    Interrupted(String),
}

impl Failure {
    /// A text of the user's could not be read; shows where.
    pub(crate) fn notation(what: &str, text: &str, error: &NotationError) -> Self {
        // Columns count characters, not bytes; cut off what a terminal could not show.
        let column = text.char_indices().take_while(|&(at, _)| at < error.at).count();
        let shown: String =
            text.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect();
        Failure::Input(format!("cannot read the {what}: {error}\n  {shown}\n  {:column$}^", ""))
    }

    /// Tells standard error and gives the exit status.
    pub(crate) fn report(&self) -> ExitCode {
        match self {
            Failure::Input(text) => {
                eprintln!("senbon: {text}");
                ExitCode::from(2)
            }
            Failure::Work(error) => {
                eprintln!("senbon: {error:#}");
                ExitCode::FAILURE
            }
            Failure::Interrupted(text) => {
                eprintln!("senbon: {text}");
                ExitCode::from(INTERRUPTED)
            }
        }
    }
}

impl<E: Into<anyhow::Error>> From<E> for Failure {
    fn from(error: E) -> Self {
        Failure::Work(error.into())
    }
}
