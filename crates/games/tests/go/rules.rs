//! Named cases of the rules. They need no file and run everywhere.

use senbon_games::go::{Go, Illegal, Ko, MoveClass, Rules, Scoring, Tax, classify};
use senbon_games::{Ending, Game, Outcome, Side};

use crate::{all_rules, mv, no_komi, play_all, points, position};

fn check(go: &Go, name: &str) -> Result<(), Illegal> {
    go.check(mv(go, name))
}

/// The same position under other rules.
fn under(text: &str, rules: Rules) -> Go {
    let words: Vec<&str> = text.split(' ').collect();
    position(&format!("{} {} - 0 0/0 {} {rules}", words[0], words[1], rules.komi))
}

const KO: &str = "1XO1/X1XO/1XO1/4 w";

#[test]
fn a_ko_may_not_be_retaken_at_once() {
    for rules in all_rules() {
        let mut go = under(KO, rules);
        play_all(&mut go, "B3");
        assert_eq!(go.prisoners(Side::Second), 1);
        assert_eq!(check(&go, "C3"), Err(Illegal::Ko), "{rules}");
        // After a threat and an answer it may.
        play_all(&mut go, "A1 D1 C3");
        assert_eq!(check(&go, "B3"), Err(Illegal::Ko));
    }
}

#[test]
fn a_pass_lifts_the_ko() {
    let mut go = under(KO, Rules::JAPANESE);
    play_all(&mut go, "B3 pass D1");
    assert_eq!(check(&go, "C3"), Ok(()));
}

#[test]
fn retaking_two_stones_is_no_ko() {
    // Black takes two stones with one; White may retake that one at once.
    let mut go = position("1XXO1/XOO1O/1XXO1/5/5 b");
    play_all(&mut go, "D4");
    assert_eq!(go.prisoners(Side::First), 2);
    assert_eq!(go.board().ko(), None);
}

#[test]
fn snapback() {
    let mut go = position("XO2X/XOOOX/XXXXX/5/5 b");
    play_all(&mut go, "C5 D5");
    assert_eq!(go.prisoners(Side::Second), 1, "White takes the stone thrown in");
    play_all(&mut go, "C5");
    assert_eq!(go.prisoners(Side::First), 5, "and loses five for it");
    assert!(go.board().stones(Side::Second).is_empty());
}

/// Black sends two stones, White takes them, Black takes one back.
const SEND_TWO: &str = "7/7/3XOOO/2X1X1O/3XOOO/7/7 b";

#[test]
fn sending_two_returning_one() {
    let retake = |rules| {
        let mut go = under(SEND_TWO, rules);
        play_all(&mut go, "F4 D4");
        assert_eq!(go.prisoners(Side::Second), 2);
        (check(&go, "E4"), go)
    };
    let (positional, _) = retake(Rules::CHINESE);
    assert_eq!(positional, Err(Illegal::Superko), "the stones stand as at the start");

    let (situational, mut go) = retake(Rules::AGA);
    assert_eq!(situational, Ok(()), "but now White is to move");
    play_all(&mut go, "E4 pass");
    assert_eq!(check(&go, "F4"), Err(Illegal::Superko), "the second time round");

    let (simple, mut go) = retake(Rules { ko: Ko::Simple, ..Rules::CHINESE });
    assert_eq!(simple, Ok(()));
    play_all(&mut go, "E4");
    assert_eq!(go.outcome(), None);
    play_all(&mut go, "pass");
    assert_eq!(go.outcome(), Some(Outcome::draw(Ending::Repetition)), "nothing has changed");

    let (_, mut go) = retake(Rules::JAPANESE);
    play_all(&mut go, "E4 pass");
    assert_eq!(go.outcome(), None, "Black has one prisoner less than White: the game goes on");
}

/// Three kos, two of which Black can take and one White.
const THREE_KOS: &str = "1XO3XO1/XO1O1X1XO/1XO3XO1/9/1XO6/XO1O5/1XO6/9/9 b";

