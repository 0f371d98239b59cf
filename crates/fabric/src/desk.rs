//! An engine that takes orders on this machine: in this process, or a child of it.

use senbon_core::{Fault, Order};
use senbon_engines::builtin::{BuiltIn, Commons, Worker};
use senbon_engines::process::{Engine, EngineCommand, Leash, Told};

use crate::crew::{Crews, Member};
use crate::stand_in::{StandIn, Stub};

/// Where a worker comes from.
#[derive(Clone, Debug)]
pub enum WorkerSource {
    /// Our own engine, with a table of so many mebibytes.
    BuiltIn {
        /// Size of its table.
        table_mib: usize,
        /// What it remembers together with others of this process, which are a crew.
        commons: Option<Commons>,
    },
    /// A program.
    Engine(Box<EngineCommand>),
    /// Nothing that searches: for measuring what lies between.
    StandIn(Stub),
}

impl WorkerSource {
    /// Whether it is a program to be started.
    pub fn is_program(&self) -> bool {
        matches!(self, WorkerSource::Engine(_))
    }

    /// The same, ended by `leash` when we are gone.
    #[must_use]
    pub fn leashed(mut self, leash: &Leash) -> Self {
        if let WorkerSource::Engine(command) = &mut self {
            command.leash = Some(leash.clone());
        }
        self
    }
}

/// A running engine, by where it is.
pub(crate) enum Desk<G: BuiltIn> {
    Here(Worker<G>),
    Crew(Member<G>),
    Child(Engine<G>),
    StandIn(StandIn<G>),
}

impl<G: BuiltIn + Sync> Desk<G>
where
    G::Undo: Send,
{
    /// Starts an engine, in its crew if it has one, and says what there is to be told of it at
    /// once. `tell` hears of everything else, on other threads.
    pub(crate) fn start(
        source: WorkerSource,
        crews: &mut Crews<G>,
        tell: impl Fn(Told<G>) + Send + Sync + 'static,
    ) -> (Option<Self>, Option<Told<G>>) {
        match source {
            WorkerSource::BuiltIn { table_mib, commons } => {
                let tell = move |report| tell(Told::Report(report));
                let started = match commons {
                    Some(commons) => crews
                        .start(table_mib, &commons, tell)
                        .map(|(member, ability)| (Desk::Crew(member), ability)),
                    None => Worker::start(table_mib, None, tell)
                        .map(|worker| (Desk::Here(worker), Worker::<G>::ability())),
                };
                match started {
                    Ok((desk, ability)) => (Some(desk), Some(Told::Joined(ability))),
                    Err(error) => (None, Some(Told::Left(Fault::Died(error.to_string())))),
                }
            }
            WorkerSource::Engine(command) => {
                (Some(Desk::Child(Engine::start(*command, tell))), None)
            }
            WorkerSource::StandIn(stub) => {
                let joined = Told::Joined(StandIn::<G>::ability());
                (Some(Desk::StandIn(StandIn::start(stub, tell))), Some(joined))
            }
        }
    }

    /// Passes an order on; false when nobody takes it any more.
    pub(crate) fn order(&self, order: Order<G>) -> bool {
        match self {
            Desk::Here(worker) => {
                worker.order(order);
                true
            }
            Desk::Crew(member) => member.order(order),
            Desk::Child(engine) => engine.order(order),
            Desk::StandIn(stand_in) => stand_in.order(order),
        }
    }
}
