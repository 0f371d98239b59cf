//! Moves are legal and in time, whatever becomes of the workers.

use std::time::Duration;

use senbon_engines::universal::{Best, Reply};
use senbon_games::chess::Chess;
use senbon_games::{Game, Notation};

use crate::support::Engine;

/// A move may be so late before a test fails: time for a machine that is busy with others.
const LATE: Duration = Duration::from_millis(1500);

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

    /// Plays a move within `time`, in the midst of which something happens. Gives the number of
    /// positions searched.
    pub(crate) fn play(&mut self, time: Duration, happens: impl FnOnce()) -> u64 {
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
        let (mut nodes, mut best) = (0, None);
        for reply in replies {
            match reply {
                Reply::Info(info) => nodes = info.nodes.unwrap_or(nodes),
                Reply::BestMove { best: Best::Move(text), .. } => best = Some(text),
                _ => {}
            }
        }
        let best = best.expect("a move");
        let mv = self.position.parse_move(&best).expect("a legal move");
        self.position.play(mv);
        self.moves = format!("{} {best}", self.moves);
        nodes
    }

    /// How late the latest move was.
    pub(crate) fn latest(&self) -> Duration {
        self.latest
    }
}
