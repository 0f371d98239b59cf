//! The other side: lenders with stand-ins, in this process or in another.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::thread::JoinHandle;
use std::time::Duration;

use anyhow::{Context, anyhow};
use senbon_fabric::carrier::{Address, Carrier, Deliver, Hub, Net, NetError, Role};
use senbon_fabric::keys::{Authority, Credentials};
use senbon_fabric::lend::{Lender, Status};
use senbon_fabric::{Entrance, Security, Stub, WorkerSource};
use senbon_games::chess::Chess;

use super::Way;

/// Name of the lenders, as in their certificate.
const NAME: &str = "lab";
/// Days that the certificates of a measurement are good for.
const DAYS: u32 = 1;

/// What a process that lends is told.
#[derive(Clone, Debug)]
pub struct Lending {
    /// Where the master listens.
    pub address: Address,
    /// Its folder of credentials; in the open without.
    pub keys: Option<PathBuf>,
    /// Sessions.
    pub sessions: usize,
    /// How many of them share a connection, like the engines of one machine.
    pub slots: usize,
    /// A stand-in answers after so long.
    pub pause: Duration,
}

/// Workers that are wanted.
#[derive(Clone, Copy, Debug)]
pub(super) struct Crew {
    pub(super) sessions: usize,
    /// How many of them share a connection.
    pub(super) slots: usize,
    /// A stand-in answers after so long.
    pub(super) pause: Duration,
}

/// Lenders that run, each on a thread.
pub(super) struct Running {
    quit: Vec<Box<dyn Fn() + Send>>,
    threads: Vec<JoinHandle<()>>,
    answered: Arc<AtomicU64>,
    /// Sessions that ended.
    lost: Arc<AtomicU64>,
}

impl Running {
    fn start<C: Carrier + 'static>(
        crew: Crew,
        mut open: impl FnMut(Deliver) -> Result<C, NetError>,
    ) -> anyhow::Result<Self> {
        let (answered, lost) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicU64::new(0)));
        let mut running = Running { quit: Vec::new(), threads: Vec::new(), answered, lost };
        let mut left = crew.sessions;
        while left > 0 {
            let here = left.min(crew.slots.max(1));
            left -= here;
            let stub = Stub { pause: crew.pause, answered: Arc::clone(&running.answered) };
            let engines = vec![WorkerSource::StandIn(stub); here];
            let lender = Lender::<Chess>::start(NAME, engines, &mut open)?;
            running.quit.push(Box::new(lender.quitter()));
            let lost = Arc::clone(&running.lost);
            running.threads.push(std::thread::spawn(move || {
                lender.run(|status| {
                    if let Status::Left(..) = status {
                        lost.fetch_add(1, Relaxed);
                    }
                });
            }));
        }
        Ok(running)
    }

    fn end(self) -> (u64, u64) {
        let (answered, lost) = (self.answered.load(Relaxed), self.lost.load(Relaxed));
        self.quit.iter().for_each(|quit| quit());
        for thread in self.threads {
            let _ = thread.join();
        }
        (answered, lost)
    }
}

/// Lends until standard input ends; then says how many searches were answered, and how many
/// sessions had ended.
pub fn lend(lending: &Lending) -> anyhow::Result<()> {
    let credentials = lending.keys.as_deref().map(Credentials::open).transpose()?;
    let open = |deliver| Net::connect(&lending.address, credentials.as_ref(), deliver);
    let Lending { sessions, slots, pause, .. } = *lending;
    let running = Running::start(Crew { sessions, slots, pause }, open)?;
    std::io::stdin().lock().read_to_end(&mut Vec::new())?;
    let (answered, lost) = running.end();
    let mut out = std::io::stdout().lock();
    writeln!(out, "{answered} {lost}")?;
    out.flush()?;
    Ok(())
}

/// The lenders of a measurement, wherever they are.
pub(super) enum Lenders {
    Here(Option<Running>),
    Child { child: Child, stdin: Option<ChildStdin>, stdout: BufReader<ChildStdout> },
}

