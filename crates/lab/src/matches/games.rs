//! What a match needs to know of a game beyond its rules: how games are written down, and
//! where they begin.

use std::time::Duration;

use senbon_core::Place;
use senbon_engines::builtin::BuiltIn;
use senbon_games::chess::{Chess, pgn};
use senbon_games::shogi::Shogi;
use senbon_games::shogi::record::{self, Finish, RecordedMove, csa};
use senbon_games::{Ending, Rng, Side};

use super::impasse::ImpasseRule;
use super::opening::Opening;
use super::polyglot::Book;
use super::referee::{GameRecord, Verdict, Why};

/// A game that matches are played of.
pub trait MatchGame: BuiltIn {
    /// What stands between two games of a file.
    const BETWEEN_RECORDS: &'static str;

    /// The game as text in the format that its programs read.
    fn write(record: &GameRecord<Self>) -> String;

    /// How a game ends whose kings have entered the other's camp, if it ends by `rule`. The
    /// side to move has declared that it wins, or has said nothing yet.
    fn impasse(&self, _rule: ImpasseRule, _declared: bool) -> Option<Verdict> {
        None
    }

    /// The openings in a file of recorded games, cut after so many plies.
    fn read_games(bytes: &[u8], plies: usize) -> Result<Vec<Opening<Self>>, String>;

    /// Openings drawn from a book in the binary format of this game, if it has one.
    fn read_book(
        _bytes: &[u8],
        _count: usize,
        _plies: usize,
        _rng: &mut Rng,
    ) -> Result<Vec<Opening<Self>>, String> {
        Err(format!("there is no binary book format for {}", Self::NAME))
    }
}

impl MatchGame for Chess {
    const BETWEEN_RECORDS: &'static str = "\n";

    fn write(record: &GameRecord<Self>) -> String {
        let moves: Vec<_> = record.moves.iter().map(|made| made.mv).collect();
        let result = match record.verdict.winner {
            Some(side) => pgn::GameResult::Win(side),
            None => pgn::GameResult::Draw,
        };
        let mut game = pgn::Record::from_moves(&record.start, &moves, result);
        for (node, made) in game.line.moves.iter_mut().zip(&record.moves) {
            if !made.note.is_empty() {
                node.comments.push(format!("{} {}", made.note, written_time(made.time)));
            }
        }
        if let Some(node) = game.line.moves.last_mut() {
            node.comments.push(record.verdict.why.to_string());
        }
        let mut tags = record.tags.clone();
        tags.push(("White".to_owned(), record.names[0].clone()));
        tags.push(("Black".to_owned(), record.names[1].clone()));
        tags.append(&mut game.tags);
        let ending = match &record.verdict.why {
            Why::Time => "time forfeit",
            Why::Failure(_) => "rules infraction",
            Why::Agreement | Why::Impasse | Why::TooLong => "adjudication",
            Why::Rule(_) | Why::Resignation => "normal",
        };
        tags.push(("Termination".to_owned(), ending.to_owned()));
        game.tags = tags;
        game.to_string()
    }

    fn read_games(bytes: &[u8], plies: usize) -> Result<Vec<Opening<Self>>, String> {
        pgn::Reader::new(bytes)
            .map(|game| {
                let game = game.map_err(|error| error.to_string())?;
                let start = game.start().map_err(|error| error.to_string())?;
                let moves = game.moves().map_err(|error| error.to_string())?;
                Ok(cut(start, moves, plies))
            })
            .collect()
    }

    fn read_book(
        bytes: &[u8],
        count: usize,
        plies: usize,
        rng: &mut Rng,
    ) -> Result<Vec<Opening<Self>>, String> {
        let book = Book::read(bytes).map_err(|error| error.to_string())?;
        Ok(book.different_lines(count, plies, rng))
    }
}

fn cut<G: MatchGame>(start: G, moves: Vec<G::Move>, plies: usize) -> Opening<G> {
    let mut place = Place::new(start);
    moves.into_iter().take(plies).for_each(|mv| place.play(mv));
    place
}

fn written_time(time: Duration) -> String {
    format!("{:.2}s", time.as_secs_f64())
}

impl MatchGame for Shogi {
    const BETWEEN_RECORDS: &'static str = "/\n";

    fn impasse(&self, rule: ImpasseRule, declared: bool) -> Option<Verdict> {
        rule.judge(self, declared)
    }

    fn write(record: &GameRecord<Self>) -> String {
        let mut game = record::Record::new(record.start.clone());
        game.players = record.names.clone();
        game.tags = record.tags.clone();
        game.moves = record
            .moves
            .iter()
            .map(|made| RecordedMove {
                mv: made.mv,
                time_ms: Some(made.time.as_millis() as u64),
                comment: made.note.clone(),
            })
            .collect();
        game.finish = Some(match &record.verdict.why {
            Why::Rule(Ending::Declaration) => Finish::Declaration,
            Why::Rule(Ending::Repetition) => Finish::Repetition,
            Why::Rule(Ending::PerpetualCheck) => {
                Finish::Foul(record.verdict.winner.map_or(Side::First, |winner| !winner))
            }
            Why::Rule(_) => Finish::Mate,
            Why::Resignation => Finish::Resignation,
            Why::Time => Finish::TimeUp,
            Why::Failure(_) => Finish::IllegalMove,
            Why::TooLong => Finish::MoveLimit,
            Why::Impasse => Finish::Impasse,
            Why::Agreement => match record.verdict.winner {
                // The side to move is not always the loser: say that it was broken off.
                Some(_) => Finish::Interruption,
                None => Finish::Impasse,
            },
        });
        csa::write(&game)
    }

    fn read_games(bytes: &[u8], plies: usize) -> Result<Vec<Opening<Self>>, String> {
        let text = std::str::from_utf8(bytes).map_err(|error| error.to_string())?;
        let games = csa::read_all(text).map_err(|error| error.to_string())?;
        let moves = |game: &record::Record| game.moves.iter().map(|made| made.mv).collect();
        Ok(games.iter().map(|game| cut(game.start.clone(), moves(game), plies)).collect())
    }
}
