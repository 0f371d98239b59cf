//! One conversation with a GUI: what each command does.

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::mpsc::SyncSender;

use senbon_core::Budget;
use senbon_search::{Found, Pace, Request, Signals, Table, harvest};

use super::desk::HARVEST_REACH;
use super::settings::Consequence;
use super::thinker::{Job, Thinker, WallClock, told};
use super::{BuiltIn, Event, Output, Settings};
use crate::universal::{
    Best, Checkmate, Command, Go, Harvested, Info, Mate, OptionDeclaration, Reply, Score, Setup,
    SyntaxError, Worth,
};
use crate::{Line, LineSplitter};

/// Most positions of the table told at once.
const MOST_HARVESTED: usize = 256;

/// The state of a conversation.
pub(super) struct Session<G: BuiltIn, W> {
    output: Output<W>,
    options: Vec<OptionDeclaration>,
    settings: Settings,
    /// The last position that was understood.
    position: G,
    table: Arc<Table>,
    thinker: Thinker<G>,
    thinking: Option<Thinking<G>>,
    searches: u64,
    over: bool,
}

/// A search that has not been answered yet.
struct Thinking<G: BuiltIn> {
    number: u64,
    position: G,
    signals: Arc<Signals>,
    clock: WallClock,
    /// No answer before `stop` or `ponderhit`.
    held: bool,
    /// The time that runs from `ponderhit` on.
    on_hit: Option<Budget>,
    /// What a search that is held has found already.
    found: Option<Found<G::Move>>,
}

