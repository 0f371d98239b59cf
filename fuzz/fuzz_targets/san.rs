//! Algebraic notation: syntax survives writing; resolving never fails to answer.
#![no_main]

use libfuzzer_sys::fuzz_target;
use senbon_games::Notation;
use senbon_games::chess::{Chess, San};

/// Castling both ways, promotions, en passant and many pieces of a kind.
const POSITIONS: [&str; 3] = [
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "n1n5/PPP2k2/8/3pP3/8/8/4Kppp/5N1N w - d6 0 1",
    "Q7/6k1/Q1Q5/8/1N3N2/8/8/R5KR w - - 0 1",
];

fuzz_target!(|text: &str| {
    let Ok(san) = San::parse(text) else { return };
    assert_eq!(San::parse(&san.to_string()), Ok(san));
    for fen in POSITIONS {
        let position = Chess::parse_position(fen).expect("a good position");
        if let Ok(mv) = san.resolve(&position) {
            assert!(position.parse_move(&position.format_move(mv)).is_ok());
        }
    }
});
