//! How likely it is that the search needs a task, as far as it is known now.
//!
//! A pass goes where the search would go if all that is known were true. Most of it is; but
//! behind a move that may turn out otherwise stand hundreds of tasks that are needed only if it
//! does not. Those come later, and what decides about them comes first.
//!
//! The numbers here are chosen. They order tasks, and change no value.

use senbon_games::Worth;

use super::{Signature, Windows};

/// Odds, of [`CERTAIN`]: in whole numbers, so that they are the same on every machine.
pub(super) type Odds = u32;

pub(super) const CERTAIN: Odds = 1 << 16;

/// When a move that seemed to refute something does not, another one does so often enough.
const OTHERWISE: Odds = CERTAIN / 5 * 4;

/// Both happen, if they have nothing to do with each other.
pub(super) fn both(one: Odds, other: Odds) -> Odds {
    ((u64::from(one) * u64::from(other)) >> 16) as Odds
}

/// How likely a value stays on its side of a window when it is searched deeper: what
/// may change is halved with every 0.4 of `scale`.
pub(super) fn stays(margin: i32, scale: Worth) -> Odds {
    let scale = i32::from(scale.max(1));
    // In half steps.
    let steps = (margin.max(0).saturating_mul(5) / scale).min(30);
    let changes = (CERTAIN / 2) >> (steps / 2);
    CERTAIN - if steps % 2 == 0 { changes } else { changes * 181 / 256 }
}

/// Whether a value so far outside a window may well come inside.
pub(super) fn is_doubtful(margin: i32, scale: Worth) -> bool {
    2 * margin < 5 * i32::from(scale.max(1))
}

/// That a node with a null window ends with a value of its upper end or more, if each of the
/// children that were looked at fails to bring that about with these odds together.
pub(super) fn success(fails: Odds, refuted: bool) -> Odds {
    CERTAIN - if refuted { both(fails, OTHERWISE) } else { fails }
}

impl Windows {
    /// How much values move from one depth to another: windows are made that much wider so that
    /// they need not be moved all the time.
    pub(super) fn scale(self) -> Worth {
        match self {
            Windows::Task | Windows::Scout => 50,
            Windows::Epsilon(wider) => wider,
        }
    }
}

impl Signature {
    /// On the line of best moves.
    pub(super) const LINE: u8 = 0;
    /// Likely to be needed, and what comes out of it is not.
    pub(super) const DOUBTFUL: u8 = 1;
    /// Certain to be needed; from here on by how likely that is.
    const NEEDED: u8 = 2;
    /// The least likely.
    const LEAST: u8 = 10;

    /// A crew does the same about both but for their order.
    pub(super) fn is_like(self, other: Self) -> bool {
        self.class().min(Signature::NEEDED) == other.class().min(Signature::NEEDED)
    }

    /// The class of what is needed with these odds.
    pub(super) fn class_of(need: Odds) -> u8 {
        let mut least = CERTAIN / 5 * 4;
        let mut class = Signature::NEEDED;
        while need < least && class < Signature::LEAST {
            least = least / 5 * 4;
            class += 1;
        }
        class
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_farther_from_a_window_the_more_certain() {
        let odds: Vec<Odds> = [-3, 0, 2, 4, 12, 1_000].map(|margin| stays(margin, 5)).into();
        assert_eq!(odds[..4], [CERTAIN / 2, CERTAIN / 2, CERTAIN / 4 * 3, CERTAIN / 8 * 7]);
        assert!(odds.is_sorted() && odds[5] < CERTAIN, "{odds:?}");
        assert_eq!(stays(20, 50), stays(2, 5), "by how much values move");
        assert!(is_doubtful(12, 5) && !is_doubtful(13, 5) && is_doubtful(120, 50));
        assert!(stays(12, 0) > stays(12, 5) && stays(i32::MAX, 0) < CERTAIN);
    }

    #[test]
    fn what_is_needed_comes_first() {
        let classes = [CERTAIN, CERTAIN / 2, CERTAIN / 10, 0].map(Signature::class_of);
        assert_eq!(classes, [2, 5, 10, 10]);
        let like = |one, other| {
            Signature::default().of_class(one).is_like(Signature::default().of_class(other))
        };
        assert!(like(2, 10) && !like(Signature::LINE, Signature::DOUBTFUL));
        assert!(!like(Signature::DOUBTFUL, 2), "more than one is at a doubtful task");
        assert_eq!(success(CERTAIN, false), 0);
        assert_eq!(success(0, true), CERTAIN);
        assert!(success(CERTAIN / 2, true) > success(CERTAIN / 2, false));
    }
}
