//! The games that have a built-in engine.

use senbon_games::shogi::{Shogi, ShogiEvaluator};

use super::BuiltIn;
use crate::universal::Dialect;

impl BuiltIn for Shogi {
    type Judge = ShogiEvaluator;
    const DIALECT: Dialect = Dialect::Usi;

    fn may_declare(&self) -> bool {
        self.can_declare()
    }
}
