//! Figures 4a and 4b of pgpp-2015: win rate and observed utility of many workers against one,
//! in virtual time.
//!
//! A point is a match of one arm (a way to use many workers) against a single worker. Both
//! sides think on at the position after their own move (section 5.3), and the side of many
//! workers has 5 % less time.

mod page;
mod plot;

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use anyhow::{Context, Result};
use senbon_core::RankTable;
use senbon_core::pipeline::Strategy;
use serde_json::json;

use crate::matches::{
    Adjudication, Control, DrawRule, EngineKind, Finished, ImpasseRule, Journal, MatchGame,
    Opening, Pace, Player, Progress, ResignRule, Team, Terms, VirtualPlayer, play_series, staff,
};
use crate::score::Score;

pub use page::{csv, markdown};
pub use plot::{Figure, svg};

/// A way to use many workers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arm {
    /// A strategy, all workers for the whole time.
    Strategy(Strategy),
    /// One worker that is as many times as fast: the upper bound of the paper.
    Linear,
    /// The pipeline, but all workers together have the time of one.
    EqualCpu,
}

impl Arm {
    /// All of them, in the order of the tables.
    pub const ALL: [Arm; 9] = [
        Arm::Strategy(Strategy::Pipeline),
        Arm::Strategy(Strategy::PublishedPipeline),
        Arm::Strategy(Strategy::RandomGrowth),
        Arm::Linear,
        Arm::Strategy(Strategy::OriginalGpp),
        Arm::Strategy(Strategy::OptimisticPondering),
        Arm::Strategy(Strategy::RootSplit),
        Arm::Strategy(Strategy::PonderOnly),
        Arm::EqualCpu,
    ];

    /// The name that users write.
    pub const fn name(self) -> &'static str {
        match self {
            Arm::Strategy(strategy) => strategy.name(),
            Arm::Linear => "linear",
            Arm::EqualCpu => "equal-cpu",
        }
    }

    fn team(self, workers: usize) -> Team {
        match self {
            Arm::Strategy(strategy) => Team { strategy, workers, speedup: 1 },
            Arm::Linear => Team { strategy: Strategy::Single, workers: 1, speedup: workers as u32 },
            Arm::EqualCpu => Team { strategy: Strategy::Pipeline, workers, speedup: 1 },
        }
    }

    fn move_time(self, workers: usize, full: Duration) -> Duration {
        match self {
            Arm::EqualCpu => full / workers as u32,
            _ => full,
        }
    }
}

impl fmt::Display for Arm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Arm {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let names = Arm::ALL.map(Arm::name).join(", ");
        let found = Arm::ALL.into_iter().find(|arm| arm.name() == text);
        found.ok_or_else(|| format!("'{text}' is none of {names}"))
    }
}

/// What is measured.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The ways to use many workers.
    pub arms: Vec<Arm>,
    /// How many workers, point by point.
    pub workers: Vec<usize>,
    /// Games of each point.
    pub games: usize,
    /// Boards at the same time.
    pub concurrency: usize,
    /// What workers are like.
    pub pace: Pace,
    /// The engine of all workers, if it is not the built-in one.
    pub engine: Option<EngineKind>,
    /// Virtual time of a move of the single worker.
    pub move_time: Duration,
    /// Part of it that the many do not have.
    pub penalty: f64,
    /// How often the move of each rank is played.
    pub table: RankTable,
    /// Draws everything.
    pub seed: u64,
    /// Where the journals of the points are kept.
    pub folder: PathBuf,
}

/// A point of the figures.
#[derive(Clone, Debug)]
pub struct Point {
    /// Which way.
    pub arm: Arm,
    /// How many workers.
    pub workers: usize,
    /// Points of the many.
    pub score: Score,
    /// Plies of the game that the master tree held, on average.
    pub utility: Option<f64>,
}

/// Games are ended when both sides have agreed for some moves, and never go on for ever.
const ADJUDICATION: Adjudication = Adjudication {
    resign: Some(ResignRule { score: 600, moves: 3 }),
    draw: Some(DrawRule { from: 40, moves: 6, score: 10 }),
    longest: Some(300),
    impasse: ImpasseRule::Declared,
};

