//! Hears of connections that fail below us.
//!
//! The network library tells nobody but its log why a connection was not made: a certificate of
//! another authority, an expired one, none at all, nobody at the address. This takes exactly
//! those lines out of it. Everything else of that log is never made: some of it would show the
//! configuration.

use std::collections::VecDeque;
use std::fmt::{self, Write};
use std::sync::{Mutex, PoisonError};

use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::subscriber::Interest;
use tracing::{Event, Level, Metadata, Subscriber, dispatcher};

/// Lines that may wait to be taken; older ones are dropped.
const MOST_HEARD: usize = 64;
/// Longest part of a line that is kept.
const MOST_TEXT: usize = 300;

/// Where connections are accepted, and where they are dialled.
const ACCEPTS: &str = "zenoh_link_commons::quic::unicast";
const DIALS: &str = "zenoh::net::runtime::orchestrator";

/// Which way a connection would have gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    /// Somebody dialled us.
    In,
    /// We dialled somebody.
    Out,
}

/// Takes part in the library's log, for the whole process: the library has but one.
#[derive(Default)]
struct Ear {
    heard: Mutex<VecDeque<(Way, String)>>,
}

/// From now on failed connections are heard of, unless somebody else has the log.
pub(super) fn listen() {
    let _ = dispatcher::set_global_default(dispatcher::Dispatch::new(Ear::default()));
}

/// Why connections failed since the last time.
pub(crate) fn heard(way: Way) -> Vec<String> {
    dispatcher::get_default(|dispatch| {
        dispatch.downcast_ref::<Ear>().map_or_else(Vec::new, |ear| {
            let mut heard = ear.heard.lock().unwrap_or_else(PoisonError::into_inner);
            let (wanted, rest) = heard.drain(..).partition(|(its, _)| *its == way);
            *heard = rest;
            let wanted: VecDeque<_> = wanted;
            wanted.into_iter().map(|(_, why)| why).collect()
        })
    })
}

impl Subscriber for Ear {
    fn register_callsite(&self, metadata: &'static Metadata<'static>) -> Interest {
        if self.enabled(metadata) { Interest::always() } else { Interest::never() }
    }

    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.is_event()
            && match metadata.target() {
                ACCEPTS => *metadata.level() <= Level::WARN,
                DIALS => *metadata.level() <= Level::DEBUG,
                _ => false,
            }
    }

    fn event(&self, event: &Event<'_>) {
        let mut text = Text(String::new());
        event.record(&mut text);
        let way = match event.metadata().target() {
            ACCEPTS => Some(Way::In),
            _ => text.0.starts_with("Unable to connect").then_some(Way::Out),
        };
        if let Some(way) = way {
            let mut heard = self.heard.lock().unwrap_or_else(PoisonError::into_inner);
            if heard.len() == MOST_HEARD {
                heard.pop_front();
            }
            heard.push_back((way, clearly(&text.0)));
        }
    }

    // There are no spans.
    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

/// The text of an event.
struct Text(String);

impl Visit for Text {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        if field.name() == "message" {
            let _ = write!(self.0, "{value:?}");
            let end = self.0.floor_char_boundary(MOST_TEXT.min(self.0.len()));
            self.0.truncate(end);
        }
    }
}

/// What the library means, in words for whoever runs the program.
fn clearly(text: &str) -> String {
    let known = [
        ("NoCertificatesPresented", "no certificate was shown"),
        ("peer sent no certificates", "no certificate was shown"),
        ("CertificateRequired", "no certificate was shown"),
        ("BadSignature", "the certificate is of another authority"),
        ("UnknownIssuer", "the certificate is of another authority"),
        ("UnknownCA", "the certificate is of another authority"),
        ("unknown certificate authority", "the certificate is of another authority"),
        ("Expired", "the certificate has expired"),
        ("expired", "the certificate has expired"),
        ("NotValidYet", "the certificate is not valid yet; is a clock wrong?"),
        ("InvalidPurpose", "the certificate is not for this: a worker's where a master's belongs"),
        ("Connection refused", "nobody listens there"),
        ("timed out", "no answer"),
        ("TimedOut", "no answer"),
    ];
    let found = known.into_iter().find(|(part, _)| text.contains(part));
    // Where in its source the library says so helps nobody.
    let plain = || text.split(" at /").next().unwrap_or_default().to_owned();
    found.map_or_else(plain, |(_, words)| words.to_owned())
}

#[cfg(test)]
mod tests {
    use super::clearly;

    #[test]
    fn the_reason_is_said_in_words() {
        let text = "QUIC acceptor failed: ConnectionClosed(ConnectionClose { error_code: \
                    Code::crypto(33), reason: b\"invalid peer certificate: BadSignature\" }) at /x";
        assert_eq!(clearly(text), "the certificate is of another authority");
        assert_eq!(clearly("invalid peer certificate: Expired"), "the certificate has expired");
        assert_eq!(clearly("something else at /home/me/source.rs:5."), "something else");
    }
}
