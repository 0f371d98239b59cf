//! The sequential search in two stages (minimal-trees-2014, section 5.2): the upper plies with
//! one table, as the master has, and what is below with another, as workers have. What workers
//! lack can be taken away bit by bit: the tables of others, and narrow windows.

use senbon_games::{BestLeaf, Bounds, Branching, Game, HIGHEST, Outcome, Side, Worth};
use senbon_search::fixed::{Fixed, Known, Memo};

/// Which results of other tasks a task may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sharing {
    /// All, as if workers had one table.
    All,
    /// Those of positions at most so many plies below a task ("partial share").
    Part(u8),
    /// None: as if every task had a worker of its own.
    Nothing,
}

/// A form of the sequential search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Form {
    /// What tasks share.
    pub sharing: Sharing,
    /// Tasks are searched with full windows.
    pub full_windows: bool,
}

impl Form {
    /// The search that all others are compared with.
    pub const BASELINE: Form = Form { sharing: Sharing::All, full_windows: false };

    /// All forms, the baseline first. `part` is how many plies are shared partly.
    pub fn all(part: u8) -> [Form; 6] {
        let form = |sharing, full_windows| Form { sharing, full_windows };
        let three = [Sharing::All, Sharing::Part(part), Sharing::Nothing];
        let [a, b, c] = three.map(|sharing| form(sharing, false));
        let [d, e, f] = three.map(|sharing| form(sharing, true));
        [a, b, c, d, e, f]
    }

    /// Its name in journals and tables.
    pub fn name(self) -> String {
        let sharing = match self.sharing {
            Sharing::All => "shared".to_owned(),
            Sharing::Part(plies) => format!("partly-shared:{plies}"),
            Sharing::Nothing => "not-shared".to_owned(),
        };
        sharing + if self.full_windows { "+full-windows" } else { "" }
    }
}

/// How such a search went.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counted {
    /// The value of the root.
    pub value: Worth,
    /// Leaves visited.
    pub leaves: u64,
    /// Searches of tasks to their full depth.
    pub tasks: u64,
}

/// Searches `root` to `depth` plies, the first `reach` of them in the upper stage. Nodes with
/// fewer than `remember_from` plies left are not remembered. `memory` is that of each table.
pub(super) fn search<G: Game, B: Branching<G> + Clone>(
    root: &G,
    branching: &B,
    (depth, reach): (u8, u8),
    form: Form,
    (remember_from, memory): (u8, usize),
) -> Counted {
    let mut lower = Fixed::new(Below::new(root, form), BelowBranching(branching.clone()), memory);
    lower.remember_from(remember_from);
    let mut upper = branching.clone();
    upper.reset(root);
    let mut staged = Staged {
        position: root.clone(),
        branching: upper,
        form,
        reach,
        task_depth: depth.saturating_sub(reach),
        remembered: remember_from.max(2),
        memo: Memo::new(memory),
        favourite: Known::NO_BEST,
        lower,
        leaves: 0,
        tasks: 0,
    };
    let value = staged.visit(0, depth, -HIGHEST, HIGHEST);
    let leaves = staged.leaves + staged.lower.nodes().leaves;
    Counted { value, leaves, tasks: staged.tasks }
}

struct Staged<G: Game, B> {
    position: G,
    branching: B,
    form: Form,
    reach: u8,
    task_depth: u8,
    remembered: u8,
    memo: Memo,
    /// The child to try first in a deeper search of the node that was left last.
    favourite: u8,
    lower: Fixed<Below<G>, BelowBranching<B>>,
    leaves: u64,
    tasks: u64,
}

