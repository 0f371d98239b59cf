//! What the moves of a team cost, against a deep reference search: the fast yardstick for any
//! way of joining workers.
//!
//! A trial is a team and a time. Each chooses a move in every position, in virtual time, and
//! the regret of a move is what the best move is worth more than it, both by searches of equal
//! effort one ply down. One worker with 1, 2, 4, … times the time is the ruler: the multiple
//! at which it is as good as a team, divided by the time of the team, is the team's effective
//! speed-up.
//!
//! References and choices are kept in files, so that a run goes on after a stop, and methods
//! added later cost nothing but themselves.

mod choose;
mod judge;
mod page;
mod positions;
mod stats;

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use senbon_core::RankTable;
use senbon_core::pipeline::Strategy;

use crate::matches::{MatchGame, Opening, Pace, Team};
use crate::parallel::in_parallel;
use crate::progress::Progress;
use choose::Choices;
use judge::References;

pub use judge::CAP;
pub use page::{Figure, csv, json, markdown, positions_csv, summary, svg};
pub use positions::{Plies, Positions};
pub use stats::{Estimate, Interval, Regrets, Ruler, estimate, falling, reach};

/// What is measured.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The teams.
    pub teams: Vec<Team>,
    /// Their times, as multiples of `move_time`.
    pub times: Vec<f64>,
    /// Times of the one worker they are measured by, the same way.
    pub ruler: Vec<f64>,
    /// The virtual time that multiples are of; in a warm start also the opponent's.
    pub move_time: Duration,
    /// What workers are like. Whether they ponder follows from `warm`.
    pub pace: Pace,
    /// How often the move of each rank is played.
    pub table: RankTable,
    /// Teams have thought and pondered in the moves before.
    pub warm: bool,
    /// Positions wanted.
    pub count: usize,
    /// Positions worth more than so many centipawns to either side are left out.
    pub decided: i32,
    /// Nodes of a reference search.
    pub reference_nodes: u64,
    /// Searches at the same time.
    pub concurrency: usize,
    /// Draws everything.
    pub seed: u64,
    /// Which searching code: choices of another tag are not used.
    pub tag: String,
    /// The file of references.
    pub references: PathBuf,
    /// The file of choices.
    pub choices: PathBuf,
}

/// A team and its time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Trial {
    /// Who.
    pub team: Team,
    /// How long, as a multiple.
    pub multiple: f64,
}

const ONE_WORKER: Team = Team { strategy: Strategy::Single, workers: 1, speedup: 1 };

impl Plan {
    fn pace(&self) -> Pace {
        Pace { ponder: self.warm, ..self.pace }
    }

    /// The multiples of the ruler, rising: also those at which teams are measured, so that
    /// there is one worker in the same time.
    fn multiples(&self) -> Vec<f64> {
        let mut multiples = [self.ruler.as_slice(), &self.times].concat();
        multiples.sort_by(f64::total_cmp);
        multiples.dedup();
        multiples
    }

    /// Nodes of the longest search of the ruler. A reference of not many more says little.
    pub fn longest_nodes(&self) -> f64 {
        let most = self.multiples().into_iter().fold(0.0, f64::max);
        most * self.move_time.as_secs_f64() * f64::from(self.pace.nodes_per_second)
    }

    /// All trials, those of the ruler first.
    fn trials(&self) -> Vec<Trial> {
        let ruler =
            self.multiples().into_iter().map(|multiple| Trial { team: ONE_WORKER, multiple });
        let mut trials: Vec<_> = ruler.collect();
        for &team in &self.teams {
            let all = self.times.iter().map(|&multiple| Trial { team, multiple });
            let new: Vec<_> = all.filter(|trial| !trials.contains(trial)).collect();
            trials.extend(new);
        }
        trials
    }
}

/// Which work is being done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// The best moves of the positions.
    References,
    /// The moves of the teams.
    Choices,
    /// What those moves are worth.
    Values,
}

impl Stage {
    /// What is counted.
    pub const fn name(self) -> &'static str {
        match self {
            Stage::References => "positions",
            Stage::Choices => "choices",
            Stage::Values => "moves judged",
        }
    }
}

/// A position and what is known of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reviewed {
    /// Its name in the files.
    pub name: String,
    /// The position as text.
    pub written: String,
    /// The best move by the reference.
    pub best: String,
    /// What the position is worth to the side to move.
    pub value: i32,
}

/// A trial and what came of it.
#[derive(Clone, Debug)]
pub struct Row {
    /// Which.
    pub trial: Trial,
    /// The moves chosen, in the order of the positions.
    pub moves: Vec<String>,
    /// What they cost.
    pub regrets: Regrets,
    /// How often the move was the reference's own, from 0 to 1.
    pub agreement: f64,
    /// What that says.
    pub estimate: Estimate,
}

