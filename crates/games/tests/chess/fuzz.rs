//! Random edits of valid texts: whatever comes in, nothing panics, and what is accepted can
//! be used.

use senbon_games::chess::pgn::Reader;
use senbon_games::chess::{Chess, Epd, San};
use senbon_games::{Game, Notation, Rng};

use super::{VARIED, position};

const PGN: &str = "[Event \"x \\\" y\"]\n[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\n\n\
    {hi} 1. O-O! Ke7 $3 (1... Kd7 {a\nb} 2. Rf7+ ; rest\n (2. Kf2)) 2. Rf7+?! 1/2-1/2\n\n\
    % esc\n[Event \"2\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 *\n";
const EPD: &str = "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 3 9 bm exd6 O-O-O; id \"a; b\"; hmvc 4;";
const SANS: [&str; 8] = ["e4", "Nbd2+", "exd5!?", "O-O-O#", "a8=Q", "Ra1xb1", "--", "0-0"];

fn rounds() -> usize {
    if senbon_testkit::long() { 300_000 } else { 20_000 }
}

/// Changes, drops, doubles or inserts a few bytes.
fn mutate(rng: &mut Rng, text: &str) -> Vec<u8> {
    let alphabet = b"abcdefgh12345678KQRBNPkqrbnpwOox+#=!?-/ \n\r\t\"\\;{}()[]$%*.0\xff\xc3\x00";
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..1 + rng.below(4) {
        let at = rng.below(bytes.len() + 1);
        let byte = *rng.pick(alphabet).unwrap();
        match rng.below(4) {
            0 => bytes.insert(at, byte),
            1 if at < bytes.len() => bytes[at] = byte,
            2 if at < bytes.len() => drop(bytes.remove(at)),
            _ => {
                let end = (at + rng.below(9)).min(bytes.len());
                let part = bytes[at..end].to_vec();
                bytes.splice(at..at, part);
            }
        }
    }
    bytes
}

/// What was accepted must play.
fn use_position(position: &Chess) {
    let text = position.format_position();
    let again = Chess::parse_position(&text).unwrap_or_else(|e| panic!("{text}: {e}"));
    assert_eq!(again.key(), position.key(), "{text}");
    let mut position = position.clone();
    for mv in position.moves() {
        assert_eq!(position.parse_san(&position.format_san(mv)), Ok(mv), "{text}");
        let undo = position.play(mv);
        position.count_moves();
        position.outcome();
        position.take_back(mv, undo);
    }
}

#[test]
fn fens() {
    let mut rng = Rng::new(senbon_testkit::seed());
    let mut accepted = 0;
    for _ in 0..rounds() {
        let original = *rng.pick(&VARIED).unwrap();
        let text = mutate(&mut rng, original);
        let text = String::from_utf8_lossy(&text);
        match Chess::parse_position(&text) {
            Ok(position) => {
                accepted += 1;
                use_position(&position);
            }
            Err(error) => assert!(error.at <= text.len(), "{text}: {error}"),
        }
    }
    eprintln!("{accepted} changed FENs were still positions");
}

#[test]
fn moves() {
    let mut rng = Rng::new(senbon_testkit::seed());
    let start = position(VARIED[1]);
    for _ in 0..rounds() {
        let original = *rng.pick(&SANS).unwrap();
        let text = mutate(&mut rng, original);
        let text = String::from_utf8_lossy(&text);
        if let Ok(san) = San::parse(&text) {
            assert_eq!(San::parse(&san.to_string()), Ok(san), "{text}");
            let _ = san.resolve(&start);
        }
        let text = mutate(&mut rng, "e7e8q");
        if let Ok(mv) = start.parse_move(&String::from_utf8_lossy(&text)) {
            assert!(start.moves().contains(&mv));
        }
    }
}

#[test]
fn epd_lines() {
    let mut rng = Rng::new(senbon_testkit::seed());
    for _ in 0..rounds() {
        let text = mutate(&mut rng, EPD);
        let text = String::from_utf8_lossy(&text);
        match Epd::parse(&text) {
            Ok(epd) => {
                let _ = epd.moves("bm");
            }
            Err(error) => assert!(error.at <= text.len(), "{text}: {error}"),
        }
    }
}

/// A changed file is read to its end, in at most as many games as it has lines; and what was
/// read is written and read back the same.
#[test]
fn pgn_files() {
    let mut rng = Rng::new(senbon_testkit::seed());
    for _ in 0..rounds() {
        let bytes = mutate(&mut rng, PGN);
        let text = String::from_utf8_lossy(&bytes);
        let lines = bytes.iter().filter(|&&byte| byte == b'\n').count() + 1;
        let mut games = 0;
        for game in Reader::new(&bytes) {
            games += 1;
            match game {
                Ok(record) => {
                    let _ = record.moves();
                    let written = record.to_string();
                    let again = Reader::new(written.as_bytes()).next().unwrap();
                    assert_eq!(again.as_ref(), Ok(&record), "{text}\n---\n{written}");
                }
                Err(error) => assert!(error.line <= lines, "{text}: {error}"),
            }
        }
        assert!(games <= bytes.len(), "{text}");
    }
}
