//! One queue of everything that is going to happen.

use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::time::Duration;

/// Events by time; those of the same time in the order they were put in.
#[derive(Debug)]
pub struct Queue<E> {
    heap: BinaryHeap<Entry<E>>,
    /// Events put in so far.
    count: u64,
}

#[derive(Debug)]
struct Entry<E> {
    at: Duration,
    number: u64,
    event: E,
}

impl<E> PartialEq for Entry<E> {
    fn eq(&self, other: &Self) -> bool {
        self.number == other.number
    }
}

impl<E> Eq for Entry<E> {}

impl<E> PartialOrd for Entry<E> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<E> Ord for Entry<E> {
    /// The heap gives its greatest first: the earliest is the greatest.
    fn cmp(&self, other: &Self) -> Ordering {
        (other.at, other.number).cmp(&(self.at, self.number))
    }
}

impl<E> Default for Queue<E> {
    fn default() -> Self {
        Queue { heap: BinaryHeap::new(), count: 0 }
    }
}

impl<E> Queue<E> {
    /// Puts in an event.
    pub fn push(&mut self, at: Duration, event: E) {
        self.heap.push(Entry { at, number: self.count, event });
        self.count += 1;
    }

    /// When the next event is.
    pub fn next_at(&self) -> Option<Duration> {
        self.heap.peek().map(|entry| entry.at)
    }

    /// Takes the next event.
    pub fn pop(&mut self) -> Option<(Duration, E)> {
        self.heap.pop().map(|entry| (entry.at, entry.event))
    }

    /// How many events were ever put in.
    pub fn count(&self) -> u64 {
        self.count
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn earlier_first_and_ties_in_order() {
        let mut queue = Queue::default();
        for (at, name) in [(5, 'c'), (1, 'a'), (5, 'd'), (3, 'b'), (5, 'e')] {
            queue.push(Duration::from_nanos(at), name);
        }
        assert_eq!(queue.next_at(), Some(Duration::from_nanos(1)));
        let order: String = std::iter::from_fn(|| queue.pop()).map(|(_, name)| name).collect();
        assert_eq!(order, "abcde");
        assert_eq!(queue.count(), 5);
    }
}
