//! One voter: a coordinator, and what it said of the position at hand.

use std::time::Duration;

use senbon_games::Game;

use super::count::{Ballot, Weight};
use super::plan::{Staff, VoterPlan};
use crate::minimal::Trees;
use crate::{
    Bound, Coordinator, Epoch, Limits, Opinion, Order, Place, Report, Score, Search, WorkerId,
};

/// A member of a vote.
#[derive(Debug)]
pub(super) struct Voter<G: Game> {
    pub(super) name: String,
    pub(super) weight: Weight,
    nodes: Option<u64>,
    depth: Option<u32>,
    staff: Staff,
    pub(super) member: Coordinator<G>,
    /// The search it was last sent.
    epoch: Epoch,
    /// It has not answered that yet.
    pub(super) searching: bool,
    /// Nothing but itself may end that.
    unlimited: bool,
    /// Its best line there.
    pub(super) opinion: Option<Opinion<G::Move>>,
    /// Its move there.
    vote: Option<G::Move>,
    /// It will not change its mind.
    pub(super) is_final: bool,
    /// When it was asked, and when it last told something.
    asked: Duration,
    pub(super) heard: Duration,
    /// What it had searched when it answered.
    spent: (Duration, u64),
}

impl<G: Game> Voter<G> {
    pub(super) fn new(start: &G, plan: VoterPlan, trees: Trees<G>) -> Self {
        Voter {
            name: plan.name,
            weight: plan.weight,
            nodes: plan.nodes,
            depth: plan.depth,
            staff: plan.staff,
            member: Coordinator::new(start, plan.member, trees),
            epoch: Epoch(0),
            searching: false,
            unlimited: false,
            opinion: None,
            vote: None,
            is_final: false,
            asked: Duration::ZERO,
            heard: Duration::ZERO,
            spent: (Duration::ZERO, 0),
        }
    }

    pub(super) fn takes(&self, id: WorkerId, engine: &str) -> bool {
        match self.member.vote() {
            None => self.staff.takes(id, engine),
            Some(vote) => vote.takes(id, engine),
        }
    }

    /// Whether anybody is there to think for it.
    pub(super) fn is_present(&self) -> bool {
        self.member.worker_count() > 0
    }

    /// Lets it search. Its own limits go before those of the search, and time is not its
    /// business: it is told to stop.
    pub(super) fn ask(
        &mut self,
        now: Duration,
        epoch: Epoch,
        place: &Place<G>,
        only: &[G::Move],
        limits: &Limits,
    ) {
        let own = self.nodes.is_some() || self.depth.is_some();
        let limits = Limits {
            nodes: self.nodes.or(limits.nodes.filter(|_| !own)),
            depth: self.depth.or(limits.depth.filter(|_| !own)),
            mate: limits.mate,
            ..Limits::default()
        };
        self.unlimited = limits == Limits::default();
        self.epoch = epoch;
        self.searching = true;
        self.opinion = None;
        self.vote = None;
        self.is_final = false;
        self.asked = now;
        self.heard = now;
        self.spent = (Duration::ZERO, 0);
        let (place, only) = (place.clone(), only.to_vec());
        let search = Search { epoch, place, only, lines: 1, limits };
        self.member.handle_order(now, Order::Search(search));
    }

    pub(super) fn stop(&mut self, now: Duration) {
        self.spent = self.spent_until(now);
        if std::mem::take(&mut self.searching) {
            self.member.handle_order(now, Order::Stop(self.epoch));
        }
    }

    /// It told something of the search it was last sent. False when that changes nothing.
    pub(super) fn hear(&mut self, now: Duration, report: Report<G>, allowed: &[G::Move]) -> bool {
        match report {
            Report::Opinion { epoch, opinion } if epoch == self.epoch && opinion.rank == 0 => {
                self.heard = now;
                let first = opinion.line.first().copied().filter(|mv| allowed.contains(mv));
                // A search that fell short of its window has no move of its own.
                if first.is_none() || opinion.bound == Bound::Upper {
                    return false;
                }
                self.vote = first;
                let solved = matches!(opinion.score, Score::Mates(_) | Score::Mated(_));
                self.is_final = solved && opinion.bound == Bound::Exact;
                self.opinion = Some(opinion);
                true
            }
            Report::Done { epoch, best, .. } if epoch == self.epoch && self.searching => {
                self.spent = self.spent_until(now);
                self.heard = now;
                self.searching = false;
                // Without workers it does not know what it says.
                if self.is_present() {
                    self.vote = best.filter(|mv| allowed.contains(mv)).or(self.vote);
                    self.is_final |= self.unlimited && self.vote.is_some();
                }
                true
            }
            _ => false,
        }
    }

    pub(super) fn ballot(&self, number: usize) -> Option<Ballot<G::Move>> {
        let (weight, is_final) = (self.weight, self.is_final);
        self.vote.map(|mv| Ballot { voter: number, weight, mv, is_final })
    }

    /// It answered at once and without searching: the position is in its book.
    pub(super) fn knows_by_heart(&self) -> bool {
        self.is_final && !self.searching && self.unlimited && self.spent.1 == 0
    }

    /// Time and positions of the search it was last sent.
    pub(super) fn spent_until(&self, now: Duration) -> (Duration, u64) {
        if !self.searching {
            return self.spent;
        }
        let nodes = self.member.progress(now).map_or(0, |(_, nodes)| nodes);
        (now.saturating_sub(self.asked), nodes)
    }
}
