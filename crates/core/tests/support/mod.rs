//! What the tests of coordinators share.

use senbon_core::Ability;
use senbon_games::Game;
use senbon_games::chess::Chess;

/// A chess worker that can do all but tell what its table holds; speed in nodes a second, 0
/// for unknown.
pub(crate) fn able(speed: u64) -> Ability {
    Ability {
        name: "test".to_owned(),
        game: Chess::NAME.to_owned(),
        speed,
        restricts: true,
        counts_nodes: true,
        harvests: false,
        several_lines: true,
        tasks: false,
        berth: None,
    }
}
