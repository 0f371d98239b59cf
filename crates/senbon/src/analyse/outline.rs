//! The moves of a minimal-tree search as rows of text, in the order in which they are tried.

use senbon_fabric::{ViewMove, ViewOutline};

use super::forest::paint_of;
use super::text::{Paint, Row, Style, clip, count, width};

/// The moves in at most `room` rows of `columns`, headings and all.
pub(super) fn rows(
    tree: &ViewOutline,
    (columns, room): (usize, usize),
    style: Style,
) -> Vec<String> {
    if tree.moves.is_empty() || room < 3 {
        return Vec::new();
    }
    let heading = format!("{:7}  {:>8}  {:>5}", "move", "score", "tasks");
    let mut rows = vec![Row::new().add(Paint::Faint, heading)];
    let fits = room - 2;
    let shown = if tree.moves.len() <= fits { fits } else { fits - 1 };
    rows.extend(tree.moves.iter().take(shown).map(|branch| row(branch, style)));
    if tree.moves.len() > shown {
        let text = format!("and {} more", tree.moves.len() - shown);
        rows.push(Row::new().add(Paint::Faint, text));
    }
    let ViewOutline { plies, positions, tasks, .. } = *tree;
    let plies = if plies == 1 { "1 ply".to_owned() } else { format!("{plies} plies") };
    let size = format!("{plies}, {} positions, {} tasks", count(positions as u64), tasks);
    rows.push(Row::new().add(Paint::Faint, format!("master's tree: {size}")));
    rows.iter().map(|row| row.fit(columns, style)).collect()
}

fn row(branch: &ViewMove, style: Style) -> Row {
    let (paint, sign) = match (branch.is_best, style.unicode) {
        (true, _) => (Paint::Strong, ""),
        (false, true) => (Paint::Plain, "≤"),
        (false, false) => (Paint::Plain, "<="),
    };
    let shown = clip(&branch.readable, 7);
    let fill = " ".repeat(7_usize.saturating_sub(width(shown)));
    Row::new()
        .add(paint, format!("{shown}{fill}"))
        .add(Paint::Faint, format!(" {sign:>2} "))
        .add(paint_of(Some(branch.score)), format!("{:>6}", branch.score.to_string()))
        .add(Paint::Plain, format!("  {:>5}", branch.tasks))
}
