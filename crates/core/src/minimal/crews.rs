//! The crews among a coordinator's workers.

use std::collections::BTreeMap;

use crate::{Berth, WorkerId};

/// Who belongs together. The one that came first leads: to the master it is a foreman, and the
/// others are its crew.
#[derive(Clone, Debug, Default)]
pub(super) struct Crews(BTreeMap<u64, Vec<(WorkerId, u32)>>);

/// What a change of a crew means to the master.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Change {
    /// Somebody leads from now on, with so many workers, itself among them.
    Leads(WorkerId, u32),
    /// Whoever leads has so many workers now.
    Resized(WorkerId, u32),
    /// Nobody is left.
    Gone,
}

impl Crews {
    pub(super) fn join(&mut self, id: WorkerId, berth: Berth) -> Change {
        let members = self.0.entry(berth.crew).or_default();
        members.push((id, berth.number));
        let size = members.len() as u32;
        if size == 1 { Change::Leads(id, 1) } else { Change::Resized(members[0].0, size) }
    }

    pub(super) fn leave(&mut self, id: WorkerId, berth: Berth) -> Change {
        let Some(members) = self.0.get_mut(&berth.crew) else { return Change::Gone };
        let led = members.first().is_some_and(|&(leader, _)| leader == id);
        members.retain(|&(member, _)| member != id);
        let size = members.len() as u32;
        match (members.first(), led) {
            (Some(&(next, _)), true) => Change::Leads(next, size),
            (Some(&(leader, _)), false) => Change::Resized(leader, size),
            (None, _) => {
                self.0.remove(&berth.crew);
                Change::Gone
            }
        }
    }

    /// Who leads, and how many there are.
    pub(super) fn leaders(&self) -> impl Iterator<Item = (WorkerId, u32)> {
        self.0.values().filter_map(|crew| Some((crew.first()?.0, crew.len() as u32)))
    }

    /// Who leads the crew, and its number there.
    pub(super) fn leader_of(&self, berth: Berth) -> Option<(WorkerId, u32)> {
        self.0.get(&berth.crew)?.first().copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_one_leads_and_then_the_next() {
        let mut crews = Crews::default();
        let berth = |number| Berth { crew: 9, number };
        assert_eq!(crews.join(WorkerId(4), berth(1)), Change::Leads(WorkerId(4), 1));
        assert_eq!(crews.join(WorkerId(5), berth(2)), Change::Resized(WorkerId(4), 2));
        assert_eq!(crews.join(WorkerId(7), berth(3)), Change::Resized(WorkerId(4), 3));
        let alone = Berth { crew: 8, number: 0 };
        assert_eq!(crews.join(WorkerId(6), alone), Change::Leads(WorkerId(6), 1));
        assert_eq!(crews.leave(WorkerId(5), berth(2)), Change::Resized(WorkerId(4), 2));
        assert_eq!(crews.leave(WorkerId(4), berth(1)), Change::Leads(WorkerId(7), 1));
        assert_eq!(crews.leader_of(berth(3)), Some((WorkerId(7), 3)));
        let leaders: Vec<_> = crews.leaders().collect();
        assert_eq!(leaders, [(WorkerId(6), 1), (WorkerId(7), 1)]);
        assert_eq!(crews.leave(WorkerId(7), berth(3)), Change::Gone);
        assert_eq!(crews.leader_of(berth(3)), None);
    }
}
