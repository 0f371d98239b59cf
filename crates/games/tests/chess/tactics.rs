//! Tactical knowledge against slow oracles.

use cozy_chess::{Color, Move, Piece, Square};
use senbon_games::chess::Chess;
use senbon_games::{Game, Notation, Tactics};

use super::{position, walk};

fn games() -> usize {
    if senbon_testkit::long() { 3_000 } else { 240 }
}

#[test]
fn noisy_moves_are_the_noisy_ones_of_all() {
    walk(games(), 150, senbon_testkit::seed(), |position| {
        let text = position.format_position();
        let codes = |moves: Vec<Move>| {
            let mut codes: Vec<u16> = moves.into_iter().map(Chess::code).collect();
            codes.sort_unstable();
            codes
        };
        let noisy: Vec<Move> = position.noisy_moves().into_iter().collect();
        let all = position.moves().into_iter().filter(|&mv| position.is_noisy(mv)).collect();
        assert_eq!(codes(noisy), codes(all), "{text}");
        for mv in position.moves() {
            let pieces = |position: &Chess| position.board().occupied().len();
            let mut after = position.clone();
            after.play(mv);
            let takes = pieces(&after) < pieces(position);
            let expected = match mv.promotion {
                None => takes,
                Some(piece) => piece == Piece::Queen,
            };
            assert_eq!(position.is_noisy(mv), expected, "{mv} in {text}");
        }
    });
}

#[test]
fn gives_check_as_playing_does() {
    walk(games(), 150, senbon_testkit::seed(), |position| {
        for mv in position.moves() {
            let mut after = position.clone();
            after.play(mv);
            let text = position.format_position();
            assert_eq!(position.gives_check(mv), after.in_check(), "{mv} in {text}");
        }
    });
}

#[test]
fn gain_is_the_change_of_material() {
    let material = |position: &Chess, color: Color| -> i32 {
        let value =
            |piece| value(piece) * position.board().colored_pieces(color, piece).len() as i32;
        Piece::ALL.into_iter().map(value).sum()
    };
    walk(games() / 4, 150, senbon_testkit::seed(), |position| {
        let us = position.board().side_to_move();
        let balance = |position: &Chess| material(position, us) - material(position, !us);
        for mv in position.moves() {
            let mut after = position.clone();
            after.play(mv);
            let gain = balance(&after) - balance(position);
            assert_eq!(position.gain(mv), gain, "{mv} in {}", position.format_position());
        }
    });
}

#[test]
fn exchanges_as_the_slow_oracle_finds_them() {
    let mut compared = 0;
    walk(games(), 150, senbon_testkit::seed(), |position| {
        for mv in position.moves() {
            let text = position.format_position();
            assert_eq!(position.exchange(mv), slow_exchange(position, mv), "{mv} in {text}");
            compared += 1;
        }
    });
    eprintln!("{compared} exchanges compared");
}

#[test]
fn exchanges_by_hand() {
    let cases = [
        // A pawn is free.
        ("1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1", "e1e5", 100),
        // Rook and queen line up behind, but the first knight is lost for a pawn.
        ("1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1", "d3e5", 100 - 320),
        // En passant, nobody takes back.
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", 100),
        // The new queen is taken at once.
        ("1r2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7b8q", 500 + 850),
        ("1r1rk3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7b8q", 500 + 850 - 950),
        // A king may not take what is guarded.
        ("8/8/3k4/4p3/8/4R3/4R3/4K3 w - - 0 1", "e3e5", 100),
        ("8/8/3k4/4p3/8/8/4R3/4K3 w - - 0 1", "e2e5", 100 - 500),
        // A quiet move to a square that a pawn guards.
        ("4k3/8/3p4/8/8/8/4N3/4K3 w - - 0 1", "e2f4", 0),
        ("4k3/8/3p4/8/8/2N5/8/4K3 w - - 0 1", "c3e4", 0),
        ("4k3/8/3p4/8/8/6N1/8/4K3 w - - 0 1", "g3f5", 0),
        ("4k3/8/6p1/8/8/6N1/8/4K3 w - - 0 1", "g3f5", -320),
        // Castling is no exchange.
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", 0),
    ];
    for (text, mv, expected) in cases {
        let position = position(text);
        let mv = position.parse_move(mv).unwrap();
        assert_eq!(position.exchange(mv), expected, "{mv} in {text}");
        assert_eq!(slow_exchange(&position, mv), expected, "oracle: {mv} in {text}");
    }
}

/// Passing changes the side to move and nothing else, and is refused where it would be unfair.
#[test]
fn passing() {
    walk(64, 150, senbon_testkit::seed(), |before| {
        let mut position = before.clone();
        match position.pass() {
            Some(undo) => {
                assert_ne!(position.side_to_move(), before.side_to_move());
                assert_ne!(position.key(), before.key());
                assert!(!position.in_check() && !before.in_check());
                assert_eq!(position.board().occupied(), before.board().occupied());
                position.take_back_pass(undo);
            }
            None => {
                let board = before.board();
                let simple = board.pieces(Piece::Pawn) | board.pieces(Piece::King);
                let only_pawns = board.colors(board.side_to_move()).is_subset(simple);
                assert!(before.in_check() || only_pawns, "{}", before.format_position());
            }
        }
        assert_eq!(position, *before);
    });
    assert!(position("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1").pass().is_none());
}

