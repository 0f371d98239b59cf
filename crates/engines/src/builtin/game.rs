//! What makes a game playable by our search, and by a built-in engine.

use senbon_games::{Evaluator, Notation, Tactics};

use super::Settings;
use crate::universal::Dialect;

/// A game that our search can play: it knows how to judge positions.
pub trait Judged: Notation + Tactics + 'static {
    /// Judges positions.
    type Judge: Evaluator<Self> + Default;
}

/// A game with a built-in engine: its protocol, its evaluator, and the few things in which
/// engines of different games differ.
pub trait BuiltIn: Judged + Send {
    /// The protocol that programs for this game speak.
    const DIALECT: Dialect;

    /// Whether there is a Chess960 form of the game, and an option for it.
    const HAS_CHESS960: bool = false;

    /// Adapts a position just read to the settings.
    fn adapt(&mut self, _settings: &Settings) {}

    /// Whether the side to move may claim a win instead of moving.
    fn may_declare(&self) -> bool {
        false
    }
}
