//! One game: the moves, the clocks, and how it ends.

use std::time::Duration;

use senbon_core::Place;
use senbon_engines::csa::{GameName, Mark, Special, Summary, TimeControl};
use senbon_games::shogi::Shogi;
use senbon_games::shogi::record::csa;
use senbon_games::shogi::shogi_core::Move;
use senbon_games::{Game, Notation, Side, Tactics};

/// What the server lays down for all games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// The unit in which time is counted.
    pub unit: Duration,
    /// A move takes so many units at least.
    pub least: u64,
    /// Units of each turn that do not count.
    pub delay: u64,
    /// A game of so many moves is broken off.
    pub max_moves: Option<u32>,
    /// What a declaration takes.
    pub impasse: Impasse,
}

impl Default for Rules {
    fn default() -> Self {
        let unit = Duration::from_secs(1);
        Rules { unit, least: 0, delay: 0, max_moves: Some(512), impasse: Impasse::Points27 }
    }
}

/// What the player who declares needs: king and ten pieces in the camp, no check, and points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Impasse {
    /// 28 points for Black, 27 for White, win.
    Points27,
    /// 31 points win, 24 to 30 are a draw.
    Points24,
}

impl Impasse {
    /// The name of the rule in offers.
    pub const fn declaration(self) -> &'static str {
        match self {
            Impasse::Points27 => Summary::DECLARATION,
            Impasse::Points24 => "Jishogi 24",
        }
    }

    /// The winner, or nobody, if the side to move may declare.
    fn judge(self, game: &Shogi) -> Option<Option<Side>> {
        let side = game.side_to_move();
        if self == Impasse::Points27 {
            return game.can_declare().then_some(Some(side));
        }
        let standing = game.declaration(side);
        if !standing.has_entered() || game.in_check() {
            return None;
        }
        match standing.points {
            31.. => Some(Some(side)),
            24..=30 => Some(None),
            _ => None,
        }
    }
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct End {
    /// Who won, if anybody.
    pub winner: Option<Side>,
    /// Why.
    pub mark: Mark,
    /// A player's last word and the time it took.
    pub word: Option<(Special, u64)>,
    /// For the record: what was wrong with an illegal move.
    pub note: String,
}

impl End {
    fn new(winner: Option<Side>, mark: Mark) -> Self {
        End { winner, mark, word: None, note: String::new() }
    }

    fn illegal(loser: Side, note: String) -> Self {
        End { note, ..End::new(Some(!loser), Mark::IllegalMove) }
    }

    /// The result as `side` is told it.
    pub fn result(&self, side: Side) -> Mark {
        match (self.winner, self.mark) {
            (Some(winner), _) if winner == side => Mark::Win,
            (Some(_), _) => Mark::Lose,
            (None, Mark::MaxMoves | Mark::Interrupted) => Mark::Censored,
            (None, _) => Mark::Draw,
        }
    }
}

/// A move that was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Made {
    /// The move.
    pub mv: Move,
    /// As the protocol writes it.
    pub text: String,
    /// Units of time it took.
    pub units: u64,
    /// What its player said about it.
    pub comment: Option<String>,
}

/// A game with its clocks.
#[derive(Clone, Debug)]
pub struct Table {
    /// Its name among all games.
    pub id: String,
    /// The kind of game.
    pub name: GameName,
    /// Black and White.
    pub players: [String; 2],
    /// The rules.
    pub rules: Rules,
    /// When it began, in seconds since 1970.
    pub began: u64,
    place: Place<Shogi>,
    moves: Vec<Made>,
    clock: TimeControl,
    left: [u64; 2],
    /// What the turn had taken when the clock was last set going.
    used: Duration,
    running_since: Option<Duration>,
}

impl Table {
    /// A game at its beginning, the clock stopped.
    pub fn new(id: String, name: GameName, players: [String; 2], rules: Rules, began: u64) -> Self {
        let clock =
            TimeControl { least: rules.least, delay: rules.delay, ..name.control(rules.unit) };
        Table {
            id,
            name,
            players,
            rules,
            began,
            place: Place::new(Shogi::start()),
            moves: Vec::new(),
            clock,
            left: [clock.total; 2],
            used: Duration::ZERO,
            running_since: None,
        }
    }

    /// The moves so far.
    pub fn moves(&self) -> &[Made] {
        &self.moves
    }

    /// The position.
    pub fn position(&self) -> &Shogi {
        self.place.position()
    }

    /// Whose turn it is.
    pub fn to_move(&self) -> Side {
        self.position().side_to_move()
    }

    /// Units left on both clocks at the beginning of the turn.
    pub fn left(&self) -> [u64; 2] {
        self.left
    }