#[test]
fn triple_ko() {
    let round = "C8 G8 C4 B8 H8";
    for rules in all_rules() {
        let mut go = under(THREE_KOS, rules);
        let start = go.key();
        play_all(&mut go, round);
        if rules.ko == Ko::Simple {
            play_all(&mut go, "B4");
            assert_eq!(go.outcome(), Some(Outcome::draw(Ending::Repetition)));
            assert!(go.repeats());
            assert_ne!(go.key(), start, "there is a ko now that may not be retaken");
        } else {
            assert_eq!(check(&go, "B4"), Err(Illegal::Superko), "{rules}");
        }
    }
    let mut go = under(THREE_KOS, Rules::JAPANESE);
    play_all(&mut go, round);
    play_all(&mut go, "B4");
    assert_eq!(go.outcome(), Some(Outcome::draw(Ending::Repetition)), "no result");
}

#[test]
fn suicide_of_one_stone() {
    for rules in all_rules() {
        let mut go = under("1X1/X2/3 w", rules);
        let expected = match (rules.suicide, rules.ko) {
            (false, _) => Err(Illegal::Suicide),
            (true, Ko::Positional) => Err(Illegal::Superko),
            // The stones are the same, but the side to move is not.
            (true, Ko::Situational | Ko::Simple) => Ok(()),
        };
        assert_eq!(check(&go, "A3"), expected, "{rules}");
        if expected.is_ok() {
            let stones = go.board().stones(Side::First);
            play_all(&mut go, "A3");
            assert_eq!(go.board().stones(Side::First), stones);
            assert!(go.board().stones(Side::Second).is_empty());
            assert_eq!(go.prisoners(Side::First), 1);
            assert_eq!(go.passes(), 0, "it is no pass");
        }
    }
}

#[test]
fn suicide_of_many_stones() {
    for rules in all_rules() {
        let mut go = under("O1X1/XX2/4/4 w", rules);
        if !rules.suicide {
            assert_eq!(check(&go, "B4"), Err(Illegal::Suicide));
            continue;
        }
        play_all(&mut go, "B4");
        assert!(go.board().stones(Side::Second).is_empty(), "both stones are gone");
        assert_eq!(go.prisoners(Side::First), 2);
    }
}

#[test]
fn a_capture_is_no_suicide() {
    let mut go = position("1XO1/XO2/O3/4 w");
    // The corner has no liberty, but taking the two black stones makes some.
    play_all(&mut go, "A4");
    assert_eq!(go.prisoners(Side::Second), 2);
}

#[test]
fn reasons_are_given() {
    let go = position("3/1XO/3 b");
    assert_eq!(check(&go, "B2"), Err(Illegal::Occupied));
    let outside = senbon_games::go::Move::at(senbon_games::go::Point::new(3, 0));
    assert_eq!(go.check(outside), Err(Illegal::OffBoard));
    let text = senbon_games::Notation::parse_move(&go, "C2").unwrap_err().to_string();
    assert_eq!(text, "C2 is not legal: there is a stone already (at character 1)");
}

#[test]
fn two_passes_end_the_game() {
    let mut go = Go::new(5, Rules::CHINESE);
    play_all(&mut go, "C3 pass");
    assert_eq!(go.outcome(), None);
    play_all(&mut go, "pass");
    assert_eq!(go.outcome(), Some(Outcome::win(Side::First, Ending::Score)));
    assert_eq!(go.score().to_string(), "B+17.5");
}

fn lead(text: &str, rules: Rules) -> i32 {
    let halves = under(text, no_komi(rules)).score().halves();
    assert_eq!(halves % 2, 0);
    halves / 2
}

fn taxed(scoring: Scoring, tax: Tax) -> Rules {
    Rules { scoring, tax, ..Rules::CHINESE }
}

#[test]
fn area_and_territory_of_an_empty_board() {
    for scoring in [Scoring::Area, Scoring::Territory] {
        for tax in [Tax::None, Tax::Seki, Tax::All] {
            assert_eq!(lead("9x9 b", taxed(scoring, tax)), 0);
        }
    }
}

/// One eye each and a liberty between them that neither may fill. Black's eye has two points.
const SEKI: &str = "XXXOO/1XXOO/1XXO1/XXXOO/XX1OO b";

#[test]
fn points_in_seki() {
    use Scoring::{Area, Territory};
    assert_eq!(lead(SEKI, taxed(Area, Tax::None)), 14 - 10);
    assert_eq!(lead(SEKI, taxed(Area, Tax::Seki)), 12 - 9, "stones count, eyes do not");
    assert_eq!(lead(SEKI, taxed(Area, Tax::All)), 12 - 9, "nobody lives on his own");
    assert_eq!(lead(SEKI, taxed(Territory, Tax::None)), 2 - 1);
    assert_eq!(lead(SEKI, taxed(Territory, Tax::Seki)), 0);
    assert_eq!(lead(SEKI, taxed(Territory, Tax::All)), 0);
}

