//! Published perft counts.

use std::sync::atomic::{AtomicUsize, Ordering};

use senbon_games::chess::Epd;
use senbon_games::perft;

/// A position and its counts by depth.
struct Entry {
    epd: Epd,
    counts: Vec<(u32, u64)>,
}

fn entries(table: &str, limit: u64) -> Vec<Entry> {
    let lines = table.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#'));
    lines
        .map(|line| {
            let epd = Epd::parse(line).unwrap_or_else(|e| panic!("{line}: {e}"));
            let count = |operation: &senbon_games::chess::Operation| {
                let depth = operation.code.strip_prefix('D')?.parse().ok()?;
                let nodes = operation.operands.first()?.parse().ok()?;
                (nodes <= limit).then_some((depth, nodes))
            };
            let counts: Vec<_> = epd.operations.iter().filter_map(count).collect();
            Entry { epd, counts }
        })
        .collect()
}

/// Checks all counts on two threads; says how much that was.
fn check(name: &str, entries: &[Entry]) {
    let next = AtomicUsize::new(0);
    let worker = || {
        while let Some(entry) = entries.get(next.fetch_add(1, Ordering::Relaxed)) {
            for &(depth, nodes) in &entry.counts {
                let mut position = entry.epd.position.clone();
                let counted = perft(&mut position, depth);
                assert_eq!(counted, nodes, "depth {depth} of {:?}", entry.epd.position.board());
            }
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(worker);
        scope.spawn(worker);
    });
    let counts: usize = entries.iter().map(|entry| entry.counts.len()).sum();
    let nodes: u64 = entries.iter().flat_map(|entry| &entry.counts).map(|&(_, n)| n).sum();
    eprintln!("{name}: {counts} counts of {} positions right, {nodes} nodes", entries.len());
}

#[test]
fn own_table() {
    check("own table", &entries(include_str!("../data/chess-perft.epd"), u64::MAX));
}

#[test]
fn standard_positions_up_to_ten_million() {
    if let Some(table) = senbon_testkit::reference_text("chess/perft-standard.epd") {
        check("standard", &entries(&table, 10_000_000));
    }
}

#[test]
fn chess960_positions_up_to_one_million() {
    if let Some(table) = senbon_testkit::reference_text("chess/perft-chess960.epd") {
        check("Chess960", &entries(&table, 1_000_000));
    }
}
