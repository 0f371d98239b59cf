//! One engine to the GUI, a coordinator behind: the conversation as a state machine.
//!
//! Tell it of the GUI's lines and of the world's news, then do what [`Front::poll`] says.
//! Every `go` gets exactly one `bestmove`, of a legal move unless there is none. A bad
//! position or an illegal move is answered by an `info string`, and the last good position
//! stays.

mod config;
mod table;

use std::collections::{BTreeSet, VecDeque};

use senbon_core::vote::{Minutes, Purpose};
use senbon_core::{Epoch, Opinion, Order, Place, Report, Search};
use senbon_engines::builtin::BuiltIn;
use senbon_engines::universal::{
    Best, Checkmate, Command, Go, Info, Mate, Reply, Score, ScoreBound, Setup, SyntaxError, Worth,
};

use crate::News;
pub use config::Config;
use config::Effect;
pub use table::TableFile;

/// What a front wants done.
#[derive(Clone, Debug)]
pub enum Say<G: senbon_games::Game> {
    /// Send this to the GUI.
    Gui(Reply),
    /// Give this order to the coordinator.
    Order(Order<G>),
    /// Start the workers of [`Front::config`], in place of those there may be.
    Hire,
    /// The configuration changed in ways that need no new workers.
    Adjust,
    /// The conversation is over.
    Quit,
}

/// The state of a conversation.
#[derive(Debug)]
pub struct Front<G: BuiltIn> {
    config: Config,
    /// The workers there are were hired for the configuration as it is.
    hired: bool,
    ready_asked: bool,
    /// The workers that came, or failed to.
    seen: BTreeSet<u32>,
    workers: usize,
    place: Place<G>,
    /// Searches not answered yet; the last is under way, those before it are being stopped.
    searching: Vec<Asked<G>>,
    epoch: Epoch,
    say: VecDeque<Say<G>>,
}

/// A search that has not been answered.
#[derive(Debug)]
struct Asked<G: BuiltIn> {
    epoch: Epoch,
    place: Place<G>,
    lines: usize,
}

impl<G: BuiltIn> Front<G> {
    /// A conversation that begins with this configuration.
    pub fn new(config: Config) -> Self {
        Front {
            config,
            hired: false,
            ready_asked: false,
            seen: BTreeSet::new(),
            workers: 0,
            place: Place::new(G::start()),
            searching: Vec::new(),
            epoch: Epoch(0),
            say: VecDeque::new(),
        }
    }

    /// The configuration as it is.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// What to do next, if anything.
    pub fn poll(&mut self) -> Option<Say<G>> {
        self.say.pop_front()
    }

    /// The GUI is gone.
    pub fn handle_end(&mut self) {
        self.say.push_back(Say::Quit);
    }

    /// A line was too long to be read.
    pub fn handle_long_line(&mut self) {
        self.remark("a line that was too long was left out".to_owned());
    }

    /// A line from the GUI.
    pub fn handle_line(&mut self, line: &str) {
        match Command::parse(G::DIALECT, line) {
            Ok(command) => self.handle_command(command),
            Err(SyntaxError::Blank) => {}
            Err(error) => {
                self.remark(error.to_string());
                if error.command() == Some("go") {
                    // Whoever says `go` waits for a move.
                    self.go(Go { depth: Some(1), ..Go::default() });
                }
            }
        }
    }

    fn handle_command(&mut self, command: Command) {
        match command {
            Command::Hello => self.introduce(),
            Command::IsReady => self.is_ready(),
            Command::SetOption { name, value } => self.set_option(&name, value.as_deref()),
            Command::NewGame => {
                self.settle();
                self.say.push_back(Say::Order(Order::NewGame));
            }
            Command::Position(setup) => match self.set_up(&setup) {
                Ok(place) => self.place = place,
                Err(reason) => self.remark(format!("position: {reason}; the last one stays")),
            },
            Command::Go(go) => self.go(*go),
            Command::Stop => {
                if let Some(asked) = self.searching.last() {
                    self.say.push_back(Say::Order(Order::Stop(asked.epoch)));
                }
            }
            Command::PonderHit => {
                if let Some(asked) = self.searching.last() {
                    self.say.push_back(Say::Order(Order::PonderHit(asked.epoch)));
                }
            }
            Command::GameOver(_) => self.settle(),
            Command::Harvest { .. } => {
                self.remark("harvest: not declared, and not known here".to_owned());
                self.reply(Reply::HarvestOk);
            }
            Command::Quit => self.say.push_back(Say::Quit),
            Command::Debug(_) | Command::Register(_) => {}
        }
    }

