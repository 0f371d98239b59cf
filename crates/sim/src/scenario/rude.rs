//! Rude workers and planted faults: what is spoilt on the way, and the books beside.

use std::collections::{BTreeSet, VecDeque};
use std::time::Duration;

use senbon_core::session::{Body, Frame};
use senbon_core::vote::Minutes;
use senbon_core::{Bound, Coordinator, Fault as Told, Order, Report, Score, WorkerId};
use senbon_games::{Game, Notation, Rng};

use super::Planted;
use super::options::Vice;
use crate::check::{Ledger, Sessions};
use crate::link::below;
use crate::script::line;
use crate::watch::Sent;
use crate::{MachineId, SessionNews, Watch};

/// Longest delay of a late report.
const LATEST: Duration = Duration::from_millis(1_200);

/// Watches a scenario: keeps the books, and makes rude workers rude.
pub(super) struct Observer<G: Game> {
    pub(super) books: Ledger<G>,
    /// The books of the sessions, where there are any.
    pub(super) sessions: Sessions<G>,
    /// Machines with bad manners; none in the healing phase.
    pub(super) rude: BTreeSet<MachineId>,
    vices: Vec<Vice>,
    rng: Rng,
    /// Moves from all over the game: mostly illegal where they are put.
    strange: Vec<G::Move>,
    planted: Option<Planted>,
    /// The moves of the position voted on last; for a planted fault.
    legal: Vec<G::Move>,
    /// Machines that have had a session; for a planted fault.
    greeted: BTreeSet<MachineId>,
}

impl<G: Notation> Observer<G> {
    pub(super) fn new(
        books: Ledger<G>,
        vices: Vec<Vice>,
        mut rng: Rng,
        planted: Option<Planted>,
    ) -> Self {
        let strange = (0..40).flat_map(|_| strange_moves::<G>(&mut rng)).collect();
        Observer {
            books,
            sessions: Sessions::default(),
            rude: BTreeSet::new(),
            vices,
            rng,
            strange,
            planted,
            legal: Vec::new(),
            greeted: BTreeSet::new(),
        }
    }

    fn spoil(&mut self, report: &mut Report<G>, out: &mut Vec<Sent<G>>) -> (Duration, bool) {
        let Some(&vice) = self.rng.pick(&self.vices) else { return (Duration::ZERO, false) };
        match vice {
            Vice::Late => return (below(&mut self.rng, LATEST), false),
            Vice::Disorder => return (below(&mut self.rng, LATEST / 8), true),
            Vice::Twice => {
                let delay = below(&mut self.rng, LATEST);
                out.push(Sent { report: report.clone(), delay, apart: self.rng.one_in(2) });
            }
            Vice::WrongEpoch => self.change_epoch(report),
            Vice::Illegal => self.change_moves(report),
            Vice::Lie => self.lie(report),
            Vice::EarlyEnd => {
                if let Report::Opinion { epoch, opinion } = &*report {
                    let best = opinion.line.first().copied();
                    *report = Report::Done { epoch: *epoch, best, ponder: None };
                }
            }
            Vice::Nonsense => self.babble(report),
        }
        (Duration::ZERO, false)
    }

    fn change_epoch(&mut self, report: &mut Report<G>) {
        let (Report::Opinion { epoch, .. }
        | Report::Done { epoch, .. }
        | Report::Harvest { epoch, .. }
        | Report::Findings { epoch, .. }) = report
        else {
            return;
        };
        epoch.0 = match self.rng.below(4) {
            0 => u64::MAX,
            1 => epoch.0 + 1 + self.rng.below(3) as u64,
            _ => epoch.0.saturating_sub(1 + self.rng.below(12) as u64),
        };
    }

    fn change_moves(&mut self, report: &mut Report<G>) {
        let Some(&mv) = self.rng.pick(&self.strange) else { return };
        match report {
            Report::Opinion { opinion, .. } => {
                let at = self.rng.below(opinion.line.len().max(1));
                match opinion.line.get_mut(at) {
                    Some(old) => *old = mv,
                    None => opinion.line.push(mv),
                }
            }
            Report::Done { best, ponder, .. } => {
                *best = Some(mv);
                *ponder = self.rng.pick(&self.strange).copied();
            }
            Report::Harvest { positions, .. } => {
                for valued in positions {
                    valued.way.push(mv);
                    valued.best = Some(mv);
                }
            }
            Report::Findings { .. } | Report::Fault(_) => {}
        }
    }

    fn lie(&mut self, report: &mut Report<G>) {
        let score = match self.rng.below(5) {
            0 => Score::Mates(self.rng.below(3) as u32),
            1 => Score::Mated(self.rng.below(3) as u32),
            2 => Score::Centipawns(i32::MAX),
            _ => Score::Centipawns(self.rng.below(60_000) as i32 - 30_000),
        };
        match report {
            Report::Opinion { opinion, .. } => {
                opinion.score = score;
                opinion.depth = [0, 99, u32::MAX][self.rng.below(3)];
                opinion.seldepth = [0, u32::MAX][self.rng.below(2)];
                opinion.hashfull = [None, Some(0), Some(u32::MAX)][self.rng.below(3)];
                opinion.nodes = [0, 1, u64::MAX][self.rng.below(3)];
                opinion.bound = [Bound::Exact, Bound::Lower, Bound::Upper][self.rng.below(3)];
            }
            Report::Harvest { positions, .. } => {
                for valued in positions {
                    valued.score = score;
                    valued.depth = u32::MAX;
                }
            }
            _ => {}
        }
    }

