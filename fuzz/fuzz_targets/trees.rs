//! Texts of synthetic trees and of Connect Four.
#![no_main]

use libfuzzer_sys::fuzz_target;
use senbon_fuzz::check_position;
use senbon_games::tiny::ConnectFour;
use senbon_games::trees::{Incremental, Regular};
use senbon_games::{Game, Notation};

fuzz_target!(|text: &str| {
    check_position::<Regular>(text);
    check_position::<Incremental>(text);
    // A finished game is a position, but cannot be played on.
    if ConnectFour::parse_position(text).is_ok_and(|position| position.ended().is_none()) {
        check_position::<ConnectFour>(text);
    }
});
