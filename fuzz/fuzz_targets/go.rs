//! Go positions: one that is accepted can be played on, and its moves have names.
#![no_main]

use libfuzzer_sys::fuzz_target;
use senbon_fuzz::check_position;
use senbon_games::go::Go;

fuzz_target!(|text: &str| {
    if let Some(go) = check_position::<Go>(text) {
        let _ = go.score();
    }
});
