//! How long things take.

/// Costs in nanoseconds of virtual time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Costs {
    /// A worker's node.
    pub node: u64,
    /// The master comes by a node it knows.
    pub visit: u64,
    /// The master lists the children of a node.
    pub open: u64,
    /// The master looks at a node's position: what it is worth, which leaf it is.
    pub judge: u64,
    /// The master writes or reads a message.
    pub message: u64,
    /// For each task or finding in it.
    pub item: u64,
    /// From one machine to another.
    pub latency: u64,
    /// The same from thread to thread of one machine, where crews share theirs.
    pub handover: u64,
    /// From one thread to another.
    pub wake: u64,
    /// A worker takes over what another one learnt of a position.
    pub entry: u64,
}
