//! Who lets a search go forward: the world it runs in.

use std::time::Duration;

/// Asked before each node. In a live build it compiles to nothing; in the virtual world it
/// gives the processor to whoever has the smallest virtual clock.
pub trait Pace {
    /// A search looks once in so many nodes whether it is to stop. Often enough for a clock
    /// on the wall; in virtual time a stop counts before the very next node.
    const SIGNAL_NODES: u64 = 512;

    /// One node is about to be searched.
    #[inline(always)]
    fn step(&mut self) {}

    /// Time since the search began, as this world counts it.
    fn elapsed(&self) -> Duration;
}

/// No pace and no clock: for searches bounded by depth or nodes alone.
#[derive(Clone, Copy, Debug, Default)]
pub struct Free;

impl Pace for Free {
    fn elapsed(&self) -> Duration {
        Duration::ZERO
    }
}
