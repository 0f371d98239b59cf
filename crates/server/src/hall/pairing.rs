//! Who plays whom: those who wait for the same kind of game, the pair that has met least
//! often first, and colours in turn.

use std::collections::BTreeMap;
use std::time::Duration;

use senbon_engines::csa::Turn;
use senbon_games::Rng;

use super::guest::{Conn, Wish};

/// Somebody who waits for an opponent.
#[derive(Clone, Debug)]
pub(super) struct Waiting {
    pub(super) conn: Conn,
    pub(super) name: String,
    pub(super) wish: Wish,
}

/// Pairs that did not come about rest for so long.
const PAUSE: Duration = Duration::from_secs(10);

/// Who waits, and who has met whom.
#[derive(Debug)]
pub(super) struct Pairing {
    waiting: Vec<Waiting>,
    /// How often the first was Black against the second.
    met: BTreeMap<(String, String), u32>,
    /// Pairs that rest, and until when.
    resting: BTreeMap<(String, String), Duration>,
    rng: Rng,
}

impl Pairing {
    pub(super) fn new(seed: u64) -> Self {
        let (waiting, met, resting) = Default::default();
        Pairing { waiting, met, resting, rng: Rng::new(seed) }
    }

    pub(super) fn wait(&mut self, waiting: Waiting) {
        self.forget(waiting.conn);
        self.waiting.push(waiting);
    }

    pub(super) fn forget(&mut self, conn: Conn) {
        self.waiting.retain(|waiting| waiting.conn != conn);
    }

    pub(super) fn waiting(&self) -> &[Waiting] {
        &self.waiting
    }

    /// This pair is not to be made again at once.
    pub(super) fn rest(&mut self, now: Duration, players: &[String; 2]) {
        let [black, white] = players.clone();
        self.resting.insert((black.clone(), white.clone()), now + PAUSE);
        self.resting.insert((white, black), now + PAUSE);
    }

    /// When a pair that rests may be made again.
    pub(super) fn next(&self) -> Option<Duration> {
        self.resting.values().min().copied()
    }

    /// Takes out the next pair: Black and White.
    pub(super) fn pair(&mut self, now: Duration) -> Option<[Waiting; 2]> {
        self.resting.retain(|_, until| *until > now);
        let mut best = None;
        for second in 1..self.waiting.len() {
            for first in 0..second {
                let (one, other) = (&self.waiting[first], &self.waiting[second]);
                let key = (one.name.clone(), other.name.clone());
                let fits = one.wish.game == other.wish.game
                    && compatible(one.wish.turn, other.wish.turn)
                    && !self.resting.contains_key(&key);
                let rank = (self.games(&one.name, &other.name), first, second);
                if fits && best.is_none_or(|best| rank < best) {
                    best = Some(rank);
                }
            }
        }
        let (_, first, second) = best?;
        let other = self.waiting.remove(second);
        let one = self.waiting.remove(first);
        let [black, white] = self.colours(one, other);
        *self.met.entry((black.name.clone(), white.name.clone())).or_default() += 1;
        Some([black, white])
    }

    fn games(&self, one: &str, other: &str) -> u32 {
        self.blacks(one, other) + self.blacks(other, one)
    }

    fn blacks(&self, black: &str, white: &str) -> u32 {
        let key = (black.to_owned(), white.to_owned());
        self.met.get(&key).copied().unwrap_or(0)
    }

    fn colours(&mut self, one: Waiting, other: Waiting) -> [Waiting; 2] {
        let (as_black, as_white) =
            (self.blacks(&one.name, &other.name), self.blacks(&other.name, &one.name));
        let one_is_black = match (one.wish.turn, other.wish.turn) {
            (Turn::Black, _) | (_, Turn::White) => true,
            (Turn::White, _) | (_, Turn::Black) => false,
            _ if as_black != as_white => as_black < as_white,
            _ => self.rng.one_in(2),
        };
        if one_is_black { [one, other] } else { [other, one] }
    }
}

fn compatible(one: Turn, other: Turn) -> bool {
    one == Turn::Either || one != other
}

#[cfg(test)]
mod tests {
    use super::*;

    fn waiting(number: u64, game: &str, turn: Turn) -> Waiting {
        let wish = Wish { game: game.parse().unwrap(), turn };
        Waiting { conn: Conn(number), name: format!("p{number}"), wish }
    }

    fn names(pair: Option<[Waiting; 2]>) -> Option<(String, String)> {
        pair.map(|[black, white]| (black.name, white.name))
    }

    #[test]
    fn only_those_who_want_the_same_meet() {
        let mut pairing = Pairing::new(1);
        let now = Duration::ZERO;
        pairing.wait(waiting(1, "a-1-1", Turn::Black));
        pairing.wait(waiting(2, "b-1-1", Turn::Either));
        pairing.wait(waiting(3, "a-1-1", Turn::Black));
        assert_eq!(names(pairing.pair(now)), None);
        pairing.wait(waiting(4, "a-1-1", Turn::Either));
        assert_eq!(names(pairing.pair(now)), Some(("p1".into(), "p4".into())));
        assert_eq!(pairing.waiting().len(), 2);
    }

    #[test]
    fn everybody_meets_everybody_with_both_colours() {
        let mut pairing = Pairing::new(senbon_testkit::seed());
        for _ in 0..24 {
            (0..4).for_each(|number| pairing.wait(waiting(number, "a-1-1", Turn::Either)));
            assert!(pairing.pair(Duration::ZERO).is_some());
            assert!(pairing.pair(Duration::ZERO).is_some());
        }
        // 48 games, 6 pairs, two colours: four each.
        assert_eq!(pairing.met.len(), 12);
        assert!(pairing.met.values().all(|&games| games == 4), "{:?}", pairing.met);
    }

    #[test]
    fn a_pair_that_did_not_want_rests() {
        let mut pairing = Pairing::new(1);
        let both = |pairing: &mut Pairing| {
            (0..2).for_each(|number| pairing.wait(waiting(number, "a-1-1", Turn::Either)));
        };
        both(&mut pairing);
        pairing.rest(Duration::ZERO, &["p0".into(), "p1".into()]);
        assert_eq!(names(pairing.pair(Duration::from_secs(1))), None);
        let next = pairing.next().unwrap();
        assert!(pairing.pair(next).is_some());
        assert_eq!(pairing.next(), None);
    }
}
