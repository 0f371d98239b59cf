//! What a measurement is written as: the table file that the pipeline reads, and a page of
//! results beside the published figures.

use std::fmt::Write as _;

use senbon_core::RankTable;

use super::{Contents, Counts, Interval};

/// What the page says beyond the counts.
#[derive(Clone, Debug)]
pub struct Page {
    /// The command that makes the measurement again.
    pub command: String,
    /// The names of the files.
    pub files: Vec<String>,
}

/// The published table has so many positions (pgpp-2015, section 5.2).
const PUBLISHED_POSITIONS: f64 = 1_091.0;

/// The table file: counts, with remarks on where they come from.
pub fn table_file(contents: &Contents, counts: &Counts) -> String {
    let mut remarks = vec!["how often the move of each rank was played".to_owned()];
    if let Some(head) = &contents.head {
        remarks.push(format!("{}, {} at depth {}", head.game, head.engine, head.depth));
        remarks.push(head.input.clone());
    }
    remarks.extend(contents.runs.iter().map(|run| format!("measured by {run}")));
    RankTable::format_counts(&counts.ranks, counts.beyond, &remarks)
}

/// The page of results, in Markdown.
pub fn page(contents: &Contents, counts: &Counts, about: &Page) -> String {
    let mut text = String::from(
        "# How often the move of each rank is played\n\n\
         The engine ranks the moves of every position of the games at a fixed depth; the rank \
         of the move actually played is counted (pgpp-2015, section 5.2). These shares are the \
         only parameters of the position pipeline. This page is written by the command below.\n\n",
    );
    facts(&mut text, contents, counts, about);
    let is_chess = contents.head.as_ref().is_some_and(|head| head.game == "chess");
    shares(&mut text, counts, is_chess);
    utilities(&mut text, counts, is_chess);
    text
}

fn facts(text: &mut String, contents: &Contents, counts: &Counts, about: &Page) {
    let _ = writeln!(text, "| what | |\n|---|---|");
    let mut fact = |name: &str, value: &str| {
        let _ = writeln!(text, "| {name} | {value} |");
    };
    fact("command", &format!("`{}`", about.command));
    fact("games", &about.files.join(", "));
    if let Some(head) = &contents.head {
        fact("input", &head.input);
        let options =
            if head.options.is_empty() { String::new() } else { format!(", {}", head.options) };
        fact("engine", &format!("{}, 1 thread{options}", head.engine));
        fact("depth", &head.depth.to_string());
        fact("lines asked for", &lines_told(contents, &head.lines));
    }
    fact("positions", &counts.total().to_string());
    fact("measured by", &contents.runs.join("; "));
    let seconds = contents.rows.values().map(|row| row.ms).sum::<u64>() / 1_000;
    let count = contents.rows.len().max(1) as f64;
    let each = seconds as f64 / count;
    fact("time of all engines", &format!("{seconds} s, {each:.2} s a position"));
    text.push('\n');
}

fn lines_told(contents: &Contents, lines: &str) -> String {
    if lines == "all" {
        return "all legal moves".to_owned();
    }
    let missed: Vec<_> = contents.rows.values().filter(|row| row.rank > row.lines).collect();
    let exact = missed.iter().filter_map(|row| row.exact).max();
    let last = exact.map_or_else(String::new, |rank| format!(", ranks up to {rank}"));
    format!(
        "{lines}; the move played was not among them in {} positions (asked again for all \
         moves there{last})",
        missed.len()
    )
}

fn shares(text: &mut String, counts: &Counts, is_chess: bool) {
    let published = RankTable::published();
    let (ranks, rest) = published.parts();
    // The classes can be compared one by one only where they are the same.
    let beside = is_chess && ranks.len() == counts.ranks.len();
    let published: Vec<f64> = ranks.iter().copied().chain([rest]).collect();
    text.push_str("## Shares\n\nIntervals are Wilson's at 95 %.");
    if beside {
        let _ = write!(
            text,
            " The published figures are those of Stockfish DD with all moves ranked at \
             once. They come from {PUBLISHED_POSITIONS} positions, so they have an \
             interval of about the same width; the last column says whether the two intervals \
             overlap."
        );
    }
    text.push_str("\n\n| rank | count | measured | interval |");
    text.push_str(if beside { " published (Table 2) | overlap |\n" } else { "\n" });
    text.push_str(if beside { "|---|---|---|---|---|---|\n" } else { "|---|---|---|---|\n" });
    let all = counts.ranks.iter().chain([&counts.beyond]).zip(counts.intervals());
    for (index, (count, interval)) in all.enumerate() {
        let name = counts.class(index);
        let Interval { share, low, high } = interval;
        let _ = write!(text, "| {name} | {count} | {share:.4} | {low:.4}–{high:.4} |");
        if beside {
            let share = published[index];
            let positions = (share * PUBLISHED_POSITIONS).round() as u64;
            let theirs = Interval::wilson(positions, PUBLISHED_POSITIONS as u64);
            let overlap = theirs.low <= high && low <= theirs.high;
            let _ = write!(text, " {share:.4} | {} |", if overlap { "yes" } else { "no" });
        }
        text.push('\n');
    }
    text.push('\n');
    let first_three = |shares: &[f64]| shares.iter().take(3).sum::<f64>();
    let ours: Vec<f64> = counts.intervals().iter().map(|interval| interval.share).collect();
    let _ = write!(text, "Ranks 1 to 3 together: {:.4}", first_three(&ours));
    if beside {
        let _ = write!(text, ", published {:.4}", first_three(&published));
    }
    text.push_str(".\n\n");
}

fn utilities(text: &mut String, counts: &Counts, is_chess: bool) {
    let Some(table) = RankTable::from_counts(&counts.ranks, counts.beyond) else { return };
    let workers = [2, 4, 8, 16, 32, 60, 256, 1_536];
    text.push_str(
        "## What follows for the tree\n\nU(T) of the greedily grown tree (equation 1, the \
         simulation of Fig. 4b), by `senbon lab utility`.\n\n| workers | measured |",
    );
    text.push_str(if is_chess { " published |\n|---|---|---|\n" } else { "\n|---|---|\n" });
    for workers in workers {
        let _ = write!(text, "| {workers} | {:.4} |", table.utility(workers, counts.ranks.len()));
        if is_chess {
            let _ = write!(text, " {:.4} |", RankTable::published().utility(workers, 10));
        }
        text.push('\n');
    }
}
