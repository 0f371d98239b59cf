//! A worker's numbers for a monitor: Prometheus' text format over HTTP/1.1, and no more of HTTP
//! than that needs. One request at a time, short and soon, or it is not heard.

use std::fmt::Write as _;
use std::io::{self, Read, Write};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::str::FromStr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use senbon_fabric::lend::Status;

/// Longest request.
const MOST_REQUEST: usize = 4096;
/// How long one may take.
const PATIENCE: Duration = Duration::from_secs(2);

/// Where to listen: PORT on this machine alone, or ADDRESS:PORT.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MetricsAddress(SocketAddr);

impl FromStr for MetricsAddress {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if let Ok(port) = text.parse() {
            let loopback = IpAddr::V4(Ipv4Addr::LOCALHOST);
            return Ok(MetricsAddress(SocketAddr::new(loopback, port)));
        }
        text.parse().map(MetricsAddress).map_err(|_| {
            "use a port, such as 9100, or an address of this machine and a port, such as \
             192.168.1.5:9100"
                .to_owned()
        })
    }
}

/// One engine as the monitor sees it.
#[derive(Clone, Default)]
struct Engine {
    ready: bool,
    lent: bool,
    speed: u64,
    failures: u64,
    sessions: u64,
    refusals: u64,
}

/// Name, kind and value of what is told of each engine.
type Column = (&'static str, &'static str, fn(&Engine) -> u64);

/// A worker's numbers. Clones are the same.
#[derive(Clone)]
pub(crate) struct Metrics {
    engines: Arc<Mutex<(Vec<Engine>, u64)>>,
    began: Instant,
}

impl Metrics {
    pub(crate) fn new(engines: usize) -> Self {
        let engines = Arc::new(Mutex::new((vec![Engine::default(); engines], 0)));
        Metrics { engines, began: Instant::now() }
    }

    /// Takes note of what happened.
    pub(crate) fn note(&self, status: &Status) {
        let mut numbers = self.engines.lock().unwrap_or_else(PoisonError::into_inner);
        let (engines, masters) = &mut *numbers;
        let (number, change): (usize, fn(&mut Engine)) = match status {
            Status::Master(_) => return *masters += 1,
            Status::MasterGone(_) => return *masters = masters.saturating_sub(1),
            Status::Complaint(..) | Status::NoConnection(_) => return,
            Status::Speed(number, speed) => {
                if let Some(engine) = engines.get_mut(number - 1) {
                    engine.speed = *speed;
                }
                return;
            }
            Status::Ready(number, _) => (*number, |engine| engine.ready = true),
            Status::Failed(number, _) => (*number, |engine| {
                engine.ready = false;
                engine.failures += 1;
            }),
            Status::Joined(number, _) => (*number, |engine| {
                engine.lent = true;
                engine.sessions += 1;
            }),
            Status::Left(number, _) => (*number, |engine| engine.lent = false),
            Status::Refused(number, _) => (*number, |engine| engine.refusals += 1),
        };
        if let Some(engine) = engines.get_mut(number - 1) {
            change(engine);
        }
    }

    fn text(&self) -> String {
        let numbers = self.engines.lock().unwrap_or_else(PoisonError::into_inner);
        let (engines, masters) = &*numbers;
        let mut text = String::new();
        let uptime = self.began.elapsed().as_secs_f64();
        let _ = writeln!(text, "# TYPE senbon_worker_uptime_seconds gauge");
        let _ = writeln!(text, "senbon_worker_uptime_seconds {uptime:.3}");
        let _ =
            writeln!(text, "# TYPE senbon_worker_masters gauge\nsenbon_worker_masters {masters}");
        let columns: [Column; 6] = [
            ("engine_ready", "gauge", |engine| u64::from(engine.ready)),
            ("engine_lent", "gauge", |engine| u64::from(engine.lent)),
            ("engine_nodes_per_second", "gauge", |engine| engine.speed),
            ("engine_failures_total", "counter", |engine| engine.failures),
            ("sessions_total", "counter", |engine| engine.sessions),
            ("refusals_total", "counter", |engine| engine.refusals),
        ];
        for (name, kind, value) in columns {
            let _ = writeln!(text, "# TYPE senbon_worker_{name} {kind}");
            for (index, engine) in engines.iter().enumerate() {
                let value = value(engine);
                let _ = writeln!(text, "senbon_worker_{name}{{engine=\"{}\"}} {value}", index + 1);
            }
        }
        text
    }

