//! A carrier over the network: Zenoh, on QUIC with certificates on both sides.
//!
//! Sends never block: one frozen worker would stall all the others.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use senbon_core::session::PeerId;
use zenoh::key_expr::KeyExpr;
use zenoh::liveliness::LivelinessToken;
use zenoh::qos::CongestionControl;
use zenoh::sample::{Sample, SampleKind};
use zenoh::{Session, Wait};

use super::settings::Settings;
use super::{Address, Carrier, Deliver, Delivery, Role};
use crate::keys::{Credentials, Identity};

/// The keys under which everything of ours is found; the number changes when they do.
const ROOM: &str = "senbon/1";
/// How long one question may take, and the pause before the next.
const ASKING: Duration = Duration::from_secs(2);
const ASKING_PAUSE: Duration = Duration::from_millis(100);
/// Longest state that is read, and from how many masters.
const MOST_STATE: usize = 8 << 20;
const MOST_STATES: usize = 64;

/// Peers whose keys are declared.
const MOST_BOXES: usize = 8_192;

/// A connection to the network. Dropping it closes the connection.
pub struct Net {
    /// Tells others that we are there, as long as it exists.
    _token: LivelinessToken,
    session: Session,
    me: PeerId,
    identity: Option<Identity>,
    /// Where mail goes, declared once for each peer. The way of what goes to a key that was not
    /// declared is looked for anew with every message, among all keys of all workers; so the
    /// sender's name is not in the key, which would be another one at the receiver then.
    boxes: Mutex<BTreeMap<PeerId, KeyExpr<'static>>>,
    /// Peers that have left since mail was last sent.
    gone: Arc<Mutex<Vec<PeerId>>>,
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
        let settings = dialling(address, credentials);
        let what = format!("cannot dial {address}");
        Self::open(settings, Role::Worker, credentials, deliver)
            .map_err(|why| NetError { what, why })
    }

    /// Answers those who ask for the state of the master with what `state` says.
    pub(crate) fn serve(
        &self,
        state: impl Fn() -> String + Send + Sync + 'static,
    ) -> Result<(), NetError> {
        let key = format!("{ROOM}/state/{:x}", self.me.0);
        let answer = key.clone();
        let queryable = self.session.declare_queryable(key).callback(move |query| {
            // Whoever asked may be gone.
            let _ = query.reply(answer.as_str(), state()).wait();
        });
        let what = "cannot answer questions".to_owned();
        let declared = queryable.background().wait();
        declared.map_err(|error| NetError { what, why: error.to_string() })
    }

    /// Asks the masters at an address for their state, as JSON.
    pub fn ask(
        address: &Address,
        credentials: Option<&Credentials>,
        patience: Duration,
    ) -> Result<Vec<String>, NetError> {
        let error = |why| NetError { what: format!("no master answers at {address}"), why };
        let session = dialling(address, credentials).open().map_err(error)?;
        let until = Instant::now() + patience;
        let mut why = "nobody listens there, or not with these credentials".to_owned();
        while Instant::now() < until {
            let answers = session.get(format!("{ROOM}/state/*")).timeout(ASKING).wait();
            let answers = answers.map_err(|failed| error(failed.to_string()))?;
            let states = std::iter::from_fn(|| answers.recv().ok()).filter_map(|reply| {
                let bytes = reply.into_result().ok()?.payload().to_bytes().into_owned();
                String::from_utf8(bytes).ok().filter(|text| text.len() <= MOST_STATE)
            });
            let states: Vec<String> = states.take(MOST_STATES).collect();
            if !states.is_empty() {
                return Ok(states);
            }
            if let Some(heard) = super::ear::heard(super::ear::Way::Out).pop() {
                why = heard;
            }
            std::thread::sleep(ASKING_PAUSE);
        }
        Err(error(why))
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
        let deliver = Arc::new(deliver);
        let (mail, roster) = (Arc::clone(&deliver), deliver);
        let gone = Arc::new(Mutex::new(Vec::new()));
        let leaving = Arc::clone(&gone);
        session
            .declare_subscriber(format!("{ROOM}/mail/{:x}", me.0))
            .callback(move |sample| {
                if let Some(from) = sender(&sample) {
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
                if sample.kind() == SampleKind::Delete {
                    leaving.lock().unwrap_or_else(PoisonError::into_inner).push(peer);
                }
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
        let boxes = Mutex::default();
        Ok(Net { _token: token, session, me, identity, boxes, gone })
    }
}

/// Settings of an end that dials.
fn dialling(address: &Address, credentials: Option<&Credentials>) -> Settings {
    let mut settings = Settings::new(credentials);
    settings.peer("workers");
    settings.listen(None);
    settings.dial(&[address]);
    settings
}

impl Net {
    /// Where mail to `to` goes; `None` when the session is closed.
    fn mail_box(&self, to: PeerId) -> Option<KeyExpr<'static>> {
        let mut boxes = self.boxes.lock().unwrap_or_else(PoisonError::into_inner);
        let gone = std::mem::take(&mut *self.gone.lock().unwrap_or_else(PoisonError::into_inner));
        for key in gone.into_iter().filter_map(|peer| boxes.remove(&peer)) {
            let _ = self.session.undeclare(key).wait();
        }
        if let Some(key) = boxes.get(&to) {
            return Some(key.clone());
        }
        if boxes.len() >= MOST_BOXES {
            // Of peers that had left when they were last written to.
            for (_, key) in std::mem::take(&mut *boxes) {
                let _ = self.session.undeclare(key).wait();
            }
        }
        let key = format!("{ROOM}/mail/{:x}", to.0);
        let key = self.session.declare_keyexpr(key).wait().ok()?;
        boxes.insert(to, key.clone());
        Some(key)
    }
}

/// The peer that sent a message, by its own word.
fn sender(sample: &Sample) -> Option<PeerId> {
    let bytes = sample.attachment()?.to_bytes();
    Some(PeerId(u128::from_le_bytes(bytes.as_ref().try_into().ok()?)))
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
        let Some(key) = self.mail_box(to) else { return };
        // An error says that the session is closed, which is told otherwise.
        let put = self.session.put(key, bytes).congestion_control(CongestionControl::Drop);
        let _ = put.attachment(self.me.0.to_le_bytes()).wait();
    }

    fn identity(&self) -> Option<&Identity> {
        self.identity.as_ref()
    }
}
