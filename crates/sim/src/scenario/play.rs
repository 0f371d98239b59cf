//! Runs a scenario: faults, player and checks around a world.

mod breaking;
mod drill;

use std::time::Duration;

use senbon_core::pipeline::{Settings, Strategy};
use senbon_core::vote::{Plan, Staff, VotePlan, VoterPlan, Weight};
use senbon_core::{Order, Report};
use senbon_engines::builtin::Judged;
use senbon_games::Rng;

use super::options::Options;
use super::player::{Player, Reminder, Wish};
use super::rude::Observer;
use super::{Planted, Ran};
use crate::check::{Asked, Breach, Ledger, Promise, wanted};
use crate::link::{below, between};
use crate::{
    Coded, EitherWire, Happened, Listener, MachineId, Mind, PacedWorker, Script, Values, Weather,
    World,
};

const fn ms(milliseconds: u64) -> Duration {
    Duration::from_millis(milliseconds)
}

/// Time of the coordinator between its answer and the clock.
const OVERHEAD: Duration = ms(30);
/// Table of a worker that really searches.
const TABLE_BYTES: usize = 64 << 10;
/// Machines are never more.
const MOST_MACHINES: usize = 160;
/// After the healing a search limited by nodes or depth ends within this.
const PATIENCE: Duration = ms(60_000);
/// After the healing every worker has work within this.
const CONVERGENCE: Duration = ms(20_000);
/// The original GPP makes a shallow search for each node before it has children: so many
/// reports may pass on the way down.
const SURVEY_REPORTS: u32 = 500;
/// How often is looked whether it has.
const LOOK: Duration = ms(50);
/// The planted fault of a coordinator that oversleeps.
const OVERSLEEP: Duration = ms(700);
/// The planted faults of the lease.
const LONG_LEASE: Duration = ms(3_000);
const SHORT_LEASE: Duration = ms(20);

/// What a scenario is reminded of.
#[derive(Clone, Copy, Debug)]
pub(super) enum Alarm {
    Player(Reminder),
    Fault,
    Connect(MachineId),
    Restart(MachineId),
    Heal,
    /// Ends the last search of the faulty time.
    Settle,
    /// Looks whether every worker has work.
    Look,
    /// Looks at what the sessions must have done by now.
    Due,
    /// A worker is broken on purpose, and mended.
    Drill,
    Mend(MachineId),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Safety,
    /// Everything works again; the last search is let end.
    Healing,
    /// A search for ever, since then.
    Converging(Duration),
    /// With sessions: one of those who search breaks down, and is back soon after it is
    /// mended; if it is, since when.
    Drill(Option<Duration>),
    Over,
}

pub(super) struct Play<'a, G: Judged> {
    options: &'a Options,
    rng: Rng,
    world: World<G, EitherWire<G>, Alarm>,
    watch: Observer<G>,
    player: Player<G>,
    phase: Phase,
    healed: Duration,
    converged: Option<Duration>,
    made: u64,
}

impl<'a, G: Judged> Play<'a, G> {
    pub(super) fn new(
        options: &'a Options,
        planted: Option<Planted>,
        listen: Option<Listener>,
    ) -> Self {
        let mut rng = Rng::new(options.seed);
        let settings = Settings {
            strategy: options.strategy,
            ponder: options.ponder,
            overhead: OVERHEAD,
            seed: options.seed,
            ..Settings::default()
        };
        let seed = rng.next_u64();
        // As bytes every other time: a codec stops the lies that break the rules, and the
        // coordinator has to bear those, too.
        let wire = match seed % 2 {
            0 => EitherWire::Values(Values),
            _ => EitherWire::Coded(Coded::default()),
        };
        let plan = plan(options, settings);
        let mut world = World::new(G::start(), plan.clone(), wire, seed);
        let oversleeps = planted == Some(Planted::Oversleep);
        world.set_timer_lag(if oversleeps { OVERSLEEP } else { options.timer_lag });
        if let Some(listen) = listen {
            world.trace_mut().listen(listen);
        }
        if let Some(weather) = options.sessions {
            world.keep_sessions(G::start(), plan, weather);
            match planted {
                Some(Planted::LongLease) => world.set_lease(LONG_LEASE),
                Some(Planted::ShortLease) => world.set_lease(SHORT_LEASE),
                _ => {}
            }
        }
        let books = Ledger::new(world.coordinator());
        let own = Rng::new(rng.next_u64());
        let watch = Observer::new(books, options.vices.clone(), own, planted);
        let own = Rng::new(rng.next_u64());
        let player = Player::new(options.control, options.ponder, own);
        let phase = Phase::Safety;
        let (healed, converged, made) = (Duration::ZERO, None, 0);
        Play { options, rng, world, watch, player, phase, healed, converged, made }
    }

