//! A match of many games, several at a time.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::time::Duration;

use anyhow::{Context, Result};
use senbon_games::Side;
use serde_json::{Value, json};

use super::adjudication::Adjudication;
use super::control::Control;
use super::games::MatchGame;
use super::journal::Journal;
use super::opening::Opening;
use super::player::{Answer, Foresight, Player};
use super::referee::{GameRecord, Referee};
use crate::score::Score;

/// What is the same for all games of a match.
#[derive(Clone, Debug)]
pub struct Terms {
    /// Names of the two players.
    pub names: [String; 2],
    /// Their controls.
    pub controls: [Control; 2],
    /// Games to play; two for each opening, with colours changed.
    pub games: usize,
    /// Games at the same time.
    pub concurrency: usize,
    /// Whether players think on the opponent's time.
    pub ponder: bool,
    /// When games end early.
    pub adjudication: Adjudication,
    /// Time lost on the way that is not held against a player.
    pub grace: Duration,
    /// Tags of every game's record.
    pub tags: Vec<(String, String)>,
}

/// A game that is over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finished {
    /// Its number, from 0: `2n` and `2n + 1` share an opening.
    pub number: usize,
    /// +1 if the first-named player won, 0 for a draw, −1 if it lost.
    pub sign: i32,
    /// Whether the first-named player had the first move.
    pub had_first_move: bool,
    /// Its length in plies, the opening with it.
    pub plies: usize,
    /// Why it ended.
    pub why: String,
    /// The game as text.
    pub record: String,
    /// What the first-named player foresaw of it.
    pub foresight: Option<Foresight>,
}

impl Finished {
    fn to_json(&self) -> Value {
        let foresight = self.foresight.map(|Foresight { plies, searches }| [plies, searches]);
        json!({ "game": self.number, "sign": self.sign, "first": self.had_first_move,
                "plies": self.plies, "why": self.why, "record": self.record,
                "foresight": foresight })
    }

    fn from_json(value: &Value) -> Option<Finished> {
        Some(Finished {
            number: value["game"].as_u64()? as usize,
            sign: value["sign"].as_i64()?.signum() as i32,
            had_first_move: value["first"].as_bool()?,
            plies: value["plies"].as_u64()? as usize,
            why: value["why"].as_str()?.to_owned(),
            record: value["record"].as_str()?.to_owned(),
            foresight: match (value["foresight"][0].as_u64(), value["foresight"][1].as_u64()) {
                (Some(plies), Some(searches)) => {
                    Some(Foresight { plies: plies as usize, searches: searches as usize })
                }
                _ => None,
            },
        })
    }
}

/// A match so far.
#[derive(Clone, Debug, Default)]
pub struct Progress {
    /// All finished games, in the order they ended.
    pub games: Vec<Finished>,
}

impl Progress {
    /// The score of the first-named player.
    pub fn score(&self) -> Score {
        let mut signs: Vec<_> = self.games.iter().map(|game| (game.number, game.sign)).collect();
        signs.sort_unstable();
        let mut score = Score::default();
        let mut rest = signs.as_slice();
        while let [(number, sign), behind @ ..] = rest {
            match behind {
                [(next, other), after @ ..] if number % 2 == 0 && *next == number + 1 => {
                    score.add_pair([*sign, *other]);
                    rest = after;
                }
                _ => {
                    score.add_single(*sign);
                    rest = behind;
                }
            }
        }
        score
    }
}

impl Progress {
    /// What the first-named player foresaw of all games; none if it does not know.
    pub fn foresight(&self) -> Option<f64> {
        let known = || self.games.iter().filter_map(|game| game.foresight);
        let searches: usize = known().map(|foresight| foresight.searches).sum();
        let plies: usize = known().map(|foresight| foresight.plies).sum();
        (searches > 0).then(|| plies as f64 / searches as f64)
    }
}

