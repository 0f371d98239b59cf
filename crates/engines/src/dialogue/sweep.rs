//! A rest searched move by move, for engines that cannot be told to leave moves out: each
//! move's position to depth 1, then each to depth 2, and so on; the values negated.

use senbon_core::{Opinion, Score, Search};
use senbon_games::Notation;

use super::translate;
use crate::universal::Info;

/// How far the sweep has come.
#[derive(Debug)]
pub(super) struct Sweep<M> {
    moves: Vec<Swept<M>>,
    at: usize,
    depth: u32,
    nodes: u64,
    /// Nodes of the position under search, by the last line about it.
    nodes_here: u64,
}

#[derive(Debug)]
struct Swept<M> {
    mv: M,
    /// From the view of the side that makes the move; of the last depth finished.
    score: Option<Score>,
    /// Of the depth under way.
    fresh: Option<Score>,
    line: Vec<M>,
}

impl<M: Copy + Eq> Sweep<M> {
    pub(super) fn new(moves: &[M]) -> Self {
        let fresh = |&mv| Swept { mv, score: None, fresh: None, line: vec![mv] };
        let moves = moves.iter().map(fresh).collect();
        Sweep { moves, at: 0, depth: 1, nodes: 0, nodes_here: 0 }
    }

    /// The move whose position is under search.
    pub(super) fn current(&self) -> M {
        self.moves[self.at].mv
    }

    pub(super) fn depth(&self) -> u32 {
        self.depth
    }

    pub(super) fn hear<G: Notation<Move = M>>(&mut self, search: &Search<G>, info: &Info) {
        self.nodes_here = info.nodes.unwrap_or(self.nodes_here);
        let Some((score, _)) = translate::score(info) else { return };
        let mut after = search.place.position().clone();
        let swept = &mut self.moves[self.at];
        after.play(swept.mv);
        swept.fresh = Some(score.one_ply_up());
        swept.line.truncate(1);
        swept.line.extend(translate::line(&after, &info.pv));
    }

    /// The position under search is done: on to the next. Tells the best of a finished round.
    pub(super) fn next_move(&mut self) -> Option<Opinion<M>> {
        self.nodes += std::mem::take(&mut self.nodes_here);
        let swept = &mut self.moves[self.at];
        swept.score = swept.fresh.take().or(swept.score);
        self.at += 1;
        if self.at < self.moves.len() {
            return None;
        }
        self.at = 0;
        self.depth += 1;
        // The best first, so that a round broken off has seen it.
        self.moves.sort_by_key(|swept| std::cmp::Reverse(swept.score));
        let best = &self.moves[0];
        let opinion = Opinion::new(best.score?, self.depth, best.line.clone());
        Some(Opinion { nodes: self.nodes, ..opinion })
    }

    /// The best move so far and the answer expected.
    pub(super) fn best(&self) -> (Option<M>, Option<M>) {
        let best = self.moves.iter().max_by_key(|swept| swept.score);
        (best.map(|swept| swept.mv), best.and_then(|swept| swept.line.get(1).copied()))
    }
}
