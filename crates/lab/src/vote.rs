//! Table II of akara-2010: a vote and each of its voters against the same opponent.
//!
//! The opponent is one of the voters, whose own rate is 50 % by definition. Rows are matches
//! from the same openings, kept in journals.

use std::fmt::Write;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result};
use senbon_engines::process::EngineCommand;
use serde_json::json;

use crate::matches::{
    Adjudication, Control, DrawRule, EnginePlayer, Finished, ImpasseRule, Journal, MatchGame,
    Opening, Player, ResignRule, Terms, play_series,
};
use crate::score::Score;

/// What is measured.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Name and program of the vote, and of every voter alone.
    pub players: Vec<(String, EngineCommand)>,
    /// The one all others play against.
    pub opponent: (String, EngineCommand),
    /// What makes two runs the same: the text of the composition.
    pub composition: String,
    /// Games of each row.
    pub games: usize,
    /// Boards at the same time.
    pub concurrency: usize,
    /// Drew the openings.
    pub seed: u64,
    /// Where the journals are kept.
    pub folder: PathBuf,
}

/// A row of the table.
#[derive(Clone, Debug)]
pub struct Row {
    /// Who.
    pub name: String,
    /// What it had against the opponent.
    pub score: Score,
}

/// The paper's rows: the vote, then its voters from the best to the weakest, the opponent
/// among them.
pub const PAPER: [(&str, f64); 5] = [
    ("majority voting", 73.0),
    ("Bonanza", 62.0),
    ("Gekisashi (the opponent)", 50.0),
    ("YSS", 37.0),
    ("GPS Shogi", 36.0),
];

/// Voters end their searches by limits of their own; this only keeps a lost one from holding
/// up everything.
const LONGEST_MOVE: Duration = Duration::from_secs(60);

const ADJUDICATION: Adjudication = Adjudication {
    resign: Some(ResignRule { score: 900, moves: 4 }),
    draw: Some(DrawRule { from: 40, moves: 8, score: 10 }),
    longest: Some(300),
    impasse: ImpasseRule::Declared,
};

/// Plays all rows, or goes on with them. `tell` hears of every game.
pub fn measure<G>(
    plan: &Plan,
    openings: &[Opening<G>],
    mut tell: impl FnMut(&Row),
) -> Result<Vec<Row>>
where
    G: MatchGame + Sync,
    G::Undo: Send,
{
    std::fs::create_dir_all(&plan.folder)
        .with_context(|| format!("cannot make the folder {}", plan.folder.display()))?;
    let mut rows = Vec::new();
    for (name, command) in &plan.players {
        let control = Control { move_time: Some(LONGEST_MOVE), ..Control::default() };
        let terms = Terms {
            names: [name.clone(), plan.opponent.0.clone()],
            controls: [control.clone(), control],
            games: plan.games.next_multiple_of(2),
            concurrency: plan.concurrency.max(1),
            ponder: false,
            adjudication: ADJUDICATION,
            grace: Duration::from_secs(10),
            tags: Vec::new(),
        };
        let first = openings.first().map_or(0, |opening| opening.position().key());
        let head = json!({
            "vote": 1, "game": G::NAME, "player": name, "opponent": plan.opponent.0,
            "composition": plan.composition, "seed": plan.seed,
            "first_opening": format!("{first:016x}"),
        });
        let journal = Journal::open(&plan.folder.join(format!("{name}.jsonl")), &head)?;
        let hire = || -> Result<[Box<dyn Player<G>>; 2]> {
            let start = |command: &EngineCommand| EnginePlayer::start(command.clone());
            Ok([Box::new(start(command)), Box::new(start(&plan.opponent.1))])
        };
        let row = |score| Row { name: name.clone(), score };
        let progress = play_series(&terms, openings, Some(journal), hire, |now, _: &Finished| {
            tell(&row(now.score()));
            true
        })?;
        rows.push(row(progress.score()));
    }
    Ok(rows)
}

