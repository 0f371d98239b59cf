//! A game server and its players as processes, for tests.
#![allow(dead_code, clippy::disallowed_methods, clippy::unwrap_used)]

use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use senbon_games::shogi::record::{Record, csa};
use senbon_testkit::Folder;

/// Nothing that a test waits for takes so long, however loaded the machine.
pub(crate) const PATIENCE: Duration = Duration::from_secs(240);

/// A program whose output is read.
pub(crate) struct Program {
    pub(crate) child: Child,
    lines: Receiver<String>,
    /// What it said so far.
    said: Vec<String>,
}

impl Program {
    pub(crate) fn start(mut command: Command) -> Self {
        let mut child = command.stdout(Stdio::piped()).stdin(Stdio::null()).spawn().unwrap();
        let (sender, lines) = channel();
        let output = BufReader::new(child.stdout.take().unwrap());
        std::thread::spawn(move || {
            output.lines().map_while(Result::ok).for_each(|line| drop(sender.send(line)));
        });
        Program { child, lines, said: Vec::new() }
    }

    pub(crate) fn senbon(arguments: &[&str]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_senbon"));
        command.args(arguments);
        Self::start(command)
    }

    /// Waits for a line with this in it, so many times from now on.
    pub(crate) fn until(&mut self, part: &str, times: usize) {
        let deadline = Instant::now() + PATIENCE;
        let mut seen = 0;
        while seen < times {
            let left = deadline.saturating_duration_since(Instant::now());
            let line = self.lines.recv_timeout(left);
            let line = line.unwrap_or_else(|_| panic!("no {part} in {:#?}", self.said));
            seen += usize::from(line.contains(part));
            self.said.push(line);
        }
    }

    /// Waits for the end; how it ended, and all that was said.
    pub(crate) fn end(mut self) -> (ExitStatus, Vec<String>) {
        let deadline = Instant::now() + PATIENCE;
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                let mut said = std::mem::take(&mut self.said);
                while let Ok(line) = self.lines.recv_timeout(Duration::from_millis(500)) {
                    said.push(line);
                }
                return (status, said);
            }
            assert!(Instant::now() < deadline, "it does not end: {:#?}", self.said);
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// kill -9.
    pub(crate) fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A port that nobody has now.
pub(crate) fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

/// A worker with one slot for shogi, as if on another machine.
pub(crate) fn lender(listen: &str) -> Program {
    let engine = ["--game", "shogi", "--slots", "1", "--hash", "1"];
    Program::senbon(&[&["worker", "--connect", listen][..], &engine].concat())
}

/// Sends a signal; whoever it was for may be gone.
pub(crate) fn signal(process: u32, name: &str) {
    let _ = Command::new("kill").args([&format!("-{name}"), &process.to_string()]).status();
}

/// A game server's ground: its folder and address.
pub(crate) struct Ground {
    pub(crate) folder: Folder,
    pub(crate) address: String,
}

impl Ground {
    pub(crate) fn new(name: &str) -> Self {
        let folder = Folder::new(name);
        folder.with("password", "secret\n");
        Ground { folder, address: format!("127.0.0.1:{}", free_port()) }
    }

    pub(crate) fn server(&self, more: &[&str]) -> Program {
        let files = self.folder.file("server");
        let mut arguments = vec!["serve", "--json", "--folder", &files, "--listen", &self.address];
        arguments.extend(more);
        let mut server = Program::senbon(&arguments);
        server.until("\"start\"", 1);
        server
    }

    pub(crate) fn player(&self, name: &str, more: &[&str]) -> Program {
        let password = self.folder.file("password");
        let mut arguments = vec![
            "csa",
            "--json",
            "--server",
            &self.address,
            "--user",
            name,
            "--password-file",
            &password,
            "--workers",
            "1",
            "--hash",
            "4",
            "--margin",
            "1000",
        ];
        arguments.extend(more);
        Program::senbon(&arguments)
    }

    /// A player whose searcher is the composition in the file `config`.
    pub(crate) fn vote(&self, name: &str, config: &str, more: &[&str]) -> Program {
        let password = self.folder.file("password");
        let mut arguments = vec!["csa", "--json", "--server", &self.address, "--user", name];
        arguments.extend(["--password-file", &password, "--config", config, "--margin", "1000"]);
        arguments.extend(more);
        Program::senbon(&arguments)
    }

    /// The records of all finished games.
    pub(crate) fn records(&self) -> Vec<Record> {
        let folder = self.folder.path().join("server/games");
        let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let text = |path| std::fs::read_to_string(path).unwrap();
        files.map(|path| csa::read(&text(path)).unwrap()).collect()
    }
}