impl<G: Game, B: Branching<G>> Staged<G, B> {
    /// AlphaBeta of figure 1, fail-soft, down to where tasks begin.
    fn visit(&mut self, ply: u8, depth: u8, alpha: Worth, beta: Worth) -> Worth {
        if depth == 0 {
            self.leaves += 1;
            return self.branching.worth(&self.position) as Worth;
        }
        if ply >= self.reach {
            return self.search_task(depth, alpha, beta);
        }
        let remembers = depth >= self.remembered;
        let known = if remembers { self.memo.get(self.position.key()) } else { None };
        let mut first = known.map_or(Known::NO_BEST, |known| known.best);
        self.favourite = first;
        if let Some(known) = known.filter(|known| known.depth == depth)
            && let Some(value) = known.bounds.answer(alpha, beta)
        {
            return value;
        }
        if depth > 2 && known.is_none_or(|known| known.depth + 2 < depth) {
            self.visit(ply, depth - 2, alpha, beta);
            first = self.favourite;
        }
        let Some((value, best)) = self.visit_children(ply, depth, alpha, beta, first) else {
            self.leaves += 1;
            return self.branching.ending(&self.position, depth);
        };
        // When all fail low, the one tried first stays first.
        let stays = value <= alpha && first != Known::NO_BEST;
        self.favourite = if stays { first } else { best };
        if remembers {
            self.remember(depth, Bounds::found(value, alpha, beta));
        }
        value
    }

    /// The value of the children and which is best; none without children.
    fn visit_children(
        &mut self,
        ply: u8,
        depth: u8,
        alpha: Worth,
        beta: Worth,
        first: u8,
    ) -> Option<(Worth, u8)> {
        let mut children = Vec::new();
        self.branching.children(&self.position, &mut children);
        let mut order: Vec<usize> = (0..children.len()).collect();
        if let Some(front) = order.get_mut(..=usize::from(first)) {
            front.rotate_right(1);
        }
        let (mut value, mut best) = (-HIGHEST, Known::NO_BEST);
        for index in order {
            let mv = children[index];
            self.branching.played(&self.position, mv);
            let undo = self.position.play(mv);
            let found = -self.visit(ply + 1, depth - 1, -beta, -alpha.max(value));
            self.position.take_back(mv, undo);
            self.branching.taken_back();
            if found > value {
                (value, best) = (found, index as u8);
            }
            if value >= beta {
                break;
            }
        }
        (!children.is_empty()).then_some((value, best))
    }

    fn remember(&mut self, depth: u8, found: Bounds) {
        let key = self.position.key();
        let before = self.memo.get(key).filter(|known| known.depth == depth);
        let before = before.map_or(Bounds::NONE, |known| known.bounds);
        let bounds = before.and(found).unwrap_or(found);
        self.memo.put(key, Known { bounds, depth, best: self.favourite });
    }

    fn search_task(&mut self, depth: u8, alpha: Worth, beta: Worth) -> Worth {
        let whole = depth == self.task_depth;
        let (alpha, beta) =
            if whole && self.form.full_windows { (-HIGHEST, HIGHEST) } else { (alpha, beta) };
        let task = Below::new(&self.position, self.form);
        let before = self.lower.nodes().total();
        self.lower.start(&task, depth, alpha, beta);
        // It has all nodes there are: it ends.
        let value = self.lower.run(u64::MAX).unwrap_or_default();
        // What is told from memory at once is no search.
        self.tasks += u64::from(whole && self.lower.nodes().total() > before);
        value
    }
}

/// A position below a task. Its key is the task's own where nothing is shared.
#[derive(Clone)]
struct Below<G> {
    position: G,
    /// Of the task.
    salt: u64,
    /// Plies below the task.
    ply: u8,
    /// Down to this ply the key is everybody's.
    shared: Option<u8>,
}

impl<G: Game> Below<G> {
    fn new(task: &G, form: Form) -> Self {
        let salt = task.key().rotate_left(32).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        let shared = match form.sharing {
            Sharing::All => Some(u8::MAX),
            Sharing::Part(plies) => Some(plies),
            Sharing::Nothing => None,
        };
        Below { position: task.clone(), salt, ply: 0, shared }
    }
}

impl<G: Game> Game for Below<G> {
    const NAME: &'static str = G::NAME;
    const KINDRED_MOVES: bool = G::KINDRED_MOVES;

    type Move = G::Move;
    type Undo = G::Undo;
    type Moves = G::Moves;

    fn side_to_move(&self) -> Side {
        self.position.side_to_move()
    }

    fn moves(&self) -> G::Moves {
        self.position.moves()
    }

    fn play(&mut self, mv: G::Move) -> G::Undo {
        self.ply += 1;
        self.position.play(mv)
    }

    fn take_back(&mut self, mv: G::Move, undo: G::Undo) {
        self.ply -= 1;
        self.position.take_back(mv, undo);
    }