    fn babble(&mut self, report: &mut Report<G>) {
        match report {
            Report::Opinion { opinion, .. } => match self.rng.below(3) {
                0 => opinion.line.clear(),
                1 => opinion.rank = 1 + self.rng.below(500),
                _ => {
                    let moves = std::mem::take(&mut opinion.line);
                    opinion.line = moves.iter().copied().cycle().take(300).collect();
                }
            },
            Report::Done { best, .. } => *best = None,
            Report::Harvest { positions, .. } => {
                let copies = positions.clone();
                positions.extend(copies.iter().cloned().cycle().take(200));
                if self.rng.one_in(2) {
                    positions.clear();
                }
            }
            Report::Findings { .. } | Report::Fault(_) => {}
        }
        if self.rng.one_in(8) {
            *report = Report::Fault(Told::Nonsense("babble".to_owned()));
        }
    }
}

/// The moves of a random place in the game.
fn strange_moves<G: Notation>(rng: &mut Rng) -> Vec<G::Move> {
    let mut position = G::start();
    for _ in 0..rng.below(8) {
        let moves = position.moves().into_iter().collect();
        for mv in line(&position, moves, rng) {
            position.play(mv);
        }
        if position.outcome().is_some() {
            return Vec::new();
        }
    }
    let mut moves: Vec<_> = position.moves().into_iter().collect();
    rng.shuffle(&mut moves);
    moves.truncate(6);
    moves
}

impl<G: Notation> Watch<G> for Observer<G> {
    fn hears(
        &mut self,
        _: Duration,
        coordinator: &Coordinator<G>,
        from: WorkerId,
        report: &Report<G>,
    ) {
        self.books.hears(coordinator, from, report);
    }

    fn heard(&mut self, now: Duration, coordinator: &Coordinator<G>) {
        self.books.heard(now, coordinator);
    }

    fn joins(&mut self, now: Duration, coordinator: &Coordinator<G>, worker: WorkerId) {
        self.books.joins(now, coordinator, worker);
    }

    fn minutes(&mut self, now: Duration, minutes: &Minutes<G>) {
        self.books.minutes(now, minutes);
        self.legal = minutes.place.position().moves().into_iter().collect();
    }

    fn leaves(&mut self, _: Duration, coordinator: &Coordinator<G>, worker: WorkerId) {
        self.books.leaves(coordinator, worker);
    }

    fn left(&mut self, now: Duration, coordinator: &Coordinator<G>) {
        self.books.left(now, coordinator);
    }

    fn orders(&mut self, now: Duration, to: WorkerId, order: &Order<G>) {
        self.books.orders(now, to, order);
        self.sessions.orders(to, order);
    }

    fn quiet(&mut self, now: Duration, coordinator: &Coordinator<G>) {
        self.books.quiet(now, coordinator);
    }

    fn sends(&mut self, _: Duration, id: MachineId, mut report: Report<G>, out: &mut Vec<Sent<G>>) {
        let rude = self.rude.contains(&id) && self.rng.one_in(3);
        let (delay, apart) =
            if rude { self.spoil(&mut report, out) } else { (Duration::ZERO, false) };
        out.push(Sent { report, delay, apart });
    }

    fn mishears(&mut self, from: WorkerId, mut report: Report<G>) -> Report<G> {
        if self.planted == Some(Planted::LateReports)
            && let Report::Opinion { epoch, .. } = &mut report
            && let Some(task) = self.books.task(from)
        {
            *epoch = task.epoch;
        }
        report
    }

    fn session(&mut self, now: Duration, news: SessionNews<'_, G>) {
        if let SessionNews::Begun(_, _, machine) = news {
            self.greeted.insert(machine);
        }
        self.sessions.news(now, news);
    }

    fn repeats(&mut self, _: &[u8]) -> usize {
        match self.planted {
            Some(Planted::LostResult) if self.rng.one_in(8) => 0,
            Some(Planted::SecondResult) if self.rng.one_in(8) => 2,
            _ => 1,
        }
    }

    fn forges(&mut self, id: MachineId) -> bool {
        self.rude.contains(&id) && self.rng.one_in(2)
    }

    fn lets_pass(&mut self, id: MachineId, frame: &Frame) -> bool {
        let hello = matches!(frame.body, Body::Hello(_));
        self.planted != Some(Planted::NoReturn) || !hello || !self.greeted.contains(&id)
    }

    fn misspeaks(&mut self, report: Report<G>, out: &mut VecDeque<Report<G>>) {
        match (self.planted, report) {
            (Some(Planted::Minority), Report::Done { epoch, best, ponder }) => {
                // Some other legal move, now and then.
                let other = self.legal.iter().copied().find(|&mv| Some(mv) != best);
                let best = if self.rng.one_in(4) { other.or(best) } else { best };
                out.push_back(Report::Done { epoch, best, ponder });
            }
            (Some(Planted::SecondAnswer), Report::Done { epoch, best, ponder }) => {
                out.push_back(Report::Done { epoch, best, ponder });
                out.push_back(Report::Done { epoch, best, ponder });
            }
            (Some(Planted::IllegalAnswer), Report::Done { epoch, ponder, .. }) => {
                let best = self.rng.pick(&self.strange).copied();
                out.push_back(Report::Done { epoch, best, ponder });
            }
            (_, report) => out.push_back(report),
        }
    }
}
