//! The original GPP (pgpp-2015 section 3.3): at every step of building the tree, a shallow
//! search ranks the moves of a position, and its workers are shared among the best of them
//! by fixed ratios.
//!
//! The paper leaves open how shallow the search is, how shares are rounded and what becomes of
//! workers that no share needs. Our choices: [`DEPTH`] plies, or a sixteenth of the time for the
//! move if that is less; shares are rounded and at least
//! one, as long as workers are left; one worker stays for the other moves; what is left when
//! the moves run out goes to the best one. A worker that joins later widens the root.

use std::collections::BTreeMap;
use std::time::Duration;

use senbon_games::Game;

use super::Pipeline;
use super::thinking::Thinking;
use crate::tree::NodeId;
use crate::{Limits, Opinion};

/// Depth of the shallow searches,
const DEPTH: u32 = 8;
/// and the part of the time for the move that one may take at most,
const TIME_SHARE: u32 = 16;
/// but no less than this.
const LEAST_TIME: Duration = Duration::from_millis(1);

/// A node whose moves are being ranked.
#[derive(Clone, Debug)]
pub(super) struct Survey<M> {
    /// Workers at and below the node.
    workers: usize,
    /// Those not yet given to a move.
    left: usize,
    /// The next move's rank, from 1.
    rank: usize,
    /// What the search under way found, by its own ranks.
    found: BTreeMap<usize, M>,
}

impl<M> Survey<M> {
    fn new(workers: usize) -> Self {
        Survey { workers, left: workers.saturating_sub(1), rank: 1, found: BTreeMap::new() }
    }

    /// How many best moves could get a worker.
    pub(super) fn lines(&self) -> usize {
        self.left.max(1)
    }
}

/// Workers for the move of a rank, at a position that has so many.
fn share(workers: usize, rank: usize, at_root: bool) -> usize {
    let (first, ratio) = if at_root { (0.25, 0.75f64) } else { (0.5, 0.5) };
    let exact = first * ratio.powi(rank as i32 - 1) * workers as f64;
    exact.round().max(1.0) as usize
}

impl<G: Game> Pipeline<G> {
    /// A new root: its moves are to be ranked.
    pub(super) fn survey_root(&mut self) {
        if self.tree.len() == 1 && self.workers.len() > 1 {
            self.surveys.clear();
            self.surveys.insert(self.tree.root(), Survey::new(self.workers.len()));
        }
    }

    /// A worker came: the next best move of the root is for it.
    pub(super) fn widen_survey(&mut self) {
        if self.settings.strategy != super::Strategy::OriginalGpp {
            return;
        }
        let (root, workers) = (self.tree.root(), self.workers.len());
        let rank = self.tree.node(root).children().len() + 1;
        let survey = Survey { workers, left: 0, rank, found: BTreeMap::new() };
        let survey = self.surveys.entry(root).or_insert(survey);
        survey.workers = workers;
        survey.left += 1;
    }

    /// The limits of a shallow search under the limits asked for.
    pub(super) fn survey_limits(&self) -> Limits {
        let limits = self.limits_below();
        let depth = limits.depth.map_or(DEPTH, |depth| depth.min(DEPTH));
        let aim = self.thinking.as_ref().and_then(Thinking::aim);
        let move_time = aim.map(|time| (time / TIME_SHARE).max(LEAST_TIME));
        Limits { depth: Some(depth), move_time, infinite: false, ..limits }
    }

    /// Takes note of a move that a shallow search thinks of.
    pub(super) fn note_survey(&mut self, node: NodeId, opinion: &Opinion<G::Move>) {
        if let (Some(survey), Some(&mv)) = (self.surveys.get_mut(&node), opinion.line.first()) {
            survey.found.insert(opinion.rank, mv);
        }
    }

    /// A shallow search is over: its best moves get their workers.
    pub(super) fn finish_survey(&mut self, node: NodeId) {
        let Some(mut survey) = self.surveys.remove(&node) else { return };
        let at_root = node == self.tree.root();
        let mut gained = false;
        for mv in std::mem::take(&mut survey.found).into_values() {
            if survey.left == 0 {
                break;
            }
            if !self.tree.may_expand(node, mv) {
                continue;
            }
            let child = self.tree.expand(node, mv);
            gained = true;
            if self.tree.node(child).is_over() {
                continue;
            }
            let workers = share(survey.workers, survey.rank, at_root).min(survey.left);
            survey.left -= workers;
            survey.rank += 1;
            if workers > 1 {
                self.surveys.insert(child, Survey::new(workers));
            }
        }
        if survey.left == 0 {
            return;
        }
        if gained {
            // The search told of fewer moves than there are workers: ask for the next ones.
            self.surveys.insert(node, survey);
            return;
        }
        let children = self.tree.node(node).children();
        let best = children.iter().copied().find(|&child| self.tree.node(child).has_work());
        if let Some(best) = best {
            let below = self.surveys.entry(best).or_insert_with(|| Survey::new(1));
            below.workers += survey.left;
            below.left += survey.left;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::share;

    #[test]
    fn the_ratios_of_the_paper() {
        let at_root: Vec<_> = (1..=6).map(|rank| share(64, rank, true)).collect();
        assert_eq!(at_root, [16, 12, 9, 7, 5, 4]);
        let below: Vec<_> = (1..=6).map(|rank| share(16, rank, false)).collect();
        assert_eq!(below, [8, 4, 2, 1, 1, 1]);
    }
}
