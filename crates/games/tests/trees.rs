//! Synthetic trees: the contract of a game, and the vectors of their specification.
#![allow(clippy::unwrap_used)]

mod support;

use senbon_games::trees::{
    Edges, Incremental, IncrementalShape, Placement, Regular, RegularShape, ShapeError,
};
use senbon_games::{Ending, Game, Notation, Rng, Side};

/// The specification, whose tables the code is held to.
const SPECIFICATION: &str = include_str!("../../../docs/trees.md");

/// The cells of the table rows under `heading`, without backquotes.
fn table(heading: &str) -> Vec<Vec<&'static str>> {
    let lines = SPECIFICATION.lines().skip_while(|line| *line != heading).skip(2);
    let rows: Vec<Vec<&str>> = lines
        .take_while(|line| line.starts_with('|'))
        .map(|line| line.trim_matches('|').split('|').map(|c| c.trim().trim_matches('`')).collect())
        .collect();
    assert!(rows.len() >= 5, "docs/trees.md has no table {heading}");
    rows
}

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

#[test]
fn keys_are_as_specified() {
    for row in table("| key | index | child |") {
        let key = u64::from_str_radix(row[0], 16).unwrap();
        let index: usize = row[1].parse().unwrap();
        // A key is a seed's root key only for index 0; the others are checked as streams.
        let mut stream = Rng::new(key);
        let child = (0..=index).map(|_| stream.next_u64()).last().unwrap();
        assert_eq!(format!("{child:016x}"), row[2], "{row:?}");
        if index == 0 {
            let shape = RegularShape::new(Placement::Uniform, 1, 0, key);
            assert_eq!(Regular::new(shape).unwrap().key(), child, "{row:?}");
        }
    }
}

#[test]
fn regular_nodes_are_as_specified() {
    for row in table("| node | key | value | best |") {
        let node = Regular::parse_position(row[0]).unwrap();
        let found = [
            format!("{:016x}", node.key()),
            node.value().to_string(),
            node.best().number().to_string(),
        ];
        assert_eq!(found[..], row[1..], "{row:?}");
        assert_eq!(node.format_position(), row[0]);
    }
}

#[test]
fn incremental_nodes_are_as_specified() {
    for row in table("| node | key | value | edges |") {
        let node = Incremental::parse_position(row[0]).unwrap();
        let edges: Vec<String> = node.moves().map(|branch| node.edge(branch).to_string()).collect();
        let found = [format!("{:016x}", node.key()), node.value().to_string(), edges.join(", ")];
        assert_eq!(found[..], row[1..], "{row:?}");
        assert_eq!(node.format_position(), row[0]);
    }
}

#[test]
fn one_child_has_the_value_and_none_is_better() {
    let mut rng = Rng::new(senbon_testkit::seed());
    for _ in 0..2000 {
        let p = rng.below(65_537) as u32;
        let placements = [Placement::Uniform, Placement::Geometric { p }, Placement::Ordered { p }];
        let mut shape = RegularShape::new(
            *rng.pick(&placements).unwrap(),
            1 + rng.below(255) as u8,
            20,
            rng.next_u64(),
        );
        shape.spread = rng.below(1001) as u16;
        shape.value = rng.below(10_001) as i32 - 5000;
        let mut node = Regular::new(shape).unwrap();
        for _ in 0..20 {
            let place = node.format_position();
            for branch in node.moves() {
                let (value, best) = (node.value(), node.best());
                let undo = node.play(branch);
                let worse = value + node.value();
                assert!((0..=i32::from(shape.spread)).contains(&worse), "{place}, {branch:?}");
                assert!(branch != best || worse == 0, "{place}, {branch:?}");
                node.take_back(branch, undo);
            }
            node.play(senbon_games::trees::Branch::new(rng.below(shape.width.into()) as u8));
        }
        assert_eq!(node.count_moves(), 0);
    }
}

