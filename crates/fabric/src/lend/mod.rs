//! A worker's machine: lends its engines to masters, one session for each engine.
//!
//! It runs only the engines that its owner named. What arrives over the network is an order to
//! search, stop, ponder, harvest or begin a new game, checked by the rules before any engine
//! sees it: nothing in it can start a program, open a file or set an option.

mod slot;

use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::{Duration, Instant};

use senbon_core::session::{
    Asked, Candidate, Challenge, Frame, FrameError, Guest, GuestEvent, Parcels, PeerId, SessionId,
    Side, frames,
};
use senbon_core::{Fault, Report};
use senbon_engines::builtin::BuiltIn;
use senbon_engines::process::Told;
use senbon_games::Rng;

use crate::carrier::ear::{self, Way};
use crate::carrier::{Carrier, Deliver, Delivery};
use crate::crew::Crews;
use crate::desk::{Desk, WorkerSource};
use slot::Slot;

/// Events that may wait: reports of engines wait for room, frames are dropped and sent again.
const WAITING: usize = 4096;

/// Events that are taken together.
const MOST_TOGETHER: usize = 256;

/// What a lender tells of itself. Engines are numbered from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Status {
    /// An engine is ready.
    Ready(usize, String),
    /// How fast an engine was in its newest search, in nodes a second.
    Speed(usize, u64),
    /// An engine failed; it is started again.
    Failed(usize, Fault),
    /// A line of an engine's error output.
    Complaint(usize, String),
    /// No connection could be made; dialled again.
    NoConnection(String),
    /// A master was found.
    Master(PeerId),
    /// A master is gone.
    MasterGone(PeerId),
    /// A master took an engine.
    Joined(usize, PeerId),
    /// It has the engine no longer.
    Left(usize, Fault),
    /// A master would not have it.
    Refused(usize, String),
}

enum Event<G: senbon_games::Game> {
    Delivery(Delivery),
    /// From the engine of a slot, in which of its runs.
    Told(usize, u32, Told<G>),
    Quit,
}

/// A machine that lends its engines.
pub struct Lender<G: BuiltIn> {
    events: SyncSender<Event<G>>,
    inbox: Receiver<Event<G>>,
    carrier: Box<dyn Carrier>,
    slots: Vec<Slot<G>>,
    crews: Crews<G>,
    began: Instant,
    /// Why there was no connection, as it was last told.
    no_connection: Option<String>,
    parcels: Parcels,
}

/// How often failed connections are looked for.
const ROUND: Duration = Duration::from_secs(1);

