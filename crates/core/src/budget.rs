//! How long to think.

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
}
