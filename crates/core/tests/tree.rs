//! The master tree under random games and random reports: children and rest cover all moves,
//! values are those of a plain minimax, survivors keep their workers.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;

use senbon_core::tree::{NodeId, Tree};
use senbon_core::{Opinion, Place, RankTable, Score, WorkerId};
use senbon_games::chess::Chess;
use senbon_games::shogi::Shogi;
use senbon_games::tiny::ConnectFour;
use senbon_games::{Game, Notation, Rng};

/// A move without promotion, of whatever position.
fn by_name(name: &str) -> <Chess as Game>::Move {
    let (from, to) = name.split_at(2);
    let mut mv = Chess::start().parse_move("e2e4").unwrap();
    (mv.from, mv.to) = (from.parse().unwrap(), to.parse().unwrap());
    mv
}

/// Plain minimax over the reports, from scratch.
fn minimax<G: Game>(tree: &Tree<G>, id: NodeId) -> Option<Score> {
    let node = tree.node(id);
    if node.is_over() {
        return node.value();
    }
    let rest = node.rest().filter(|_| !tree.rest(id).is_empty()).map(|rest| rest.score);
    let children = node.children().iter().filter_map(|&child| minimax(tree, child));
    children.map(Score::one_ply_up).chain(rest).max()
}

/// Everything that must hold after every event.
fn check<G: Game>(tree: &Tree<G>, place: &str) {
    let ids = tree.ids();
    assert_eq!(ids.len(), tree.len(), "{place}");
    let mut workers = BTreeSet::new();
    for &id in &ids {
        let node = tree.node(id);
        if !node.is_over() {
            let mut covered: Vec<u16> = tree.rest(id).into_iter().map(G::code).collect();
            covered.extend(node.children().iter().map(|&c| G::code(tree.node(c).mv().unwrap())));
            covered.sort_unstable();
            let mut legal: Vec<u16> = node.position().moves().into_iter().map(G::code).collect();
            legal.sort_unstable();
            assert_eq!(covered, legal, "each move once: {place}");
        }
        assert_eq!(node.value(), minimax(tree, id), "{place}");
        if let Some(worker) = node.worker() {
            assert!(workers.insert(worker), "a worker on two nodes: {place}");
        }
        for &child in node.children() {
            assert_eq!(tree.node(child).parent(), Some(id), "{place}");
        }
    }
    if let (Some(best), Some(value)) = (tree.best(tree.root()), tree.node(tree.root()).value()) {
        assert_eq!(best.score, value, "{place}");
        let mut position = tree.node(tree.root()).position().clone();
        for &mv in &best.line {
            assert!(position.moves().into_iter().any(|legal| legal == mv), "{place}");
            position.play(mv);
        }
    }
}

fn random_line<G: Game>(position: &G, first: &[G::Move], rng: &mut Rng) -> Vec<G::Move> {
    let plies = 1 + rng.below(5);
    rng.line(position, first.iter().copied(), plies)
}

fn random_score(rng: &mut Rng) -> Score {
    match rng.below(12) {
        0 => Score::Mates(1 + rng.below(20) as u32),
        1 => Score::Mated(2 + rng.below(20) as u32),
        _ => Score::Centipawns(rng.below(800) as i32 - 400),
    }
}

fn random_life<G: Notation>(seed: u64, events: usize, size: usize) {
    let mut rng = Rng::new(seed);
    let mut tree = Tree::new(Place::new(G::start()), RankTable::published());
    let mut next_worker = 0;
    for event in 0..events {
        let place = format!("seed {seed}, event {event}");
        let ids = tree.ids();
        let &id = rng.pick(&ids).unwrap();
        match rng.below(10) {
            0..5 => {
                let rest = tree.rest(id);
                if !rest.is_empty() {
                    let line = random_line(tree.node(id).position(), &rest, &mut rng);
                    let depth = rng.below(20) as u32;
                    tree.report(id, Opinion::new(random_score(&mut rng), depth, line));
                }
            }
            5..7 => {
                let room = size.saturating_sub(tree.len());
                let before = tree.len();
                let grown = tree.grow_from_opinions(room.min(1 + rng.below(8)));
                assert!(tree.len() >= before + grown.len(), "{place}");
                for node in grown {
                    tree.assign(node, Some(WorkerId(next_worker)));
                    next_worker += 1;
                }
            }
            7 => {
                let shares = tree.plan(12);
                let total: usize = shares.iter().map(|share| share.count).sum();
                assert!(total <= 12, "{place}");
            }
            8 => {
                tree.prune(id);
            }
            _ => follow(&mut tree, &mut rng, &place),
        }
        check(&tree, &place);
    }
}

