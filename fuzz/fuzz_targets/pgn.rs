//! PGN: a game that is read is written so that it reads the same.
#![no_main]

use libfuzzer_sys::fuzz_target;
use senbon_games::chess::pgn::Reader;

fuzz_target!(|file: &[u8]| {
    for record in Reader::new(file).flatten() {
        let _ = record.moves();
        let written = record.to_string();
        let again = Reader::new(written.as_bytes()).next().expect("a game").expect("read again");
        assert_eq!(again.to_string(), written);
    }
});
