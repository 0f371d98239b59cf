//! Every interleaving of racing table accesses, by the loom model checker: a probe returns
//! what somebody stored for that key, or nothing.

use loom::sync::Arc;
use loom::sync::atomic::{AtomicU64, Ordering::Relaxed};
use loom::thread;
use senbon_games::Bounds;
use senbon_search::fixed::{Known, Pool};
use senbon_search::{Bound, Entry, Table, Word};

/// A table word whose every access is a scheduling point.
struct Modelled(AtomicU64);

impl Default for Modelled {
    fn default() -> Self {
        Modelled(AtomicU64::new(0))
    }
}

impl Word for Modelled {
    fn get(&self) -> u64 {
        self.0.load(Relaxed)
    }

    fn set(&self, value: u64) {
        self.0.store(value, Relaxed);
    }
}

fn entry(of: u64) -> Entry {
    Entry { value: of as i32 * 11, bound: Bound::Exact, depth: of as u8, code: of as u16 }
}

/// Bounded as loom's guide advises: three preemptions find nearly every race.
fn explore(body: impl Fn() + Sync + Send + 'static) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(3);
    builder.check(body);
}

#[test]
fn a_reader_never_sees_a_torn_entry() {
    explore(|| {
        let table: Arc<Table<Modelled>> = Arc::new(Table::with_bytes(64));
        // A full bucket: the next store takes the place of key 1, the shallowest.
        for key in [1, 30, 31, 32] {
            table.store(key, entry(key));
        }
        // The reader is the spawned thread: loom lets its loads see older stores, too.
        let reader = Arc::clone(&table);
        let thread = thread::spawn(move || {
            for key in [1, 2] {
                let seen = reader.probe(key);
                assert!(seen.is_none() || seen == Some(entry(key)), "{key}: {seen:?}");
            }
        });
        table.store(2, entry(2));
        thread.join().unwrap();
        assert_eq!(table.probe(2), Some(entry(2)));
    });
}

#[test]
fn two_writers_leave_one_of_their_entries_or_a_miss() {
    explore(|| {
        let table: Arc<Table<Modelled>> = Arc::new(Table::with_bytes(64));
        let other = Arc::clone(&table);
        let thread = thread::spawn(move || other.store(5, entry(3)));
        table.store(6, entry(4));
        thread.join().unwrap();
        for key in [5, 6] {
            let seen = table.probe(key);
            assert!(seen.is_none() || seen == Some(entry(key - 2)), "{key}: {seen:?}");
        }
    });
}

fn known(of: u64) -> Known {
    let value = of as i16 * 11;
    Known { bounds: Bounds::exactly(value), depth: of as u8, best: of as u8 }
}

#[test]
fn what_is_shared_is_never_torn() {
    explore(|| {
        let pool: Arc<Pool<Modelled>> = Arc::new(Pool::new(64));
        for key in [1, 30, 31, 32] {
            pool.learn(key, |_| known(key));
        }
        let other = Arc::clone(&pool);
        let thread = thread::spawn(move || {
            other.learn(3, |_| known(3));
            for key in [1, 2, 3] {
                let seen = other.get(key);
                assert!(seen.is_none() || seen == Some(known(key)), "{key}: {seen:?}");
            }
        });
        pool.learn(2, |_| known(2));
        thread.join().unwrap();
        let seen = [2, 3].map(|key| pool.get(key));
        assert!(seen.iter().zip([2, 3]).all(|(seen, key)| seen.is_none_or(|it| it == known(key))));
    });
}