/// The game moves on by one move; nodes below it must be untouched.
fn follow<G: Notation>(tree: &mut Tree<G>, rng: &mut Rng, place: &str) {
    let root = tree.node(tree.root());
    if root.position().outcome().is_some() {
        tree.follow(&Place::new(G::start()));
        return;
    }
    let in_tree: Vec<_> = root.children().iter().filter_map(|&c| tree.node(c).mv()).collect();
    let moves = if in_tree.is_empty() || rng.one_in(3) { root.legal().to_vec() } else { in_tree };
    let &mv = rng.pick(&moves).unwrap();
    let workers = |tree: &Tree<G>| -> BTreeSet<_> {
        tree.ids().into_iter().filter_map(|id| tree.node(id).worker()).collect()
    };
    let before = workers(tree);
    let roots = root.worker();
    let below: Vec<_> = match tree.child(tree.root(), mv) {
        None => Vec::new(),
        Some(child) => below(tree, child),
    };
    let collected: BTreeSet<_> = tree.follow(&tree.place().after(mv)).into_iter().collect();
    for (id, worker, rest) in &below {
        // A new root that had none takes the old root's.
        let expected = worker.or(roots.filter(|_| *id == tree.root()));
        assert_eq!(tree.node(*id).worker(), expected, "a survivor keeps its worker: {place}");
        if !tree.node(*id).is_over() {
            assert!(*id == tree.root() || &tree.rest(*id) == rest, "and its work: {place}");
        }
    }
    let after = workers(tree);
    assert!(collected.is_disjoint(&after), "{place}");
    assert_eq!(before, &collected | &after, "no worker lost or made up: {place}");
}

type Survivor<G> = (NodeId, Option<WorkerId>, Vec<<G as Game>::Move>);

fn below<G: Game>(tree: &Tree<G>, top: NodeId) -> Vec<Survivor<G>> {
    let mut found = vec![(top, tree.node(top).worker(), tree.rest(top))];
    for &child in tree.node(top).children() {
        found.extend(below(tree, child));
    }
    found
}

#[test]
fn random_lives_keep_every_promise() {
    let seed = senbon_testkit::seed();
    for offset in 0..20 {
        random_life::<Chess>(seed.wrapping_add(offset), 300, 60);
        random_life::<ConnectFour>(seed.wrapping_add(offset), 400, 40);
    }
    for offset in 0..5 {
        random_life::<Shogi>(seed.wrapping_add(offset), 150, 60);
    }
}

#[test]
fn a_plan_prefers_the_probable() {
    let tree = Tree::new(Place::new(Chess::start()), RankTable::published());
    // One node: nothing is known but the root, all shares are below it.
    let shares = tree.plan(7);
    assert_eq!(shares.len(), 1);
    assert_eq!((shares[0].node, shares[0].count), (tree.root(), 7));
    // A position with one legal move has no rest to share.
    let forced = Chess::parse_position("k7/8/8/8/8/8/1r6/K7 w - - 0 1").unwrap();
    let tree = Tree::new(Place::new(forced), RankTable::published());
    assert!(tree.plan(5).is_empty());
}

#[test]
fn growth_follows_the_principal_variation_first() {
    let start = Chess::start();
    let mut tree = Tree::new(Place::new(start.clone()), RankTable::published());
    let mut position = start;
    let mut line = Vec::new();
    for text in ["e2e4", "e7e5", "g1f3", "b8c6"] {
        let mv = position.parse_move(text).unwrap();
        line.push(mv);
        position.play(mv);
    }
    let root = tree.root();
    tree.report(root, Opinion::new(Score::Centipawns(30), 20, line.clone()));
    for plies in 1..=3 {
        let grown = tree.grow_from_opinions(3);
        assert_eq!(grown.len(), 1, "one step of a line at a time");
        assert_eq!(tree.way(grown[0]), line[..plies]);
    }
    assert_eq!(tree.node(root).value(), Some(Score::Centipawns(30)), "knowledge moved along");
    assert!(tree.node(root).rest().is_none(), "the rest lost its best move");
    assert_eq!(tree.best(root).unwrap().line, line);
}

#[test]
fn a_mate_on_the_board_gets_no_node() {
    for (score, nodes) in [(Score::Mates(0), 0), (Score::Mated(0), 0), (Score::Mates(1), 1)] {
        let mut tree = Tree::new(Place::new(Chess::start()), RankTable::published());
        let mv = Chess::start().parse_move("e2e4").unwrap();
        tree.report(tree.root(), Opinion::new(score, 9, vec![mv]));
        assert_eq!(tree.grow_from_opinions(1).len(), nodes, "{score:?}");
        assert_eq!(tree.node(tree.root()).value(), Some(score));
    }
}

