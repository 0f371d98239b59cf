//! CSA records: what is read is written so that it reads the same.
#![no_main]

use libfuzzer_sys::fuzz_target;
use senbon_games::shogi::record::csa;

fuzz_target!(|text: &str| {
    for record in csa::read_all(text).into_iter().flatten() {
        let _ = record.result();
        let written = csa::write(&record);
        let again = csa::read(&written).expect("what was written is read");
        assert_eq!(csa::write(&again), written);
    }
});
