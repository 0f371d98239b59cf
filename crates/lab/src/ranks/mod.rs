//! How often the move of each rank is played (pgpp-2015, section 5.2 and Table 2): an engine
//! ranks the moves of every position of recorded games at a fixed depth, and the rank of the
//! move actually played is counted.
//!
//! To rank all moves takes an engine many times as long as to rank a few. So it is first
//! asked for one line more than there are ranks to be counted one by one, and only when the
//! move played is not among them for all. The first answer alone decides what is counted: the
//! second puts every move through a search of full depth, so it ranks many of the moves that
//! were left out higher, and to believe it for those alone would shrink the last class: on
//! 855 positions at depth 9 with Stockfish 15.1, rank 11 and beyond was 20 by the first
//! answers, 21 with all moves ranked at once, and 13 by that mixture. It tells how far behind
//! the move was. [`Terms::all_moves`] asks for all moves at once, as the
//! paper did.

mod count;
mod games;
mod journal;
mod judge;
mod page;

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::time::Instant;

use anyhow::{Context, Result, bail};
use senbon_core::Place;
use senbon_engines::process::{EngineCommand, EngineLine, Leash};
use senbon_games::Notation;

pub use count::{Counts, Interval};
pub use games::{PlayedGame, Recorded, count_plies, fingerprint, read_games};
pub use journal::{Contents, Head, Journal, Row};
use judge::Judge;
pub use page::{Page, page, table_file};

use crate::progress::Progress;

/// What is to be measured.
#[derive(Clone, Debug)]
pub struct Terms {
    /// Command line of the engine.
    pub engine: EngineLine,
    /// Options to set on it beyond the usual.
    pub options: Vec<(String, String)>,
    /// Its table in MiB.
    pub hash_mib: usize,
    /// Depth of each search.
    pub depth: u32,
    /// Ranks counted one by one.
    pub ranks: usize,
    /// Ask for all moves at once.
    pub all_moves: bool,
    /// Engines at work at the same time, each on a game of its own.
    pub threads: usize,
    /// Ends the engines when we are gone.
    pub leash: Option<Leash>,
    /// The program and machine, for the journal.
    pub run: String,
}

impl Terms {
    fn head<G: Notation>(&self, engine: &str, games: &[PlayedGame<G>]) -> Head {
        let (count, plies) = (games.len(), count_plies(games));
        let options: Vec<String> =
            self.options.iter().map(|(name, value)| format!("{name}={value}")).collect();
        Head {
            game: G::NAME.to_owned(),
            engine: engine.to_owned(),
            options: options.join(" "),
            depth: self.depth,
            lines: if self.all_moves { "all".to_owned() } else { (self.ranks + 1).to_string() },
            input: format!("{count} games, {plies} moves, {:016x}", fingerprint(games)),
        }
    }

    fn command<G: Recorded>(&self, needed: Vec<(String, String)>) -> EngineCommand {
        let (game, dialect) = (G::NAME, G::DIALECT);
        let mut command = EngineCommand::new(&self.engine, dialect, game, self.hash_mib, 1);
        for (name, value) in needed.iter().chain(&self.options) {
            command = command.wish(name, value);
        }
        command.leash = self.leash.clone();
        command
    }
}

/// Ranks every position of the games that the journal does not hold yet. A journal that
/// holds them all needs no engine. `tell` hears of each position done.
pub fn measure<G>(
    games: &mut [PlayedGame<G>],
    terms: &Terms,
    journal: Journal,
    mut contents: Contents,
    tell: impl FnMut(Progress) + Send,
) -> Result<Contents>
where
    G: Recorded + Send + Sync + 'static,
    G::Undo: Send,
{
    let needed = G::engine_options(games);
    let command = terms.command::<G>(needed);
    if let Some(head) = &contents.head {
        head.check_same(&terms.head(&head.engine, games))?;
        check_rows(games, &contents.rows)?;
    }
    let total = count_plies(games);
    let done = contents.rows.len();
    if done == total {
        return Ok(contents);
    }
    let first = Judge::start(&command)?;
    let head = terms.head(&first.name, games);
    let mut journal = journal;
    match &contents.head {
        Some(old) => old.check_same(&head)?,
        None => journal.begin(&head)?,
    }
    journal.note_run(&terms.run)?;
    if !contents.runs.contains(&terms.run) {
        contents.runs.push(terms.run.clone());
    }
    let shop = Shop {
        games,
        terms,
        command: &command,
        known: &contents.rows,
        next: AtomicUsize::new(0),
        failed: AtomicBool::new(false),
        desk: Mutex::new(Desk { journal, tell, fresh: BTreeMap::new(), done, total }),
        began: Instant::now(),
    };
    let fresh = shop.run(first)?;
    contents.head = Some(head);
    contents.rows.extend(fresh);
    Ok(contents)
}

/// Refuses a journal whose positions are not those of the games.
fn check_rows<G: Recorded>(
    games: &[PlayedGame<G>],
    rows: &BTreeMap<(usize, usize), Row>,
) -> Result<()> {
    let mut known = 0;
    for (index, game) in games.iter().enumerate() {
        let mut position = game.start.clone();
        for (ply, &mv) in game.moves.iter().enumerate() {
            if let Some(row) = rows.get(&(index + 1, ply + 1)) {
                known += 1;
                let same = row.position == position.format_position()
                    && row.played == position.format_move(mv)
                    && row.legal == position.count_moves();
                if !same {
                    bail!("the journal has another position at game {}, ply {}", row.game, row.ply);
                }
            }
            position.play(mv);
        }
    }
    if known < rows.len() {
        bail!("the journal has positions that the games do not have");
    }
    Ok(())
}