    pub(super) fn run(mut self) -> Ran {
        for number in 0..self.options.machines {
            self.add_machine(number < self.options.paced);
        }
        self.world.alarm(between(&mut self.rng, ms(0), ms(200)), Alarm::Player(Reminder::Ask));
        if !self.options.faults.is_empty() {
            self.plan_fault();
        }
        self.world.alarm(self.options.safety, Alarm::Heal);
        let mut breach = None;
        while self.phase != Phase::Over && breach.is_none() {
            let step = self.step().err().or_else(|| self.watch.books.breach().cloned());
            breach = step.or_else(|| self.watch.sessions.breach().cloned());
        }
        Ran {
            trace: self.world.trace().hash(),
            events: self.world.trace().events(),
            answers: self.player.answers,
            time: self.world.now(),
            converged: self.converged,
            breach,
        }
    }

    fn step(&mut self) -> Result<(), Breach> {
        match self.world.next(&mut self.watch) {
            Some(Happened::Above(report)) => {
                let now = self.world.now();
                self.player.hear(now, &report)?;
                if let Report::Done { best, .. } = report {
                    self.watch.books.answers(now, best);
                    self.watch.sessions.changes(now);
                }
                if self.phase == Phase::Healing && self.player.asked.is_none() {
                    self.converge();
                }
            }
            Some(Happened::Alarm(alarm)) => self.ring(alarm)?,
            None => {
                return self.fail(Promise::Bounded, "nothing will ever happen again".to_owned());
            }
        }
        self.grant_wishes();
        Ok(())
    }

    fn fail(&self, promise: Promise, what: String) -> Result<(), Breach> {
        Err(Breach { promise, at: self.world.now(), what })
    }

    /// Does what the player wants done.
    fn grant_wishes(&mut self) {
        for wish in std::mem::take(&mut self.player.wishes) {
            match wish {
                Wish::Order(order) => {
                    if let Order::Search(search) = &order {
                        self.watch.books.restrict(&search.only);
                    }
                    self.watch.sessions.changes(self.world.now());
                    self.world.order(order, &mut self.watch);
                }
                Wish::Remind(at, reminder) => self.world.alarm(at, Alarm::Player(reminder)),
            }
        }
    }

    fn ring(&mut self, alarm: Alarm) -> Result<(), Breach> {
        let now = self.world.now();
        match alarm {
            Alarm::Player(reminder) => {
                if reminder != Reminder::Ask || self.phase == Phase::Safety {
                    self.player.remind(now, reminder)?;
                }
            }
            Alarm::Fault if self.phase == Phase::Safety => {
                self.break_something();
                self.plan_fault();
            }
            Alarm::Fault => {}
            Alarm::Connect(id) => self.connect(id),
            Alarm::Restart(id) => self.restart(id),
            Alarm::Heal => self.heal(),
            Alarm::Settle => self.settle()?,
            Alarm::Look => self.look()?,
            Alarm::Due => self.watch.sessions.due(now, &self.watch.books),
            Alarm::Drill => self.drill(),
            Alarm::Mend(id) => self.mend(id),
        }
        Ok(())
    }

    fn mind(&mut self, paced: bool) -> Mind<G> {
        self.made += 1;
        if paced && let Ok(worker) = PacedWorker::new(TABLE_BYTES, self.options.node_time) {
            return Mind::Paced(Box::new(worker));
        }
        let seed = self.options.seed.wrapping_mul(1_000_003).wrapping_add(self.made);
        Mind::Script(Box::new(Script::new(seed, self.options.interval)))
    }

    fn add_machine(&mut self, paced: bool) {
        let mind = self.mind(paced);
        let id = self.world.add(mind, self.options.link);
        if self.options.voters > 0 {
            self.world.tag(id, tag(id.0 % self.options.voters));
        }
        if self.phase == Phase::Safety && self.rng.one_in(self.options.rude_one_in) {
            self.watch.rude.insert(id);
        }
        let wait = below(&mut self.rng, ms(100));
        self.world.alarm(self.world.now() + wait, Alarm::Connect(id));
    }

    fn connect(&mut self, id: MachineId) {
        self.world.connect(id);
    }

    fn restart(&mut self, id: MachineId) {
        if !self.world.is_alive(id) {
            let paced = matches!(self.world.mind(id), Mind::Paced(_));
            let mind = self.mind(paced);
            self.world.restart(id, mind);
            self.watch.sessions.mends(self.world.now(), id);
        }
        self.world.connect(id);
    }

