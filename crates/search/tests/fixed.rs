//! The search that can be held anywhere returns what plain negamax returns on the same tree.
#![allow(clippy::unwrap_used, clippy::disallowed_methods)]

use senbon_games::shogi::{Shogi, ShogiEvaluator};
use senbon_games::tiny::{ConnectFour, Threats};
use senbon_games::trees::{Incremental, IncrementalShape, TreeValue};
use senbon_games::{Branching, Ending, Game, HIGHEST, Notation, OVER, Promising, Rng, Worth};
use senbon_search::fixed::{Fixed, Pool};
use senbon_testkit::seed;
use std::sync::Arc;

/// Plain negamax over the same children.
fn oracle<G: Game, B: Branching<G>>(position: &mut G, branching: &mut B, depth: u8) -> Worth {
    if depth == 0 {
        return branching.worth(position) as Worth;
    }
    let mut children = Vec::new();
    branching.children(position, &mut children);
    if children.is_empty() {
        let outcome = position.ended().unwrap_or_else(|| position.stuck());
        if outcome.ending == Ending::Leaf {
            return branching.worth(position) as Worth;
        }
        return outcome.sign_for(position.side_to_move()) as Worth * (OVER + Worth::from(depth));
    }
    let mut best = -HIGHEST;
    for mv in children {
        branching.played(position, mv);
        let undo = position.play(mv);
        best = best.max(-oracle(position, branching, depth - 1));
        position.take_back(mv, undo);
        branching.taken_back();
    }
    best
}

/// Searches in slices of random size, gives searches up, searches again with other windows and
/// depths: exact inside the window, a bound outside.
fn agrees<G: Game, B: Branching<G>>(
    position: &G,
    mut branching: B,
    search: &mut Fixed<G, B>,
    deepest: u8,
    rng: &mut Rng,
) {
    let depth = 1 + rng.below(usize::from(deepest)) as u8;
    branching.reset(position);
    let truth = oracle(&mut position.clone(), &mut branching, depth);
    for _ in 0..4 {
        let (alpha, beta) = window(truth, rng);
        search.start(position, depth, alpha, beta);
        let slice = 1 + rng.below(200) as u64;
        let mut slices = 0;
        let value = loop {
            if let Some(value) = search.run(slice) {
                break value;
            }
            slices += 1;
            if slices == 5 && rng.below(4) == 0 {
                search.start(position, depth, alpha, beta);
            }
        };
        assert!(!search.is_running());
        assert_true(value, truth, (alpha, beta));
    }
}

/// With a full window, the child to try first next time is one that is worth as much as the
/// root.
#[test]
fn the_favourite_is_the_best_child() {
    let mut rng = Rng::new(seed());
    for _ in 0..50 {
        let depth = 2 + rng.below(5) as u8;
        let shape = IncrementalShape::new(2 + rng.below(5) as u8, depth, rng.next_u64());
        let mut root = Incremental::new(shape).unwrap();
        let mut branching = Promising::new(TreeValue, 5);
        let mut search = Fixed::new(root.clone(), branching.clone(), 1 << 20);
        search.start(&root, depth, -HIGHEST, HIGHEST);
        let value = search.run(u64::MAX).unwrap();
        let mut children = Vec::new();
        branching.children(&root, &mut children);
        root.play(children[usize::from(search.favourite())]);
        assert_eq!(-oracle(&mut root, &mut branching, depth - 1), value, "{shape:?}");
    }
}

#[test]
fn synthetic_trees() {
    let mut rng = Rng::new(seed());
    for _ in 0..60 {
        let shape = IncrementalShape::new(1 + rng.below(6) as u8, 7, rng.next_u64());
        let root = Incremental::new(shape).unwrap();
        let branching = Promising::new(TreeValue, 1 + rng.below(6));
        let mut search = Fixed::new(root.clone(), branching.clone(), 1 << rng.below(20));
        search.deepen_by(1 + rng.below(6) as u8);
        for _ in 0..6 {
            agrees(&root, branching.clone(), &mut search, 7, &mut rng);
        }
    }
}