    fn introduce(&mut self) {
        self.reply(Reply::Name(format!("Senbon {}", env!("CARGO_PKG_VERSION"))));
        self.reply(Reply::Author("the Senbon developers".to_owned()));
        for option in self.config.options(G::DIALECT, G::HAS_CHESS960) {
            self.reply(Reply::Option(option));
        }
        self.reply(Reply::HelloOk);
    }

    /// Ready at once while workers are there; otherwise as soon as the first is.
    fn is_ready(&mut self) {
        if self.hired && self.workers > 0 && self.is_staffed() {
            self.reply(Reply::ReadyOk);
        } else {
            self.ready_asked = true;
            self.hire();
        }
    }

    /// Whether a search may begin: with the first worker on a tree, and with all voters of a
    /// composition, or as many as there will be.
    fn is_staffed(&self) -> bool {
        let all = self.config.composition.as_ref().map_or(1, |all| all.workers().max(1));
        self.seen.len() >= all
    }

    fn hire(&mut self) {
        if !self.hired {
            self.hired = true;
            self.workers = 0;
            self.seen.clear();
            self.say.push_back(Say::Hire);
        }
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) {
        match self.config.set(G::DIALECT, G::HAS_CHESS960, name, value) {
            Ok(Effect::None) => {}
            Ok(Effect::Adjust) => self.say.push_back(Say::Adjust),
            Ok(Effect::Hire) => {
                self.settle();
                self.hired = false;
            }
            Err(reason) => self.remark(reason),
        }
    }

    fn set_up(&self, setup: &Setup) -> Result<Place<G>, String> {
        let mut start = match &setup.start {
            None => G::start(),
            Some(text) => G::parse_position(text).map_err(|error| error.to_string())?,
        };
        start.adapt(&self.config.position_settings());
        let mut place = Place::new(start);
        for (index, text) in setup.moves.iter().enumerate() {
            let mv = place
                .position()
                .parse_move(text)
                .map_err(|error| format!("move {} ({text}): {error}", index + 1))?;
            place.play(mv);
        }
        Ok(place)
    }

    fn go(&mut self, go: Go) {
        self.settle();
        if matches!(go.mate, Some(Mate::Within(_) | Mate::Unlimited)) {
            self.reply(Reply::Checkmate(Checkmate::NotImplemented));
            return;
        }
        if self.place.position().may_declare() {
            self.reply(Reply::BestMove { best: Best::Win, ponder: None });
            return;
        }
        if self.place.position().count_moves() == 0 {
            self.no_moves();
            return;
        }
        // The clock runs from now, whether workers are there already or not.
        self.hire();
        self.begin(&go);
    }

    fn begin(&mut self, go: &Go) {
        let mut only = Vec::new();
        for text in &go.search_moves {
            match self.place.position().parse_move(text) {
                Ok(mv) if !only.contains(&mv) => only.push(mv),
                Ok(_) => {}
                Err(error) => self.remark(format!("searchmoves: {text}: {error}")),
            }
        }
        self.epoch = self.epoch.next();
        let (epoch, place, lines) = (self.epoch, self.place.clone(), self.config.lines);
        let limits = go.limits();
        self.searching.push(Asked { epoch, place: place.clone(), lines });
        self.say.push_back(Say::Order(Order::Search(Search { epoch, place, only, lines, limits })));
    }

    /// Ends the search under way; its answer comes before anything that follows.
    fn settle(&mut self) {
        if let Some(asked) = self.searching.last() {
            self.say.push_back(Say::Order(Order::Stop(asked.epoch)));
        }
    }

