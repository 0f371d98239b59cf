//! Thinking time by agreement (akara-2010 section IV, Figure 3): half the standard time when
//! all agree, up to twice as much when they do not.

use std::time::Duration;

use senbon_games::Side;

use super::count::Accord;
use crate::{Budget, Limits};

/// The clock is meant to last for so many of one's own moves (the paper: 180 minutes by 60
/// moves).
const PLANNED_MOVES: u32 = 60;
/// However long the game was already, so many more are expected.
const FEWEST_AHEAD: u32 = 20;
/// The opponent's move is predicted in this part of the time for one's own (Figure 3: 48.8 of
/// 244 seconds).
const PREDICTION: u32 = 5;
/// In the opening, as the voters see it, this part of the time is enough.
const OPENING: u32 = 2;

/// When to answer, from the moment the search was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Agreement {
    /// When all agree.
    pub easy: Duration,
    /// With an overwhelming majority: the standard time.
    pub fine: Duration,
    /// In any case.
    pub max: Duration,
}

impl Agreement {
    /// The limits for a move of `side`, which has made `made` moves; none where the limits
    /// set no time. A fixed time for the move is used whole, and so is byoyomi once the clock
    /// has run out: what is left of it is lost.
    pub fn new(limits: &Limits, side: Side, overhead: Duration, made: u32) -> Option<Agreement> {
        let Budget { soft, hard } = Budget::new(limits, side, overhead)?;
        if soft == Duration::MAX {
            return Some(Agreement { easy: hard, fine: hard, max: hard });
        }
        let clock = limits.clock(side);
        let ahead = PLANNED_MOVES.saturating_sub(made).max(FEWEST_AHEAD);
        let ahead = limits.moves_to_go.map_or(ahead, |moves| moves.clamp(1, ahead));
        let share = clock.time.unwrap_or_default() / ahead;
        let increment = clock.increment.unwrap_or_default().mul_f64(0.75);
        let byoyomi = limits.byoyomi.unwrap_or_default();
        let fine = byoyomi.saturating_add(share).saturating_add(increment).min(hard);
        Some(Agreement { easy: fine / 2, fine, max: fine.saturating_mul(2).min(hard) })
    }

    /// The limits for the prediction of the answer to a move that had these.
    #[must_use]
    pub fn prediction(self) -> Agreement {
        self.part(PREDICTION)
    }

    /// The limits while voters still know the opening.
    #[must_use]
    pub fn opening(self) -> Agreement {
        self.part(OPENING)
    }

    fn part(self, of: u32) -> Agreement {
        Agreement { easy: self.easy / of, fine: self.fine / of, max: self.max / of }
    }

    /// When to answer if the voters stay as they are.
    pub fn until(&self, accord: Accord) -> Duration {
        match accord {
            Accord::Unanimous => self.easy,
            Accord::Overwhelming => self.fine,
            Accord::Divided => self.max,
        }
    }
}

#[cfg(test)]
mod tests {
    use senbon_games::Rng;
    use senbon_testkit::seed;

    use super::*;
    use crate::Clock;

    const OVERHEAD: Duration = Duration::from_millis(30);

    fn clock(time: u64, byoyomi: u64) -> Limits {
        let clock = Clock { time: Some(Duration::from_secs(time)), increment: None };
        let byoyomi = Some(Duration::from_secs(byoyomi));
        Limits { clocks: [clock; 2], byoyomi, ..Limits::default() }
    }

    fn agreement(limits: &Limits, made: u32) -> Agreement {
        Agreement::new(limits, Side::First, OVERHEAD, made).unwrap()
    }

    /// Figure 3, second move of a game with 180 minutes and 60 seconds: max = 487, fine = 244,
    /// easy = 123; and 97.4, 48.8, 24.6 for the prediction.
    #[test]
    fn the_limits_are_about_those_of_figure_3() {
        let ours = agreement(&clock(180 * 60, 60), 1);
        let near = |time: Duration, paper: f64| (time.as_secs_f64() / paper - 1.0).abs() < 0.02;
        assert!(near(ours.fine, 244.0) && near(ours.easy, 123.0) && near(ours.max, 487.0));
        let prediction = ours.prediction();
        assert!(near(prediction.fine, 48.8) && near(prediction.easy, 24.6));
        assert!(near(prediction.max, 97.4), "{prediction:?}");
    }

    #[test]
    fn what_cannot_be_saved_is_used() {
        let byoyomi = agreement(&clock(0, 10), 50);
        assert_eq!(byoyomi.easy, Duration::from_millis(9_970));
        assert_eq!((byoyomi.fine, byoyomi.max), (byoyomi.easy, byoyomi.easy));
        let fixed = Limits { move_time: Some(Duration::from_secs(1)), ..Limits::default() };
        assert_eq!(agreement(&fixed, 0).easy, Duration::from_millis(970));
        assert_eq!(Agreement::new(&Limits::default(), Side::First, OVERHEAD, 0), None);
    }

    #[test]
    fn agreement_shortens_and_nothing_passes_the_flag() {
        let mut rng = Rng::new(seed());
        for _ in 0..2000 {
            let (time, byoyomi) = (rng.below(7200) as u64, rng.below(2) as u64 * 30);
            if time + byoyomi == 0 {
                continue;
            }
            let mut limits = clock(time, byoyomi);
            limits.moves_to_go = rng.one_in(3).then(|| 1 + rng.below(60) as u32);
            let ours = agreement(&limits, rng.below(200) as u32);
            let order = [Accord::Unanimous, Accord::Overwhelming, Accord::Divided];
            assert!(order.map(|accord| ours.until(accord)).is_sorted(), "{ours:?}");
            assert!(ours.max <= Duration::from_secs(time + byoyomi), "{limits:?} {ours:?}");
            assert!(ours.max > Duration::ZERO);
        }
    }
}