/// Plays all points, or goes on with them. `tell` hears of every game with the number of its
/// point and of all points, and says whether to go on; what was played stays in the journals.
pub fn measure<G>(
    plan: &Plan,
    openings: &[Opening<G>],
    mut tell: impl FnMut(&Point, usize, usize) -> bool,
) -> Result<Vec<Point>>
where
    G: MatchGame + Sync,
    G::Undo: Send,
{
    std::fs::create_dir_all(&plan.folder)
        .with_context(|| format!("cannot make the folder {}", plan.folder.display()))?;
    let wanted: Vec<_> =
        plan.workers.iter().flat_map(|&n| plan.arms.iter().map(move |&arm| (arm, n))).collect();
    let mut points = Vec::new();
    let mut go_on = true;
    for (index, &(arm, workers)) in wanted.iter().enumerate() {
        if !go_on {
            break;
        }
        let progress = play_point(plan, arm, workers, openings, |progress| {
            go_on = tell(&point(arm, workers, progress), index, wanted.len());
            go_on
        })?;
        points.push(point(arm, workers, &progress));
    }
    Ok(points)
}

fn point(arm: Arm, workers: usize, progress: &Progress) -> Point {
    Point { arm, workers, score: progress.score(), utility: progress.foresight() }
}

fn play_point<G>(
    plan: &Plan,
    arm: Arm,
    workers: usize,
    openings: &[Opening<G>],
    mut tell: impl FnMut(&Progress) -> bool,
) -> Result<Progress>
where
    G: MatchGame + Sync,
    G::Undo: Send,
{
    let many = plan.move_time.mul_f64(1.0 - plan.penalty);
    let control = |time| Control { move_time: Some(time), ..Control::default() };
    let controls = [control(arm.move_time(workers, many)), control(plan.move_time)];
    let terms = Terms {
        names: [format!("{arm}:{workers}"), "single".to_owned()],
        controls,
        games: plan.games.next_multiple_of(2),
        concurrency: plan.concurrency.max(1),
        ponder: false,
        adjudication: ADJUDICATION,
        // A worker of a slow virtual world may be in the middle of a node when time is up.
        grace: Duration::from_secs(1) / plan.pace.nodes_per_second.max(1),
        tags: Vec::new(),
    };
    let first = openings.first().map_or(0, |opening| opening.position().key());
    let mut head = json!({
        "pgpp": 1, "game": G::NAME, "arm": arm.name(), "workers": workers,
        "controls": [terms.controls[0].to_string(), terms.controls[1].to_string()],
        "nodes_per_second": plan.pace.nodes_per_second, "table_bytes": plan.pace.table_bytes,
        "rank_table": plan.table.parts().0, "seed": plan.seed,
        "first_opening": format!("{first:016x}"),
    });
    if let Some(engine) = &plan.engine {
        head["engine"] = engine.describe();
    }
    let journal = Journal::open(&plan.folder.join(format!("{arm}-{workers}.jsonl")), &head)?;
    let single = Team { strategy: Strategy::Single, workers: 1, speedup: 1 };
    let hire = || -> Result<[Box<dyn Player<G>>; 2]> {
        let player = |team| {
            let staff = staff(plan.engine.as_ref(), plan.pace.table_bytes);
            VirtualPlayer::new(team, plan.pace, staff, plan.table.clone(), plan.seed)
        };
        Ok([Box::new(player(arm.team(workers))?), Box::new(player(single)?)])
    };
    play_series(&terms, openings, Some(journal), hire, |progress, _: &Finished| tell(progress))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arms_are_known_by_name() {
        for arm in Arm::ALL {
            assert_eq!(arm.name().parse(), Ok(arm));
        }
        assert!("fast".parse::<Arm>().unwrap_err().contains("equal-cpu"));
        assert_eq!(Arm::Linear.team(8).to_string(), "linear:8");
        let second = Duration::from_secs(1);
        assert_eq!(Arm::EqualCpu.move_time(4, second), second / 4);
    }
}
