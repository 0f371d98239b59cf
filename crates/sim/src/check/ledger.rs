//! The books of all pipelines of a coordinator, and those of its votes.

use std::collections::BTreeMap;
use std::time::Duration;

use senbon_core::pipeline::{Pipeline, Strategy};
use senbon_core::vote::{Minutes, Purpose};
use senbon_core::{Coordinator, Order, Report, Search, WorkerId};
use senbon_games::Game;

use super::{Books, Breach, Promise};

/// Sees every message of the coordinator and checks promises 2 and 6 for each pipeline in it,
/// and that votes are counted rightly.
pub(crate) struct Ledger<G: Game> {
    books: Vec<Books<G>>,
    /// Whose books a worker stands in.
    seats: BTreeMap<WorkerId, usize>,
    /// The pipeline that heard something last.
    last: usize,
    /// What the last vote on a move decided, until it is said above.
    pub(crate) decided: Option<Option<G::Move>>,
    breach: Option<Breach>,
}

impl<G: Game> Ledger<G> {
    /// Books of a coordinator that has seen nothing yet.
    pub(crate) fn new(coordinator: &Coordinator<G>) -> Self {
        let strategies = coordinator.pipelines().into_iter().map(|(_, p)| p.strategy());
        Ledger {
            books: strategies.map(Books::new).collect(),
            seats: BTreeMap::new(),
            last: 0,
            decided: None,
            breach: None,
        }
    }

    /// The first promise that was broken.
    pub(crate) fn breach(&self) -> Option<&Breach> {
        self.breach.as_ref().or_else(|| self.books.iter().find_map(Books::breach))
    }

    /// The search above is restricted to these moves; to none if empty.
    pub(crate) fn restrict(&mut self, only: &[G::Move]) {
        for books in &mut self.books {
            books.restrict(only);
        }
    }

    /// What a worker was told to search last, if it is still to do so.
    pub(crate) fn task(&self, worker: WorkerId) -> Option<&Search<G>> {
        self.books[*self.seats.get(&worker)?].task(worker)
    }

    /// Workers that joined and have not left.
    pub(crate) fn workers(&self) -> impl Iterator<Item = WorkerId> {
        self.seats.keys().copied()
    }

    /// How many workers of the pipeline with this number have something to search.
    pub(crate) fn busy(&self, pipeline: usize) -> usize {
        let own = self.seats.iter().filter(|&(_, &seat)| seat == pipeline);
        own.filter(|&(&worker, _)| self.task(worker).is_some()).count()
    }

    pub(crate) fn joins(&mut self, now: Duration, coordinator: &Coordinator<G>, id: WorkerId) {
        let pipelines = coordinator.pipelines();
        let seats = || pipelines.iter().filter(|(_, pipeline)| pipeline.worker(id).is_some());
        match pipelines.iter().position(|(_, pipeline)| pipeline.worker(id).is_some()) {
            Some(seat) if seats().count() == 1 => {
                self.seats.insert(id, seat);
                self.books[seat].joins(id);
            }
            _ => {
                let what = format!("worker {} joined {} voters", id.0, seats().count());
                self.fail(Promise::Tree, now, what);
            }
        }
    }

    pub(crate) fn orders(&mut self, now: Duration, to: WorkerId, order: &Order<G>) {
        match self.seats.get(&to) {
            Some(&seat) => self.books[seat].orders(now, to, order),
            None => {
                let what = format!("an order to worker {}, which is gone", to.0);
                self.fail(Promise::Tree, now, what);
            }
        }
    }

    pub(crate) fn hears(
        &mut self,
        coordinator: &Coordinator<G>,
        from: WorkerId,
        report: &Report<G>,
    ) {
        if let Some(&seat) = self.seats.get(&from) {
            self.last = seat;
            let pipelines = coordinator.pipelines();
            self.books[seat].hears(pipelines[seat].1, from, report);
        }
    }

    pub(crate) fn heard(&mut self, now: Duration, coordinator: &Coordinator<G>) {
        if let Some((_, pipeline)) = coordinator.pipelines().get(self.last) {
            self.books[self.last].heard(now, pipeline);
        }
    }

    pub(crate) fn leaves(&mut self, coordinator: &Coordinator<G>, worker: WorkerId) {
        if let Some(seat) = self.seats.remove(&worker) {
            self.last = seat;
            self.books[seat].leaves(coordinator.pipelines()[seat].1, worker);
        }
    }

    pub(crate) fn left(&mut self, now: Duration, coordinator: &Coordinator<G>) {
        if let Some((_, pipeline)) = coordinator.pipelines().get(self.last) {
            self.books[self.last].left(now, pipeline);
        }
    }

    pub(crate) fn quiet(&mut self, now: Duration, coordinator: &Coordinator<G>) {
        for ((_, pipeline), books) in coordinator.pipelines().into_iter().zip(&mut self.books) {
            books.quiet(now, pipeline);
        }
    }

    /// A vote was taken: what was chosen is legal, was voted for if anything was, and nothing
    /// was voted for by more. Counted from the ballots again.
    pub(crate) fn minutes(&mut self, now: Duration, minutes: &Minutes<G>) {
        let mut sums: BTreeMap<u16, u64> = BTreeMap::new();
        for vow in &minutes.vows {
            if let Some(mv) = vow.mv {
                *sums.entry(G::code(mv)).or_default() += u64::from(vow.weight.0);
            }
        }
        let legal: Vec<u16> = minutes.place.position().moves().into_iter().map(G::code).collect();
        let most = sums.values().copied().max();
        let chosen = minutes.chosen.map(G::code);
        let own = chosen.and_then(|code| sums.get(&code).copied());
        if own != most {
            let what = format!("{chosen:?} was chosen with {own:?}, and another had {most:?}");
            self.fail(Promise::Answer, now, what);
        }
        if sums.keys().chain(&chosen).any(|code| !legal.contains(code)) {
            self.fail(Promise::Answer, now, "an illegal move was voted for".to_owned());
        }
        if minutes.purpose == Purpose::Move {
            self.decided = Some(minutes.chosen);
        }
    }

    /// An answer is said above: it must be what was decided, where there was a vote.
    pub(crate) fn answers(&mut self, now: Duration, best: Option<G::Move>) {
        if let Some(decided) = self.decided.take()
            && decided != best
        {
            let what = format!("the vote was for {decided:?}, and the answer is {best:?}");
            self.fail(Promise::Answer, now, what);
        }
    }

    fn fail(&mut self, promise: Promise, at: Duration, what: String) {
        self.breach.get_or_insert(Breach { promise, at, what });
    }
}

/// How many workers of a pipeline must have work, once everything is well.
pub(crate) fn wanted<G: Game>(pipeline: &Pipeline<G>) -> usize {
    let workers = pipeline.worker_count();
    let tree = pipeline.tree();
    match pipeline.strategy() {
        Strategy::Single | Strategy::PonderOnly => workers.min(1),
        // A worker for every move is the most that root split can use.
        Strategy::RootSplit => workers.min(tree.node(tree.root()).legal().len()),
        // Its fixed ratios may leave some over for long.
        Strategy::OriginalGpp => workers - workers / 4,
        _ => workers,
    }
}
