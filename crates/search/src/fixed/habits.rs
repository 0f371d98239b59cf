//! Moves that were good elsewhere: an order in which to try the children of a node.
//!
//! They only say what to try first. What a search finds does not depend on them, only how
//! soon.

use senbon_games::Game;

/// Moves that refuted the opponent's: the last two at every ply, and how often at all.
#[derive(Clone)]
pub(super) struct Habits {
    /// By ply, the last first.
    last: Vec<[u16; 2]>,
    /// By the side to move and a hash of the move.
    often: Vec<[u16; 2]>,
    /// Room for sorting.
    ranks: Vec<u32>,
}

/// The code of no move.
const NO_MOVE: u16 = 0;
/// Bits of a move's hash. Small, so that thousands of searches fit into one memory.
const BITS: u32 = 10;

impl Habits {
    /// No habits yet.
    pub(super) fn new<G: Game>() -> Self {
        let room = if G::KINDRED_MOVES { 1 << BITS } else { 0 };
        Habits { last: Vec::new(), often: vec![[0; 2]; room], ranks: Vec::new() }
    }

    /// `mv` refuted what the opponent did, by a search of `depth`.
    #[inline]
    pub(super) fn refuted<G: Game>(&mut self, position: &G, ply: u8, depth: u8, mv: G::Move) {
        if !G::KINDRED_MOVES {
            return;
        }
        let (ply, code) = (usize::from(ply), G::code(mv));
        if self.last.len() <= ply {
            self.last.resize(ply + 1, [NO_MOVE; 2]);
        }
        let last = &mut self.last[ply];
        if last[0] != code {
            *last = [code, last[0]];
        }
        let often = &mut self.often[place(code)][position.side_to_move() as usize];
        match often.checked_add(u16::from(depth) * u16::from(depth)) {
            Some(more) => *often = more,
            None => self.often.iter_mut().flatten().for_each(|often| *often /= 2),
        }
    }

    /// The child that refuted something at this ply last, if it is there.
    #[inline]
    pub(super) fn first<G: Game>(&self, ply: u8, children: &[G::Move]) -> Option<u8> {
        let &[last, _] = self.last.get(usize::from(ply))?;
        children.iter().position(|&mv| G::code(mv) == last).map(|at| at as u8)
    }

    /// Puts the numbers of `children` behind what is in `order`: `first` first, then what
    /// refuted something at this ply, then by how often; then in the order of the tree.
    pub(super) fn sort<G: Game>(
        &mut self,
        position: &G,
        ply: u8,
        children: &[G::Move],
        first: u8,
        order: &mut Vec<u8>,
    ) {
        order.push(first);
        let others = (0..children.len() as u8).filter(|&at| at != first);
        if !G::KINDRED_MOVES {
            return order.extend(others);
        }
        let last = self.last.get(usize::from(ply)).copied().unwrap_or_default();
        let side = position.side_to_move() as usize;
        self.ranks.clear();
        self.ranks.extend(others.map(|at| {
            let code = G::code(children[usize::from(at)]);
            let rank = last.iter().position(|&other| other == code).unwrap_or(last.len());
            let rarely = u32::from(u16::MAX - self.often[place(code)][side]);
            (rank as u32) << 24 | rarely << 8 | u32::from(at)
        }));
        self.ranks.sort_unstable();
        order.extend(self.ranks.iter().map(|&rank| rank as u8));
    }
}

#[inline]
const fn place(code: u16) -> usize {
    ((code as u32).wrapping_mul(0x9e37_79b1) >> (u32::BITS - BITS)) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use senbon_games::Notation;
    use senbon_games::tiny::ConnectFour;
    use senbon_games::trees::{Incremental, IncrementalShape};

    fn order<G: Game>(habits: &mut Habits, position: &G, ply: u8, first: u8) -> Vec<u8> {
        let children: Vec<_> = position.moves().into_iter().collect();
        // What others put there stays.
        let mut order = vec![9];
        habits.sort(position, ply, &children, first, &mut order);
        assert_eq!(order[0], 9);
        order.split_off(1)
    }

    #[test]
    fn what_was_good_elsewhere_comes_first() {
        let mut habits = Habits::new::<ConnectFour>();
        let position = ConnectFour::start();
        let children: Vec<_> = position.moves().collect();
        assert_eq!(habits.first::<ConnectFour>(3, &children), None);
        assert_eq!(order(&mut habits, &position, 3, 1), [1, 0, 2, 3, 4, 5, 6]);
        for at in [6, 4, 5] {
            habits.refuted(&position, 3, 4, children[at]);
        }
        assert_eq!(habits.first::<ConnectFour>(3, &children), Some(5));
        assert_eq!(order(&mut habits, &position, 3, 1), [1, 5, 4, 6, 0, 2, 3]);
        // At another ply only how often counts; to the other side, nothing does.
        habits.refuted(&position, 3, 4, children[6]);
        assert_eq!(order(&mut habits, &position, 2, 0), [0, 6, 4, 5, 1, 2, 3]);
        let mut reply = position;
        reply.play(children[0]);
        assert_eq!(order(&mut habits, &reply, 2, 0), [0, 1, 2, 3, 4, 5, 6]);
        // Counts that grow too large are halved, and the order stays.
        for _ in 0..5_000 {
            habits.refuted(&position, 3, 4, children[6]);
        }
        assert_eq!(order(&mut habits, &position, 2, 0), [0, 6, 4, 5, 1, 2, 3]);
    }

    #[test]
    fn numbers_of_branches_mean_nothing() {
        let position = Incremental::new(IncrementalShape::new(5, 4, 1)).unwrap();
        let children: Vec<_> = position.moves().collect();
        let mut habits = Habits::new::<Incremental>();
        habits.refuted(&position, 0, 4, children[3]);
        assert_eq!(habits.first::<Incremental>(0, &children), None);
        assert_eq!(order(&mut habits, &position, 0, 2), [2, 0, 1, 3, 4]);
    }
}
