//! Interior nodes: alpha-beta with a scout window, and the techniques of [`Switches`].

use senbon_games::{Evaluator, Tactics};

use super::picker::{self, Candidate, Context};
use super::quiescence::{tightens, usable};
use super::{MAX_PLY, Run, Switches, reductions, to_table};
use crate::{Bound, Entry, INFINITE, Pace, Value, is_forced, lost_in, won_in};

/// Deepest node at which whole positions are pruned by their static value.
const FUTILITY_DEPTH: i32 = 8;
/// Depth from which a table move is tested for being the only good one.
const SINGULAR_DEPTH: i32 = 7;

/// A node's part of the window and depth.
#[derive(Clone, Copy)]
struct Frame {
    alpha: Value,
    beta: Value,
    depth: i32,
    ply: usize,
    in_check: bool,
    /// The static value rose since this side's last move.
    improving: bool,
    evaluation: Value,
    /// A cut is expected: an empty window, and some sibling of the parent was better.
    cut: bool,
}

impl<G: Tactics, E: Evaluator<G>, P: Pace> Run<'_, G, E, P> {
    /// Value of `position` to `depth`, fail-soft. `cut` says that a cut is expected.
    pub(super) fn node<const PV: bool>(
        &mut self,
        position: &mut G,
        mut alpha: Value,
        mut beta: Value,
        mut depth: i32,
        ply: usize,
        cut: bool,
    ) -> Value {
        let switches = self.searcher.switches;
        if depth <= 0 && switches.quiescence {
            return self.quiesce::<PV>(position, alpha, beta, ply);
        }
        if self.enter(ply) {
            return 0;
        }
        self.searcher.stack[ply].line.clear();
        let root = PV && ply == 0;
        if !root {
            if let Some(value) = self.end_value(position, ply) {
                return value;
            }
            if depth <= 0 || ply >= MAX_PLY {
                return self.evaluate(position);
            }
            // A win found already is shorter than any that could come from here.
            alpha = alpha.max(lost_in(ply as u32));
            beta = beta.min(won_in(ply as u32 + 1));
            if alpha >= beta {
                return alpha;
            }
        }

        let excluded = self.searcher.stack[ply].excluded;
        let key = position.key();
        let known =
            if switches.table && excluded == 0 { self.searcher.table.probe(key) } else { None };
        if let Some(entry) = known
            && (!PV || (!switches.scout && !root))
            && deep_enough(entry, depth, switches)
            && let Some(value) = usable(entry, alpha, beta, ply)
        {
            return value;
        }

        let in_check = position.in_check();
        let selective = switches.pruning || switches.null_move;
        let frame = self.frame(position, known, in_check, selective, ply);
        let mut frame = Frame { alpha, beta, depth, cut, ..frame };
        if !PV && !in_check && excluded == 0 && selective {
            if let Some(value) = self.prune_position(position, &frame) {
                return value;
            }
            if self.broken_off {
                return 0;
            }
        }
        // Without a table move the order is poor: look shallower first, the next iteration
        // will have one.
        let unordered = excluded == 0 && known.is_none_or(|entry| entry.code == 0);
        if switches.reductions && depth >= 4 && unordered && (PV || cut) {
            depth -= 1;
            frame.depth = depth;
        }
        self.try_moves::<PV>(position, key, known, frame)
    }

    /// The parts of a frame that come from the static value.
    fn frame(
        &mut self,
        position: &G,
        known: Option<Entry>,
        in_check: bool,
        selective: bool,
        ply: usize,
    ) -> Frame {
        let mut evaluation = -INFINITE;
        let mut improving = false;
        self.searcher.stack[ply].evaluation = None;
        if selective && !in_check {
            let fixed = self.evaluate(position);
            self.searcher.stack[ply].evaluation = Some(fixed);
            let earlier = |back: usize| ply.checked_sub(back).map(|p| &self.searcher.stack[p]);
            let last =
                earlier(2).and_then(|p| p.evaluation).or(earlier(4).and_then(|p| p.evaluation));
            improving = last.is_none_or(|last| fixed > last);
            evaluation = match known {
                Some(entry) if !is_forced(entry.value) && tightens(entry, fixed) => entry.value,
                _ => fixed,
            };
        }
        Frame { alpha: 0, beta: 0, depth: 0, ply, in_check, improving, evaluation, cut: false }
    }

    /// A value for the whole position when a cut is all but sure without trying its moves.
    fn prune_position(&mut self, position: &mut G, frame: &Frame) -> Option<Value> {
        let switches = self.searcher.switches;
        let &Frame { alpha, beta, depth, ply, evaluation, .. } = frame;
        if switches.pruning && !is_forced(beta) {
            // So far above beta that a quiet loss would not change it.
            let margin = 75 * (depth - i32::from(frame.improving)).max(0);
            if depth <= FUTILITY_DEPTH && evaluation - margin >= beta {
                return Some((evaluation + beta) / 2);
            }
            // So far below alpha that only captures could help.
            if depth <= 3 && evaluation + 150 + 170 * depth <= alpha {
                let value = self.quiesce::<false>(position, alpha, alpha + 1, ply);
                if self.broken_off || value <= alpha {
                    return Some(value);
                }
            }
        }
        let passed_last = ply > 0 && self.searcher.stack[ply - 1].slot.is_none();
        if !switches.null_move
            || depth < 3
            || passed_last
            || evaluation < beta
            || self.searcher.stack[ply]
                .evaluation
                .is_none_or(|fixed| fixed + 20 * depth < beta + 120)
            || is_forced(beta)
        {
            return None;
        }
        let undo = position.pass()?;
        self.searcher.stack[ply].slot = None;
        let reduction = 3 + depth / 3 + ((evaluation - beta) / 180).min(3);
        let value =
            -self.node::<false>(position, -beta, 1 - beta, depth - reduction, ply + 1, !frame.cut);
        position.take_back_pass(undo);
        if self.broken_off {
            return None;
        }
        // A win found after a pass is not proven.
        (value >= beta).then(|| if is_forced(value) { beta } else { value })
    }

    /// Tries the moves in order and stores what came of it.
    fn try_moves<const PV: bool>(
        &mut self,
        position: &mut G,
        key: u64,
        known: Option<Entry>,
        frame: Frame,
    ) -> Value {
        let ply = frame.ply;
        let excluded = self.searcher.stack[ply].excluded;
        let mut list = std::mem::take(&mut self.searcher.stack[ply].moves);
        self.rank_moves(position, known, ply, &mut list);
        let node = self.loop_moves::<PV>(position, known, frame, &mut list);
        self.searcher.stack[ply].moves = list;
        if self.broken_off {
            return 0;
        }
        let Some((best, code, bound)) = node else {
            return if excluded != 0 { frame.alpha } else { self.stuck_value(position, ply) };
        };
        if self.searcher.switches.table && excluded == 0 && !(PV && ply == 0 && self.first_root > 0)
        {
            let depth = frame.depth.clamp(0, 255) as u8;
            let value = to_table(best, ply);
            self.searcher.table.store(key, Entry { value, bound, depth, code });
        }
        best
    }

    fn rank_moves(
        &mut self,
        position: &G,
        known: Option<Entry>,
        ply: usize,
        list: &mut Vec<Candidate<G::Move>>,
    ) {
        let side = position.side_to_move();
        let before = self.before(ply);
        let context = Context {
            histories: &self.searcher.histories,
            side,
            table_code: known.map_or(0, |entry| entry.code),
            killers: self.searcher.stack[ply].killers,
            refutation: self.searcher.histories.refutation(!side, before[0]),
            before,
            learn: self.searcher.switches.histories,
        };
        picker::rank(position, position.moves(), &context, list);
    }

    /// Best value, its move's code (0 when none reached alpha) and bound; `None` when there
    /// is no move to try.
    fn loop_moves<const PV: bool>(
        &mut self,
        position: &mut G,
        known: Option<Entry>,
        frame: Frame,
        list: &mut [Candidate<G::Move>],
    ) -> Option<(Value, u16, Bound)> {
        let Frame { beta, depth, ply, .. } = frame;
        let root = PV && ply == 0;
        let excluded = self.searcher.stack[ply].excluded;
        let first_alpha = frame.alpha;
        let mut alpha = frame.alpha;
        let mut best = -INFINITE;
        let mut best_code = 0;
        let mut tried = 0;
        let mut quiet_tried = 0;
        self.searcher.stack[ply + 1].killers = [0; 2];

        let mut index = 0;
        while let Some(candidate) = picker::pick(list, index) {
            index += 1;
            if candidate.code == excluded || (root && !self.is_root_move(candidate.mv)) {
                continue;
            }
            tried += 1;
            let quiet = !candidate.noisy;
            let now = Frame { alpha, ..frame };
            if !root
                && best > -crate::WIN / 2
                && self.hopeless(position, &candidate, &now, quiet_tried)
            {
                continue;
            }
            quiet_tried += usize::from(quiet);
            let extension = self.extension(position, known, &candidate, &now);
            if self.broken_off {
                return None;
            }
            if extension == Extension::Cut {
                return Some((frame.beta, candidate.code, Bound::Lower));
            }
            let nodes_before = self.nodes;
            let value = self.try_move::<PV>(
                position,
                &candidate,
                &now,
                tried,
                depth - 1 + extension.plies(),
            );
            if self.broken_off {
                return None;
            }
            if root {
                let nodes = self.nodes - nodes_before;
                self.note_root(candidate.mv, value, tried == 1 || value > alpha, nodes);
            }
            if value > best {
                best = value;
                if value > alpha {
                    best_code = candidate.code;
                    alpha = value;
                    if PV {
                        self.extend_line(ply, candidate.mv);
                    }
                    if value >= beta {
                        self.learn(position, &frame, &list[..index]);
                        break;
                    }
                }
            }
        }
        if tried == 0 {
            return None;
        }
        let bound = if best >= beta {
            Bound::Lower
        } else if best > first_alpha {
            Bound::Exact
        } else {
            Bound::Upper
        };
        Some((best, best_code, bound))
    }

    /// Plays one move and searches it: late moves to less depth, later ones with an empty
    /// window, again in full when they surprise.
    fn try_move<const PV: bool>(
        &mut self,
        position: &mut G,
        candidate: &Candidate<G::Move>,
        frame: &Frame,
        tried: usize,
        depth: i32,
    ) -> Value {
        let &Frame { alpha, beta, ply, .. } = frame;
        let switches = self.searcher.switches;
        let reduction = if switches.reductions && depth >= 2 && tried > 1 + usize::from(PV) {
            self.reduction::<PV>(position, candidate, frame, tried).clamp(0, depth - 1)
        } else {
            0
        };
        let undo = self.play(position, candidate.mv, candidate.slot as usize, ply);
        let full = |run: &mut Self, position: &mut G| {
            -run.node::<PV>(position, -beta, -alpha, depth, ply + 1, false)
        };
        let mut value;
        if switches.scout && (!PV || tried > 1) {
            let scout = |run: &mut Self, position: &mut G, depth: i32, cut: bool| {
                -run.node::<false>(position, -alpha - 1, -alpha, depth, ply + 1, cut)
            };
            value = scout(self, position, depth - reduction, reduction > 0 || !frame.cut);
            if reduction > 0 && value > alpha && !self.broken_off {
                value = scout(self, position, depth, !frame.cut);
            }
            if PV && value > alpha && value < beta && !self.broken_off {
                value = full(self, position);
            }
        } else {
            value = full(self, position);
        }
        self.take_back(position, candidate.mv, undo);
        value
    }

    fn reduction<const PV: bool>(
        &self,
        position: &G,
        candidate: &Candidate<G::Move>,
        frame: &Frame,
        tried: usize,
    ) -> i32 {
        let mut plies = reductions::base(frame.depth, tried);
        if candidate.noisy {
            return if candidate.rank > 0 { plies / 2 } else { plies };
        }
        if PV {
            plies -= 1;
        }
        if frame.cut {
            plies += 1;
        }
        if !frame.improving {
            plies += 1;
        }
        if frame.in_check || position.gives_check(candidate.mv) {
            plies -= 1;
        }
        let side = position.side_to_move();
        let slot = candidate.slot as usize;
        let history = self.searcher.histories.quiet(side, slot, self.before(frame.ply));
        plies - history / 8_192
    }

    /// Whether a move that is not the first can be left out near the horizon.
    fn hopeless(
        &self,
        position: &G,
        candidate: &Candidate<G::Move>,
        frame: &Frame,
        quiet_tried: usize,
    ) -> bool {
        let &Frame { alpha, depth, improving, .. } = frame;
        if !self.searcher.switches.pruning {
            return false;
        }
        let mv = candidate.mv;
        if candidate.noisy {
            return depth <= 6 && candidate.rank < 0 && position.exchange(mv) < -90 * depth;
        }
        if frame.in_check {
            return false;
        }
        let enough = (3 + depth * depth) as usize / if improving { 1 } else { 2 };
        if depth <= 8 && quiet_tried >= enough {
            return true;
        }
        let far_below = depth <= 7 && frame.evaluation + 90 + 85 * depth <= alpha;
        if far_below && !position.gives_check(mv) {
            return true;
        }
        let side = position.side_to_move();
        let slot = candidate.slot as usize;
        let history = self.searcher.histories.quiet(side, slot, self.before(frame.ply));
        (depth <= 4 && history < -3_500 * depth)
            || (depth <= 8 && position.exchange(mv) < -50 * depth)
    }

    /// Whether a move deserves more depth: a check that does not lose material, or a table
    /// move without alternative.
    fn extension(
        &mut self,
        position: &mut G,
        known: Option<Entry>,
        candidate: &Candidate<G::Move>,
        frame: &Frame,
    ) -> Extension {
        let &Frame { beta, depth, ply, .. } = frame;
        if !self.searcher.switches.extensions || ply >= 2 * self.root_depth as usize || ply == 0 {
            return Extension::None;
        }
        let singular = known.filter(|entry| {
            entry.code == candidate.code
                && depth >= SINGULAR_DEPTH
                && i32::from(entry.depth) >= depth - 3
                && entry.bound != Bound::Upper
                && !is_forced(entry.value)
                && self.searcher.stack[ply].excluded == 0
        });
        if let Some(entry) = singular {
            let target = entry.value - 2 * depth;
            let saved = std::mem::take(&mut self.searcher.stack[ply].moves);
            self.searcher.stack[ply].excluded = candidate.code;
            let value =
                self.node::<false>(position, target - 1, target, (depth - 1) / 2, ply, frame.cut);
            self.searcher.stack[ply].excluded = 0;
            self.searcher.stack[ply].moves = saved;
            if value < target {
                return Extension::One;
            }
            // Even without the table move there is a cut.
            if target >= beta {
                return Extension::Cut;
            }
            return Extension::None;
        }
        if position.gives_check(candidate.mv) && position.exchange(candidate.mv) >= 0 {
            return Extension::One;
        }
        Extension::None
    }

    /// A move refuted the position: it and the moves tried before it teach the histories.
    fn learn(&mut self, position: &G, frame: &Frame, tried: &[Candidate<G::Move>]) {
        let Some((winner, losers)) = tried.split_last() else { return };
        if !self.searcher.switches.histories {
            return;
        }
        let side = position.side_to_move();
        let before = self.before(frame.ply);
        let bonus = (16 * frame.depth * frame.depth + 120 * frame.depth).min(2_400);
        let histories = &mut self.searcher.histories;
        if winner.noisy {
            histories.reward_noisy(side, winner.slot as usize, bonus);
        } else {
            histories.reward_quiet(side, winner.slot as usize, before, bonus);
            histories.refute(!side, before[0], winner.code);
            for loser in losers.iter().filter(|loser| !loser.noisy) {
                histories.reward_quiet(side, loser.slot as usize, before, -bonus);
            }
            let killers = &mut self.searcher.stack[frame.ply].killers;
            if killers[0] != winner.code {
                *killers = [winner.code, killers[0]];
            }
        }
        for loser in losers.iter().filter(|loser| loser.noisy) {
            self.searcher.histories.reward_noisy(side, loser.slot as usize, -bonus);
        }
    }
}

/// How much deeper to search a move.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Extension {
    None,
    One,
    /// Not at all: several moves refute this position.
    Cut,
}

impl Extension {
    fn plies(self) -> i32 {
        i32::from(self == Extension::One)
    }
}

fn deep_enough(entry: Entry, depth: i32, switches: Switches) -> bool {
    if switches.exact_depth {
        i32::from(entry.depth) == depth
    } else {
        i32::from(entry.depth) >= depth
    }
}
