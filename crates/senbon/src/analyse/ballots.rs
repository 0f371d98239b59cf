//! The voters of a vote as rows of text: what each would play, the strongest party first.

use senbon_fabric::ViewVoter;

use super::forest::paint_of;
use super::text::{Paint, Row, Style, clip, count, width};

/// The voters in at most `room` rows of `columns`, headings and all.
pub(super) fn rows(
    voters: &[ViewVoter],
    (columns, room): (usize, usize),
    style: Style,
) -> Vec<String> {
    if voters.is_empty() || room < 2 {
        return Vec::new();
    }
    let name = voters.iter().map(|voter| width(&voter.name)).max().unwrap_or(0).clamp(5, 20);
    let heading = format!(
        "{:name$}  {:>6}  {:<7} {:>5} {:>7} {:>9}",
        "voter", "weight", "move", "depth", "score", "nodes/s"
    );
    let mut rows = vec![Row::new().add(Paint::Faint, heading).fit(columns, style)];
    let winner = winner(voters);
    let mut sorted: Vec<&ViewVoter> = voters.iter().collect();
    sorted.sort_by_key(|voter| (voter.mv.is_none(), voter.mv != winner));
    for voter in sorted.iter().take(room - 1) {
        rows.push(row(voter, name, winner.as_deref()).fit(columns, style));
    }
    rows
}

/// The move with the most weight; ties as the vote breaks them are not looked at here.
fn winner(voters: &[ViewVoter]) -> Option<String> {
    let moves = voters.iter().filter_map(|voter| voter.mv.as_ref());
    let weight = |mv: &String| -> f64 {
        voters.iter().filter(|voter| voter.mv.as_ref() == Some(mv)).map(|voter| voter.weight).sum()
    };
    moves.rev().max_by(|a, b| weight(a).total_cmp(&weight(b))).cloned()
}

fn row(voter: &ViewVoter, name: usize, winner: Option<&str>) -> Row {
    let paint = match (&voter.mv, voter.present) {
        (_, false) => Paint::Faint,
        (Some(mv), true) if winner == Some(mv) => Paint::Strong,
        _ => Paint::Plain,
    };
    let text = if voter.readable.is_empty() { "-" } else { voter.readable.as_str() };
    let depth = if voter.depth == 0 { "-".to_owned() } else { voter.depth.to_string() };
    let score = voter.score.map_or_else(|| "-".to_owned(), |score| score.to_string());
    let shown = clip(&voter.name, name);
    let fill = " ".repeat(name.saturating_sub(width(shown)));
    let mark = match (voter.present, voter.is_final) {
        (false, _) => "  not there",
        (true, true) => "  final",
        (true, false) => "",
    };
    Row::new()
        .add(paint, format!("{shown}{fill}  {:>6.2}  {text:<7}", voter.weight))
        .add(Paint::Plain, format!(" {depth:>5} "))
        .add(paint_of(voter.score), format!("{score:>7}"))
        .add(Paint::Plain, format!(" {:>9}", count(voter.nps)))
        .add(Paint::Faint, mark)
}
