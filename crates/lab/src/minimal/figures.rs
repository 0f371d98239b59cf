//! Figures 6 to 11 as pictures, with what the paper printed in hollow dots.

use super::analysis::correlation;
use super::ordering::share;
use super::staged::Sharing;
use super::{Form, Kind, Method, Plan, Results, paper};
use crate::plot::{Chart, Dot, Look, Scale, Series};

/// The pictures that there is something to draw for: a name for the file and the picture.
pub fn figures(plan: &Plan, results: &Results) -> Vec<(&'static str, String)> {
    let all = [
        ("figure-6", ordering(results)),
        ("figure-7", updates(plan, results)),
        ("figure-8", speedups(plan, results)),
        ("figure-9", forms(plan, results)),
        ("figure-10", full_windows(plan, results)),
        ("figure-11", scatter(plan, results)),
    ];
    all.into_iter().filter_map(|(name, picture)| Some((name, picture?))).collect()
}

fn of_plan(plan: &Plan) -> String {
    format!("{} trees, b = {}, d = {}, d' = {}", plan.kind(), plan.width, plan.depth, plan.reach)
}

/// The colour of a method in all figures.
fn colour(method: Method) -> usize {
    match method {
        Method::Published => 0,
        Method::WithoutUpdates => 1,
        Method::Share | Method::Front(_) => 3,
        Method::NegaScout => 4,
        Method::Epsilon(_) => 5,
        Method::InStep(_) => 6,
        Method::Growing(_) | Method::Hasty(_) => 2,
        Method::Extended(_) | Method::Crews(_) => 7,
    }
}

/// An even scale around all values of the vertical axis, from `least` to `most` at the least.
fn around(series: &[Series], least: f64, most: f64) -> Scale {
    let ends = || series.iter().flat_map(|series| &series.dots).map(|dot| dot.interval);
    let low = ends().map(|(low, _)| low).fold(least, f64::min);
    let high = ends().map(|(_, high)| high).fold(most, f64::max);
    let step = crate::plot::step(high - low);
    let (low, high) = ((low / step + 1e-9).floor() * step, (high / step - 1e-9).ceil() * step);
    Scale::Even { low, high, step }
}

/// Figure 6.
fn ordering(results: &Results) -> Option<String> {
    let mut series = Vec::new();
    let colour = |kind: Kind, width: u8| match (kind, Method::is_wide(width)) {
        (Kind::Synthetic, false) => 0,
        (Kind::Synthetic, true) => 6,
        (Kind::Shogi, false) => 1,
        (Kind::Shogi, true) => 5,
    };
    for accuracy in &results.ordering {
        let dot = |&(depth, kept, all): &(u8, u64, u64)| {
            let (y, interval) = share(kept, all);
            Dot { x: depth.into(), y, interval }
        };
        let (kind, width) = (accuracy.kind, accuracy.width);
        let (name, colour) = (format!("{kind}, b = {width}"), colour(kind, width));
        let dots = accuracy.steps.iter().map(dot).collect();
        series.push(Series { name, colour, dots, ..Series::default() });
    }
    if series.is_empty() {
        return None;
    }
    let measured: Vec<_> = results.ordering.iter().map(|one| (one.kind, one.width)).collect();
    for (kind, width, depth, percent) in paper::ORDERING {
        if measured.contains(&(kind, width)) {
            let name = format!("paper, {kind}, b = {width}");
            let (colour, look) = (colour(kind, width), Look::Cited);
            series.push(Series {
                name,
                colour,
                dots: vec![Dot::exact(depth.into(), percent)],
                look,
            });
        }
    }
    let depths = || series.iter().flat_map(|series| &series.dots).map(|dot| dot.x);
    let (low, high) = (depths().fold(4.0, f64::min), depths().fold(6.0, f64::max));
    let chart = Chart {
        title: "Figure 6: best children that were best two plies before, with 95 % intervals",
        below: "plies searched (d, after d - 2)",
        beside: "still the best [%]",
        across: Scale::Even { low, high, step: 2.0 },
        up: around(&series, 60.0, 100.0),
        diagonal: false,
        series,
    };
    Some(chart.svg())
}

