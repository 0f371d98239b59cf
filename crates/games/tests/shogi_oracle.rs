//! Shogi compared with `rsshogi`, an independent implementation, on random games.
#![allow(clippy::unwrap_used)]

use rsshogi::board::Position as Oracle;
use rsshogi::movegen::{LegalAll, MoveListGen};
use rsshogi::types::{Color, EnteringKingRule, Move as OracleMove, RepetitionState};
use senbon_games::shogi::Shogi;
use senbon_games::shogi::shogi_core::{Move, PieceKind};
use senbon_games::{Ending, Game, Notation, Outcome, Rng, Tactics};

/// Our move in the oracle's 16 bits.
fn oracle_move(mv: Move) -> OracleMove {
    let to = mv.to().array_index() as u16;
    OracleMove::from_raw(match mv {
        Move::Normal { from, promote, .. } => {
            u16::from(promote) << 15 | (from.array_index() as u16) << 7 | to
        }
        Move::Drop { piece, .. } => {
            let kind = match piece.piece_kind() {
                PieceKind::Pawn => 1,
                PieceKind::Lance => 2,
                PieceKind::Knight => 3,
                PieceKind::Silver => 4,
                PieceKind::Bishop => 5,
                PieceKind::Rook => 6,
                PieceKind::Gold => 7,
                other => panic!("{other:?} cannot be dropped"),
            };
            1 << 14 | kind << 7 | to
        }
    })
}

fn oracle_at(game: &Shogi) -> Oracle {
    let mut oracle = Oracle::from_sfen(&game.format_position()).unwrap();
    oracle.init_stack();
    oracle.set_entering_king_rule(EnteringKingRule::Point27);
    oracle
}

fn check_moves(game: &Shogi, oracle: &Oracle) {
    let mut ours: Vec<u16> = game.moves().into_iter().map(|mv| oracle_move(mv).raw()).collect();
    let mut theirs: Vec<u16> =
        MoveListGen::<LegalAll>::new(oracle).iter().map(|mv| mv.raw()).collect();
    ours.sort_unstable();
    theirs.sort_unstable();
    assert_eq!(ours, theirs, "{game:?}");
    assert_eq!(game.in_check(), oracle.is_in_check(), "{game:?}");
}

#[test]
fn moves_checks_and_notation() {
    let positions = if senbon_testkit::long() { 1_000_000 } else { 100_000 };
    let mut rng = Rng::new(senbon_testkit::seed());
    let mut seen = 0;
    while seen < positions {
        let mut game = Shogi::start();
        let mut oracle = oracle_at(&game);
        for _ in 0..300 {
            check_moves(&game, &oracle);
            let text = game.format_position();
            assert_eq!(text, oracle.to_sfen(Some(game.ply() as i32)));
            assert_eq!(game.can_declare(), oracle.declaration_win_move().raw() != 0, "{text}");
            seen += 1;
            let moves = game.moves();
            for &mv in moves.as_slice() {
                let checks = game.gives_check(mv);
                assert_eq!(checks, oracle.gives_check_move(oracle_move(mv)), "{mv:?} in {text}");
            }
            let Some(&mv) = rng.pick(moves.as_slice()) else { break };
            game.play(mv);
            oracle.apply_move(oracle_move(mv));
        }
    }
    eprintln!("{seen} positions compared");
}

/// A random position: both kings, and pieces anywhere, many of Black's or White's in the
/// enemy camp. Not every one is legal.
fn random_sfen(rng: &mut Rng) -> String {
    let mut board = [[None::<&str>; 9]; 9];
    let entering = rng.below(2);
    let row = |rng: &mut Rng, black: bool| match rng.one_in(4) {
        true => rng.below(9),
        false if black => rng.below(3),
        false => 6 + rng.below(3),
    };
    let mut hands = String::new();
    for (king, is_black) in [("K", true), ("k", false)] {
        let (row, file) = (row(rng, is_black), rng.below(9));
        board[row][file] = Some(king);
    }
    let pieces = [
        ("R", "r", "+R", "+r", 2),
        ("B", "b", "+B", "+b", 2),
        ("G", "g", "G", "g", 4),
        ("S", "s", "+S", "+s", 4),
        ("N", "n", "+N", "+n", 4),
        ("L", "l", "+L", "+l", 4),
        ("P", "p", "+P", "+p", 18),
    ];
    for (black, white, pro_black, pro_white, count) in pieces {
        for _ in 0..count {
            let is_black = (rng.below(4) != 0) == (entering == 0);
            let plain = if is_black { black } else { white };
            if rng.one_in(4) {
                hands.push_str(plain);
                continue;
            }
            let promoted = if is_black { pro_black } else { pro_white };
            let (row, file) = (row(rng, is_black), rng.below(9));
            if board[row][file].is_none() {
                board[row][file] = Some(if rng.one_in(3) { plain } else { promoted });
            }
        }
    }
    let rows = board.map(|row| row.map(|piece| piece.unwrap_or("1")).concat());
    let side = ["b", "w"][entering];
    let hands = if hands.is_empty() { "-" } else { &hands };
    format!("{} {side} {hands} 200", rows.join("/"))
}

