//! The iterative searcher: the value of plain negamax whatever the switches, several lines,
//! restricted moves, limits, and the same result every time.
#![allow(clippy::unwrap_used)]

use senbon_games::chess::{Chess, ChessEvaluator};
use senbon_games::shogi::{Shogi, ShogiEvaluator};
use senbon_games::tiny::{ConnectFour, Threats};
use senbon_games::{Evaluator, Game, Notation, Rng, Tactics};
use senbon_search::{
    Found, Free, Request, Searcher, Signals, Switches, Table, harvest, negamax, negamax_moves,
};

/// Every combination of the switches that leave the fixed tree's value alone.
fn value_preserving() -> impl Iterator<Item = Switches> {
    (0..16u32).map(|bits| Switches {
        table: bits & 1 != 0,
        aspiration: bits & 2 != 0,
        scout: bits & 4 != 0,
        histories: bits & 8 != 0,
        ..Switches::fixed_tree()
    })
}

fn search<G: Tactics, E: Evaluator<G>>(
    position: &G,
    evaluator: E,
    switches: Switches,
    request: &Request<G::Move>,
) -> Found<G::Move> {
    let mut searcher = Searcher::new(evaluator, Table::with_bytes(1 << 16).into());
    searcher.switches = switches;
    searcher.search(position, request, &Signals::default(), &mut Free, |_| {})
}

/// Judges by the key alone: no order among siblings, the hardest case for windows.
struct Scatter;

impl<G: Game> Evaluator<G> for Scatter {
    fn evaluate(&mut self, position: &G) -> i32 {
        (position.key() >> 32) as i32 % 500
    }
}

/// A position after up to `plies` random moves, not yet decided.
fn random_position<G: Notation>(rng: &mut Rng, plies: usize) -> G {
    loop {
        let mut position = G::start();
        for _ in 0..rng.below(plies) {
            let moves: Vec<_> = position.moves().into_iter().collect();
            if position.outcome().is_some() {
                break;
            }
            position.play(*rng.pick(&moves).unwrap());
        }
        if position.outcome().is_none() {
            return position;
        }
    }
}

fn to_depth<M>(depth: u32) -> Request<M> {
    Request { depth: Some(depth), ..Request::default() }
}

fn equals_negamax<G: Notation + Tactics, E: Evaluator<G>>(
    rounds: usize,
    plies: usize,
    deepest: usize,
    evaluator: impl Fn() -> E,
) {
    let seed = senbon_testkit::seed();
    let mut rng = Rng::new(seed);
    for round in 0..rounds {
        let mut position: G = random_position(&mut rng, plies);
        let depth = 1 + rng.below(deepest) as u32;
        let truth = negamax(&mut position, depth, &mut evaluator(), &mut Free).value;
        for switches in value_preserving() {
            let found = search(&position, evaluator(), switches, &to_depth(depth));
            let place = format!("seed {seed}, round {round}, depth {depth}, {switches:?}");
            assert_eq!(found.value(), Some(truth), "{} {place}", position.format_position());
        }
    }
}

#[test]
fn the_value_is_plain_negamax_s_on_connect_four() {
    equals_negamax::<ConnectFour, _>(150, 20, 6, || Threats);
    equals_negamax::<ConnectFour, _>(150, 20, 6, || Scatter);
}

#[test]
fn the_value_is_plain_negamax_s_on_chess() {
    equals_negamax::<Chess, _>(if senbon_testkit::long() { 2_000 } else { 100 }, 120, 3, || {
        Scatter
    });
}

#[test]
fn the_value_is_plain_negamax_s_on_shogi() {
    equals_negamax::<Shogi, _>(if senbon_testkit::long() { 1_000 } else { 60 }, 160, 2, || Scatter);
}

#[test]
fn several_lines_are_the_best_moves_in_order() {
    let seed = senbon_testkit::seed();
    let mut rng = Rng::new(seed);
    for round in 0..60 {
        let mut position: ConnectFour = random_position(&mut rng, 20);
        let depth = 1 + rng.below(5) as u32;
        let mut truth: Vec<_> = negamax_moves(&mut position, depth, &mut Threats, &mut Free)
            .into_iter()
            .map(|(_, value)| value)
            .collect();
        truth.sort_unstable_by(|a, b| b.cmp(a));
        let request = Request { lines: 3, ..to_depth(depth) };
        let found = search(&position, Threats, Switches::fixed_tree(), &request);
        let values: Vec<_> = found.lines.iter().map(|line| line.value).collect();
        truth.truncate(3);
        assert_eq!(values, truth, "seed {seed}, round {round}, depth {depth}");
        let mut firsts: Vec<_> =
            found.lines.iter().map(|line| ConnectFour::code(line.moves[0])).collect();
        firsts.sort_unstable();
        firsts.dedup();
        assert_eq!(firsts.len(), values.len(), "each line begins with another move");
    }
}

#[test]
fn only_the_moves_asked_for_are_searched() {
    let seed = senbon_testkit::seed();
    let mut rng = Rng::new(seed);
    for _ in 0..60 {
        let mut position: ConnectFour = random_position(&mut rng, 20);
        let depth = 2 + rng.below(4) as u32;
        let moves = negamax_moves(&mut position, depth, &mut Threats, &mut Free);
        let allowed: Vec<_> = moves.iter().skip(1).step_by(2).copied().collect();
        let Some(best) = allowed.iter().map(|&(_, value)| value).max() else { continue };
        let only = allowed.iter().map(|&(mv, _)| mv).collect();
        let request = Request { only, ..to_depth(depth) };
        let found = search(&position, Threats, Switches::fixed_tree(), &request);
        assert_eq!(found.value(), Some(best), "seed {seed}");
        assert!(request.only.contains(&found.best().unwrap()), "seed {seed}");
    }
}

