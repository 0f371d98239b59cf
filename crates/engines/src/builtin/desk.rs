//! What a built-in worker does with an order, on whatever thread or stack it runs: the live
//! worker and the one in virtual time share these lines.

use std::sync::Arc;

use senbon_core::{Ability, Bound, Epoch, Opinion, Place, Report, Score, Search, Valued};
use senbon_search::{
    Bound as SearchBound, Pace, Progress, Request, Searcher, Signals, Table, Value, WIN, harvest,
    is_forced,
};

use super::Judged;

/// A harvest looks this many plies far.
pub(super) const HARVEST_REACH: usize = 8;

/// Our search as a searcher: orders in, reports out.
pub struct Desk<G: Judged> {
    searcher: Searcher<G, G::Judge>,
}

impl<G: Judged> Desk<G> {
    /// A desk with this table, which harvests may read meanwhile.
    pub fn new(table: Arc<Table>) -> Self {
        Desk { searcher: Searcher::new(G::Judge::default(), table) }
    }

    /// What it can do.
    pub fn ability() -> Ability {
        Ability {
            name: format!("Senbon {}", env!("CARGO_PKG_VERSION")),
            game: G::NAME.to_owned(),
            speed: 0,
            restricts: true,
            counts_nodes: true,
            harvests: true,
            several_lines: true,
            tasks: true,
            berth: None,
        }
    }

    /// Another game begins.
    pub fn new_game(&mut self) {
        self.searcher.new_game();
        self.searcher.table().clear();
    }

    /// Makes a search until its limits or `signals` end it; the last report says so.
    pub fn search<P: Pace>(
        &mut self,
        search: &Search<G>,
        signals: &Signals,
        pace: &mut P,
        mut tell: impl FnMut(Report<G>),
    ) {
        let epoch = search.epoch;
        let limits = &search.limits;
        let request = Request {
            only: search.only.clone(),
            lines: search.lines,
            depth: limits.depth,
            nodes: limits.nodes,
            win_within: limits.mate.map(|moves| moves.saturating_mul(2).saturating_sub(1)),
        };
        if let Some(time) = limits.move_time {
            signals.allow(std::time::Duration::MAX, time);
        }
        let position = search.place.position();
        let found = self.searcher.search(position, &request, signals, pace, |progress| {
            tell(Report::Opinion { epoch, opinion: opinion(progress) });
        });
        tell(Report::Done { epoch, best: found.best(), ponder: found.ponder() });
    }

    /// The most valuable positions below `place` that the table knows.
    pub fn harvest(table: &Table, epoch: Epoch, place: &Place<G>, count: usize) -> Report<G> {
        let positions = harvest(table, place.position(), count, HARVEST_REACH)
            .into_iter()
            .map(|gleaning| Valued {
                way: gleaning.moves,
                score: score(gleaning.value),
                depth: u32::from(gleaning.depth),
                best: gleaning.best,
            })
            .collect();
        Report::Harvest { epoch, positions }
    }
}

fn opinion<M: Copy>(progress: &Progress<'_, M>) -> Opinion<M> {
    let line = progress.line;
    Opinion {
        rank: progress.rank,
        score: score(line.value),
        bound: match line.bound {
            SearchBound::Exact => Bound::Exact,
            SearchBound::Lower => Bound::Lower,
            SearchBound::Upper => Bound::Upper,
        },
        depth: line.depth,
        seldepth: line.seldepth,
        nodes: progress.nodes,
        time: progress.elapsed,
        hashfull: Some(progress.table_permille),
        line: line.moves.clone(),
        visits: Vec::new(),
    }
}

fn score(value: Value) -> Score {
    let plies = (WIN - value.abs()).unsigned_abs();
    match (is_forced(value), value > 0) {
        (false, _) => Score::Centipawns(value),
        (true, true) => Score::Mates(plies),
        (true, false) => Score::Mated(plies),
    }
}
