//! Shogi move counts against published ones.
#![allow(clippy::unwrap_used)]

use senbon_games::shogi::Shogi;
use senbon_games::{Notation, perft};

/// Checks each line `sfen ;D1 n ;D2 n … ; id name` up to counts of `limit`.
fn check(table: &str, limit: u64) -> usize {
    let mut counts = 0;
    for line in table.lines().filter(|line| !line.starts_with('#') && !line.is_empty()) {
        let mut parts = line.split(';');
        let sfen = parts.next().unwrap().trim();
        let mut game = Shogi::parse_position(sfen).unwrap_or_else(|e| panic!("{sfen}: {e}"));
        let before = game.clone();
        for part in parts {
            let Some(count) = part.trim().strip_prefix('D') else { continue };
            let (depth, nodes) = count.split_once(' ').unwrap();
            let nodes: u64 = nodes.trim().parse().unwrap();
            if nodes > limit {
                continue;
            }
            assert_eq!(perft(&mut game, depth.parse().unwrap()), nodes, "{sfen} depth {depth}");
            counts += 1;
        }
        assert_eq!(game, before);
    }
    counts
}

#[test]
fn own_table() {
    assert!(check(include_str!("data/shogi_perft.txt"), 1_000_000) > 20);
}

#[test]
fn published_counts() {
    for file in ["shogi/shogi_named_perft.txt", "shogi/shogi_edge_perft.txt"] {
        if let Some(table) = senbon_testkit::reference_text(file) {
            assert!(check(&table, 20_000_000) >= 4);
        }
    }
}
