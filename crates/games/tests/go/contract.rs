//! The contract of `Game` and `Notation`, by random play.

use senbon_games::Game;
use senbon_games::go::{Go, Move, Rules, Scoring};

use crate::support::random_play;
use crate::{all_rules, play_all, position};

#[test]
fn random_games_keep_the_contract() {
    let seed = senbon_testkit::seed();
    let more = if senbon_testkit::long() { 10 } else { 1 };
    for (size, games, plies) in
        [(2, 30, 60), (3, 20, 100), (5, 6, 150), (9, 2, 200), (19, 1, 40), (25, 1, 15)]
    {
        let mut starts: Vec<Go> = all_rules().iter().map(|&rules| Go::new(size, rules)).collect();
        starts.push(Go::new(size, Rules::JAPANESE));
        random_play(&starts, games * starts.len() * more, plies, seed);
    }
}

#[test]
fn random_games_from_crowded_positions_keep_the_contract() {
    let seed = senbon_testkit::seed();
    let starts = [
        ".XOX./X.OXX/XOOO./.XXOO/X.X.O b - 0 0/0 0 positional,area,suicide",
        "1O1XO/OXXXO/O1XOO/XXXO1/OOOO1 b - 0 0/0 0 situational,area",
        "1O1XO/OXXXO/O1XOO/XXXO1/OOOO1 b - 0 3/4 6.5 simple,territory,suicide,seki-tax",
    ];
    let starts: Vec<Go> = starts.iter().map(|text| position(text)).collect();
    random_play(&starts, 12, 120, seed);
}

/// Plays at random and compares with a copy that never took anything back.
#[test]
fn taking_back_leaves_no_trace() {
    let mut rng = senbon_games::Rng::new(senbon_testkit::seed());
    for rules in all_rules() {
        let mut go = Go::new(5, rules);
        let mut clean = go.clone();
        for _ in 0..300 {
            if go.outcome().is_some() {
                break;
            }
            let moves = go.moves();
            let line: Vec<Move> =
                (0..rng.below(6)).map_while(|_| rng.pick(&moves).copied()).collect();
            let mut undos = Vec::new();
            for mv in line {
                if go.check(mv).is_ok() {
                    undos.push((mv, go.play(mv)));
                }
            }
            while let Some((mv, undo)) = undos.pop() {
                go.take_back(mv, undo);
            }
            assert_eq!(go, clean);
            assert_eq!(go.moves(), clean.moves());
            let mv = *rng.pick(&moves).unwrap();
            go.play(mv);
            clean.play(mv);
            assert_eq!(go.key(), clean.key());
        }
    }
}

#[test]
fn keys_tell_what_matters_apart() {
    let text = "1XO1/X1XO/1XO1/4";
    let keys: Vec<u64> = [
        "w - 0 0/0 7.5 positional,area",
        "b - 0 0/0 7.5 positional,area",
        "w - 1 0/0 7.5 positional,area",
        "w - 2 0/0 7.5 positional,area",
        "w - 0 0/0 6.5 positional,area",
        "w - 0 0/0 7.5 situational,area",
        "w - 0 0/0 7.5 simple,area",
        "w - 0 0/0 7.5 positional,area,suicide",
        "w - 0 0/0 7.5 positional,territory",
        "w - 0 1/0 7.5 positional,territory",
        "w - 0 0/1 7.5 positional,territory",
        "w - 0 0/0 7.5 positional,territory,seki-tax",
    ]
    .iter()
    .map(|rest| position(&format!("{text} {rest}")).key())
    .collect();
    for (i, key) in keys.iter().enumerate() {
        assert!(!keys[..i].contains(key), "{i}");
    }
    // Prisoners do not matter where they are not counted, nor equal numbers anywhere.
    let area = |prisoners| position(&format!("{text} w - 0 {prisoners} 7.5 positional,area")).key();
    assert_eq!(area("0/0"), area("5/2"));
    let territory =
        |prisoners| position(&format!("{text} w - 0 {prisoners} 7.5 positional,territory")).key();
    assert_eq!(territory("1/0"), territory("5/4"));
}

#[test]
fn the_same_position_by_another_order_has_the_same_key() {
    let mut one = Go::new(9, Rules::CHINESE);
    let mut other = one.clone();
    play_all(&mut one, "C3 D4 E5 F6");
    play_all(&mut other, "E5 F6 C3 D4");
    assert_eq!(one.key(), other.key());
    assert_ne!(one, other, "their histories differ");
}

#[test]
fn an_illegal_move_does_no_harm() {
    let mut go = position("3/1XO/3 b");
    let before = go.clone();
    for name in ["B2", "C2"] {
        let mv = crate::mv(&go, name);
        let undo = go.play(mv);
        assert_eq!(go.side_to_move(), !before.side_to_move());
        go.take_back(mv, undo);
        assert_eq!(go, before);
    }
}

#[test]
fn three_passes_are_as_good_as_two() {
    let mut go = Go::new(5, Rules { scoring: Scoring::Territory, ..Rules::CHINESE });
    play_all(&mut go, "C3 pass pass");
    let ended = go.outcome();
    assert!(ended.is_some());
    play_all(&mut go, "pass");
    assert_eq!(go.outcome(), ended);
    // Play may be taken up again.
    play_all(&mut go, "D3");
    assert_eq!(go.outcome(), None);
}
