//! Matches: games between two players, with clocks, openings played from both sides, and a
//! result that says how sure it is.
//!
//! The [`Referee`] knows rules, clocks and adjudication but no time of its own: it is told how
//! long a move took, by the wall clock or by a virtual one. A [`Player`] is whatever answers a
//! search with a move. [`play_series`] puts them together and keeps a journal, so that an
//! interrupted match goes on where it was.

mod adjudication;
mod control;
mod engine_player;
mod games;
mod impasse;
mod journal;
mod opening;
mod player;
mod polyglot;
mod polyglot_keys;
mod referee;
mod series;
mod staff;
mod virtual_player;

pub use adjudication::{Adjudication, DrawRule, ResignRule};
pub use control::{Control, ControlError};
pub use engine_player::EnginePlayer;
pub use games::MatchGame;
pub use impasse::ImpasseRule;
pub use journal::Journal;
pub use opening::{Opening, OpeningError, random_opening, read_openings};
pub use player::{Answer, Foresight, Player, Thought};
pub use polyglot::{Book, BookError};
pub use referee::{GameRecord, Made, Referee, Verdict, Why};
pub use series::{Finished, Progress, Terms, play_series};
pub use staff::{EngineKind, Staff, staff};
pub use virtual_player::{Pace, Team, VirtualPlayer};