#[test]
fn seki_without_eyes() {
    let seki = "XX1OO/XXXOO/XXXOO/XXXOO/XX1OO b";
    assert_eq!(lead(seki, Rules::CHINESE), 13 - 10);
    assert_eq!(lead(seki, Rules::JAPANESE), 0);
}

#[test]
fn the_group_tax_takes_two_points_a_group() {
    use Scoring::{Area, Territory};
    let one = "1X1/XXX/3 b";
    assert_eq!(lead(one, taxed(Area, Tax::None)), 9);
    assert_eq!(lead(one, taxed(Area, Tax::Seki)), 9);
    assert_eq!(lead(one, taxed(Area, Tax::All)), 9 - 2);
    assert_eq!(lead(one, taxed(Territory, Tax::All)), 5 - 2);
    // White has two groups, Black one between them.
    let three = "1O1O1O1/OOOOOOO/XXXXXXX/1X1X1X1/XXXXXXX/OOOOOOO/1O1O1O1 b";
    assert_eq!(lead(three, taxed(Area, Tax::Seki)), 21 - 28);
    assert_eq!(lead(three, taxed(Area, Tax::All)), (21 - 2) - (28 - 4));
    assert_eq!(lead(three, taxed(Territory, Tax::All)), (4 - 2) - (8 - 4));
}

/// Black left, White right, and a white stone that is as good as dead in Black's part.
const DEAD_STONE: &str = "1XO2/1XO2/OXO2/1XO2/1XO2";

#[test]
fn dead_stones_by_agreement() {
    let count = |rest: &str| {
        let go = position(&format!("{DEAD_STONE} b - 0 {rest}"));
        let dead = points(&go, "A3");
        (go.score().to_string(), go.score_without(&dead).to_string())
    };
    let strings = |a: &str, b: &str| (a.to_owned(), b.to_owned());
    assert_eq!(count("0/0 0 positional,area"), strings("W+11", "W+5"));
    assert_eq!(count("0/0 0 simple,territory"), strings("W+10", "W+4"));
    assert_eq!(count("3/1 0.5 simple,territory"), strings("W+8.5", "W+2.5"));
    assert_eq!(count("0/0 -4 simple,territory,seki-tax"), strings("W+6", "0"));
}

#[test]
fn stones_that_cannot_live_are_dead_under_territory_scoring() {
    // Black's upper chain has two eyes; a white stone sits in one of them.
    let text = "O1X1X/XXXXX/5/OOOOO/1O1O1 b";
    assert_eq!(lead(text, taxed(Scoring::Territory, Tax::None)), 3 + 1 - 3);
    // Area scoring leaves it there until it is taken off.
    assert_eq!(lead(text, Rules::CHINESE), (7 + 1) - (1 + 7 + 3));
}

#[test]
fn handicap_games_start_with_white() {
    let mut go = Go::with_fixed_handicap(9, Rules::CHINESE, 5).unwrap();
    assert_eq!(go.board().stones(Side::First), points(&go, "C3 G7 C7 G3 E5"));
    assert_eq!(go.side_to_move(), Side::Second);
    play_all(&mut go, "E3");
    assert_eq!(go.board().get(mv(&go, "E3").point().unwrap()), Some(Side::Second));
}

#[test]
fn the_six_classes_of_moves() {
    use MoveClass::*;
    let go = position("5/1X1O1/5/1O3/5 b");
    let class = |go: &Go, name: &str| classify(go.board(), Side::First, mv(go, name));
    assert_eq!(class(&position("OX1/3/3 b"), "A2"), Captures);
    assert_eq!(class(&go, "B3"), GainsLiberties);
    assert_eq!(class(&go, "E4"), TakesLiberties);
    assert_eq!(class(&go, "E1"), Quiet);
    assert_eq!(class(&position("1O1/3/3 b"), "A3"), SelfAtari);
    assert_eq!(class(&go, "pass"), Other);
    // Higher hints first.
    let hints: Vec<i32> =
        ["pass", "E1", "E4", "B3"].map(|name| go.order_hint(mv(&go, name))).into();
    assert!(hints.windows(2).all(|pair| pair[0] < pair[1]), "{hints:?}");
}
