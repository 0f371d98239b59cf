//! The rules of shogi by named cases, and the contract of `Game` over random games.

mod support;

use senbon_games::shogi::Shogi;
use senbon_games::{Ending, Game, Notation, Outcome, Rng, Side, Tactics};

const START: &str = "startpos";
const DROPS: &str = "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1";
const MOST_MOVES: &str = "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1";
const ONE_KING: &str = "4k4/9/9/9/9/9/9/9/9 b 16P 1";

fn at(sfen: &str) -> Shogi {
    Shogi::parse_position(sfen).unwrap_or_else(|e| panic!("{sfen}: {e}"))
}

fn play(game: &mut Shogi, moves: &str) {
    for text in moves.split_whitespace() {
        let mv = game.parse_move(text).unwrap_or_else(|e| panic!("{e} in {game:?}"));
        game.play(mv);
    }
}

#[track_caller]
fn legal(sfen: &str, mv: &str) {
    assert!(at(sfen).parse_move(mv).is_ok(), "{mv} should be legal in {sfen}");
}

#[track_caller]
fn illegal(sfen: &str, mv: &str) {
    assert!(at(sfen).parse_move(mv).is_err(), "{mv} should be illegal in {sfen}");
}

#[test]
fn random_games_keep_the_contract() {
    let starts = [START, DROPS, MOST_MOVES, ONE_KING].map(at);
    support::random_play(&starts, 40, 200, senbon_testkit::seed());
}

#[test]
fn two_pawns_on_a_file() {
    let own = "4k4/9/9/8P/9/9/9/9/4K4 b P 1";
    illegal(own, "P*1h");
    legal(own, "P*2h");
    // Promoted pawns and the opponent's do not count.
    legal("4k4/9/9/8+P/9/9/9/9/4K4 b P 1", "P*1h");
    legal("4k4/9/9/8p/9/9/9/9/4K4 b P 1", "P*1h");
}

#[test]
fn pieces_that_could_never_move() {
    for mv in ["P*1a", "L*1a", "N*1a", "N*1b"] {
        illegal("4k4/9/9/9/9/9/9/9/4K4 b PLN 1", mv);
    }
    for mv in ["P*1b", "L*1b", "N*1c"] {
        legal("4k4/9/9/9/9/9/9/9/4K4 b PLN 1", mv);
    }
    for mv in ["P*1i", "L*1i", "N*1i", "N*1h"] {
        illegal("4k4/9/9/9/9/9/9/9/4K4 w pln 1", mv);
    }
    illegal("4k4/8P/9/9/9/9/9/9/4K4 b - 1", "1b1a");
    legal("4k4/8P/9/9/9/9/9/9/4K4 b - 1", "1b1a+");
    legal("4k4/9/8L/9/9/9/9/9/4K4 b - 1", "1c1b");
}

#[test]
fn mate_by_dropped_pawn() {
    let cornered = "7lk/9/8G/9/9/9/9/9/4K4 b P 1";
    illegal(cornered, "P*1b");
    // The same drop without the gold behind it: the king takes the pawn.
    legal("7lk/9/9/9/9/9/9/9/4K4 b P 1", "P*1b");
    // The king can step aside.
    legal("8k/9/8G/9/9/9/9/9/4K4 b P 1", "P*1b");
    // A defender takes the pawn.
    legal("7lk/6r2/8G/9/9/9/9/9/4K4 b P 1", "P*1b");
    // The defender is pinned against its king, so the drop is mate after all.
    illegal("R5glk/6n2/8G/9/9/9/9/9/4K4 b P 1", "P*1b");
    // Mate by moving a pawn is fine.
    legal("7lk/9/7GP/9/9/9/9/9/4K4 b - 1", "1c1b+");
    legal("7lk/9/7GP/9/9/9/9/9/4K4 b - 1", "1c1b");
    // A dropped pawn may leave the opponent without a move as long as it gives no check.
    assert_eq!(at("R6sk/9/7G1/9/9/9/9/9/4K4 b P 1").count_moves(), 110);
}

#[test]
fn who_cannot_move_has_lost() {
    let mated = at("4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1");
    assert_eq!(mated.outcome(), Some(Outcome::win(Side::First, Ending::Checkmate)));
    let stuck = at("+R+N+SGKG+S+N+R/+B+N+SG+LG+S+N+B/P+LPP+LPP+LP/1P2P2P1/9/9/9/9/4k4 b 9P 200");
    assert_eq!(stuck.outcome(), Some(Outcome::win(Side::Second, Ending::NoMoves)));
    assert_eq!(at(START).outcome(), None);
}

#[test]
fn fourth_occurrence_draws() {
    let mut game = at(START);
    for round in 1..=3 {
        assert_eq!(game.repeats(), round > 1);
        play(&mut game, "2h3h 8b7b 3h2h");
        assert_eq!(game.outcome(), None);
        play(&mut game, "7b8b");
        assert!(game.repeats());
        let expected = (round == 3).then_some(Outcome::draw(Ending::Repetition));
        assert_eq!(game.outcome(), expected, "round {round}");
    }
}

