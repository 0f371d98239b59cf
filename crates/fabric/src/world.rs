//! One thread that owns the coordinator; workers on threads and processes of their own.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use senbon_core::pipeline::{Output, Settings};
use senbon_core::vote::{Minutes, Plan};
use senbon_core::{Ability, Coordinator, Fault, Order, Report, WorkerId};
use senbon_engines::builtin::{BuiltIn, tree};
use senbon_engines::process::Told;

use crate::crew::Crews;
use crate::desk::{Desk, WorkerSource};
use crate::office::{Note, Office, Word};
use crate::roster::Roster;
use crate::scribe::Scribe;
use crate::{Entrance, GameJournal, View};

/// What the world tells whoever started it.
#[derive(Clone, Debug)]
pub enum News<G: senbon_games::Game> {
    /// The coordinator's report.
    Report(Report<G>),
    /// A worker is ready.
    Joined(u32, Ability),
    /// A worker failed.
    Left(u32, Fault),
    /// A worker's error output.
    Complaint(u32, String),
    /// A vote was taken.
    Minutes(Box<Minutes<G>>),
    /// The game goes on with what the journal knew of so many positions.
    Remembered(usize),
    /// Somebody was not let in: a line for whoever runs this, a few a second at most.
    Refused(String),
}

enum Event<G: senbon_games::Game> {
    Order(Order<G>),
    Settings(Box<dyn FnOnce(&mut Settings) + Send>),
    Look(SyncSender<View>),
    Told(WorkerId, Told<G>),
    /// From where workers of other machines report.
    Note(Note<G>),
    Quit,
}

/// Events that may wait; workers that outrun the coordinator wait, too.
const WAITING: usize = 4096;
/// Events that are attended to before the time is looked at again.
const MOST_AT_ONCE: usize = 64;

/// A coordinator with its workers, running.
pub struct World<G: senbon_games::Game> {
    events: SyncSender<Event<G>>,
    thread: Option<JoinHandle<()>>,
}

impl<G: BuiltIn + Sync> World<G>
where
    G::Undo: Send,
{
    /// Starts a world at the start of a game, with a coordinator as planned. `tell` hears the news, on the world's thread:
    /// it must not wait.
    pub fn start(
        plan: impl Into<Plan>,
        sources: Vec<WorkerSource>,
        tell: impl FnMut(News<G>) + Send + 'static,
    ) -> std::io::Result<Self> {
        Self::open(plan, sources, None, None, tell)
    }

    /// As [`World::start`], with workers of other machines beside our own: those that come
    /// in by `entrance`. The game is kept in `journal`, and goes on from it.
    pub fn open(
        plan: impl Into<Plan>,
        sources: Vec<WorkerSource>,
        entrance: Option<Arc<Entrance>>,
        journal: Option<GameJournal>,
        tell: impl FnMut(News<G>) + Send + 'static,
    ) -> std::io::Result<Self> {
        let plan = plan.into();
        let (events, inbox) = sync_channel(WAITING);
        let to_self = events.clone();
        let first = WorkerId(sources.len() as u32 + 1);
        let roster = entrance.as_ref().map(|entrance| Roster::new(entrance.board()));
        let office = entrance.map(|entrance| {
            let events = events.clone();
            Office::start(entrance, first, move |note| {
                let _ = events.send(Event::Note(note));
            })
        });
        let office = office.transpose()?;
        let thread =
            std::thread::Builder::new().name("coordinator".to_owned()).spawn(move || {
                let coordinator = Coordinator::new(&G::start(), plan, tree);
                let workers = BTreeMap::new();
                let began = Instant::now();
                let scribe = journal.map(Scribe::new);
                let mut keeper =
                    Keeper { coordinator, workers, office, roster, scribe, tell, began };
                keeper.hire(sources, &to_self);
                keeper.run(&inbox);
            })?;
        Ok(World { events, thread: Some(thread) })
    }

    /// Gives the coordinator an order.
    pub fn order(&self, order: Order<G>) {
        let _ = self.events.send(Event::Order(order));
    }

    /// Changes the coordinator's settings.
    pub fn set(&self, change: impl FnOnce(&mut Settings) + Send + 'static) {
        let _ = self.events.send(Event::Settings(Box::new(change)));
    }

    /// Asks for the tree as it is when the coordinator gets round to it. The answer may come
    /// late, or never when there is too much to do already.
    pub fn look(&self) -> Receiver<View> {
        let (answer, view) = sync_channel(1);
        let _ = self.events.try_send(Event::Look(answer));
        view
    }
}

