//! KIF records: any text is read or refused; what is read can be played through.
#![no_main]

use libfuzzer_sys::fuzz_target;
use senbon_games::Notation;
use senbon_games::shogi::Shogi;
use senbon_games::shogi::record::kif;

fuzz_target!(|text: &str| {
    if let Ok(record) = kif::read(text) {
        let _ = record.result();
        let last = record.last_position().format_position();
        assert!(Shogi::parse_position(&last).is_ok(), "{last}");
    }
});