#[test]
fn hands_tell_positions_apart() {
    // The board repeats, but in each round a pawn goes over from Black's hand to White's.
    let mut game = at("4k4/9/9/9/9/9/9/r8/4K4 b 4P 1");
    for _ in 0..4 {
        play(&mut game, "P*8h 9h8h 5i4i 8h7h 4i5i 7h9h");
        assert!(!game.repeats());
        assert_eq!(game.outcome(), None);
    }
    assert_eq!(game.format_position(), "4k4/9/9/9/9/9/9/r8/4K4 b 4p 25");
}

#[test]
fn perpetual_check_loses_for_black() {
    // Rook and king chase each other to and fro: every move of Black's is a check.
    let mut game = at("k8/9/9/9/9/9/9/9/4K2R1 b - 1");
    play(&mut game, "2i2a 9a9b 2a2b 9b9a 2b2a 9a9b 2a2b 9b9a 2b2a 9a9b 2a2b 9b9a");
    assert_eq!(game.ended_by_history(), None);
    // Black's check with the rook on the first rank comes up for the fourth time.
    play(&mut game, "2b2a");
    assert_eq!(game.ended_by_history(), Some(Outcome::win(Side::Second, Ending::PerpetualCheck)));
}

#[test]
fn perpetual_check_loses_for_white_too() {
    let mut game = at("1r2k4/9/9/9/9/9/9/9/8K w - 1");
    play(&mut game, "8a8i 1i1h 8i8h 1h1i 8h8i 1i1h 8i8h 1h1i 8h8i 1i1h 8i8h 1h1i");
    assert_eq!(game.ended_by_history(), None);
    play(&mut game, "8h8i");
    assert_eq!(game.ended_by_history(), Some(Outcome::win(Side::First, Ending::PerpetualCheck)));
}

#[test]
fn perpetual_check_ends_on_the_checked_sides_move_too() {
    // The position before Black's check is the one that comes up four times.
    let mut game = at("k8/9/9/9/9/9/9/9/4K2R1 b - 1");
    play(&mut game, "2i2a 9a9b 2a2b 9b9a");
    for _ in 0..2 {
        play(&mut game, "2b2a 9a9b 2a2b 9b9a");
        assert_eq!(game.ended_by_history(), None);
    }
    play(&mut game, "2b2a 9a9b 2a2b 9b9a");
    assert_eq!(game.ended_by_history(), Some(Outcome::win(Side::Second, Ending::PerpetualCheck)));
}

#[test]
fn one_quiet_move_makes_it_a_draw() {
    let mut game = at("k8/9/9/9/9/9/9/9/4K2R1 b - 1");
    // The rook goes aside once; all other moves of Black's give check.
    play(&mut game, "2i2a 9a9b 2a3a 9b8b 3a2a 8b9b 2a2b 9b9a 2b2a 9a9b 2a2b 9b9a 2b2a");
    assert_eq!(game.ended_by_history(), None);
    play(&mut game, "9a9b");
    assert_eq!(game.ended_by_history(), Some(Outcome::draw(Ending::Repetition)));
}

#[test]
fn declaration_needs_every_condition() {
    // King and ten others in the camp, two big: 10 + 8 + 10 in hand are 28 points.
    let black = "+R+B+P+P+PK3/+P+P+P+P+P4/9/9/9/9/9/9/4k4 b 10P 1";
    let game = at(black);
    let state = game.declaration(Side::First);
    assert_eq!((state.pieces, state.points, state.points_needed), (10, 28, 28));
    assert_eq!(game.declared(), Some(Outcome::win(Side::First, Ending::Declaration)));
    assert_eq!(game.outcome(), None, "a declaration must be made");

    let cannot = |sfen: &str| assert!(!at(sfen).can_declare(), "{sfen}");
    // 27 points.
    cannot(&black.replace("10P", "9P"));
    // Nine pieces.
    cannot("+R+B+P+P+PK3/+P+P+P+P5/9/9/9/9/9/9/4k4 b 11P 1");
    // The king is still outside.
    cannot("+R+B+P+P+P4/+P+P+P+P+P4/9/5K3/9/9/9/9/4k4 b 10P 1");
    // In check.
    cannot("+R+B+P+P+PK2r/+P+P+P+P+P4/9/9/9/9/9/9/4k4 b 10P 1");
    // Not Black's move.
    cannot(&black.replace(" b ", " w "));
}

#[test]
fn all_points_are_54() {
    assert_eq!([Side::First, Side::Second].map(|side| Shogi::start().all_points(side)), [27, 27]);
    // Rook and bishop in hand, a promoted rook and three others on the board: 10 + 5 + 3.
    let game = at("4k4/9/9/3+R5/4P4/9/4GS3/9/4K4 b RB 1");
    assert_eq!((game.all_points(Side::First), game.all_points(Side::Second)), (18, 0));
}