/// All that was measured.
#[derive(Clone, Debug)]
pub struct Results {
    /// The positions.
    pub positions: Vec<Reviewed>,
    /// All trials, those of the ruler first.
    pub rows: Vec<Row>,
    /// How many of the rows are the ruler.
    pub ruler: usize,
    /// Which search the references are by.
    pub engine: String,
    /// Searches that this run had to make: references, choices, values.
    pub searched: [usize; 3],
}

/// Measures all trials on the first `count` of the positions that are not decided, or goes on
/// with it.
pub fn measure<G>(
    plan: &Plan,
    positions: impl Iterator<Item = Opening<G>>,
    tell: impl FnMut(Stage, Progress),
) -> Result<Results>
where
    G: MatchGame + Sync,
    G::Undo: Send,
{
    let mut run = Run {
        plan,
        references: References::open::<G>(&plan.references, plan.reference_nodes)?,
        choices: Choices::open::<G>(&plan.choices)?,
        tell,
        searched: [0; 3],
    };
    let places = run.review(positions)?;
    positions::check_any(places.len(), plan.warm, plan.decided)?;
    let trials = plan.trials();
    run.choose(&places, &trials)?;
    run.judge(&places, &trials)?;
    run.results(&places, &trials)
}

/// A position with its name in the files.
type Named<G> = (String, Opening<G>);

struct Run<'a, F> {
    plan: &'a Plan,
    references: References,
    choices: Choices,
    tell: F,
    searched: [usize; 3],
}