#[test]
fn declarations_of_random_late_positions() {
    let mut rng = Rng::new(senbon_testkit::seed());
    let (mut compared, mut declarable) = (0, 0);
    while compared < 5_000 {
        // Illegal mixtures are refused by our reader and not compared.
        let Ok(game) = Shogi::parse_position(&random_sfen(&mut rng)) else { continue };
        let oracle = oracle_at(&game);
        let theirs = oracle.declaration_win_move().raw() != 0;
        assert_eq!(game.can_declare(), theirs, "{game:?}");
        check_moves(&game, &oracle);
        compared += 1;
        declarable += usize::from(theirs);
    }
    assert!(declarable > 100, "only {declarable} of {compared} could declare");
}

/// Games of few pieces that wander about until a position comes up for the fourth time.
#[test]
fn repetition_of_wandering_pieces() {
    let starts = [
        "4k4/9/9/9/9/9/9/9/R3K4 b - 1",
        "k8/9/9/9/9/9/9/9/4K3R b - 1",
        "1k7/9/1K7/9/9/9/9/9/9 w - 1",
        "7gk/9/9/9/9/9/9/9/1+B2K4 b - 1",
        "1r6k/9/9/9/9/9/9/9/K6R1 b - 1",
    ];
    let mut rng = Rng::new(senbon_testkit::seed());
    let mut endings = [0; 3];
    for round in 0..400 {
        let mut game = Shogi::parse_position(starts[round % starts.len()]).unwrap();
        let mut oracle = oracle_at(&game);
        let mut keys = vec![game.key()];
        for _ in 0..300 {
            // Captures would change hands, which the oracle treats as its search likes it.
            let quiet = |&mv: &Move| game.position().piece_at(mv.to()).is_none();
            let mut moves: Vec<Move> =
                game.moves().into_iter().filter(quiet).filter(|mv| !mv.is_promoting()).collect();
            let checks: Vec<Move> =
                moves.iter().copied().filter(|&mv| game.gives_check(mv)).collect();
            if !checks.is_empty() && round % 2 == 0 {
                moves = checks;
            }
            moves.truncate(3);
            let Some(&mv) = rng.pick(&moves) else { break };
            game.play(mv);
            oracle.apply_move(oracle_move(mv));
            let before = keys.iter().filter(|&&key| key == game.key()).count();
            keys.push(game.key());
            assert_eq!(game.repeats(), before > 0);
            let us = Shogi::color_of(game.side_to_move()).array_index();
            let [black, white] = [Color::BLACK, Color::WHITE];
            assert_eq!(oracle.turn(), [black, white][us]);
            let verdict = game.ended_by_history();
            assert_eq!(verdict.is_some(), before >= 3, "{game:?}");
            let theirs = match oracle.repetition_state() {
                RepetitionState::None => None,
                RepetitionState::Draw => Some(Outcome::draw(Ending::Repetition)),
                RepetitionState::Lose => {
                    Some(Outcome::win(!game.side_to_move(), Ending::PerpetualCheck))
                }
                RepetitionState::Win => {
                    Some(Outcome::win(game.side_to_move(), Ending::PerpetualCheck))
                }
                other => panic!("{other:?} without captures"),
            };
            assert_eq!(verdict, theirs, "{game:?}");
            if let Some(outcome) = verdict {
                endings[outcome.winner.map_or(0, |side| 1 + side.index())] += 1;
                break;
            }
        }
    }
    let [draws, first, second] = endings;
    assert!(draws > 20 && first + second > 5, "{draws} draws, {first}, {second} losses of checker");
}
