//! One game: whose move it is, how much time there is, and how it ends.

use std::fmt;
use std::time::Duration;

use senbon_core::{Epoch, Limits, Place, Search};
use senbon_engines::universal::Dialect;
use senbon_games::{Ending, Outcome, Side};

use super::adjudication::{Adjudication, Agreed, Agreement};
use super::control::{Control, GameClock};
use super::games::MatchGame;
use super::player::{Answer, Thought};

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// The winner; none is a draw.
    pub winner: Option<Side>,
    /// Why.
    pub why: Why,
}

/// Why a game ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Why {
    /// By a rule of the game.
    Rule(Ending),
    /// The loser gave up.
    Resignation,
    /// The loser's time ran out.
    Time,
    /// The loser's engine failed: what it did.
    Failure(String),
    /// Both players agreed about the result by their scores.
    Agreement,
    /// Both kings have entered, and neither side has the points to win.
    Impasse,
    /// It took too many plies.
    TooLong,
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Why::Rule(ending) => ending.fmt(f),
            Why::Resignation => f.write_str("resignation"),
            Why::Time => f.write_str("time"),
            Why::Failure(what) => f.write_str(what),
            Why::Agreement => f.write_str("agreement of the scores"),
            Why::Impasse => f.write_str("impasse"),
            Why::TooLong => f.write_str("too long"),
        }
    }
}

/// A move of a game and what its player said.
#[derive(Clone, Debug)]
pub struct Made<M> {
    /// The move.
    pub mv: M,
    /// How long it took.
    pub time: Duration,
    /// Score as players write it, and depth; empty for a move of the opening.
    pub note: String,
}

/// A game as it was played.
#[derive(Clone, Debug)]
pub struct GameRecord<G: MatchGame> {
    /// Where it began.
    pub start: G,
    /// Its moves; the first ones are the opening's.
    pub moves: Vec<Made<G::Move>>,
    /// Names of the first and the second player.
    pub names: [String; 2],
    /// Tags: event, date, controls and the like.
    pub tags: Vec<(String, String)>,
    /// How it ended.
    pub verdict: Verdict,
}

/// Knows the state of a game, and nothing of time but what it is told.
#[derive(Clone, Debug)]
pub struct Referee<G: MatchGame> {
    place: Place<G>,
    clocks: [GameClock; 2],
    adjudication: Adjudication,
    agreement: Agreement,
    moves: Vec<Made<G::Move>>,
    epoch: Epoch,
}

impl<G: MatchGame> Referee<G> {
    /// A game from `opening`, with the controls of the first and the second player.
    pub fn new(
        opening: &Place<G>,
        controls: [Control; 2],
        grace: Duration,
        adjudication: Adjudication,
    ) -> Self {
        let made = |&mv| Made { mv, time: Duration::ZERO, note: String::new() };
        Referee {
            place: opening.clone(),
            clocks: controls.map(|control| GameClock::new(control, grace)),
            adjudication,
            agreement: Agreement::default(),
            moves: opening.moves().iter().map(made).collect(),
            epoch: Epoch(0),
        }
    }

    /// Where the game is.
    pub fn place(&self) -> &Place<G> {
        &self.place
    }

    /// Who is to move.
    pub fn to_move(&self) -> Side {
        self.place.position().side_to_move()
    }

    /// The search that the side to move is asked for.
    pub fn question(&mut self) -> Search<G> {
        self.epoch = self.epoch.next();
        self.search(self.place.clone(), self.to_move())
    }

    /// The search that the other side would be asked for after this answer to its move.
    pub fn expected(&mut self, answer: G::Move) -> Search<G> {
        self.epoch = self.epoch.next();
        let mut search = self.search(self.place.after(answer), !self.to_move());
        search.limits.ponder = true;
        search
    }

    fn search(&self, place: Place<G>, side: Side) -> Search<G> {
        let clocks = [self.clocks[0].reading(), self.clocks[1].reading()];
        let limits = Limits { clocks, ..self.clocks[side.index()].limits() };
        Search { epoch: self.epoch, place, only: Vec::new(), lines: 1, limits }
    }

    /// The longest the side to move may think.
    pub fn longest(&self) -> Option<Duration> {
        self.clocks[self.to_move().index()].longest()
    }

    /// The result by the rules where the game stands, before anybody thinks.
    pub fn ended(&self) -> Option<Verdict> {
        let by_rule = |Outcome { winner, ending }| Verdict { winner, why: Why::Rule(ending) };
        self.place.position().outcome().map(by_rule)
    }

