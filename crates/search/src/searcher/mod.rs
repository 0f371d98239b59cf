//! The full iterative search of the built-in engines.
//!
//! A [`Searcher`] owns what outlives a search: evaluator, histories and its share of the
//! transposition table. Each search is a [`Run`]: iterations with an aspiration window
//! (`root.rs`), interior nodes (`node.rs`), quiescence (`quiescence.rs`), ordering
//! (`picker.rs`, `histories.rs`). One thread, a fixed node count and the same start give the
//! same result every time.

mod harvest;
mod histories;
mod node;
mod picker;
mod quiescence;
mod reductions;
mod request;
mod root;
mod switches;

use std::sync::Arc;

use senbon_games::{Evaluator, Tactics};

pub use harvest::{Gleaning, harvest};
pub use request::{Found, Line, Progress, Request, Signals};
pub use switches::Switches;

use crate::{Pace, Table, Value, finished, is_forced};
use histories::Histories;
use picker::Candidate;
use root::RootMove;

/// No line is searched further than this from the root.
pub const MAX_PLY: usize = 160;

/// Searches positions of one game on one thread.
///
/// ```
/// use senbon_games::{Notation, chess::Chess, chess::ChessEvaluator};
/// use senbon_search::{Free, Request, Searcher, Signals, Table};
///
/// let mate_in_one = Chess::parse_position("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1").unwrap();
/// let mut searcher = Searcher::new(ChessEvaluator::default(), Table::with_mib(1).into());
/// let request = Request { depth: Some(4), ..Request::default() };
/// let found = searcher.search(&mate_in_one, &request, &Signals::default(), &mut Free, |_| {});
/// assert_eq!(mate_in_one.format_move(found.best().unwrap()), "a1a8");
/// ```
pub struct Searcher<G: Tactics, E: Evaluator<G>> {
    /// Which techniques to use.
    pub switches: Switches,
    evaluator: E,
    table: Arc<Table>,
    histories: Histories,
    stack: Vec<Ply<G::Move>>,
}

impl<G: Tactics, E: Evaluator<G>> Searcher<G, E> {
    /// A searcher with every technique on, sharing `table` with whoever else has it.
    pub fn new(evaluator: E, table: Arc<Table>) -> Self {
        Searcher {
            switches: Switches::selective(),
            evaluator,
            table,
            histories: Histories::new::<G>(),
            stack: std::iter::repeat_with(Ply::default).take(MAX_PLY + 2).collect(),
        }
    }

    /// The table in use.
    pub fn table(&self) -> &Arc<Table> {
        &self.table
    }

    /// Uses another table from now on.
    pub fn set_table(&mut self, table: Arc<Table>) {
        self.table = table;
    }

    /// Forgets what earlier searches learnt about moves (the table is the caller's to clear).
    pub fn new_game(&mut self) {
        self.histories.clear();
        for ply in &mut self.stack {
            *ply = Ply::default();
        }
    }

    /// Searches `position` until a limit of `request` or a signal ends it. `tell` hears of
    /// every change of the lines found.
    pub fn search<P: Pace>(
        &mut self,
        position: &G,
        request: &Request<G::Move>,
        signals: &Signals,
        pace: &mut P,
        tell: impl FnMut(&Progress<'_, G::Move>),
    ) -> Found<G::Move> {
        self.table.age();
        self.evaluator.reset(position);
        for ply in &mut self.stack {
            ply.killers = [0; 2];
        }
        let run = Run {
            searcher: self,
            signals,
            pace,
            nodes: 0,
            node_limit: request.nodes.unwrap_or(u64::MAX),
            broken_off: false,
            seldepth: 0,
            root_moves: Vec::new(),
            first_root: 0,
            root_depth: 0,
        };
        run.iterate(&mut position.clone(), request, tell)
    }
}

/// What the search remembers of one ply of the line it is on.
#[derive(Clone)]
struct Ply<M> {
    /// Codes of quiet moves that refuted siblings.
    killers: [u16; 2],
    /// History slot of the move played here; none for a pass.
    slot: Option<usize>,
    /// Static value, if known.
    evaluation: Option<Value>,
    /// Code of a move left out, to see whether it is the only good one; 0 for none.
    excluded: u16,
    /// The moves of this node, kept to save allocations.
    moves: Vec<Candidate<M>>,
    /// Best line from here on.
    line: Vec<M>,
}

impl<M> Default for Ply<M> {
    fn default() -> Self {
        Ply {
            killers: [0; 2],
            slot: None,
            evaluation: None,
            excluded: 0,
            moves: Vec::new(),
            line: Vec::new(),
        }
    }
}

/// One search under way.
struct Run<'a, G: Tactics, E: Evaluator<G>, P: Pace> {
    searcher: &'a mut Searcher<G, E>,
    signals: &'a Signals,
    pace: &'a mut P,
    nodes: u64,
    node_limit: u64,
    /// A limit was met: values returned from now on mean nothing.
    broken_off: bool,
    seldepth: usize,
    root_moves: Vec<RootMove<G::Move>>,
    /// Root moves before this index belong to better lines already (MultiPV).
    first_root: usize,
    root_depth: i32,
}

