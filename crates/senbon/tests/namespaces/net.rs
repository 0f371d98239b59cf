//! Machines of a network of our own: namespaces joined by cables that can be cut.

use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread::JoinHandle;

use senbon_engines::universal::Dialect;
use senbon_testkit::Folder;

use crate::machines::Senbon;
use crate::support::Engine;

const PROGRAM: &str = env!("CARGO_BIN_EXE_senbon");

/// Machines, the cables between them, and credentials for all; gone when dropped.
pub(crate) struct Network {
    id: String,
    machines: &'static [&'static str],
    cables: &'static [[&'static str; 2]],
    keys: Folder,
}

/// Runs a tool of the system.
pub(crate) fn tool(line: &str) -> Result<(), String> {
    let mut words = line.split_whitespace();
    let name = words.next().unwrap();
    let output = Command::new(name).args(words).output();
    let output = output.map_err(|error| format!("{name}: {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    Err(format!("{line}: {}", String::from_utf8_lossy(&output.stderr).trim()))
}

impl Network {
    /// Needs the rights to make namespaces; without them the test is noted as skipped.
    pub(crate) fn new(
        machines: &'static [&'static str],
        cables: &'static [[&'static str; 2]],
    ) -> Option<Self> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let id = format!("{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let keys = Folder::new(&format!("network-{id}"));
        let network = Network { id, machines, cables, keys };
        match network.build() {
            Ok(()) => Some(network),
            Err(why) => {
                senbon_testkit::skipped(&format!("no network of namespaces: {why}"));
                None
            }
        }
    }

    fn build(&self) -> Result<(), String> {
        for machine in self.machines {
            tool(&format!("ip netns add {}", self.space(machine)))?;
            self.ip(machine, "link set lo up")?;
        }
        for (number, [one, other]) in self.cables.iter().enumerate() {
            let spaces = [self.space(one), self.space(other)];
            let [ours, theirs] = [format!("to-{other}"), format!("to-{one}")];
            let [here, there] = &spaces;
            tool(&format!(
                "ip link add {ours} netns {here} type veth peer {theirs} netns {there}"
            ))?;
            for (machine, end, host) in [(one, ours, 1), (other, theirs, 2)] {
                self.ip(machine, &format!("addr add 10.213.{number}.{host}/24 dev {end}"))?;
                self.ip(machine, &format!("link set {end} up"))?;
            }
        }
        let keys = self.keys.file("all");
        tool(&format!("{PROGRAM} keys new {keys} attic cellar")).unwrap();
        tool(&format!("{PROGRAM} keys router {keys} hub")).unwrap();
        Ok(())
    }

    /// Runs a tool on a machine.
    pub(crate) fn tool(&self, machine: &str, line: &str) -> Result<(), String> {
        tool(&format!("ip netns exec {} {line}", self.space(machine)))
    }

    fn space(&self, machine: &str) -> String {
        format!("senbon-{}-{machine}", self.id)
    }

    /// Configures a machine's network.
    pub(crate) fn ip(&self, machine: &str, what: &str) -> Result<(), String> {
        tool(&format!("ip -n {} {what}", self.space(machine)))
    }

    /// Credentials: `master`, `workers/attic`, `workers/cellar`, `routers/hub`.
    pub(crate) fn keys(&self, whose: &str) -> String {
        self.keys.file(&format!("all/{whose}"))
    }

    fn words<'a>(&self, space: &'a str, arguments: &[&'a str]) -> Vec<&'a str> {
        [&["netns", "exec", space, PROGRAM], arguments].concat()
    }

    /// Runs `senbon` on a machine.
    pub(crate) fn run(&self, machine: &str, arguments: &[&str]) -> Senbon {
        let space = self.space(machine);
        Senbon::run(Command::new("ip").args(self.words(&space, arguments)))
    }

    /// A search on the machine `master` that goes on until it is interrupted, by workers that
    /// come.
    pub(crate) fn analyse(&self) -> Senbon {
        let keys = self.keys("master");
        let listen = ["--listen", "0.0.0.0", "--keys", &keys];
        self.run(
            "master",
            &[&["analyse", "--workers", "0", "--json", "--infinite"], &listen[..]].concat(),
        )
    }

    /// An engine on the machine `master`, with no workers but those that come.
    pub(crate) fn uci(&self) -> Engine {
        let (space, keys) = (self.space("master"), self.keys("master"));
        let arguments = ["uci", "--workers", "0", "--listen", "0.0.0.0", "--keys", &keys];
        Engine::start_program("ip", &self.words(&space, &arguments), Dialect::Uci)
    }

    /// A worker on a machine of its name, with an engine of somebody else.
    pub(crate) fn worker(&self, name: &str, address: &str, engine: &str) -> Senbon {
        let keys = self.keys(&format!("workers/{name}"));
        let dial = ["worker", "--connect", address, "--keys", &keys];
        self.run(name, &[&dial[..], &["--engine", engine, "--slots", "1", "--hash", "1"]].concat())
    }

    /// Cuts the cable of a machine, or mends it.
    pub(crate) fn cable(&self, machine: &str, to: &str, state: &str) {
        self.ip(machine, &format!("link set to-{to} {state}")).unwrap();
    }

    /// Runs a part of the test on a machine, on a thread.
    pub(crate) fn within(
        &self,
        machine: &str,
        what: impl FnOnce() + Send + 'static,
    ) -> JoinHandle<()> {
        let space = std::fs::File::open(format!("/run/netns/{}", self.space(machine))).unwrap();
        std::thread::spawn(move || {
            use rustix::thread::{LinkNameSpaceType, move_into_link_name_space};
            use std::os::fd::AsFd;
            move_into_link_name_space(space.as_fd(), Some(LinkNameSpaceType::Network)).unwrap();
            what();
        })
    }
}

impl Drop for Network {
    fn drop(&mut self) {
        for machine in self.machines {
            let _ = tool(&format!("ip netns del {}", self.space(machine)));
        }
    }
}