    /// The side to move has thought; the result, if that ends the game.
    pub fn judge(&mut self, thought: &Thought<G>) -> Option<Verdict> {
        let side = self.to_move();
        let lost = |why| Some(Verdict { winner: Some(!side), why });
        let mv = match &thought.answer {
            Answer::Move(mv, _) => *mv,
            Answer::Failed(what) => return lost(Why::Failure(what.clone())),
            Answer::Late => return lost(Why::Time),
            Answer::Nothing if !self.clocks[side.index()].spend(thought.time) => {
                return lost(Why::Time);
            }
            Answer::Nothing if let Some(verdict) = self.impasse(true) => return Some(verdict),
            // UCI knows no resignation: an engine that has no move has failed.
            Answer::Nothing if G::DIALECT == Dialect::Uci => {
                return lost(Why::Failure("no move though there are legal ones".to_owned()));
            }
            Answer::Nothing => return lost(Why::Resignation),
        };
        if !self.clocks[side.index()].spend(thought.time) {
            return lost(Why::Time);
        }
        if !self.place.position().moves().into_iter().any(|legal| legal == mv) {
            return lost(Why::Failure("illegal move".to_owned()));
        }
        let score = thought.opinion.as_ref().map(|opinion| opinion.score);
        let note = thought
            .opinion
            .as_ref()
            .map_or(String::new(), |opinion| format!("{}/{}", opinion.score, opinion.depth));
        self.moves.push(Made { mv, time: thought.time, note });
        self.place.play(mv);
        if let Some(verdict) = self.ended().or_else(|| self.impasse(false)) {
            return Some(verdict);
        }
        let score = score.map(|score| if side == Side::First { score } else { -score });
        self.adjudicate(score)
    }

    fn impasse(&self, declared: bool) -> Option<Verdict> {
        self.place.position().impasse(self.adjudication.impasse, declared)
    }

    fn adjudicate(&mut self, score: Option<senbon_core::Score>) -> Option<Verdict> {
        let plies = self.moves.len();
        match self.agreement.hear(&self.adjudication, plies, score) {
            Some(Agreed::Win(sign)) => {
                let winner = if sign > 0 { Side::First } else { Side::Second };
                return Some(Verdict { winner: Some(winner), why: Why::Agreement });
            }
            Some(Agreed::Draw) => return Some(Verdict { winner: None, why: Why::Agreement }),
            None => {}
        }
        let too_long = self.adjudication.longest.is_some_and(|longest| plies >= longest);
        too_long.then_some(Verdict { winner: None, why: Why::TooLong })
    }

    /// The game as it was played.
    pub fn record(self, names: [String; 2], verdict: Verdict) -> GameRecord<G> {
        let start = self.place.start().clone();
        GameRecord { start, moves: self.moves, names, tags: Vec::new(), verdict }
    }
}

#[cfg(test)]
mod tests {
    use senbon_core::{Opinion, Score};
    use senbon_games::Notation;
    use senbon_games::chess::Chess;

    use super::*;

    fn game(fen: &str, control: &str) -> Referee<Chess> {
        let opening = Place::new(Chess::parse_position(fen).unwrap());
        let control: Control = control.parse().unwrap();
        let rules = Adjudication { longest: Some(6), ..Adjudication::default() };
        Referee::new(&opening, [control.clone(), control], Duration::ZERO, rules)
    }

    fn thought(referee: &Referee<Chess>, text: &str, milliseconds: u64) -> Thought<Chess> {
        let mv = referee.place().position().parse_move(text).unwrap();
        Thought {
            answer: Answer::Move(mv, None),
            time: Duration::from_millis(milliseconds),
            opinion: Some(Opinion::new(Score::Centipawns(12), 7, vec![mv])),
        }
    }

    const BEFORE_MATE: &str = "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1";

    #[test]
    fn a_mate_wins() {
        let mut referee = game(BEFORE_MATE, "1+0");
        assert_eq!(referee.ended(), None);
        let mate = thought(&referee, "a1a8", 999);
        let verdict = referee.judge(&mate).unwrap();
        assert_eq!(verdict.winner, Some(Side::First));
        assert_eq!(verdict.why, Why::Rule(Ending::Checkmate));
        let record = referee.record(["a".into(), "b".into()], verdict);
        assert!(Chess::write(&record).contains("1. Ra8# {+0.12/7 1.00s} {checkmate} 1-0"));
    }

    #[test]
    fn a_mate_that_comes_too_late_loses() {
        let mut referee = game(BEFORE_MATE, "1+0");
        let mate = thought(&referee, "a1a8", 1_001);
        let verdict = referee.judge(&mate).unwrap();
        assert_eq!((verdict.winner, verdict.why), (Some(Side::Second), Why::Time));
    }

    #[test]
    fn failures_and_length_end_a_game() {
        let mut referee = game(BEFORE_MATE, "nodes=1");
        for text in ["e1e2", "g8f8", "e2e1", "f8g8", "e1e2"] {
            let step = thought(&referee, text, 1);
            assert_eq!(referee.judge(&step), None);
        }
        let mut failed = referee.clone();
        let time = Duration::ZERO;
        let broken = Thought { answer: Answer::Failed("it died".into()), time, opinion: None };
        let verdict = failed.judge(&broken).unwrap();
        assert_eq!(verdict.winner, Some(Side::First), "White moved last, Black failed");
        let last = thought(&referee, "g8f8", 1);
        let verdict = referee.judge(&last).unwrap();
        assert_eq!((verdict.winner, verdict.why), (None, Why::TooLong));
    }

    #[test]
    fn both_clocks_are_told_and_pondering_is_said() {
        let mut referee = game(BEFORE_MATE, "10+1");
        let step = thought(&referee, "e1e2", 4_000);
        referee.judge(&step);
        let question = referee.question();
        let seconds = |clock: senbon_core::Clock| clock.time.unwrap().as_secs();
        assert_eq!(question.limits.clocks.map(seconds), [7, 10]);
        let answer = referee.place().position().parse_move("g8f8").unwrap();
        let expected = referee.expected(answer);
        assert!(expected.limits.ponder);
        assert_eq!(expected.place.moves().len(), 2);
    }
}