impl<G: BuiltIn + Sync> Lender<G>
where
    G::Undo: Send,
{
    /// Starts the engines, and opens the carrier by `open`.
    pub fn start<C: Carrier + 'static, E>(
        name: &str,
        sources: Vec<WorkerSource>,
        open: impl FnOnce(Deliver) -> Result<C, E>,
    ) -> Result<Self, E> {
        let (events, inbox) = sync_channel(WAITING);
        let deliver = events.clone();
        let carrier = open(Box::new(move |delivery| {
            let _ = match delivery.is_message() {
                true => deliver.try_send(Event::Delivery(delivery)).is_ok(),
                false => deliver.send(Event::Delivery(delivery)).is_ok(),
            };
        }))?;
        let mut lender = Lender {
            events,
            inbox,
            carrier: Box::new(carrier),
            slots: Vec::new(),
            crews: Crews::new(crate::seed()),
            began: Instant::now(),
            no_connection: None,
            parcels: Parcels::default(),
        };
        let mut rng = Rng::new(crate::seed());
        for (index, source) in sources.into_iter().enumerate() {
            let mut guest = Guest::new(name.to_owned(), rng.next_u64());
            if lender.carrier.identity().is_some() {
                guest.be_wary();
            }
            lender.slots.push(Slot::new(guest, source));
            lender.start_engine(index, &mut |_| {});
        }
        Ok(lender)
    }

    /// Starts the engine of a slot, in place of the one it had.
    fn start_engine(&mut self, index: usize, tell: &mut impl FnMut(Status)) {
        let slot = &mut self.slots[index];
        slot.run += 1;
        slot.held_until = None;
        slot.searching = None;
        slot.ability = None;
        let (run, events) = (slot.run, self.events.clone());
        let report = move |told| {
            let _ = events.send(Event::Told(index, run, told));
        };
        let (desk, told) = Desk::start(slot.source.clone(), &mut self.crews, report);
        if let Some(before) = std::mem::replace(&mut slot.desk, desk) {
            // It may take a while to end, and may have to say something first.
            std::thread::spawn(move || drop(before));
        }
        if let Some(told) = told {
            self.hear(index, told, tell);
        }
    }

    /// Ends [`Self::run`] from another thread, politely.
    pub fn quitter(&self) -> impl Fn() + Send + 'static {
        let events = self.events.clone();
        move || {
            let _ = events.send(Event::Quit);
        }
    }

    /// Lends until told to quit. `tell` hears what happens.
    pub fn run(mut self, mut tell: impl FnMut(Status)) {
        for (index, slot) in self.slots.iter().enumerate() {
            if let Some(ability) = &slot.ability {
                tell(Status::Ready(index + 1, ability.name.clone()));
            }
        }
        loop {
            self.settle(&mut tell);
            let now = self.began.elapsed();
            let next = self.slots.iter().filter_map(Slot::poll_timeout).min();
            let wait = next.map_or(ROUND, |at| at.saturating_sub(now).min(ROUND));
            if !self.take_waiting(wait, &mut tell) {
                break;
            }
            self.tell_of_connections(&mut tell);
            self.look_at_slots(&mut tell);
        }
        for slot in &mut self.slots {
            slot.guest.withdraw(Fault::Died("its owner ended it".to_owned()));
        }
        self.send();
        self.end();
    }

    /// Waits for what happens, and takes what has come meanwhile along with it: what is to be
    /// sent for all of it goes together. False when it is time to end.
    fn take_waiting(&mut self, wait: Duration, tell: &mut impl FnMut(Status)) -> bool {
        let mut event = self.inbox.recv_timeout(wait);
        let mut taken = 1;
        loop {
            match event {
                Ok(Event::Delivery(delivery)) => self.take(delivery, tell),
                Ok(Event::Told(index, run, told)) if run == self.slots[index].run => {
                    self.hear(index, told, tell);
                }
                Ok(Event::Told(..)) => {}
                Ok(Event::Quit) | Err(RecvTimeoutError::Disconnected) => return false,
                Err(RecvTimeoutError::Timeout) => return true,
            }
            if taken == MOST_TOGETHER {
                return true;
            }
            taken += 1;
            event = self.inbox.try_recv().map_err(|_| RecvTimeoutError::Timeout);
        }
    }

    /// Time has passed.
    fn look_at_slots(&mut self, tell: &mut impl FnMut(Status)) {
        let now = self.began.elapsed();
        for index in 0..self.slots.len() {
            let slot = &mut self.slots[index];
            slot.guest.handle_timeout(now);
            if slot.held_until.is_some_and(|until| until <= now) {
                let why = "it does not end its search".to_owned();
                tell(Status::Failed(index + 1, Fault::Silent(why)));
                self.start_engine(index, tell);
            }
        }
    }

    /// Says why there is no connection, once for each reason.
    fn tell_of_connections(&mut self, tell: &mut impl FnMut(Status)) {
        for why in ear::heard(Way::Out) {
            if self.no_connection.as_ref() != Some(&why) {
                tell(Status::NoConnection(why.clone()));
                self.no_connection = Some(why);
            }
        }
    }

    /// Ends the engines, without waiting for what they still have to say.
    fn end(self) {
        let Lender { inbox, slots, crews, .. } = self;
        std::thread::scope(|scope| {
            scope.spawn(move || drop(crews));
            for slot in slots {
                scope.spawn(move || drop(slot.desk));
            }
            while inbox.recv_timeout(Duration::from_millis(50)).is_ok() {}
        });
    }

    fn send(&mut self) {
        let now = self.began.elapsed();
        for slot in &mut self.slots {
            while let Some((to, frame)) = slot.guest.poll_frame(now) {
                self.parcels.add(to, &frame);
            }
        }
        for (to, message) in self.parcels.take() {
            self.carrier.send(to, message);
        }
    }

    fn settle(&mut self, tell: &mut impl FnMut(Status)) {
        self.send();
        let now = self.began.elapsed();
        for (index, slot) in self.slots.iter_mut().enumerate() {
            let mut told = false;
            while let Some(event) = slot.guest.poll_event() {
                told = true;
                tell_event(index + 1, &event, tell);
                slot.happened(now, event);
            }
            if told {
                slot.offer_again(now);
            }
        }
        self.send();
    }

    fn take(&mut self, delivery: Delivery, tell: &mut impl FnMut(Status)) {
        let now = self.began.elapsed();
        match delivery {
            Delivery::Message { from, bytes } => {
                for read in frames(&bytes) {
                    self.take_frame(now, from, read);
                }
            }
            Delivery::Joined(master) => {
                self.no_connection = None;
                tell(Status::Master(master));
                for slot in &mut self.slots {
                    slot.guest.handle_master(now, master);
                }
            }
            Delivery::Left(master) => {
                tell(Status::MasterGone(master));
                for slot in &mut self.slots {
                    slot.guest.handle_master_gone(now, master);
                }
            }
        }
    }

    fn take_frame(&mut self, now: Duration, from: PeerId, read: Result<Frame, FrameError>) {
        let Some(session) = session_of(&read) else { return };
        if let Some(slot) = self.slots.iter_mut().find(|slot| slot.guest.has(session)) {
            slot.guest.handle_frame(now, from, read);
            if let Some(asked) = slot.guest.poll_asked() {
                let session = asked.session;
                match prove(&*self.carrier, asked) {
                    Ok(proof) => slot.guest.prove(session, proof),
                    Err(why) => slot.guest.give_up(now, why),
                }
            }
        } else if let Some(answer) = read.ok().and_then(|frame| frame.stray()) {
            self.parcels.add(from, &answer);
        }
    }

    fn hear(&mut self, index: usize, told: Told<G>, tell: &mut impl FnMut(Status)) {
        let now = self.began.elapsed();
        let slot = &mut self.slots[index];
        match told {
            Told::Joined(ability) => {
                tell(Status::Ready(index + 1, ability.name.clone()));
                slot.ready(now, ability);
            }
            Told::Report(report) => {
                slot.report(now, &report);
                if let Report::Done { .. } = report {
                    tell(Status::Speed(index + 1, slot.speed));
                }
            }
            Told::Left(fault) => {
                slot.guest.withdraw(fault.clone());
                slot.ability = None;
                slot.searching = None;
                slot.held_until = None;
                tell(Status::Failed(index + 1, fault));
            }
            Told::Complaint(text) => tell(Status::Complaint(index + 1, text)),
        }
    }
}

