//! A crew without tasks of its own: who goes where.

use super::helpers::Place;
use super::{Signature, Task};

/// So many are at the task on the line of best moves, on which all others depend: sixteen have it
/// ten times as soon (docs/results/minimal-tree.md, helpers).
const AT_LINE: u32 = 16;

/// So many are at a doubtful task.
const AT_DOUBTFUL: u32 = 2;

/// The tasks that so many workers are at, of those that are open, in the order of their
/// signatures: what the level waits for comes first, then what a search ahead of it may do.
pub(super) fn places(open: Vec<Task>, workers: u32, level: u8) -> Vec<Place> {
    // What is open at the depth asked for was searched with another window.
    let lacks = |task: &Task| task.due > 0 || task.searched < level || task.depth <= level;
    let (now, ahead): (Vec<Task>, Vec<Task>) = open.into_iter().partition(lacks);
    let count = now.len() + ahead.len();
    let on_line = now.iter().filter(|task| task.signature.class() == Signature::LINE).count();
    let at_line = (workers / on_line.max(1) as u32).clamp(1, AT_LINE);
    let mut room = workers;
    let mut places = Vec::new();
    for task in now.into_iter().chain(ahead).take(workers as usize) {
        let wanted = match task.signature.class() {
            Signature::LINE => at_line,
            Signature::DOUBTFUL => AT_DOUBTFUL,
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

    fn task(leaf: u32, class: u8, searched: u8) -> Task {
        let (window, depth, due) = ((0, 1), 8, 0);
        let signature = Signature::default().with(0, leaf as u8).of_class(class);
        let leaf = LeafId(leaf);
        Task { leaf, depth, window, pass_window: window, signature, searched, due }
    }

    fn wanted(open: &[Task], workers: u32, level: u8) -> Vec<(u32, u32)> {
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
    fn what_the_level_waits_for_comes_first() {
        let open = [task(0, 2, 4), task(1, 2, 2), task(2, 2, 8)];
        assert_eq!(wanted(&open, 2, 4), [(1, 1), (0, 1)], "leaf 0 is done for this level");
        assert_eq!(wanted(&open, 3, 8).len(), 3);
        let due = Task { due: 2, ..task(3, 3, 4) };
        assert_eq!(wanted(&[open[0], due], 1, 4), [(3, 1)]);
        assert_eq!(wanted(&[open[2], open[0]], 1, 8), [(2, 1)], "searched, but not answered");
    }
}
