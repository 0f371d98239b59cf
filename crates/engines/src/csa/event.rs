//! How a game ends, in the words of the protocol.

/// A line that begins with `%`: a player's last word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Special {
    /// `%TORYO`: the player gives up.
    Resign,
    /// `%KACHI`: the player declares a win by entering king.
    Declare,
    /// `%CHUDAN`: the player wants to break the game off.
    Interrupt,
}

impl Special {
    /// All of them.
    pub const ALL: [Special; 3] = [Special::Resign, Special::Declare, Special::Interrupt];

    /// As it is written.
    pub const fn text(self) -> &'static str {
        match self {
            Special::Resign => "%TORYO",
            Special::Declare => "%KACHI",
            Special::Interrupt => "%CHUDAN",
        }
    }

    pub(super) fn parse(text: &str) -> Option<Self> {
        Special::ALL.into_iter().find(|special| special.text() == text)
    }
}

/// A line that begins with `#`: what the server says about the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mark {
    /// `#WIN`: the player who is told has won.
    Win,
    /// `#LOSE`.
    Lose,
    /// `#DRAW`.
    Draw,
    /// `#CENSORED`: broken off without a result.
    Censored,
    /// `#RESIGN`: somebody gave up.
    Resign,
    /// `#TIME_UP`: somebody's time has run out.
    TimeUp,
    /// `#ILLEGAL_MOVE`.
    IllegalMove,
    /// `#ILLEGAL_ACTION`.
    IllegalAction,
    /// `#SENNICHITE`: the same position for the fourth time.
    Repetition,
    /// `#OUTE_SENNICHITE`: the same, by giving check all the time.
    PerpetualCheck,
    /// `#JISHOGI`: a win was declared.
    Declaration,
    /// `#MAX_MOVES`: the game has become too long.
    MaxMoves,
    /// `#CHUDAN`: the game is interrupted.
    Interrupted,
}

impl Mark {
    /// All of them.
    pub const ALL: [Mark; 13] = [
        Mark::Win,
        Mark::Lose,
        Mark::Draw,
        Mark::Censored,
        Mark::Resign,
        Mark::TimeUp,
        Mark::IllegalMove,
        Mark::IllegalAction,
        Mark::Repetition,
        Mark::PerpetualCheck,
        Mark::Declaration,
        Mark::MaxMoves,
        Mark::Interrupted,
    ];

    /// As it is written.
    pub const fn text(self) -> &'static str {
        match self {
            Mark::Win => "#WIN",
            Mark::Lose => "#LOSE",
            Mark::Draw => "#DRAW",
            Mark::Censored => "#CENSORED",
            Mark::Resign => "#RESIGN",
            Mark::TimeUp => "#TIME_UP",
            Mark::IllegalMove => "#ILLEGAL_MOVE",
            Mark::IllegalAction => "#ILLEGAL_ACTION",
            Mark::Repetition => "#SENNICHITE",
            Mark::PerpetualCheck => "#OUTE_SENNICHITE",
            Mark::Declaration => "#JISHOGI",
            Mark::MaxMoves => "#MAX_MOVES",
            Mark::Interrupted => "#CHUDAN",
        }
    }

    /// Whether this is the result, after which nothing more comes; the others say why.
    pub const fn is_result(self) -> bool {
        matches!(self, Mark::Win | Mark::Lose | Mark::Draw | Mark::Censored | Mark::Interrupted)
    }

    pub(super) fn parse(text: &str) -> Option<Self> {
        Mark::ALL.into_iter().find(|mark| mark.text() == text)
    }
}
