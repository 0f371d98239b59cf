//! Majority voting (akara-2010 section IV): one player out of different ones.
//!
//! Every voter is a coordinator of its own: a single engine, a pipeline, or another vote. All
//! think about the same position; an opinion counts from the moment it is told, and is renewed
//! whenever it changes. Voters may come, go, freeze or be without an opinion at any moment.
//!
//! Driven as a [`Pipeline`] is.

mod agreement;
mod count;
mod minutes;
mod phases;
mod plan;
mod thinking;
mod voter;

use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

use senbon_games::Game;

pub use agreement::Agreement;
pub use count::{Accord, Ballot, Party, Tally, Weight};
pub use minutes::{Arrival, Minutes, Purpose, Vow};
pub use plan::{Plan, Staff, VotePlan, VoterPlan};

use crate::minimal::Trees;
use crate::pipeline::{Output, Pipeline, Settings};
use crate::{Ability, Coordinator, Epoch, Limits, Order, Place, Report, WorkerId};
use phases::Phase;
use thinking::Thinking;
use voter::Voter;

/// Records that may wait for somebody to read them; older ones are dropped.
const MOST_MINUTES: usize = 64;

/// A coordinator that lets others vote.
#[derive(Debug)]
pub struct Vote<G: Game> {
    settings: Settings,
    voters: Vec<Voter<G>>,
    /// Who has which worker.
    seats: BTreeMap<WorkerId, usize>,
    /// What all voters look at, or looked at last.
    subject: Option<Subject<G>>,
    /// The last number given to a search below.
    epoch: Epoch,
    thinking: Option<Thinking<G::Move>>,
    phase: Phase,
    output: VecDeque<Output<G>>,
    minutes: VecDeque<Minutes<G>>,
}

/// The position voted on.
#[derive(Debug)]
struct Subject<G: Game> {
    place: Place<G>,
    only: Vec<G::Move>,
    /// The moves that may be voted for.
    allowed: Vec<G::Move>,
    /// The limits the voters were given.
    limits: Limits,
    since: Duration,
    arrival: Arrival,
    /// Votes of those who left since, in case nobody else has one.
    left_behind: Vec<Ballot<G::Move>>,
}

impl<G: Game> Vote<G> {
    /// A vote without workers at the start of a game.
    pub fn new(start: &G, plan: VotePlan, trees: Trees<G>) -> Self {
        let voters = plan.voters.into_iter();
        Vote {
            settings: plan.settings,
            voters: voters.map(|voter| Voter::new(start, voter, trees)).collect(),
            seats: BTreeMap::new(),
            subject: None,
            epoch: Epoch(0),
            thinking: None,
            phase: Phase::Resting,
            output: VecDeque::new(),
            minutes: VecDeque::new(),
        }
    }

    /// The next thing to be done, if any.
    pub fn poll(&mut self) -> Option<Output<G>> {
        self.output.pop_front()
    }

    /// The record of the next vote taken, if any.
    pub fn poll_minutes(&mut self) -> Option<Minutes<G>> {
        self.minutes.pop_front()
    }

    /// When to call [`Self::handle_timeout`] if nothing else happens.
    pub fn poll_timeout(&self) -> Option<Duration> {
        let members = self.voters.iter().filter_map(|voter| voter.member.poll_timeout());
        members.chain(self.next_look()).min()
    }

    /// Changes overhead and pondering, and the members' rank tables and overhead.
    pub fn set(&mut self, change: impl FnOnce(&mut Settings)) {
        change(&mut self.settings);
        self.hand_down();
    }

    /// Gives the members what is the same for all.
    fn hand_down(&mut self) {
        let Settings { table, overhead, .. } = &self.settings;
        for voter in &mut self.voters {
            voter.member.set(|settings| {
                settings.table = table.clone();
                settings.overhead = *overhead;
            });
        }
    }

