//! Lines broken at random: nothing panics, and what was understood is written so that it is
//! understood again.

use senbon_engines::universal::{Command, Dialect, Reply};
use senbon_games::Rng;
use senbon_testkit::{long, seed};

const LINES: [&str; 29] = [
    "uci",
    "debug on",
    "setoption name Move Overhead value 10",
    "setoption name Clear Hash",
    "register name Stefan code 4359874324",
    "position startpos moves e2e4 e7e5 g1f3",
    "position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 moves e1g1",
    "position sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1 moves 7g7f",
    "go ponder wtime 300000 btime 300000 winc 2000 binc 2000 movestogo 40",
    "go btime 0 wtime 0 byoyomi 10000",
    "go mate infinite",
    "go depth 8 nodes 100000 mate 3 movetime 100 searchmoves e2e4 d2d4",
    "gameover lose",
    "id name Stockfish 15.1",
    "option name Hash type spin default 16 min 1 max 33554432",
    "option name Style type combo default Normal var Solid var Normal var Risky",
    "option name Path type string default <empty>",
    "info depth 20 seldepth 31 multipv 1 score cp -13 lowerbound nodes 99 nps 7 time 5 pv e2e4",
    "info score mate -3 hashfull 1000 tbhits 0 currmove e2e4 currmovenumber 1 wdl 1 2 3",
    "info refutation d1h5 g6h5 currline 1 e2e4 string some text",
    "bestmove e2e4 ponder e7e5",
    "bestmove resign",
    "checkmate 2b1a+ 1c1b",
    "registration checking",
    "harvest 8 startpos moves e2e4 e7e5",
    "harvest 256 fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
    "harvest depth 7 score mate -3 best g8f6 moves e2e4 e7e5 g1f3",
    "harvestok",
    "id harvest 256",
];

/// One or a few changes: bytes replaced, dropped, doubled; words from other lines.
fn break_line(line: &str, rng: &mut Rng) -> String {
    let mut bytes = line.as_bytes().to_vec();
    for _ in 0..=rng.below(4) {
        let at = rng.below(bytes.len() + 1);
        match rng.below(6) {
            0 => bytes.insert(at, rng.next_u64() as u8),
            1 => bytes.insert(at, *rng.pick(b" \t\0-+9<").unwrap_or(&b' ')),
            2 if at < bytes.len() => drop(bytes.remove(at)),
            3 => bytes.truncate(at),
            4 if at < bytes.len() => bytes[at] = rng.next_u64() as u8,
            _ => {
                let other = rng.pick(&LINES).copied().unwrap_or_default();
                let words: Vec<&str> = other.split(' ').collect();
                let word = format!(" {} ", rng.pick(&words).copied().unwrap_or_default());
                bytes.splice(at..at, word.bytes());
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[test]
fn what_is_understood_is_understood_again() {
    let seed = seed();
    let mut rng = Rng::new(seed);
    let rounds = if long() { 3_000_000 } else { 60_000 };
    let mut understood = [0; 2];
    for round in 0..rounds {
        let line = break_line(LINES[round % LINES.len()], &mut rng);
        for dialect in [Dialect::Uci, Dialect::Usi] {
            let place = || format!("seed {seed}: {dialect:?} {line:?}");
            if let Ok(command) = Command::parse(dialect, &line) {
                let text = command.format(dialect);
                let again = Command::parse(dialect, &text);
                let again = again.unwrap_or_else(|e| panic!("{text:?}: {e}: {}", place()));
                assert_eq!(again.format(dialect), text, "{}", place());
                understood[0] += 1;
            }
            if let Ok(reply) = Reply::parse(dialect, &line) {
                let text = reply.format(dialect);
                let again = Reply::parse(dialect, &text);
                let again = again.unwrap_or_else(|e| panic!("{text:?}: {e}: {}", place()));
                assert_eq!(again.format(dialect), text, "{}", place());
                understood[1] += 1;
            }
        }
    }
    assert!(understood.iter().all(|&count| count > rounds / 10), "{understood:?}: too broken");
}
