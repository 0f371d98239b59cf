//! What was found of a leaf, by depth: those who search it keep that.

use std::collections::BTreeMap;

use senbon_games::{Bounds, Worth};

/// Bounds of one leaf at the depths that were searched.
#[derive(Clone, Debug, Default)]
pub(super) struct Found(BTreeMap<u8, Bounds>);

impl Found {
    /// The deepest search; 0 before there was one.
    pub(super) fn deepest(&self) -> u8 {
        self.0.last_key_value().map_or(0, |(&depth, _)| depth)
    }

    /// What is known at a depth.
    pub(super) fn at(&self, depth: u8) -> Bounds {
        self.0.get(&depth).copied().unwrap_or(Bounds::NONE)
    }

    /// Whether what is known at a depth is all that a search with this window could find.
    pub(super) fn answers(&self, depth: u8, (alpha, beta): (Worth, Worth)) -> bool {
        self.at(depth).answer(alpha, beta).is_some()
    }

    /// A search ended; false when nothing new came out of it. What contradicts the past counts
    /// alone.
    pub(super) fn learn(&mut self, depth: u8, bounds: Bounds) -> bool {
        let both = self.at(depth).and(bounds).unwrap_or(bounds);
        self.0.insert(depth, both) != Some(both)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use senbon_games::HIGHEST;

    #[test]
    fn bounds_of_one_depth_say_nothing_of_another() {
        let mut found = Found::default();
        assert!(found.deepest() == 0 && !found.answers(2, (0, 1)));
        let least = Bounds { lower: 5, upper: HIGHEST };
        assert!(found.learn(4, least) && found.learn(2, Bounds::exactly(9)));
        assert_eq!(
            (found.deepest(), found.at(2), found.at(6)),
            (4, Bounds::exactly(9), Bounds::NONE)
        );
        assert!(found.answers(4, (0, 5)) && !found.answers(4, (0, 6)) && found.answers(2, (0, 99)));
        assert!(!found.learn(4, Bounds { lower: 3, upper: HIGHEST }), "that was known");
        assert!(found.learn(4, Bounds { lower: 5, upper: 8 }) && found.at(4).upper == 8);
        assert!(found.learn(4, Bounds::exactly(20)) && found.at(4) == Bounds::exactly(20));
    }
}
