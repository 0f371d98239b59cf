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

impl<G: Game> Tree<G> {
    /// The moves of `id` of which something is known, best first; equals in the order they
    /// became children, the rest last.
    pub fn choices(&self, id: NodeId) -> Vec<Choice<G::Move>> {
        let node = self.node(id);
        let mut choices: Vec<_> =
            node.children.iter().filter_map(|&child| self.choice_of_child(child)).collect();
        if let Some(rest) = self.rest_opinion(id)
            && !rest.line.is_empty()
        {
            choices.push(Choice {
                line: rest.line.clone(),
                score: rest.score,
                depth: rest.depth,
                seldepth: rest.seldepth,
            });
        }
        choices.sort_by_key(|choice| std::cmp::Reverse(choice.score));
        choices
    }

    /// The best move of `id` by all that is known.
    pub fn best(&self, id: NodeId) -> Option<Choice<G::Move>> {
        let node = self.node(id);
        let mut best: Option<(Score, Option<NodeId>)> = None;
        for &child in &node.children {
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
            return Some(Choice {
                line: rest.line.clone(),
                score: rest.score,
                depth: rest.depth,
                seldepth: rest.seldepth,
            });
        }
        self.choice_of_child(best?.1?)
    }

    fn choice_of_child(&self, child: NodeId) -> Option<Choice<G::Move>> {
        let node = self.node(child);
        let mv = node.mv?;
        let score = node.value?.one_ply_up();
        let mut choice =
            self.best(child).unwrap_or(Choice { line: Vec::new(), score, depth: 0, seldepth: 0 });
        choice.line.insert(0, mv);
        Some(Choice { score, depth: choice.depth + 1, seldepth: choice.seldepth + 1, ..choice })
    }

    /// What is known of the rest, if there is a rest.
    pub(super) fn rest_opinion(&self, id: NodeId) -> Option<&Opinion<G::Move>> {
        let node = self.node(id);
        node.rest.as_ref().filter(|_| node.legal.len() > node.children.len())
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
        children.map(Score::one_ply_up).chain(rest).max()
    }
}
