//! The live world: drives a coordinator by the wall clock, and carries orders and reports
//! between it and its workers. Workers are in this process (built-in engines), its children
//! (other people's engines), or on other machines, from where they dialled in.
#![allow(clippy::disallowed_methods, reason = "the live world has threads and a clock")]

pub mod carrier;
pub mod compose;
mod crew;
mod desk;
mod entrance;
pub mod front;
mod journal;
pub mod keys;
pub mod lend;
mod office;
mod roster;
mod scribe;
mod stand_in;
mod view;
mod world;

pub use desk::WorkerSource;
pub use entrance::{Entrance, Security, SecurityError};
pub use journal::{GameJournal, JournalError};
pub use office::{Note, Office, Word};
pub use stand_in::Stub;
pub use view::{View, ViewMove, ViewNode, ViewOutline, ViewVoter};
pub use world::{News, World};

/// Another one for every start on every machine. Where the machine gives no random numbers, the
/// time has to do.
fn seed() -> u64 {
    use ring::rand::{SecureRandom, SystemRandom};
    use std::time::{SystemTime, UNIX_EPOCH};
    let mut bytes = [0; 8];
    match SystemRandom::new().fill(&mut bytes) {
        Ok(()) => u64::from_le_bytes(bytes),
        Err(_) => {
            SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos() as u64
        }
    }
}
