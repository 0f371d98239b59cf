//! The points as a table for people and as one for programs, the paper's values beside ours.

use std::fmt::Write;

use super::{Arm, Plan, Point};
use senbon_core::pipeline::Strategy;

/// Win rates that the text of the paper gives (section 5.3), in per cent: Fig. 4a itself is a
/// picture.
const PUBLISHED: [(Strategy, usize, f64); 3] =
    [(Strategy::Pipeline, 1, 48.1), (Strategy::Pipeline, 32, 62.5), (Strategy::Pipeline, 60, 64.6)];

fn published(arm: Arm, workers: usize) -> Option<f64> {
    let found =
        PUBLISHED.iter().find(|(strategy, n, _)| arm == Arm::Strategy(*strategy) && *n == workers);
    found.map(|(_, _, rate)| *rate)
}

/// One line a point.
pub fn csv(points: &[Point]) -> String {
    let mut text = String::from("arm,workers,games,wins,draws,losses,rate,margin,utility\n");
    for Point { arm, workers, score, utility } in points {
        let utility = utility.map_or(String::new(), |utility| format!("{utility:.4}"));
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "{arm},{workers},{},{},{},{},{:.4},{:.4},{utility}",
            score.games(),
            score.wins,
            score.draws,
            score.losses,
            score.rate(),
            score.margin()
        );
    }
    text
}

/// A page with both figures as tables. `run` says by which command, commit and machine.
pub fn markdown(plan: &Plan, points: &[Point], run: &str) -> String {
    let nodes = plan.move_time.as_secs_f64() * f64::from(plan.pace.nodes_per_second);
    let engine = plan.engine.as_ref().map_or_else(
        || "the built-in engine".to_owned(),
        |engine| format!("{}, {}", engine.name(), engine.quanta()),
    );
    let mut text = format!(
        "# Many workers against one, in virtual time\n\n\
         Figures 4a and 4b of pgpp-2015, with {engine}. {run}\n\n\
         A move of the single worker takes {:.0} nodes; the many have {:.0} % less time. Both \
         sides think on at the position after their own move. Tables of {} KiB. Rates in per \
         cent with the 95 % interval; \"paper\" is given where its text has a number.\n\n\
         ![win rates](pgpp-rate.svg)\n![utility](pgpp-utility.svg)\n\n## Win rate (Fig. 4a)\n\n",
        nodes,
        100.0 * plan.penalty,
        plan.pace.table_bytes >> 10,
    );
    text += "| workers | arm | games | + = − | rate | paper |\n|---|---|---|---|---|---|\n";
    for Point { arm, workers, score, .. } in points {
        let paper = published(*arm, *workers).map_or(String::new(), |rate| format!("{rate:.1}"));
        let _ = writeln!(
            text,
            "| {workers} | {arm} | {} | {} {} {} | {:.1} ± {:.1} | {paper} |",
            score.games(),
            score.wins,
            score.draws,
            score.losses,
            100.0 * score.rate(),
            100.0 * score.margin()
        );
    }
    text += "\n## Observed utility (Fig. 4b)\n\nPlies of the game that the master tree held in \
             the middle of a search, on average; \"simulation\" is U(T) of the rank table.\n\n\
             | workers | arm | observed | simulation |\n|---|---|---|---|\n";
    for Point { arm, workers, utility, .. } in points {
        let Some(utility) = utility.filter(|_| *arm != Arm::Linear) else { continue };
        let simulated = plan.table.utility(*workers, 10);
        let _ = writeln!(text, "| {workers} | {arm} | {utility:.2} | {simulated:.2} |");
    }
    text
}

#[cfg(test)]
mod tests {
    use crate::score::Score;

    use super::*;

    #[test]
    fn the_papers_numbers_stand_beside_ours() {
        assert_eq!(published(Arm::Strategy(Strategy::Pipeline), 60), Some(64.6));
        assert_eq!(published(Arm::Linear, 60), None);
        let score = Score { wins: 3, draws: 2, losses: 1, pairs: [0, 0, 1, 2, 0] };
        let arm = Arm::Strategy(Strategy::Pipeline);
        let points = [Point { arm, workers: 8, score, utility: Some(1.25) }];
        assert!(
            csv(&points).ends_with("pipeline,8,6,3,2,1,0.6667,0.1633,1.2500\n"),
            "{}",
            csv(&points)
        );
    }
}
