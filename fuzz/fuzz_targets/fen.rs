//! FEN: a position that is accepted can be played on, and its moves have names.
#![no_main]

use libfuzzer_sys::fuzz_target;
use senbon_fuzz::check_position;
use senbon_games::Game;
use senbon_games::chess::Chess;

fuzz_target!(|text: &str| {
    let Some(position) = check_position::<Chess>(text) else { return };
    for mv in position.moves() {
        assert_eq!(position.parse_san(&position.format_san(mv)), Ok(mv));
    }
});