/// Plays a match. `hire` makes the players of one board: the first-named and the other. After
/// every game `tell` hears of it and says whether to go on. Games of the journal are not
/// played again.
pub fn play_series<G, H>(
    terms: &Terms,
    openings: &[Opening<G>],
    journal: Option<(Journal, Vec<Value>)>,
    hire: H,
    mut tell: impl FnMut(&Progress, &Finished) -> bool,
) -> Result<Progress>
where
    G: MatchGame + Sync,
    H: Fn() -> Result<[Box<dyn Player<G>>; 2]> + Sync,
{
    let mut progress = Progress::default();
    let (mut journal, before) = match journal {
        Some((journal, before)) => (Some(journal), before),
        None => (None, Vec::new()),
    };
    for (index, line) in before.iter().enumerate() {
        let game = Finished::from_json(line);
        progress.games.push(game.with_context(|| format!("game {} of the journal", index + 1))?);
    }
    let done: Vec<usize> = progress.games.iter().map(|game| game.number).collect();
    let open: Vec<usize> = (0..terms.games).filter(|number| !done.contains(number)).collect();
    let (next, halt) = (AtomicUsize::new(0), AtomicBool::new(false));
    std::thread::scope(|scope| {
        let (results, finished) = channel();
        for _ in 0..terms.concurrency.min(open.len()) {
            let board = Board { terms, openings, open: &open, next: &next, halt: &halt };
            let (results, hire) = (results.clone(), &hire);
            scope.spawn(move || match hire() {
                Ok(players) => board.play(players, &results),
                Err(error) => drop(results.send(Err(error))),
            });
        }
        drop(results);
        let advice = "the match broke off; started again it goes on from its journal";
        for result in finished {
            let went_on = result.and_then(|game: Finished| {
                if let Some(journal) = &mut journal {
                    journal.write(&game.to_json())?;
                }
                progress.games.push(game.clone());
                Ok(tell(&progress, &game))
            });
            match went_on {
                Ok(true) => {}
                Ok(false) => halt.store(true, Ordering::Relaxed),
                Err(error) => {
                    halt.store(true, Ordering::Relaxed);
                    return Err(if journal.is_some() { error.context(advice) } else { error });
                }
            }
        }
        Ok(())
    })?;
    Ok(progress)
}

/// One board: games one after the other with the same two players.
struct Board<'a, G: MatchGame> {
    terms: &'a Terms,
    openings: &'a [Opening<G>],
    open: &'a [usize],
    next: &'a AtomicUsize,
    halt: &'a AtomicBool,
}

impl<G: MatchGame> Board<'_, G> {
    fn play(&self, mut players: [Box<dyn Player<G>>; 2], results: &Sender<Result<Finished>>) {
        while !self.halt.load(Ordering::Relaxed)
            && let Some(&number) = self.open.get(self.next.fetch_add(1, Ordering::Relaxed))
        {
            let result = self.game(number, &mut players);
            let failed = result.is_err();
            if results.send(result).is_err() || failed {
                return;
            }
        }
    }

    fn game(&self, number: usize, players: &mut [Box<dyn Player<G>>; 2]) -> Result<Finished> {
        let terms = self.terms;
        let opening = &self.openings[number / 2 % self.openings.len()];
        // Who of the players, by name, has the first move of the game.
        let first = number % 2;
        let of = |side: Side| if side == Side::First { first } else { 1 - first };
        for (player, name) in players.iter_mut().zip(&terms.names) {
            player.new_game().with_context(|| format!("player {name}"))?;
        }
        let controls = [terms.controls[first].clone(), terms.controls[1 - first].clone()];
        let mut referee = Referee::new(opening, controls, terms.grace, terms.adjudication.clone());
        let verdict = loop {
            if let Some(verdict) = referee.ended() {
                break verdict;
            }
            let side = referee.to_move();
            let question = referee.question();
            let thought = players[of(side)].think(&question, referee.longest());
            let thought = thought.with_context(|| {
                format!("player {} in game {}", terms.names[of(side)], number + 1)
            })?;
            if let Some(verdict) = referee.judge(&thought) {
                break verdict;
            }
            players[of(!side)].opponent_moved(referee.place(), thought.time);
            if let (true, Answer::Move(_, Some(answer))) = (terms.ponder, thought.answer) {
                let expected = referee.expected(answer);
                players[of(side)].ponder(&expected);
            }
        };
        let [foresight, _] = players.each_mut().map(|player| player.game_over(referee.place()));
        let sign = verdict.winner.map_or(0, |side| if of(side) == 0 { 1 } else { -1 });
        let names = [terms.names[first].clone(), terms.names[1 - first].clone()];
        let mut record: GameRecord<G> = referee.record(names, verdict);
        record.tags = terms.tags.clone();
        record.tags.push(("Round".to_owned(), format!("{}", number + 1)));
        Ok(Finished {
            number,
            sign,
            had_first_move: first == 0,
            plies: record.moves.len(),
            why: record.verdict.why.to_string(),
            record: G::write(&record),
            foresight,
        })
    }
}
