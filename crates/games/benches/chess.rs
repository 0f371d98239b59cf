//! Chess perft through [`Game`](senbon_games::Game) against the same count on bare
//! `cozy-chess` boards, and the speed of the PGN reader.
//!
//! Both sides take turns, so that a busy machine disturbs them alike; the medians count.
#![allow(clippy::disallowed_methods)] // A benchmark looks at the clock.

use std::hint::black_box;
use std::time::Instant;

use cozy_chess::Board;
use senbon_games::chess::Chess;
use senbon_games::chess::pgn::{GameResult, Reader, Record};
use senbon_games::{Game, Notation, Rng, perft};

const ROUNDS: usize = 15;
const POSITIONS: [(&str, u32); 4] = [
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 5),
    ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 4),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 6),
    ("r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", 4),
];

fn main() {
    compare_perft();
    time_pgn();
}

fn compare_perft() {
    let positions = POSITIONS
        .map(|(text, depth)| (Chess::parse_position(text).expect("a valid position"), depth));
    let (mut game_ns, mut raw_ns) = (Vec::new(), Vec::new());
    let mut nodes = 0;
    for _ in 0..ROUNDS {
        let start = Instant::now();
        let counted: u64 =
            positions.iter().map(|(position, depth)| perft(&mut position.clone(), *depth)).sum();
        game_ns.push(start.elapsed().as_nanos());
        let start = Instant::now();
        let expected: u64 =
            positions.iter().map(|(position, depth)| raw_perft(position.board(), *depth)).sum();
        raw_ns.push(start.elapsed().as_nanos());
        assert_eq!(counted, expected);
        nodes = counted;
    }
    let (game, raw) = (median(game_ns), median(raw_ns));
    let rate = |ns: u128| nodes as f64 * 1e3 / ns as f64;
    println!(
        "chess perft: {:.0} Mnps through Game, {:.0} Mnps on cozy-chess, ratio {:.3} (wanted: 0.9)",
        rate(game),
        rate(raw),
        raw as f64 / game as f64
    );
}

/// Counting with nothing but the rules crate, in bulk at the last ply.
fn raw_perft(board: &Board, depth: u32) -> u64 {
    let mut leaves = 0;
    if depth == 1 {
        board.generate_moves(|moves| {
            leaves += moves.len() as u64;
            false
        });
        return leaves;
    }
    board.generate_moves(|moves| {
        for mv in moves {
            let mut after = board.clone();
            after.play_unchecked(mv);
            leaves += raw_perft(&after, depth - 1);
        }
        false
    });
    leaves
}

/// Reads a file of random games, with and without playing the moves through.
fn time_pgn() {
    let mut rng = Rng::new(1);
    let mut file = String::new();
    while file.len() < 4_000_000 {
        file += &random_game(&mut rng).to_string();
    }
    let bytes = file.as_bytes();
    let (mut read_ns, mut play_ns) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        let start = Instant::now();
        let games = Reader::new(bytes).filter(|game| black_box(game).is_ok()).count();
        assert!(games > 1_000);
        read_ns.push(start.elapsed().as_nanos());
        let start = Instant::now();
        let plies = |game: Record| game.moves().expect("legal moves").len();
        black_box(Reader::new(bytes).map(|game| plies(game.expect("a valid game"))).sum::<usize>());
        play_ns.push(start.elapsed().as_nanos());
    }
    let rate = |ns: u128| bytes.len() as f64 * 1e3 / ns as f64;
    println!(
        "PGN: {:.0} MB/s read, {:.0} MB/s read and played (wanted: 50 read)",
        rate(median(read_ns)),
        rate(median(play_ns))
    );
}

fn random_game(rng: &mut Rng) -> Record {
    let start = Chess::start();
    let (mut position, mut moves) = (start.clone(), Vec::new());
    for _ in 0..90 {
        let legal = position.moves();
        let Some(&mv) = rng.pick(&legal) else { break };
        position.play(mv);
        moves.push(mv);
    }
    let mut record = Record::from_moves(&start, &moves, GameResult::Draw);
    for name in ["Event", "Site", "Date", "Round", "White", "Black"] {
        record.tags.push((name.into(), "Somebody, Somewhere".into()));
    }
    record
}

fn median(mut times: Vec<u128>) -> u128 {
    times.sort_unstable();
    times[times.len() / 2]
}
