//! One node of the master tree.

use senbon_games::Game;

use crate::{Opinion, Score, WorkerId};

/// Names a node of one tree, for good: a removed node's name is not given again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId {
    pub(super) serial: u32,
    pub(super) slot: u32,
}

impl NodeId {
    /// A small number, for tables beside the tree. Used again after the node was removed.
    pub fn index(self) -> usize {
        self.slot as usize
    }
}

/// A position of the master tree.
#[derive(Clone, Debug)]
pub struct Node<G: Game> {
    /// Of its name.
    pub(super) serial: u32,
    pub(super) position: G,
    pub(super) parent: Option<NodeId>,
    /// The move that led here; none at the root.
    pub(super) mv: Option<G::Move>,
    pub(super) legal: Vec<G::Move>,
    pub(super) children: Vec<NodeId>,
    /// What is known of the moves that are no children.
    pub(super) rest: Option<Opinion<G::Move>>,
    /// Further lines of the rest behind its best one, as far as its worker told of several.
    pub(super) further: Vec<Opinion<G::Move>>,
    /// What is known of them is not from the node's present worker.
    pub(super) foreign: bool,
    /// Depth and nodes behind the last line that became a child.
    pub(super) handed: (u32, u64),
    pub(super) settled: bool,
    pub(super) worker: Option<WorkerId>,
    /// Best of rest and children; kept up to date.
    pub(super) value: Option<Score>,
    /// The game is over here.
    pub(super) over: bool,
}

impl<G: Game> Node<G> {
    pub(super) fn new(position: G, from: Option<(NodeId, G::Move)>) -> Self {
        let legal: Vec<_> = position.moves().into_iter().collect();
        let mut node = Node {
            serial: 0,
            parent: from.map(|(parent, _)| parent),
            mv: from.map(|(_, mv)| mv),
            legal,
            children: Vec::new(),
            rest: None,
            further: Vec::new(),
            foreign: true,
            handed: (0, 0),
            settled: false,
            worker: None,
            value: None,
            over: false,
            position,
        };
        node.judge_end(from.is_some());
        node
    }

    /// A finished game needs no worker; its value is the result. At the root history does not
    /// count: a player asked for a move must find one, whatever could be claimed.
    fn judge_end(&mut self, by_history: bool) {
        let position = &self.position;
        let outcome = if self.legal.is_empty() {
            Some(position.stuck())
        } else {
            position.ended().or_else(|| by_history.then(|| position.ended_by_history()).flatten())
        };
        let Some(outcome) = outcome else { return };
        if !by_history && !self.legal.is_empty() {
            return;
        }
        self.over = true;
        self.legal.clear();
        self.value = Some(match outcome.sign_for(position.side_to_move()) {
            1 => Score::Mates(0),
            -1 => Score::Mated(0),
            _ => Score::Centipawns(0),
        });
    }

    /// The position.
    pub fn position(&self) -> &G {
        &self.position
    }

    /// The node this one is a child of.
    pub fn parent(&self) -> Option<NodeId> {
        self.parent
    }

    /// The move that led here.
    pub fn mv(&self) -> Option<G::Move> {
        self.mv
    }

    /// All legal moves; none when the game is over here.
    pub fn legal(&self) -> &[G::Move] {
        &self.legal
    }

    /// The moves that have nodes of their own.
    pub fn children(&self) -> &[NodeId] {
        &self.children
    }

    /// What is known of the others.
    pub fn rest(&self) -> Option<&Opinion<G::Move>> {
        self.rest.as_ref()
    }

    /// Who searches the others.
    pub fn worker(&self) -> Option<WorkerId> {
        self.worker
    }

    /// Best of all that is known, from the view of the side to move.
    pub fn value(&self) -> Option<Score> {
        self.value
    }

    /// What is known of `mv` as a move of the rest.
    pub(super) fn line_of(&self, mv: G::Move) -> Option<&Opinion<G::Move>> {
        self.rest.iter().chain(&self.further).find(|opinion| opinion.line.first() == Some(&mv))
    }

    /// Takes out what is known of `mv` as a move of the rest. If it was the best, the next
    /// best takes its place, as far as one is known.
    pub(super) fn take_line(&mut self, mv: G::Move) -> Option<Opinion<G::Move>> {
        let starts = |opinion: &Opinion<G::Move>| opinion.line.first() == Some(&mv);
        let behind = self.further.iter().position(starts).map(|index| self.further.remove(index));
        if !self.rest.as_ref().is_some_and(starts) {
            return behind;
        }
        let next = self.further.iter().enumerate().min_by_key(|(_, line)| line.rank);
        let next = next.map(|(index, _)| index).map(|index| self.further.remove(index));
        // It was told as no better than the best: a node must not gain by what it hands on.
        let most = self.rest.as_ref().map(|rest| rest.score);
        let next = next.map(|line| {
            let score = most.map_or(line.score, |most| line.score.min(most));
            Opinion { rank: 0, score, ..line }
        });
        std::mem::replace(&mut self.rest, next)
    }

    /// Whether there is anything to search: moves without a node of their own, and not all of
    /// them searched out.
    pub fn has_work(&self) -> bool {
        self.legal.len() > self.children.len() && !self.settled
    }

    /// Whether the game is over here.
    pub fn is_over(&self) -> bool {
        self.over
    }
}
