//! Positions and moves as text: what is written is read, and what is wrong is named.

use senbon_games::go::{Go, Rules, parse_vertex, vertex};
use senbon_games::{Game, Notation, Rng};

use crate::support::mutate;
use crate::{all_rules, mv, position};

#[test]
fn positions_are_written_as_they_are_read() {
    for text in [
        "19/19/19/19/19/19/19/19/19/19/19/19/19/19/19/19/19/19/19 b - 0 0/0 7.5 positional,area",
        "1XO1/X1XO/1XO1/4 w - 0 3/12 6.5 simple,territory,seki-tax",
        "1XO1/XO1O/1XO1/4 b C3 0 0/1 -3 situational,area,suicide,group-tax",
        "2/2 w - 2 0/0 0 positional,area",
    ] {
        assert_eq!(position(text).format_position(), text);
    }
}

#[test]
fn what_is_left_out_is_as_usual() {
    assert_eq!(position("19x19"), Go::start());
    assert_eq!(position("9x9").format_position(), Go::new(9, Rules::CHINESE).format_position());
    assert_eq!(
        position("  3/xo1/3   w  ").format_position(),
        position("3/XO1/3 w").format_position()
    );
    assert_eq!(*position("5x5 b - 0 0/0 - japanese").rules(), Rules::JAPANESE);
    let komi = position("5x5 b - 0 0/0 0.5 japanese").rules().komi;
    assert_eq!(komi.halves(), 1);
}

#[test]
fn errors_name_the_place() {
    for (text, place, part) in [
        ("", 1, "nothing there"),
        ("3/1Z1/3", 4, "`Z` is neither"),
        ("3/1XOX/3", 6, "more points"),
        ("3/1X/3", 5, "2 points"),
        ("3/03/3", 3, "cannot start with 0"),
        ("3/99999999999999999999/3", 3, "more points"),
        ("1", 1, "2 to 25 rows, not 1"),
        ("26x26", 1, "2 to 25 rows, not 26"),
        ("9x13", 1, "square"),
        ("1é/2", 2, "`é` is neither"),
        (" OX1/XX1/3", 2, "the stones of A3 have no liberty"),
        ("XX/XX", 1, "no liberty"),
        ("3x3 r", 5, "b or w"),
        ("3x3 b Z9", 7, "A to C"),
        ("3x3 b A4", 7, "1 to 3"),
        ("3x3 b A3", 7, "cannot be a ko"),
        ("3x3 b - 3", 9, "0, 1 or 2"),
        ("1XO1/XO1O/1XO1/4 b C3 1", 20, "no ko after a pass"),
        ("3x3 b - 0 1:2", 11, "prisoners"),
        ("3x3 b - 0 1/100000", 11, "prisoners"),
        ("3x3 b - 0 0/0 7.25", 15, "not a komi"),
        ("3x3 b - 0 0/0 7.5 nice", 19, "`nice` is not a rule"),
        ("3x3 b - 0 0/0 7.5 area more", 24, "nothing may follow"),
    ] {
        let error = Go::parse_position(text).expect_err(text);
        assert!(error.what.contains(part), "{text}: {error}");
        assert_eq!(error.at + 1, place, "{text}: {error}");
    }
}

#[test]
fn points_have_the_names_of_gtp() {
    let go = Go::new(25, Rules::CHINESE);
    for (name, column, row) in [("A25", 0, 0), ("H1", 7, 24), ("J1", 8, 24), ("Z25", 24, 0)] {
        let point = mv(&go, name).point().unwrap();
        assert_eq!((point.column(), point.row()), (column, row));
        assert_eq!(vertex(point, 25), name);
    }
    assert_eq!(go.parse_move("c3"), go.parse_move("C3"));
    assert_eq!(go.parse_move("PASS"), go.parse_move("pass"));
    for wrong in
        ["", "I5", "A0", "A26", "A", "5", "A+5", "é5", "A5 ", "AA5", "A99999999999999999999"]
    {
        assert!(parse_vertex(wrong, 25).is_err(), "{wrong}");
        assert!(go.parse_move(wrong).is_err(), "{wrong}");
    }
}

#[test]
fn changed_texts_are_refused_or_make_sense() {
    let seed = senbon_testkit::seed();
    let mut rng = Rng::new(seed);
    let rounds = if senbon_testkit::long() { 200_000 } else { 20_000 };
    let mut accepted = 0;
    for round in 0..rounds {
        let rules = all_rules()[round % 6];
        let mut go = Go::new(2 + rng.below(8), rules);
        for _ in 0..rng.below(30) {
            let moves = go.moves();
            go.play(moves[rng.below(moves.len())]);
        }
        let text = mutate(&go.format_position(), &mut rng);
        if let Ok(read) = Go::parse_position(&text) {
            accepted += 1;
            let written = read.format_position();
            assert_eq!(position(&written).format_position(), written, "{text}");
            assert!(!read.moves().is_empty());
        }
        let name = mutate("C3", &mut rng);
        let _ = go.parse_move(&name);
    }
    assert!(accepted > rounds / 50, "{accepted} of {rounds} were accepted");
}
