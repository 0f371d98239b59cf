//! The live view: what is known, as rows of a terminal of a given size. A pure function.

use senbon_core::Score;

use super::ballots;
use super::forest::{self, paint_of};
use super::model::{BestLine, Model, Phase};
use super::outline;
use super::text::{Paint, Row, Style, clock, count, width};

/// Columns and rows that may be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Size {
    pub(super) columns: usize,
    pub(super) rows: usize,
}

/// Longest bar.
const BAR: usize = 60;

/// The rows, top to bottom: never more, and none wider, than the size allows.
pub(super) fn picture(model: &Model, size: Size, style: Style) -> Vec<String> {
    let airy = size.rows >= 14;
    let mut rows = Vec::new();
    if size.rows >= 6 {
        rows.push(title(model, size.columns, style).fit(size.columns, style));
    }
    if size.rows >= 4 {
        rows.push(bar(model, size.columns, style).fit(size.columns, style));
    }
    let part = |rows: &mut Vec<String>| {
        if airy && !rows.is_empty() {
            rows.push(String::new());
        }
    };
    part(&mut rows);
    rows.extend(lines(model, size, style));
    let troubles = troubles(model, size, style);
    let below = troubles.len() + if airy { 1 + usize::from(!troubles.is_empty()) } else { 0 };
    let votes = !model.view.voters.is_empty();
    let apart = votes || model.view.outline.is_some();
    let idle = without_node(model).filter(|_| size.rows >= 10 && !apart);
    let below = below + usize::from(idle.is_some());
    let room = size.rows.saturating_sub(rows.len() + below);
    let best = model.lines.first().map_or(&[][..], |line| line.moves.as_slice());
    let tree = if votes {
        ballots::rows(&model.view.voters, (size.columns, room), style)
    } else if let Some(tree) = &model.view.outline {
        outline::rows(tree, (size.columns, room), style)
    } else {
        forest::rows(&model.view.nodes, best, (size.columns, room), style)
    };
    if !tree.is_empty() {
        part(&mut rows);
        rows.extend(tree);
        rows.extend(idle.map(|text| Row::new().add(Paint::Faint, text).fit(size.columns, style)));
    }
    if !troubles.is_empty() {
        part(&mut rows);
        rows.extend(troubles);
    }
    rows.truncate(size.rows);
    rows
}

/// Game, side to move, workers. The names of things go first when it gets narrow.
fn title(model: &Model, columns: usize, style: Style) -> Row {
    let asked = &model.asked;
    let dot = if style.unicode { " · " } else { ", " };
    let here = model.present.len();
    let workers = match (here, asked.workers) {
        (1, 1) => "1 worker".to_owned(),
        (here, all) if here == all => format!("{all} workers"),
        (here, all) => format!("{here} of {all} workers"),
    };
    let parts = [format!("{} to move", asked.side), workers, asked.strategy.clone()];
    let mut row = Row::new().add(Paint::Strong, asked.game);
    let mut left = columns.saturating_sub(width(asked.game));
    for part in parts {
        let text = format!("{dot}{part}");
        if width(&text) > left {
            break;
        }
        left -= width(&text);
        row = row.add(Paint::Plain, text);
    }
    row
}

/// How far the search is to its limit.
fn bar(model: &Model, columns: usize, style: Style) -> Row {
    if model.phase == Phase::Waiting {
        return Row::new().add(Paint::Faint, "waiting for a worker");
    }
    let label = progress(model);
    let Some(done) = model.done() else { return Row::new().add(Paint::Faint, label) };
    let long = columns.saturating_sub(width(&label) + 2).min(BAR);
    if long < 8 {
        return Row::new().add(Paint::Faint, label);
    }
    let full = ((done * long as f64).round() as usize).min(long);
    let (on, off) = if style.unicode { ("━", "─") } else { ("#", "-") };
    Row::new()
        .add(Paint::Bar, on.repeat(full))
        .add(Paint::Faint, off.repeat(long - full))
        .add(Paint::Plain, format!("  {label}"))
}

/// The limits and how much of them is used.
fn progress(model: &Model) -> String {
    let limits = &model.asked.limits;
    let mut parts = Vec::new();
    match limits.move_time {
        Some(time) => parts.push(format!("{} of {}", clock(model.time), whole(&clock(time)))),
        None => parts.push(clock(model.time)),
    }
    if let Some(nodes) = limits.nodes {
        parts.push(format!("{} of {} nodes", count(model.nodes), count(nodes)));
    }
    if let Some(depth) = limits.depth {
        parts.push(format!("depth {} of {depth}", model.depth()));
    }
    if let Some(mate) = limits.mate {
        parts.push(format!("looking for mate in {mate}"));
    }
    if limits.infinite && model.phase == Phase::Searching {
        parts.push("until Ctrl-C".to_owned());
    }
    parts.join(", ")
}

