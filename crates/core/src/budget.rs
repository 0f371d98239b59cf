//! How long to think: a pure function of the limits. Searches stretch or cut the time they
//! aim at by how settled their best move is, but never go beyond the hard limit.

use std::time::Duration;

use senbon_games::Side;

use crate::Limits;

/// Time for one move, from the moment it was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// Aim at about this; [`Duration::MAX`] to use all of `hard`.
    pub soft: Duration,
    /// Never beyond this.
    pub hard: Duration,
}

/// Without a number of moves to the next time control, the clock is shared among this many.
const USUAL_MOVES: u32 = 40;

/// However short the time, a search gets this much.
const LEAST: Duration = Duration::from_millis(1);

impl Budget {
    /// The time for a move of `side`, or `None` if the limits set none. `overhead` is lost on
    /// the way to the clock and back.
    pub fn new(limits: &Limits, side: Side, overhead: Duration) -> Option<Budget> {
        if let Some(time) = limits.move_time {
            // An overhead larger than the time itself would leave nothing.
            let hard = time - overhead.min(time / 2);
            return Some(Budget { soft: Duration::MAX, hard: hard.max(LEAST) });
        }
        let clock = limits.clock(side);
        if clock.time.is_none() && limits.byoyomi.is_none() {
            return None;
        }
        let time = clock.time.unwrap_or_default();
        let byoyomi = limits.byoyomi.unwrap_or_default();
        let moves = limits.moves_to_go.unwrap_or(USUAL_MOVES).clamp(1, USUAL_MOVES);
        // What one move may take of the clock, so that the rest lasts. An increment comes
        // after the move and does not widen this.
        let most = if moves == 1 { time.mul_f64(0.9) } else { time / 3 };
        let most = byoyomi.saturating_add(most);
        let most = most.min(byoyomi.saturating_add(time).saturating_sub(overhead)).max(LEAST);
        if time.is_zero() && !byoyomi.is_zero() {
            // Byoyomi that is not used is lost.
            return Some(Budget { soft: Duration::MAX, hard: most });
        }
        let share = time / moves;
        let increment = clock.increment.unwrap_or_default().mul_f64(0.75);
        let soft = byoyomi.saturating_add(share).saturating_add(increment).clamp(LEAST, most);
        Some(Budget { soft, hard: soft.saturating_mul(4).min(most) })
    }

    /// The same time, counted from `elapsed` on.
    #[must_use]
    pub fn after(self, elapsed: Duration) -> Budget {
        Budget { soft: self.soft.saturating_add(elapsed), hard: self.hard.saturating_add(elapsed) }
    }
}

#[cfg(test)]
mod tests {
    use senbon_games::Rng;
    use senbon_testkit::seed;

    use super::*;
    use crate::Clock;

    const OVERHEAD: Duration = Duration::from_millis(30);

    const fn ms(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    fn clock(time: u64, increment: u64) -> Limits {
        let clock = Clock { time: Some(ms(time)), increment: Some(ms(increment)) };
        Limits { clocks: [clock, Clock::default()], ..Limits::default() }
    }

    fn budget(limits: &Limits) -> Budget {
        Budget::new(limits, Side::First, OVERHEAD).expect("a limit in time")
    }

    #[test]
    fn no_clock_no_limit() {
        assert_eq!(Budget::new(&Limits::default(), Side::First, OVERHEAD), None);
        assert_eq!(Budget::new(&clock(1_000, 0), Side::Second, OVERHEAD), None);
    }

    #[test]
    fn fixed_times_are_used_up() {
        let movetime = Limits { move_time: Some(ms(1_000)), ..Limits::default() };
        assert_eq!(budget(&movetime), Budget { soft: Duration::MAX, hard: ms(970) });
        let tiny = Limits { move_time: Some(ms(10)), ..Limits::default() };
        assert_eq!(budget(&tiny).hard, ms(5));
        let byoyomi = Limits { byoyomi: Some(ms(10_000)), ..clock(0, 0) };
        assert_eq!(budget(&byoyomi), Budget { soft: Duration::MAX, hard: ms(9_970) });
    }

    #[test]
    fn more_clock_more_time() {
        let minute = budget(&clock(60_000, 0));
        assert_eq!(minute.soft, ms(1_500));
        assert!(minute.hard > minute.soft && minute.hard <= ms(20_000));
        assert!(budget(&clock(60_000, 1_000)).soft > minute.soft);
        assert!(budget(&Limits { byoyomi: Some(ms(5_000)), ..clock(60_000, 0) }).soft > ms(5_000));
        assert!(budget(&Limits { moves_to_go: Some(5), ..clock(60_000, 0) }).soft > minute.soft);
        assert_eq!(budget(&clock(0, 0)).hard, LEAST);
    }

    #[test]
    fn pondering_moves_the_limits() {
        let later = Budget { soft: Duration::MAX, hard: ms(5) }.after(ms(100));
        assert_eq!(later, Budget { soft: Duration::MAX, hard: ms(105) });
    }

    #[test]
    fn the_flag_never_falls() {
        let mut rng = Rng::new(seed());
        for _ in 0..500 {
            let control = 1 + rng.below(60) as u32;
            let (increment, byoyomi) =
                if rng.one_in(2) { (rng.below(5_000), 0) } else { (0, rng.below(5_000)) };
            let (increment, byoyomi) = (ms(increment as u64), ms(byoyomi as u64));
            let start = ms(500 + rng.below(600_000) as u64);
            let in_periods = rng.one_in(2);
            let mut left = start;
            let mut limits = Limits { byoyomi: Some(byoyomi), ..Limits::default() };
            for number in 0..200 {
                limits.clocks[0] = Clock { time: Some(left), increment: Some(increment) };
                limits.moves_to_go = in_periods.then_some(control - number % control);
                let budget = budget(&limits);
                assert!(budget.hard <= left + byoyomi, "{limits:?}: {budget:?}");
                // Always the hard limit, and a third of the allowance lost on the way.
                let spent = budget.hard + OVERHEAD / 3;
                if left + byoyomi < OVERHEAD {
                    break;
                }
                assert!(spent <= left + byoyomi, "{limits:?}: {budget:?}");
                left = left.saturating_sub(spent) + increment;
                if in_periods && number % control == control - 1 {
                    left += start;
                }
            }
        }
    }
}
