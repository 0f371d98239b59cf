//! The games that have a built-in engine.

use senbon_games::chess::Chess;
use senbon_games::chess::ChessEvaluator;
use senbon_games::shogi::{Shogi, ShogiEvaluator};

use super::{BuiltIn, Settings};
use crate::universal::Dialect;

impl BuiltIn for Chess {
    type Judge = ChessEvaluator;
    const DIALECT: Dialect = Dialect::Uci;
    const HAS_CHESS960: bool = true;

    fn adapt(&mut self, settings: &Settings) {
        self.set_chess960(settings.chess960);
    }
}

impl BuiltIn for Shogi {
    type Judge = ShogiEvaluator;
    const DIALECT: Dialect = Dialect::Usi;

    fn may_declare(&self) -> bool {
        self.can_declare()
    }
}
