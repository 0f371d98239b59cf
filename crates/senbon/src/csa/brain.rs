//! What the player does in a game: between the server's end and the searcher's, without input
//! or output of its own.
//!
//! The searcher is talked to as a GUI would (USI): every `go` gets one `bestmove`, in order.

use std::collections::VecDeque;
use std::time::Duration;

use senbon_core::Clock;
use senbon_engines::csa::{Comment, Mark, Played, Special};
use senbon_engines::universal::{
    Best, Command, GameResult, Go, Info, Reply, ScoreBound, Setup, Worth,
};
use senbon_games::shogi::Shogi;
use senbon_games::shogi::shogi_core::Move;
use senbon_games::{Notation, Side};

/// What Floodgate's players write for a forced win.
const SURE: i32 = 30_000;

/// What is to be done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Act {
    /// Tell the searcher.
    Engine(Command),
    /// Make this move, with this comment.
    Play(Move, Option<String>),
    /// Give up or declare.
    Special(Special),
}

/// How the player plays.
#[derive(Clone, Copy, Debug)]
pub(super) struct Habits {
    /// Think on the opponent's time.
    pub(super) ponder: bool,
    /// Tell score and variation with each move.
    pub(super) comments: bool,
    /// Time kept back from every move, besides what the way to the server takes.
    pub(super) margin: Duration,
}

/// A search that has not been answered.
#[derive(Debug)]
struct Search {
    /// Of the position after so many moves.
    ply: usize,
    /// The last of them is a guess.
    guess: Option<Move>,
}

/// What a search said of its best line.
#[derive(Debug, Default)]
struct Said {
    score: i32,
    line: Vec<String>,
}

/// The player.
#[derive(Debug)]
pub(super) struct Brain {
    habits: Habits,
    /// The game that the searcher knows.
    game: String,
    searching: VecDeque<Search>,
    /// The game as it stood when the last search for a move began.
    thinking: Option<Played>,
    said: Said,
    /// What was decided for the position after so many moves, until the server has it.
    decided: Option<(usize, Act)>,
    expected: Option<String>,
    overhead: Duration,
    acts: VecDeque<Act>,
}

impl Brain {
    pub(super) fn new(habits: Habits) -> Self {
        Brain {
            habits,
            game: String::new(),
            searching: VecDeque::new(),
            thinking: None,
            said: Said::default(),
            decided: None,
            expected: None,
            overhead: Duration::ZERO,
            acts: VecDeque::new(),
        }
    }

    /// What to do next, if anything.
    pub(super) fn poll(&mut self) -> Option<Act> {
        self.acts.pop_front()
    }

    /// Before the first game: the searcher gets ready.
    pub(super) fn prepare(&mut self) {
        self.set("USI_Ponder", self.habits.ponder.to_string());
        self.engine(Command::IsReady);
    }

    fn engine(&mut self, command: Command) {
        self.acts.push_back(Act::Engine(command));
    }

    fn set(&mut self, name: &str, value: String) {
        self.engine(Command::SetOption { name: name.to_owned(), value: Some(value) });
    }

    /// A game begins, or goes on after the link was broken.
    pub(super) fn handle_started(&mut self, now: Duration, round_trip: Duration, game: &Played) {
        if self.game != game.summary.id {
            self.game = game.summary.id.clone();
            (self.decided, self.thinking) = (None, None);
            self.engine(Command::NewGame);
        }
        self.set_overhead(round_trip);
        if !game.is_our_turn() {
            return;
        }
        let ply = game.place.moves().len();
        let thinks = self.searching.back().is_some_and(|search| search.is_of(ply));
        match &self.decided {
            // The server has not got it before it went away.
            Some((at, act)) if *at == ply => self.acts.push_back(act.clone()),
            _ if thinks => {}
            _ => self.think(now, game),
        }
    }

    /// A move was made, by either side.
    pub(super) fn handle_moved(&mut self, now: Duration, round_trip: Duration, game: &Played) {
        self.set_overhead(round_trip);
        if !game.is_our_turn() {
            return self.ponder(now, game);
        }
        let ply = game.place.moves().len();
        let made = game.place.moves().last().copied();
        match self.searching.back_mut() {
            Some(search) if search.ply == ply && search.guess.is_some() && search.guess == made => {
                search.guess = None;
                self.thinking = Some(game.clone());
                self.engine(Command::PonderHit);
            }
            _ => self.think(now, game),
        }
    }

