//! The values of the master tree: the best of children and rest, from the leaves up
//! (pgpp-2015 Fig. 1).

use senbon_games::Game;

use super::{NodeId, Tree};
use crate::{Opinion, Score};

/// A move of a node with what is known of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice<M> {
    /// The line, this move first.
    pub line: Vec<M>,
    /// From the view of the side that chooses.
    pub score: Score,
    /// Depth of the search behind it, counted from the choosing node.
    pub depth: u32,
    /// Deepest ply looked at, counted from there.
    pub seldepth: u32,
}

impl<M: Copy> Choice<M> {
    fn of_rest(opinion: &Opinion<M>) -> Self {
        Choice {
            line: opinion.line.clone(),
            score: opinion.score,
            depth: opinion.depth,
            seldepth: opinion.seldepth,
        }
    }
}

impl<G: Game> Tree<G> {
    /// The moves of `id` of which something is known, best first; equals in the order they
    /// became children, the rest last.
    pub fn choices(&self, id: NodeId) -> Vec<Choice<G::Move>> {
        let node = self.node(id);
        let mut choices: Vec<_> =
            node.children.iter().filter_map(|&child| self.choice_of_child(child)).collect();
        choices.extend(self.rest_choices(id));
        choices.sort_by_key(|choice| std::cmp::Reverse(choice.score));
        choices
    }

    /// The lines that the worker of `id` has told of, best first.
    pub fn rest_choices(&self, id: NodeId) -> Vec<Choice<G::Move>> {
        let Some(rest) = self.rest_opinion(id).filter(|rest| !rest.line.is_empty()) else {
            return Vec::new();
        };
        let mut choices = vec![Choice::of_rest(rest)];
        let further = &self.node(id).further;
        let behind = further.iter().filter(|line| line.line.first() != rest.line.first());
        // A further line may be of another depth; it is not better than the best for that.
        choices.extend(behind.map(|line| {
            let choice = Choice::of_rest(line);
            Choice { score: choice.score.min(rest.score), ..choice }
        }));
        choices[1..].sort_by_key(|choice| std::cmp::Reverse(choice.score));
        choices
    }

    /// The way from `id` down to the node whose rest gives its value, by its last node and
    /// length; without the cost of building the line.
    pub(crate) fn principal(&self, id: NodeId) -> (NodeId, u32) {
        let (mut at, mut plies) = (id, 0);
        while let Some((_, Some(child))) = self.best_part(at) {
            at = child;
            plies += 1;
        }
        (at, plies)
    }

    /// The root's move on the way to `id`; none for the root itself.
    pub(crate) fn first_step(&self, id: NodeId) -> Option<G::Move> {
        let mut at = id;
        while let Some(parent) = self.node(at).parent {
            if parent == self.root {
                return self.node(at).mv;
            }
            at = parent;
        }
        None
    }

    /// The best part of a node: a child, or none for the rest.
    fn best_part(&self, id: NodeId) -> Option<(Score, Option<NodeId>)> {
        let mut best: Option<(Score, Option<NodeId>)> = None;
        for &child in &self.node(id).children {
            if let Some(score) = self.node(child).value.map(Score::one_ply_up)
                && best.is_none_or(|(top, _)| score > top)
            {
                best = Some((score, Some(child)));
            }
        }
        if let Some(rest) = self.rest_opinion(id)
            && !rest.line.is_empty()
            && best.is_none_or(|(top, _)| rest.score > top)
        {
            best = Some((rest.score, None));
        }
        best
    }

    /// The best move of `id` by all that is known.
    pub fn best(&self, id: NodeId) -> Option<Choice<G::Move>> {
        match self.best_part(id)? {
            (_, Some(child)) => self.choice_of_child(child),
            (_, None) => self.rest_opinion(id).map(Choice::of_rest),
        }
    }

    fn choice_of_child(&self, child: NodeId) -> Option<Choice<G::Move>> {
        let node = self.node(child);
        let mv = node.mv?;
        let score = node.value?.one_ply_up();
        let mut choice =
            self.best(child).unwrap_or(Choice { line: Vec::new(), score, depth: 0, seldepth: 0 });
        choice.line.insert(0, mv);
        let depth = choice.depth.saturating_add(1);
        let seldepth = choice.seldepth.saturating_add(1);
        Some(Choice { score, depth, seldepth, ..choice })
    }

    /// What is known of the rest, if there is a rest.
    pub(super) fn rest_opinion(&self, id: NodeId) -> Option<&Opinion<G::Move>> {
        let node = self.node(id);
        node.rest.as_ref().filter(|_| self.overlapping || node.legal.len() > node.children.len())
    }

    /// Brings the values of `id` and of all above it up to date.
    pub(super) fn update_from(&mut self, id: NodeId) {
        let mut at = Some(id);
        while let Some(id) = at {
            let value = self.value_of(id);
            let node = self.node_mut(id);
            at = node.parent;
            if node.value == value && at.is_some() {
                return;
            }
            node.value = value;
        }
    }

    fn value_of(&self, id: NodeId) -> Option<Score> {
        let node = self.node(id);
        if node.over {
            return node.value;
        }
        let children = node.children.iter().filter_map(|&child| self.node(child).value);
        let rest = self.rest_opinion(id).map(|rest| rest.score);
        if self.overlapping && rest.is_some() {
            // It has seen all moves itself; nothing is joined.
            return rest;
        }
        children.map(Score::one_ply_up).chain(rest).max()
    }
}
