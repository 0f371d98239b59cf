//! Trees for play: all moves or the most promising, leaves judged by a search of captures.

use senbon_games::{Branching, Evaluator, HIGHEST, OVER, Promising, Tactics, Worth};

/// Plies that captures are followed. Whoever is still in the middle of an exchange then is
/// judged as it stands.
const DEEPEST: u8 = 12;

/// [`Promising`] with leaves that are looked at until they are quiet.
///
/// The search of captures begins anew with an open window at every leaf and remembers nothing:
/// what a leaf is worth depends on the position alone, whoever searches it and with whatever
/// window, so that many searchers of one tree agree.
#[derive(Clone, Debug)]
pub struct Quiescent<G, E> {
    tree: Promising<E>,
    /// A copy to play captures on.
    scratch: Option<G>,
    moves: Vec<(i32, u16)>,
}

impl<G, E> Quiescent<G, E> {
    /// At most `most` children at every node.
    pub fn new(evaluator: E, most: usize) -> Self {
        Quiescent { tree: Promising::new(evaluator, most), scratch: None, moves: Vec::new() }
    }
}

impl<G: Tactics, E: Evaluator<G>> Quiescent<G, E> {
    /// The value of the best sequence of captures, or of none; in check of the best evasion.
    fn settle(&mut self, position: &mut G, mut alpha: i32, beta: i32, left: u8) -> i32 {
        if position.ended().is_some() {
            return self.tree.ending(position, 0).into();
        }
        let in_check = position.in_check();
        let mut best = match in_check && left > 0 {
            true => -i32::from(OVER),
            false => self.tree.worth(position),
        };
        if best >= beta || left == 0 {
            return best;
        }
        alpha = alpha.max(best);
        let moves: Vec<G::Move> = match in_check {
            true => position.moves().into_iter().collect(),
            // Exchanges that lose material are no reason to go on.
            false => {
                let pays = |mv: &G::Move| position.exchange(*mv) >= 0;
                position.noisy_moves().into_iter().filter(pays).collect()
            }
        };
        if moves.is_empty() {
            return if in_check { self.tree.ending(position, 0).into() } else { best };
        }
        let first = self.moves.len();
        let gain = |(index, &mv): (usize, &G::Move)| (-position.gain(mv), index as u16);
        self.moves.extend(moves.iter().enumerate().map(gain));
        self.moves[first..].sort_unstable();
        for rank in first..self.moves.len() {
            let mv = moves[usize::from(self.moves[rank].1)];
            self.tree.played(position, mv);
            let undo = position.play(mv);
            let value = -self.settle(position, -beta, -alpha, left - 1);
            position.take_back(mv, undo);
            self.tree.taken_back();
            best = best.max(value);
            alpha = alpha.max(value);
            if alpha >= beta {
                break;
            }
        }
        self.moves.truncate(first);
        best
    }
}

impl<G: Tactics, E: Evaluator<G>> Branching<G> for Quiescent<G, E> {
    fn children(&mut self, position: &G, children: &mut Vec<G::Move>) {
        self.tree.children(position, children);
    }

    fn first_child(&mut self, position: &G, children: &mut Vec<G::Move>) -> Option<G::Move> {
        self.tree.first_child(position, children)
    }

    fn other_children(&mut self, position: &G, children: &mut Vec<G::Move>, first: usize) {
        self.tree.other_children(position, children, first);
    }

    fn worth(&mut self, position: &G) -> i32 {
        let mut scratch = match self.scratch.take() {
            Some(mut scratch) => {
                scratch.clone_from(position);
                scratch
            }
            None => position.clone(),
        };
        let open = i32::from(HIGHEST);
        let value = self.settle(&mut scratch, -open, open, DEEPEST);
        self.scratch = Some(scratch);
        // A mate among captures is no mate that was proved: sides may choose not to capture.
        value.clamp(-E::LIMIT, E::LIMIT)
    }

    fn ending(&mut self, position: &G, depth: u8) -> Worth {
        self.tree.ending(position, depth)
    }

    fn reset(&mut self, position: &G) {
        Branching::<G>::reset(&mut self.tree, position);
    }

    fn played(&mut self, before: &G, mv: G::Move) {
        self.tree.played(before, mv);
    }

    fn taken_back(&mut self) {
        Branching::<G>::taken_back(&mut self.tree);
    }
}

#[cfg(test)]
mod tests {
    use senbon_games::Notation;
    use senbon_games::chess::{Chess, ChessEvaluator};

    use super::*;
    use crate::fixed::Fixed;

    fn worth(fen: &str) -> i32 {
        let position = Chess::parse_position(fen).unwrap();
        let mut tree = Quiescent::new(ChessEvaluator::default(), usize::MAX);
        Branching::<Chess>::reset(&mut tree, &position);
        let value = Branching::<Chess>::worth(&mut tree, &position);
        assert_eq!(value, Branching::<Chess>::worth(&mut tree, &position), "the same again");
        value
    }

    #[test]
    fn a_hanging_queen_is_counted_and_a_protected_pawn_is_not_taken() {
        let hanging = worth("4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1");
        let quiet = worth("4k3/8/8/8/4P3/8/8/4K3 w - - 0 1");
        assert!((hanging - quiet).abs() < 120, "{hanging} after taking, {quiet} without a queen");
        let guarded = worth("4k3/8/2p5/3p4/8/8/8/3QK3 w - - 0 1");
        assert!(guarded > 300, "the queen stays: {guarded}");
    }

    #[test]
    fn a_fixed_search_of_such_a_tree_finds_the_mate() {
        let position = Chess::parse_position("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1").unwrap();
        let tree = Quiescent::new(ChessEvaluator::default(), usize::MAX);
        let mut search = Fixed::new(position.clone(), tree, 1 << 20);
        search.start(&position, 4, -HIGHEST, HIGHEST);
        let value = search.run(u64::MAX).unwrap();
        assert_eq!(value, OVER + 3, "mate at once, three plies left");
    }
}
