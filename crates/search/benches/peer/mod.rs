//! Our rules and evaluators behind the traits of the `minimax` crate.

use std::marker::PhantomData;
use std::sync::atomic::{AtomicU64, Ordering};

use minimax::{BEST_EVAL, IterativeOptions, IterativeSearch, Negamax, Strategy, Winner};
use senbon_games::tiny::{Cell, ConnectFour, Lines, Threats};
use senbon_games::trees::{Node, TreeValue};
use senbon_games::{Evaluator, Game};
use senbon_search::{Value, is_forced};

/// A game of theirs that plays our `G`.
pub(crate) trait Peer<G>: minimax::Game<S: Clone, M: Copy> {
    /// The state of theirs for a position of ours.
    fn state(position: &G) -> Self::S;
}

/// The value their plain negamax with pruning finds, and the nodes it visits, without the root.
pub(crate) fn search<G, M: Peer<G>, E>(position: &G, depth: u8) -> (i16, u64)
where
    Judge<M, E>: minimax::Evaluator<G = M>,
{
    let before = VISITED.load(Ordering::Relaxed);
    let mut negamax = Negamax::new(Judge::<M, E>(PhantomData), depth);
    negamax.choose_move(&M::state(position));
    (negamax.root_value(), VISITED.load(Ordering::Relaxed) - before)
}

/// The value their search with a table and deepening by two plies finds, and the nodes it
/// visits in all its iterations, without the root. Null windows, which ours has not, are off.
pub(crate) fn deepen<G, M: Peer<G, M: Eq>, E>(position: &G, depth: u8, table: usize) -> (i16, u64)
where
    Judge<M, E>: minimax::Evaluator<G = M>,
{
    let before = VISITED.load(Ordering::Relaxed);
    let options = IterativeOptions::new()
        .with_table_byte_size(table)
        .with_null_window_search(false)
        .with_double_step_increment();
    let mut search = IterativeSearch::new(Judge::<M, E>(PhantomData), options);
    search.set_max_depth(depth);
    search.choose_move(&M::state(position));
    (search.root_value(), VISITED.load(Ordering::Relaxed) - before)
}

/// `minimax` does not tell the distance of a forced result.
pub(crate) fn in_their_terms(value: Value) -> i16 {
    if is_forced(value) { BEST_EVAL * value.signum() as i16 } else { value as i16 }
}

/// Nodes visited. One thread searches, so load and store make a cheap counter.
static VISITED: AtomicU64 = AtomicU64::new(0);

fn count() {
    VISITED.store(VISITED.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
}

/// Connect Four.
pub(crate) struct Four;

/// A position that carries what [`Lines`] would keep: their evaluators see only the state.
#[derive(Clone, Copy)]
pub(crate) struct FourState {
    position: ConnectFour,
    balance: i32,
}

impl Peer<ConnectFour> for Four {
    fn state(position: &ConnectFour) -> FourState {
        let mut lines = Lines::default();
        lines.reset(position);
        FourState { position: *position, balance: lines.evaluate(position) }
    }
}

impl minimax::Game for Four {
    type S = FourState;
    type M = Cell;

    fn generate_moves(state: &FourState, moves: &mut Vec<Cell>) -> Option<Winner> {
        let winner = Self::get_winner(state);
        if winner.is_none() {
            moves.extend(state.position.moves());
        }
        winner
    }

    fn apply(state: &mut FourState, mv: Cell) -> Option<FourState> {
        count();
        let mut after = *state;
        after.balance = -(after.balance + Lines::through(mv));
        after.position.play(mv);
        Some(after)
    }

    fn get_winner(state: &FourState) -> Option<Winner> {
        if state.position.ended().is_some() {
            return Some(Winner::PlayerJustMoved);
        }
        (state.position.plies() == 42).then_some(Winner::Draw)
    }
}

/// Synthetic trees, the children as they come or, if `SORTED`, the most promising first.
pub(crate) struct Tree<G, const SORTED: bool = false>(PhantomData<G>);

/// A node that can go back by itself: `minimax` does not keep what that takes, and copying
/// whole nodes is slower for it.
#[derive(Clone)]
pub(crate) struct Trail<G> {
    position: G,
    undo: Vec<Node>,
}

impl<G: Game<Undo = Node>, const SORTED: bool> Peer<G> for Tree<G, SORTED> {
    fn state(position: &G) -> Trail<G> {
        Trail { position: position.clone(), undo: Vec::new() }
    }
}

impl<G: Game<Undo = Node>, const SORTED: bool> minimax::Game for Tree<G, SORTED> {
    type S = Trail<G>;
    type M = G::Move;

    fn generate_moves(state: &Trail<G>, moves: &mut Vec<G::Move>) -> Option<Winner> {
        moves.extend(state.position.moves());
        if SORTED {
            sort(&state.position, moves);
        }
        None
    }

    fn apply(state: &mut Trail<G>, mv: G::Move) -> Option<Trail<G>> {
        count();
        state.undo.push(state.position.play(mv));
        None
    }

    fn undo(state: &mut Trail<G>, mv: G::Move) {
        if let Some(undo) = state.undo.pop() {
            state.position.take_back(mv, undo);
        }
    }

    fn get_winner(_state: &Trail<G>) -> Option<Winner> {
        None
    }

    fn zobrist_hash(state: &Trail<G>) -> u64 {
        state.position.key()
    }
}

/// The widest node that is sorted.
const WIDEST: usize = 32;

/// The order of `Promising`: by what the moves seem to be worth, ties as they come. On the
/// stack, so that it takes them as little time as can be.
fn sort<G: Game>(position: &G, moves: &mut [G::Move]) {
    let (mut ranks, count) = ([0; WIDEST], moves.len());
    for (index, &mv) in moves.iter().enumerate() {
        ranks[index] = (-i64::from(position.order_hint(mv)) << 8) + index as i64;
    }
    ranks[..count].sort_unstable();
    let mut sorted = [moves[0]; WIDEST];
    for (to, rank) in sorted.iter_mut().zip(&ranks[..count]) {
        *to = moves[(rank & 0xff) as usize];
    }
    moves.copy_from_slice(&sorted[..count]);
}

/// Our evaluator `E` of their game `M`.
pub(crate) struct Judge<M, E>(PhantomData<(M, E)>);

impl minimax::Evaluator for Judge<Four, Lines> {
    type G = Four;

    fn evaluate(&self, state: &FourState) -> i16 {
        state.balance as i16
    }
}

impl minimax::Evaluator for Judge<Four, Threats> {
    type G = Four;

    fn evaluate(&self, state: &FourState) -> i16 {
        Threats.evaluate(&state.position) as i16
    }
}

impl<G: Game<Undo = Node>, const SORTED: bool> minimax::Evaluator
    for Judge<Tree<G, SORTED>, TreeValue>
where
    TreeValue: Evaluator<G>,
{
    type G = Tree<G, SORTED>;

    fn evaluate(&self, state: &Trail<G>) -> i16 {
        TreeValue.evaluate(&state.position) as i16
    }
}
