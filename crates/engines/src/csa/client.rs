//! The player's end of the protocol as a state machine.
//!
//! Tell it of lines and of the time, and of what the player wants; then do what
//! [`Client::poll`] says. It knows the game's position and both clocks, and how long a line
//! takes to the server and back.

use std::collections::VecDeque;
use std::time::Duration;

use senbon_core::Place;
use senbon_games::shogi::Shogi;
use senbon_games::shogi::record::csa;
use senbon_games::shogi::shogi_core::Move;
use senbon_games::{Game, Side};

use super::{ClientLine, Mark, ServerLine, Special, Summary, SummaryReader, TimeControl, is_name};

/// An empty line is sent when nothing was for so long. The protocol asks for 30 seconds at
/// least between two of them.
const KEEP_ALIVE: Duration = Duration::from_secs(45);
/// What a server answers it answers within this time, or the link is dead.
const SILENCE: Duration = Duration::from_secs(30);

/// How a player introduces itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Login {
    /// Its name.
    pub name: String,
    /// What is sent as the password.
    pub password: String,
    /// Ask for the extended mode.
    pub extended: bool,
}

/// What the client wants done.
#[derive(Clone, Debug, PartialEq)]
pub enum ClientSay {
    /// Send this line.
    Send(ClientLine),
    /// Something happened.
    Event(ClientEvent),
}

/// What happened.
#[derive(Clone, Debug, PartialEq)]
pub enum ClientEvent {
    /// The server knows us.
    LoggedIn,
    /// The server does not: name or password is wrong, or it is full.
    Refused,
    /// A game is offered; answer with [`Client::agree`] or [`Client::reject`].
    Offered,
    /// The game begins, or goes on: see [`Client::game`].
    Started,
    /// There will be no such game: who did not want it.
    Rejected(String),
    /// A move was made; [`Client::game`] has it.
    Moved(Side, Move),
    /// The game is over: the result, and why.
    Ended(Mark, Option<Mark>),
    /// The server said good-bye.
    LoggedOut,
    /// A line that makes no sense here, and why.
    Confused(String),
    /// The server did not answer for so long that the link must be dead, though nobody says so.
    Silent,
}

/// A game under way.
#[derive(Clone, Debug)]
pub struct Played {
    /// The offer.
    pub summary: Summary,
    /// Where the game is.
    pub place: Place<Shogi>,
    /// Units left on both clocks, at the beginning of the turn.
    pub left: [u64; 2],
    /// When the turn began, or the game went on, by our clock.
    pub turn_began: Duration,
    /// What the turn had taken before that.
    pub spent: Duration,
    why: Option<Mark>,
}

impl Played {
    /// The side to move.
    pub fn to_move(&self) -> Side {
        self.place.position().side_to_move()
    }

    /// Whether it is our turn.
    pub fn is_our_turn(&self) -> bool {
        self.to_move() == self.summary.you
    }

    /// The clock of `side`.
    pub fn clock(&self, side: Side) -> &TimeControl {
        &self.summary.clocks[side.index()]
    }

    /// What `side` has for its turn: on the clock, this turn's increment counted, and then by
    /// byoyomi. What the turn under way has taken before we knew of it is taken off.
    pub fn time_left(&self, side: Side) -> (Duration, Duration) {
        let clock = self.clock(side);
        let time = clock.time(self.left[side.index()].saturating_add(clock.increment));
        let spent = if side == self.to_move() { self.spent } else { Duration::ZERO };
        let beyond = spent.saturating_sub(time);
        (time.saturating_sub(spent), clock.time(clock.byoyomi).saturating_sub(beyond))
    }
}

#[derive(Debug)]
enum State {
    LoggingIn,
    Waiting,
    Reading(Box<SummaryReader>),
    Offered(Box<Summary>),
    Agreed(Box<Summary>),
    Playing(Box<Played>),
    LoggedOut,
}

/// A conversation with a server.
#[derive(Debug)]
pub struct Client {
    state: State,
    say: VecDeque<ClientSay>,
    last_sent: Duration,
    /// When our own last move was sent, until the server has repeated it.
    asked: Option<Duration>,
    /// When the login or an empty line was sent, until anything is heard.
    probed: Option<Duration>,
    /// The server answers empty lines. The protocol does not ask it to.
    answers: bool,
    round_trip: Duration,
}

