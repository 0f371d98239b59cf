//! Frames, orders and reports as they come from the network: whatever is read is written back
//! as the same bytes, and no session is upset by anything.
#![no_main]

use std::time::Duration;

use libfuzzer_sys::fuzz_target;
use senbon_core::session::{Body, Host, HostRules, PeerId, frames};
use senbon_core::wire::Codec;
use senbon_core::{Epoch, Order, Place};
use senbon_games::Notation;
use senbon_games::chess::Chess;
use senbon_games::shogi::Shogi;

fuzz_target!(|bytes: &[u8]| {
    let Some((&first, rest)) = bytes.split_first() else { return };
    match first {
        b'S' | b'P' => message(bytes),
        0 => content::<Chess>(rest),
        _ => content::<Shogi>(rest),
    }
});

fn message(bytes: &[u8]) {
    let all: Vec<_> = frames(bytes).collect();
    assert!(!all.is_empty());
    for (index, read) in all.iter().enumerate() {
        let Ok(frame) = read else {
            assert_eq!(index + 1, all.len(), "nothing is read after what cannot be read");
            continue;
        };
        let again = frame.write();
        // A refusal of another version is read, too, and written as ours.
        let refusal = matches!(frame.body, Body::Refuse { .. });
        assert!(refusal || bytes.windows(again.len()).any(|part| part == again));
        assert!(refusal || bytes[0] == b'P' || again == bytes);
    }
    let mut host = Host::new(HostRules::new(PeerId(0), "chess"));
    let mut now = Duration::ZERO;
    for _ in 0..3 {
        for read in &all {
            host.handle_frame(now, PeerId(1), read.clone(), |_| Ok(()));
        }
        while host.poll_event().is_some() || host.poll_frame(now).is_some() {}
        now += Duration::from_millis(700);
        host.handle_timeout(now);
    }
}

fn content<G: Notation>(bytes: &[u8]) {
    let mut codec = Codec::<G>::default();
    let place = Place::new(G::start());
    codec.write_order(&Order::Harvest { epoch: Epoch(1), place, count: 1 }).expect("written");
    if let Ok(report) = codec.read_report(bytes) {
        let again = codec.write_report(&report).expect("what was read can be written");
        let twice = codec.read_report(&again).expect("what was written can be read");
        assert_eq!(codec.write_report(&twice), Ok(again));
    }
    if let Ok(order) = codec.read_order(bytes) {
        let again = codec.write_order(&order).expect("what was read can be written");
        let twice = codec.read_order(&again).expect("what was written can be read");
        assert_eq!(codec.write_order(&twice), Ok(again));
    }
}