/// Proves to a master who we are, if it is a master.
fn prove(carrier: &dyn Carrier, asked: Asked) -> Result<Vec<u8>, String> {
    let Some(identity) = carrier.identity() else {
        return Err("the master lets in only who has credentials; give --keys".to_owned());
    };
    let Asked { session, hello, challenge: Challenge { challenge, proof } } = asked;
    let ours = Candidate { session, peer: carrier.me(), hello };
    identity
        .check(Side::Master, &ours.statement(Side::Master, &challenge), &proof)
        .map_err(|why| format!("the master does not prove that it is one: {why}"))?;
    identity.prove(&ours.statement(Side::Worker, &challenge))
}

fn session_of(read: &Result<Frame, FrameError>) -> Option<SessionId> {
    match read {
        Ok(frame) => Some(frame.session),
        Err(FrameError::Version { session, .. }) => Some(*session),
        Err(FrameError::Malformed(_)) => None,
    }
}

fn tell_event(number: usize, event: &GuestEvent, tell: &mut impl FnMut(Status)) {
    match event {
        GuestEvent::Joined(master) => tell(Status::Joined(number, *master)),
        GuestEvent::Left(fault) => tell(Status::Left(number, fault.clone())),
        GuestEvent::Refused(reason) => tell(Status::Refused(number, reason.clone())),
        GuestEvent::Order(_) => {}
    }
}