impl<F: FnMut(Stage, Progress)> Run<'_, F> {
    /// All that the choices of the trials depend on, but for the position. The search is among
    /// it: nobody should have to remember that it changed.
    fn methods(&self, trials: &[Trial]) -> Vec<String> {
        let engine = self.references.engine();
        trials.iter().map(|trial| format!("{}, search {engine}", self.plan.method(trial))).collect()
    }

    /// Does what is open of one stage, and tells of it after every piece.
    fn work<J: Sync, R: Send>(
        &mut self,
        stage: Stage,
        jobs: &[J],
        known: usize,
        search: impl Fn(&J) -> Result<R> + Sync,
        mut keep: impl FnMut(&mut Self, Vec<(usize, R)>) -> Result<()>,
    ) -> Result<()> {
        let (began, total) = (Instant::now(), known + jobs.len());
        let mut fresh = 0;
        in_parallel(jobs, self.plan.concurrency, search, |results| {
            fresh += results.len();
            self.searched[stage as usize] += results.len();
            keep(self, results)?;
            let done = known + fresh;
            (self.tell)(stage, Progress { done, fresh, total, time: began.elapsed() });
            Ok(())
        })
    }

    /// The positions to use: searched by the reference, and not decided.
    fn review<G: MatchGame + Sync>(
        &mut self,
        mut positions: impl Iterator<Item = Opening<G>>,
    ) -> Result<Vec<Named<G>>> {
        let (plan, history) = (self.plan, if self.plan.warm { 2 } else { 0 });
        let mut used: Vec<Named<G>> = Vec::new();
        while used.len() < plan.count {
            let batch = positions::take(&mut positions, plan.count - used.len(), history);
            if batch.is_empty() {
                break;
            }
            let batch: Vec<_> = batch.into_iter().map(|it| (positions::name(&it), it)).collect();
            let open: Vec<_> =
                batch.iter().filter(|(name, _)| self.references.best(name).is_none()).collect();
            let known = used.len() + batch.len() - open.len();
            let search =
                |(_, place): &&Named<G>| judge::best(place.position(), plan.reference_nodes);
            self.work(Stage::References, &open, known, search, |run, found| {
                let named = found.into_iter().map(|(index, best)| {
                    let (name, place) = open[index];
                    (name.clone(), place.position().format_position(), best)
                });
                run.references.add_best(named.collect())
            })?;
            let value = |name: &str| self.references.best(name).map(|best| best.value.abs());
            let is_open = |(name, _): &Named<G>| value(name).is_some_and(|it| it <= plan.decided);
            used.extend(batch.into_iter().filter(is_open));
        }
        Ok(used)
    }

    /// Lets every trial choose in every position.
    fn choose<G>(&mut self, places: &[Named<G>], trials: &[Trial]) -> Result<()>
    where
        G: MatchGame + Sync,
        G::Undo: Send,
    {
        let plan = self.plan;
        let methods = self.methods(trials);
        let mut open = Vec::new();
        for (position, (name, _)) in places.iter().enumerate() {
            let is_new = |trial: &usize| self.choices.get(&methods[*trial], name).is_none();
            open.extend((0..trials.len()).filter(is_new).map(|trial| (position, trial)));
        }
        let known = places.len() * trials.len() - open.len();
        let search = |&(position, trial): &(usize, usize)| -> Result<String> {
            plan.choose(&trials[trial], &places[position].1)
        };
        self.work(Stage::Choices, &open, known, search, |run, found| {
            let named = found.into_iter().map(|(index, mv)| {
                let (position, trial) = open[index];
                [methods[trial].clone(), places[position].0.clone(), mv]
            });
            run.choices.add(named.collect())
        })
    }

    /// Looks at every move that was chosen, and at those of the reference where they differ.
    fn judge<G: MatchGame + Sync>(&mut self, places: &[Named<G>], trials: &[Trial]) -> Result<()> {
        let plan = self.plan;
        let methods = self.methods(trials);
        let mut wanted = BTreeSet::new();
        for (index, (name, _)) in places.iter().enumerate() {
            let best = self.references.best(name).map(|best| best.mv.as_str());
            let chosen = methods.iter().filter_map(|method| self.choices.get(method, name));
            let others: BTreeSet<_> = chosen.filter(|&mv| Some(mv) != best).collect();
            // Where all chose the best move there is nothing to compare.
            let best = best.filter(|_| !others.is_empty());
            wanted.extend(others.into_iter().chain(best).map(|mv| (index, mv.to_owned())));
        }
        let total = wanted.len();
        let is_new =
            |(index, mv): &(usize, String)| self.references.value(&places[*index].0, mv).is_none();
        let open: Vec<_> = wanted.into_iter().filter(is_new).collect();
        let search = |(index, mv): &(usize, String)| {
            judge::value_of(places[*index].1.position(), mv, plan.reference_nodes)
        };
        self.work(Stage::Values, &open, total - open.len(), search, |run, found| {
            let named = found.into_iter().map(|(job, value)| {
                let (index, mv) = &open[job];
                ((places[*index].0.clone(), mv.clone()), value)
            });
            run.references.add_values(named.collect())
        })
    }

    fn results<G: MatchGame>(self, places: &[Named<G>], trials: &[Trial]) -> Result<Results> {
        let mut positions = Vec::new();
        for (name, place) in places {
            let best = self.references.best(name).context("a reference is missing")?;
            positions.push(Reviewed {
                name: name.clone(),
                written: place.position().format_position(),
                best: best.mv.clone(),
                value: best.value,
            });
        }
        let mut chosen = Vec::new();
        for method in self.methods(trials) {
            chosen.push(self.costs(&method, &positions)?);
        }
        let multiples = self.plan.multiples();
        let ruler = multiples.len();
        // The ruler has the time of every trial.
        let same_time = |trial: &Trial| {
            multiples.iter().position(|&multiple| multiple == trial.multiple).unwrap_or(0)
        };
        let same_time: Vec<_> = trials.iter().map(same_time).collect();
        let regrets: Vec<_> = chosen.iter().map(|(_, regrets)| regrets.clone()).collect();
        let marks = Ruler { multiples, trials: (0..ruler).collect() };
        let estimates = estimate(&regrets, &marks, &same_time, self.plan.seed);
        let rows = trials.iter().zip(chosen).zip(estimates).map(|((&trial, own), estimate)| {
            let (moves, regrets) = own;
            let same = positions.iter().zip(&moves).filter(|(it, mv)| it.best == **mv).count();
            let agreement = same as f64 / positions.len() as f64;
            Row { trial, moves, regrets, agreement, estimate }
        });
        let rows = rows.collect();
        let engine = self.references.engine().to_owned();
        Ok(Results { positions, rows, ruler, engine, searched: self.searched })
    }

    /// The moves of one method and what each costs.
    fn costs(&self, method: &str, positions: &[Reviewed]) -> Result<(Vec<String>, Regrets)> {
        let mut moves = Vec::new();
        let mut regrets = Regrets::new();
        for Reviewed { name, best, .. } in positions {
            let mv = self.choices.get(method, name).context("a choice is missing")?;
            let value = |mv: &str| self.references.value(name, mv).context("a value is missing");
            let regret = if mv == best { 0 } else { judge::regret(value(best)?, value(mv)?) };
            moves.push(mv.to_owned());
            regrets.push(f64::from(regret));
        }
        Ok((moves, regrets))
    }
}

#[cfg(test)]
mod tests;
