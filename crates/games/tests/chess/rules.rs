//! The contract of `Game`, and how games end.

use senbon_games::chess::Chess;
use senbon_games::{Ending, Game, Notation, Outcome, Rng, Side};

use super::{play_all, position, starts, support};

#[test]
fn random_games_keep_the_contract() {
    let seed = senbon_testkit::seed();
    let starts = starts(&mut Rng::new(seed));
    let games = if senbon_testkit::long() { 2_000 } else { 160 };
    support::random_play(&starts, games, 200, seed);
}

/// A position is the same by whichever moves it was reached.
#[test]
fn transpositions_have_one_key() {
    let mut one = Chess::start();
    play_all(&mut one, "g1f3 g8f6 e2e3 e7e6");
    let mut other = Chess::start();
    play_all(&mut other, "e2e3 e7e6 g1f3 g8f6");
    assert_eq!(one.key(), other.key());
}

/// A double step that no pawn can answer leaves no trace; one that can be answered does.
#[test]
fn en_passant_counts_only_where_it_is_legal() {
    let key = |text: &str| position(text).key();
    // Nobody there to take.
    assert_eq!(
        key("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1"),
        key("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"),
    );
    let mut played = Chess::start();
    play_all(&mut played, "e2e4");
    assert_eq!(played.key(), key("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"));
    assert_eq!(
        played.format_position(),
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"
    );
    // A pawn could take, but is pinned along the rank by the capture itself.
    assert_eq!(key("8/8/8/8/k2Pp2R/8/8/3K4 b - d3 0 1"), key("8/8/8/8/k2Pp2R/8/8/3K4 b - - 0 1"));
    assert_ne!(key("8/8/8/8/k2Pp3/8/8/3K4 b - d3 0 1"), key("8/8/8/8/k2Pp3/8/8/3K4 b - - 0 1"));
}

#[test]
fn third_occurrence_draws() {
    let mut game = Chess::start();
    for (moves, repetitions) in [("g1f3 g8f6 f3g1 f6g8", 1), ("g1f3 g8f6 f3g1", 1), ("f6g8", 2)] {
        assert_eq!(game.outcome(), None);
        play_all(&mut game, moves);
        assert_eq!(game.repetitions(), repetitions, "after {moves}");
        assert!(game.repeats());
    }
    assert_eq!(game.outcome(), Some(Outcome::draw(Ending::Repetition)));
    // A pawn move ends it for good.
    play_all(&mut game, "e2e4");
    assert_eq!((game.repetitions(), game.repeats()), (0, false));
}

/// The position after the first double step is not the later one without the right to take.
#[test]
fn repetition_minds_en_passant_and_castling() {
    let mut game = position("4k3/8/8/8/1p6/8/P7/4K3 w - - 0 1");
    play_all(&mut game, "a2a4 e8e7 e1e2 e7e8 e2e1");
    assert_eq!(game.repetitions(), 0, "b4xa3 was possible the first time");
    let mut game = position("4k3/8/8/8/7p/8/P7/4K3 w - - 0 1");
    play_all(&mut game, "a2a4 e8e7 e1e2 e7e8 e2e1");
    assert_eq!(game.repetitions(), 1, "nothing could take on a3");
    let mut game = position("4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    play_all(&mut game, "e1e2 e8e7 e2e1 e7e8");
    assert_eq!(game.repetitions(), 0, "White may no longer castle");
    play_all(&mut game, "e1e2 e8e7 e2e1 e7e8");
    assert_eq!(game.repetitions(), 1);
}

#[test]
fn fifty_moves_draw_unless_the_last_one_mates() {
    let mut game = position("7k/8/8/8/8/8/R7/K5R1 w - - 98 80");
    assert_eq!(game.outcome(), None);
    play_all(&mut game, "a1b1");
    assert_eq!(game.outcome(), None);
    play_all(&mut game, "h8h7");
    assert_eq!(game.outcome(), Some(Outcome::draw(Ending::FiftyMoves)));
    assert_eq!(game.ended_by_history(), Some(Outcome::draw(Ending::FiftyMoves)));

    let mut game = position("7k/R7/8/8/8/8/8/KR6 w - - 99 80");
    play_all(&mut game, "b1b8");
    assert_eq!(game.outcome(), Some(Outcome::win(Side::First, Ending::Checkmate)));
    assert_eq!(game.ended_by_history(), None, "mate stands");
    // Check on the hundredth ply, but no mate.
    let mut game = position("7k/1R6/8/8/8/8/8/K7 w - - 99 80");
    play_all(&mut game, "b7b8");
    assert_eq!(game.outcome(), Some(Outcome::draw(Ending::FiftyMoves)));
}

#[test]
fn dead_positions() {
    let dead = [
        "8/8/4k3/8/8/3K4/8/8 w - - 0 1",
        "8/8/4k3/8/8/3KN3/8/8 w - - 0 1",
        "8/8/4k3/8/8/3Kb3/8/8 b - - 0 1",
        // Bishops on squares of one colour, on either side.
        "8/b7/4k3/8/8/3K4/8/B1B5 w - - 0 1",
    ];
    let alive = [
        "8/8/4k3/8/8/3KP3/8/8 w - - 0 1",
        "8/8/4k3/8/8/2KR4/8/8 w - - 0 1",
        "8/8/4k3/8/8/3KNN2/8/8 w - - 0 1",
        "8/8/4kn2/8/8/3KN3/8/8 w - - 0 1",
        "8/8/4kb2/8/8/3KN3/8/8 w - - 0 1",
        "b7/8/4k3/8/8/3K4/8/B7 w - - 0 1",
        "8/8/4k3/8/8/3KB3/4B3/8 w - - 0 1",
    ];
    for text in dead {
        let outcome = Some(Outcome::draw(Ending::InsufficientMaterial));
        assert_eq!(position(text).ended(), outcome, "{text}");
    }
    for text in alive {
        assert_eq!(position(text).ended(), None, "{text}");
    }
}

#[test]
fn checkmate_and_stalemate() {
    let mut fools_mate = Chess::start();
    play_all(&mut fools_mate, "f2f3 e7e5 g2g4 d8h4");
    assert_eq!(fools_mate.outcome(), Some(Outcome::win(Side::Second, Ending::Checkmate)));
    let stalemate = position("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1");
    assert_eq!(stalemate.outcome(), Some(Outcome::draw(Ending::NoMoves)));
}

#[test]
fn the_record_position_fits() {
    let crowded = position("R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1");
    assert_eq!(crowded.count_moves(), 218);
    assert_eq!(crowded.moves().len(), 218);
}
