//! Where workers of other machines come in: a carrier that outlives the worlds behind it.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use senbon_core::session::{Candidate, Challenge, Denial, Doorkeeper, Refusal, Side};

use crate::carrier::{Address, Carrier, Deliver, Delivery, Net, NetError};
use crate::keys::{Credentials, KeysError};
use crate::roster::Board;

/// How a connection is protected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Security {
    /// Encrypted, with certificates on both sides.
    Certificates(Credentials),
    /// In the open.
    Open,
}

/// Why a connection would not be safe, or cannot be made safe.
#[derive(Debug, thiserror::Error)]
pub enum SecurityError {
    /// Not on this machine alone, and no credentials.
    #[error(
        "{0} can be reached from other machines, so credentials are needed: make them with \
         `senbon keys new`, then give --keys FOLDER; or say --insecure to do without, which \
         lets everybody in who can reach the address"
    )]
    NoCredentials(Address),
    /// Credentials, and a way on which they are of no use.
    #[error(
        "{0}: tcp/ is not encrypted and asks for no certificates; use quic/, or leave --keys away"
    )]
    KeysInTheOpen(Address),
    /// Encryption without credentials.
    #[error(
        "{0}: quic/ needs credentials; make them with `senbon keys new`, then give --keys FOLDER"
    )]
    NoKeys(Address),
    /// The credentials cannot be used.
    #[error(transparent)]
    Keys(#[from] KeysError),
}

impl Security {
    /// What fits an address: certificates, or none on this machine alone, or none because the
    /// user insists.
    pub fn choose(
        address: &Address,
        keys: Option<&std::path::Path>,
        insecure: bool,
    ) -> Result<Self, SecurityError> {
        if let Some(folder) = keys {
            if address.asks_open() == Some(true) {
                return Err(SecurityError::KeysInTheOpen(address.clone()));
            }
            return Ok(Security::Certificates(Credentials::open(folder)?));
        }
        if address.asks_open() == Some(false) {
            return Err(SecurityError::NoKeys(address.clone()));
        }
        if !address.is_loopback() && !insecure {
            return Err(SecurityError::NoCredentials(address.clone()));
        }
        Ok(Security::Open)
    }

    /// The credentials, if there are any.
    pub fn credentials(&self) -> Option<&Credentials> {
        match self {
            Security::Certificates(credentials) => Some(credentials),
            Security::Open => None,
        }
    }
}

/// Who takes what comes in.
type Target = Arc<Mutex<Option<Deliver>>>;

/// An address at which workers are let in, for one world after the other.
pub struct Entrance {
    carrier: Box<dyn Carrier>,
    target: Target,
    credentials: Option<Credentials>,
    most_workers: usize,
    /// Where the state of the world behind it hangs.
    board: Board,
}

/// Most workers at a time, if not said otherwise.
const MOST_WORKERS: usize = 4096;

impl Entrance {
    /// Listens at an address.
    pub fn listen(address: &Address, security: &Security) -> Result<Self, NetError> {
        Self::open(Some(address), None, security)
    }

    /// Listens at an address, or meets workers at a router, or both.
    pub fn open(
        listen: Option<&Address>,
        router: Option<&Address>,
        security: &Security,
    ) -> Result<Self, NetError> {
        let credentials = security.credentials().cloned();
        let open = |deliver| Net::master(listen, router, credentials.as_ref(), deliver);
        let (carrier, target) = with_target(open)?;
        let (board, most_workers) = (Board::default(), MOST_WORKERS);
        let read = board.clone();
        carrier.serve(move || read.read())?;
        Ok(Entrance { carrier: Box::new(carrier), target, credentials, most_workers, board })
    }

    pub(crate) fn board(&self) -> Board {
        self.board.clone()
    }

    /// The same for so many workers at a time.
    #[must_use]
    pub fn limited_to(mut self, workers: usize) -> Self {
        self.most_workers = workers;
        self
    }

    pub(crate) fn most_workers(&self) -> usize {
        self.most_workers
    }

    /// An entrance by a carrier that `open` makes.
    pub fn by<C: Carrier + 'static>(open: impl FnOnce(Deliver) -> C) -> Self {
        let opened: Result<_, std::convert::Infallible> = with_target(|deliver| Ok(open(deliver)));
        let Ok((carrier, target)) = opened;
        let (credentials, most_workers, board) = (None, MOST_WORKERS, Board::default());
        Entrance { carrier: Box::new(carrier), target, credentials, most_workers, board }
    }

    pub(crate) fn carrier(&self) -> &dyn Carrier {
        &*self.carrier
    }

    /// From now on `deliver` takes what comes in.
    pub(crate) fn attach(&self, deliver: Deliver) {
        *self.target.lock().unwrap_or_else(PoisonError::into_inner) = Some(deliver);
    }

    /// Nobody takes what comes in, until somebody is attached.
    pub(crate) fn detach(&self) {
        *self.target.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// Why the credentials of a name do not do any more, if that is so.
    pub(crate) fn revoked(&self, name: &str) -> Result<(), Denial> {
        if self.credentials.as_ref().is_some_and(|keys| keys.is_revoked(name)) {
            let why = format!("the credentials of {name} were revoked");
            return Err(Denial::new(Refusal::Revoked, why));
        }
        Ok(())
    }

    /// Something that is another whenever the list of revoked names was changed.
    pub(crate) fn revocations(&self) -> Option<(SystemTime, u64)> {
        let file = self.credentials.as_ref()?.file(Credentials::REVOKED);
        let about = std::fs::metadata(file).ok()?;
        Some((about.modified().ok()?, about.len()))
    }
}

/// Lets in who proves by a certificate that a name is his, if that was not revoked.
impl Doorkeeper for &Entrance {
    fn challenge(&mut self, candidate: &Candidate) -> Result<Option<Challenge>, Denial> {
        let Some(identity) = self.carrier.identity() else { return Ok(None) };
        let made = identity.challenge().and_then(|challenge| {
            let proof = identity.prove(&candidate.statement(Side::Master, &challenge))?;
            Ok(Challenge { challenge, proof })
        });
        made.map(Some).map_err(|why| {
            Denial::new(Refusal::Proof, format!("the master cannot prove who it is: {why}"))
        })
    }

    fn admit(
        &mut self,
        candidate: &Candidate,
        answer: Option<(&[u8], &[u8])>,
    ) -> Result<(), Denial> {
        let Some(identity) = self.carrier.identity() else { return Ok(()) };
        let (challenge, proof) = answer.unwrap_or_default();
        let statement = candidate.statement(Side::Worker, challenge);
        let certified = identity.check(Side::Worker, &statement, proof);
        let certified = certified.map_err(|why| Denial::new(Refusal::Proof, why))?;
        let name = &candidate.hello.name;
        if certified != *name {
            let why = format!("it calls itself {name}, but its certificate says {certified}");
            return Err(Denial::new(Refusal::Name, why));
        }
        self.revoked(name)
    }
}

fn with_target<C, E>(open: impl FnOnce(Deliver) -> Result<C, E>) -> Result<(C, Target), E> {
    let target = Target::default();
    let shared = Arc::clone(&target);
    let carrier = open(Box::new(move |delivery: Delivery| {
        if let Some(deliver) = &*shared.lock().unwrap_or_else(PoisonError::into_inner) {
            deliver(delivery);
        }
    }))?;
    Ok((carrier, target))
}
