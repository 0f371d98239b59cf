//! The comment of a move as Floodgate has it: `* SCORE PV`, from Black's view, in centipawns.

use std::fmt::Write;

use senbon_games::shogi::Shogi;
use senbon_games::shogi::record::csa;
use senbon_games::shogi::shogi_core::Move;
use senbon_games::{Game, Side};

/// What a player thinks of the game after its move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comment {
    /// Centipawns, good for Black.
    pub score: i32,
    /// The expected moves after the one that was made.
    pub line: Vec<Move>,
}

/// Moves of a variation that are told.
const LONGEST: usize = 32;

impl Comment {
    /// Writes the comment on a move that led to `after`; the score is good for `mover`.
    pub fn format(after: &Shogi, mover: Side, score: i32, line: &[Move]) -> String {
        let score = if mover == Side::First { score } else { score.saturating_neg() };
        let mut text = format!("* {score}");
        let mut game = after.clone();
        for &mv in line.iter().take(LONGEST) {
            let _ = write!(text, " {}", csa::format_move(&game, mv));
            game.play(mv);
        }
        text
    }

    /// Reads the comment on a move that led to `after`. The variation ends where it cannot be
    /// played; `None` if this is no such comment.
    pub fn parse(after: &Shogi, text: &str) -> Option<Comment> {
        let mut words = text.strip_prefix('*')?.split_ascii_whitespace();
        let score = words.next()?.parse().ok()?;
        let mut game = after.clone();
        let mut line = Vec::new();
        for word in words.take(LONGEST) {
            let Ok(mv) = csa::parse_legal_move(&game, word) else { break };
            game.play(mv);
            line.push(mv);
        }
        Some(Comment { score, line })
    }
}

#[cfg(test)]
mod tests {
    use senbon_games::Notation;

    use super::*;

    #[test]
    fn the_score_is_black_s() {
        let mut game = Shogi::start();
        game.play(game.parse_move("7g7f").unwrap());
        let reply = game.parse_move("3c3d").unwrap();
        let text = Comment::format(&game, Side::First, 60, &[reply]);
        assert_eq!(text, "* 60 -3334FU");
        assert_eq!(Comment::parse(&game, &text), Some(Comment { score: 60, line: vec![reply] }));
        assert_eq!(Comment::format(&game, Side::Second, 60, &[]), "* -60");
        let broken = Comment::parse(&game, "* -12 -3334FU +9999FU x").unwrap();
        assert_eq!((broken.score, broken.line.len()), (-12, 1));
        for text in ["", "*", "60", "* x", "** 5"] {
            assert_eq!(Comment::parse(&game, text), None, "{text}");
        }
    }
}