#[test]
fn a_line_cut_short_keeps_its_course() {
    let mut tree = Tree::new(Place::new(Chess::start()), RankTable::published());
    let mut position = Chess::start();
    let line: Vec<_> = ["e2e4", "e7e5", "g1f3"]
        .into_iter()
        .map(|text| {
            let mv = position.parse_move(text).unwrap();
            position.play(mv);
            mv
        })
        .collect();
    let root = tree.root();
    tree.report(root, Opinion::new(Score::Centipawns(30), 10, line.clone()));
    tree.report(root, Opinion::new(Score::Centipawns(40), 11, line[..1].to_vec()));
    let best = tree.best(root).unwrap();
    assert_eq!((best.line, best.score, best.depth), (line, Score::Centipawns(40), 11));
    let other = Chess::start().parse_move("d2d4").unwrap();
    tree.report(root, Opinion::new(Score::Centipawns(50), 12, vec![other]));
    assert_eq!(tree.best(root).unwrap().line, [other]);
}

#[test]
fn a_new_worker_speaks_when_it_knows_as_much() {
    let start = Chess::start();
    let line = |moves: &[&str]| -> Vec<_> { moves.iter().map(|mv| by_name(mv)).collect() };
    let mut tree = Tree::new(Place::new(start), RankTable::published());
    let root = tree.root();
    let told = |score, depth, nodes, moves: &[&str]| Opinion {
        nodes,
        ..Opinion::new(Score::Centipawns(score), depth, line(moves))
    };
    tree.report(root, told(30, 12, 9_000, &["e2e4", "e7e5", "g1f3"]));
    let child = tree.expand(root, by_name("e2e4"));
    assert_eq!(tree.node(child).value(), Some(Score::Centipawns(-30)));
    // The worker that is new there begins with the first depth.
    tree.report(child, told(55, 1, 20, &["a7a6"]));
    assert_eq!(tree.node(child).value(), Some(Score::Centipawns(-30)));
    // As deep, or with as many nodes (depths of engines differ), it counts; a mate always.
    let mut as_deep = tree.clone();
    as_deep.report(child, told(-10, 11, 500, &["c7c5"]));
    assert_eq!(as_deep.node(child).value(), Some(Score::Centipawns(-10)));
    // From then on its word counts, also when it begins again.
    as_deep.report(child, told(-20, 1, 20, &["c7c5"]));
    assert_eq!(as_deep.node(child).value(), Some(Score::Centipawns(-20)));
    let mut as_long = tree.clone();
    as_long.report(child, told(-12, 5, 9_000, &["c7c5"]));
    assert_eq!(as_long.node(child).value(), Some(Score::Centipawns(-12)));
    let mate = Opinion::new(Score::Mated(4), 2, line(&["c7c5"]));
    tree.report(child, mate);
    assert_eq!(tree.node(child).value(), Some(Score::Mated(4)));
}

#[test]
fn a_rest_names_nothing_before_it_is_nearly_as_deep_again() {
    let mut tree = Tree::new(Place::new(Chess::start()), RankTable::published());
    let root = tree.root();
    let told = |depth, nodes, mv: &str| Opinion {
        nodes,
        ..Opinion::new(Score::Centipawns(10), depth, vec![by_name(mv)])
    };
    tree.report(root, told(12, 9_000, "e2e4"));
    assert_eq!(tree.grow_from_opinions(1).len(), 1);
    tree.report(root, told(9, 100, "d2d4"));
    assert_eq!(tree.grow_from_opinions(1).len(), 0);
    tree.report(root, told(10, 200, "d2d4"));
    assert_eq!(tree.grow_from_opinions(1).len(), 1);
}

#[test]
fn an_unforeseen_move_takes_the_roots_worker_along() {
    let mut place = Place::new(Chess::start());
    let mut tree = Tree::new(place.clone(), RankTable::published());
    let root = tree.root();
    tree.assign(root, Some(WorkerId(1)));
    let foreseen = tree.expand(root, Chess::start().parse_move("e2e4").unwrap());
    tree.assign(foreseen, Some(WorkerId(2)));
    place.play(Chess::start().parse_move("d2d4").unwrap());
    assert_eq!(tree.follow(&place), [WorkerId(2)], "the others are free");
    assert_eq!(tree.node(tree.root()).worker(), Some(WorkerId(1)));
    place.play(place.position().parse_move("d7d5").unwrap());
    assert!(tree.follow(&place).is_empty());
    assert_eq!(tree.node(tree.root()).worker(), Some(WorkerId(1)));
}