impl<G: BuiltIn, W: Write + Send + 'static> Session<G, W> {
    pub(super) fn new(output: Output<W>, events: SyncSender<Event>) -> io::Result<Self> {
        let settings = Settings::default();
        let table: Arc<Table> = Table::with_mib(settings.hash_mib).into();
        Ok(Session {
            options: Settings::options(G::DIALECT, G::HAS_CHESS960),
            position: G::start(),
            thinker: Thinker::start(table.clone(), output.clone(), events)?,
            table,
            settings,
            output,
            thinking: None,
            searches: 0,
            over: false,
        })
    }

    /// Whether the conversation has ended.
    pub(super) fn is_over(&self) -> bool {
        self.over
    }

    /// Does what an event asks for.
    pub(super) fn handle(&mut self, event: Event) -> io::Result<()> {
        match event {
            Event::Line(Line::Text(line)) => self.handle_line(&line),
            Event::Line(Line::TooLong) => {
                let limit = LineSplitter::COMMAND_LIMIT;
                self.remark(format!("a line of more than {limit} bytes was left out"))
            }
            Event::EndOfInput => self.quit(),
            Event::Finished(number) => self.finished(number),
        }
    }

    fn handle_line(&mut self, line: &str) -> io::Result<()> {
        match Command::parse(G::DIALECT, line) {
            Ok(command) => self.handle_command(command),
            Err(SyntaxError::Blank) => Ok(()),
            Err(error) => {
                self.remark(error.to_string())?;
                if error.command() == Some("go") {
                    // Whoever says `go` waits for a move.
                    return self.go(&Go { depth: Some(1), ..Go::default() });
                }
                if error.command() == Some("harvest") {
                    return self.send(&Reply::HarvestOk);
                }
                Ok(())
            }
        }
    }

    fn handle_command(&mut self, command: Command) -> io::Result<()> {
        match command {
            Command::Hello => self.introduce(),
            Command::IsReady => self.send(&Reply::ReadyOk),
            Command::SetOption { name, value } => self.set_option(&name, value.as_deref()),
            Command::NewGame => {
                self.settle()?;
                self.table.clear();
                self.thinker.new_game();
                Ok(())
            }
            Command::Position(setup) => match self.set_up(&setup) {
                Ok(position) => {
                    self.position = position;
                    Ok(())
                }
                Err(reason) => self.remark(format!("position: {reason}; the last one stays")),
            },
            Command::Go(go) => self.go(&go),
            Command::Stop => self.stop(),
            Command::PonderHit => self.ponder_hit(),
            Command::Harvest { count, setup } => self.harvest(count, &setup),
            Command::GameOver(_) => self.settle(),
            Command::Quit => self.quit(),
            Command::Debug(_) | Command::Register(_) => Ok(()),
        }
    }

    fn introduce(&self) -> io::Result<()> {
        self.send(&Reply::Name(format!("Senbon {} {}", G::NAME, env!("CARGO_PKG_VERSION"))))?;
        self.send(&Reply::Author("the Senbon developers".to_owned()))?;
        self.send(&Reply::CanHarvest(MOST_HARVESTED))?;
        for option in &self.options {
            self.send(&Reply::Option(option.clone()))?;
        }
        self.send(&Reply::HelloOk)
    }

    /// Tells what the table knows; a search under way goes on.
    fn harvest(&self, count: usize, setup: &Setup) -> io::Result<()> {
        match self.set_up(setup) {
            Ok(position) => {
                let count = count.min(MOST_HARVESTED);
                for gleaning in harvest(&self.table, &position, count, HARVEST_REACH) {
                    let mut line = gleaning.moves.clone();
                    line.extend(gleaning.best);
                    let mut way = position.format_line(&line);
                    let best = gleaning.best.and_then(|_| way.pop());
                    let score = told(gleaning.value, gleaning.bound);
                    let depth = u32::from(gleaning.depth);
                    self.send(&Reply::Harvested(Harvested { way, score, depth, best }))?;
                }
            }
            Err(reason) => self.remark(format!("harvest: {reason}"))?,
        }
        self.send(&Reply::HarvestOk)
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) -> io::Result<()> {
        let consequence = match self.settings.set(G::DIALECT, &self.options, name, value) {
            Ok(consequence) => consequence,
            Err(error) => return self.remark(error.to_string()),
        };
        match consequence {
            Consequence::None => {}
            Consequence::ClearTable => {
                self.settle()?;
                self.table.clear();
            }
            Consequence::ResizeTable => {
                self.settle()?;
                // The old table goes before the new one comes: both may not fit.
                let smallest: Arc<Table> = Table::with_bytes(1).into();
                self.thinker.set_table(smallest.clone());
                self.table = smallest;
                self.table = Table::with_mib(self.settings.hash_mib).into();
                self.thinker.set_table(self.table.clone());
            }
        }
        Ok(())
    }

    /// The position that `setup` describes, checked by the rules.
    fn set_up(&self, setup: &Setup) -> Result<G, String> {
        let mut position = match &setup.start {
            None => G::start(),
            Some(text) => G::parse_position(text).map_err(|error| error.to_string())?,
        };
        position.adapt(&self.settings);
        for (index, text) in setup.moves.iter().enumerate() {
            let mv = position
                .parse_move(text)
                .map_err(|error| format!("move {} ({text}): {error}", index + 1))?;
            position.play(mv);
        }
        Ok(position)
    }

    fn go(&mut self, go: &Go) -> io::Result<()> {
        let clock = WallClock::start();
        self.settle()?;
        if matches!(go.mate, Some(Mate::Within(_) | Mate::Unlimited)) {
            return self.send(&Reply::Checkmate(Checkmate::NotImplemented));
        }
        if self.position.may_declare() {
            return self.send(&Reply::BestMove { best: Best::Win, ponder: None });
        }
        let request = self.request(go)?;
        let signals = Arc::new(Signals::default());
        let budget =
            Budget::new(&go.limits(), self.position.side_to_move(), self.settings.overhead);
        if let Some(budget) = budget.filter(|_| !go.ponder && !go.infinite) {
            signals.allow(budget.soft, budget.hard);
        }
        self.searches += 1;
        let number = self.searches;
        let position = self.position.clone();
        self.thinking = Some(Thinking {
            number,
            position: position.clone(),
            signals: signals.clone(),
            clock,
            held: go.ponder || go.infinite,
            on_hit: budget.filter(|_| go.ponder && !go.infinite),
            found: None,
        });
        self.thinker.search(Job { number, position, request, signals, clock });
        Ok(())
    }

    fn request(&self, go: &Go) -> io::Result<Request<G::Move>> {
        let mut only = Vec::new();
        for text in &go.search_moves {
            match self.position.parse_move(text) {
                Ok(mv) => only.push(mv),
                Err(error) => {
                    self.remark(format!("searchmoves: {text}: {error}"))?;
                }
            }
        }
        let win_within = match go.mate {
            Some(Mate::Moves(moves)) => Some(moves.saturating_mul(2).saturating_sub(1)),
            _ => None,
        };
        let lines = self.settings.lines;
        Ok(Request { only, lines, depth: go.depth, nodes: go.nodes, win_within })
    }

    fn stop(&mut self) -> io::Result<()> {
        if let Some(thinking) = &mut self.thinking {
            thinking.held = false;
            thinking.signals.stop();
        }
        self.answer_if_due()
    }

    fn ponder_hit(&mut self) -> io::Result<()> {
        if let Some(thinking) = &mut self.thinking
            && let Some(budget) = thinking.on_hit.take()
        {
            let budget = budget.after(thinking.clock.elapsed());
            thinking.signals.allow(budget.soft, budget.hard);
        }
        if let Some(thinking) = &mut self.thinking {
            thinking.held = false;
        }
        self.answer_if_due()
    }

    /// The search of this number has ended. It may have been answered already.
    fn finished(&mut self, number: u64) -> io::Result<()> {
        if let Some(thinking) = self.thinking.as_mut().filter(|it| it.number == number) {
            thinking.found = Some(self.thinker.wait());
        }
        self.answer_if_due()
    }

    /// Answers a search that has ended and is not held.
    fn answer_if_due(&mut self) -> io::Result<()> {
        match self.thinking.take() {
            Some(Thinking { position, held: false, found: Some(found), .. }) => {
                self.answer(&position, &found)
            }
            other => {
                self.thinking = other;
                Ok(())
            }
        }
    }

    /// Ends and answers the search under way, if any.
    fn settle(&mut self) -> io::Result<()> {
        let Some(thinking) = self.thinking.take() else { return Ok(()) };
        thinking.signals.stop();
        let found = thinking.found.unwrap_or_else(|| self.thinker.wait());
        self.answer(&thinking.position, &found)
    }

    fn answer(&self, position: &G, found: &Found<G::Move>) -> io::Result<()> {
        // A search that failed found nothing; any legal move is better than none.
        let best = found.best().or_else(|| position.moves().into_iter().next());
        let Some(best) = best else {
            self.send(&no_moves(position))?;
            return self.send(&Reply::BestMove { best: Best::Nothing, ponder: None });
        };
        let text = position.format_move(best);
        let ponder = found.ponder().map(|mv| {
            let mut position = position.clone();
            position.play(best);
            position.format_move(mv)
        });
        self.send(&Reply::BestMove { best: Best::Move(text), ponder })
    }

    fn quit(&mut self) -> io::Result<()> {
        self.over = true;
        self.settle()
    }

    fn remark(&self, text: String) -> io::Result<()> {
        self.send(&Reply::remark(text))
    }

    fn send(&self, reply: &Reply) -> io::Result<()> {
        self.output.send(G::DIALECT, reply)
    }
}

impl<G: BuiltIn, W> Drop for Session<G, W> {
    /// The thread is waited for; nobody needs what it would find.
    fn drop(&mut self) {
        if let Some(thinking) = &self.thinking {
            thinking.signals.stop();
        }
    }
}

/// What the score of a position without moves is.
fn no_moves<G: BuiltIn>(position: &G) -> Reply {
    let worth = match position.stuck().sign_for(position.side_to_move()) {
        -1 => Worth::Loss(Some(0)),
        _ => Worth::Centipawns(0),
    };
    let score = Some(Score::exact(worth));
    Reply::Info(Box::new(Info { depth: Some(0), score, ..Info::default() }))
}
