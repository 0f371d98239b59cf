//! Moves are legal and in time, whatever becomes of the workers.

use std::time::Duration;

use senbon_engines::universal::{Best, Reply};
use senbon_games::chess::Chess;
use senbon_games::{Game, Notation};

use crate::support::Engine;

/// A move may be so late before a test fails: time for a machine that is busy with others.
const LATE: Duration = Duration::from_millis(1500);

/// A move, and what is known of its search.
#[derive(Debug, Default)]
pub(crate) struct Played {
    pub(crate) best: String,
    /// Positions searched.
    pub(crate) nodes: u64,
    /// The first move of the newest line that was told.
    pub(crate) found: Option<String>,
}

impl Played {
    /// Whether it is what a worker found, and not just any legal move.
    pub(crate) fn is_found(&self) -> bool {
        self.nodes > 0 && self.found.as_ref() == Some(&self.best)
    }
}

/// A game that an engine plays against itself, by a clock.
pub(crate) struct Match {
    engine: Engine,
    position: Chess,
    moves: String,
    latest: Duration,
}

impl Match {
    /// Begins when the engine has a worker.
    pub(crate) fn new(mut engine: Engine) -> Self {
        engine.say("uci\nisready");
        engine.until("readyok");
        let (position, moves) = (Chess::start(), String::new());
        Match { engine, position, moves, latest: Duration::ZERO }
    }

    /// Plays a move within `time`, in the midst of which something happens.
    pub(crate) fn play(&mut self, time: Duration, happens: impl FnOnce()) -> Played {
        let began = std::time::Instant::now();
        let go = format!("go movetime {}", time.as_millis());
        self.engine.say(&format!("position startpos moves{}\n{go}", self.moves));
        std::thread::sleep(time / 3);
        happens();
        let heard = self.engine.until("bestmove");
        let late = began.elapsed().saturating_sub(time);
        assert!(late < LATE, "{late:.1?} late: {heard:?}");
        self.latest = self.latest.max(late);
        let dialect = senbon_engines::universal::Dialect::Uci;
        let replies = heard.iter().map(|line| Reply::parse(dialect, line).unwrap());
        let mut played = Played::default();
        for reply in replies {
            match reply {
                Reply::Info(info) => {
                    played.nodes = info.nodes.unwrap_or(played.nodes);
                    played.found = info.pv.first().cloned().or(played.found);
                }
                Reply::BestMove { best: Best::Move(text), .. } => played.best = text,
                _ => {}
            }
        }
        let mv = self.position.parse_move(&played.best).expect("a legal move");
        self.position.play(mv);
        self.moves = format!("{} {}", self.moves, played.best);
        played
    }

    /// Forgets the game, and begins another.
    pub(crate) fn begin_anew(&mut self) {
        self.engine.say("ucinewgame");
        self.position = Chess::start();
        self.moves.clear();
    }

    /// How late the latest move was.
    pub(crate) fn latest(&self) -> Duration {
        self.latest
    }
}