    /// The game is over.
    pub(super) fn handle_ended(&mut self, mark: Mark) {
        let result = match mark {
            Mark::Win => GameResult::Win,
            Mark::Lose => GameResult::Lose,
            // It may go on.
            Mark::Interrupted => return self.rest(),
            _ => GameResult::Draw,
        };
        (self.decided, self.thinking) = (None, None);
        self.game.clear();
        self.engine(Command::GameOver(result));
    }

    /// Nothing goes on for a while: no use in thinking about what the opponent may do.
    pub(super) fn rest(&mut self) {
        if self.searching.back().is_some_and(|search| search.guess.is_some()) {
            self.engine(Command::Stop);
        }
    }

    /// The margin follows the longest way to the server and back.
    fn set_overhead(&mut self, round_trip: Duration) {
        let overhead = self.habits.margin + round_trip;
        if overhead != self.overhead {
            self.overhead = overhead;
            self.set("MoveOverhead", overhead.as_millis().min(5_000).to_string());
        }
    }

    fn think(&mut self, now: Duration, game: &Played) {
        self.thinking = Some(game.clone());
        self.search(now, game, game.place.moves(), None);
    }

    /// Thinks on the answer that is expected.
    fn ponder(&mut self, now: Duration, game: &Played) {
        let position = game.place.position();
        let guess = self.expected.take().filter(|_| self.habits.ponder);
        let Some(guess) = guess.and_then(|text| position.parse_move(&text).ok()) else { return };
        let mut moves = game.place.moves().to_vec();
        moves.push(guess);
        self.search(now, game, &moves, Some(guess));
    }

    fn search(&mut self, now: Duration, game: &Played, moves: &[Move], guess: Option<Move>) {
        let start = game.place.start();
        let usual = start.format_position() == Shogi::start().format_position();
        let setup = Setup {
            start: (!usual).then(|| start.format_position()),
            moves: start.format_line(moves),
        };
        self.said = Said::default();
        self.expected = None;
        self.searching.push_back(Search { ply: moves.len(), guess });
        self.engine(Command::Position(setup));
        self.engine(Command::Go(Box::new(go(now, game, guess.is_some()))));
    }

    /// The searcher says something. What it decides while the link is broken is kept for when
    /// that is back.
    pub(super) fn handle_reply(&mut self, reply: &Reply) {
        match reply {
            Reply::Info(info) => self.hear(info),
            Reply::BestMove { best, ponder } => {
                let Some(search) = self.searching.pop_front() else { return };
                // Another search has taken its place, or its guess was never played.
                if !self.searching.is_empty() || search.guess.is_some() {
                    return;
                }
                if let Some(game) = self.thinking.take() {
                    self.decide(&game, search.ply, best, ponder.as_deref());
                }
            }
            _ => {}
        }
    }

    fn hear(&mut self, info: &Info) {
        let first = info.multipv.is_none_or(|rank| rank == 1);
        let exact = info.score.filter(|score| score.bound == ScoreBound::Exact);
        if let Some(score) = exact.filter(|_| first && !info.pv.is_empty()) {
            let score = match score.worth {
                Worth::Centipawns(value) => value.clamp(-SURE, SURE),
                Worth::Win(_) => SURE,
                Worth::Loss(_) => -SURE,
            };
            self.said = Said { score, line: info.pv.clone() };
        }
    }

    fn decide(&mut self, game: &Played, ply: usize, best: &Best, ponder: Option<&str>) {
        let position = game.place.position();
        let act = match best {
            Best::Win => Act::Special(Special::Declare),
            Best::Nothing => Act::Special(Special::Resign),
            Best::Move(text) => match position.parse_move(text) {
                Ok(mv) => {
                    self.expected = ponder.map(str::to_owned);
                    Act::Play(mv, self.comment(game, mv, text))
                }
                // Searchers send legal moves; a broken one gives up rather than lose a rule.
                Err(_) => Act::Special(Special::Resign),
            },
        };
        self.decided = Some((ply, act.clone()));
        self.acts.push_back(act);
    }