impl<G: senbon_games::Game> Drop for World<G> {
    fn drop(&mut self) {
        let _ = self.events.send(Event::Quit);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

struct Keeper<G: BuiltIn, F> {
    coordinator: Coordinator<G>,
    workers: BTreeMap<WorkerId, Desk<G>>,
    /// Where workers of other machines report.
    office: Option<Office<G>>,
    /// For whoever asks who is there.
    roster: Option<Roster>,
    /// Keeps the game.
    scribe: Option<Scribe>,
    tell: F,
    began: Instant,
}

impl<G: BuiltIn + Sync, F: FnMut(News<G>)> Keeper<G, F>
where
    G::Undo: Send,
{
    fn hire(&mut self, sources: Vec<WorkerSource>, events: &SyncSender<Event<G>>) {
        let mut crews = Crews::new(crate::seed());
        for (number, source) in sources.into_iter().enumerate() {
            let id = WorkerId(number as u32 + 1);
            let events = events.clone();
            let tell = move |told| {
                let _ = events.send(Event::Told(id, told));
            };
            let (desk, told) = Desk::start(source, &mut crews, tell);
            self.workers.extend(desk.map(|desk| (id, desk)));
            if let Some(told) = told {
                self.hear(id, told);
            }
        }
    }

    fn run(&mut self, inbox: &Receiver<Event<G>>) {
        loop {
            self.drain();
            let now = self.began.elapsed();
            let roster = self.roster.as_ref().map(Roster::next_write);
            let next = self.coordinator.poll_timeout().into_iter().chain(roster).min();
            let wait = next.map_or(Duration::from_secs(3600), |at| at.saturating_sub(now));
            match inbox.recv_timeout(wait) {
                Ok(Event::Quit) | Err(RecvTimeoutError::Disconnected) => break,
                Ok(event) => self.attend(event),
                Err(RecvTimeoutError::Timeout) => {}
            }
            // Reports that are here already are heard before anything is said: many of them
            // may be worth one pass through a tree. Orders are obeyed one by one.
            let waiting = (0..MOST_AT_ONCE).map_while(|_| inbox.try_recv().ok());
            let mut quit = false;
            for event in waiting {
                match event {
                    Event::Quit => quit = true,
                    Event::Told(..) | Event::Note(_) => self.attend(event),
                    event => {
                        self.drain();
                        self.attend(event);
                    }
                }
            }
            if quit {
                break;
            }
            // The time is looked at after every event: a flood of reports must not hide it.
            let now = self.began.elapsed();
            self.coordinator.handle_timeout(now);
            if let Some(roster) = &mut self.roster {
                roster.write(now, &self.coordinator);
            }
            if let Some(scribe) = &mut self.scribe {
                scribe.write(now, &self.coordinator);
            }
        }
        // Leave without waiting for the events of workers that are leaving, too.
        let workers = std::mem::take(&mut self.workers);
        let office = self.office.take();
        std::thread::scope(|scope| {
            scope.spawn(move || drop(office));
            for worker in workers.into_values() {
                scope.spawn(move || drop(worker));
            }
            while inbox.recv_timeout(Duration::from_millis(50)).is_ok() {}
        });
    }

    fn attend(&mut self, event: Event<G>) {
        match event {
            Event::Order(order) => {
                self.remember(&order);
                self.coordinator.handle_order(self.began.elapsed(), order);
            }
            Event::Settings(change) => self.coordinator.set(change),
            Event::Look(answer) => {
                let _ = answer.try_send(View::of(&self.coordinator, self.began.elapsed()));
            }
            Event::Told(id, told) => self.hear(id, told),
            Event::Note(note) => self.hear_office(note),
            Event::Quit => {}
        }
    }

    /// What the journal knows of the game to be searched.
    fn remember(&mut self, order: &Order<G>) {
        let Some(scribe) = &mut self.scribe else { return };
        let Some(memory) = scribe.before(order) else { return };
        let count = memory.pipelines.iter().map(Vec::len).sum();
        self.coordinator.remember(&memory);
        (self.tell)(News::Remembered(count));
    }

    fn hear_office(&mut self, note: Note<G>) {
        match (note, &mut self.roster) {
            (Note::Of(id, Word::Told(told)), _) => self.hear(id, told),
            (Note::Of(id, Word::Host(host)), Some(roster)) => roster.announce(id, host),
            (Note::Of(id, Word::RoundTrip { mean, longest }), Some(roster)) => {
                roster.latency(id, mean);
                self.coordinator.handle_round_trip(id, longest);
            }
            (Note::Refused(line), Some(roster)) => {
                roster.refused(&line);
                (self.tell)(News::Refused(line));
            }
            // Where there is an office there is a roster.
            (_, None) => {}
        }
    }

    fn hear(&mut self, id: WorkerId, told: Told<G>) {
        let now = self.began.elapsed();
        match (&told, &mut self.roster) {
            (Told::Joined(ability), Some(roster)) => roster.joined(id, ability),
            (Told::Left(fault), Some(roster)) => roster.left(id, fault),
            _ => {}
        }
        match told {
            Told::Joined(ability) => {
                (self.tell)(News::Joined(id.0, ability.clone()));
                let engine = ability.name.clone();
                if !self.coordinator.handle_joined(now, id, ability) {
                    let line = match self.coordinator.vote() {
                        Some(_) => "has no place in any voter",
                        None => "does not search by tasks: built-in engines alone take part",
                    };
                    let line = format!("worker {}, {engine}, {line}", id.0);
                    (self.tell)(News::Complaint(id.0, line));
                }
            }
            Told::Report(report) => self.coordinator.handle_report(now, id, report),
            Told::Left(fault) => {
                self.coordinator.handle_left(now, id);
                (self.tell)(News::Left(id.0, fault));
            }
            Told::Complaint(text) => (self.tell)(News::Complaint(id.0, text)),
        }
    }

    fn drain(&mut self) {
        while let Some(minutes) = self.coordinator.poll_minutes() {
            (self.tell)(News::Minutes(Box::new(minutes)));
        }
        while let Some(output) = self.coordinator.poll() {
            match output {
                Output::Above(report) => (self.tell)(News::Report(report)),
                Output::Below(id, order) => {
                    let taken = match (self.workers.get(&id), &self.office) {
                        (Some(desk), _) => desk.order(order),
                        (None, Some(office)) => office.order(id, order),
                        (None, None) => false,
                    };
                    if !taken {
                        self.coordinator.handle_left(self.began.elapsed(), id);
                    }
                }
            }
        }
    }
}
