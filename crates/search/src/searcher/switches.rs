//! Which techniques a search uses.

/// Each technique on its own switch, so that experiments can hold the tree fixed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Switches {
    /// Look positions up in the transposition table and store them.
    pub table: bool,
    /// Believe only table entries of exactly the depth asked for, so that the value is that
    /// of the fixed tree. Off, a deeper result is believed too.
    pub exact_depth: bool,
    /// Score repetitions and other endings by history. They depend on the way to a position,
    /// so a fixed tree searched with a table leaves them out.
    pub history_endings: bool,
    /// Search captures and promotions beyond the horizon.
    pub quiescence: bool,
    /// Start each iteration with a narrow window around the last value.
    pub aspiration: bool,
    /// Search later moves with an empty window first (NegaScout).
    pub scout: bool,
    /// Order quiet moves by killers and histories.
    pub histories: bool,
    /// Prune where even passing is good enough.
    pub null_move: bool,
    /// Search late moves to less depth first.
    pub reductions: bool,
    /// Prune hopeless moves and positions near the horizon.
    pub pruning: bool,
    /// Search checks and moves without alternative one ply deeper.
    pub extensions: bool,
}

impl Switches {
    /// Everything on: the strongest play.
    pub const fn selective() -> Self {
        Switches {
            table: true,
            exact_depth: false,
            history_endings: true,
            quiescence: true,
            aspiration: true,
            scout: true,
            histories: true,
            null_move: true,
            reductions: true,
            pruning: true,
            extensions: true,
        }
    }

    /// Only what leaves the value of the fixed-depth tree as plain negamax has it: table,
    /// ordering, windows.
    pub const fn fixed_tree() -> Self {
        Switches {
            exact_depth: true,
            history_endings: false,
            quiescence: false,
            null_move: false,
            reductions: false,
            pruning: false,
            extensions: false,
            ..Self::selective()
        }
    }
}
