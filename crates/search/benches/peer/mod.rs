//! Our rules and evaluators behind the traits of the `minimax` crate.

use std::marker::PhantomData;
use std::sync::atomic::{AtomicU64, Ordering};

use minimax::{BEST_EVAL, Negamax, Strategy, Winner};
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

/// Synthetic trees.
pub(crate) struct Tree<G>(PhantomData<G>);

/// A node that can go back by itself: `minimax` does not keep what that takes, and copying
/// whole nodes is slower for it.
#[derive(Clone)]
pub(crate) struct Trail<G> {
    position: G,
    undo: Vec<Node>,
}

impl<G: Game<Undo = Node>> Peer<G> for Tree<G> {
    fn state(position: &G) -> Trail<G> {
        Trail { position: position.clone(), undo: Vec::new() }
    }
}

impl<G: Game<Undo = Node>> minimax::Game for Tree<G> {
    type S = Trail<G>;
    type M = G::Move;

    fn generate_moves(state: &Trail<G>, moves: &mut Vec<G::Move>) -> Option<Winner> {
        moves.extend(state.position.moves());
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

impl<G: Game<Undo = Node>> minimax::Evaluator for Judge<Tree<G>, TreeValue>
where
    TreeValue: Evaluator<G>,
{
    type G = Tree<G>;

    fn evaluate(&self, state: &Trail<G>) -> i16 {
        TreeValue.evaluate(&state.position) as i16
    }
}