/// What the threads share.
struct Shop<'a, G: Notation, F> {
    games: &'a [PlayedGame<G>],
    terms: &'a Terms,
    command: &'a EngineCommand,
    known: &'a BTreeMap<(usize, usize), Row>,
    next: AtomicUsize,
    failed: AtomicBool,
    desk: Mutex<Desk<F>>,
    began: Instant,
}

/// Where results go, one at a time.
struct Desk<F> {
    journal: Journal,
    tell: F,
    fresh: BTreeMap<(usize, usize), Row>,
    done: usize,
    total: usize,
}

impl<G, F> Shop<'_, G, F>
where
    G: Recorded + Send + Sync + 'static,
    G::Undo: Send,
    F: FnMut(Progress) + Send,
{
    fn run(self, first: Judge<G>) -> Result<BTreeMap<(usize, usize), Row>> {
        let open = (0..self.games.len()).filter(|&game| self.open(game)).count();
        let more = self.terms.threads.min(open).saturating_sub(1);
        let results = std::thread::scope(|scope| {
            let name = first.name.clone();
            let shop = &self;
            let others: Vec<_> = (0..more)
                .map(|_| {
                    let name = name.clone();
                    scope.spawn(move || shop.guard(|| shop.work(shop.another(&name)?)))
                })
                .collect();
            let own = self.guard(|| self.work(first));
            let joined = others.into_iter().map(|thread| match thread.join() {
                Ok(result) => result,
                Err(panic) => std::panic::resume_unwind(panic),
            });
            std::iter::once(own).chain(joined).collect::<Vec<_>>()
        });
        results.into_iter().collect::<Result<()>>()?;
        let desk = self.desk.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
        Ok(desk.fresh)
    }

    /// Lets the others stop when one fails.
    fn guard(&self, work: impl FnOnce() -> Result<()>) -> Result<()> {
        let result = work();
        if result.is_err() {
            self.failed.store(true, Relaxed);
        }
        result
    }

    fn another(&self, name: &str) -> Result<Judge<G>> {
        let judge = Judge::start(self.command)?;
        if judge.name != name {
            bail!("the engine calls itself '{name}' once and '{}' the next time", judge.name);
        }
        Ok(judge)
    }

    fn open(&self, game: usize) -> bool {
        (0..self.games[game].moves.len()).any(|ply| !self.known.contains_key(&(game + 1, ply + 1)))
    }

    fn work(&self, mut judge: Judge<G>) -> Result<()> {
        loop {
            let index = self.next.fetch_add(1, Relaxed);
            let Some(game) = self.games.get(index) else { return Ok(()) };
            if !self.open(index) {
                continue;
            }
            judge.new_game()?;
            let mut place = Place::new(game.start.clone());
            for (ply, &mv) in game.moves.iter().enumerate() {
                if self.failed.load(Relaxed) {
                    return Ok(());
                }
                if !self.known.contains_key(&(index + 1, ply + 1)) {
                    let row = self
                        .judge(&mut judge, &place, mv)
                        .with_context(|| format!("game {}, ply {}", index + 1, ply + 1))?;
                    self.hand_in(Row { game: index + 1, ply: ply + 1, ..row })?;
                }
                place.play(mv);
            }
        }
    }

    /// The rank of one move; game and ply are filled in by the caller.
    fn judge(&self, judge: &mut Judge<G>, place: &Place<G>, mv: G::Move) -> Result<Row> {
        let began = Instant::now();
        let position = place.position();
        let legal = position.count_moves();
        let asked = if self.terms.all_moves { legal } else { legal.min(self.terms.ranks + 1) };
        let mut ask = |lines: usize| {
            // A forced move needs no engine.
            if legal == 1 { Ok(vec![mv]) } else { judge.rank(place, lines, self.terms.depth) }
        };
        let rank_in = |order: &[G::Move]| order.iter().position(|&it| it == mv).map(|at| at + 1);
        let order = ask(asked)?;
        let rank = rank_in(&order);
        if rank.is_none() && order.len() < asked.min(self.terms.ranks + 1) {
            bail!("the engine was asked for {asked} lines and told {}", order.len());
        }
        let exact = match rank {
            None if asked < legal => rank_in(&ask(legal)?),
            _ => None,
        };
        Ok(Row {
            game: 0,
            ply: 0,
            position: position.format_position(),
            played: position.format_move(mv),
            rank: rank.unwrap_or(order.len() + 1),
            lines: order.len(),
            legal,
            exact,
            ms: began.elapsed().as_millis() as u64,
        })
    }

    fn hand_in(&self, row: Row) -> Result<()> {
        let mut desk = self.desk.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let desk = &mut *desk;
        desk.journal.add(&row)?;
        desk.fresh.insert((row.game, row.ply), row);
        let fresh = desk.fresh.len();
        (desk.tell)(Progress {
            done: desk.done + fresh,
            fresh,
            total: desk.total,
            time: self.began.elapsed(),
        });
        Ok(())
    }
}