/// Games that end, by mate or by a full board, and positions that are reached by several ways.
#[test]
fn games_that_end() {
    let mut rng = Rng::new(seed());
    for _ in 0..40 {
        let mut position = ConnectFour::start();
        for _ in 0..rng.below(36) {
            let moves: Vec<_> = position.moves().collect();
            if position.ended().is_some() || moves.is_empty() {
                break;
            }
            position.play(moves[rng.below(moves.len())]);
        }
        let branching = Promising::new(Threats, 2 + rng.below(6));
        let mut search = Fixed::new(position, branching.clone(), 1 << 16);
        search.deepen_by(1 + rng.below(6) as u8);
        for _ in 0..3 {
            agrees(&position, branching.clone(), &mut search, 5, &mut rng);
        }
    }
    // The best of few moves, with mates about.
    let mated = "4k4/9/4P4/9/9/9/9/9/4K4 b G 1";
    for sfen in [mated, "startpos"] {
        let position = match sfen {
            "startpos" => Shogi::start(),
            sfen => Shogi::parse_position(sfen).unwrap(),
        };
        let branching = Promising::new(ShogiEvaluator::default(), 4);
        let mut search = Fixed::new(position.clone(), branching.clone(), 1 << 20);
        for _ in 0..4 {
            agrees(&position, branching.clone(), &mut search, 5, &mut rng);
        }
    }
}

/// Several searches by turns: every one goes on where it was, and nothing is searched for
/// nothing.
fn by_turns<G: Game, B: Branching<G> + Clone>(root: &G, branching: &B, deepest: u8, rng: &mut Rng) {
    let mut search = Fixed::new(root.clone(), branching.clone(), 1 << rng.below(16));
    search.scout(rng.below(2) == 0);
    if rng.below(2) == 0 {
        search.share(Some(Arc::new(Pool::new(1 << 12))));
    }
    let mut open = Vec::new();
    for _ in 0..2 + rng.below(15) {
        let (mut position, mut moves, mut branching) =
            (root.clone(), Vec::new(), branching.clone());
        branching.reset(root);
        branching.children(root, &mut moves);
        if rng.below(3) > 0 {
            position.play(moves[rng.below(moves.len())]);
            branching.reset(&position);
        }
        let depth = 1 + rng.below(usize::from(deepest)) as u8;
        let truth = oracle(&mut position.clone(), &mut branching, depth);
        let asked = (position, depth, window(truth, rng), truth);
        let key = |asked: &(G, u8, (Worth, Worth), Worth)| (asked.0.key(), asked.1, asked.2);
        if open.iter().all(|other| key(other) != key(&asked)) {
            open.push(asked);
        }
    }
    let mut efforts = 0;
    while !open.is_empty() {
        let at = rng.below(open.len());
        let (position, depth, window, truth) = &open[at];
        search.start(position, *depth, window.0, window.1);
        if let Some(value) = search.run(1 + rng.below(60) as u64) {
            assert_true(value, *truth, *window);
            efforts += search.effort();
            open.remove(at);
        }
    }
    assert_eq!(efforts, search.nodes().total(), "no node was visited for a search thrown away");
}

#[test]
fn searches_laid_aside_go_on() {
    let mut rng = Rng::new(seed());
    for round in 0..30 {
        let width = 2 + rng.below(4);
        let root = Incremental::new(IncrementalShape::new(width as u8, 8, round)).unwrap();
        by_turns(&root, &Promising::new(TreeValue, width), 6, &mut rng);
        by_turns(&ConnectFour::start(), &Promising::new(Threats, width), 6, &mut rng);
        by_turns(&Shogi::start(), &Promising::new(ShogiEvaluator::default(), 3), 5, &mut rng);
    }
}

/// A window around the truth, or an open one.
fn window(truth: Worth, rng: &mut Rng) -> (Worth, Worth) {
    if rng.below(3) == 0 {
        return (-HIGHEST, HIGHEST);
    }
    let alpha = (i32::from(truth) + rng.below(300) as i32 - 150).clamp(-31_000, 31_000) as Worth;
    (alpha, alpha + 1 + rng.below(100) as Worth)
}