impl<G: Tactics, E: Evaluator<G>, P: Pace> Run<'_, G, E, P> {
    /// Counts a node and asks the pace; true when the search is over.
    #[inline]
    fn enter(&mut self, ply: usize) -> bool {
        if self.nodes >= self.node_limit || self.broken_off {
            self.broken_off = true;
            return true;
        }
        // The pace may hold the search here for long; signals count that came meanwhile.
        self.pace.step();
        let look = self.nodes % P::SIGNAL_NODES == P::SIGNAL_NODES - 1;
        if look && self.told_to_stop() {
            self.broken_off = true;
            return true;
        }
        self.nodes += 1;
        self.seldepth = self.seldepth.max(ply);
        false
    }

    #[cold]
    fn told_to_stop(&self) -> bool {
        // The first iteration always finishes, so that there is a move to answer with.
        self.root_depth > 1
            && (self.signals.stopped()
                || request::micros(self.pace.elapsed()) >= self.signals.hard_us())
    }

    /// The value of a position that the rules end here.
    #[inline]
    fn end_value(&mut self, position: &G, ply: usize) -> Option<Value> {
        let history = self.searcher.switches.history_endings;
        if let Some(outcome) =
            position.ended().or_else(|| history.then(|| position.ended_by_history()).flatten())
        {
            return Some(finished(position, outcome, ply as u32, &mut self.searcher.evaluator));
        }
        // What came back once can come back again: no need to search it out.
        (history && position.repeats()).then_some(0)
    }

    fn stuck_value(&mut self, position: &G, ply: usize) -> Value {
        finished(position, position.stuck(), ply as u32, &mut self.searcher.evaluator)
    }

    fn evaluate(&mut self, position: &G) -> Value {
        self.searcher.evaluator.evaluate(position)
    }

    fn play(&mut self, position: &mut G, mv: G::Move, slot: usize, ply: usize) -> G::Undo {
        self.searcher.evaluator.played(position, mv);
        self.searcher.stack[ply].slot = Some(slot);
        let undo = position.play(mv);
        if self.searcher.switches.table {
            self.searcher.table.prefetch(position.key());
        }
        undo
    }

    fn take_back(&mut self, position: &mut G, mv: G::Move, undo: G::Undo) {
        position.take_back(mv, undo);
        self.searcher.evaluator.taken_back();
    }

    /// History slots of the moves one and two plies before `ply`.
    fn before(&self, ply: usize) -> [Option<usize>; 2] {
        let slot = |back: usize| ply.checked_sub(back).and_then(|p| self.searcher.stack[p].slot);
        [slot(1), slot(2)]
    }

    /// The best line at `ply` is `mv` and what follows it.
    fn extend_line(&mut self, ply: usize, mv: G::Move) {
        let (head, tail) = self.searcher.stack.split_at_mut(ply + 1);
        let line = &mut head[ply].line;
        line.clear();
        line.push(mv);
        line.extend_from_slice(&tail[0].line);
    }
}

/// Forced wins are stored as seen from the position, not from the root.
fn to_table(value: Value, ply: usize) -> Value {
    if is_forced(value) { value + value.signum() * ply as Value } else { value }
}

fn from_table(value: Value, ply: usize) -> Value {
    if is_forced(value) { value - value.signum() * ply as Value } else { value }
}
