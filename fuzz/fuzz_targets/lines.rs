//! Any bytes, in two chunks, become lines of bounded length.
#![no_main]

use libfuzzer_sys::fuzz_target;
use senbon_engines::{Line, LineSplitter};

fuzz_target!(|bytes: &[u8]| {
    let limit = usize::from(bytes.first().copied().unwrap_or(0));
    let (front, back) = bytes.split_at(bytes.len() / 2);
    let mut splitter = LineSplitter::new(limit);
    for mut chunk in [front, back] {
        while let Some(line) = splitter.next_line(&mut chunk) {
            check(&line, limit);
        }
    }
    splitter.finish().iter().for_each(|line| check(line, limit));
});

fn check(line: &Line, limit: usize) {
    if let Line::Text(text) = line {
        // A replaced byte takes three.
        assert!(text.len() <= 3 * limit);
        assert!(!text.contains('\n'));
    }
}
