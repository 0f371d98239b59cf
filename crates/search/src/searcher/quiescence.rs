//! Beyond the horizon: captures and promotions until the position is quiet.

use senbon_games::{Evaluator, Tactics};

use super::picker::{self, Context};
use super::{MAX_PLY, Run, from_table, to_table};
use crate::{Bound, Entry, INFINITE, Pace, Value, is_forced, lost_in};

/// A capture that leaves the side this far below alpha is not tried.
const DELTA_MARGIN: Value = 180;

impl<G: Tactics, E: Evaluator<G>, P: Pace> Run<'_, G, E, P> {
    /// Value of a quiet continuation from `position`, fail-soft.
    pub(super) fn quiesce<const PV: bool>(
        &mut self,
        position: &mut G,
        mut alpha: Value,
        beta: Value,
        ply: usize,
    ) -> Value {
        if self.enter(ply) {
            return 0;
        }
        self.searcher.stack[ply].line.clear();
        if let Some(value) = self.end_value(position, ply) {
            return value;
        }
        if ply >= MAX_PLY {
            return self.evaluate(position);
        }
        let key = position.key();
        let known =
            if self.searcher.switches.table { self.searcher.table.probe(key) } else { None };
        if let Some(entry) = known
            && !PV
            && let Some(value) = usable(entry, alpha, beta, ply)
        {
            return value;
        }

        let in_check = position.in_check();
        let mut best = -INFINITE;
        if !in_check {
            best = self.evaluate(position);
            if let Some(entry) = known
                && !is_forced(entry.value)
                && tightens(entry, best)
            {
                best = entry.value;
            }
            if best >= beta {
                return best;
            }
            alpha = alpha.max(best);
        }
        let standing = best;
        let first_alpha = alpha;

        let mut list = std::mem::take(&mut self.searcher.stack[ply].moves);
        let context = Context {
            histories: &self.searcher.histories,
            side: position.side_to_move(),
            table_code: known.map_or(0, |entry| entry.code),
            killers: [0; 2],
            refutation: 0,
            before: self.before(ply),
            learn: self.searcher.switches.histories,
        };
        if in_check {
            picker::rank(position, position.moves(), &context, &mut list);
        } else {
            picker::rank(position, position.noisy_moves(), &context, &mut list);
        }
        if in_check && list.is_empty() {
            self.searcher.stack[ply].moves = list;
            return lost_in(ply as u32);
        }

        let mut best_code = 0;
        let mut index = 0;
        while let Some(candidate) = picker::pick(&mut list, index) {
            index += 1;
            let mv = candidate.mv;
            // In check every answer counts until one is found that holds.
            if !in_check || best > -crate::WIN / 2 {
                if in_check && !candidate.noisy {
                    break;
                }
                if !in_check && standing + position.gain(mv) + DELTA_MARGIN <= alpha {
                    best = best.max(standing + position.gain(mv) + DELTA_MARGIN);
                    continue;
                }
                if position.exchange(mv) < 0 {
                    continue;
                }
            }
            let undo = self.play(position, mv, candidate.slot as usize, ply);
            let value = -self.quiesce::<PV>(position, -beta, -alpha, ply + 1);
            self.take_back(position, mv, undo);
            if self.broken_off {
                break;
            }
            if value > best {
                best = value;
                if value > alpha {
                    best_code = candidate.code;
                    alpha = value;
                    if PV {
                        self.extend_line(ply, mv);
                    }
                    if value >= beta {
                        break;
                    }
                }
            }
        }
        self.searcher.stack[ply].moves = list;
        if self.broken_off {
            return 0;
        }
        if self.searcher.switches.table {
            let bound = if best >= beta {
                Bound::Lower
            } else if best > first_alpha && PV {
                Bound::Exact
            } else {
                Bound::Upper
            };
            let value = to_table(best, ply);
            self.searcher.table.store(key, Entry { value, bound, depth: 0, code: best_code });
        }
        best
    }
}

/// The entry's value, if it settles the window.
pub(super) fn usable(entry: Entry, alpha: Value, beta: Value, ply: usize) -> Option<Value> {
    let value = from_table(entry.value, ply);
    let settled = match entry.bound {
        Bound::Exact => true,
        Bound::Lower => value >= beta,
        Bound::Upper => value <= alpha,
    };
    settled.then_some(value)
}

/// Whether the entry's bound says more than the static value.
pub(super) fn tightens(entry: Entry, evaluation: Value) -> bool {
    match entry.bound {
        Bound::Exact => true,
        Bound::Lower => entry.value > evaluation,
        Bound::Upper => entry.value < evaluation,
    }
}
