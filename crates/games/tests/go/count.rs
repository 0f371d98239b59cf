//! Counts that others have published.

use std::collections::BTreeSet;

use senbon_games::go::{Go, Rules};
use senbon_games::{Game, Notation, perft};

use crate::{no_komi, position};

/// The number of ways to play `depth` moves, where two passes end the game.
fn games(go: &mut Go, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    if go.ended().is_some() {
        return 0;
    }
    let mut count = 0;
    for mv in go.moves() {
        let undo = go.play(mv);
        count += games(go, depth - 1);
        go.take_back(mv, undo);
    }
    count
}

/// The counts in the tests of `board-game` 0.8.2.
#[test]
fn published_counts_of_games() {
    let long = senbon_testkit::long();
    let cases: [(Go, &[u64]); 5] = [
        (
            Go::new(3, Rules::TROMP_TAYLOR),
            &[1, 10, 91, 738, 5_281, 33_384, 180_768, 857_576, 3_474_312],
        ),
        (Go::new(3, Rules::CHINESE), &[1, 10, 91, 738, 5_281, 33_384, 179_712, 842_696, 3_271_208]),
        (Go::new(5, Rules::CHINESE), &[1, 26, 651, 15_650, 361_041, 7_984_104]),
        (Go::new(19, Rules::CHINESE), &[1, 362, 130_683, 47_046_242]),
        (
            position("1O1XO/OXXXO/O1XOO/XXXO1/OOOO1 b - 0 0/0 0 tromp-taylor"),
            &[1, 5, 26, 121, 925, 8_451, 87_647],
        ),
    ];
    for (mut go, expected) in cases {
        for (depth, &count) in expected.iter().enumerate() {
            if long || count < 1_000_000 {
                assert_eq!(games(&mut go, depth as u32), count, "depth {depth} of {go:?}");
            }
        }
    }
}

/// The common count goes on after two passes; up to there it is the same.
#[test]
fn perft_on_a_small_board() {
    let mut go = Go::new(3, Rules::CHINESE);
    assert_eq!([1, 2].map(|depth| perft(&mut go, depth)), [10, 91]);
    // 738 and the ten answers to pass, pass.
    assert_eq!(perft(&mut go, 3), 748);
}

/// Tromp and Farnebäck, "Combinatorics of Go": how many positions have no chain without
/// liberty. We count those that we accept as a position to start from.
#[test]
fn accepted_positions_are_the_legal_ones() {
    for (size, expected) in [(2, 57), (3, 12_675)] {
        let points = size * size;
        let mut legal = 0;
        for colouring in 0..3_usize.pow(points as u32) {
            let mut rest = colouring;
            let mut text = String::new();
            for i in 0..points {
                if i > 0 && i % size == 0 {
                    text.push('/');
                }
                text.push(['.', 'X', 'O'][rest % 3]);
                rest /= 3;
            }
            legal += usize::from(Go::parse_position(&text).is_ok());
        }
        assert_eq!(legal, expected, "{size}");
    }
}

/// The same counts by playing: every legal position can be reached from the empty board if
/// passing is free, and nothing else can.
#[test]
fn reachable_positions_are_the_legal_ones() {
    for (size, expected) in [(2, 57), (3, 12_675)] {
        for suicide in [false, true] {
            let rules =
                no_komi(Rules { suicide, ko: senbon_games::go::Ko::Simple, ..Rules::CHINESE });
            let empty = Go::new(size, rules).format_position();
            let rows = |text: &str| text.split(' ').next().unwrap().to_owned();
            let mut seen = BTreeSet::from([rows(&empty)]);
            let mut todo = vec![rows(&empty)];
            while let Some(text) = todo.pop() {
                for side in ["b", "w"] {
                    let mut go = position(&format!("{text} {side} - 0 0/0 0 {rules}"));
                    for mv in go.moves() {
                        let undo = go.play(mv);
                        let after = rows(&go.format_position());
                        go.take_back(mv, undo);
                        if seen.insert(after.clone()) {
                            todo.push(after);
                        }
                    }
                }
            }
            assert_eq!(seen.len(), expected, "{size}, suicide {suicide}");
        }
    }
}
