//! Sharing what was learnt, around a ring of workers (section 3.2).

use senbon_search::fixed::Known;

/// One position, and which worker learnt it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub key: u64,
    pub known: Known,
    pub origin: u32,
}

/// What goes around. There is one of these, passed on from worker to worker.
pub(super) type Parcel = Vec<Entry>;

/// What `worker` passes on to `next`: what came, but for what has been everywhere, and what it
/// learnt itself since the last time.
pub(super) fn pass_on(mut parcel: Parcel, own: Vec<Entry>, next: u32) -> Parcel {
    parcel.retain(|entry| entry.origin != next);
    parcel.extend(own);
    parcel
}
