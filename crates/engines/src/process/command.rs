//! How to run an engine.

use super::{EngineLine, Leash};
use crate::dialogue::{Manners, Patience};
use crate::universal::Dialect;

/// How to run an engine.
#[derive(Clone, Debug)]
pub struct EngineCommand {
    /// The program.
    pub program: String,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// UCI or USI.
    pub dialect: Dialect,
    /// Options to set, as far as it has them.
    pub options: Vec<(String, Option<String>)>,
    /// What it can do, when the user knows better.
    pub manners: Option<Manners>,
    /// How long it may take.
    pub patience: Patience,
    /// Ends it when we are gone; without one, engines that ignore the end of their input
    /// outlive us.
    pub leash: Option<Leash>,
}

impl EngineCommand {
    /// The engine of a command line, set to play `game` with its table and threads as given,
    /// and without a book: a move from a book says nothing about the moves beside it.
    pub fn new(
        line: &EngineLine,
        dialect: Dialect,
        game: &str,
        hash_mib: usize,
        threads: usize,
    ) -> Self {
        let command = EngineCommand {
            program: line.program().to_owned(),
            arguments: line.arguments().to_vec(),
            dialect,
            options: Vec::new(),
            manners: line.manners().cloned(),
            patience: Patience::default(),
            leash: None,
        };
        command
            .wish("UCI_Variant", game)
            .wish("USI_Variant", game)
            .wish("Hash", hash_mib)
            .wish("USI_Hash", hash_mib)
            .wish("Threads", threads)
            .wish("OwnBook", false)
            .wish("USI_OwnBook", false)
            .wish("BookDepth", 0)
    }

    /// Sets an option, if the engine has it; the last wish for a name counts.
    #[must_use]
    pub fn wish(mut self, name: &str, value: impl ToString) -> Self {
        self.options.retain(|(known, _)| !known.eq_ignore_ascii_case(name));
        self.options.push((name.to_owned(), Some(value.to_string())));
        self
    }
}
