//! `senbon serve`: the game server.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Read, Write};
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use senbon_engines::csa::is_name;
use senbon_server::live::Server;
use senbon_server::{Event, Secret, Settings};
use serde_json::json;

use crate::args::serve::Serve;
use crate::report::Failure;

/// A file larger than this is no list of accounts.
const LARGEST: u64 = 16 << 20;

pub(crate) fn run(args: &Serve) -> Result<(), Failure> {
    if let (Some(name), Some(file)) = (&args.account, &args.accounts) {
        return add_account(file, name);
    }
    let listed = args.accounts.as_deref().map(read_accounts).transpose()?;
    let unix = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let settings = Settings {
        name: args.name.clone(),
        game: args.game.clone(),
        rules: args.rules(),
        continuous: args.continuous,
        listed,
        agree: Duration::from_secs(u64::from(args.agree)),
        wait: Duration::from_secs(u64::from(args.wait)),
        limits: args.limits(),
        opened: unix.as_secs(),
        seed: unix.as_nanos() as u64,
    };
    let server = Server::open(&args.address(), args.folder.clone(), settings)?;
    ctrlc::set_handler(server.quitter())?;
    let log = Log { json: args.json };
    log.begin(&server.address().to_string(), server.suspended());
    server.run(|at, event| log.tell(at, event))?;
    log.end();
    Ok(())
}

/// Reads a file of accounts.
fn read_accounts(file: &Path) -> Result<BTreeMap<String, Secret>, Failure> {
    let wrong = |what: String| Failure::Input(format!("{}: {what}", file.display()));
    let mut text = String::new();
    fs::File::open(file)
        .and_then(|file| file.take(LARGEST).read_to_string(&mut text))
        .map_err(|error| wrong(format!("cannot be read: {error}")))?;
    let mut accounts = BTreeMap::new();
    for (index, line) in text.lines().enumerate() {
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        let (name, secret) = line.trim().split_once(' ').unwrap_or((line.trim(), ""));
        let Some(secret) = Secret::parse(secret.trim()).filter(|_| is_name(name)) else {
            let number = index + 1;
            return Err(wrong(format!(
                "line {number} is no name and hash; senbon serve --accounts FILE --account NAME \
                 writes such a line"
            )));
        };
        accounts.insert(name.to_owned(), secret);
    }
    Ok(accounts)
}

/// Adds a line to the file, with the password on standard input.
fn add_account(file: &Path, name: &str) -> Result<(), Failure> {
    let mut password = String::new();
    io::stdin().read_line(&mut password)?;
    let password = password.trim_end_matches(['\n', '\r']);
    if password.is_empty() || password.contains(char::is_whitespace) {
        return Err(Failure::Input("a password is not empty and has no blanks".to_owned()));
    }
    let secret = Secret::new(password).map_err(|_| anyhow::anyhow!("no random numbers"))?;
    let mut options = fs::OpenOptions::new();
    let mut file = options.append(true).create(true).open(file)?;
    writeln!(file, "{name} {secret}")?;
    Ok(())
}

/// What is said on standard output.
struct Log {
    json: bool,
}

impl Log {
    fn begin(&self, address: &str, suspended: usize) {
        if self.json {
            let event = json!({ "event": "start", "address": address, "suspended": suspended });
            return self.say(&event.to_string());
        }
        self.say(&format!("players connect to {address}"));
        if suspended > 0 {
            self.say(&format!("{suspended} games wait for their players"));
        }
    }

    fn tell(&self, at: Duration, event: &Event) {
        let seconds = at.as_secs_f64();
        if self.json {
            let mut event = event.json();
            event["seconds"] = json!(seconds);
            self.say(&event.to_string());
        } else {
            self.say(&format!("{seconds:9.3} {event}"));
        }
    }

    fn end(&self) {
        self.say(if self.json {
            r#"{"event":"end"}"#
        } else {
            "closed; games go on when it runs again"
        });
    }

    /// A line. Whoever reads it may have gone; the games go on.
    fn say(&self, line: &str) {
        let mut out = io::stdout().lock();
        let _ = writeln!(out, "{line}").and_then(|()| out.flush());
    }
}