    /// News from the world.
    pub fn handle_news(&mut self, news: News<G>) {
        match news {
            News::Joined(number, _) => {
                self.workers += 1;
                self.seen.insert(number);
                if self.is_staffed() && std::mem::take(&mut self.ready_asked) {
                    self.reply(Reply::ReadyOk);
                }
            }
            News::Left(number, fault) => {
                self.workers = self.workers.saturating_sub(1);
                self.remark(format!("worker {number}: {fault}"));
                self.seen.insert(number);
                let nobody = self.workers == 0 && self.config.composition.is_none();
                if (nobody || self.is_staffed()) && std::mem::take(&mut self.ready_asked) {
                    // A GUI that waits for ever is worse than one that hears the reason.
                    self.reply(Reply::ReadyOk);
                }
            }
            News::Complaint(..) | News::Refused(_) => {}
            News::Minutes(minutes) if minutes.purpose == Purpose::Move => {
                self.remark(result(&minutes));
            }
            News::Minutes(_) => {}
            News::Remembered(count) => {
                self.remark(format!("the game goes on with {count} positions of the journal"));
            }
            News::Report(Report::Opinion { epoch, opinion }) => self.tell(epoch, &opinion),
            News::Report(Report::Done { epoch, best, ponder }) => self.answer(epoch, best, ponder),
            News::Report(_) => {}
        }
    }

    fn tell(&mut self, epoch: Epoch, opinion: &Opinion<G::Move>) {
        let Some(asked) = self.searching.iter().find(|asked| asked.epoch == epoch) else {
            return;
        };
        let time_us = opinion.time.as_micros().max(1);
        let nps = u64::try_from(u128::from(opinion.nodes) * 1_000_000 / time_us).ok();
        let info = Info {
            depth: Some(opinion.depth),
            seldepth: Some(opinion.seldepth.max(opinion.depth)),
            multipv: (asked.lines > 1).then_some(opinion.rank as u32 + 1),
            score: Some(Score { worth: worth(opinion.score), bound: ScoreBound::Exact }),
            nodes: Some(opinion.nodes),
            nps,
            hashfull: opinion.hashfull,
            time: Some(opinion.time),
            pv: asked.place.position().format_line(&opinion.line),
            ..Info::default()
        };
        self.reply(Reply::Info(Box::new(info)));
    }

    fn answer(&mut self, epoch: Epoch, best: Option<G::Move>, ponder: Option<G::Move>) {
        let Some(index) = self.searching.iter().position(|asked| asked.epoch == epoch) else {
            return;
        };
        let asked = self.searching.remove(index);
        let position = asked.place.position();
        let moves: Vec<_> = best.into_iter().chain(ponder).collect();
        let mut texts = position.format_line(&moves).into_iter();
        let best = texts.next().map_or(Best::Nothing, Best::Move);
        self.reply(Reply::BestMove { best, ponder: texts.next() });
    }

    fn no_moves(&mut self) {
        let position = self.place.position();
        let worth = match position.stuck().sign_for(position.side_to_move()) {
            -1 => Worth::Loss(Some(0)),
            _ => Worth::Centipawns(0),
        };
        let score = Some(Score::exact(worth));
        self.reply(Reply::Info(Box::new(Info { depth: Some(0), score, ..Info::default() })));
        self.reply(Reply::BestMove { best: Best::Nothing, ponder: None });
    }

    fn remark(&mut self, text: String) {
        self.reply(Reply::remark(text));
    }

    fn reply(&mut self, reply: Reply) {
        self.say.push_back(Say::Gui(reply));
    }
}

/// A vote in a line: who got how much.
fn result<G: BuiltIn>(minutes: &Minutes<G>) -> String {
    let party = |&(mv, sum): &(G::Move, u64)| {
        format!(" {} {:.2}", minutes.format_move(mv), sum as f64 / 1000.0)
    };
    let parties: String = minutes.sums.iter().map(party).collect();
    format!("vote:{parties}")
}

fn worth(score: senbon_core::Score) -> Worth {
    match score {
        senbon_core::Score::Centipawns(value) => Worth::Centipawns(value),
        senbon_core::Score::Mates(plies) => Worth::Win(Some(plies)),
        senbon_core::Score::Mated(plies) => Worth::Loss(Some(plies)),
    }
}