#[test]
fn a_node_limit_is_exact_and_its_result_repeats() {
    for nodes in [1, 2, 10, 100, 1_000, 20_000] {
        let request = Request { nodes: Some(nodes), ..Request::default() };
        let position = ConnectFour::start();
        let first = search(&position, Threats, Switches::selective(), &request);
        assert!(first.nodes <= nodes, "{} of {nodes} nodes", first.nodes);
        assert!(first.best().is_some(), "a move even after {nodes} nodes");
        let second = search(&position, Threats, Switches::selective(), &request);
        assert_eq!(first, second);
        if nodes >= 1_000 {
            assert_eq!(first.nodes, nodes);
        }
    }
}

fn repeats<G: Notation + Tactics, E: Evaluator<G>>(rounds: usize, evaluator: impl Fn() -> E) {
    let seed = senbon_testkit::seed();
    let mut rng = Rng::new(seed);
    for round in 0..rounds {
        let position: G = random_position(&mut rng, 80);
        let request =
            Request { nodes: Some(5_000 + rng.below(5_000) as u64), ..Request::default() };
        let first = search(&position, evaluator(), Switches::selective(), &request);
        let second = search(&position, evaluator(), Switches::selective(), &request);
        assert_eq!(first, second, "seed {seed}, round {round}");
        let legal: Vec<_> = position.moves().into_iter().collect();
        assert!(legal.contains(&first.best().unwrap()), "seed {seed}, round {round}");
    }
}

#[test]
fn the_same_nodes_give_the_same_result_in_chess_and_shogi() {
    repeats::<Chess, _>(30, ChessEvaluator::default);
    repeats::<Shogi, _>(20, ShogiEvaluator::default);
}

#[test]
fn short_mates_are_found_and_counted() {
    for (position, best, plies) in [
        ("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "a1a8", 1),
        ("r2qk2r/pb4pp/1n2Pb2/2B2Q2/p1p5/2P5/2B2PPP/RN2R1K1 w - - 1 1", "f5g6", 3),
        ("r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4", "h5f7", 1),
    ] {
        let root = Chess::parse_position(position).unwrap();
        let request = Request { nodes: Some(100_000), ..Request::default() };
        let found = search(&root, ChessEvaluator::default(), Switches::selective(), &request);
        assert_eq!(root.format_move(found.best().unwrap()), best, "{position}");
        assert_eq!(found.value(), Some(senbon_search::won_in(plies)), "{position}");
    }
    // Zugzwang: every move of Black loses, passing would not. The fixed tree must see it; the
    // selective search, which lets a side pass, does not within 100,000 nodes.
    let zugzwang = Chess::parse_position("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1").unwrap();
    let request = Request { depth: Some(4), ..Request::default() };
    let found = search(&zugzwang, ChessEvaluator::default(), Switches::fixed_tree(), &request);
    assert_eq!(zugzwang.format_move(found.best().unwrap()), "a1a6");
    assert_eq!(found.value(), Some(senbon_search::won_in(3)));
    let switches = Switches { null_move: false, ..Switches::selective() };
    let request = Request { nodes: Some(100_000), ..Request::default() };
    let found = search(&zugzwang, ChessEvaluator::default(), switches, &request);
    assert_eq!(found.value(), Some(senbon_search::won_in(3)), "null moves hide it, nothing else");
    // Gold on the head of the king, held by a pawn.
    let root = Shogi::parse_position("4k4/9/4P4/9/9/9/9/9/4K4 b G 1").unwrap();
    let request = Request { nodes: Some(50_000), ..Request::default() };
    let found = search(&root, ShogiEvaluator::default(), Switches::selective(), &request);
    assert_eq!(root.format_move(found.best().unwrap()), "G*5b");
    assert_eq!(found.value(), Some(senbon_search::won_in(1)));
}

#[test]
fn a_signal_stops_the_search_with_a_move() {
    let mut searcher = Searcher::new(Threats, Table::with_bytes(1 << 16).into());
    let signals = Signals::default();
    signals.stop();
    let found =
        searcher.search(&ConnectFour::start(), &Request::default(), &signals, &mut Free, |_| {});
    assert!(found.best().is_some());
    assert_eq!(found.depth, 1, "the first iteration is finished, no more");
}

#[test]
fn the_harvest_holds_positions_below_the_root_deepest_first() {
    let root = ConnectFour::start();
    let mut searcher = Searcher::new(Threats, Table::with_mib(4).into());
    searcher.search(&root, &to_depth(9), &Signals::default(), &mut Free, |_| {});
    let gleanings = harvest(searcher.table(), &root, 20, 4);
    assert_eq!(gleanings.len(), 20);
    let mut keys = Vec::new();
    for gleaning in &gleanings {
        let mut position = root;
        assert!((1..=4).contains(&gleaning.moves.len()));
        for &mv in &gleaning.moves {
            assert!(position.moves().any(|legal| legal == mv));
            position.play(mv);
        }
        if let Some(best) = gleaning.best {
            assert!(position.moves().any(|legal| legal == best));
        }
        let entry = searcher.table().probe(position.key()).unwrap();
        assert_eq!((entry.value, entry.depth), (gleaning.value, gleaning.depth));
        keys.push(position.key());
    }
    keys.sort_unstable();
    keys.dedup();
    assert_eq!(keys.len(), gleanings.len(), "no position twice");
    let few = harvest(searcher.table(), &root, 5, 4);
    assert!(few == gleanings[..5], "a shorter harvest is its beginning");
}
