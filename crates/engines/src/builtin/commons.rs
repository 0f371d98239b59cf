//! What the built-in workers of one process remember together.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use senbon_core::minimal::Shape;
use senbon_games::Game;
use senbon_search::fixed::Pool;

/// A memory for leaves of minimal trees that workers in one process share: what one of them has
/// searched, the others need not. It is made when it is first needed, for one kind of tree at a
/// time.
#[derive(Clone)]
pub struct Commons {
    bytes: usize,
    pool: Arc<Mutex<Option<Kept>>>,
}

struct Kept {
    /// Positions of other games and other trees have other values.
    game: &'static str,
    shape: Shape,
    pool: Arc<Pool>,
    /// Somebody asked for it since it was cleared.
    used: bool,
}

/// More is not taken, however many workers there are: all of it is written to when it is made,
/// and that happens in the first search of a game.
const MOST_BYTES: usize = 256 << 20;

impl Commons {
    /// Of `workers` that have so many mebibytes each; none for one that is alone, whose own
    /// memory grows with use.
    pub fn of(workers: usize, mib: usize) -> Option<Self> {
        let bytes = ((workers * mib) << 20).min(MOST_BYTES);
        (workers > 1).then(|| Commons { bytes, pool: Arc::default() })
    }

    /// Whether this and the other are one memory.
    pub fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.pool, &other.pool)
    }

    /// The memory for such trees; another kind's is forgotten.
    pub(super) fn pool<G: Game>(&self, shape: Shape) -> Arc<Pool> {
        let mut kept = self.pool.lock().unwrap_or_else(PoisonError::into_inner);
        let fits = |kept: &Kept| (kept.game, kept.shape) == (G::NAME, shape);
        if !kept.as_ref().is_some_and(fits) {
            *kept = None;
        }
        let new =
            || Kept { game: G::NAME, shape, pool: Arc::new(Pool::new(self.bytes)), used: false };
        let kept = kept.get_or_insert_with(new);
        kept.used = true;
        Arc::clone(&kept.pool)
    }

    /// Forgets everything. All workers say so when a game begins: the first one counts.
    pub(super) fn clear(&self) {
        let mut kept = self.pool.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(kept) = kept.as_mut().filter(|kept| kept.used) {
            kept.pool.clear();
            kept.used = false;
        }
    }
}

impl fmt::Debug for Commons {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Commons({} bytes)", self.bytes)
    }
}

#[cfg(test)]
mod tests {
    use senbon_games::chess::Chess;
    use senbon_games::shogi::Shogi;

    use super::*;

    #[test]
    fn one_memory_for_one_kind_of_tree() {
        assert!(Commons::of(1, 1).is_none(), "nobody to share with");
        assert_eq!(Commons::of(64, 1_024).unwrap().bytes, MOST_BYTES);
        let commons = Commons::of(2, 1).unwrap();
        let first = commons.pool::<Chess>(Shape::PLAY);
        assert!(commons.is(&commons.clone()) && !commons.is(&Commons::of(2, 1).unwrap()));
        assert_eq!(first.bytes(), 2 << 20);
        assert!(Arc::ptr_eq(&first, &commons.clone().pool::<Chess>(Shape::PLAY)));
        assert!(!Arc::ptr_eq(&first, &commons.pool::<Chess>(Shape::published(5))));
        let other = commons.pool::<Shogi>(Shape::published(5));
        assert!(Arc::ptr_eq(&other, &commons.pool::<Shogi>(Shape::published(5))));
    }
}
