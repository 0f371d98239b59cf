//! A carrier within one process, for tests and for workers that live beside their master.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use senbon_core::session::PeerId;

use super::{Carrier, Deliver, Delivery, Role};
use crate::keys::Identity;

/// Where carriers of one process meet. Clones are the same place.
#[derive(Clone, Default)]
pub struct Hub(Arc<Mutex<Members>>);

#[derive(Default)]
struct Members {
    last: u128,
    present: BTreeMap<PeerId, (Role, Arc<Deliver>)>,
}

impl Hub {
    /// Comes to the place in a role. Whoever is dropped has left.
    pub fn join(&self, role: Role, deliver: Deliver) -> impl Carrier + 'static {
        let deliver = Arc::new(deliver);
        let mut members = self.lock();
        members.last += 1;
        let me = PeerId(members.last);
        let others = members.others(role);
        members.present.insert(me, (role, Arc::clone(&deliver)));
        drop(members);
        for (other, theirs) in others {
            theirs(Delivery::Joined(me));
            deliver(Delivery::Joined(other));
        }
        Seat { hub: self.clone(), me, role }
    }

    fn lock(&self) -> MutexGuard<'_, Members> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Members {
    /// Those who want to hear of somebody in `role`.
    fn others(&self, role: Role) -> Vec<(PeerId, Arc<Deliver>)> {
        let others = self.present.iter().filter(|(_, (theirs, _))| *theirs != role);
        others.map(|(&peer, (_, deliver))| (peer, Arc::clone(deliver))).collect()
    }
}

struct Seat {
    hub: Hub,
    me: PeerId,
    role: Role,
}

impl Carrier for Seat {
    fn me(&self) -> PeerId {
        self.me
    }

    fn send(&self, to: PeerId, bytes: Vec<u8>) {
        let deliver = self.hub.lock().present.get(&to).map(|(_, deliver)| Arc::clone(deliver));
        if let Some(deliver) = deliver {
            deliver(Delivery::Message { from: self.me, bytes });
        }
    }

    fn identity(&self) -> Option<&Identity> {
        None
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        let mut members = self.hub.lock();
        members.present.remove(&self.me);
        let others = members.others(self.role);
        drop(members);
        for (_, deliver) in others {
            deliver(Delivery::Left(self.me));
        }
    }
}
