//! The strategies on the command line, as the coordinators name them.

use clap::ValueEnum;
use clap::builder::PossibleValue;
use senbon_core::pipeline::Strategy;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct StrategyName(Strategy);

const ALL: [StrategyName; Strategy::ALL.len()] = {
    let mut all = [StrategyName(Strategy::Pipeline); Strategy::ALL.len()];
    let mut index = 0;
    while index < all.len() {
        all[index] = StrategyName(Strategy::ALL[index]);
        index += 1;
    }
    all
};

impl ValueEnum for StrategyName {
    fn value_variants<'a>() -> &'a [Self] {
        &ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.0.name()).help(self.0.summary()))
    }
}

impl From<StrategyName> for Strategy {
    fn from(name: StrategyName) -> Strategy {
        name.0
    }
}
