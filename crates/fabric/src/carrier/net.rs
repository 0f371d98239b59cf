//! A carrier over the network: Zenoh, on QUIC with certificates on both sides.
//!
//! The configuration is what was measured to work; each setting that looks odd avoids a trap
//! that was reproduced (docs/fabric.md). Sends never block: one frozen worker would stall all
//! the others.

use senbon_core::session::PeerId;
use zenoh::liveliness::LivelinessToken;
use zenoh::qos::CongestionControl;
use zenoh::sample::{Sample, SampleKind};
use zenoh::{Session, Wait};

use super::{Address, Carrier, Deliver, Delivery, Role};
use crate::keys::{Credentials, Identity};

/// The keys under which everything of ours is found; the number changes when they do.
const ROOM: &str = "senbon/1";
/// After so long without anything a connection is taken for broken. Sessions have a lease of
/// their own, which is shorter.
const LEASE_MS: u32 = 2_000;

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
    what: String,
    why: String,
}

impl Net {
    /// Listens for workers.
    pub fn listen(
        address: &Address,
        credentials: Option<&Credentials>,
        deliver: Deliver,
    ) -> Result<Net, NetError> {
        let mut settings = common(credentials);
        let endpoint = address.endpoint(credentials.is_none());
        settings.extend([
            ("mode", "\"peer\"".to_owned()),
            ("listen/endpoints", format!("[{endpoint:?}]")),
            ("listen/exit_on_failure", "true".to_owned()),
            ("transport/unicast/max_sessions", "5000".to_owned()),
            ("transport/unicast/accept_pending", "5000".to_owned()),
        ]);
        let what = format!("cannot listen on {address}");
        Self::open(settings, Role::Master, credentials, deliver)
            .map_err(|why| NetError { what, why })
    }

    /// Dials a master; goes on dialling until there is one, and again when it is lost.
    pub fn connect(
        address: &Address,
        credentials: Option<&Credentials>,
        deliver: Deliver,
    ) -> Result<Net, NetError> {
        let mut settings = common(credentials);
        let endpoint = address.endpoint(credentials.is_none());
        let retry = "{period_init_ms: 200, period_max_ms: 2000, period_increase_factor: 2}";
        settings.extend([
            // A peer may open its session before it has reached anybody, a client may not.
            ("mode", "\"peer\"".to_owned()),
            ("listen/endpoints", "[]".to_owned()),
            ("connect/endpoints", format!("[{endpoint:?}]")),
            ("connect/timeout_ms", "-1".to_owned()),
            ("connect/exit_on_failure", "false".to_owned()),
            ("connect/retry", retry.to_owned()),
        ]);
        let what = format!("cannot dial {address}");
        Self::open(settings, Role::Worker, credentials, deliver)
            .map_err(|why| NetError { what, why })
    }

    fn open(
        settings: Vec<(&'static str, String)>,
        role: Role,
        credentials: Option<&Credentials>,
        deliver: Deliver,
    ) -> Result<Net, String> {
        super::ear::listen();
        let identity = credentials.map(Identity::open).transpose();
        let identity = identity.map_err(|error| error.to_string())?;
        let text = |error: zenoh::Error| error.to_string();
        let mut config = zenoh::Config::default();
        for (key, value) in settings {
            config.insert_json5(key, &value).map_err(|error| format!("{key}: {error}"))?;
        }
        let session = zenoh::open(config).wait().map_err(text)?;
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

/// Settings of both ends.
fn common(credentials: Option<&Credentials>) -> Vec<(&'static str, String)> {
    let mut settings = vec![
        // Nobody is looked for who was not named.
        ("scouting/multicast/enabled", "false".to_owned()),
        ("scouting/gossip/enabled", "false".to_owned()),
        ("transport/link/tx/lease", LEASE_MS.to_string()),
        ("transport/link/tx/keep_alive", "4".to_owned()),
        // Nothing waits for company, but what comes while the link is busy shares a batch. Of
        // batches there are two: if each message had its own, a burst would be dropped.
        ("transport/link/tx/queue/batching/time_limit", "0".to_owned()),
        ("transport/link/protocols", "[\"tcp\"]".to_owned()),
    ];
    if let Some(credentials) = credentials {
        let path = |name| format!("{:?}", credentials.file(name).display().to_string());
        settings.extend([
            ("transport/link/protocols", "[\"quic\"]".to_owned()),
            ("transport/link/tls/enable_mtls", "true".to_owned()),
            // Masters move; that it is one is in its certificate.
            ("transport/link/tls/verify_name_on_connect", "false".to_owned()),
            ("transport/link/tls/close_link_on_expiration", "true".to_owned()),
            ("transport/link/tls/root_ca_certificate", path(Credentials::AUTHORITY)),
            ("transport/link/tls/listen_certificate", path(Credentials::CERTIFICATE)),
            ("transport/link/tls/listen_private_key", path(Credentials::KEY)),
            ("transport/link/tls/connect_certificate", path(Credentials::CERTIFICATE)),
            ("transport/link/tls/connect_private_key", path(Credentials::KEY)),
        ]);
    }
    settings
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
