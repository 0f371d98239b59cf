//! The board's books after every move and every move taken back, against a recount.

use super::*;
use crate::Rng;

impl Board {
    /// Counts everything again and compares.
    fn audit(&self) {
        for point in self.points() {
            let cell = self.cells[point];
            let near: u16 =
                point.neighbours().iter().map(|&n| NEAR[usize::from(self.cells[n].stone)]).sum();
            assert_eq!(cell.near, near, "neighbours of {point:?}");
            if cell.stone == EMPTY {
                assert_eq!(cell.chain, point, "an empty point names itself");
                continue;
            }
            let mut alone = Rows::EMPTY;
            alone.insert(point);
            let stones = alone.flood(&self.stones(self.get(point).unwrap()));
            let ring: Rows = self.chain(point).collect();
            assert_eq!(ring, stones, "chain of {point:?}");
            assert_eq!(usize::from(self.sizes[cell.chain]), stones.len());
            let beside =
                |p: Point| p.neighbours().into_iter().filter(|&n| self.is_empty(n)).count();
            let liberties: usize = stones.iter().map(beside).sum();
            assert_eq!(usize::from(self.liberties[cell.chain]), liberties);
            assert_ne!(liberties, 0, "a chain without liberty stayed on the board");
            assert!(stones.contains(cell.chain), "the head is a stone of the chain");
        }
    }

    /// Everything that is not free to differ.
    fn picture(&self) -> (Point, Vec<(u8, u16, Point)>) {
        let cells = self.points().map(|p| self.cells[p]);
        (self.ko, cells.map(|cell| (cell.stone, cell.near, cell.chain)).collect())
    }
}

#[test]
fn books_hold_over_moves_and_moves_taken_back() {
    let mut rng = Rng::new(senbon_testkit::seed());
    for size in [2, 3, 4, 5, 7, 9, 13, 19, 25] {
        let mut board = Board::new(size);
        let mut played: Vec<(Point, Side, Trace)> = Vec::new();
        let mut pictures = Vec::new();
        for _ in 0..2_000 / size {
            // Mostly forward, at times a few moves back; any empty point, suicides included.
            if rng.one_in(4) {
                for _ in 0..rng.below(6).min(played.len()) {
                    let (point, side, trace) = played.pop().unwrap();
                    board.unplace(point, side, &trace);
                    assert_eq!(board.picture(), pictures.pop().unwrap());
                    board.audit();
                }
            }
            let empty: Vec<Point> = board.points().filter(|&p| board.is_empty(p)).collect();
            let point = *rng.pick(&empty).expect("suicide keeps a full board from happening");
            let side = if rng.one_in(2) { Side::First } else { Side::Second };
            pictures.push(board.picture());
            let before = board.stones(side).len() + board.stones(!side).len();
            let breathes = board.breathes(point, side);
            let taken =
                board.captures(point, side).map(|head| board.chain(head).count()).sum::<usize>();
            let liberties = board.liberties_after(point, side);
            let trace = board.place_traced(point, side);
            assert_eq!(breathes, !board.is_empty(point), "suicide foretold");
            if breathes {
                assert_eq!(trace.removed_stones as usize, taken, "captures foretold");
                assert_eq!(board.liberties(point), liberties, "liberties foretold");
            }
            let after = board.stones(side).len() + board.stones(!side).len();
            assert_eq!(before + 1 - trace.removed_stones as usize, after);
            board.audit();
            played.push((point, side, trace));
        }
    }
}

#[test]
fn true_eyes() {
    let rows = |text: &str, stone| {
        let cells = text.split_whitespace().enumerate().flat_map(|(row, line)| {
            line.bytes().enumerate().map(move |(column, c)| (Point::new(column, row), c))
        });
        cells.filter(|&(_, c)| c == stone).map(|(point, _)| point).collect()
    };
    let board = |text| Board::with_stones(5, [rows(text, b'X'), rows(text, b'O')]).unwrap();
    let middle = Point::new(2, 2);
    let one_foe = board("..... .OXX. .X.X. .XXX. .....");
    assert!(one_foe.is_true_eye(middle, Side::First));
    assert!(!one_foe.is_true_eye(middle, Side::Second));
    assert!(!board("..... .OXO. .X.X. .XXX. .....").is_true_eye(middle, Side::First));
    assert!(!board("..... .XXX. .X.X. .X.X. .....").is_true_eye(middle, Side::First));
    let corner = Point::new(0, 0);
    assert!(board(".X... XX... ..... ..... .....").is_true_eye(corner, Side::First));
    assert!(board(".X... X.... ..... ..... .....").is_true_eye(corner, Side::First));
    assert!(!board(".X... XO... ..... ..... .....").is_true_eye(corner, Side::First));
}
