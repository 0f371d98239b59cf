//! Which features there are and where their weights stand.
//!
//! Every group is a constant: the index of its first weight. Tables go by rank, square or
//! count within the group.

/// Names and lengths of groups, in order.
pub type Groups = [(&'static str, usize)];

macro_rules! layout {
    ($all:ident, $total:ident: $($(#[$doc:meta])* $name:ident $len:expr;)*) => {
        /// The groups, in the order of the weights.
        pub const $all: &Groups = &[$((stringify!($name), $len)),*];
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
    /// Pawn, knight, bishop, rook, queen.
    MATERIAL 5;
    /// Piece by square, as seen by its owner with the own king on files e to h.
    PLACE 6 * 64;
    /// By the number of squares it can go to.
    KNIGHT_MOBILITY 9;
    BISHOP_MOBILITY 14;
    ROOK_MOBILITY 15;
    QUEEN_MOBILITY 28;
    /// Both bishops.
    BISHOP_PAIR 1;
    /// For each knight and rook: own pawns more than five.
    KNIGHT_PAWNS 1;
    ROOK_PAWNS 1;
    /// Own pawns on the bishop's colour; those of them that are blocked.
    BISHOP_PAWNS 1;
    BISHOP_BLOCKED_PAWNS 1;
    /// A bishop that sees both centre squares of its diagonal.
    BISHOP_CENTRE 1;
    /// A knight or bishop with an own pawn before it.
    SHIELDED_MINOR 1;
    /// Out of reach of enemy pawns, rank 4 to 6: knight, guarded knight, bishop, guarded bishop.
    OUTPOST 4;
    /// A knight that can go to a guarded outpost.
    OUTPOST_NEAR 1;
    /// A file without pawns; without own pawns.
    ROOK_OPEN 1;
    ROOK_HALF_OPEN 1;
    /// On the seventh rank with something to attack there.
    ROOK_SEVENTH 1;
    /// On the file of the enemy queen.
    ROOK_QUEEN_FILE 1;
    /// Shut in by its own king.
    ROOK_TRAPPED 1;
    /// Enemy sliders that would attack the queen if one piece went away.
    QUEEN_BEHIND 1;
    /// Isolated pawn: with, without an enemy pawn before it on the file.
    ISOLATED 2;
    DOUBLED 1;
    /// Backward pawn: with, without an enemy pawn before it on the file.
    BACKWARD 2;
    /// Beside an own pawn, by rank.
    PHALANX 8;
    /// Guarded by an own pawn, by rank.
    SUPPORTED 8;
    /// Groups of files with pawns.
    ISLANDS 1;
    /// Not passed yet, but with enough helpers, by rank.
    CANDIDATE 8;
    /// Passed pawn, by rank.
    PASSED 8;
    /// The square before it is empty, by rank.
    PASSED_FREE 8;
    /// No enemy attacks its way, by rank.
    PASSED_SAFE 8;
    /// Distance of the own and of the enemy king to the square before it, by rank.
    PASSED_OWN_KING 8;
    PASSED_ENEMY_KING 8;
    /// A rook behind it: own, enemy.
    PASSED_ROOK 2;
    /// No enemy can catch it.
    UNSTOPPABLE 1;
    /// Own pawns before the king, by file from the edge and by rank; rank 0 is none.
    SHELTER 4 * 8;
    /// Enemy pawns on these files that can advance, in the same order.
    STORM 4 * 8;
    /// Enemy pawns on these files that are blocked by a pawn, by rank.
    STORM_BLOCKED 8;
    /// The king's file without pawns; without own pawns.
    KING_OPEN 1;
    KING_HALF_OPEN 1;
    /// Knights and bishops near the own king.
    KING_GUARDS 1;
    /// What is attacked by a pawn, a minor piece, a rook: pawn, knight, bishop, rook, queen.
    PAWN_THREAT 5;
    MINOR_THREAT 5;
    ROOK_THREAT 5;
    /// What is attacked and not defended.
    HANGING 5;
    /// Weak pieces that the king attacks.
    KING_THREAT 1;
    /// Enemy pieces that a safe pawn step would attack.
    STEP_THREAT 1;
    /// Safe squares from which a knight, a slider would attack the queen.
    QUEEN_THREAT 2;
    /// Squares the enemy can use less because we attack them too.
    RESTRICTED 1;
    /// Safe squares in the own centre, times pieces.
    SPACE 1;
    /// The right to move.
    TEMPO 1;
}

layout! {
    PRESSURE_GROUPS, PRESSURE:
    /// Always there.
    BASE 1;
    /// Knights, bishops, rooks, queens that attack the ring around the king.
    ATTACKERS 4;
    /// Squares of the ring they attack, each counted.
    RING_ATTACKS 4;
    /// Squares of the ring that we attack and the enemy hardly defends.
    WEAK_RING 1;
    /// Safe checks by knight, bishop, rook, queen: one; more than one.
    SAFE_CHECK 4;
    MORE_SAFE_CHECKS 4;
    /// Checks that cost the piece.
    UNSAFE_CHECKS 1;
    /// No queen to attack with.
    NO_QUEEN 1;
    /// Files at the king without enemy pawns.
    OPEN_FILES 1;
    /// Enemy pawns that shield their king.
    SHIELD 1;
    /// Enemy pieces pinned to their king.
    PINNED 1;
    /// On the king's wing: squares attacked, attacked twice, defended.
    WING_ATTACKED 1;
    WING_ATTACKED_TWICE 1;
    WING_DEFENDED 1;
    /// The enemy has a knight near his king.
    KNIGHT_GUARD 1;
    /// No pawn at all on the king's wing.
    NO_PAWNS 1;
    /// Our pawns that attack the ring.
    PAWN_ATTACKS 1;
}