#[test]
fn history_slots_tell_pieces_and_targets_apart() {
    walk(64, 150, senbon_testkit::seed(), |position| {
        for mv in position.moves() {
            let slot = position.history_slot(mv);
            assert!(slot < Chess::HISTORY_SLOTS);
            for other in position.moves() {
                let piece = |mv: Move| position.board().piece_on(mv.from);
                let alike = (piece(mv), mv.to) == (piece(other), other.to);
                assert_eq!(position.history_slot(other) == slot, alike);
            }
        }
    });
}

#[test]
fn order_hints_by_class() {
    let game = position("1n2k3/P3p3/3q4/4P3/8/8/6Q1/3RK3 w - - 0 1");
    let hint = |text: &str| game.order_hint(game.parse_move(text).unwrap());
    let order = ["e5d6", "d1d6", "a7b8q", "e1e2", "a7b8n"].map(hint);
    assert!(order.is_sorted_by(|a, b| a > b), "{order:?}");
    assert_eq!((hint("e1e2"), hint("a7a8r")), (0, -1));
}

fn value(piece: Piece) -> i32 {
    match piece {
        Piece::Pawn => 100,
        Piece::Knight => 320,
        Piece::Bishop => 330,
        Piece::Rook => 500,
        Piece::Queen => 950,
        Piece::King => 20_000,
    }
}

/// Squares of a board, walked over step by step.
type Squares = [Option<(Piece, Color)>; 64];

fn slow_exchange(position: &Chess, mv: Move) -> i32 {
    let board = position.board();
    let us = board.side_to_move();
    if board.colors(us).has(mv.to) {
        return 0;
    }
    let mut squares: Squares = [None; 64];
    for square in Square::ALL {
        squares[square as usize] = board.piece_on(square).zip(board.color_on(square));
    }
    let (moved, _) = squares[mv.from as usize].take().unwrap();
    let mut gain = squares[mv.to as usize].map_or(0, |(piece, _)| value(piece));
    if moved == Piece::Pawn && mv.from.file() != mv.to.file() && gain == 0 {
        squares[Square::new(mv.to.file(), mv.from.rank()) as usize] = None;
        gain = value(Piece::Pawn);
    }
    let placed = mv.promotion.unwrap_or(moved);
    gain += value(placed) - value(moved);
    squares[mv.to as usize] = Some((placed, us));
    gain - best_recapture(&squares, mv.to, !us)
}

/// The most that `side` can win by taking on `target`, or 0 by leaving it.
fn best_recapture(squares: &Squares, target: Square, side: Color) -> i32 {
    let order = [Piece::Pawn, Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen, Piece::King];
    let least = order.into_iter().find_map(|piece| {
        let is_attacker = |&from: &Square| {
            squares[from as usize] == Some((piece, side)) && reaches(squares, from, target)
        };
        Square::ALL.into_iter().find(is_attacker).map(|from| (piece, from))
    });
    let Some((piece, from)) = least else { return 0 };
    let mut after = *squares;
    let victim = after[target as usize].map_or(0, |(piece, _)| value(piece));
    let last_rank = if side == Color::White { 7 } else { 0 };
    let promotes = piece == Piece::Pawn && target.rank() as usize == last_rank;
    let placed = if promotes { Piece::Queen } else { piece };
    after[from as usize] = None;
    after[target as usize] = Some((placed, side));
    let attacked = Square::ALL.into_iter().any(|from| {
        after[from as usize].is_some_and(|(_, color)| color != side)
            && reaches(&after, from, target)
    });
    if piece == Piece::King && attacked {
        return 0;
    }
    let gain = victim + value(placed) - value(piece);
    (gain - best_recapture(&after, target, !side)).max(0)
}

/// Whether the piece on `from` attacks `target`, found by walking.
fn reaches(squares: &Squares, from: Square, target: Square) -> bool {
    let Some((piece, color)) = squares[from as usize] else { return false };
    let files = target.file() as i32 - from.file() as i32;
    let ranks = target.rank() as i32 - from.rank() as i32;
    let forward = if color == Color::White { 1 } else { -1 };
    let is_straight = (files == 0) != (ranks == 0);
    let is_diagonal = files.abs() == ranks.abs() && files != 0;
    match piece {
        Piece::Pawn => files.abs() == 1 && ranks == forward,
        Piece::Knight => files.abs() * ranks.abs() == 2,
        Piece::King => files.abs().max(ranks.abs()) == 1,
        Piece::Bishop if !is_diagonal => false,
        Piece::Rook if !is_straight => false,
        Piece::Queen if !is_diagonal && !is_straight => false,
        _ => (1..files.abs().max(ranks.abs())).all(|step| {
            let between = from.offset((files.signum() * step) as i8, (ranks.signum() * step) as i8);
            squares[between as usize].is_none()
        }),
    }
}
