//! UCI and USI, both directions: what is understood is written so that it is understood again.
#![no_main]

use libfuzzer_sys::fuzz_target;
use senbon_engines::universal::{Command, Dialect, Reply};

fuzz_target!(|line: &str| {
    for dialect in [Dialect::Uci, Dialect::Usi] {
        if let Ok(command) = Command::parse(dialect, line) {
            let text = command.format(dialect);
            let again = Command::parse(dialect, &text).expect("read again");
            assert_eq!(again.format(dialect), text);
        }
        if let Ok(reply) = Reply::parse(dialect, line) {
            let text = reply.format(dialect);
            let again = Reply::parse(dialect, &text).expect("read again");
            assert_eq!(again.format(dialect), text);
        }
    }
});
