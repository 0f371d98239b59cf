//! Synthetic trees: contract of a game.

mod support;

use senbon_games::Notation;
use senbon_games::trees::{Incremental, Regular};

#[test]
fn random_games_keep_the_contract() {
    let regular = [
        "uniform:w7:d12:seed42",
        "geometric:p58982:w7:d13:seed1:s100",
        "ordered:p40000:w3:d64:seed9",
        "uniform:w255:d2:seed3",
        "uniform:w1:d5:seed3",
    ];
    let roots = regular.map(|text| Regular::parse_position(text).unwrap());
    support::random_play(&roots, 200, 64, senbon_testkit::seed());
    let incremental = ["incremental:w5:d24:seed1", "incremental:w20:d12:seed2:n3:q9:x40:c999"];
    let roots = incremental.map(|text| Incremental::parse_position(text).unwrap());
    support::random_play(&roots, 100, 64, senbon_testkit::seed());
}