    /// Everything works from now on.
    fn heal(&mut self) {
        self.phase = Phase::Healing;
        let now = self.world.now();
        // A lie cannot be taken back: whoever lied is sent home and comes back honest.
        for id in std::mem::take(&mut self.watch.rude) {
            self.send_home(id);
        }
        self.world.set_weather(Weather::default());
        if self.world.machine_count() == 0 {
            self.add_machine(false);
        }
        for number in 0..self.world.machine_count() {
            let id = MachineId(number);
            self.world.heal(id);
            if self.world.is_alive(id) {
                self.watch.sessions.mends(now, id);
            }
            self.world.alarm(now + below(&mut self.rng, ms(100)), Alarm::Restart(id));
        }
        // What is on its way from before the healing has arrived by then.
        self.healed = now + self.options.lost_after + ms(2_000);
        if self.player.asked.is_none() || self.options.control.is_timed() {
            self.world.alarm(self.healed, Alarm::Settle);
        } else {
            self.world.alarm(now + PATIENCE, Alarm::Settle);
        }
    }

    /// The last search of the faulty time must have ended by itself, unless it has a clock or
    /// only a stop ends it.
    fn settle(&mut self) -> Result<(), Breach> {
        if self.phase != Phase::Healing {
            return Ok(());
        }
        let may_stop = |asked: &Asked<G>| asked.waits_for_stop() || asked.flag.is_some();
        match self.player.asked.as_ref().map(may_stop) {
            Some(false) => {
                let what = format!("no answer within {PATIENCE:?} after everything was healed");
                return self.fail(Promise::Bounded, what);
            }
            Some(true) => self.player.stop(self.world.now()),
            None => self.converge(),
        }
        Ok(())
    }

    /// Begins the search in which every worker must find work.
    fn converge(&mut self) {
        let begin = self.world.now().max(self.healed);
        self.phase = Phase::Converging(begin);
        self.world.alarm(begin, Alarm::Look);
    }

    fn look(&mut self) -> Result<(), Breach> {
        let now = self.world.now();
        let begin = match self.phase {
            Phase::Converging(begin) => begin,
            Phase::Drill(mended) => return self.look_at_drill(mended),
            _ => return Ok(()),
        };
        if self.converged.is_some() {
            // The stop was answered, or the player would have complained.
            self.watch.sessions.undelivered(now);
            self.phase = Phase::Over;
            return Ok(());
        }
        if self.player.asked.is_none() {
            self.player.ask_for_ever(now);
        } else if let Some(idle) = self.idle_workers() {
            if now > begin + self.convergence() {
                let what = format!("{idle} {:?} after everything was healed", now - begin);
                return self.fail(Promise::Tree, what);
            }
        } else {
            self.converged = Some(now - begin);
            if self.options.sessions.is_some() {
                self.phase = Phase::Drill(None);
                self.world.alarm(now, Alarm::Drill);
            } else {
                self.player.stop(now);
            }
        }
        self.world.alarm(now + LOOK, Alarm::Look);
        Ok(())
    }

    /// Within this every worker has work.
    fn convergence(&self) -> Duration {
        let surveys = match self.options.strategy {
            Strategy::OriginalGpp => self.options.interval * SURVEY_REPORTS,
            _ => Duration::ZERO,
        };
        CONVERGENCE + surveys
    }

    /// Who has no work although there is some, if anyone.
    fn idle_workers(&self) -> Option<String> {
        let coordinator = self.world.coordinator();
        let machines = self.world.machine_count();
        let there = coordinator.worker_count();
        if there != machines {
            return Some(format!("{there} of {machines} machines are back"));
        }
        for (number, (name, pipeline)) in coordinator.pipelines().into_iter().enumerate() {
            let (busy, wanted) = (self.watch.books.busy(number), wanted(pipeline));
            // A voter that is sure has nothing left to search.
            if busy < wanted && !self.is_sure(number) {
                return Some(format!("{busy} of {wanted} workers {name} have work"));
            }
            let tree = pipeline.tree();
            if wanted > 0 && tree.node(tree.root()).value().is_none() {
                return Some(format!("the root {name} has no value"));
            }
        }
        None
    }

    /// Whether the voter with this number has made up its mind.
    fn is_sure(&self, number: usize) -> bool {
        let vote = self.world.coordinator().vote();
        vote.is_some_and(|vote| vote.vows(self.world.now())[number].is_final)
    }
}

/// What the scenario's coordinator is: a pipeline, or a vote of some. Machines find their
/// voters by tags.
fn plan(options: &Options, settings: Settings) -> Plan {
    if options.voters == 0 {
        return Plan::Pipeline(settings);
    }
    let voters = (0..options.voters).map(|number| VoterPlan {
        name: format!("voter {number}"),
        // Sums that are equal now and then.
        weight: Weight(500 * (1 + (options.seed as u32 >> number) % 3)),
        nodes: None,
        depth: None,
        staff: Staff { own: Vec::new(), elsewhere: Some(tag(number)) },
        member: Plan::Pipeline(Settings { ponder: false, ..settings.clone() }),
    });
    let voters = voters.collect();
    Plan::Vote(Box::new(VotePlan { settings, voters }))
}

fn tag(voter: usize) -> String {
    format!(" <{voter}>")
}
