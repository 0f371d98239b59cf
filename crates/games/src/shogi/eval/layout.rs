//! Which features there are and where their weights stand.
//!
//! Each group is a constant: the index of its first weight. The weight file holds the linear
//! groups, then those of pressure, in this order.

/// Kinds of piece without the king: pawn to rook, then promoted pawn to dragon.
pub(super) const KINDS: usize = 13;
/// Kinds as a king sees them: its own, the enemy's, and the enemy king.
pub(super) const SEEN_KINDS: usize = 2 * KINDS + 1;
/// Squares of a half board: five files of nine ranks.
pub(super) const HALF: usize = 5 * 9;
/// Steps between two squares, to either side alike: nine by seventeen.
pub(super) const STEPS: usize = 9 * 17;
/// Most squares a piece's mobility tells apart.
pub(super) const MOBILITY: usize = 13;

macro_rules! layout {
    ($all:ident, $total:ident: $($(#[$doc:meta])* $name:ident $len:expr;)*) => {
        /// Names and lengths of the groups, in the order of the weights.
        pub const $all: &[(&str, usize)] = &[$((stringify!($name), $len)),*];
        /// How many weights there are.
        pub(super) const $total: usize = 0 $(+ $len)*;
        layout!(@at 0; $($(#[$doc])* $name $len;)*);
    };
    (@at $start:expr;) => {};
    (@at $start:expr; $(#[$doc:meta])* $name:ident $len:expr; $($rest:tt)*) => {
        $(#[$doc])*
        pub(super) const $name: usize = $start;
        layout!(@at $name + $len; $($rest)*);
    };
}

layout! {
    LINEAR_GROUPS, LINEAR:
    /// A piece on the board.
    MATERIAL KINDS;
    /// The first, second, … piece of a kind in hand; pawns to eight.
    HAND_PAWN 8;
    HAND_LANCE 4;
    HAND_KNIGHT 4;
    HAND_SILVER 4;
    HAND_GOLD 4;
    HAND_BISHOP 2;
    HAND_ROOK 2;
    /// The own king's square.
    KING HALF;
    /// A piece by its square, whatever the kings do.
    PLACE SEEN_KINDS * HALF;
    /// A piece by its distance from the king that sees it.
    DISTANCE SEEN_KINDS * STEPS;
    /// Lance, bishop, rook, horse, dragon by the number of squares they can go to.
    MOBILITY_OF 5 * MOBILITY;
    /// Attacked and not defended, by kind.
    HANGING KINDS;
    /// Attacked by a pawn: lance or knight, silver or any gold, bishop or rook, horse or dragon.
    PAWN_THREAT 4;
    /// Squares attacked in the enemy camp, between the camps, in the own camp.
    CONTROL 3;
    /// Squares attacked more than once.
    DOUBLE_CONTROL 1;
    /// Files where a pawn in hand can be dropped.
    DROP_FILES 1;
    /// The king stands in the enemy camp; pieces that went there with it.
    ENTERED 1;
    ENTERED_PIECES 1;
    /// The right to move.
    TEMPO 1;
}

layout! {
    PRESSURE_GROUPS, PRESSURE:
    /// Always there.
    BASE 1;
    /// Squares around the king attacked, each counted: by pawn, lance, knight, silver, any
    /// gold, bishop, rook, horse, dragon.
    ATTACKS 9;
    /// Pieces that attack there.
    ATTACKERS 1;
    /// Squares beside the king: attacked and not defended; attacked twice.
    WEAK 1;
    TWICE 1;
    /// Squares the king can flee to.
    ESCAPES 1;
    /// Empty squares beside the king where a dropped piece would be protected.
    DROP_SQUARES 1;
    /// The attacker is to move.
    TO_MOVE 1;
}
