//! Whether synthetic trees are as random as they claim: frequencies and independence.
//!
//! Each claim is a chi-square test over a few hundred thousand nodes of fresh trees. A result
//! five standard deviations off in either direction fails: too uneven, or too even to be
//! random. A good generator does so once in about two million runs.
#![allow(clippy::unwrap_used)]

use senbon_games::trees::{
    Branch, Edges, Incremental, IncrementalShape, Placement, Regular, RegularShape,
};
use senbon_games::{Game, Rng};

/// Counts of independent events against their probabilities.
struct Counts {
    counts: Vec<u64>,
    chances: Vec<f64>,
}

impl Counts {
    fn new(chances: Vec<f64>) -> Self {
        Counts { counts: vec![0; chances.len()], chances }
    }

    fn even(classes: usize) -> Self {
        Counts::new(vec![1.0 / classes as f64; classes])
    }

    /// Pairs of events with these probabilities each, if they are independent.
    fn pairs(first: &[f64], second: &[f64]) -> Self {
        Counts::new(first.iter().flat_map(|p| second.iter().map(move |q| p * q)).collect())
    }

    fn add(&mut self, class: usize) {
        self.counts[class] += 1;
    }

    fn check(&self, what: &str) {
        let total: u64 = self.counts.iter().sum();
        let mut square = 0.0;
        let mut classes = 0.0;
        for (&count, &chance) in self.counts.iter().zip(&self.chances) {
            let expected = chance * total as f64;
            if chance == 0.0 {
                assert_eq!(count, 0, "{what}: something impossible happened");
                continue;
            }
            assert!(expected > 20.0, "{what}: too few samples to tell");
            square += (count as f64 - expected).powi(2) / expected;
            classes += 1.0;
        }
        // Wilson and Hilferty: the cube root of chi-square is nearly normal.
        let freedom = classes - 1.0;
        let spread = 2.0 / (9.0 * freedom);
        let deviations = ((square / freedom).cbrt() - (1.0 - spread)) / spread.sqrt();
        println!("{what}: {deviations:+.2} deviations, {total} samples");
        assert!(deviations.abs() < 5.0, "{what}: {deviations:.1} deviations: {:?}", self.counts);
    }
}

/// Goes down random paths of fresh trees and shows each node with all its children.
fn families(shape: RegularShape, count: usize, mut visit: impl FnMut(&Regular, &[Regular])) {
    let mut rng = Rng::new(senbon_testkit::seed());
    let mut left = count;
    while left > 0 {
        let shape = RegularShape { seed: rng.next_u64(), ..shape };
        let mut node = Regular::new(shape).unwrap();
        while node.count_moves() > 0 && left > 0 {
            let child = |branch| {
                let mut child = node.clone();
                child.play(branch);
                child
            };
            let mut children: Vec<Regular> = node.moves().map(child).collect();
            visit(&node, &children);
            node = children.swap_remove(rng.below(children.len()));
            left -= 1;
        }
    }
}

fn uniform(width: u8, spread: u16) -> RegularShape {
    RegularShape { spread, ..RegularShape::new(Placement::Uniform, width, 20, 0) }
}

fn best(node: &Regular) -> usize {
    node.best().index().into()
}

/// How much worse than the best child each other child is.
fn worse<'a>(parent: &'a Regular, children: &'a [Regular]) -> impl Iterator<Item = usize> + 'a {
    let others = children.iter().enumerate().filter(|&(index, _)| index != best(parent));
    others.map(|(_, child)| (parent.value() + child.value()) as usize)
}

#[test]
fn best_children_stand_where_the_placement_says() {
    let p = 58_982;
    let chance = f64::from(p) / 65536.0;
    let geometric = |k: i32| if k == 6 { 1.0 } else { chance } * (1.0 - chance).powi(k);
    let even = vec![1.0 / 7.0; 7];
    let ordered = (0..7).map(|k| if k == 0 { chance } else { (1.0 - chance) / 6.0 });
    for (placement, chances) in [
        (Placement::Uniform, even),
        (Placement::Geometric { p }, (0..7).map(geometric).collect()),
        (Placement::Ordered { p }, ordered.collect()),
    ] {
        // Classes too rare to count one by one are counted together.
        let rare = chances.iter().position(|&chance| chance < 1e-3).unwrap_or(6);
        let last: f64 = chances[rare..].iter().sum();
        let mut counts = Counts::new([&chances[..rare], &[last]].concat());
        let shape = RegularShape { placement, ..uniform(7, 1) };
        families(shape, 50_000, |_, children| {
            children.iter().for_each(|child| counts.add(best(child).min(rare)));
        });
        counts.check(&format!("{placement:?}"));
    }
}

#[test]
fn other_children_are_worse_by_even_amounts() {
    for spread in [1, 2, 6, 99] {
        let mut counts = Counts::even(usize::from(spread) + 1);
        families(uniform(7, spread), 50_000, |parent, children| {
            worse(parent, children).for_each(|amount| counts.add(amount));
        });
        counts.check(&format!("spread {spread}"));
    }
}

