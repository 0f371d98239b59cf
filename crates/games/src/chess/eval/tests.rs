//! The evaluation: symmetric, incremental parts equal to those from scratch, weights in use.

use cozy_chess::{BoardBuilder, Color, Square};

use super::*;
use crate::{Evaluator, Game, Notation, Rng};

/// Calls `check` at many positions of random games, weakly played so that anything occurs.
fn walk(games: usize, check: impl Fn(&Chess)) {
    let mut rng = Rng::new(senbon_testkit::seed());
    for game in 0..games {
        let start = Chess::chess960_start(rng.below(960) as u32);
        let mut position = start.filter(|_| game % 2 == 0).unwrap_or_else(Chess::start);
        for _ in 0..160 {
            check(&position);
            let moves = position.moves();
            let Some(&mv) = rng.pick(&moves) else { break };
            position.play(mv);
        }
    }
}

/// The same position with colours exchanged.
fn flipped(position: &Chess) -> Chess {
    let old = BoardBuilder::from_board(position.board());
    let mut new = BoardBuilder::empty();
    for square in Square::ALL {
        *new.square_mut(square.flip_rank()) =
            old.square(square).map(|(piece, color)| (piece, !color));
    }
    for color in Color::ALL {
        *new.castle_rights_mut(!color) = *old.castle_rights(color);
    }
    new.side_to_move = !old.side_to_move;
    new.en_passant = old.en_passant.map(Square::flip_rank);
    new.halfmove_clock = old.halfmove_clock;
    Chess::from_board(new.build().unwrap(), position.is_chess960())
}

#[test]
fn colours_are_equal() {
    walk(200, |position| {
        let text = position.format_position();
        let value = ChessEvaluator::default().evaluate(position);
        assert_eq!(ChessEvaluator::default().evaluate(&flipped(position)), value, "{text}");
        assert!(value.abs() < <ChessEvaluator as Evaluator<Chess>>::LIMIT, "{text}");
    });
}

/// What the tuner sees is what is evaluated.
#[test]
fn features_and_weights_give_the_value() {
    walk(200, |position| {
        let Some(expected) = tuning::value_of(position) else { return };
        let board = position.board();
        let fade = 1.0 - f32::from(board.halfmove_clock()) / 256.0;
        let value = ChessEvaluator::default().evaluate(position) * sign(board.side_to_move());
        let error = (value as f32 - expected * fade).abs();
        assert!(error <= 5.0, "{value} for {expected}: {}", position.format_position());
    });
}

/// A remembered skeleton gives what a fresh one does.
#[test]
fn the_cache_changes_nothing() {
    let shared = std::cell::RefCell::new(ChessEvaluator::default());
    walk(60, |position| {
        let fresh = ChessEvaluator::default().evaluate(position);
        assert_eq!(shared.borrow_mut().evaluate(position), fresh);
    });
}

fn value(text: &str) -> i32 {
    let position = Chess::parse_position(text).unwrap();
    ChessEvaluator::default().evaluate(&position)
}

#[test]
fn material_counts() {
    let start = Chess::start().format_position();
    assert!(value(&start).abs() < 60, "the start is about even");
    for (without, least) in [
        ("rnbqkbnr/ppppppp1/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 40),
        ("r1bqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 200),
        ("1nbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQk - 0 1", 300),
        ("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 600),
    ] {
        assert!(value(without) > least, "{without}: {}", value(without));
    }
}

#[test]
fn drawish_end_games_are_worth_little() {
    for text in [
        // A minor piece or two knights cannot win; rook against bishop hardly.
        "8/8/4k3/8/8/2NK4/8/8 w - - 0 1",
        "8/8/4k3/8/8/2NKN3/8/8 w - - 0 1",
        "8/8/4kb2/8/8/2RK4/8/8 w - - 0 1",
        // The bishop does not guard the corner.
        "k7/8/8/P7/8/3KB3/8/8 w - - 0 1",
    ] {
        assert!(value(text).abs() < 80, "{text}: {}", value(text));
    }
    assert!(value("8/8/4k3/7P/8/3KB3/8/8 w - - 0 1") > 200, "not in the corner");
}

#[test]
fn a_bare_king_is_driven_to_the_edge() {
    let centre = value("8/8/8/4k3/8/3K4/8/R7 w - - 0 1");
    let edge = value("4k3/8/4K3/8/8/8/8/R7 w - - 0 1");
    assert!(1_000 < centre && centre < edge, "{centre} {edge}");
    // With bishop and knight only a corner of the bishop's colour helps.
    let right = value("7k/8/5K2/8/8/8/8/B5N1 w - - 0 1");
    let wrong = value("k7/8/2K5/8/8/8/8/B5N1 w - - 0 1");
    assert!(wrong < right, "{wrong} {right}");
}

#[test]
fn layouts_fit() {
    let total = |groups: &Groups| groups.iter().map(|&(_, len)| len).sum::<usize>();
    assert_eq!(total(LINEAR_GROUPS), layout::LINEAR);
    assert_eq!(total(PRESSURE_GROUPS), layout::PRESSURE);
    assert_eq!(layout::TEMPO, layout::LINEAR - 1, "groups follow each other without gaps");
}
