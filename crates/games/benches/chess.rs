//! Chess perft through [`Game`](senbon_games::Game) against the same count on bare
//! `cozy-chess` boards, and the speeds of the PGN reader and of the evaluation.
//!
//! Contenders take turns and are timed by the processor time they use; the medians count.
use std::hint::black_box;

use cozy_chess::Board;
use senbon_games::chess::pgn::{GameResult, Reader, Record};
use senbon_games::chess::{Chess, ChessEvaluator};
use senbon_games::{Evaluator, Game, Notation, Rng, perft};
use senbon_testkit::Rates;

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
    time_evaluation();
}

fn compare_perft() {
    let positions = POSITIONS
        .map(|(text, depth)| (Chess::parse_position(text).expect("a valid position"), depth));
    let total = |count: &dyn Fn(&Chess, u32) -> u64| -> u64 {
        positions.iter().map(|(position, depth)| count(position, *depth)).sum()
    };
    let through_game = || total(&|position, depth| perft(&mut position.clone(), depth));
    let bare = || total(&|position, depth| raw_perft(position.board(), depth));
    assert_eq!(through_game(), bare());
    let rates = Rates::measure(ROUNDS, [&mut { through_game }, &mut { bare }]);
    println!(
        "chess perft: {:.0} Mnps through Game, {:.0} Mnps on cozy-chess, ratio {:.3} (wanted: 0.9)",
        rates.rate(0) / 1e6,
        rates.rate(1) / 1e6,
        rates.ratio(0, 1)
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
    let mut read = || {
        let games = Reader::new(bytes).filter(|game| black_box(game).is_ok()).count();
        assert!(games > 1_000);
        bytes.len() as u64
    };
    let mut play = || {
        let plies = |game: Record| game.moves().expect("legal moves").len();
        black_box(Reader::new(bytes).map(|game| plies(game.expect("a valid game"))).sum::<usize>());
        bytes.len() as u64
    };
    let rates = Rates::measure(ROUNDS, [&mut read, &mut play]);
    println!(
        "PGN: {:.0} MB/s read, {:.0} MB/s read and played (wanted: 50 read)",
        rates.rate(0) / 1e6,
        rates.rate(1) / 1e6
    );
}

/// Evaluates all positions of some random games, each after the other as a search would.
fn time_evaluation() {
    let mut rng = Rng::new(2);
    let mut positions = Vec::new();
    for _ in 0..100 {
        let mut position = Chess::start();
        for _ in 0..90 {
            let legal = position.moves();
            let Some(&mv) = rng.pick(&legal) else { break };
            position.play(mv);
            positions.push(position.clone());
        }
    }
    let mut evaluator = ChessEvaluator::default();
    let mut evaluate = || {
        let total: i64 = positions.iter().map(|p| i64::from(evaluator.evaluate(p))).sum();
        black_box(total);
        positions.len() as u64
    };
    let rates = Rates::measure(ROUNDS, [&mut evaluate]);
    println!("chess evaluation: {:.2} million a second", rates.rate(0) / 1e6);
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
