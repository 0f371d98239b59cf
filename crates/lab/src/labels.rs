//! Positions with a verdict, made by letting an engine play against itself.
//!
//! Every search of the engine labels the position it searched, so the games cost no more than
//! the labels. Only quiet positions are kept: an evaluation is asked for those, the others are
//! the search's business.

use anyhow::{Context, Result, bail};
use senbon_core::{Epoch, Limits, Place, Search};
use senbon_games::{Notation, Outcome, Rng, Side};

use crate::matches::{Answer, MatchGame, Player};

/// A position and what is known of it, all from the first side's view.
#[derive(Clone, Debug, PartialEq)]
pub struct Label<G> {
    /// The position.
    pub position: G,
    /// The engine's value, in its own unit.
    pub value: i32,
    /// The result of the game it comes from: 1, ½ or 0.
    pub result: f32,
}

/// How the games are played.
#[derive(Clone, Debug)]
pub struct Terms {
    /// Nodes per move.
    pub nodes: u64,
    /// Random moves from an opening, at most.
    pub random_plies: usize,
    /// A game this long is a draw.
    pub longest_plies: usize,
    /// Values beyond this are decided: the position is not kept, and two moves of each side
    /// in a row end the game.
    pub decided_value: i32,
}

impl Default for Terms {
    fn default() -> Self {
        Terms { nodes: 2_000, random_plies: 5, longest_plies: 240, decided_value: 700 }
    }
}

/// Values this near to zero for this long, late in a game, make it a draw.
const DRAWN_VALUE: i32 = 8;
const DRAWN_PLIES: usize = 16;
const DECIDED_PLIES: usize = 4;
/// What a forced win counts as.
const MATE: i64 = 30_000;

/// Plays one game from a random offshoot of one of `openings`; gives its quiet positions.
pub fn one_game<G: MatchGame>(
    engine: &mut impl Player<G>,
    openings: &[G],
    terms: &Terms,
    rng: &mut Rng,
) -> Result<Vec<Label<G>>> {
    let mut position = rng.pick(openings).context("no opening given")?.clone();
    for _ in 0..rng.below(terms.random_plies + 1) {
        let moves: Vec<_> = position.moves().into_iter().collect();
        let Some(&mv) = rng.pick(&moves) else { break };
        position.play(mv);
    }
    engine.new_game()?;
    let start = position.format_position();
    // Without the moves before it, so that the engine and we know of the same history.
    let mut place = Place::new(G::parse_position(&start).with_context(|| start.clone())?);
    let mut labels = Vec::new();
    let mut values: Vec<i32> = Vec::new();
    let result = loop {
        let position = place.position();
        if let Some(Outcome { winner, .. }) = position.outcome() {
            break winner.map_or(0.5, result_of);
        }
        if values.len() >= terms.longest_plies {
            break 0.5;
        }
        let limits = Limits { nodes: Some(terms.nodes), ..Limits::default() };
        let epoch = Epoch(values.len() as u64 + 1);
        let search = Search { epoch, place: place.clone(), only: Vec::new(), lines: 1, limits };
        let thought = engine.think(&search, None)?;
        let mv = match thought.answer {
            Answer::Move(mv, _) => mv,
            Answer::Nothing => break result_of(!position.side_to_move()),
            Answer::Late => bail!("no answer in {}", position.format_position()),
            Answer::Failed(why) => bail!("{why} in {}", position.format_position()),
        };
        let sign = if position.side_to_move() == Side::First { 1 } else { -1 };
        let is_quiet = !position.in_check() && !position.is_noisy(mv);
        // Some engines tell no value when they have no choice.
        let told = thought.opinion.map(|opinion| opinion.score.number().clamp(-MATE, MATE) as i32);
        let value = told.map(|value| sign * value);
        let kept = value.filter(|value| is_quiet && value.abs() < terms.decided_value);
        if let Some(value) = kept {
            labels.push(Label { position: position.clone(), value, result: 0.5 });
        }
        values.push(value.or(values.last().copied()).unwrap_or(0));
        if let Some(result) = agreed_result(&values, terms) {
            break result;
        }
        place.play(mv);
    };
    for label in &mut labels {
        label.result = result;
    }
    Ok(labels)
}