#[test]
fn declaration_of_white_needs_a_point_less() {
    let white = "4K4/9/9/9/9/9/9/+p+p+p+p+p4/+r+b+p+p+pk3 w 9p 1";
    assert_eq!(at(white).declaration(Side::Second).points, 27);
    assert_eq!(at(white).declared(), Some(Outcome::win(Side::Second, Ending::Declaration)));
    assert!(!at(&white.replace("9p", "8p")).can_declare());
}

#[test]
fn checks_are_foreseen() {
    let mut rng = Rng::new(senbon_testkit::seed());
    let mut checks = 0;
    for _ in 0..30 {
        let mut game = at(START);
        for _ in 0..250 {
            let moves = game.moves();
            for &mv in moves.as_slice() {
                let foreseen = game.gives_check(mv);
                let undo = game.play(mv);
                assert_eq!(game.in_check(), foreseen, "{mv:?} led to {game:?}");
                assert_eq!(game.position().in_check(), foreseen);
                game.take_back(mv, undo);
                checks += usize::from(foreseen);
            }
            let Some(&mv) = rng.pick(moves.as_slice()) else { break };
            game.play(mv);
        }
    }
    assert!(checks > 1_000);
}

#[test]
fn noisy_moves_are_the_noisy_ones() {
    let mut rng = Rng::new(senbon_testkit::seed());
    for _ in 0..30 {
        let mut game = at(START);
        for _ in 0..250 {
            let noisy: Vec<_> = game.noisy_moves().into_iter().collect();
            let moves = game.moves();
            let filtered: Vec<_> =
                moves.as_slice().iter().copied().filter(|&mv| game.is_noisy(mv)).collect();
            assert_eq!(noisy, filtered, "{game:?}");
            for &mv in moves.as_slice() {
                assert!(game.history_slot(mv) < Shogi::HISTORY_SLOTS);
                assert!(game.exchange(mv) <= game.gain(mv));
            }
            let Some(&mv) = rng.pick(moves.as_slice()) else { break };
            game.play(mv);
        }
    }
}

#[test]
fn passing_is_the_same_position_with_the_other_side_to_move() {
    let mut rng = Rng::new(senbon_testkit::seed());
    let (mut passed, mut refused) = (0, 0);
    for _ in 0..20 {
        let mut game = at(START);
        for _ in 0..200 {
            let before = game.clone();
            let in_check = game.in_check();
            match game.pass() {
                None => {
                    assert!(in_check);
                    refused += 1;
                }
                Some(undo) => {
                    check_passed(&before, &mut game, &mut rng);
                    game.take_back_pass(undo);
                    passed += 1;
                }
            }
            assert_eq!(game, before);
            assert_eq!(game.key(), before.key());
            let Some(&mv) = rng.pick(game.moves().as_slice()) else { break };
            // What is played after a pass that was taken back can be taken back as well.
            let undo = game.play(mv);
            game.take_back(mv, undo);
            assert_eq!(game.key(), before.key());
            game.play(mv);
        }
    }
    assert!(passed > 1_000 && refused > 10, "{passed} passed, {refused} in check");
}

fn check_passed(before: &Shogi, game: &mut Shogi, rng: &mut Rng) {
    assert_eq!(game.side_to_move(), !before.side_to_move());
    assert!(!game.in_check() && !game.repeats());
    let again = at(&game.format_position());
    assert_eq!(again.key(), game.key(), "{game:?}");
    assert_eq!(again.moves().as_slice(), game.moves().as_slice());
    let moves = game.moves();
    if let Some(&mv) = rng.pick(moves.as_slice()) {
        let key = game.key();
        let undo = game.play(mv);
        assert_eq!(at(&game.format_position()).key(), game.key());
        game.take_back(mv, undo);
        assert_eq!(game.key(), key);
    }
}

/// Whatever a broken text says, reading it ends in a position or a reason.
#[test]
fn broken_positions_and_moves_are_refused() {
    let mut rng = Rng::new(senbon_testkit::seed());
    let rounds = if senbon_testkit::long() { 500_000 } else { 30_000 };
    let (mut read, mut refused) = (0, 0);
    for _ in 0..rounds {
        let text = support::mutate(rng.pick(&[DROPS, MOST_MOVES, ONE_KING]).unwrap(), &mut rng);
        match Shogi::parse_position(&text) {
            Err(error) => {
                assert!(error.at <= text.len(), "{error} in {text:?}");
                assert!(text.is_char_boundary(error.at), "{error} in {text:?}");
                refused += 1;
            }
            Ok(game) => {
                let again = at(&game.format_position());
                assert_eq!(again, game, "{text:?}");
                game.count_moves();
                read += 1;
            }
        }
        let start = at(START);
        let text = support::mutate(rng.pick(&["7g7f", "8h2b+", "P*5e"]).unwrap(), &mut rng);
        match start.parse_move(&text) {
            Err(error) => assert!(text.is_char_boundary(error.at), "{error} in {text:?}"),
            Ok(mv) => assert_eq!(start.format_move(mv), text),
        }
    }
    assert!(read > 100 && refused > 100, "{read} read, {refused} refused");
}
