//! SGF: a record that is accepted can be replayed, and is the same written and read again.
#![no_main]

use libfuzzer_sys::fuzz_target;
use senbon_games::Game;
use senbon_games::go::{Rules, sgf};

fuzz_target!(|text: &str| {
    let Ok(record) = sgf::read(text, Rules::CHINESE) else { return };
    let mut go = record.start.clone();
    for &mv in &record.moves {
        assert_eq!(go.check(mv), Ok(()));
        go.play(mv);
    }
    let again = sgf::read(&sgf::write(&record), Rules::CHINESE).expect("what was written is read");
    assert_eq!(again.moves, record.moves);
    assert_eq!(again.end().key(), go.key());
});
