//! A second set of rules, as plain as can be, to compare with: stones in a grid, liberties by
//! flood, history as a set of whole boards.

use std::collections::BTreeSet;

use senbon_games::go::{Go, Illegal, Ko, Move, Point, Rules};
use senbon_games::{Game, Rng, Side};

use crate::all_rules;

type Grid = Vec<Vec<Option<Side>>>;

#[derive(Clone)]
struct Naive {
    grid: Grid,
    side: Side,
    rules: Rules,
    seen: BTreeSet<(Grid, Option<Side>)>,
    prisoners: [u32; 2],
    /// The grid before the last stone, for simple ko.
    before: Option<Grid>,
}

impl Naive {
    fn new(size: usize, rules: Rules) -> Naive {
        let grid = vec![vec![None; size]; size];
        let seen = BTreeSet::new();
        let mut naive =
            Naive { grid, side: Side::First, rules, seen, prisoners: [0; 2], before: None };
        naive.remember();
        naive
    }

    fn remember(&mut self) {
        let side = (self.rules.ko == Ko::Situational).then_some(self.side);
        self.seen.insert((self.grid.clone(), side));
    }

    /// The stones of the chain at a point, and whether it has a liberty.
    fn chain(grid: &Grid, row: usize, column: usize) -> (BTreeSet<(usize, usize)>, bool) {
        let mut stones = BTreeSet::from([(row, column)]);
        let mut todo = vec![(row, column)];
        let mut breathes = false;
        while let Some((r, c)) = todo.pop() {
            for (r, c) in around(grid.len(), r, c) {
                if grid[r][c].is_none() {
                    breathes = true;
                } else if grid[r][c] == grid[row][column] && stones.insert((r, c)) {
                    todo.push((r, c));
                }
            }
        }
        (stones, breathes)
    }

    /// The grid after a stone, with what was taken from each side.
    fn after(&self, row: usize, column: usize) -> (Grid, [u32; 2]) {
        let mut grid = self.grid.clone();
        let mut lost = [0; 2];
        grid[row][column] = Some(self.side);
        for victim in [!self.side, self.side] {
            for (r, c) in around(grid.len(), row, column).chain([(row, column)]) {
                if grid[r][c] == Some(victim) {
                    let (stones, breathes) = Naive::chain(&grid, r, c);
                    if !breathes {
                        lost[victim.index()] += stones.len() as u32;
                        stones.iter().for_each(|&(r, c)| grid[r][c] = None);
                    }
                }
            }
        }
        (grid, lost)
    }

    fn check(&self, row: usize, column: usize) -> Result<(), Illegal> {
        if self.grid[row][column].is_some() {
            return Err(Illegal::Occupied);
        }
        let (grid, _) = self.after(row, column);
        if grid[row][column].is_none() && !self.rules.suicide {
            return Err(Illegal::Suicide);
        }
        // A stone that brings the last position but one back retakes a ko; a suicide of one
        // stone is no ko, although it brings the last position back.
        if self.before.as_ref() == Some(&grid) && grid[row][column].is_some() {
            return Err(Illegal::Ko);
        }
        let side = (self.rules.ko == Ko::Situational).then_some(!self.side);
        if self.rules.ko != Ko::Simple && self.seen.contains(&(grid, side)) {
            return Err(Illegal::Superko);
        }
        Ok(())
    }

    fn play(&mut self, point: Option<Point>) {
        match point {
            None => self.before = None,
            Some(point) => {
                let (grid, lost) = self.after(point.row(), point.column());
                self.prisoners[self.side.index()] += lost[(!self.side).index()];
                self.prisoners[(!self.side).index()] += lost[self.side.index()];
                self.before = Some(std::mem::replace(&mut self.grid, grid));
            }
        }
        self.side = !self.side;
        self.remember();
    }
}

fn around(size: usize, row: usize, column: usize) -> impl Iterator<Item = (usize, usize)> {
    [(-1, 0), (1, 0), (0, -1), (0, 1)]
        .into_iter()
        .map(move |(dr, dc)| (row.wrapping_add_signed(dr), column.wrapping_add_signed(dc)))
        .filter(move |&(r, c)| r < size && c < size)
}

#[test]
fn agrees_with_the_naive_rules_on_every_point_of_random_games() {
    let mut rng = Rng::new(senbon_testkit::seed());
    let more = if senbon_testkit::long() { 20 } else { 1 };
    for rules in all_rules() {
        for (size, games, plies) in [(2, 60, 50), (3, 40, 100), (4, 20, 150), (6, 6, 200)] {
            for _ in 0..games * more {
                one_game(size, rules, plies, &mut rng);
            }
        }
    }
}

fn one_game(size: usize, rules: Rules, plies: usize, rng: &mut Rng) {
    let mut go = Go::new(size, rules);
    let mut naive = Naive::new(size, rules);
    for _ in 0..plies {
        let mut legal = Vec::new();
        for point in go.board().points() {
            assert_eq!(go.board().get(point), naive.grid[point.row()][point.column()]);
            let verdict = go.check(Move::at(point));
            assert_eq!(verdict, naive.check(point.row(), point.column()), "{point:?} of {go:?}");
            legal.extend(verdict.is_ok().then_some(Move::at(point)));
        }
        legal.push(Move::PASS);
        assert_eq!(go.moves().as_slice(), legal);
        // Passes are rare, or games would be short.
        let stones = legal.len() - 1;
        let mv = if stones > 0 && !rng.one_in(8) { legal[rng.below(stones)] } else { Move::PASS };
        go.play(mv);
        naive.play(mv.point());
        assert_eq!([Side::First, Side::Second].map(|side| go.prisoners(side)), naive.prisoners);
    }
}
