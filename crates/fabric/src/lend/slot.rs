//! One engine that is lent, and its session with a master.

use std::time::Duration;

use senbon_core::session::{Guest, GuestEvent};
use senbon_core::wire::{Codec, WireError};
use senbon_core::{Ability, Epoch, Fault, Limits, Opinion, Order, Place, Report, Search};
use senbon_engines::builtin::BuiltIn;

use crate::desk::{Desk, WorkerSource};

/// How long an engine may take to end a search after its session has ended; then it is started
/// anew. Whoever talks to it gives up sooner (`Patience`): this is for what that misses.
const ENDING: Duration = Duration::from_secs(10);

/// The search by which an engine's speed is measured before it is first offered. Masters number
/// their orders from 1.
const MEASURING: Epoch = Epoch(0);
/// How long it takes; and what a search must have taken for its speed to be worth anything.
const MEASURING_TIME: Duration = Duration::from_millis(200);
const LEAST_MEASURED: Duration = Duration::from_millis(20);

/// One engine and its session.
pub(super) struct Slot<G: BuiltIn> {
    pub(super) guest: Guest,
    pub(super) desk: Option<Desk<G>>,
    codec: Codec<G>,
    /// What it offers while it is ready.
    pub(super) ability: Option<Ability>,
    /// The newest search it was ordered to make and has not ended.
    pub(super) searching: Option<Epoch>,
    /// It was told to end a search that nobody wants any more, and has so much time for it.
    pub(super) held_until: Option<Duration>,
    /// How to start it, and how often it was.
    pub(super) source: WorkerSource,
    pub(super) run: u32,
    /// Nodes a second in its newest search; 0 when not known.
    pub(super) speed: u64,
}

impl<G: BuiltIn + Sync> Slot<G>
where
    G::Undo: Send,
{
    pub(super) fn new(guest: Guest, source: WorkerSource) -> Self {
        let (ability, searching, held_until) = (None, None, None);
        let codec = Codec::default();
        Slot { guest, desk: None, codec, ability, searching, held_until, source, run: 0, speed: 0 }
    }

    pub(super) fn poll_timeout(&self) -> Option<Duration> {
        self.guest.poll_timeout().into_iter().chain(self.held_until).min()
    }

    /// The engine is ready. Before its first session its speed is measured.
    pub(super) fn ready(&mut self, now: Duration, ability: Ability) {
        self.searching = None;
        self.held_until = None;
        self.ability = Some(ability);
        if self.run > 1 || self.speed > 0 {
            self.offer_again(now);
        } else if let Some(desk) = &self.desk {
            let limits = Limits { move_time: Some(MEASURING_TIME), ..Limits::default() };
            let (epoch, place) = (MEASURING, Place::new(G::start()));
            desk.order(Order::Search(Search { epoch, place, only: Vec::new(), lines: 1, limits }));
            self.searching = Some(MEASURING);
            self.held_until = Some(now + MEASURING_TIME + ENDING);
        }
    }

    fn measure(&mut self, opinion: &Opinion<G::Move>) {
        if opinion.time >= LEAST_MEASURED {
            let speed = u128::from(opinion.nodes) * 1_000_000_000 / opinion.time.as_nanos();
            self.speed = u64::try_from(speed).unwrap_or(u64::MAX);
        }
    }

    pub(super) fn happened(&mut self, now: Duration, event: GuestEvent) {
        match event {
            // Numbers of orders mean something within one session only.
            GuestEvent::Joined(_) => self.codec = Codec::default(),
            GuestEvent::Order(order) => match self.codec.read_order(&order) {
                Ok(order) => self.order(order),
                Err(error) => {
                    let fault = Fault::Nonsense(format!("an order cannot be read: {error}"));
                    self.guest.withdraw(fault);
                    self.stop(now);
                    self.offer_again(now);
                }
            },
            GuestEvent::Left(_) => self.stop(now),
            GuestEvent::Refused(_) => {}
        }
    }

    fn order(&mut self, order: Order<G>) {
        let begun = match &order {
            Order::Search(search) => Some(search.epoch),
            Order::Tasks(tasks) if tasks.root.is_some() => Some(tasks.epoch),
            _ => None,
        };
        if begun.is_some() {
            self.searching = begun;
            self.guest.forget_progress();
        }
        if let Some(desk) = &self.desk {
            desk.order(order);
        }
    }

    /// Nobody wants the search any more. The engine is offered again when it has ended it:
    /// what it says until then must not be taken for an answer to another master.
    fn stop(&mut self, now: Duration) {
        if let (Some(epoch), Some(desk)) = (self.searching, &self.desk) {
            self.guest.hold();
            self.held_until.get_or_insert(now + ENDING);
            desk.order(Order::Stop(epoch));
        }
    }

    pub(super) fn offer_again(&mut self, now: Duration) {
        if self.searching.is_none()
            && !self.guest.is_offered()
            && let Some(ability) = self.ability.clone()
        {
            self.guest.offer(now, Ability { speed: self.speed, ..ability });
        }
    }

    pub(super) fn report(&mut self, now: Duration, report: &Report<G>) {
        if let Report::Done { epoch, .. } = report
            && self.searching == Some(*epoch)
        {
            self.searching = None;
            self.held_until = None;
        }
        if let Report::Opinion { opinion, .. } = report {
            self.measure(opinion);
        }
        match (self.codec.write_report(report), report) {
            (Ok(content), Report::Opinion { opinion, .. }) => {
                self.guest.report_progress(opinion.rank, content);
            }
            (Ok(content), _) => {
                self.guest.report(now, content);
            }
            // Of an order that was replaced since.
            (Err(WireError::UnknownOrder(_)), _) => {}
            (Err(error), _) => {
                let fault = Fault::Nonsense(format!("the engine's report cannot be told: {error}"));
                self.guest.withdraw(fault);
                self.stop(now);
            }
        }
        self.offer_again(now);
    }
}