    fn comment(&self, game: &Played, mv: Move, text: &str) -> Option<String> {
        if !self.habits.comments || self.said.line.first().is_none_or(|first| first != text) {
            return None;
        }
        let mut after = game.place.after(mv);
        let reached = after.position().clone();
        let mut line = Vec::new();
        for text in &self.said.line[1..] {
            let Ok(mv) = after.position().parse_move(text) else { break };
            line.push(mv);
            after.play(mv);
        }
        Some(Comment::format(&reached, game.to_move(), self.said.score, &line))
    }
}

impl Search {
    /// Whether this is a search of the position after so many moves that were made.
    fn is_of(&self, ply: usize) -> bool {
        self.ply == ply && self.guess.is_none()
    }
}

/// What the clocks say.
fn go(now: Duration, game: &Played, ponder: bool) -> Go {
    let us = game.summary.you;
    // What has passed of our turn before we began to think.
    let late = match game.is_our_turn() {
        true => now.saturating_sub(game.turn_began),
        false => Duration::ZERO,
    };
    let clock = |side: Side| {
        let (time, _) = game.time_left(side);
        let increment = game.clock(side).time(game.clock(side).increment);
        let late = if side == us { late } else { Duration::ZERO };
        Clock { time: Some(time.saturating_sub(late)), increment: Some(increment) }
    };
    let (time, byoyomi) = game.time_left(us);
    let byoyomi = byoyomi.saturating_sub(late.saturating_sub(time));
    let clocks = [clock(Side::First), clock(Side::Second)];
    let byoyomi = Some(byoyomi).filter(|time| !time.is_zero());
    Go { clocks, byoyomi, ponder, ..Go::default() }
}

#[cfg(test)]
mod tests {
    use senbon_core::Place;
    use senbon_engines::csa::{Client, ClientSay, Login, Summary, TimeControl};
    use senbon_engines::universal::{Dialect, Score};
    use senbon_games::Game;

    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    /// A client in a game of a minute and five seconds a move, after these moves.
    fn client(you: Side, moves: &[&str], elapsed: u64) -> Client {
        let login = Login { name: "a".into(), password: "b".into(), extended: false };
        let mut client = Client::new(Duration::ZERO, &login).unwrap();
        client.handle_line(Duration::ZERO, "LOGIN:a OK");
        let clock = TimeControl { total: 60, byoyomi: 5, ..TimeControl::default() };
        let mut place = Place::new(Shogi::start());
        for text in moves {
            place.play(place.position().parse_move(text).unwrap());
        }
        let summary = Summary {
            id: "id".into(),
            names: ["a".into(), "b".into()],
            you,
            clocks: [clock; 2],
            left: [None; 2],
            elapsed,
            max_moves: None,
            declaration: String::new(),
            start: Shogi::start(),
            moves: place.moves().iter().map(|&mv| (mv, 2)).collect(),
        };
        let text = summary.format();
        text.lines().for_each(|line| client.handle_line(Duration::ZERO, line));
        client.agree(Duration::ZERO);
        client.handle_line(Duration::ZERO, "START:id");
        while let Some(ClientSay::Send(_) | ClientSay::Event(_)) = client.poll() {}
        client
    }

    fn brain() -> Brain {
        Brain::new(Habits { ponder: true, comments: true, margin: SECOND / 10 })
    }

    fn lines(brain: &mut Brain) -> Vec<String> {
        let acts = std::iter::from_fn(|| brain.poll());
        acts.map(|act| match act {
            Act::Engine(command) => command.format(Dialect::Usi),
            act => format!("{act:?}"),
        })
        .collect()
    }

    fn best(text: &str, ponder: Option<&str>) -> Reply {
        Reply::BestMove { best: Best::Move(text.into()), ponder: ponder.map(str::to_owned) }
    }

