//! What the evaluation promises: symmetry, running sums that agree with fresh ones, and a
//! trace that says what the evaluation does.

use super::*;
use crate::{Game, Notation, Rng, Tactics};

/// Positions of random games, more of them quiet than not.
fn random_positions(games: usize) -> Vec<Shogi> {
    let mut rng = Rng::new(senbon_testkit::seed());
    let mut positions = Vec::new();
    for _ in 0..games {
        let mut game = Shogi::start();
        for _ in 0..200 {
            let moves = game.moves();
            let Some(&mv) = rng.pick(moves.as_slice()) else { break };
            game.play(mv);
            positions.push(game.clone());
        }
    }
    positions
}

/// The position in a text changed by `change`, which gets the letters of each row and whether
/// the hands' case is to be swapped.
fn turned(game: &Shogi) -> Shogi {
    let text = game.format_position();
    let mut fields = text.split(' ');
    let (board, side, hands) =
        (fields.next().unwrap(), fields.next().unwrap(), fields.next().unwrap());
    let swap = |text: &str| -> String {
        let one = |c: char| {
            if c.is_ascii_uppercase() { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() }
        };
        text.chars().map(one).collect()
    };
    let board = swap(&backwards(board));
    let side = if side == "b" { "w" } else { "b" };
    Shogi::parse_position(&format!("{board} {side} {} 1", swap(hands))).unwrap()
}

fn mirrored(game: &Shogi) -> Shogi {
    let text = game.format_position();
    let (board, rest) = text.split_once(' ').unwrap();
    let rows: Vec<String> = board.split('/').map(backwards).collect();
    Shogi::parse_position(&format!("{} {rest}", rows.join("/"))).unwrap()
}

/// Cells in the opposite order, a plus sign staying before its letter.
fn backwards(text: &str) -> String {
    let mut cells: Vec<String> = Vec::new();
    let mut promoted = false;
    for letter in text.chars() {
        match letter {
            '+' => promoted = true,
            _ => {
                cells.push(format!("{}{letter}", if promoted { "+" } else { "" }));
                promoted = false;
            }
        }
    }
    cells.reverse();
    cells.concat()
}

#[test]
fn colours_and_wings_are_alike() {
    for game in random_positions(20) {
        let value = ShogiEvaluator::default().evaluate(&game);
        let turned = ShogiEvaluator::default().evaluate(&turned(&game));
        assert!((turned - value).abs() <= 1, "{value} but turned {turned}: {game:?}");
        assert_eq!(ShogiEvaluator::default().evaluate(&mirrored(&game)), value, "{game:?}");
    }
}

#[test]
fn running_sums_agree_with_fresh_ones() {
    let mut rng = Rng::new(senbon_testkit::seed());
    for _ in 0..20 {
        let mut game = Shogi::start();
        let mut running = ShogiEvaluator::default();
        running.reset(&game);
        for _ in 0..200 {
            let moves = game.moves();
            let Some(&mv) = rng.pick(moves.as_slice()) else { break };
            let before = running.evaluate(&game);
            for &mv in moves.as_slice() {
                running.played(&game, mv);
                let undo = game.play(mv);
                let fresh = ShogiEvaluator::default().evaluate(&game);
                assert_eq!(running.evaluate(&game), fresh, "{mv:?} led to {game:?}");
                game.take_back(mv, undo);
                running.taken_back();
            }
            assert_eq!(running.evaluate(&game), before);
            if let Some(undo) = game.pass() {
                let fresh = ShogiEvaluator::default().evaluate(&game);
                assert_eq!(running.evaluate(&game), fresh, "pass at {game:?}");
                game.take_back_pass(undo);
            }
            running.played(&game, mv);
            game.play(mv);
        }
    }
}

#[test]
fn the_trace_adds_up_to_the_value() {
    let [linear, pressure] = current_weights();
    let sum = |counts: &[(u16, i16)], weights: &[(f32, f32)]| {
        counts.iter().fold((0.0, 0.0), |(opening, fight), &(feature, count)| {
            let weight = weights[usize::from(feature)];
            (opening + weight.0 * f32::from(count), fight + weight.1 * f32::from(count))
        })
    };
    for game in random_positions(10) {
        let trace = Trace::new(&game);
        let (opening, fight) = sum(&trace.linear, &linear);
        let [black, white] = [0, 1].map(|side| sum(&trace.pressure[side], &pressure));
        let held = |x: (f32, f32)| x.0.max(0.0) / OPENING_DIVISOR as f32;
        let squared = |x: (f32, f32)| x.1 * x.1.max(0.0) / SQUARE_DIVISOR as f32;
        let value = (1.0 - trace.fight) * (opening + held(black) - held(white))
            + trace.fight * (fight + squared(black) - squared(white));
        let sign = if game.position().side_to_move() == Color::Black { 1.0 } else { -1.0 };
        let ours = ShogiEvaluator::default().evaluate(&game) as f32;
        assert!((sign * value - ours).abs() <= 2.0, "{value} for {ours}: {game:?}");
    }
}

#[test]
fn kings_may_be_missing() {
    for sfen in ["4k4/9/9/9/9/9/9/9/9 b 16P 1", "9/9/9/9/9/9/9/9/4K4 w rbgsnlp 1"] {
        let game = Shogi::parse_position(sfen).unwrap();
        assert!(ShogiEvaluator::default().evaluate(&game) > 0);
    }
}

/// What a first look says of a move is what playing it does to pieces and places, blended as
/// before the move; a closer look takes off what an exchange would cost.
#[test]
fn a_glance_says_what_the_move_does() {
    for game in random_positions(8) {
        let position = game.position();
        let mut evaluator = ShogiEvaluator::default();
        evaluator.reset(&game);
        let now = evaluator.seen_by_both(position);
        let progress = progress(position);
        let sign = if position.side_to_move() == Color::Black { 1 } else { -1 };
        let moves = game.moves();
        let mut outlines = Vec::new();
        evaluator.outlines(&game, moves.as_slice(), |outline| outlines.push(outline));
        assert_eq!(outlines.len(), moves.as_slice().len());
        for (&mv, outline) in moves.as_slice().iter().zip(outlines) {
            let then = evaluator.seen_after(position, mv, now);
            let gain = (then[0] - then[1]) - (now[0] - now[1]);
            let blend = (FIGHT - progress) * gain.opening + progress * gain.fight;
            assert_eq!(outline, sign * (blend / (FIGHT * FINENESS)), "{mv:?} at {game:?}");
            let cost = game.gain(mv) - game.exchange(mv).min(game.gain(mv));
            assert!(evaluator.flaw(&game, mv) >= 0);
            assert_eq!(evaluator.glance(&game, mv), outline - cost, "{mv:?} at {game:?}");
        }
    }
}
