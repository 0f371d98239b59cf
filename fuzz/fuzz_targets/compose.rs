//! `senbon.toml`: any text is read or refused with an error that points at a line; what is read
//! holds to the limits, and each of its voters can be taken alone.
#![no_main]

use libfuzzer_sys::fuzz_target;
use senbon_engines::compose::Composition;

fuzz_target!(|text: &str| match text.parse::<Composition>() {
    Ok(composition) => {
        assert!(composition.workers() <= 4096);
        let _ = composition.kind();
        for name in composition.voters() {
            let alone = composition.only(name).expect("a voter there is");
            assert_eq!(alone.voters(), [name]);
            assert!(alone.workers() <= composition.workers());
        }
    }
    Err(error) => {
        let error = error.to_string();
        let number = error.strip_prefix("line ").and_then(|rest| rest.split([' ', ':']).next());
        let line: usize = number.and_then(|text| text.parse().ok()).expect("a line");
        assert!(line <= text.lines().count().max(1) + 1, "{error}");
    }
});
