//! A rest searched move by move, for engines that cannot be told to leave moves out: each
//! move's position to depth 1, then each to depth 2, and so on; the values negated.

use senbon_core::{Opinion, Score, Search};
use senbon_games::Notation;

use super::translate;
use crate::universal::Info;

/// How far the sweep has come.
#[derive(Debug)]
pub(super) struct Sweep<M> {
    /// Those that end the game, then those to be searched.
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
    /// The game is over after it: nothing to be asked.
    over: bool,
    /// From the view of the side that makes the move; of the last depth finished.
    score: Option<Score>,
    /// Of the depth under way.
    fresh: Option<Score>,
    line: Vec<M>,
}

impl<M: Copy + Eq> Sweep<M> {
    pub(super) fn new<G: Notation<Move = M>>(search: &Search<G>) -> Self {
        let start = |&mv: &M| {
            let mut after = search.place.position().clone();
            after.play(mv);
            let over = after.count_moves() == 0;
            let lost = after.stuck().sign_for(after.side_to_move()) < 0;
            let score = if lost { Score::Mates(1) } else { Score::Centipawns(0) };
            Swept { mv, over, score: over.then_some(score), fresh: None, line: vec![mv] }
        };
        let mut sweep = Sweep {
            moves: search.only.iter().map(start).collect(),
            at: 0,
            depth: 1,
            nodes: 0,
            nodes_here: 0,
        };
        sweep.begin_round();
        sweep
    }

    /// The move whose position is to be searched; `None` if all of them end the game.
    pub(super) fn current(&self) -> Option<M> {
        self.moves.get(self.at).map(|swept| swept.mv)
    }

    /// To this depth.
    pub(super) fn depth(&self) -> u32 {
        self.depth
    }

    /// Whether all moves were looked at.
    pub(super) fn has_finished_a_round(&self) -> bool {
        self.depth > 1
    }

    /// Nodes of the positions searched so far.
    pub(super) fn nodes_before(&self) -> u64 {
        self.nodes
    }

    pub(super) fn hear<G: Notation<Move = M>>(&mut self, search: &Search<G>, info: &Info) {
        self.nodes_here = info.nodes.unwrap_or(self.nodes_here);
        let Some((score, _)) = translate::score(info) else { return };
        let Some(swept) = self.moves.get_mut(self.at) else { return };
        let mut after = search.place.position().clone();
        after.play(swept.mv);
        swept.fresh = Some(score.one_ply_up());
        swept.line.truncate(1);
        swept.line.extend(translate::line(&after, &info.pv));
    }

    /// The position under search is done: on to the next. Tells the best of a finished round.
    pub(super) fn next_move(&mut self) -> Option<Opinion<M>> {
        self.nodes += std::mem::take(&mut self.nodes_here);
        if let Some(swept) = self.moves.get_mut(self.at) {
            swept.score = swept.fresh.take().or(swept.score);
        }
        self.at += 1;
        if self.at < self.moves.len() {
            return None;
        }
        self.depth += 1;
        self.begin_round();
        self.opinion()
    }

    /// What the last round found.
    pub(super) fn opinion(&self) -> Option<Opinion<M>> {
        let best = self.moves.iter().max_by_key(|swept| swept.score)?;
        let opinion = Opinion::new(best.score?, self.depth, best.line.clone());
        Some(Opinion { nodes: self.nodes, ..opinion })
    }

    /// The best first, so that a round broken off has seen it.
    fn begin_round(&mut self) {
        self.moves.sort_by_key(|swept| (!swept.over, std::cmp::Reverse(swept.score)));
        self.at = self.moves.iter().take_while(|swept| swept.over).count();
    }

    /// The best move so far and the answer expected.
    pub(super) fn best(&self) -> (Option<M>, Option<M>) {
        let best = self.moves.iter().max_by_key(|swept| swept.score);
        (best.map(|swept| swept.mv), best.and_then(|swept| swept.line.get(1).copied()))
    }
}
