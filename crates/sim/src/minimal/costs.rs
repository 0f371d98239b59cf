//! How long things take.

/// Costs in nanoseconds of virtual time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Costs {
    /// A worker's node.
    pub node: u64,
    /// The master comes by a node it knows.
    pub visit: u64,
    /// The master makes a node: generates moves, judges.
    pub make: u64,
    /// The master writes or reads a message.
    pub message: u64,
    /// For each task or finding in it.
    pub item: u64,
    /// From one machine to another.
    pub latency: u64,
    /// A worker takes over what another one learnt of a position.
    pub entry: u64,
}