/// The table as CSV.
pub fn csv(rows: &[Row]) -> String {
    let mut text = "player,games,wins,draws,losses,rate,margin\n".to_owned();
    for Row { name, score } in rows {
        let (wins, draws, losses) = (score.wins, score.draws, score.losses);
        let (rate, margin) = (100.0 * score.rate(), 100.0 * score.margin());
        let games = score.games();
        let _ = writeln!(text, "{name},{games},{wins},{draws},{losses},{rate:.2},{margin:.2}");
    }
    text
}

/// The page: the table, the paper's beside it, and whether the vote is better than its best
/// voter.
pub fn markdown(plan: &Plan, rows: &[Row], run: &str) -> String {
    let mut text = "# A vote and its voters\n\n".to_owned();
    let opponent = &plan.opponent.0;
    let _ = writeln!(
        text,
        "Table II of akara-2010. {run}\n\nAll play against {opponent}, which has 50 % by \
         definition; each opening with both colours. Rates in per cent with the 95 % interval.\n"
    );
    text.push_str("| player | games | + = − | rate |\n|---|---|---|---|\n");
    for Row { name, score } in rows {
        let (wins, draws, losses) = (score.wins, score.draws, score.losses);
        let (rate, margin) = (100.0 * score.rate(), 100.0 * score.margin());
        let games = score.games();
        let _ = writeln!(
            text,
            "| {name} | {games} | {wins} {draws} {losses} | {rate:.1} ± {margin:.1} |"
        );
    }
    let _ = writeln!(text, "| {opponent} (the opponent) | – | – | 50.0 |");
    let _ = writeln!(text, "\n{}\n", verdict(rows));
    text.push_str("## The paper\n\n1,000 games each, four seconds a move.\n\n");
    text.push_str("| player | rate |\n|---|---|\n");
    for (name, rate) in PAPER {
        let _ = writeln!(text, "| {name} | {rate:.0} |");
    }
    let _ = writeln!(text, "\n## The composition\n\n```toml\n{}\n```", plan.composition.trim());
    text
}

/// Whether the vote, the first row, is better than the best of the others and the opponent.
fn verdict(rows: &[Row]) -> String {
    let Some((vote, voters)) = rows.split_first() else { return String::new() };
    let best = voters.iter().max_by(|a, b| a.score.rate().total_cmp(&b.score.rate()));
    let (name, rate, margin) = match best {
        Some(best) if best.score.rate() > 0.5 => {
            (best.name.as_str(), best.score.rate(), best.score.margin())
        }
        _ => ("the opponent", 0.5, 0.0),
    };
    let gain = vote.score.rate() - rate;
    // The two rates are measured apart.
    let error = vote.score.margin().hypot(margin);
    let said = if gain > error {
        "the vote is better"
    } else if gain < -error {
        "the vote is worse"
    } else {
        "no difference is shown"
    };
    let (gain, error) = (100.0 * gain, 100.0 * error);
    format!("Against its best voter, {name}: {gain:+.1} ± {error:.1}, so {said}.")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(name: &str, wins: u32, losses: u32) -> Row {
        let mut score = Score::default();
        for _ in 0..wins / 2 {
            score.add_pair([1, 1]);
        }
        for _ in 0..losses / 2 {
            score.add_pair([-1, -1]);
        }
        Row { name: name.to_owned(), score }
    }

    #[test]
    fn the_verdict_needs_a_clear_difference() {
        let rows = |vote: u32, best: u32| {
            [row("vote", vote, 400 - vote), row("a", best, 400 - best), row("b", 100, 300)]
        };
        assert!(verdict(&rows(300, 240)).ends_with("the vote is better."));
        assert!(verdict(&rows(250, 240)).ends_with("no difference is shown."));
        assert!(verdict(&rows(200, 280)).ends_with("the vote is worse."));
        assert!(verdict(&rows(300, 100)).contains("the opponent: +25.0"));
    }
}
