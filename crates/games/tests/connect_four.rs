//! The rules of Connect Four.

mod support;

use std::ops::ControlFlow;

use senbon_games::tiny::{Cell, ConnectFour, Lines, Threats};
use senbon_games::{Ending, Evaluator, Game, Leaf, Notation, Outcome, Rng, Side, perft};

#[test]
fn random_games_keep_the_contract() {
    support::random_play(&[ConnectFour::start()], 300, 42, senbon_testkit::seed());
}

/// The published number of move sequences from the empty board. Sequences through finished
/// games are not counted there, hence the walk of our own beside `perft`.
#[test]
fn counts_of_move_sequences() {
    fn unfinished(position: &mut ConnectFour, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        if position.ended().is_some() {
            return 0;
        }
        let mut leaves = 0;
        for mv in position.moves() {
            position.play(mv);
            leaves += unfinished(position, depth - 1);
            position.take_back(mv, ());
        }
        leaves
    }
    let published = [1, 7, 49, 343, 2_401, 16_807, 117_649, 823_536, 5_673_234];
    let mut start = ConnectFour::start();
    for (depth, &count) in published.iter().enumerate() {
        assert_eq!(unfinished(&mut start, depth as u32), count, "depth {depth}");
    }
    assert_eq!(perft(&mut start, 6), 117_649);
}

#[test]
fn lines_in_every_direction_end_the_game() {
    let won = |text: &str, winner| {
        let position = ConnectFour::parse_position(text).unwrap();
        assert_eq!(position.ended(), Some(Outcome::win(winner, Ending::Line)), "{text}");
    };
    won("1213141", Side::First); // upwards
    won("1122334", Side::First); // across
    won("25615554344617663", Side::First); // rising
    won("346165135442373", Side::First); // falling
    won("17261465", Side::Second);
}

#[test]
fn lines_do_not_wrap_around_the_edge() {
    // Three at the top of column 1 and one at the foot of column 2.
    let position = ConnectFour::parse_position("211117171").unwrap();
    assert_eq!(position.ended(), None);
}

#[test]
fn a_full_board_without_a_line_is_a_draw() {
    let text = "547125662261271266215743771576315353334444";
    let position = ConnectFour::parse_position(text).unwrap();
    assert_eq!(position.outcome(), Some(Outcome::draw(Ending::NoMoves)));
    assert_eq!(position.moves().count(), 0);
}

/// An evaluator without its shortcuts: leaves are found by playing every move.
struct Plainly<E>(E);

impl<E: Evaluator<ConnectFour>> Evaluator<ConnectFour> for Plainly<E> {
    fn evaluate(&mut self, position: &ConnectFour) -> i32 {
        self.0.evaluate(position)
    }

    fn reset(&mut self, position: &ConnectFour) {
        self.0.reset(position);
    }

    fn played(&mut self, before: &ConnectFour, mv: Cell) {
        self.0.played(before, mv);
    }

    fn taken_back(&mut self) {
        self.0.taken_back();
    }
}

fn leaves<E: Evaluator<ConnectFour>>(evaluator: &mut E, position: &ConnectFour) -> Vec<Leaf> {
    let mut found = Vec::new();
    let mut again = *position;
    evaluator.reset(position);
    evaluator.each_leaf(&mut again, |leaf| {
        found.push(leaf);
        if found.len() == 5 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    assert_eq!(again, *position);
    found
}

#[test]
fn leaves_judged_from_above_are_worth_the_same() {
    let mut rng = Rng::new(senbon_testkit::seed());
    for _ in 0..300 {
        let mut position = ConnectFour::start();
        while position.outcome().is_none() {
            let text = position.format_position();
            let threats = leaves(&mut Threats, &position);
            assert_eq!(threats, leaves(&mut Plainly(Threats), &position), "{text}");
            let lines = leaves(&mut Lines::default(), &position);
            assert_eq!(lines, leaves(&mut Plainly(Lines::default()), &position), "{text}");
            let moves: Vec<_> = position.moves().collect();
            position.play(*rng.pick(&moves).unwrap());
        }
    }
}

#[test]
fn running_sums_are_what_counting_gives() {
    let mut rng = Rng::new(senbon_testkit::seed());
    let mut lines = Lines::default();
    for _ in 0..100 {
        let mut position = ConnectFour::start();
        lines.reset(&position);
        assert_eq!(lines.evaluate(&position), 0);
        let mut played = Vec::new();
        while position.outcome().is_none() {
            let moves: Vec<_> = position.moves().collect();
            let mv = *rng.pick(&moves).unwrap();
            lines.played(&position, mv);
            position.play(mv);
            played.push(mv);
            let mut counted = Lines::default();
            counted.reset(&position);
            assert_eq!(lines.evaluate(&position), counted.evaluate(&position));
        }
        for &mv in played.iter().rev() {
            position.take_back(mv, ());
            lines.taken_back();
        }
        assert_eq!(lines.evaluate(&position), 0);
    }
}

/// The well-known table: 3 lines through a corner, 13 through the four cells in the middle.
#[test]
fn lines_through_cells() {
    let mut position = ConnectFour::start();
    let mut through = Vec::new();
    for _ in 0..6 {
        let cell = position.landing(3).unwrap();
        through.push(Lines::through(cell));
        position.play(cell);
    }
    assert_eq!(through, [7, 10, 13, 13, 10, 7]);
    assert_eq!(ConnectFour::start().landing(0).map(Lines::through), Some(3));
    assert_eq!(position.landing(3), None);
    assert_eq!(position.landing(7), None);
}