impl Client {
    /// Begins a conversation on a connection that was just made.
    pub fn new(now: Duration, login: &Login) -> Result<Self, String> {
        if !is_name(&login.name) {
            let name = &login.name;
            return Err(format!("'{name}' is no name: up to 32 letters, digits, - and _"));
        }
        let bad = |c: char| c.is_whitespace() || c.is_control();
        if login.password.is_empty() || login.password.contains(bad) {
            return Err("a password must not be empty and has no blanks".to_owned());
        }
        let mut client = Client {
            state: State::LoggingIn,
            say: VecDeque::new(),
            last_sent: now,
            asked: None,
            probed: Some(now),
            answers: false,
            round_trip: Duration::ZERO,
        };
        let Login { name, password, extended } = login.clone();
        client.send(now, ClientLine::Login { name, password, extended });
        Ok(client)
    }

    /// What to do next, if anything.
    pub fn poll(&mut self) -> Option<ClientSay> {
        self.say.pop_front()
    }

    /// When [`Client::handle_timeout`] wants to be called.
    pub fn poll_timeout(&self) -> Duration {
        let keep_alive = self.last_sent + KEEP_ALIVE;
        self.silent_at().map_or(keep_alive, |at| at.min(keep_alive))
    }

    /// When the link is dead unless something is heard. A login every server answers, and a
    /// move of ours every server repeats.
    fn silent_at(&self) -> Option<Duration> {
        let logs_in = matches!(self.state, State::LoggingIn);
        let probed = self.probed.filter(|_| self.answers || logs_in);
        self.asked.into_iter().chain(probed).min().map(|since| since + SILENCE)
    }

    /// The time has come.
    pub fn handle_timeout(&mut self, now: Duration) {
        if self.silent_at().is_some_and(|at| now >= at) {
            (self.asked, self.probed) = (None, None);
            return self.tell(ClientEvent::Silent);
        }
        if now >= self.poll_timeout() {
            self.probed.get_or_insert(now);
            self.send(now, ClientLine::KeepAlive);
        }
    }

    /// The game under way.
    pub fn game(&self) -> Option<&Played> {
        match &self.state {
            State::Playing(game) => Some(game),
            _ => None,
        }
    }

    /// The offer that waits for an answer.
    pub fn offer(&self) -> Option<&Summary> {
        match &self.state {
            State::Offered(summary) => Some(summary),
            _ => None,
        }
    }

    /// Logged in, and nothing going on.
    pub fn is_waiting(&self) -> bool {
        matches!(self.state, State::Waiting)
    }

    /// The longest time that a move of ours took to the server and back.
    pub fn round_trip(&self) -> Duration {
        self.round_trip
    }

    /// Accepts the offer.
    pub fn agree(&mut self, now: Duration) {
        if let State::Offered(summary) = &mut self.state {
            let summary = summary.clone();
            self.send(now, ClientLine::Agree(Some(summary.id.clone())));
            self.state = State::Agreed(summary);
        }
    }

    /// Refuses the offer.
    pub fn reject(&mut self, now: Duration) {
        if let State::Offered(summary) = &self.state {
            let id = summary.id.clone();
            self.send(now, ClientLine::Reject(Some(id)));
            self.state = State::Waiting;
        }
    }

    /// Makes a legal move. It counts as made when the server has repeated it.
    pub fn play(&mut self, now: Duration, mv: Move, comment: Option<String>) {
        let Some(game) = self.game() else { return };
        if !game.is_our_turn() || self.asked.is_some() {
            return;
        }
        let mv = csa::format_move(game.place.position(), mv);
        self.asked = Some(now);
        self.send(now, ClientLine::Move { mv, comment });
    }

    /// Gives up, or declares a win.
    pub fn special(&mut self, now: Duration, special: Special) {
        if self.game().is_some() {
            self.send(now, ClientLine::Special(special));
        }
    }

    /// Says good-bye.
    pub fn logout(&mut self, now: Duration) {
        self.send(now, ClientLine::Logout);
    }

    fn send(&mut self, now: Duration, line: ClientLine) {
        self.last_sent = now;
        self.say.push_back(ClientSay::Send(line));
    }

    fn tell(&mut self, event: ClientEvent) {
        self.say.push_back(ClientSay::Event(event));
    }