/// `10 s` rather than `10.0 s`.
fn whole(time: &str) -> String {
    time.replace(".0 s", " s")
}

/// The best line or lines with their numbers.
fn lines(model: &Model, size: Size, style: Style) -> Vec<String> {
    let Some(best) = model.lines.first() else {
        let text = if model.phase == Phase::Waiting { "" } else { "nothing found yet" };
        return vec![Row::new().add(Paint::Faint, text).fit(size.columns, style)];
    };
    if model.asked.lines > 1 { many(model, size, style) } else { one(model, best, size, style) }
}

fn one(model: &Model, best: &BestLine, size: Size, style: Style) -> Vec<String> {
    let gap = gap(size);
    let head = Row::new()
        .add(strong(best.score), best.score.to_string())
        .add(Paint::Plain, format!("{gap}depth {}{gap}", best.depth))
        .add(Paint::Plain, speed(model, size));
    let mut rows = vec![head.fit(size.columns, style)];
    let most = if size.rows >= 30 { 3 } else { 1 + usize::from(size.rows >= 18) };
    rows.extend(wrapped(&best.readable, size.columns, most, style));
    rows
}

fn many(model: &Model, size: Size, style: Style) -> Vec<String> {
    let head = Row::new().add(Paint::Plain, speed(model, size));
    let mut rows = vec![head.fit(size.columns, style)];
    let most = (size.rows / 3).max(1);
    for line in model.lines.iter().take(most) {
        let row = Row::new()
            .add(Paint::Faint, format!("{:>2}  ", line.rank))
            .add(strong(line.score), format!("{:>6}", line.score.to_string()))
            .add(Paint::Faint, format!("  {:>2}  ", line.depth))
            .add(Paint::Strong, line.readable.first().map_or("", String::as_str))
            .add(Paint::Plain, format!(" {}", line.readable.get(1..).unwrap_or(&[]).join(" ")));
        rows.push(row.fit(size.columns, style));
    }
    if model.lines.len() > most {
        let text = format!("    and {} more", model.lines.len() - most);
        rows.push(Row::new().add(Paint::Faint, text).fit(size.columns, style));
    }
    rows
}

fn speed(model: &Model, size: Size) -> String {
    format!("{} nodes{}{}/s", count(model.nodes), gap(size), count(model.speed()))
}

/// Between numbers side by side.
fn gap(size: Size) -> &'static str {
    if size.columns < 60 { "  " } else { "   " }
}

fn strong(score: Score) -> Paint {
    match paint_of(Some(score)) {
        Paint::Plain => Paint::Strong,
        paint => paint,
    }
}

/// A line of play over at most `most` rows, broken between moves; the first move stands out.
fn wrapped(moves: &[String], columns: usize, most: usize, style: Style) -> Vec<String> {
    let mut rows: Vec<Row> = Vec::new();
    let mut used = columns;
    for (at, mv) in moves.iter().enumerate() {
        let paint = if at == 0 { Paint::Strong } else { Paint::Plain };
        if used + 1 + width(mv) > columns && rows.len() < most {
            rows.push(Row::new());
            used = 0;
        }
        let Some(row) = rows.pop() else { break };
        let text = if used == 0 { mv.clone() } else { format!(" {mv}") };
        used += width(&text);
        rows.push(row.add(paint, text));
    }
    rows.iter().map(|row| row.fit(columns, style)).collect()
}

/// Workers that no row speaks of: they share the root's moves, or wait for something to do.
fn without_node(model: &Model) -> Option<String> {
    let at_nodes = model.view.nodes.iter().filter(|node| node.worker.is_some()).count();
    match model.view.workers.saturating_sub(at_nodes) {
        0 => None,
        1 => Some("1 worker without a position of its own".to_owned()),
        more => Some(format!("{more} workers without a position of their own")),
    }
}

fn troubles(model: &Model, size: Size, style: Style) -> Vec<String> {
    let most = if size.rows >= 14 { 3 } else { usize::from(size.rows >= 5) };
    let rows = model.troubles().take(most);
    rows.map(|text| Row::new().add(Paint::Warning, text).fit(size.columns, style)).collect()
}
