//! The games that our search plays, and those that have a built-in engine.

use senbon_games::chess::Chess;
use senbon_games::chess::ChessEvaluator;
use senbon_games::shogi::{Shogi, ShogiEvaluator};
#[cfg(not(test))]
use senbon_games::tiny::{ConnectFour, Threats};

use super::{BuiltIn, Judged, Settings};
use crate::universal::Dialect;

impl Judged for Chess {
    type Judge = ChessEvaluator;
}

impl Judged for Shogi {
    type Judge = ShogiEvaluator;
}

// This crate's own tests give it a judge that fails on purpose.
#[cfg(not(test))]
impl Judged for ConnectFour {
    type Judge = Threats;
}

impl BuiltIn for Chess {
    const DIALECT: Dialect = Dialect::Uci;
    const HAS_CHESS960: bool = true;

    fn adapt(&mut self, settings: &Settings) {
        self.set_chess960(settings.chess960);
    }
}

impl BuiltIn for Shogi {
    const DIALECT: Dialect = Dialect::Usi;

    fn may_declare(&self) -> bool {
        self.can_declare()
    }
}
