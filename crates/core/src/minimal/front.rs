//! A crew without tasks of its own: who goes where.

use super::helpers::Place;
use super::{Signature, Task};

/// A task that is open.
#[derive(Clone, Copy, Debug)]
pub(super) struct Open {
    pub task: Task,
    /// Nodes of its last search; one that is two plies deeper takes about five times as many
    /// where nodes have five children.
    pub effort: u64,
}

impl Open {
    /// So many are at it at most if all others depend on it: the longer the search, the more can
    /// share it without getting into each other's way (docs/results/minimal-tree.md, helpers).
    fn most_on_line(self) -> u32 {
        if self.effort < 20_000 { 16 } else { 64 }
    }

    /// So many are at it if it is doubtful, for the same reason.
    fn at_doubtful(self) -> u32 {
        match self.effort {
            ..5_000 => 2,
            5_000..20_000 => 4,
            _ => 8,
        }
    }
}

/// The tasks that so many workers are at, of those that are open, in the order of their
/// signatures: what the level waits for comes first, then what a search ahead of it may do.
pub(super) fn places(open: Vec<Open>, workers: u32, level: u8) -> Vec<Place> {
    // What is open at the depth asked for was searched with another window.
    let lacks = |open: &Open| {
        let task = open.task;
        task.due > 0 || task.searched < level || task.depth <= level
    };
    let (now, ahead): (Vec<Open>, Vec<Open>) = open.into_iter().partition(lacks);
    let count = now.len() + ahead.len();
    let on_line = now.iter().filter(|open| open.task.signature.class() == Signature::LINE).count();
    let share = (workers / on_line.max(1) as u32).max(1);
    let mut room = workers;
    let mut places = Vec::new();
    for open in now.into_iter().chain(ahead).take(workers as usize) {
        let task = open.task;
        let wanted = match task.signature.class() {
            Signature::LINE => share.min(open.most_on_line()),
            Signature::DOUBTFUL => open.at_doubtful(),
            _ => 1,
        };
        let wanted = wanted.min(room);
        if wanted == 0 {
            break;
        }
        room -= wanted;
        places.push(Place { task, least: wanted, most: wanted });
    }
    if room > 0 && places.len() == count {
        // Nobody has anything better to do.
        places.iter_mut().for_each(|place| *place = Place::from(place.task));
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::minimal::LeafId;

    fn task(leaf: u32, class: u8, searched: u8) -> Open {
        let (window, depth, due) = ((0, 1), 8, 0);
        let signature = Signature::default().with(0, leaf as u8).of_class(class);
        let leaf = LeafId(leaf);
        let task = Task { leaf, depth, window, pass_window: window, signature, searched, due };
        Open { task, effort: 1_000 }
    }

    fn wanted(open: &[Open], workers: u32, level: u8) -> Vec<(u32, u32)> {
        let places = places(open.to_vec(), workers, level);
        places.iter().map(|place| (place.task.leaf.0, place.most)).collect()
    }

    #[test]
    fn what_others_depend_on_has_more_than_one() {
        let open = [task(7, Signature::LINE, 6), task(3, Signature::DOUBTFUL, 6)];
        let open = [&open[..], &[task(1, 2, 6), task(2, 2, 6), task(0, 3, 6)]].concat();
        assert_eq!(wanted(&open, 20, 8), [(7, 16), (3, 2), (1, 1), (2, 1)]);
        assert_eq!(wanted(&open, 17, 8), [(7, 16), (3, 1)]);
        assert_eq!(wanted(&open, 3, 8), [(7, 3)]);
        let all = wanted(&open, 64, 8);
        assert_eq!(all.len(), 5);
        assert!(all.iter().all(|&(_, most)| most == u32::MAX), "the rest go anywhere");
    }

    #[test]
    fn long_searches_have_more() {
        let open = |effort| {
            let long = |open| Open { effort, ..open };
            [
                long(task(7, Signature::LINE, 6)),
                long(task(3, Signature::DOUBTFUL, 6)),
                task(1, 2, 6),
            ]
        };
        assert_eq!(wanted(&open(4_999), 19, 8), [(7, 16), (3, 2), (1, 1)]);
        assert_eq!(wanted(&open(5_000), 21, 8), [(7, 16), (3, 4), (1, 1)]);
        assert_eq!(wanted(&open(20_000), 73, 8), [(7, 64), (3, 8), (1, 1)]);
        assert_eq!(wanted(&open(20_000), 40, 8), [(7, 40)]);
    }

    #[test]
    fn what_the_level_waits_for_comes_first() {
        let open = [task(0, 2, 4), task(1, 2, 2), task(2, 2, 8)];
        assert_eq!(wanted(&open, 2, 4), [(1, 1), (0, 1)], "leaf 0 is done for this level");
        assert_eq!(wanted(&open, 3, 8).len(), 3);
        let late = task(3, 3, 4);
        let due = Open { task: Task { due: 2, ..late.task }, ..late };
        assert_eq!(wanted(&[open[0], due], 1, 4), [(3, 1)]);
        assert_eq!(wanted(&[open[2], open[0]], 1, 8), [(2, 1)], "searched, but not answered");
    }
}
