//! EPD: any line is read or refused, and so are the moves in it.
#![no_main]

use libfuzzer_sys::fuzz_target;
use senbon_games::chess::Epd;

fuzz_target!(|line: &str| {
    if let Ok(epd) = Epd::parse(line) {
        for operation in &epd.operations {
            let _ = epd.moves(&operation.code);
            let _ = epd.text(&operation.code);
        }
    }
});