/// Figure 7: with updates by without, the time across and the leaves up.
fn updates(plan: &Plan, results: &Results) -> Option<String> {
    let mut series: Vec<Series> = Vec::new();
    for &workers in &plan.workers {
        let row = |method| results.row(Some(method), workers).map(super::Row::summary);
        let (Some(with), Some(without)) = (row(Method::Published), row(Method::WithoutUpdates))
        else {
            continue;
        };
        let dot = Dot::exact(with.time / without.time, with.leaves / without.leaves);
        let name = format!("({}, {}, {workers})", plan.width, plan.depth);
        series.push(Series { name, colour: series.len(), dots: vec![dot], look: Look::Loose });
    }
    if series.is_empty() {
        return None;
    }
    let mut cited = 0;
    for with in paper::rows().filter(|row| row.kind == plan.kind() && row.method == "published") {
        let size = (with.kind, with.width, with.depth, with.reach);
        let Some(without) = paper::find(size, Some(Method::WithoutUpdates), with.workers) else {
            continue;
        };
        let dot = Dot::exact(with.time / without.time, with.leaves / without.leaves);
        let name = format!("paper, ({}, {}, {})", with.width, with.depth, with.workers);
        series.push(Series { name, colour: cited, dots: vec![dot], look: Look::Cited });
        cited += 1;
    }
    let most = |of: fn(&Dot) -> f64| {
        let dots = series.iter().flat_map(|series| &series.dots);
        (dots.map(of).fold(1.0, f64::max) * 5.0).ceil() / 5.0
    };
    let chart = Chart {
        title: "Figure 7: with updates, of without; in brackets b, d and workers",
        below: "search time with updates by search time without",
        beside: "leaves with updates by leaves without",
        across: Scale::Even { low: 0.0, high: most(|dot| dot.x), step: 0.2 },
        up: Scale::Even { low: 0.0, high: most(|dot| dot.y), step: 0.2 },
        diagonal: false,
        series,
    };
    Some(chart.svg())
}

/// Figure 8, with all methods.
fn speedups(plan: &Plan, results: &Results) -> Option<String> {
    let mut series = over_workers(plan, results, |summary| {
        let (low, high) = summary.interval.unwrap_or((summary.speedup, summary.speedup));
        Some((summary.speedup, (low, high)))
    });
    if series.is_empty() {
        return None;
    }
    let published = paper::rows().filter(|row| row.kind == plan.kind());
    let published = published.filter(|row| row.method == "published" && row.width == plan.width);
    let mut cited: Vec<Series> = Vec::new();
    for row in published {
        let name = format!("paper, d = {}, d' = {}", row.depth, row.reach);
        let dot = Dot::exact(row.workers as f64, row.speedup);
        match cited.iter_mut().find(|series| series.name == name) {
            Some(series) => series.dots.push(dot),
            None => {
                let colour = [0, 2, 1, 3][cited.len() % 4];
                cited.push(Series { name, colour, dots: vec![dot], look: Look::Cited });
            }
        }
    }
    series.extend(cited);
    let title = format!("Figure 8: speed-up; {}", of_plan(plan));
    let chart = Chart {
        title: &title,
        below: "workers",
        beside: "speed-up over the sequential search",
        across: Scale::Doubling,
        up: Scale::Doubling,
        diagonal: false,
        series,
    };
    Some(chart.svg())
}

