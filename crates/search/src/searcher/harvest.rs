//! The most valuable positions a search left in its table.
//!
//! A master tree grows by such positions (pgpp-2015 section 4.1): where the table knows a
//! best move, that is where a further worker is worth most.

use std::collections::BTreeSet;

use senbon_games::Game;

use crate::{Bound, Entry, Table, Value};

/// A position below the root that the table knows well.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gleaning<M> {
    /// The way there from the root.
    pub moves: Vec<M>,
    /// Its best move by the table, if one is known.
    pub best: Option<M>,
    /// Value from the view of the side to move there.
    pub value: Value,
    /// How the value is to be read.
    pub bound: Bound,
    /// Depth it was searched to.
    pub depth: u8,
}

/// Up to `count` positions below `root` that `table` knows, deepest searched first; equal
/// depths by closeness to the root. At most `reach` plies away. A position reached by several
/// ways is given once. The table may be in use by searches meanwhile.
pub fn harvest<G: Game>(
    table: &Table,
    root: &G,
    count: usize,
    reach: usize,
) -> Vec<Gleaning<G::Move>> {
    let mut seen = BTreeSet::from([root.key()]);
    let mut ready: Vec<Gleaning<G::Move>> = Vec::new();
    let mut taken: Vec<Gleaning<G::Move>> = Vec::new();
    glean_children(table, &mut root.clone(), &[], &mut seen, &mut ready);
    // Best first: a child was searched to less depth than its parent, so what is taken next
    // is always among the children of what was taken before.
    while taken.len() < count && !ready.is_empty() {
        let best = ready
            .iter()
            .enumerate()
            .max_by_key(|(i, g)| (g.depth, std::cmp::Reverse((g.moves.len(), *i))))
            .map_or(0, |(index, _)| index);
        let next = ready.remove(best);
        if next.moves.len() < reach {
            let mut below = root.clone();
            for &mv in &next.moves {
                below.play(mv);
            }
            glean_children(table, &mut below, &next.moves, &mut seen, &mut ready);
        }
        taken.push(next);
    }
    taken
}

fn glean_children<G: Game>(
    table: &Table,
    position: &mut G,
    path: &[G::Move],
    seen: &mut BTreeSet<u64>,
    ready: &mut Vec<Gleaning<G::Move>>,
) {
    for mv in position.moves() {
        let undo = position.play(mv);
        let key = position.key();
        if let Some(entry) = table.probe(key)
            && entry.depth > 0
            && position.ended().is_none()
            && seen.insert(key)
        {
            let best = position.moves().into_iter().find(|&mv| G::code(mv) == entry.code);
            let moves: Vec<_> = path.iter().copied().chain([mv]).collect();
            let Entry { value, bound, depth, .. } = entry;
            ready.push(Gleaning { moves, best, value, bound, depth });
        }
        position.take_back(mv, undo);
    }
}