    fn confused(&mut self, what: impl Into<String>) {
        self.tell(ClientEvent::Confused(what.into()));
    }

    /// A line from the server.
    pub fn handle_line(&mut self, now: Duration, line: &str) {
        self.answers |= self.probed.take().is_some() && line.trim().is_empty();
        if let State::Reading(reader) = &mut self.state {
            match reader.line(line) {
                Ok(None) => {}
                Ok(Some(summary)) => {
                    self.state = State::Offered(Box::new(summary));
                    self.tell(ClientEvent::Offered);
                }
                Err(error) => {
                    self.state = State::Waiting;
                    self.send(now, ClientLine::Reject(None));
                    self.confused(error.to_string());
                }
            }
            return;
        }
        match ServerLine::parse(line) {
            Ok(line) => self.handle(now, line),
            Err(error) => self.confused(error.to_string()),
        }
    }

    fn handle(&mut self, now: Duration, line: ServerLine) {
        match line {
            ServerLine::KeepAlive | ServerLine::Info(_) => {}
            ServerLine::LoginOk(_) if matches!(self.state, State::LoggingIn) => {
                self.state = State::Waiting;
                self.tell(ClientEvent::LoggedIn);
            }
            ServerLine::LoginIncorrect => {
                self.state = State::LoggedOut;
                self.tell(ClientEvent::Refused);
            }
            ServerLine::LogoutCompleted => {
                self.state = State::LoggedOut;
                self.tell(ClientEvent::LoggedOut);
            }
            ServerLine::BeginSummary if !matches!(self.state, State::Playing(_)) => {
                self.state = State::Reading(Box::default());
            }
            ServerLine::Start(id) => self.start(now, &id),
            ServerLine::Reject { by, .. } => {
                if matches!(self.state, State::Offered(_) | State::Agreed(_)) {
                    self.state = State::Waiting;
                }
                self.tell(ClientEvent::Rejected(by));
            }
            ServerLine::Move { mv, units, .. } => self.moved(now, &mv, units.unwrap_or(0)),
            ServerLine::Special(..) if self.game().is_some() => {}
            ServerLine::Mark(mark) => self.mark(mark),
            line => self.confused(format!("'{line}' does not belong here")),
        }
    }

    fn start(&mut self, now: Duration, id: &str) {
        let state = std::mem::replace(&mut self.state, State::Waiting);
        let State::Agreed(summary) = state else {
            self.state = state;
            return self.confused("a game begins that was not agreed upon");
        };
        if summary.id != id {
            self.confused(format!("{} was agreed upon, and {id} begins", summary.id));
        }
        let mut place = Place::new(summary.start.clone());
        summary.moves.iter().for_each(|&(mv, _)| place.play(mv));
        let left = summary.clocks_left();
        let mover = place.position().side_to_move();
        let spent = summary.clocks[mover.index()].time(summary.elapsed);
        let summary = *summary;
        self.asked = None;
        let game = Played { summary, place, left, turn_began: now, spent, why: None };
        self.state = State::Playing(Box::new(game));
        self.tell(ClientEvent::Started);
    }

    fn moved(&mut self, now: Duration, text: &str, units: u64) {
        let State::Playing(game) = &mut self.state else {
            return self.confused(format!("the move {text} outside a game"));
        };
        let side = game.to_move();
        let mv = match csa::parse_legal_move(game.place.position(), text) {
            Ok(mv) => mv,
            Err(what) => return self.confused(what),
        };
        let left = &mut game.left[side.index()];
        *left = game.summary.clocks[side.index()].after(*left, units);
        game.place.play(mv);
        game.turn_began = now;
        game.spent = Duration::ZERO;
        let ours = side == game.summary.you;
        if let Some(asked) = self.asked.take().filter(|_| ours) {
            self.round_trip = self.round_trip.max(now.saturating_sub(asked));
        }
        self.tell(ClientEvent::Moved(side, mv));
    }

    fn mark(&mut self, mark: Mark) {
        let State::Playing(game) = &mut self.state else {
            return self.confused(format!("{} outside a game", mark.text()));
        };
        if !mark.is_result() {
            game.why = Some(mark);
            return;
        }
        let why = game.why;
        self.asked = None;
        self.state = State::Waiting;
        self.tell(ClientEvent::Ended(mark, why));
    }
}
