//! The results as tables for people and for programs, and as pictures.

use std::fmt::Write;

use serde_json::{Value, json};

use super::{CAP, Plan, Results, Row};
use crate::plot::{Chart, Dot, Scale, Series};

impl Row {
    /// A place on the ruler as a speed-up: `None` when off it.
    fn speedup(&self, reach: f64) -> Option<f64> {
        reach.is_finite().then(|| reach.exp2() / self.trial.multiple)
    }
}

/// The ends of the ruler.
fn ends(results: &Results) -> (f64, f64) {
    let multiples = results.rows[..results.ruler].iter().map(|row| row.trial.multiple);
    (multiples.clone().fold(f64::INFINITY, f64::min), multiples.fold(0.0, f64::max))
}

/// A speed-up as people read it: `3.4`, `>= 64`, `< 1`.
fn written(results: &Results, row: &Row, reach: f64) -> String {
    let (first, last) = ends(results);
    match row.speedup(reach) {
        Some(speedup) => format!("{speedup:.2}"),
        None if reach > 0.0 => format!(">= {}", round(last / row.trial.multiple)),
        None => format!("< {}", round(first / row.trial.multiple)),
    }
}

fn round(value: f64) -> f64 {
    (value * 1_000.0).round() / 1_000.0
}

/// One line a trial.
pub fn csv(results: &Results) -> String {
    let mut text = String::from(
        "team,time,positions,regret,regret_low,regret_high,agreement,difference,difference_low,\
         difference_high,speedup,speedup_low,speedup_high\n",
    );
    for row in &results.rows {
        let it = &row.estimate;
        let speedup = |reach| written(results, row, reach).replace(' ', "");
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "{},{},{},{:.3},{:.3},{:.3},{:.4},{:.3},{:.3},{:.3},{},{},{}",
            row.trial.team,
            row.trial.multiple,
            results.positions.len(),
            it.regret,
            it.regret_interval.0,
            it.regret_interval.1,
            row.agreement,
            it.difference,
            it.difference_interval.0,
            it.difference_interval.1,
            speedup(it.reach),
            speedup(it.reach_interval.0),
            speedup(it.reach_interval.1)
        );
    }
    text
}

/// One line a trial and position: which move was chosen and what it cost.
pub fn positions_csv(results: &Results) -> String {
    let mut text = String::from("position,written,value,best,team,time,move,regret\n");
    for (index, position) in results.positions.iter().enumerate() {
        for row in &results.rows {
            let _ = writeln!(
                text,
                "{},{},{},{},{},{},{},{}",
                position.name,
                position.written,
                position.value,
                position.best,
                row.trial.team,
                row.trial.multiple,
                row.moves[index],
                row.regrets[index]
            );
        }
    }
    text
}

/// One object: the table, and what this run searched.
pub fn json(plan: &Plan, results: &Results) -> Value {
    let row = |row: &Row| {
        let it = &row.estimate;
        json!({
            "team": row.trial.team.to_string(), "time": row.trial.multiple,
            "regret": it.regret, "regret_interval": it.regret_interval,
            "agreement": row.agreement,
            "difference": it.difference, "difference_interval": it.difference_interval,
            "speedup": row.speedup(it.reach), "speedup_text": written(results, row, it.reach),
            "speedup_interval":
                [row.speedup(it.reach_interval.0), row.speedup(it.reach_interval.1)],
        })
    };
    let (ruler, teams) = results.rows.split_at(results.ruler);
    let [references, choices, values] = results.searched;
    json!({
        "positions": results.positions.len(), "reference_nodes": plan.reference_nodes,
        "engine": results.engine, "tag": plan.tag, "warm": plan.warm,
        "nodes_per_second": plan.pace.nodes_per_second,
        "move_time": plan.move_time.as_secs_f64(),
        "searched": { "references": references, "choices": choices, "values": values },
        "ruler": ruler.iter().map(row).collect::<Vec<_>>(),
        "teams": teams.iter().map(row).collect::<Vec<_>>(),
    })
}

