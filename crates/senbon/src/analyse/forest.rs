//! The master tree as rows of text: which nodes fit, in which order, under which columns.

use senbon_core::Score;
use senbon_fabric::ViewNode;

use super::text::{Paint, Row, Style, clip, width};

/// The rows of the tree in at most `room` rows of `columns`, headings and all. `best` is the
/// best line, in protocol notation: its nodes stand out.
pub(super) fn rows(
    nodes: &[ViewNode],
    best: &[String],
    (columns, room): (usize, usize),
    style: Style,
) -> Vec<String> {
    if nodes.is_empty() || room < nodes.len().min(3) {
        return Vec::new();
    }
    let heading = usize::from(room > 4);
    let fits = if nodes.len() + heading <= room { room } else { room - 1 } - heading;
    let shown = ordered(nodes, &likeliest(nodes, fits));
    let table = Table::new(nodes, &shown, columns, style);
    let mut rows = Vec::new();
    if heading > 0 {
        rows.push(table.heading().fit(columns, style));
    }
    for branch in &shown {
        rows.push(table.row(branch, best).fit(columns, style));
    }
    if shown.len() < nodes.len() {
        rows.push(hidden(nodes, &shown, style).fit(columns, style));
    }
    rows
}

/// Which nodes to show: the most probable, each with its parent.
fn likeliest(nodes: &[ViewNode], count: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..nodes.len()).collect();
    order.sort_by(|&a, &b| {
        let likelier = nodes[b].probability.total_cmp(&nodes[a].probability);
        likelier.then(nodes[a].way.len().cmp(&nodes[b].way.len()))
    });
    order.truncate(count);
    order
}

/// A node to be shown and the lines that lead to it.
struct Branch<'a> {
    node: &'a ViewNode,
    /// For every ply above it whether the line there goes on; the last is its own.
    goes_on: Vec<bool>,
}

/// The chosen nodes, every node followed by what is below it, the likelier first.
fn ordered<'a>(nodes: &'a [ViewNode], chosen: &[usize]) -> Vec<Branch<'a>> {
    let mut found = Vec::with_capacity(chosen.len());
    let mut open: Vec<(usize, Vec<bool>)> = Vec::new();
    if let Some(&root) = chosen.iter().find(|&&at| nodes[at].way.is_empty()) {
        open.push((root, Vec::new()));
    }
    while let Some((at, goes_on)) = open.pop() {
        let way = &nodes[at].way;
        let below = chosen.iter().copied().filter(|&other| {
            nodes[other].way.split_last().is_some_and(|(_, before)| before == way.as_slice())
        });
        // Chosen ones are in the order of their probability; the last put in comes out first.
        let below: Vec<usize> = below.collect();
        for (place, &child) in below.iter().enumerate().rev() {
            let mut lines = goes_on.clone();
            lines.push(place + 1 < below.len());
            open.push((child, lines));
        }
        found.push(Branch { node: &nodes[at], goes_on });
    }
    found
}

