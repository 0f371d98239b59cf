//! The connection to the server, and when to try again.

use std::io::{self, Write};
use std::net::{Shutdown, TcpStream, ToSocketAddrs};
use std::sync::mpsc::SyncSender;
use std::time::Duration;

use senbon_engines::csa::LINE_LIMIT;
use senbon_engines::read_lines;

use super::Event;

/// How long a connection may take to be made, and a line to be sent.
const PATIENCE: Duration = Duration::from_secs(10);

/// The first and the longest pause between two attempts.
const FIRST: Duration = Duration::from_millis(500);
const LONGEST: Duration = Duration::from_secs(30);

/// When to connect again.
#[derive(Debug)]
pub(super) struct Retry {
    at: Duration,
    pause: Duration,
}

impl Default for Retry {
    fn default() -> Self {
        Retry { at: Duration::ZERO, pause: FIRST }
    }
}

impl Retry {
    pub(super) fn at(&self) -> Duration {
        self.at
    }

    /// It did not work: longer pauses each time.
    pub(super) fn failed(&mut self, now: Duration) {
        self.at = now + self.pause;
        self.pause = (self.pause * 2).min(LONGEST);
    }

    /// The link is broken: at once if the clock runs, soon otherwise.
    pub(super) fn broken(&mut self, now: Duration, plays: bool) {
        self.at = self.at.max(if plays { now + FIRST / 5 } else { now + FIRST });
    }
}

/// The connection, if there is one.
pub(super) struct Link {
    address: String,
    events: SyncSender<Event>,
    stream: Option<TcpStream>,
    number: u64,
}

impl Link {
    pub(super) fn new(address: String, events: SyncSender<Event>) -> Self {
        Link { address, events, stream: None, number: 0 }
    }

    /// The number of the last connection.
    pub(super) fn number(&self) -> u64 {
        self.number
    }

    pub(super) fn connect(&mut self) -> io::Result<()> {
        self.close();
        let mut last = None;
        for address in self.address.to_socket_addrs()? {
            match TcpStream::connect_timeout(&address, PATIENCE) {
                Ok(stream) => return self.take(stream),
                Err(error) => last = Some(error),
            }
        }
        Err(last.unwrap_or_else(|| io::Error::other("the server's name has no address")))
    }

    fn take(&mut self, stream: TcpStream) -> io::Result<()> {
        stream.set_nodelay(true)?;
        stream.set_write_timeout(Some(PATIENCE))?;
        let input = stream.try_clone()?;
        self.number += 1;
        let (number, events) = (self.number, self.events.clone());
        std::thread::Builder::new().name("server".to_owned()).spawn(move || {
            let limit = LINE_LIMIT;
            read_lines(input, limit, |line| events.send(Event::Line(number, Some(line))).is_ok());
            let _ = events.send(Event::Line(number, None));
        })?;
        self.stream = Some(stream);
        Ok(())
    }

    /// Sends a line. That it could not be sent shows as a link that is broken.
    pub(super) fn send(&mut self, line: &str) {
        let Some(stream) = &mut self.stream else { return };
        if stream.write_all(format!("{line}\n").as_bytes()).is_err() {
            let _ = stream.shutdown(Shutdown::Both);
        }
    }

    /// Closes the connection after the last line has gone: whoever closes at once with something
    /// unread takes back what it has sent.
    pub(super) fn finish(&mut self) {
        if let Some(stream) = &self.stream {
            let _ = stream.shutdown(Shutdown::Write);
            std::thread::sleep(Duration::from_millis(100));
        }
        self.close();
    }

    pub(super) fn close(&mut self) {
        if let Some(stream) = self.stream.take() {
            let _ = stream.shutdown(Shutdown::Both);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_and_end() {
        let mut retry = Retry::default();
        assert_eq!(retry.at(), Duration::ZERO);
        let mut last = Duration::ZERO;
        for _ in 0..20 {
            let now = retry.at();
            retry.failed(now);
            assert!(retry.at() - now >= last && retry.at() - now <= LONGEST);
            last = retry.at() - now;
        }
        assert_eq!(last, LONGEST);
        let mut retry = Retry::default();
        retry.broken(Duration::from_secs(1), true);
        assert!(retry.at() < Duration::from_millis(1_200));
    }
}
