//! Who is to move, and how games end.

use std::fmt;
use std::ops::Not;

/// One of the two players, named by who starts: White in chess, Black in shogi and Go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Side {
    /// The player who makes the first move of a game.
    First,
    /// The other one.
    Second,
}

impl Side {
    /// 0 for the first player, 1 for the second.
    pub const fn index(self) -> usize {
        self as usize
    }
}

impl Not for Side {
    type Output = Side;

    fn not(self) -> Side {
        match self {
            Side::First => Side::Second,
            Side::Second => Side::First,
        }
    }
}

/// The result of a finished game and the rule that ended it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The winner; `None` is a draw.
    pub winner: Option<Side>,
    /// The rule that ended the game.
    pub ending: Ending,
}

impl Outcome {
    /// A win for `side`.
    pub const fn win(side: Side, ending: Ending) -> Self {
        Outcome { winner: Some(side), ending }
    }

    /// A draw.
    pub const fn draw(ending: Ending) -> Self {
        Outcome { winner: None, ending }
    }

    /// +1 for a win of `side`, −1 for a loss, 0 for a draw.
    pub fn sign_for(self, side: Side) -> i32 {
        match self.winner {
            None => 0,
            Some(winner) if winner == side => 1,
            Some(_) => -1,
        }
    }
}

/// Every way the rules can end a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Ending {
    /// The side to move is in check and has no move.
    Checkmate,
    /// The side to move has no move (a draw in chess, a loss in shogi).
    NoMoves,
    /// The same position came up too often.
    Repetition,
    /// The same position came up too often, and one side gave check all the way.
    PerpetualCheck,
    /// Fifty moves by each side without a capture or a pawn move.
    FiftyMoves,
    /// Nobody has the material to mate.
    InsufficientMaterial,
    /// The entering-king declaration.
    Declaration,
    /// A winning line was completed.
    Line,
    /// The board is settled and was counted.
    Score,
    /// The depth of a synthetic tree was reached.
    Leaf,
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Ending::Checkmate => "checkmate",
            Ending::NoMoves => "no legal move",
            Ending::Repetition => "repetition",
            Ending::PerpetualCheck => "perpetual check",
            Ending::FiftyMoves => "fifty-move rule",
            Ending::InsufficientMaterial => "insufficient material",
            Ending::Declaration => "entering-king declaration",
            Ending::Line => "winning line",
            Ending::Score => "score",
            Ending::Leaf => "leaf",
        })
    }
}
