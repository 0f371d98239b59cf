//! Who may join: proofs of identity, from end to end, so that it does not matter through whose
//! hands the frames go.
//!
//! The master answers a hello by a challenge, and proves who it is by the way; the worker
//! answers by a proof over it. What a proof is only the two ends know: here it is bytes. What it
//! has to cover is here: the challenge, both ends, the session and every word of the hello.

use std::collections::VecDeque;

use super::{Body, Denial, Frame, Hello, PeerId, SessionId};

/// Longest challenge in bytes.
pub const MOST_CHALLENGE: usize = 64;
/// Longest proof in bytes.
pub const MOST_PROOF: usize = 4096;
/// Workers that may be at the door at the same time; the one that has waited longest has to
/// begin anew when more come.
const MOST_AT_THE_DOOR: usize = 1024;

/// Somebody who wants to join.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The session it has named.
    pub session: SessionId,
    /// Who it is on the network.
    pub peer: PeerId,
    /// What it says of itself.
    pub hello: Hello,
}

/// Which end proves something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The master, to a worker.
    Master,
    /// A worker, to the master.
    Worker,
}

impl Candidate {
    /// What a proof of either side has to cover. No two sides, sessions, challenges or hellos
    /// have the same.
    pub fn statement(&self, side: Side, challenge: &[u8]) -> Vec<u8> {
        let side: &[u8] = match side {
            Side::Master => b"senbon master ",
            Side::Worker => b"senbon worker ",
        };
        let mut bytes = side.to_vec();
        bytes.push(challenge.len() as u8);
        bytes.extend_from_slice(challenge);
        bytes.extend_from_slice(&self.peer.0.to_le_bytes());
        let hello = Frame { session: self.session, body: Body::Hello(self.hello.clone()) };
        bytes.extend_from_slice(&hello.write());
        bytes
    }
}

/// What a master asks somebody who wants to join.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Challenge {
    /// Never used before.
    pub challenge: Vec<u8>,
    /// The master's own proof.
    pub proof: Vec<u8>,
}

/// Decides who may join.
pub trait Doorkeeper {
    /// What somebody has to answer; `None` where nothing need be proved. An error where there
    /// can be no answer.
    fn challenge(&mut self, candidate: &Candidate) -> Result<Option<Challenge>, Denial>;

    /// Why somebody may not join, if that is so. `answer` is the challenge and the proof that
    /// answers it, where there was a challenge.
    fn admit(
        &mut self,
        candidate: &Candidate,
        answer: Option<(&[u8], &[u8])>,
    ) -> Result<(), Denial>;
}

/// A door at which nothing need be proved.
pub(super) struct Unproved<F>(pub(super) Option<F>);

impl<F: FnOnce(&Hello) -> Result<(), Denial>> Doorkeeper for Unproved<F> {
    fn challenge(&mut self, _: &Candidate) -> Result<Option<Challenge>, Denial> {
        Ok(None)
    }

    fn admit(&mut self, candidate: &Candidate, _: Option<(&[u8], &[u8])>) -> Result<(), Denial> {
        self.0.take().map_or(Ok(()), |admit| admit(&candidate.hello))
    }
}

/// Those who were asked for a proof and have not answered.
#[derive(Default)]
pub(super) struct Door(VecDeque<(Candidate, Challenge)>);

impl Door {
    /// What this candidate was asked before.
    pub(super) fn asked(&self, candidate: &Candidate) -> Option<&Challenge> {
        self.0.iter().find(|(known, _)| known == candidate).map(|(_, challenge)| challenge)
    }

    pub(super) fn ask(&mut self, candidate: Candidate, challenge: Challenge) {
        if self.0.len() >= MOST_AT_THE_DOOR {
            self.0.pop_front();
        }
        self.0.push_back((candidate, challenge));
    }

    /// Whoever answers in this session: it does so once.
    pub(super) fn answers(
        &mut self,
        session: SessionId,
        peer: PeerId,
    ) -> Option<(Candidate, Challenge)> {
        let theirs = |(known, _): &(Candidate, _)| known.session == session && known.peer == peer;
        let index = self.0.iter().position(theirs)?;
        self.0.remove(index)
    }
}
