//! Pondering on the position before the predicted move (pgpp-2015 section 5.3).
//!
//! The tree's root is that earlier position, so that a miss loses nothing. Whoever asked
//! speaks of the position after the prediction: what is told and answered above is of that.

use std::time::Duration;

use senbon_games::Game;

use super::thinking::playable;
use super::{Output, Pipeline};
use crate::tree::Choice;
use crate::{Epoch, Report};

impl<G: Game> Pipeline<G> {
    /// Tells above what changed at the position after the predicted move.
    pub(super) fn tell_pondering(&mut self, now: Duration, predicted: G::Move) {
        let lines = self.thinking.as_ref().map_or(1, |thinking| thinking.lines);
        let mut choices = self.choices_after(predicted);
        choices.truncate(lines);
        self.tell_choices(now, choices);
    }

    /// Stopped before the prediction came true: the answer is a move of the position after
    /// it. The tree stays, for the move that was played instead is another branch of it.
    pub(super) fn answer_pondering(&mut self, epoch: Epoch, predicted: G::Move) {
        let line = self.choices_after(predicted).into_iter().next().map(|choice| choice.line);
        let line = line.unwrap_or_default();
        let first_legal = || {
            let mut after = self.tree.place().position().clone();
            after.play(predicted);
            after.moves().into_iter().next()
        };
        let best = line.first().copied().or_else(first_legal);
        let ponder = line.get(1).copied();
        self.output.push_back(Output::Above(Report::Done { epoch, best, ponder }));
        if !self.settings.ponder {
            self.halt();
        }
    }

    /// What is known of the moves after `predicted`, best first.
    fn choices_after(&self, predicted: G::Move) -> Vec<Choice<G::Move>> {
        let mut after = self.tree.place().position().clone();
        after.play(predicted);
        playable(&after, self.known_after(predicted))
    }

    fn known_after(&self, predicted: G::Move) -> Vec<Choice<G::Move>> {
        let root = self.tree.root();
        if let Some(child) = self.tree.child(root, predicted) {
            return self.tree.choices(child);
        }
        let starts = |choice: &Choice<G::Move>| choice.line.first() == Some(&predicted);
        let known = self.tree.choices(root).into_iter().find(starts);
        known.filter(|choice| choice.line.len() > 1).map(one_ply_later).into_iter().collect()
    }
}

fn one_ply_later<M>(mut choice: Choice<M>) -> Choice<M> {
    choice.line.remove(0);
    Choice {
        line: choice.line,
        score: choice.score.one_ply_down(),
        depth: choice.depth.saturating_sub(1),
        seldepth: choice.seldepth.saturating_sub(1),
    }
}