fn result_of(winner: Side) -> f32 {
    if winner == Side::First { 1.0 } else { 0.0 }
}

/// The result that both sides' values agree upon.
fn agreed_result(values: &[i32], terms: &Terms) -> Option<f32> {
    let last = |plies: usize| values.len().checked_sub(plies).map(|from| &values[from..]);
    let decided = last(DECIDED_PLIES)?;
    if decided.iter().all(|&value| value >= terms.decided_value) {
        return Some(1.0);
    }
    if decided.iter().all(|&value| value <= -terms.decided_value) {
        return Some(0.0);
    }
    let is_late = values.len() > terms.longest_plies / 4;
    let drawn = last(DRAWN_PLIES)?.iter().all(|value| value.abs() <= DRAWN_VALUE);
    (is_late && drawn).then_some(0.5)
}

impl<G: Notation> Label<G> {
    /// One line of text: position, value and result, with semicolons between.
    pub fn to_line(&self) -> String {
        format!("{};{};{}", self.position.format_position(), self.value, self.result)
    }

    /// Reads such a line.
    pub fn parse(line: &str) -> Result<Self> {
        let mut parts = line.split(';');
        let mut next = || parts.next().with_context(|| format!("{line}: too few parts"));
        let position = next()?;
        let position = G::parse_position(position).with_context(|| position.to_owned())?;
        let value = next()?.trim().parse().with_context(|| line.to_owned())?;
        let result = next()?.trim().parse().with_context(|| line.to_owned())?;
        Ok(Label { position, value, result })
    }
}

/// The scale at which the values predict the results best: a value of one scale stands for
/// an expectation of 73 %.
pub fn value_scale<G>(labels: &[Label<G>]) -> f32 {
    let loss = |scale: f32| -> f64 {
        let one = |label: &Label<G>| {
            let chance = expectation(label.value, scale).clamp(1e-6, 1.0 - 1e-6);
            let (chance, result) = (f64::from(chance), f64::from(label.result));
            -(result * chance.ln() + (1.0 - result) * (1.0 - chance).ln())
        };
        labels.iter().map(one).sum()
    };
    let scales = (0..80).map(|i| 20.0 * 1.05f32.powi(i));
    let best = scales.map(|scale| (loss(scale), scale)).min_by(|a, b| a.0.total_cmp(&b.0));
    best.map_or(200.0, |(_, scale)| scale)
}

/// What the first side may expect at `value`.
pub fn expectation(value: i32, scale: f32) -> f32 {
    1.0 / (1.0 + (-(value as f32) / scale).exp())
}

#[cfg(test)]
mod tests {
    use super::*;
    use senbon_games::chess::Chess;

    #[test]
    fn lines_read_back() {
        let label = Label { position: Chess::start(), value: -37, result: 0.5 };
        assert_eq!(Label::parse(&label.to_line()).unwrap(), label);
        assert!(Label::<Chess>::parse("nonsense;1;1").is_err());
        assert!(Label::<Chess>::parse(&Chess::start().format_position()).is_err());
    }

    #[test]
    fn games_end_when_both_agree() {
        let terms = Terms::default();
        assert_eq!(agreed_result(&[700; 4], &terms), Some(1.0));
        assert_eq!(agreed_result(&[-1_500; 4], &terms), Some(0.0));
        assert_eq!(agreed_result(&[1_000, 1_000, 699, 1_000], &terms), None);
        assert_eq!(agreed_result(&[0; 60], &terms), None, "too early for a draw");
        assert_eq!(agreed_result(&[0; 61], &terms), Some(0.5));
    }

    #[test]
    fn the_scale_fits_the_results() {
        let mut rng = Rng::new(3);
        let labels: Vec<Label<()>> = (0..20_000)
            .map(|_| {
                let value = rng.below(800) as i32 - 400;
                let wins =
                    (rng.below(1 << 20) as f32) < expectation(value, 120.0) * (1 << 20) as f32;
                Label { position: (), value, result: if wins { 1.0 } else { 0.0 } }
            })
            .collect();
        let scale = value_scale(&labels);
        assert!((112.0..130.0).contains(&scale), "{scale}");
    }
}