    /// Time and nodes so far of the search asked for, if there is one.
    pub fn progress(&self, now: Duration) -> Option<(Duration, u64)> {
        let nodes = self.voters.iter().map(|voter| voter.spent_until(now).1);
        let nodes = nodes.fold(0, u64::saturating_add);
        self.thinking.as_ref().map(|thinking| (thinking.elapsed(now), nodes))
    }

    /// How many workers all voters have.
    pub fn worker_count(&self) -> usize {
        self.voters.iter().map(|voter| voter.member.worker_count()).sum()
    }

    /// Nodes a second of a worker; 0 when not known.
    pub fn speed_of(&self, id: WorkerId) -> u64 {
        let seat = self.seats.get(&id);
        seat.map_or(0, |&number| self.voters[number].member.speed_of(id))
    }

    /// The pipelines of all voters, with the voters' names.
    pub fn pipelines(&self) -> Vec<(String, &Pipeline<G>)> {
        let mut all = Vec::new();
        for voter in &self.voters {
            for (inner, pipeline) in voter.member.pipelines() {
                let name = match inner.as_str() {
                    "" => voter.name.clone(),
                    inner => format!("{}/{inner}", voter.name),
                };
                all.push((name, pipeline));
            }
        }
        all
    }

    /// Whether some voter wants this worker.
    pub(crate) fn takes(&self, id: WorkerId, engine: &str) -> bool {
        self.voters.iter().any(|voter| voter.takes(id, engine))
    }

    pub(crate) fn members_mut(&mut self) -> impl Iterator<Item = &mut Coordinator<G>> {
        self.voters.iter_mut().map(|voter| &mut voter.member)
    }

    /// The position the voters look at, or looked at last.
    pub fn place(&self) -> Option<&Place<G>> {
        self.subject.as_ref().map(|subject| &subject.place)
    }

    /// What the voters say now of the position at hand.
    pub fn tally(&self) -> Tally<G::Move> {
        Tally::count(&self.ballots())
    }

    /// An order from above.
    pub fn handle_order(&mut self, now: Duration, order: Order<G>) {
        match order {
            Order::Search(search) => self.begin(now, search),
            Order::Stop(epoch) => {
                if self.thinking.as_ref().is_some_and(|thinking| thinking.epoch == epoch) {
                    self.answer(now);
                }
            }
            Order::PonderHit(epoch) => self.ponder_hit(now, epoch),
            Order::NewGame => {
                self.rest(now);
                self.subject = None;
                self.thinking = None;
                for voter in &mut self.voters {
                    voter.member.handle_order(now, Order::NewGame);
                }
            }
            // Only workers are given tasks.
            Order::Tasks(_) => {}
            Order::Harvest { epoch, .. } => {
                let positions = Vec::new();
                self.output.push_back(Output::Above(Report::Harvest { epoch, positions }));
            }
        }
        self.settle(now);
    }

    /// A worker came. False when no voter wants it.
    pub fn handle_joined(&mut self, now: Duration, id: WorkerId, ability: Ability) -> bool {
        let wanted = self.voters.iter().position(|voter| voter.takes(id, &ability.name));
        let Some(number) = wanted else { return false };
        self.seats.insert(id, number);
        self.voters[number].member.handle_joined(now, id, ability);
        // It may have given up waiting for a worker.
        let voter = &self.voters[number];
        let at_work = !matches!(self.phase, Phase::Resting);
        if at_work && !voter.searching && voter.ballot(number).is_none() {
            self.ask(now, number);
        }
        self.settle(now);
        true
    }

    /// A worker is gone.
    pub fn handle_left(&mut self, now: Duration, id: WorkerId) {
        let Some(number) = self.seats.remove(&id) else { return };
        let ballot = self.voters[number].ballot(number);
        self.voters[number].member.handle_left(now, id);
        if !self.voters[number].is_present()
            && let Some(subject) = &mut self.subject
        {
            subject.left_behind.retain(|ballot| ballot.voter != number);
            subject.left_behind.extend(ballot);
        }
        self.settle(now);
    }

