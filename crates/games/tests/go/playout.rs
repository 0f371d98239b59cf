//! Random games to the end.

use senbon_games::go::life::Stones;
use senbon_games::go::{Go, Move, Playout, Point, Rules};
use senbon_games::{Game, Rng, Side};

use crate::{play_all, position};

fn is_own_true_eye(go: &Go, point: Point, side: Side) -> bool {
    let size = go.size() as isize;
    let at = |dr: isize, dc: isize| {
        let (row, column) = (point.row() as isize + dr, point.column() as isize + dc);
        let inside = (0..size).contains(&row) && (0..size).contains(&column);
        inside.then(|| go.board().get(Point::new(column as usize, row as usize)))
    };
    let sides = [(-1, 0), (1, 0), (0, -1), (0, 1)].map(|(dr, dc)| at(dr, dc));
    let corners = [(-1, -1), (-1, 1), (1, -1), (1, 1)].map(|(dr, dc)| at(dr, dc));
    let foes = corners.iter().filter(|&&corner| corner == Some(Some(!side))).count();
    let edge = corners.contains(&None);
    sides.iter().flatten().all(|&stone| stone == Some(side)) && foes + usize::from(edge) < 2
}

#[test]
fn playouts_end_settled_and_are_counted_right() {
    let mut rng = Rng::new(senbon_testkit::seed());
    let mut playout = Playout::new();
    for size in [2, 3, 5, 9, 13, 19, 25] {
        let start = Go::new(size, Rules::CHINESE);
        let mut settled = 0;
        for _ in 0..20 {
            let lead = playout.play(&start, &mut rng);
            let board = playout.board();
            assert_eq!(board.size(), size);
            assert_eq!(lead, Stones::from(board).area_lead());
            // Unless the limit of moves ended it, nobody has a sensible move left; a ko may be
            // open to one side.
            let sensible = board.points().filter(|&point| board.is_empty(point)).filter(|&point| {
                [Side::First, Side::Second].iter().any(|&side| {
                    let go = after(board, side);
                    go.check(Move::at(point)).is_ok() && !is_own_true_eye(&go, point, side)
                })
            });
            settled += usize::from(sensible.count() <= 1);
        }
        // On the smallest boards captures go on for ever and the limit is the rule.
        assert!(size < 5 || settled >= 15, "{settled} of 20 settled on {size}");
    }
}

/// A game that stands at `board` with `side` to move.
fn after(board: &senbon_games::go::Board, side: Side) -> Go {
    let letter = if side == Side::First { "b" } else { "w" };
    let rows: Vec<String> = (0..board.size())
        .map(|row| {
            let stone = |column| board.get(Point::new(column, row));
            (0..board.size())
                .map(|column| stone(column).map_or('.', |side| ['X', 'O'][side.index()]))
                .collect()
        })
        .collect();
    position(&format!("{} {letter} - 0 0/0 0 simple,area", rows.join("/")))
}

#[test]
fn one_seed_one_game() {
    let mut one = Go::new(9, Rules::CHINESE);
    play_all(&mut one, "E5 C3 G7");
    let mut other = one.clone();
    // The same position by a detour, which leaves other traces inside the board.
    let undo = other.play(Move::at(Point::new(0, 0)));
    other.take_back(Move::at(Point::new(0, 0)), undo);
    let results = |go: &Go| {
        let (mut rng, mut playout) = (Rng::new(7), Playout::new());
        (0..50).map(|_| playout.play(go, &mut rng)).collect::<Vec<_>>()
    };
    assert_eq!(results(&one), results(&other));
}

#[test]
fn a_finished_game_is_only_counted() {
    let mut go = Go::new(9, Rules::CHINESE);
    play_all(&mut go, "E5 pass pass");
    assert_eq!(Playout::new().play(&go, &mut Rng::new(1)), 81);
}

/// Both sides live with two eyes, and three points between them are left to fill: Black fills
/// two, White one. Which one is as likely as the others.
#[test]
fn sensible_moves_are_equally_likely() {
    let mut rng = Rng::new(senbon_testkit::seed());
    let go = position("1X1O1/XXXOO/1X1O1/XXXOO/XX1OO b - 0 0/0 0 simple,area");
    let between = [0, 2, 4].map(|row| Point::new(2, row));
    let mut playout = Playout::new();
    let mut white = [0_i32; 3];
    for _ in 0..3_000 {
        assert_eq!(playout.play(&go, &mut rng), 14 - 11);
        let filled = between.map(|point| playout.board().get(point));
        let at = filled.iter().position(|&stone| stone == Some(Side::Second)).unwrap();
        white[at] += 1;
    }
    // Five standard deviations of 3,000 draws of one in three.
    assert!(white.iter().all(|count| (count - 1_000).abs() < 130), "{white:?}");
}
