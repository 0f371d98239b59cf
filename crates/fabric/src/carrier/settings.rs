//! How the network library is set up.
//!
//! This is what was measured to work; each setting that looks odd avoids a trap that was
//! reproduced (docs/fabric.md).

use zenoh::{Session, Wait};

use super::Address;
use crate::keys::Credentials;

/// After so long without anything a connection is taken for broken. Sessions have a lease of
/// their own, which is shorter.
const LEASE_MS: u32 = 2_000;

/// Settings by their keys, as the library writes them.
pub(super) struct Settings {
    pairs: Vec<(&'static str, String)>,
    /// Not encrypted.
    open: bool,
}

impl Settings {
    /// Those that everybody has.
    pub(super) fn new(credentials: Option<&Credentials>) -> Self {
        let open = credentials.is_none();
        Settings { pairs: common(credentials), open }
    }

    /// For somebody who sends and receives. Routers carry frames between masters and workers,
    /// but not from worker to worker.
    pub(super) fn peer(&mut self, region: &str) {
        self.pairs.extend([
            // A peer may open its session before it has reached anybody, a client may not.
            ("mode", "\"peer\"".to_owned()),
            ("region_name", format!("{region:?}")),
        ]);
    }

    /// For somebody who passes on what others send.
    pub(super) fn router(&mut self) {
        let regions = r#"{south: [{filters: [{region_names: ["masters"]}]},
            {filters: [{region_names: ["workers"]}]}]}"#;
        self.pairs.extend([("mode", "\"router\"".to_owned()), ("gateway", regions.to_owned())]);
    }

    /// Listens at an address, or nowhere.
    pub(super) fn listen(&mut self, address: Option<&Address>) {
        self.pairs.extend([
            ("listen/endpoints", endpoints(address.as_slice(), self.open)),
            ("listen/exit_on_failure", "true".to_owned()),
            ("transport/unicast/max_sessions", "5000".to_owned()),
            ("transport/unicast/accept_pending", "5000".to_owned()),
        ]);
    }

    /// Dials addresses, again and again.
    pub(super) fn dial(&mut self, addresses: &[&Address]) {
        let retry = "{period_init_ms: 200, period_max_ms: 2000, period_increase_factor: 2}";
        self.pairs.extend([
            ("connect/endpoints", endpoints(addresses, self.open)),
            ("connect/timeout_ms", "-1".to_owned()),
            ("connect/exit_on_failure", "false".to_owned()),
            ("connect/retry", retry.to_owned()),
        ]);
    }

    /// Opens the library's session.
    pub(super) fn open(self) -> Result<Session, String> {
        super::ear::listen();
        let mut config = zenoh::Config::default();
        for (key, value) in self.pairs {
            config.insert_json5(key, &value).map_err(|error| format!("{key}: {error}"))?;
        }
        zenoh::open(config).wait().map_err(|error| error.to_string())
    }
}

fn endpoints(addresses: &[&Address], open: bool) -> String {
    let endpoints: Vec<_> = addresses.iter().map(|address| address.endpoint(open)).collect();
    format!("{endpoints:?}")
}

/// Settings of everybody.
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
