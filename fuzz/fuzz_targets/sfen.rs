//! SFEN: a position that is accepted can be played on, and its moves have names.
#![no_main]

use libfuzzer_sys::fuzz_target;
use senbon_fuzz::check_position;
use senbon_games::shogi::Shogi;

fuzz_target!(|text: &str| {
    check_position::<Shogi>(text);
});
