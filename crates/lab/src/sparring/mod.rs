//! Games of a built-in engine against another program, both at a fixed number of nodes.

mod opponent;

use std::fmt::Write;

use anyhow::{Context, Result};
use senbon_games::{Evaluator, Notation, Outcome, Side, Tactics};
use senbon_search::{Free, Request, Searcher, Signals, Table};

pub use opponent::{Dialect, Opponent};

use crate::score::Score;

/// How a series is played.
#[derive(Clone, Debug)]
pub struct Terms {
    /// Nodes per move of the built-in engine.
    pub nodes: u64,
    /// Nodes per move of the opponent.
    pub opponent_nodes: u64,
    /// Pairs of games; each opening is played with both colours.
    pub pairs: usize,
    /// A game this long is a draw.
    pub longest_plies: usize,
    /// Table of the built-in engine.
    pub table_mib: usize,
}

/// Values beyond this for some plies in a row end a game early.
const RESIGN_VALUE: i32 = 1_000;
const RESIGN_PLIES: u32 = 6;

/// Plays the series and tells of every game.
pub fn series<G, E>(
    openings: &[G],
    evaluator: impl Fn() -> E,
    opponent: &mut Opponent,
    terms: &Terms,
    mut tell: impl FnMut(&Score, &Played),
) -> Result<Score>
where
    G: Notation + Tactics,
    E: Evaluator<G>,
{
    let mut score = Score::default();
    for opening in openings.iter().cycle().take(terms.pairs) {
        let mut signs = [0; 2];
        for (sign, ours) in signs.iter_mut().zip([Side::First, Side::Second]) {
            let table = Table::with_mib(terms.table_mib).into();
            let mut searcher = Searcher::new(evaluator(), table);
            let played = game(opening, ours, &mut searcher, opponent, terms)?;
            *sign = played.sign;
            tell(&score, &played);
        }
        score.add_pair(signs);
    }
    Ok(score)
}

/// A finished game.
#[derive(Clone, Debug)]
pub struct Played {
    /// The side of the built-in engine.
    pub ours: Side,
    /// +1 for its win, 0 for a draw, −1 for its loss.
    pub sign: i32,
    /// Its length.
    pub plies: usize,
    /// How it ended.
    pub why: String,
}

fn game<G: Notation + Tactics, E: Evaluator<G>>(
    opening: &G,
    ours: Side,
    searcher: &mut Searcher<G, E>,
    opponent: &mut Opponent,
    terms: &Terms,
) -> Result<Played> {
    opponent.new_game()?;
    let mut position = opening.clone();
    let start = opening.format_position();
    let mut moves = String::new();
    // Who is winning by the values told (sign for us), and for how many plies in a row.
    let mut agreed = (0, 0);
    for plies in 0..terms.longest_plies {
        let end = |sign, why: &str| Ok(Played { ours, sign, plies, why: why.to_owned() });
        if let Some(Outcome { winner, ending }) = position.outcome() {
            let sign = winner.map_or(0, |side| if side == ours { 1 } else { -1 });
            return end(sign, &ending.to_string());
        }
        let (mv, value) = if position.side_to_move() == ours {
            let request = Request { nodes: Some(terms.nodes), ..Request::default() };
            let found =
                searcher.search(&position, &request, &Signals::default(), &mut Free, |_| {});
            let mv = found.best().context("a legal move exists")?;
            (mv, found.value())
        } else {
            let answer = opponent.think(&start, &moves, terms.opponent_nodes)?;
            if opponent.resigns(&answer.best) {
                return end(1, "the opponent resigned");
            }
            let mv = position
                .parse_move(&answer.best)
                .with_context(|| format!("opponent's move {} after {moves}", answer.best))?;
            (mv, answer.value.map(|value| -value))
        };
        let verdict = value.filter(|value| value.abs() > RESIGN_VALUE).map_or(0, i32::signum);
        agreed = if verdict == agreed.0 { (verdict, agreed.1 + 1) } else { (verdict, 1) };
        if verdict != 0 && agreed.1 >= RESIGN_PLIES {
            return end(verdict, "both agree that it is decided");
        }
        write!(moves, " {}", position.format_move(mv))?;
        position.play(mv);
    }
    Ok(Played { ours, sign: 0, plies: terms.longest_plies, why: "too long".to_owned() })
}