    fn key(&self) -> u64 {
        let key = self.position.key();
        if self.shared.is_some_and(|shared| self.ply <= shared) { key } else { key ^ self.salt }
    }

    fn code(mv: G::Move) -> u16 {
        G::code(mv)
    }

    fn ended(&self) -> Option<Outcome> {
        self.position.ended()
    }

    fn stuck(&self) -> Outcome {
        self.position.stuck()
    }
}

/// The branching of the positions themselves.
struct BelowBranching<B>(B);

impl<G: Game, B: Branching<G>> Branching<Below<G>> for BelowBranching<B> {
    fn children(&mut self, position: &Below<G>, children: &mut Vec<G::Move>) {
        self.0.children(&position.position, children);
    }

    fn first_child(&mut self, below: &Below<G>, children: &mut Vec<G::Move>) -> Option<G::Move> {
        self.0.first_child(&below.position, children)
    }

    fn other_children(&mut self, below: &Below<G>, children: &mut Vec<G::Move>, first: usize) {
        self.0.other_children(&below.position, children, first);
    }

    fn best_leaf(
        &mut self,
        position: &mut Below<G>,
        children: &mut Vec<G::Move>,
        beta: Worth,
    ) -> Option<BestLeaf> {
        self.0.best_leaf(&mut position.position, children, beta)
    }

    fn worth(&mut self, position: &Below<G>) -> i32 {
        self.0.worth(&position.position)
    }

    fn ending(&mut self, position: &Below<G>, depth: u8) -> Worth {
        self.0.ending(&position.position, depth)
    }

    fn reset(&mut self, position: &Below<G>) {
        self.0.reset(&position.position);
    }

    fn played(&mut self, before: &Below<G>, mv: G::Move) {
        self.0.played(&before.position, mv);
    }

    fn taken_back(&mut self) {
        self.0.taken_back();
    }
}

#[cfg(test)]
mod tests {
    use senbon_games::shogi::{Shogi, ShogiEvaluator};
    use senbon_games::trees::{Incremental, IncrementalShape, TreeValue};
    use senbon_games::{Notation, Promising, Rng};
    use senbon_testkit::seed;

    use super::*;

    fn alone<G: Game, B: Branching<G>>(root: &G, branching: B, depth: u8) -> Worth {
        let mut search = Fixed::new(root.clone(), branching, 1 << 24);
        search.start(root, depth, -HIGHEST, HIGHEST);
        search.run(u64::MAX).unwrap()
    }

    /// The leaves of all forms, each of which found the right value.
    fn leaves<G: Game, B: Branching<G> + Clone>(
        root: &G,
        branching: &B,
        size: (u8, u8),
    ) -> Vec<u64> {
        let truth = alone(root, branching.clone(), size.0);
        let forms = Form::all(2).into_iter();
        let counted = forms.map(|form| {
            let counted = search(root, branching, size, form, (2, 1 << 24));
            assert_eq!(counted.value, truth, "{} {size:?}", form.name());
            counted.leaves
        });
        counted.collect()
    }

    #[test]
    fn every_form_finds_the_value_of_the_plain_search() {
        let mut rng = Rng::new(seed());
        for _ in 0..20 {
            let depth = 2 + rng.below(7) as u8;
            let shape = IncrementalShape::new(2 + rng.below(4) as u8, depth, rng.next_u64());
            let root = Incremental::new(shape).unwrap();
            let reach = rng.below(usize::from(depth)) as u8;
            leaves(&root, &Promising::new(TreeValue, 5), (depth, reach));
        }
    }

    /// Ways meet in shogi, so that sharing saves leaves; so do narrow windows.
    #[test]
    fn what_is_taken_away_costs_leaves() {
        let branching = Promising::new(ShogiEvaluator::default(), 5);
        let mut sums = vec![0; 6];
        for sfen in [
            "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
            "ln1g1g2l/3sr2s1/pp1ppp1pn/2p2k3/6pPp/P2PP4/1PP1SPbSP/6R2/LNBGGK1NL b p 41",
        ] {
            let root = Shogi::parse_position(sfen).unwrap();
            let counts = leaves(&root, &branching, (8, 4));
            sums.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
        }
        let [shared, _, not, full, _, _] = sums[..] else { panic!("{sums:?}") };
        assert!(shared < not && shared < full, "{sums:?}");
    }
}