/// The table as lines for a terminal.
pub fn summary(results: &Results) -> String {
    let mut text = format!(
        "{:<16} {:>5} {:>7} {:>15} {:>6} {:>8} {:>15} {:>9}  95 %\n",
        "team", "time", "regret", "95 %", "same", "− one", "95 %", "speed-up"
    );
    for row in &results.rows {
        let it = &row.estimate;
        let span = |(low, high): (f64, f64)| format!("{low:.1} … {high:.1}");
        let _ = writeln!(
            text,
            "{:<16} {:>5} {:>7.2} {:>15} {:>4.0} % {:>+8.2} {:>15} {:>9}  {} … {}",
            row.trial.team.to_string(),
            row.trial.multiple,
            it.regret,
            span(it.regret_interval),
            100.0 * row.agreement,
            it.difference,
            span(it.difference_interval),
            written(results, row, it.reach),
            written(results, row, it.reach_interval.0),
            written(results, row, it.reach_interval.1)
        );
    }
    text
}

/// A page with the ruler and the teams. `run` says by which command, program and machine.
pub fn markdown(plan: &Plan, results: &Results, run: &str) -> String {
    let nodes = plan.move_time.as_secs_f64() * f64::from(plan.pace.nodes_per_second);
    let start = match plan.warm {
        true => "have thought at their move before and pondered in the opponent's time",
        false => "start without having thought before",
    };
    let mut text = format!(
        "# Regret: what the moves of a team cost\n\n{run}\n\n\
         {} positions; values by {} nodes of the built-in search (`{}`) after each move; a move \
         costs at most {CAP} centipawns. Positions worth more than {} to either side are left \
         out. Time 1 is {nodes:.0} nodes of a worker; tables of {} KiB. Teams {start}. Choices of \
         `{}`. Intervals of 95 %, positions resampled for all together.\n\n\
         *regret*: mean cost of a move in centipawns. *same*: the reference's own move was \
         chosen. *− one*: regret minus that of one worker in the same time. *speed-up*: the \
         multiple of time at which one worker is as good, divided by the team's; the ruler is \
         made to fall, and between its marks a straight line over the logarithm of time is \
         taken.\n\n![regret](regret.svg)\n![speed-up](regret-speedup.svg)\n\n",
        results.positions.len(),
        plan.reference_nodes,
        results.engine,
        plan.decided,
        plan.pace.table_bytes >> 10,
        plan.tag,
    );
    let (ruler, teams) = results.rows.split_at(results.ruler);
    text += "## One worker with more time: the ruler\n\n| time | regret | 95 % | same |\n\
             |---|---|---|---|\n";
    for row in ruler {
        let (low, high) = row.estimate.regret_interval;
        let _ = writeln!(
            text,
            "| {} | {:.2} | {low:.2} – {high:.2} | {:.1} % |",
            row.trial.multiple,
            row.estimate.regret,
            100.0 * row.agreement
        );
    }
    text += "\n## Teams\n\n| team | time | regret | 95 % | same | − one | 95 % | speed-up | 95 % \
             |\n|---|---|---|---|---|---|---|---|---|\n";
    for row in teams {
        text += &markdown_row(results, row);
    }
    text
}

fn markdown_row(results: &Results, row: &Row) -> String {
    let it = &row.estimate;
    let speedup = |reach| written(results, row, reach).replace(">=", "≥");
    format!(
        "| {} | {} | {:.2} | {:.2} – {:.2} | {:.1} % | {:+.2} | {:+.2} – {:+.2} | {} | {} – {} |\n",
        row.trial.team,
        row.trial.multiple,
        it.regret,
        it.regret_interval.0,
        it.regret_interval.1,
        100.0 * row.agreement,
        it.difference,
        it.difference_interval.0,
        it.difference_interval.1,
        speedup(it.reach),
        speedup(it.reach_interval.0),
        speedup(it.reach_interval.1)
    )
}

/// Which picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Figure {
    /// Regret over workers, one worker over time beside it.
    Regret,
    /// Speed-up over workers.
    Speedup,
}

/// The picture of the results. Speed-ups off the ruler are drawn at its ends.
pub fn svg(figure: Figure, results: &Results) -> String {
    let (ruler, teams) = results.rows.split_at(results.ruler);
    let mut series: Vec<Series> = Vec::new();
    if figure == Figure::Regret {
        let dots = ruler.iter().map(|row| dot(figure, results, row)).collect();
        let name = "one worker, more time".to_owned();
        series.push(Series { name, colour: BLACK, dots, ..Series::default() });
    }
    for row in teams {
        let name = series_name(row);
        match series.iter_mut().find(|series| series.name == name) {
            Some(series) => series.dots.push(dot(figure, results, row)),
            None => {
                let number = series.len();
                let colour = if number < BLACK { number } else { number + 1 };
                let dots = vec![dot(figure, results, row)];
                series.push(Series { name, colour, dots, ..Series::default() });
            }
        }
    }
    let tops = series.iter().flat_map(|series| &series.dots).map(|dot| dot.interval.1);
    let high = tops.fold(1.0, f64::max).ceil();
    let (title, below) = match figure {
        Figure::Regret => ("regret, centipawns", "workers × time"),
        Figure::Speedup => ("effective speed-up over one worker", "workers"),
    };
    let (beside, across, up) = ("", Scale::Doubling, Scale::to(high));
    Chart { title, below, beside, across, up, diagonal: false, series }.svg()
}