#[test]
fn siblings_are_independent() {
    let seventh = [1.0 / 7.0; 7];
    let mut places = Counts::pairs(&seventh, &seventh);
    let mut distant = Counts::pairs(&seventh, &seventh);
    let mut amounts = Counts::pairs(&seventh, &seventh);
    // The order of three neighbours by value: six ways.
    let mut orders = Counts::even(6);
    families(uniform(9, 6), 60_000, |parent, children| {
        // Nine children: their indices are drawn from nine, so count only the first seven.
        let sevens: Vec<usize> = children.iter().map(best).collect();
        for pair in sevens.windows(2).filter(|pair| pair.iter().all(|&index| index < 7)) {
            places.add(pair[0] * 7 + pair[1]);
        }
        if sevens[0] < 7 && sevens[8] < 7 {
            distant.add(sevens[0] * 7 + sevens[8]);
        }
        let worse: Vec<usize> = worse(parent, children).collect();
        worse.windows(2).for_each(|pair| amounts.add(pair[0] * 7 + pair[1]));
        for three in children.windows(3) {
            let [a, b, c] = [0, 1, 2].map(|index| three[index].key());
            let order = usize::from(a < b) * 4 + usize::from(b < c) * 2 + usize::from(a < c);
            // Of the eight combinations two contradict themselves.
            orders.add([0, 6, 1, 2, 3, 4, 6, 5][order]);
        }
    });
    places.check("best children of neighbours");
    distant.check("best children of the first and the last");
    amounts.check("values of neighbours");
    orders.check("order of three neighbours");
}

#[test]
fn levels_are_independent() {
    let seventh = [1.0 / 7.0; 7];
    let mut places = Counts::pairs(&seventh, &seventh);
    let mut halves = Counts::pairs(&seventh, &seventh);
    let mut inherited = Counts::pairs(&seventh, &seventh);
    let mut turn = 0;
    families(uniform(7, 6), 200_000, |parent, children| {
        // One child a parent: the parent's own draw must not count seven times.
        turn = (turn + 1) % 7;
        let child = &children[turn];
        places.add(best(parent) * 7 + best(child));
        if turn != best(parent) {
            let amount = (parent.value() + child.value()) as usize;
            halves.add(amount * 7 + best(child));
            inherited.add(best(parent) * 7 + amount);
        }
    });
    places.check("best children of parent and child");
    halves.check("a node's value and its best child");
    inherited.check("the parent's best child and the values of the others");
}

#[test]
fn every_bit_of_a_key_is_fair_and_keys_do_not_repeat() {
    let mut ones = [0u64; 64];
    let mut flips = [0u64; 64];
    let mut pairs = 0;
    let mut keys = Vec::new();
    families(uniform(7, 1), 30_000, |_, children| {
        for pair in children.windows(2) {
            let changed = pair[0].key() ^ pair[1].key();
            (0..64).for_each(|bit| flips[bit] += changed >> bit & 1);
            pairs += 1;
        }
        keys.extend(children.iter().map(Game::key));
    });
    for key in &keys {
        (0..64).for_each(|bit| ones[bit] += key >> bit & 1);
    }
    let deviations =
        |ones: u64, of: usize| (ones as f64 - of as f64 / 2.0) / (of as f64).sqrt() * 2.0;
    for bit in 0..64 {
        assert!(deviations(ones[bit], keys.len()).abs() < 6.0, "bit {bit} is unfair");
        assert!(deviations(flips[bit], pairs).abs() < 6.0, "bit {bit} of neighbours is linked");
    }
    let visited = keys.len();
    keys.sort_unstable();
    keys.dedup();
    assert_eq!(keys.len(), visited, "two nodes share a key");
}

#[test]
fn edges_are_distributed_as_described() {
    // Sums of draws from −3 to 3, by folding the even distribution with itself.
    let even = vec![1.0 / 7.0; 7];
    let fold = |a: &[f64], b: &[f64]| {
        let mut sum = vec![0.0; a.len() + b.len() - 1];
        for (i, p) in a.iter().enumerate() {
            b.iter().enumerate().for_each(|(j, q)| sum[i + j] += p * q);
        }
        sum
    };
    let two = fold(&even, &even);
    let three = fold(&two, &even);
    for (draws, chances) in [(1, even), (2, two), (3, three)] {
        let reach = i32::from(draws) * 3;
        let mut counts = Counts::new(chances);
        let edges = Edges { draws, quiet: 3, swing: 0, swing_chance: 0 };
        each_edge(edges, 200_000, |edge| counts.add((edge + reach) as usize));
        counts.check(&format!("{draws} draws"));
    }
    // Quiet edges are 0 here, so that every other edge is a swing.
    let mut counts =
        Counts::new(vec![0.75 + 0.25 / 101.0, 0.25 * 50.0 / 101.0, 0.25 * 50.0 / 101.0]);
    let edges = Edges { draws: 1, quiet: 0, swing: 50, swing_chance: 16_384 };
    each_edge(edges, 200_000, |edge| counts.add(edge.signum().rem_euclid(3) as usize));
    counts.check("swings");
}

fn each_edge(edges: Edges, count: usize, mut visit: impl FnMut(i32)) {
    let mut rng = Rng::new(senbon_testkit::seed());
    for _ in 0..count / 20 {
        let shape = IncrementalShape { edges, ..IncrementalShape::new(20, 20, rng.next_u64()) };
        let mut node = Incremental::new(shape).unwrap();
        for _ in 0..rng.below(10) {
            node.play(Branch::new(rng.below(20) as u8));
        }
        node.moves().for_each(|branch| visit(node.edge(branch)));
    }
}