    /// Whether the clock runs.
    pub fn is_running(&self) -> bool {
        self.running_since.is_some()
    }

    /// Sets the clock going.
    pub fn run(&mut self, now: Duration) {
        self.running_since.get_or_insert(now);
    }

    /// Stops the clock.
    pub fn stop(&mut self, now: Duration) {
        self.used = self.elapsed(now);
        self.running_since = None;
    }

    /// What the turn has taken.
    pub fn elapsed(&self, now: Duration) -> Duration {
        let running = self.running_since.map_or(Duration::ZERO, |since| now.saturating_sub(since));
        self.used + running
    }

    /// Sets what the turn has taken, as the journal has it.
    pub(crate) fn set_elapsed(&mut self, elapsed: Duration) {
        self.used = elapsed;
    }

    /// When the time of the side to move is up.
    pub fn deadline(&self) -> Option<Duration> {
        let longest = self.clock.longest(self.left[self.to_move().index()]);
        Some(self.running_since?.saturating_add(longest.saturating_sub(self.used)))
    }

    /// The end, if the time of the side to move is up.
    pub fn time_up(&self, now: Duration) -> Option<End> {
        let late = self.deadline().is_some_and(|deadline| now >= deadline);
        late.then(|| End::new(Some(!self.to_move()), Mark::TimeUp))
    }

    /// The side to move makes a move; the end, if that is one. An illegal move is not made.
    pub fn play(
        &mut self,
        now: Duration,
        text: &str,
        comment: Option<String>,
    ) -> Result<Option<End>, End> {
        if let Some(end) = self.time_up(now) {
            return Err(end);
        }
        let side = self.to_move();
        let mv = csa::parse_legal_move(self.position(), text)
            .map_err(|what| End::illegal(side, what))?;
        let units = self.clock.charged(self.elapsed(now));
        self.make(mv, units, comment);
        if self.running_since.is_some() {
            self.running_since = Some(now);
        }
        Ok(self.ended())
    }

    /// Makes a move that was made before, as the journal has it.
    pub(crate) fn replay(
        &mut self,
        text: &str,
        units: u64,
        comment: Option<String>,
    ) -> Result<(), String> {
        let mv = csa::parse_legal_move(self.position(), text)?;
        self.make(mv, units, comment);
        Ok(())
    }

    fn make(&mut self, mv: Move, units: u64, comment: Option<String>) {
        let left = &mut self.left[self.place.position().side_to_move().index()];
        *left = self.clock.after(*left, units);
        let text = csa::format_move(self.place.position(), mv);
        self.moves.push(Made { mv, text, units, comment });
        self.place.play(mv);
        self.used = Duration::ZERO;
    }

    fn ended(&self) -> Option<End> {
        if let Some(outcome) = self.position().ended_by_history() {
            let mark = match outcome.winner {
                Some(_) => Mark::PerpetualCheck,
                None => Mark::Repetition,
            };
            return Some(End::new(outcome.winner, mark));
        }
        let most = self.rules.max_moves.map(|most| most as usize);
        let too_long = most.is_some_and(|most| self.moves.len() >= most);
        too_long.then(|| End::new(None, Mark::MaxMoves))
    }

    /// The side to move gives up or declares a win.
    pub fn special(&self, now: Duration, special: Special) -> End {
        if let Some(end) = self.time_up(now) {
            return end;
        }
        let side = self.to_move();
        let word = Some((special, self.clock.charged(self.elapsed(now))));
        let end = match special {
            Special::Resign => End::new(Some(!side), Mark::Resign),
            Special::Declare => match self.rules.impasse.judge(self.position()) {
                Some(winner) => End::new(winner, Mark::Declaration),
                None => End::illegal(side, "%KACHI without what a declaration needs".to_owned()),
            },
            Special::Interrupt => End::new(None, Mark::Interrupted),
        };
        End { word, ..end }
    }

    /// The offer of this game, as it stands, to `you`.
    pub fn summary(&self, you: Side, now: Duration) -> Summary {
        let begun = !self.moves.is_empty() || !self.elapsed(now).is_zero();
        let unit = self.clock.unit.as_nanos().max(1);
        let elapsed = self.elapsed(now).as_nanos().div_ceil(unit);
        Summary {
            id: self.id.clone(),
            names: self.players.clone(),
            you,
            clocks: [self.clock; 2],
            left: self.left.map(|left| begun.then_some(left)),
            elapsed: u64::try_from(elapsed).unwrap_or(u64::MAX),
            max_moves: self.rules.max_moves,
            declaration: self.rules.impasse.declaration().to_owned(),
            start: self.place.start().clone(),
            moves: self.moves.iter().map(|made| (made.mv, made.units)).collect(),
        }
    }
}
