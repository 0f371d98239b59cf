//! Leaves of the master's tree, as positions: ways that meet share one.

use senbon_games::{Bounds, Worth};

use super::node::NO_BEST;
use super::staff::Seat;

/// A leaf of the master's tree. Numbers are not used again within one search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LeafId(pub u32);

/// Depths that are told of: every second up to the depth asked for.
const STEPS: usize = 16;

#[derive(Clone, Debug)]
pub(super) struct Leaf {
    /// Plies to search.
    pub depth: u8,
    /// The node through which it was found first: the way to it.
    pub node: u32,
    /// What it is worth without search.
    worth: Worth,
    /// Findings by depth, the deepest (the one asked for) first, then two plies less each.
    found: [Bounds; STEPS],
    /// Findings beyond this step are nothing yet.
    known: u8,
    /// Who searches it.
    pub seat: Seat,
    /// Nodes that the last search of it took.
    pub effort: u64,
    /// Which child its last search would try first.
    pub best: u8,
    /// It is a leaf no longer: its children are searched.
    pub extended: bool,
}

impl Leaf {
    pub(super) fn new(depth: u8, node: u32, worth: Worth) -> Self {
        Leaf {
            depth,
            node,
            worth,
            found: [Bounds::NONE; STEPS],
            known: STEPS as u8,
            seat: Seat::default(),
            effort: 0,
            best: NO_BEST,
            extended: false,
        }
    }

    /// What is certain of it at the depth asked for.
    #[inline]
    pub(super) fn decided(&self) -> Bounds {
        self.found[0]
    }

    /// Plies that something is known of; 0 when nothing is.
    pub(super) fn searched(&self) -> u8 {
        if usize::from(self.known) == STEPS { 0 } else { self.depth - 2 * self.known }
    }

    /// The best guess: the deepest finding, and where that is a bound, the shallower ones
    /// within it, down to the static value. The paper takes the deepest finding that the pass
    /// window can use; a bound says something in every window.
    ///
    /// Findings deeper than `level` do not count: values of unequal depth are hard to compare.
    pub(super) fn estimate(&self, level: u8) -> Worth {
        let mut guess = self.worth;
        for step in (self.step_at(level).max(usize::from(self.known))..STEPS).rev() {
            guess = self.found[step].nearest(guess);
        }
        guess
    }

    /// By how much the deepest finding that the level looks at speaks for one side of a window;
    /// nothing where it is not even as deep as the level before.
    pub(super) fn margin(&self, level: u8, before: u8, alpha: Worth, beta: Worth) -> i32 {
        if !self.is_near(before) {
            return 0;
        }
        let step = self.step_at(level).max(usize::from(self.known));
        // Of a deep leaf the first steps are told by nobody.
        let found = self.found.get(step).copied().unwrap_or(Bounds::NONE);
        let above = i32::from(found.lower) - i32::from(beta);
        let below = i32::from(alpha) - i32::from(found.upper);
        above.max(below)
    }

    /// Whether it has not been searched as deep as the level asks for.
    pub(super) fn lacks(&self, level: u8) -> bool {
        self.searched() < level.min(self.depth)
    }

    /// The step that the level looks at: findings before it are hidden.
    fn step_at(&self, level: u8) -> usize {
        usize::from(self.depth.saturating_sub(level).div_ceil(2))
    }

    /// The finding that the level looks at.
    fn found_at(&self, level: u8) -> Bounds {
        self.found.get(self.step_at(level)).copied().unwrap_or(Bounds::NONE)
    }

    /// The depth to be searched again, because what was found there, as deep as the level asks
    /// for, does not answer this window; 0 when it does or nothing was found yet.
    pub(super) fn due(&self, level: u8, alpha: Worth, beta: Worth) -> u8 {
        let answered = self.found_at(level).answer(alpha, beta).is_some();
        let again = !answered && !self.lacks(level);
        if again { self.depth.saturating_sub(2 * self.step_at(level) as u8) } else { 0 }
    }

    /// Whether it has been searched, and as deep as the level before asked for.
    pub(super) fn is_near(&self, before: u8) -> bool {
        self.searched() > 0 && self.searched() >= before.min(self.depth)
    }

    /// All that a pass sees of it.
    pub(super) fn shows(&self, level: u8) -> (Worth, Bounds, bool) {
        (self.estimate(level), self.found_at(level), self.lacks(level))
    }

    /// Whether findings of this depth are told of it.
    pub(super) fn has_step(&self, depth: u8) -> bool {
        depth <= self.depth
            && (self.depth - depth).is_multiple_of(2)
            && usize::from((self.depth - depth) / 2) < STEPS
    }

    /// Adds a finding of such a depth; false when it contradicts what is known.
    pub(super) fn learn(&mut self, depth: u8, bounds: Bounds) -> bool {
        let step = usize::from((self.depth - depth) / 2);
        let Some(both) = self.found[step].and(bounds) else { return false };
        self.found[step] = both;
        self.known = self.known.min(step as u8);
        true
    }

    /// The same leaf before anybody searched it.
    pub(super) fn unsearched(&self) -> Self {
        Leaf { extended: self.extended, ..Leaf::new(self.depth, self.node, self.worth) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_margin_is_of_the_finding_that_the_level_looks_at() {
        let mut leaf = Leaf::new(6, 0, 10);
        assert_eq!(leaf.margin(2, 0, 0, 1), 0, "nobody was there");
        assert!(leaf.learn(4, Bounds { lower: 30, upper: 90 }));
        let margins =
            [(0, 1), (100, 101), (50, 51)].map(|(alpha, beta)| leaf.margin(4, 2, alpha, beta));
        assert_eq!(margins, [29, 10, -21]);
        assert_eq!((leaf.margin(6, 4, 0, 1), leaf.margin(6, 6, 0, 1)), (29, 0), "a level behind");
        let mut deep = Leaf::new(40, 0, 10);
        assert!(deep.learn(40, Bounds::exactly(20)) && deep.margin(2, 0, 0, 1) < 0, "nothing told");
    }

    /// Only what was searched equally deep is compared, whatever is certain already.
    #[test]
    fn deeper_findings_count_when_the_level_is_there() {
        let mut leaf = Leaf::new(6, 0, 10);
        assert!((leaf.estimate(6), leaf.lacks(2), leaf.is_near(0)) == (10, true, false));
        assert!(leaf.learn(2, Bounds::exactly(20)) && leaf.learn(6, Bounds::exactly(60)));
        assert_eq!([0, 2, 4, 6, 8].map(|level| leaf.estimate(level)), [10, 20, 20, 60, 60]);
        assert_eq!(leaf.shows(4), (20, Bounds::NONE, false), "it has been searched deeper");
        assert_eq!((leaf.due(2, 0, 1), leaf.due(4, 0, 1), leaf.due(6, 0, 1)), (0, 4, 0));
        assert_eq!(leaf.shows(6), (60, Bounds::exactly(60), false));
        let mut other = Leaf::new(6, 0, 10);
        assert!(other.learn(2, Bounds { lower: 30, upper: 90 }));
        let due = |alpha, beta| other.due(2, alpha, beta);
        assert_eq!((due(0, 30), due(90, 91), due(0, 31)), (0, 0, 2), "bounds may answer or not");
        assert_eq!(other.due(4, 0, 31), 0, "nobody was there yet");
        assert_eq!((other.estimate(4), other.is_near(2), other.is_near(4)), (30, true, false));
    }
}