fn assert_true(value: Worth, truth: Worth, (alpha, beta): (Worth, Worth)) {
    if truth <= alpha {
        assert!(truth <= value && value <= alpha, "{truth} {value} {alpha} {beta}");
    } else if truth >= beta {
        assert!(truth >= value && value >= beta, "{truth} {value} {alpha} {beta}");
    } else {
        assert_eq!(value, truth, "{alpha} {beta}");
    }
}

/// Searches that share a memory, by turns of random length, at the same depths and windows or
/// others: every one of them is right.
fn agree_together<G: Game, B: Branching<G> + Clone>(
    position: &G,
    branching: B,
    deepest: u8,
    rng: &mut Rng,
) {
    let pool = Arc::new(Pool::new(1 << (10 + rng.below(10))));
    let truths: Vec<Worth> = (0..=deepest)
        .map(|depth| {
            let mut branching = branching.clone();
            branching.reset(position);
            oracle(&mut position.clone(), &mut branching, depth)
        })
        .collect();
    let mut searches: Vec<_> = (0..2 + rng.below(4))
        .map(|_| {
            let mut search = Fixed::new(position.clone(), branching.clone(), 0);
            search.share(Some(Arc::clone(&pool)));
            search.scout(rng.below(2) == 0);
            (search, None)
        })
        .collect();
    let question = |rng: &mut Rng| {
        let depth = deepest - 2 * rng.below(2) as u8;
        (depth, window(truths[usize::from(depth)], rng))
    };
    let mut questions = [question(rng), question(rng)];
    for _ in 0..600 {
        let at = rng.below(searches.len());
        let (search, asked) = &mut searches[at];
        let (depth, window) = *asked.get_or_insert_with(|| {
            let (depth, window) = questions[rng.below(2)];
            search.start(position, depth, window.0, window.1);
            (depth, window)
        });
        if let Some(value) = search.run(1 + rng.below(60) as u64) {
            assert_true(value, truths[usize::from(depth)], window);
            *asked = None;
            for old in questions.iter_mut().filter(|old| **old == (depth, window)) {
                *old = question(rng);
            }
        } else if rng.below(40) == 0 {
            search.lay_aside();
            *asked = None;
        }
    }
}

#[test]
fn searches_that_share_a_memory_agree() {
    let mut rng = Rng::new(seed());
    for round in 0..20 {
        let width = 2 + rng.below(4);
        let root = Incremental::new(IncrementalShape::new(width as u8, 8, round)).unwrap();
        agree_together(&root, Promising::new(TreeValue, width), 7, &mut rng);
        // Deep enough for some to find out what others are below.
        let root = Incremental::new(IncrementalShape::new(3, 10, round)).unwrap();
        agree_together(&root, Promising::new(TreeValue, 3), 10, &mut rng);
        agree_together(&ConnectFour::start(), Promising::new(Threats, 3), 10, &mut rng);
        agree_together(&ConnectFour::start(), Promising::new(Threats, width), 7, &mut rng);
        let position = Shogi::start();
        agree_together(&position, Promising::new(ShogiEvaluator::default(), 3), 7, &mut rng);
    }
}

/// Nodes that so many searches visit together, by turns, until one of them has answered the same
/// question.
fn together(root: &Incremental, depth: u8, searches: usize) -> u64 {
    let pool = Arc::new(Pool::new(1 << 24));
    let mut searches: Vec<_> = (0..searches)
        .map(|_| {
            let mut search = Fixed::new(root.clone(), Promising::new(TreeValue, 5), 0);
            search.share(Some(Arc::clone(&pool)));
            search.start(root, depth, 0, 1);
            search
        })
        .collect();
    while !searches.iter_mut().any(|search| search.run(4).is_some()) {}
    searches.iter().map(|search| search.nodes().total()).sum()
}

/// Helpers spread over what there is to do: they do not follow each other.
#[test]
fn many_searches_of_the_same_tree_keep_out_of_each_others_way() {
    let (mut one, mut many) = (0, 0);
    for tree in 1..=8 {
        let root = Incremental::new(IncrementalShape::new(5, 12, tree)).unwrap();
        one += together(&root, 12, 1);
        many += together(&root, 12, 32);
    }
    assert!(many < 3 * one, "32 searches visit {many} nodes, one {one}");
}