/// What is not shown.
fn hidden(nodes: &[ViewNode], shown: &[Branch<'_>], style: Style) -> Row {
    let more = nodes.len() - shown.len();
    let least = shown.iter().map(|branch| branch.node.probability).fold(1.0, f64::min);
    let dots = if style.unicode { "…" } else { "..." };
    let likely = match percent(least).strip_prefix('<') {
        Some(rounded) => format!("less than {rounded}"),
        None => format!("at most {}", percent(least)),
    };
    Row::new().add(Paint::Faint, format!("{dots} {more} more, {likely} likely"))
}

fn percent(probability: f64) -> String {
    let value = probability * 100.0;
    if value < 0.05 {
        "<0.1 %".to_owned()
    } else if value < 9.95 {
        format!("{value:.1} %")
    } else {
        format!("{value:.0} %")
    }
}

/// Widths of the columns; 0 for those that there is no room for.
struct Table {
    moves: usize,
    indent: usize,
    worker: usize,
    depth: usize,
    likely: usize,
    share: usize,
    engine: usize,
    style: Style,
}

const SCORE: usize = 8;

impl Table {
    fn new(nodes: &[ViewNode], shown: &[Branch<'_>], columns: usize, style: Style) -> Self {
        let deepest = shown.iter().map(|branch| branch.goes_on.len()).max().unwrap_or(0);
        // The way to a node deep down would take all the room: one column a ply is enough.
        let indent = if deepest * 2 + 6 > columns / 3 { 1 } else { 2 };
        let longest = shown
            .iter()
            .map(|branch| branch.goes_on.len() * indent + width(&branch.node.readable))
            .max()
            .unwrap_or(0);
        let name = |branch: &Branch<'_>| branch.node.engine.as_deref().map_or(0, width);
        let engine = shown.iter().map(name).max().unwrap_or(0).clamp(6, 24) + 2;
        let most = nodes.iter().filter_map(|node| node.worker).max().unwrap_or(0);
        let worker = most.to_string().len().max(6) + 2;
        let mut table = Table {
            moves: longest.clamp(5, (columns / 2).max(5)),
            indent,
            worker,
            depth: 0,
            likely: 0,
            share: 0,
            engine: 0,
            style,
        };
        let mut left = columns.saturating_sub(table.moves + worker + SCORE);
        // The most telling first.
        let optional: [(&mut usize, usize); 4] = [
            (&mut table.depth, 7),
            (&mut table.likely, 8),
            (&mut table.share, 11),
            (&mut table.engine, engine),
        ];
        for (column, wish) in optional {
            if wish <= left {
                *column = wish;
                left -= wish;
            } else {
                break;
            }
        }
        table
    }

    fn heading(&self) -> Row {
        let mut row = Row::new().add(Paint::Faint, format!("{:1$}", "move", self.moves));
        let right = [
            ("worker", self.worker),
            ("depth", self.depth),
            ("score", SCORE),
            ("likely", self.likely),
            ("own moves", self.share),
        ];
        for (name, wide) in right.into_iter().filter(|&(_, wide)| wide > 0) {
            row = row.add(Paint::Faint, format!("{name:>wide$}"));
        }
        if self.engine > 0 {
            row = row.add(Paint::Faint, "  engine");
        }
        row
    }

    fn row(&self, branch: &Branch<'_>, best: &[String]) -> Row {
        let node = branch.node;
        let name = if node.way.is_empty() { "root" } else { node.readable.as_str() };
        let name = clip(name, self.moves);
        let lines = self.lines(&branch.goes_on, self.moves - width(name));
        let fill = self.moves.saturating_sub(width(&lines) + width(name));
        let on_best = best.starts_with(&node.way);
        let paint = if on_best { Paint::Strong } else { Paint::Plain };
        let mut row = Row::new().add(Paint::Faint, lines).add(paint, name);
        row = row.add(Paint::Plain, " ".repeat(fill));
        let worker = node.worker.map_or_else(|| "-".to_owned(), |worker| worker.to_string());
        row = row.add(Paint::Plain, format!("{worker:>0$}", self.worker));
        if self.depth > 0 {
            let depth = if node.depth == 0 { "-".to_owned() } else { node.depth.to_string() };
            row = row.add(Paint::Plain, format!("{depth:>0$}", self.depth));
        }
        let score = node.score.map_or_else(|| "-".to_owned(), |score| score.to_string());
        row = row.add(paint_of(node.score), format!("{score:>SCORE$}"));
        if self.likely > 0 {
            row = row.add(Paint::Plain, format!("{:>1$}", percent(node.probability), self.likely));
        }
        if self.share > 0 {
            let share = format!("{} of {}", node.rest.0, node.rest.1);
            row = row.add(Paint::Plain, format!("{share:>0$}", self.share));
        }
        if self.engine > 0 {
            let name = clip(node.engine.as_deref().unwrap_or_default(), self.engine - 2);
            row = row.add(Paint::Faint, format!("  {name}"));
        }
        row
    }

    /// The lines that lead to a node, in at most `room` columns.
    fn lines(&self, goes_on: &[bool], room: usize) -> String {
        let Some((&own, above)) = goes_on.split_last() else { return String::new() };
        let (pass, fork, last) =
            if self.style.unicode { ('│', '├', '└') } else { ('|', '|', '`') };
        let mut lines = String::new();
        let gap = " ".repeat(self.indent - 1);
        for &on in above {
            lines.push(if on { pass } else { ' ' });
            lines.push_str(&gap);
        }
        lines.push(if own { fork } else { last });
        lines.push_str(&gap);
        // What does not fit is cut on the left, so that the move itself can be read.
        let skip = lines.chars().count().saturating_sub(room);
        lines.chars().skip(skip).collect()
    }
}

/// Green is good for the side to move now.
pub(super) fn paint_of(score: Option<Score>) -> Paint {
    match score.map(Score::number) {
        Some(number) if number >= 10 => Paint::Good,
        Some(number) if number <= -10 => Paint::Bad,
        _ => Paint::Plain,
    }
}
