//! The evaluation for alpha-beta search.

use senbon_games::go::{Go, Influence, Rules};
use senbon_games::{Evaluator, Game, Rng};

use crate::{no_komi, position};

fn value(text: &str) -> i32 {
    Influence.evaluate(&position(text))
}

#[test]
fn colours_are_treated_alike() {
    let mut rng = Rng::new(senbon_testkit::seed());
    let rules = no_komi(Rules::CHINESE);
    for _ in 0..20 {
        let mut go = Go::new(9, rules);
        for _ in 0..60 {
            let moves = go.moves();
            go.play(moves[rng.below(moves.len())]);
        }
        let text = senbon_games::Notation::format_position(&go);
        let (rows, rest) = text.split_once(' ').unwrap();
        let swapped: String = rows
            .chars()
            .map(|c| match c {
                'X' => 'O',
                'O' => 'X',
                c => c,
            })
            .collect();
        let side = if rest.starts_with('b') { "w" } else { "b" };
        let other = position(&format!("{swapped} {side} - 0 0/0 0 {rules}"));
        assert_eq!(Influence.evaluate(&go), Influence.evaluate(&other), "{text}");
    }
}

#[test]
fn more_is_better() {
    assert_eq!(value("9x9 b - 0 0/0 0"), 0);
    assert!(value("9x9 w - 0 0/0 7.5") > value("9x9 w - 0 0/0 0"), "komi");
    assert!(value("5/5/2X2/5/5 b - 0 0/0 0") > value("X4/5/5/5/5 b - 0 0/0 0"), "influence");
    assert!(value("5/1X3/5/5/5 b - 0 0/0 0") > 0, "stones");
    let in_atari = "5/1XOX1/2X2/5/5";
    let before = value(&format!("{in_atari} b - 0 0/0 0"));
    let mirrored = value(&format!("{in_atari} w - 0 0/0 0"));
    assert!(before > -mirrored, "White can still save the stone if it is to move");
}

#[test]
fn the_largest_values_stay_within_the_limit() {
    let all = vec!["X".repeat(24) + "1"; 25].join("/");
    for komi in ["999", "-999"] {
        let value = value(&format!("{all} b - 0 0/0 {komi}"));
        assert!(value.abs() <= <Influence as Evaluator<Go>>::LIMIT);
    }
}