/// The colour of the ruler, number 2 of the plot's.
const BLACK: usize = 2;

fn series_name(row: &Row) -> String {
    let team = row.trial.team.to_string();
    let strategy = team.split(':').next().unwrap_or_default();
    match row.trial.multiple {
        1.0 => strategy.to_owned(),
        times => format!("{strategy} × {times}"),
    }
}

fn dot(figure: Figure, results: &Results, row: &Row) -> Dot {
    let (it, team) = (&row.estimate, row.trial.team);
    let workers = team.workers as f64 * f64::from(team.speedup);
    let (first, last) = ends(results);
    let shown = |reach: f64| reach.exp2().clamp(first, last) / row.trial.multiple;
    match figure {
        Figure::Regret => {
            Dot { x: workers * row.trial.multiple, y: it.regret, interval: it.regret_interval }
        }
        Figure::Speedup => Dot {
            x: workers,
            y: shown(it.reach),
            interval: (shown(it.reach_interval.0), shown(it.reach_interval.1)),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Estimate, Reviewed, Trial, tests::plan};
    use super::*;

    fn row(team: &str, multiple: f64, reach: f64) -> Row {
        Row {
            trial: Trial { team: team.parse().unwrap(), multiple },
            moves: vec!["e2e4".to_owned()],
            regrets: vec![12.0],
            agreement: 0.5,
            estimate: Estimate {
                regret: 12.0,
                regret_interval: (8.0, 16.0),
                difference: -3.0,
                difference_interval: (-5.0, 1.0),
                reach,
                reach_interval: (f64::NEG_INFINITY, f64::INFINITY),
            },
        }
    }

    fn results() -> Results {
        Results {
            positions: vec![Reviewed {
                name: "ab".to_owned(),
                written: "startpos".to_owned(),
                best: "d2d4".to_owned(),
                value: 20,
            }],
            rows: vec![
                row("single:1", 1.0, 0.0),
                row("single:1", 64.0, 6.0),
                row("pipeline:8", 2.0, 3.0),
                row("root-split:8", 1.0, f64::INFINITY),
                row("gpp:8", 1.0, f64::NEG_INFINITY),
            ],
            ruler: 2,
            engine: "x".to_owned(),
            searched: [1, 2, 3],
        }
    }

    #[test]
    fn speedups_are_of_the_same_time_and_say_when_they_are_off_the_ruler() {
        let results = results();
        let speedup = |index: usize| {
            let row = &results.rows[index];
            written(&results, row, row.estimate.reach)
        };
        assert_eq!([2, 3, 4].map(speedup), ["4.00", ">= 64", "< 1"]);
        let csv = csv(&results);
        assert_eq!(csv.lines().count(), 6);
        assert!(csv.contains(
            "pipeline:8,2,1,12.000,8.000,16.000,0.5000,-3.000,-5.000,1.000,4.00,<0.5,>=32\n"
        ));
        let told = json(&plan(), &results);
        assert_eq!(told["teams"][0]["speedup"], 4.0);
        assert_eq!(told["teams"][1]["speedup"], Value::Null);
        assert_eq!(told["teams"][1]["speedup_text"], ">= 64");
        assert_eq!(told["searched"]["values"], 3);
        let page = markdown(&plan(), &results, "a run");
        assert!(page.contains("| root-split:8 | 1 | 12.00 |") && page.contains("| ≥ 64 |"));
        assert_eq!(positions_csv(&results).lines().count(), 6);
        assert!(summary(&results).contains("pipeline:8"));
    }

    #[test]
    fn pictures_hold_every_team() {
        let results = results();
        let regret = svg(Figure::Regret, &results);
        assert_eq!(regret.matches("<circle").count(), 5);
        assert!(regret.contains(">pipeline × 2</text>"));
        let speedup = svg(Figure::Speedup, &results);
        assert_eq!(speedup.matches("<circle").count(), 3);
        assert!(!speedup.contains("NaN") && !speedup.contains("inf"));
    }
}