/// A series for each method: a value and its interval by the number of workers.
fn over_workers(
    plan: &Plan,
    results: &Results,
    value: impl Fn(&super::summary::Summary) -> Option<(f64, (f64, f64))>,
) -> Vec<Series> {
    let of_method = |&method: &Method| {
        let rows = results.rows.iter().filter(|row| row.method == Some(method));
        let dots = rows.filter_map(|row| {
            let (y, interval) = value(&row.summary())?;
            Some(Dot { x: row.workers as f64, y, interval })
        });
        let (name, colour, dots) = (method.to_string(), colour(method), dots.collect());
        Series { name, colour, dots, ..Series::default() }
    };
    let series = plan.methods.iter().map(of_method);
    series.filter(|series| !series.dots.is_empty()).collect()
}

/// Figure 9.
fn forms(plan: &Plan, results: &Results) -> Option<String> {
    let below_tasks = plan.depth - plan.reach;
    let mut series: Vec<Series> = Vec::new();
    let name = |form: Form| {
        let sharing = match form.sharing {
            Sharing::All => "share all",
            Sharing::Part(_) => "partial share",
            Sharing::Nothing => "no share",
        };
        format!("{sharing}{}", if form.full_windows { ", full windows" } else { "" })
    };
    for (reach, increases) in results.increases() {
        for (index, (form, increase)) in increases.into_iter().enumerate() {
            let dot = Dot::exact((reach + below_tasks).into(), increase);
            match series.get_mut(index) {
                Some(series) => series.dots.push(dot),
                None => series.push(Series {
                    name: name(form),
                    colour: [6, 0, 2, 5, 1][index % 5],
                    dots: vec![dot],
                    look: Look::Joined,
                }),
            }
        }
    }
    let (first, last) = (results.stages.first()?, results.stages.last()?);
    let (low, high) = (first.reach + below_tasks, (last.reach + below_tasks).max(2));
    let low = if low == high { low - 2 } else { low };
    let title = format!(
        "Figure 9: leaves of the sequential search; {} trees, b = {}, d - d' = {below_tasks}",
        plan.kind(),
        plan.width
    );
    let chart = Chart {
        title: &title,
        below: "d",
        beside: "leaves, of the baseline's",
        across: Scale::Even { low: low.into(), high: high.into(), step: 2.0 },
        up: around(&series, 1.0, 2.0),
        diagonal: false,
        series,
    };
    Some(chart.svg())
}

/// Figure 10, with all methods.
fn full_windows(plan: &Plan, results: &Results) -> Option<String> {
    let series = over_workers(plan, results, |summary| {
        let percent = 100.0 * summary.full?;
        Some((percent, (percent, percent)))
    });
    let title = format!("Figure 10: tasks that ended with a full window; {}", of_plan(plan));
    let chart = Chart {
        title: &title,
        below: "workers",
        beside: "of all tasks that ended [%]",
        across: Scale::Doubling,
        up: around(&series, 0.0, 10.0),
        diagonal: false,
        series,
    };
    (!chart.series.is_empty()).then(|| chart.svg())
}

/// Figure 11: every tree, by the largest number of workers.
fn scatter(plan: &Plan, results: &Results) -> Option<String> {
    let split = results.splits().into_iter().max_by_key(|split| split.workers)?;
    let pairs: Vec<_> = split.trees.iter().map(|(_, one)| (one.estimated(), one.actual)).collect();
    let dots: Vec<_> = pairs.iter().map(|&(x, y)| Dot::exact(x, y)).collect();
    let high = pairs.iter().fold(1.0, |high: f64, &(x, y)| high.max(x).max(y));
    let step = crate::plot::step(high);
    let high = (high / step).ceil() * step;
    let corr = correlation(&pairs).map_or(String::new(), |corr| format!(", corr = {corr:.2}"));
    let title = format!("Figure 11: increase of leaves; {}", of_plan(plan));
    let name = format!("{} workers{corr}", split.workers);
    let series = vec![Series { name, colour: 0, dots, look: Look::Loose }];
    let chart = Chart {
        title: &title,
        below: "estimated increase",
        beside: "actual increase",
        across: Scale::Even { low: 0.0, high, step },
        up: Scale::Even { low: 0.0, high, step },
        diagonal: true,
        series,
    };
    Some(chart.svg())
}