#[test]
fn a_leaf_is_the_sum_of_its_edges() {
    let mut rng = Rng::new(senbon_testkit::seed());
    for _ in 0..500 {
        let mut shape = IncrementalShape::new(1 + rng.below(30) as u8, 24, rng.next_u64());
        shape.edges = Edges { draws: 3, quiet: 40, swing: 400, swing_chance: 9000 };
        let mut node = Incremental::new(shape).unwrap();
        let mut sum = 0;
        for _ in 0..24 {
            let moves: Vec<_> = node.moves().collect();
            let branch = *rng.pick(&moves).unwrap();
            let sign = if node.side_to_move() == Side::First { 1 } else { -1 };
            assert_eq!(node.order_hint(branch), node.edge(branch));
            sum += sign * node.edge(branch);
            node.play(branch);
        }
        assert_eq!(node.value(), sum, "{}", node.format_position());
        let outcome = node.outcome().unwrap();
        assert_eq!(outcome.ending, Ending::Leaf);
        assert_eq!(outcome.sign_for(Side::First), sum.signum());
    }
}

#[test]
fn impossible_shapes_are_refused() {
    let shape = RegularShape::new(Placement::Uniform, 7, 12, 1);
    let refused = |shape| Regular::new(shape).unwrap_err();
    assert_eq!(refused(RegularShape { width: 0, ..shape }), ShapeError::Width(0));
    assert_eq!(refused(RegularShape { depth: 65, ..shape }), ShapeError::Depth(65));
    let placement = Placement::Ordered { p: 65_537 };
    assert_eq!(refused(RegularShape { placement, ..shape }), ShapeError::Chance(65_537));
    assert_eq!(refused(RegularShape { value: -29_989, ..shape }), ShapeError::Values(30_001));
    assert!(Regular::new(RegularShape { value: -29_988, ..shape }).is_ok());
    let value = i32::MIN;
    assert!(matches!(refused(RegularShape { value, ..shape }), ShapeError::Values(_)));

    let shape = IncrementalShape::new(5, 24, 1);
    let refused = |edges| Incremental::new(IncrementalShape { edges, ..shape }).unwrap_err();
    assert_eq!(refused(Edges { draws: 0, ..shape.edges }), ShapeError::Draws(0));
    assert_eq!(refused(Edges { swing: 626, ..shape.edges }), ShapeError::Values(30_048));
}

/// Random edits of valid texts: nothing panics, and what is accepted is read back the same.
#[test]
fn whatever_is_typed_gets_an_answer() {
    fn accepted<G: Notation>(text: &str) -> u32 {
        let Ok(node) = G::parse_position(text) else { return 0 };
        let written = node.format_position();
        let again = G::parse_position(&written).unwrap_or_else(|e| panic!("{written}: {e}"));
        assert_eq!((again.key(), again.format_position()), (node.key(), written), "{text}");
        1
    }
    let valid = [
        "uniform:w7:d12:seed42:v3:s9/3.1.6",
        "geometric:p58982:w7:d13:seed1",
        "ordered:p45875:w5:d10:seed3/5.4",
        "incremental:w20:d12:seed7:n3:q9:x40:c999/20.1",
    ];
    let mut rng = Rng::new(senbon_testkit::seed());
    let mut read = 0;
    for _ in 0..if senbon_testkit::long() { 1_000_000 } else { 30_000 } {
        let mut text: Vec<char> = rng.pick(&valid).unwrap().chars().collect();
        for _ in 0..1 + rng.below(3) {
            let at = rng.below(text.len());
            let letters: Vec<char> = "0123456789-:/.wdspvnqxceé ".chars().collect();
            match rng.below(3) {
                0 => text.insert(at, *rng.pick(&letters).unwrap()),
                1 => text[at] = *rng.pick(&letters).unwrap(),
                _ => drop(text.remove(at)),
            }
        }
        let text: String = text.into_iter().collect();
        read += accepted::<Regular>(&text) + accepted::<Incremental>(&text);
    }
    assert!(read > 1000, "only {read} texts were accepted");
}
