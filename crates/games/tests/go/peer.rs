//! Agreement with the `board-game` crate, which knows Tromp–Taylor rules and the same without
//! suicide, both under positional superko.

use board_game::board::{Board as _, Player};
use board_game::games::go::{GoBoard, Komi, Move as PeerMove, Rules as PeerRules, Tile};
use senbon_games::go::{Go, Move, Point, Rules};
use senbon_games::{Game, Rng, Side};

/// Whether `board-game` allows what these rules do. It never allows the suicide of a single
/// stone; under positional superko nobody does.
const RULES: [(Rules, fn() -> PeerRules); 2] =
    [(Rules::CHINESE, || PeerRules::cgos()), (Rules::TROMP_TAYLOR, || PeerRules::tromp_taylor())];

#[test]
fn a_thousand_random_games_agree() {
    let seed = senbon_testkit::seed();
    let mut rng = Rng::new(seed);
    let mut moves = 0;
    for game in 0..1_000 {
        let size = [2, 3, 4, 5, 6, 7, 9, 9, 13, 19][game % 10];
        let (rules, peer) = RULES[game / 10 % 2];
        moves += one_game(size, rules, peer(), &mut rng);
    }
    eprintln!("{moves} moves agreed (seed {seed})");
    assert!(moves > 50_000);
}

fn one_game(size: usize, rules: Rules, peer_rules: PeerRules, rng: &mut Rng) -> usize {
    let mut go = Go::new(size, rules);
    let mut peer = GoBoard::new(size as u8, Komi::new(rules.komi.halves()), peer_rules);
    let mut played = 0;
    while peer.outcome().is_none() && played < 3 * size * size {
        assert_eq!(go.outcome(), None);
        compare_stones(&go, &peer);
        // Comparing every point is slow on large boards: there it is done now and then.
        if size <= 7 || rng.one_in(10) {
            compare_moves(&go, &peer);
        }
        let mv = pick(&go, rng);
        go.play(mv);
        peer.play(to_peer(mv)).unwrap_or_else(|e| panic!("{mv:?}: {e:?}: {go:?}"));
        played += 1;
    }
    let score = peer.current_score();
    let halves = 2 * (score.a as i32 - score.b as i32) - i32::from(rules.komi.halves());
    assert_eq!(go.score().halves(), halves, "{go:?}");
    assert_eq!(go.ended().is_some(), peer.outcome().is_some());
    played
}

/// A random legal move, seldom a pass, found by trying.
fn pick(go: &Go, rng: &mut Rng) -> Move {
    for _ in 0..40 {
        let point = Point::new(rng.below(go.size()), rng.below(go.size()));
        if go.check(Move::at(point)).is_ok() && !rng.one_in(30) {
            return Move::at(point);
        }
    }
    Move::PASS
}

fn compare_stones(go: &Go, peer: &GoBoard) {
    for point in go.board().points() {
        let stone = peer.stone_at(tile(point)).map(|player| match player {
            Player::A => Side::First,
            Player::B => Side::Second,
        });
        assert_eq!(go.board().get(point), stone, "{point:?} of {go:?}");
    }
}

fn compare_moves(go: &Go, peer: &GoBoard) {
    for point in go.board().points() {
        let theirs = peer.is_available_move(PeerMove::Place(tile(point))).unwrap();
        assert_eq!(go.check(Move::at(point)).is_ok(), theirs, "{point:?} of {go:?}");
    }
}

fn tile(point: Point) -> Tile {
    Tile::new(point.column() as u8, point.row() as u8)
}

fn to_peer(mv: Move) -> PeerMove {
    mv.point().map_or(PeerMove::Pass, |point| PeerMove::Place(tile(point)))
}
