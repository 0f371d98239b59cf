//! The rules of Connect Four.

mod support;

use senbon_games::tiny::ConnectFour;
use senbon_games::{Ending, Game, Notation, Outcome, Side, perft};

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
            let undo = position.play(mv);
            leaves += unfinished(position, depth - 1);
            position.take_back(mv, undo);
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