    /// Answers at an address from now on, and tells which.
    pub(crate) fn serve(&self, address: MetricsAddress) -> io::Result<SocketAddr> {
        let listener = TcpListener::bind(address.0)?;
        let at = listener.local_addr()?;
        let metrics = self.clone();
        std::thread::Builder::new().name("metrics".to_owned()).spawn(move || {
            for stream in listener.incoming() {
                match stream {
                    // Whoever asks may be gone before the answer.
                    Ok(stream) => drop(metrics.answer(stream)),
                    // Too many open files, for one: not a reason to burn a core.
                    Err(_) => std::thread::sleep(Duration::from_millis(100)),
                }
            }
        })?;
        Ok(at)
    }

    fn answer(&self, mut stream: TcpStream) -> io::Result<()> {
        let until = Instant::now() + PATIENCE;
        stream.set_write_timeout(Some(PATIENCE))?;
        let mut request = Vec::new();
        let mut part = [0; 512];
        while !request.windows(4).any(|end| end == b"\r\n\r\n") {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() || request.len() > MOST_REQUEST {
                return Ok(());
            }
            stream.set_read_timeout(Some(left))?;
            match stream.read(&mut part)? {
                0 => return Ok(()),
                count => request.extend_from_slice(&part[..count]),
            }
        }
        let line = request.split(|&byte| byte == b'\r').next().unwrap_or_default();
        let (status, body) = self.reply(&String::from_utf8_lossy(line));
        let length = body.len();
        let head = format!(
            "HTTP/1.1 {status}\r\nContent-Type: text/plain; version=0.0.4; charset=utf-8\r\n\
             Content-Length: {length}\r\nConnection: close\r\n\r\n"
        );
        stream.write_all(head.as_bytes())?;
        stream.write_all(body.as_bytes())
    }

    fn reply(&self, line: &str) -> (&'static str, String) {
        let mut words = line.split(' ');
        match (words.next(), words.next()) {
            (Some("GET"), Some("/metrics" | "/")) => ("200 OK", self.text()),
            (Some("GET"), _) => ("404 Not Found", "see /metrics\n".to_owned()),
            _ => ("405 Method Not Allowed", "only GET\n".to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use senbon_core::Fault;
    use senbon_core::session::PeerId;

    use super::*;

    fn ask(at: SocketAddr, request: &[u8]) -> String {
        let mut stream = TcpStream::connect(at).unwrap();
        stream.write_all(request).unwrap();
        let mut text = String::new();
        let _ = stream.read_to_string(&mut text);
        text
    }

    #[test]
    fn numbers_are_told_and_nothing_else() {
        let metrics = Metrics::new(2);
        let fault = || Fault::Died("gone".to_owned());
        for status in [
            Status::Ready(1, "engine".to_owned()),
            Status::Speed(1, 5_000),
            Status::Master(PeerId(1)),
            Status::Joined(1, PeerId(1)),
            Status::Failed(2, fault()),
            Status::Refused(2, "full".to_owned()),
        ] {
            metrics.note(&status);
        }
        let at = metrics.serve("0".parse().unwrap()).unwrap();
        assert!(at.ip().is_loopback());
        let text = ask(at, b"GET /metrics HTTP/1.1\r\nHost: here\r\n\r\n");
        assert!(text.starts_with("HTTP/1.1 200 OK\r\n"), "{text}");
        for line in [
            "senbon_worker_masters 1",
            "senbon_worker_engine_ready{engine=\"1\"} 1",
            "senbon_worker_engine_lent{engine=\"2\"} 0",
            "senbon_worker_engine_nodes_per_second{engine=\"1\"} 5000",
            "senbon_worker_engine_failures_total{engine=\"2\"} 1",
            "senbon_worker_sessions_total{engine=\"1\"} 1",
            "senbon_worker_refusals_total{engine=\"2\"} 1",
        ] {
            assert!(text.lines().any(|told| told == line), "{line} in {text}");
        }
        assert!(ask(at, b"GET /etc/passwd HTTP/1.1\r\n\r\n").starts_with("HTTP/1.1 404"));
        assert!(ask(at, b"POST /metrics HTTP/1.1\r\n\r\n").starts_with("HTTP/1.1 405"));
        // Too long, or none at all: not answered, and the next one is.
        assert_eq!(ask(at, &[b'x'; 2 * MOST_REQUEST]), "");
        assert!(ask(at, b"GET / HTTP/1.0\r\n\r\n").starts_with("HTTP/1.1 200"));
        assert!("somewhere".parse::<MetricsAddress>().is_err());
    }
}
