//! `senbon analyse`: many workers on one position, watched while they search, then the answer.

mod ballots;
mod forest;
mod input;
pub(crate) mod interrupt;
mod json;
mod model;
mod outline;
mod picture;
mod plain;
mod screen;
mod show;
#[cfg(test)]
mod tests;
mod text;

use std::io::{self, IsTerminal, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::{Duration, Instant};

use clap::ValueEnum;
use senbon_core::{Epoch, Opinion, Order, Place, Report, Search};
use senbon_engines::builtin::BuiltIn;
use senbon_fabric::front::Config;
use senbon_fabric::{News, View, World};
use senbon_games::Game;
use senbon_games::chess::Chess;
use senbon_games::shogi::Shogi;

use crate::args::EngineGame;
use crate::args::analyse::Analyse;
use crate::leash;
use crate::minutes::MinutesLog;
use crate::report::Failure;
use interrupt::Interrupts;
use model::{Answer, Asked, BestLine, Change, Model, Phase};
use show::Show;

/// News that may wait to be shown.
const WAITING: usize = 4096;
/// How often we look up when there is no news.
const TICK: Duration = Duration::from_millis(50);
/// How long to wait for the first worker, and for one to come back when all have left. An
/// engine may take 20 seconds to greet.
const NOBODY: Duration = Duration::from_secs(30);
/// After the last hope is gone: what the engines still have to say.
const LAST_WORDS: Duration = Duration::from_millis(200);

/// How long the answer may wait for the last picture of the tree.
const LAST_LOOK: Duration = Duration::from_millis(500);

/// The number of the one search that is made.
const ONLY: Epoch = Epoch(1);

pub(crate) fn run(args: &Analyse) -> Result<(), Failure> {
    match args.game {
        EngineGame::Chess => analyse::<Chess>(args),
        EngineGame::Shogi => analyse::<Shogi>(args),
    }
}

fn analyse<G: BuiltIn + Sync>(args: &Analyse) -> Result<(), Failure>
where
    G::Undo: Send,
{
    let place = input::place::<G>(args)?;
    if args.workers == Some(0) && !args.listen.is_open() {
        let why = "no workers on this machine, and none can come from others without --listen";
        return Err(Failure::Input(why.to_owned()));
    }
    let entrance = args.listen.open()?;
    let takes_others = entrance.is_some();
    let interrupts = Interrupts::listen()?;
    let (send, news) = sync_channel(WAITING);
    let config = Config { chess960: input::is_chess960(args), ..args.config()? };
    let (plan, sources) = config.hire(G::DIALECT, G::NAME);
    let sources = leash::hold(sources);
    let log = MinutesLog::open(args.compose.log().as_deref())?;
    let world = World::open(plan, sources, entrance, args.keep.open()?, move |item| {
        // Opinions replace each other, and complaints may come by the thousand: the search
        // does not wait until they are shown.
        if matches!(
            item,
            News::Report(Report::Opinion { .. }) | News::Complaint(..) | News::Refused(_)
        ) {
            let _ = send.try_send(item);
        } else {
            let _ = send.send(item);
        }
    })?;
    let model = Model::new(asked(args, &place, &config));
    let show = show::choose(args);
    let now = Instant::now();
    let mut watch = Watch {
        news,
        world,
        place,
        model,
        show,
        interrupts,
        log,
        began: None,
        takes_others,
        deserted: Some(now),
        looked: now,
        view: None,
    };
    match watch.watch() {
        // Whoever read our output has seen enough.
        Err(Failure::Work(error)) if is_broken_pipe(&error) => Ok(()),
        ended => ended,
    }
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let kind = error.downcast_ref::<io::Error>().map(io::Error::kind);
    kind == Some(io::ErrorKind::BrokenPipe)
}

fn asked<G: BuiltIn>(args: &Analyse, place: &Place<G>, config: &Config) -> Asked {
    let strategy = args.strategy.to_possible_value();
    let plain = strategy.map_or_else(String::new, |value| value.get_name().to_owned());
    let composed = config.composition.as_ref();
    Asked {
        game: G::NAME,
        position: place.position().format_position(),
        side: input::side_name(args.game, place.position().side_to_move()),
        workers: composed.map_or(config.workers, |composed| composed.workers()),
        engines: config.engines.iter().map(|line| line.as_str().to_owned()).collect(),
        strategy: composed.map_or(plain, |composed| composed.kind().to_owned()),
        limits: args.limits(),
        lines: config.lines,
    }
}

/// A search under way and those who watch it.
struct Watch<G: Game> {
    /// Before the world, so that it is gone first: the world must not wait for us to listen
    /// when it ends.
    news: Receiver<News<G>>,
    world: World<G>,
    place: Place<G>,
    model: Model,
    show: Box<dyn Show>,
    interrupts: Interrupts,
    /// Where votes are written down.
    log: Option<MinutesLog>,
    /// When the search was ordered.
    began: Option<Instant>,
    /// Workers of other machines may come at any time.
    takes_others: bool,
    /// Since when no worker is there.
    deserted: Option<Instant>,
    /// When we last looked at the tree.
    looked: Instant,
    /// The picture of it that is on its way.
    view: Option<Receiver<View>>,
}

impl<G: BuiltIn + Sync> Watch<G>
where
    G::Undo: Send,
{
    fn watch(&mut self) -> Result<(), Failure> {
        self.show.begin(&self.model)?;
        let mut stopped = false;
        loop {
            match self.news.recv_timeout(TICK) {
                Ok(News::Report(Report::Done { best, ponder, .. })) => {
                    return self.finish(best, ponder, stopped);
                }
                Ok(item) => self.hear(item)?,
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(self.fail("the search ended without an answer"));
                }
            }
            if self.interrupts.count() > 0 && !stopped {
                if self.began.is_none() {
                    return Err(self.quit("interrupted before any worker was ready"));
                }
                stopped = true;
                self.world.order(Order::Stop(ONLY));
            }
            if self.interrupts.count() > 1 {
                return Err(self.quit("interrupted"));
            }
            self.mind_the_workers()?;
            self.look_now_and_then()?;
        }
    }

    fn hear(&mut self, item: News<G>) -> Result<(), Failure> {
        let change = match item {
            News::Joined(worker, ability) => Change::Joined { worker, engine: ability.name },
            News::Left(worker, fault) => Change::Fault { worker, reason: fault.to_string() },
            News::Complaint(worker, text) => Change::Complaint { worker, text },
            News::Report(Report::Opinion { opinion, .. }) => Change::Line(self.line(opinion)),
            News::Refused(line) => {
                // Not into the middle of the picture.
                if !io::stdout().is_terminal() {
                    let _ = writeln!(io::stderr(), "senbon: {line}");
                }
                return Ok(());
            }
            News::Minutes(minutes) => {
                if let Some(log) = &mut self.log {
                    log.write(&minutes);
                }
                return Ok(());
            }
            News::Remembered(count) => {
                if !io::stdout().is_terminal() {
                    let _ = writeln!(io::stderr(), "senbon: goes on with {count} positions");
                }
                return Ok(());
            }
            News::Report(_) => return Ok(()),
        };
        self.keep_time();
        self.model.change(&change);
        if self.began.is_none() && !self.model.present.is_empty() {
            self.begin();
        }
        if self.model.has_found_mate() {
            self.world.order(Order::Stop(ONLY));
        }
        self.show.change(&self.model, &change)?;
        Ok(())
    }

    /// The first worker decides when the clock starts.
    fn begin(&mut self) {
        let search = Search {
            epoch: ONLY,
            place: self.place.clone(),
            only: Vec::new(),
            lines: self.model.asked.lines,
            limits: self.model.asked.limits.clone(),
        };
        self.world.order(Order::Search(search));
        self.began = Some(Instant::now());
        self.model.phase = Phase::Searching;
    }

    fn line(&self, opinion: Opinion<G::Move>) -> BestLine {
        let position = self.place.position();
        BestLine {
            rank: opinion.rank + 1,
            score: opinion.score,
            depth: opinion.depth,
            seldepth: opinion.seldepth,
            nodes: opinion.nodes,
            time: opinion.time,
            moves: position.format_line(&opinion.line),
            readable: position.format_readable_line(&opinion.line),
        }
    }

    fn keep_time(&mut self) {
        if let Some(began) = self.began {
            self.model.time = began.elapsed();
        }
    }

    /// Without workers there will be no answer worth the name.
    fn mind_the_workers(&mut self) -> Result<(), Failure> {
        if !self.model.present.is_empty() || self.takes_others {
            self.deserted = None;
            return Ok(());
        }
        let since = *self.deserted.get_or_insert_with(Instant::now);
        if self.model.is_hopeless() {
            let until = Instant::now() + LAST_WORDS;
            while let Ok(item) =
                self.news.recv_timeout(until.saturating_duration_since(Instant::now()))
            {
                self.hear(item)?;
            }
            if self.model.present.is_empty() {
                return Err(self.fail("no worker could be started"));
            }
        } else if since.elapsed() > NOBODY {
            return Err(self.fail("no worker is left"));
        }
        Ok(())
    }

    fn look_now_and_then(&mut self) -> Result<(), Failure> {
        let Some(every) = self.show.looks_every() else { return Ok(()) };
        // Never two at once: a coordinator with much to do is not asked for more.
        let seen = self.see(Duration::ZERO);
        if self.looked.elapsed() < every && !seen {
            return Ok(());
        }
        if self.looked.elapsed() >= every {
            self.looked = Instant::now();
            if self.began.is_some() && self.view.is_none() {
                self.view = Some(self.world.look());
            }
        }
        self.keep_time();
        self.show.tick(&self.model)?;
        Ok(())
    }

    /// Takes the tree's picture if it comes within `patience`.
    fn see(&mut self, patience: Duration) -> bool {
        let Some(view) = &self.view else { return false };
        match view.recv_timeout(patience) {
            Ok(view) => self.model.look(view),
            Err(RecvTimeoutError::Timeout) => return false,
            Err(RecvTimeoutError::Disconnected) => {}
        }
        self.view = None;
        true
    }

    fn finish(
        &mut self,
        best: Option<G::Move>,
        ponder: Option<G::Move>,
        interrupted: bool,
    ) -> Result<(), Failure> {
        self.keep_time();
        if self.show.looks_every().is_some() {
            self.view = Some(self.world.look());
            self.see(LAST_LOOK);
        }
        self.model.phase = Phase::Done;
        if self.model.lines.is_empty() && interrupted {
            return Err(self.quit("interrupted before any worker had reported anything"));
        }
        if self.model.lines.is_empty() {
            return Err(self.fail("no worker has reported anything; allow more time"));
        }
        let position = self.place.position();
        let after = best.map(|best| self.place.after(best));
        let ponder = after.zip(ponder).map(|(after, mv)| after.position().format_move(mv));
        let answer = Answer {
            best: best.map(|mv| position.format_move(mv)),
            readable: best.map(|mv| position.format_readable(mv)),
            ponder,
            interrupted,
        };
        self.show.answer(&self.model, &answer)?;
        Ok(())
    }

    /// Why there is no answer, with what is known of the workers.
    fn fail(&mut self, what: &str) -> Failure {
        let reasons: Vec<String> = self.model.troubles().take(3).collect();
        let why = [what.to_owned()].into_iter().chain(reasons).collect::<Vec<_>>().join("\n  ");
        match self.show.fail(&self.model, &why) {
            Ok(()) => Failure::Work(anyhow::anyhow!(why)),
            Err(error) => error.into(),
        }
    }

    fn quit(&mut self, what: &str) -> Failure {
        let _ = self.show.fail(&self.model, what);
        Failure::Interrupted(what.to_owned())
    }
}
