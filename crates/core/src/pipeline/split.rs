//! Root split, as UIDPABS does it: every worker has some of the root's moves and deepens on
//! them without waiting for the others. The best of their answers is ours.

use std::cmp::Reverse;

use senbon_games::Game;

use super::{Pipeline, Strategy};
use crate::{Opinion, WorkerId};

/// The moves of the root that one worker has, and what it says of them.
#[derive(Clone, Debug)]
pub(super) struct Part<M> {
    moves: Vec<M>,
    /// Its best lines, by rank.
    lines: Vec<Opinion<M>>,
}

impl<M: Copy + Eq> Part<M> {
    pub(super) fn holds(&self, mv: M) -> bool {
        self.moves.contains(&mv)
    }

    pub(super) fn moves(&self) -> &[M] {
        &self.moves
    }

    /// Lines of moves that went to somebody else are not ours to tell.
    fn forget_lost_moves(&mut self) {
        let moves = &self.moves;
        self.lines.retain(|line| line.line.first().is_some_and(|mv| moves.contains(mv)));
    }
}

impl<G: Game> Pipeline<G> {
    /// The moves that a worker has of the root.
    pub fn part_of(&self, id: WorkerId) -> Option<&[G::Move]> {
        self.parts.get(&id).map(Part::moves)
    }

    /// Deals every move of the root to exactly one worker, as evenly as can be. Moves change
    /// hands only where workers came or went.
    pub(super) fn deal(&mut self) {
        if self.settings.strategy != Strategy::RootSplit {
            return;
        }
        let root = self.tree.root();
        let legal = self.tree.node(root).legal();
        let workers = &self.workers;
        self.parts.retain(|id, part| {
            part.moves.retain(|mv| legal.contains(mv));
            workers.contains_key(id)
        });
        for &id in workers.keys() {
            if self.parts.len() < legal.len() {
                self.parts.entry(id).or_insert(Part { moves: Vec::new(), lines: Vec::new() });
            }
        }
        let homeless =
            legal.iter().copied().filter(|&mv| !self.parts.values().any(|p| p.holds(mv)));
        for mv in homeless.collect::<Vec<_>>() {
            if let Some(part) = self.parts.values_mut().min_by_key(|part| part.moves.len()) {
                part.moves.push(mv);
            }
        }
        self.even_out();
        self.parts.retain(|_, part| !part.moves.is_empty());
        for (id, worker) in &mut self.workers {
            worker.node = self.parts.contains_key(id).then_some(root);
        }
        self.tree.assign(root, self.parts.keys().next().copied());
    }

    fn even_out(&mut self) {
        loop {
            let size = |(id, part): (&WorkerId, &Part<G::Move>)| (part.moves.len(), *id);
            let Some((most, giver)) = self.parts.iter().map(size).max() else { return };
            let Some((least, taker)) = self.parts.iter().map(size).min() else { return };
            if most <= least + 1 {
                break;
            }
            let given = self.parts.get_mut(&giver).and_then(|part| part.moves.pop());
            if let (Some(mv), Some(part)) = (given, self.parts.get_mut(&taker)) {
                part.moves.push(mv);
            }
        }
        self.parts.values_mut().for_each(Part::forget_lost_moves);
    }

    /// A worker told of its part: the best of all parts is the opinion on the root.
    pub(super) fn hear_part(&mut self, id: WorkerId, opinion: Opinion<G::Move>) {
        if let Some(part) = self.parts.get_mut(&id) {
            part.lines.retain(|line| {
                line.rank != opinion.rank && line.line.first() != opinion.line.first()
            });
            part.lines.push(opinion);
        }
        let wanted = self.thinking.as_ref().map_or(1, |thinking| thinking.lines);
        let mut lines: Vec<_> = self.parts.values().flat_map(|part| &part.lines).collect();
        lines.sort_by_key(|line| Reverse(line.score));
        let best: Vec<_> = lines.into_iter().take(wanted).cloned().collect();
        let root = self.tree.root();
        for (rank, line) in best.into_iter().enumerate() {
            self.tree.report(root, Opinion { rank, ..line });
        }
    }
}