impl Lenders {
    /// Ends them: how many searches they answered, and how many of their sessions had ended.
    pub(super) fn end(mut self) -> anyhow::Result<(u64, u64)> {
        match &mut self {
            Lenders::Here(running) => Ok(running.take().map(Running::end).unwrap_or_default()),
            Lenders::Child { child, stdin, stdout } => {
                drop(stdin.take());
                let mut line = String::new();
                stdout.read_line(&mut line).context("the lending process does not answer")?;
                child.wait().context("the lending process cannot be waited for")?;
                let mut numbers = line.split_whitespace().map(str::parse::<u64>);
                match (numbers.next(), numbers.next()) {
                    (Some(Ok(answered)), Some(Ok(lost))) => Ok((answered, lost)),
                    _ => Err(anyhow!("the lending process said {line:?} at its end")),
                }
            }
        }
    }
}

impl Drop for Lenders {
    fn drop(&mut self) {
        match self {
            Lenders::Here(running) => {
                running.take().map(Running::end);
            }
            Lenders::Child { child, .. } => {
                let _ = child.kill();
                let _ = child.wait();
            }
        }
    }
}

/// A master's entrance, and what lenders need to find it.
pub(super) struct Site {
    pub(super) entrance: Arc<Entrance>,
    way: Way,
    hub: Hub,
    address: Option<Address>,
    keys: Option<Keys>,
}

/// Credentials for one measurement.
struct Keys {
    folder: PathBuf,
    worker: PathBuf,
}

impl Keys {
    fn make() -> anyhow::Result<(Self, PathBuf)> {
        let folder = std::env::temp_dir().join(format!("senbon-lab-fabric-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        let authority = Authority::create(&folder, DAYS)?;
        let worker = authority.add_worker(NAME, DAYS)?;
        let master = authority.master_folder();
        Ok((Keys { folder, worker }, master))
    }
}

impl Drop for Keys {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

impl Site {
    pub(super) fn open(way: Way) -> anyhow::Result<Self> {
        let hub = Hub::default();
        if way == Way::Hub {
            let entrance = Entrance::by(|deliver| hub.join(Role::Master, deliver));
            let entrance = Arc::new(entrance);
            return Ok(Site { entrance, way, hub, address: None, keys: None });
        }
        let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
        let address: Address = format!("127.0.0.1:{port}").parse()?;
        let (keys, security) = match way {
            Way::Quic => {
                let (keys, master) = Keys::make()?;
                let security = Security::choose(&address, Some(&master), false)?;
                (Some(keys), security)
            }
            _ => (None, Security::Open),
        };
        let entrance = Arc::new(Entrance::listen(&address, &security)?);
        Ok(Site { entrance, way, hub, address: Some(address), keys })
    }

    /// Starts lenders for this master.
    pub(super) fn lend(&self, program: &Path, crew: Crew) -> anyhow::Result<Lenders> {
        let Some(address) = self.address.as_ref().filter(|_| self.way != Way::Hub) else {
            let hub = self.hub.clone();
            let open = |deliver| Ok(hub.join(Role::Worker, deliver));
            let running = Running::start(crew, open)?;
            return Ok(Lenders::Here(Some(running)));
        };
        let mut command = Command::new(program);
        command.args(["lab", "fabric", "--lend"]).arg(address.to_string());
        command.arg("--sessions").arg(crew.sessions.to_string());
        command.arg("--slots").arg(crew.slots.to_string());
        command.arg("--pause").arg(crew.pause.as_secs_f64().to_string());
        if let Some(keys) = &self.keys {
            command.arg("--keys").arg(&keys.worker);
        }
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().context("the lending process does not start")?;
        let stdin = child.stdin.take();
        let stdout = child.stdout.take().ok_or_else(|| anyhow!("it has no output"))?;
        Ok(Lenders::Child { child, stdin, stdout: BufReader::new(stdout) })
    }
}