    /// A worker told something.
    pub fn handle_report(&mut self, now: Duration, id: WorkerId, report: Report<G>) {
        if let Some(&number) = self.seats.get(&id) {
            self.voters[number].member.handle_report(now, id, report);
            self.settle(now);
        }
    }

    /// The way to a worker and back takes up to so long. A vote waits for nobody's last word:
    /// every opinion counts from the moment it is told.
    pub fn handle_round_trip(&mut self, id: WorkerId, longest: Duration) {
        if let Some(&number) = self.seats.get(&id) {
            self.voters[number].member.handle_round_trip(id, longest);
        }
    }

    /// Time has passed.
    pub fn handle_timeout(&mut self, now: Duration) {
        for voter in &mut self.voters {
            if voter.member.poll_timeout().is_some_and(|at| now >= at) {
                voter.member.handle_timeout(now);
            }
        }
        if self.next_look().is_some_and(|at| now >= at) {
            self.decide(now);
        }
        self.settle(now);
    }

    /// Takes in what the members say until they are quiet, and decides when nothing can change
    /// any more. Whether the time is up is looked at in [`Self::handle_timeout`] alone.
    fn settle(&mut self, now: Duration) {
        loop {
            if self.hear_members(now) {
                self.tell(now);
            }
            // To decide is to order, and members may answer orders at once.
            if !(self.nothing_to_wait_for() && self.decide(now)) {
                break;
            }
        }
    }

    fn hear_members(&mut self, now: Duration) -> bool {
        let mut changed = false;
        for voter in &mut self.voters {
            while let Some(output) = voter.member.poll() {
                match output {
                    Output::Below(id, order) => self.output.push_back(Output::Below(id, order)),
                    Output::Above(report) => {
                        let allowed =
                            self.subject.as_ref().map_or(&[][..], |subject| &subject.allowed);
                        changed |= voter.hear(now, report, allowed);
                    }
                }
            }
        }
        changed
    }

    /// Everybody looks at `place` from now on.
    fn turn_to(
        &mut self,
        now: Duration,
        place: Place<G>,
        only: Vec<G::Move>,
        limits: Limits,
        arrival: Arrival,
    ) {
        let mut allowed: Vec<G::Move> = place.position().moves().into_iter().collect();
        if only.iter().any(|mv| allowed.contains(mv)) {
            allowed.retain(|mv| only.contains(mv));
        }
        self.epoch = self.epoch.next();
        let (since, left_behind) = (now, Vec::new());
        self.subject = Some(Subject { place, only, allowed, limits, since, arrival, left_behind });
        for number in 0..self.voters.len() {
            self.ask(now, number);
        }
    }

    /// Lets one voter search the position at hand.
    fn ask(&mut self, now: Duration, number: usize) {
        if let Some(Subject { place, only, limits, allowed, .. }) = &self.subject
            && !allowed.is_empty()
        {
            self.voters[number].ask(now, self.epoch, place, only, limits);
        }
    }

    /// Nobody searches any more.
    fn rest(&mut self, now: Duration) {
        self.phase = Phase::Resting;
        for voter in &mut self.voters {
            voter.stop(now);
        }
    }

    /// The votes that count: of those who are there; of those who left if nobody else has one.
    fn ballots(&self) -> Vec<Ballot<G::Move>> {
        let voters = self.voters.iter().enumerate();
        let here = voters.filter(|(_, voter)| voter.is_present());
        let ballots: Vec<_> = here.filter_map(|(number, voter)| voter.ballot(number)).collect();
        match &self.subject {
            Some(subject) if ballots.is_empty() => subject.left_behind.clone(),
            _ => ballots,
        }
    }

    /// The weights of all who are there, with an opinion or without, in thousandths.
    fn weight_present(&self) -> u64 {
        let here = self.voters.iter().filter(|voter| voter.is_present());
        here.map(|voter| u64::from(voter.weight.0)).sum()
    }
}
