//! A carrier over the network: Zenoh, on QUIC with certificates on both sides.
//!
//! Sends never block: one frozen worker would stall all the others.

use senbon_core::session::PeerId;
use zenoh::liveliness::LivelinessToken;
use zenoh::qos::CongestionControl;
use zenoh::sample::{Sample, SampleKind};
use zenoh::{Session, Wait};

use super::settings::Settings;
use super::{Address, Carrier, Deliver, Delivery, Role};
use crate::keys::{Credentials, Identity};

/// The keys under which everything of ours is found; the number changes when they do.
const ROOM: &str = "senbon/1";

/// A connection to the network. Dropping it closes the connection.
pub struct Net {
    /// Tells others that we are there, as long as it exists.
    _token: LivelinessToken,
    session: Session,
    me: PeerId,
    identity: Option<Identity>,
}

/// Why there is no connection.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what}: {why}")]
pub struct NetError {
    pub(super) what: String,
    pub(super) why: String,
}

impl Net {
    /// A master's end: listens for workers, or meets them at a router, or both.
    pub fn master(
        listen: Option<&Address>,
        router: Option<&Address>,
        credentials: Option<&Credentials>,
        deliver: Deliver,
    ) -> Result<Net, NetError> {
        let mut settings = Settings::new(credentials);
        settings.peer("masters");
        let what = match (listen, router) {
            (Some(address), _) => format!("cannot listen on {address}"),
            (None, Some(router)) => format!("cannot dial {router}"),
            (None, None) => "nowhere to listen".to_owned(),
        };
        settings.listen(listen);
        settings.dial(router.as_slice());
        Self::open(settings, Role::Master, credentials, deliver)
            .map_err(|why| NetError { what, why })
    }

    /// Listens for workers.
    pub fn listen(
        address: &Address,
        credentials: Option<&Credentials>,
        deliver: Deliver,
    ) -> Result<Net, NetError> {
        Self::master(Some(address), None, credentials, deliver)
    }

    /// A worker's end: dials a master, or a router where masters are met; goes on dialling
    /// until there is one, and again when it is lost.
    pub fn connect(
        address: &Address,
        credentials: Option<&Credentials>,
        deliver: Deliver,
    ) -> Result<Net, NetError> {
        let mut settings = Settings::new(credentials);
        settings.peer("workers");
        settings.listen(None);
        settings.dial(&[address]);
        let what = format!("cannot dial {address}");
        Self::open(settings, Role::Worker, credentials, deliver)
            .map_err(|why| NetError { what, why })
    }

    fn open(
        settings: Settings,
        role: Role,
        credentials: Option<&Credentials>,
        deliver: Deliver,
    ) -> Result<Net, String> {
        let identity = credentials.map(Identity::open).transpose();
        let identity = identity.map_err(|error| error.to_string())?;
        let text = |error: zenoh::Error| error.to_string();
        let session = settings.open()?;
        let me = PeerId(u128::from_le_bytes(session.zid().to_le_bytes()));
        let deliver = std::sync::Arc::new(deliver);
        let (mail, roster) = (std::sync::Arc::clone(&deliver), deliver);
        session
            .declare_subscriber(format!("{ROOM}/mail/{:x}/*", me.0))
            .callback(move |sample| {
                if let Some(from) = last_word(&sample) {
                    mail(Delivery::Message { from, bytes: sample.payload().to_bytes().into() });
                }
            })
            .background()
            .wait()
            .map_err(text)?;
        let (ours, theirs) = match role {
            Role::Master => ("master", "worker"),
            Role::Worker => ("worker", "master"),
        };
        session
            .liveliness()
            .declare_subscriber(format!("{ROOM}/here/{theirs}/*"))
            .history(true)
            .callback(move |sample| {
                let Some(peer) = last_word(&sample) else { return };
                roster(match sample.kind() {
                    SampleKind::Put => Delivery::Joined(peer),
                    SampleKind::Delete => Delivery::Left(peer),
                });
            })
            .background()
            .wait()
            .map_err(text)?;
        let token = format!("{ROOM}/here/{ours}/{:x}", me.0);
        let token = session.liveliness().declare_token(token).wait().map_err(text)?;
        Ok(Net { _token: token, session, me, identity })
    }
}

/// The peer at the end of a key.
fn last_word(sample: &Sample) -> Option<PeerId> {
    let (_, last) = sample.key_expr().as_str().rsplit_once('/')?;
    u128::from_str_radix(last, 16).ok().map(PeerId)
}

impl Carrier for Net {
    fn me(&self) -> PeerId {
        self.me
    }

    fn send(&self, to: PeerId, bytes: Vec<u8>) {
        let key = format!("{ROOM}/mail/{:x}/{:x}", to.0, self.me.0);
        // An error says that the session is closed, which is told otherwise.
        let _ = self.session.put(key, bytes).congestion_control(CongestionControl::Drop).wait();
    }

    fn identity(&self) -> Option<&Identity> {
        self.identity.as_ref()
    }
}
