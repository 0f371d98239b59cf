//! The root: iterations, aspiration windows, several lines, time.

use senbon_games::{Evaluator, Tactics};

use super::request::micros;
use super::{Found, Line, MAX_PLY, Progress, Request, Run};
use crate::{Bound, INFINITE, Pace, Value, is_forced};

/// Half-width of the first aspiration window.
const ASPIRATION: Value = 14;
/// Iterations before this depth use the full window: their values jump.
const ASPIRATION_DEPTH: i32 = 5;

/// A legal first move and what is known of it.
pub(super) struct RootMove<M> {
    pub(super) mv: M,
    /// Value in this iteration; −∞ when another move was shown to be better.
    value: Value,
    /// Value in the last iteration.
    last: Value,
    /// The line from its last exact value, this move first.
    line: Vec<M>,
    seldepth: usize,
    /// Nodes spent below it in the whole search.
    nodes: u64,
}

impl<G: Tactics, E: Evaluator<G>, P: Pace> Run<'_, G, E, P> {
    /// Deepens until a limit is met.
    pub(super) fn iterate(
        mut self,
        position: &mut G,
        request: &Request<G::Move>,
        mut tell: impl FnMut(&Progress<'_, G::Move>),
    ) -> Found<G::Move> {
        self.list_root_moves(position, request);
        let lines = request.lines.clamp(1, self.root_moves.len().max(1));
        let deepest = request.depth.unwrap_or(u32::MAX).clamp(1, MAX_PLY as u32 - 1) as i32;
        let mut found: Vec<Line<G::Move>> = Vec::new();
        let mut finished = 0;
        let mut steady = 0;
        while self.root_depth < deepest && !self.root_moves.is_empty() {
            self.root_depth += 1;
            for root in &mut self.root_moves {
                root.last = root.value;
            }
            let best_before = self.root_moves[0].mv;
            for rank in 0..lines {
                self.first_root = rank;
                self.search_line(position, rank, &mut found, &mut tell);
                if self.broken_off {
                    break;
                }
            }
            if self.broken_off {
                break;
            }
            finished = self.root_depth;
            self.root_moves[..lines].sort_by_key(|root| std::cmp::Reverse(root.value));
            found.sort_by_key(|line| std::cmp::Reverse(line.value));
            steady = if self.root_moves[0].mv == best_before { steady + 1 } else { 0 };
            if self.enough(request, steady, deepest) {
                break;
            }
        }
        if found.is_empty()
            && let Some(root) = self.root_moves.first()
        {
            // Broken off before the first value: any legal move is better than none.
            let moves = vec![root.mv];
            found.push(Line { value: 0, bound: Bound::Lower, depth: 0, seldepth: 0, moves });
        }
        Found { lines: found, depth: finished as u32, nodes: self.nodes }
    }

    fn list_root_moves(&mut self, position: &G, request: &Request<G::Move>) {
        let allowed = |mv: &G::Move| request.only.is_empty() || request.only.contains(mv);
        self.root_moves = position
            .moves()
            .into_iter()
            .filter(allowed)
            .map(|mv| RootMove {
                mv,
                value: -INFINITE,
                last: -INFINITE,
                line: vec![mv],
                seldepth: 0,
                nodes: 0,
            })
            .collect();
    }

    /// One line of one iteration: windows around the last value until the value is inside.
    fn search_line(
        &mut self,
        position: &mut G,
        rank: usize,
        found: &mut Vec<Line<G::Move>>,
        tell: &mut impl FnMut(&Progress<'_, G::Move>),
    ) {
        let last = self.root_moves[rank].last;
        let narrow = self.searcher.switches.aspiration
            && self.root_depth >= ASPIRATION_DEPTH
            && !is_forced(last);
        let mut width = ASPIRATION + last.abs().min(2_000) / 100;
        let (mut alpha, mut beta) =
            if narrow { (last - width, last + width) } else { (-INFINITE, INFINITE) };
        let mut failed_high = 0;
        loop {
            self.seldepth = 0;
            for root in &mut self.root_moves[rank..] {
                root.value = -INFINITE;
            }
            let mut depth = self.root_depth;
            if self.searcher.switches.reductions {
                depth = (depth - failed_high).max(1);
            }
            let value = self.node::<true>(position, alpha, beta, depth, 0, false);
            // Stable: moves without a value keep the order of the last iteration.
            self.root_moves[rank..].sort_by_key(|root| std::cmp::Reverse(root.value));
            if self.broken_off {
                let best = &self.root_moves[rank];
                if best.value > alpha {
                    // Shown to be better than what the window was set around.
                    keep(found, rank, self.line(rank, best.value, Bound::Lower));
                }
                return;
            }
            let bound = if value <= alpha {
                Bound::Upper
            } else if value >= beta {
                Bound::Lower
            } else {
                Bound::Exact
            };
            let line = self.line(rank, value, bound);
            self.tell_line(rank, &line, tell);
            if bound != Bound::Upper {
                keep(found, rank, line);
            }
            match bound {
                Bound::Exact => return,
                Bound::Upper => {
                    beta = (alpha + beta) / 2;
                    alpha = (value - width).max(-INFINITE);
                    failed_high = 0;
                }
                Bound::Lower => {
                    beta = (value + width).min(INFINITE);
                    failed_high += 1;
                }
            }
            if is_forced(value) {
                (alpha, beta) = (-INFINITE, INFINITE);
            }
            width += width / 2 + 5;
        }
    }

    fn line(&self, rank: usize, value: Value, bound: Bound) -> Line<G::Move> {
        let root = &self.root_moves[rank];
        let depth = self.root_depth as u32;
        Line { value, bound, depth, seldepth: root.seldepth as u32, moves: root.line.clone() }
    }

    fn tell_line(
        &self,
        rank: usize,
        line: &Line<G::Move>,
        tell: &mut impl FnMut(&Progress<'_, G::Move>),
    ) {
        tell(&Progress {
            line,
            rank,
            nodes: self.nodes,
            elapsed: self.pace.elapsed(),
            table_permille: self.searcher.table.permille(),
        });
    }

    /// Whether to begin no further iteration.
    fn enough(&self, request: &Request<G::Move>, steady: u32, deepest: i32) -> bool {
        let best = &self.root_moves[0];
        if let Some(plies) = request.win_within
            && best.value >= crate::won_in(plies)
        {
            return true;
        }
        if self.signals.stopped() || self.root_depth >= deepest {
            return true;
        }
        let soft = self.signals.soft_us();
        if soft == u64::MAX {
            return false;
        }
        if self.root_moves.len() == 1 {
            return true;
        }
        // Less time for a move that has long been best and took most of the work, more for
        // one that is new or contested.
        let share = best.nodes * 100 / self.nodes.max(1);
        let by_effort = 150u64.saturating_sub(share);
        let by_steadiness = 120 - 8 * u64::from(steady.min(6));
        micros(self.pace.elapsed()) >= soft.saturating_mul(by_effort * by_steadiness) / 10_000
    }

    pub(super) fn is_root_move(&self, mv: G::Move) -> bool {
        self.root_moves[self.first_root..].iter().any(|root| root.mv == mv)
    }

    /// A root move was searched; `exact` says that its value is no mere bound below another.
    pub(super) fn note_root(&mut self, mv: G::Move, value: Value, exact: bool, nodes: u64) {
        let tail = &self.searcher.stack[1].line;
        let seldepth = self.seldepth;
        let Some(root) = self.root_moves.iter_mut().find(|root| root.mv == mv) else { return };
        root.nodes += nodes;
        root.value = if exact { value } else { -INFINITE };
        if exact {
            root.seldepth = seldepth;
            root.line.truncate(1);
            root.line.extend_from_slice(tail);
        }
    }
}

fn keep<M>(found: &mut Vec<Line<M>>, rank: usize, line: Line<M>) {
    match found.get_mut(rank) {
        Some(old) => *old = line,
        None => found.push(line),
    }
}
