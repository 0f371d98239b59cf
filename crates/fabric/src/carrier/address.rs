//! Where a master listens, and which way there is safe.

use std::fmt;
use std::net::SocketAddr;
use std::str::FromStr;

/// The usual port.
pub const PORT: u16 = 7447;

/// An address as a user gives it: `HOST`, `HOST:PORT`, or with the way before it,
/// `quic/HOST:PORT` (encrypted) or `tcp/HOST:PORT` (in the open).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    /// In the open; `None` when not said.
    open: Option<bool>,
    host: String,
    port: u16,
}

/// Why an address cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AddressError {
    /// TLS over TCP.
    #[error(
        "{0}: tls/ is not used: the library's TLS links corrupt memory when both ends send at \
         the same time (zenoh issue 2557); use quic/, which is encrypted as well"
    )]
    Tls(String),
    /// Another way.
    #[error("{0}: unknown way {1:?}; use quic/HOST:PORT, tcp/HOST:PORT or HOST:PORT")]
    UnknownWay(String, String),
    /// No host.
    #[error("{0:?} names no host; use HOST:PORT, such as 192.168.1.5:{PORT}")]
    NoHost(String),
    /// No port.
    #[error("{0:?} has no valid port; use HOST:PORT, such as 192.168.1.5:{PORT}")]
    BadPort(String),
}

impl FromStr for Address {
    type Err = AddressError;

    fn from_str(text: &str) -> Result<Self, AddressError> {
        let (open, rest) = match text.split_once('/') {
            None => (None, text),
            Some(("quic", rest)) => (Some(false), rest),
            Some(("tcp", rest)) => (Some(true), rest),
            Some(("tls", _)) => return Err(AddressError::Tls(text.to_owned())),
            Some((way, _)) => {
                return Err(AddressError::UnknownWay(text.to_owned(), way.to_owned()));
            }
        };
        let bad_port = || AddressError::BadPort(text.to_owned());
        // An IPv6 address stands in brackets, or without a port.
        let (host, port) = match rest.rsplit_once(':') {
            Some((host, port)) if host.ends_with(']') || !host.contains(':') => {
                (host, port.parse().map_err(|_| bad_port())?)
            }
            _ => (rest, PORT),
        };
        let host = host.trim_start_matches('[').trim_end_matches(']');
        let plain = |c: char| c.is_ascii_alphanumeric() || ".-:_%".contains(c);
        if host.is_empty() || !host.chars().all(plain) {
            return Err(AddressError::NoHost(text.to_owned()));
        }
        Ok(Address { open, host: host.to_owned(), port })
    }
}

impl Address {
    /// Whether it can be reached from this machine only.
    pub fn is_loopback(&self) -> bool {
        self.host == "localhost"
            || format!("{self}").parse().is_ok_and(|at: SocketAddr| at.ip().is_loopback())
    }

    /// The way that was asked for: in the open, encrypted, or not said.
    pub fn asks_open(&self) -> Option<bool> {
        self.open
    }

    /// As a user would give it, with the way if one was asked for.
    pub fn written(&self) -> String {
        match self.open {
            None => self.to_string(),
            Some(true) => format!("tcp/{self}"),
            Some(false) => format!("quic/{self}"),
        }
    }

    /// As the library writes it. Without `multistream=0` it loses the first messages of a
    /// connection.
    pub(super) fn endpoint(&self, open: bool) -> String {
        if open { format!("tcp/{self}") } else { format!("quic/{self}?multistream=0") }
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.host.contains(':') {
            write!(f, "[{}]:{}", self.host, self.port)
        } else {
            write!(f, "{}:{}", self.host, self.port)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read_as_people_write_them() {
        for (text, written, loopback) in [
            ("127.0.0.1:9000", "127.0.0.1:9000", true),
            ("127.1.2.3", "127.1.2.3:7447", true),
            ("localhost", "localhost:7447", true),
            ("[::1]:9000", "[::1]:9000", true),
            ("::1", "[::1]:7447", true),
            ("quic/0.0.0.0:1", "0.0.0.0:1", false),
            ("tcp/master.example:7447", "master.example:7447", false),
        ] {
            let address: Address = text.parse().unwrap();
            assert_eq!((address.to_string().as_str(), address.is_loopback()), (written, loopback));
            assert_eq!(address.written().parse(), Ok(address));
        }
        let quic: Address = "10.0.0.1:5".parse().unwrap();
        assert_eq!(quic.endpoint(false), "quic/10.0.0.1:5?multistream=0");
        assert_eq!(quic.endpoint(true), "tcp/10.0.0.1:5");
    }

    #[test]
    fn tls_and_nonsense_are_refused_with_the_reason() {
        let why = |text: &str| text.parse::<Address>().unwrap_err().to_string();
        assert!(why("tls/10.0.0.1:7447").contains("corrupt memory"));
        assert!(why("udp/10.0.0.1:7447").contains("unknown way \"udp\""));
        assert!(why("host:port").contains("port"));
        assert!(why(":7447").contains("names no host"));
        assert!(why("quic/host?multistream=1:1").contains("names no host"));
        assert!(why("").contains("names no host"));
    }
}
