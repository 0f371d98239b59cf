//! Other people's engines in virtual time, from arguments.

use senbon_engines::process::EngineCommand;
use senbon_lab::matches::{EngineKind, MatchGame};
use senbon_sim::Quanta;

use crate::args::quanta::QuantaArgs;
use crate::lab::option;
use crate::leash;
use crate::report::Failure;

/// The engine that was asked for, with one thread and so much of a table; `None` for the
/// built-in one.
pub(crate) fn engine<G>(args: &QuantaArgs, hash_mib: usize) -> Result<Option<EngineKind>, Failure>
where
    G: MatchGame,
    G::Undo: Send,
{
    let Some(line) = &args.engine else { return Ok(None) };
    let mut command = EngineCommand::new(line, G::DIALECT, G::NAME, hash_mib.max(1), 1);
    for text in &args.option {
        let (name, value) = option(text)?;
        command = command.wish(&name, value);
    }
    command.leash = leash::start();
    let quanta = Quanta { first: args.quantum, doubling: !args.equal_quanta };
    Ok(Some(EngineKind::meet::<G>(command, quanta)?))
}
