//! Who works for a team in virtual time: built-in workers, or somebody else's engines by quanta
//! of nodes.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

use anyhow::{Context, Error, Result, anyhow, bail};
use senbon_core::{Fault, Order};
use senbon_engines::builtin::Judged;
use senbon_engines::process::EngineCommand;
use senbon_sim::{Mind, PacedWorker, Quanta, QuantaWorker, Stepped};
use serde_json::{Value, json};

/// Where the workers of a team come from.
pub trait Staff<G: Judged> {
    /// So many workers for a new game: nothing is left of earlier ones. A node takes
    /// `node_time`. Those hired before are not to be used any more.
    fn hire(&mut self, count: usize, node_time: Duration) -> Result<Vec<Mind<G>>>;

    /// Fails when one of them is of no use any more: then what the team does says nothing.
    fn check(&self) -> Result<()>;
}

/// Built-in workers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct BuiltInStaff {
    /// Table of a worker in bytes.
    table_bytes: usize,
}

impl<G: Judged> Staff<G> for BuiltInStaff {
    fn hire(&mut self, count: usize, node_time: Duration) -> Result<Vec<Mind<G>>> {
        let hire = |_| -> Result<Mind<G>> {
            let worker = PacedWorker::new(self.table_bytes, node_time)
                .context("no memory for another virtual worker")?;
            Ok(Mind::Paced(Box::new(worker)))
        };
        (0..count).map(hire).collect()
    }

    fn check(&self) -> Result<()> {
        Ok(())
    }
}

/// An engine that was found to be of use.
#[derive(Clone, Debug)]
pub struct EngineKind {
    command: EngineCommand,
    quanta: Quanta,
    name: String,
}

impl EngineKind {
    /// Starts the engine once, to see that it can be used and what it calls itself.
    pub fn meet<G>(command: EngineCommand, quanta: Quanta) -> Result<Self>
    where
        G: Judged + Send,
        G::Undo: Send,
    {
        let met = QuantaWorker::<G>::start(command.clone(), quanta, Duration::from_micros(1));
        match met {
            Ok(worker) => Ok(EngineKind { name: worker.ability().name, command, quanta }),
            Err(fault) => bail!("engine {}: {fault}", command.program),
        }
    }

    /// What the engine calls itself.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// How it is let forward.
    pub fn quanta(&self) -> Quanta {
        self.quanta
    }

    /// What makes two experiments with it the same.
    pub fn describe(&self) -> Value {
        let options: Vec<_> = self.command.options.iter().collect();
        json!({ "name": self.name, "options": options, "quantum": self.quanta.first,
                "doubling": self.quanta.doubling })
    }
}

/// Engines of that kind, or built-in workers without one.
pub fn staff<G>(engine: Option<&EngineKind>, table_bytes: usize) -> Box<dyn Staff<G>>
where
    G: Judged + Send,
    G::Undo: Send,
{
    match engine {
        None => Box::new(BuiltInStaff { table_bytes }),
        Some(kind) => Box::new(EngineStaff { kind: kind.clone(), hired: Vec::new() }),
    }
}

/// Somebody else's engine, as many processes as workers are wanted. They are started once and
/// told when a new game begins.
///
/// A process only works while a quantum of its own is searched, and the quanta of a world are
/// searched one after the other: one core serves them all, and a game repeats if the engine
/// answers the same question in the same state always the same.
struct EngineStaff<G: Judged> {
    kind: EngineKind,
    hired: Vec<Rc<RefCell<QuantaWorker<G>>>>,
}

impl<G: Judged> EngineStaff<G> {
    /// The fault with the worker that has it.
    fn trouble(&self, index: usize, fault: &Fault) -> Error {
        anyhow!("worker {} ({}): {fault}", index + 1, self.kind.name)
    }
}

impl<G: Judged + Send> Staff<G> for EngineStaff<G>
where
    G::Undo: Send,
{
    fn hire(&mut self, count: usize, node_time: Duration) -> Result<Vec<Mind<G>>> {
        self.check()?;
        while self.hired.len() < count {
            let EngineKind { command, quanta, .. } = &self.kind;
            let worker = QuantaWorker::start(command.clone(), *quanta, node_time)
                .map_err(|fault| self.trouble(self.hired.len(), &fault))?;
            self.hired.push(Rc::new(RefCell::new(worker)));
        }
        let hire = |worker: &Rc<RefCell<QuantaWorker<G>>>| {
            let mut worker = Rc::clone(worker);
            worker.order(Order::NewGame);
            worker.set_node_time(node_time);
            Mind::Stepped(Box::new(worker))
        };
        Ok(self.hired.iter().take(count).map(hire).collect())
    }

    fn check(&self) -> Result<()> {
        for (index, worker) in self.hired.iter().enumerate() {
            if let Some(fault) = worker.borrow().fault() {
                return Err(self.trouble(index, fault));
            }
        }
        Ok(())
    }
}