    #[test]
    fn it_thinks_ponders_and_is_right_or_wrong() {
        let mut client = client(Side::First, &[], 0);
        let mut brain = brain();
        brain.handle_started(SECOND, Duration::ZERO, client.game().unwrap());
        let go = "go wtime 60000 btime 59000 winc 0 binc 0 byoyomi 5000";
        let overhead = "setoption name MoveOverhead value 100";
        assert_eq!(lines(&mut brain), ["usinewgame", overhead, "position startpos", go]);
        let score = Some(Score::exact(Worth::Centipawns(42)));
        let pv = ["7g7f", "3c3d", "2g2f"].map(String::from).to_vec();
        let info = Info { score, pv, ..Info::default() };
        brain.handle_reply(&Reply::Info(Box::new(info)));
        brain.handle_reply(&best("7g7f", Some("3c3d")));
        let Some(Act::Play(mv, comment)) = brain.poll() else { panic!("no move") };
        assert_eq!(comment.as_deref(), Some("* 42 -3334FU +2726FU"));
        client.play(2 * SECOND, mv, comment);
        client.handle_line(2 * SECOND + SECOND / 5, "+7776FU,T1");
        brain.handle_moved(2 * SECOND, client.round_trip(), client.game().unwrap());
        let said = lines(&mut brain);
        assert_eq!(said[0], "setoption name MoveOverhead value 300", "100 and the way: 200");
        assert_eq!(said[1], "position startpos moves 7g7f 3c3d");
        assert!(said[2].starts_with("go ponder wtime 60000 btime 59000"), "{said:?}");
        // As expected.
        client.handle_line(5 * SECOND, "-3334FU,T3");
        brain.handle_moved(5 * SECOND, client.round_trip(), client.game().unwrap());
        assert_eq!(lines(&mut brain), ["ponderhit"]);
        brain.handle_reply(&best("2g2f", Some("8c8d")));
        let Some(Act::Play(mv, None)) = brain.poll() else { panic!("no move") };
        client.play(6 * SECOND, mv, None);
        client.handle_line(6 * SECOND, "+2726FU,T1");
        brain.handle_moved(6 * SECOND, client.round_trip(), client.game().unwrap());
        lines(&mut brain);
        brain.rest();
        assert_eq!(lines(&mut brain), ["stop"]);
        // Not as expected: the answer of the search for the guess is nobody's.
        client.handle_line(8 * SECOND, "-4344FU,T2");
        brain.handle_moved(8 * SECOND, client.round_trip(), client.game().unwrap());
        assert_eq!(lines(&mut brain)[0], "position startpos moves 7g7f 3c3d 2g2f 4c4d");
        brain.handle_reply(&best("2f2e", None));
        assert_eq!(lines(&mut brain), [""; 0]);
        brain.handle_reply(&Reply::BestMove { best: Best::Nothing, ponder: None });
        assert_eq!(lines(&mut brain), ["Special(Resign)"]);
    }

    #[test]
    fn what_was_decided_is_not_thought_about_twice() {
        let first = client(Side::First, &["7g7f", "3c3d"], 0);
        let mut brain = brain();
        brain.handle_started(SECOND, Duration::ZERO, first.game().unwrap());
        lines(&mut brain);
        // The link breaks while it thinks; back again, it thinks on.
        let again = client(Side::First, &["7g7f", "3c3d"], 3);
        brain.handle_started(4 * SECOND, Duration::ZERO, again.game().unwrap());
        assert_eq!(lines(&mut brain), [""; 0]);
        // It decides while the link is broken; the move is made when that is back.
        brain.handle_reply(&best("2g2f", None));
        assert_eq!(lines(&mut brain).len(), 1);
        brain.handle_started(9 * SECOND, Duration::ZERO, again.game().unwrap());
        assert!(lines(&mut brain)[0].starts_with("Play"));
        // The server knows of it: nothing is made twice.
        let later = client(Side::First, &["7g7f", "3c3d", "2g2f", "8c8d"], 0);
        brain.handle_started(9 * SECOND, Duration::ZERO, later.game().unwrap());
        assert!(lines(&mut brain)[0].starts_with("position startpos moves 7g7f 3c3d 2g2f 8c8d"));
        // Broken off, it does not ponder; and it thinks on about its own move.
        brain.handle_ended(Mark::Interrupted);
        assert_eq!(lines(&mut brain), [""; 0]);
        // The game is over meanwhile: the answer is nobody's.
        brain.handle_ended(Mark::Lose);
        brain.handle_reply(&best("2f2e", None));
        assert_eq!(lines(&mut brain), ["gameover lose"]);
    }

    #[test]
    fn time_that_a_turn_has_taken_is_gone() {
        let game = client(Side::First, &["7g7f", "3c3d"], 61);
        let game = game.game().unwrap();
        assert_eq!(game.place.position().side_to_move(), Side::First);
        // 58 seconds are left of the minute: three of the five seconds are gone, and one more.
        let go = go(SECOND, game, false);
        assert_eq!(go.clocks[0].time, Some(Duration::ZERO));
        assert_eq!(go.byoyomi, Some(SECOND));
    }
}
