//! The arguments of `senbon serve`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};
use senbon_engines::csa::{GameName, PORT, TimeControl, is_name};
use senbon_server::{Impasse, Limits, Rules};

#[derive(Debug, Args)]
#[command(
    after_long_help = "Players log in with `LOGIN NAME GAME,PASSWORD`, as on Floodgate. GAME is \
NAME-TOTAL-BYOYOMI or NAME-TOTAL-INCREMENTF, in seconds: test-600-10 is ten minutes and then \
ten seconds a move, test-300-10F five minutes and ten seconds more with every move. Who gives a \
password alone plays --game. Those who wait for the same game are paired; the pair that has met \
least often first, with colours in turn.

Examples:
  A server for this machine, and two players on it
    senbon serve --folder games
    senbon csa --server localhost --user one --password-file one.txt
    senbon csa --server localhost --user two --password-file two.txt
  For others too, games again and again, only for accounts in a file
    senbon serve --folder games --accounts accounts.txt --account alice
    senbon serve --folder games --listen 0.0.0.0 --continuous --accounts accounts.txt

The first login with a new name makes an account, unless --accounts is given. Passwords are \
stored as salted hashes; on the way they are as readable as the protocol has them, so use none \
that you use elsewhere.

Everything is in --folder: games/*.csa are the records of finished games, journal is what a \
server that was killed goes on from. Games that were not over are offered to their players again \
when these log in, with the moves so far and the clocks as they stood; the time while the server \
was down is nobody's. A player who lost its link gets its game back the same way, while its clock \
runs. Ctrl-C and SIGTERM break all games off, to go on later. docs/csa.md has the rest.",
    after_help = "Examples: senbon serve --folder games
          senbon serve --folder games --listen 0.0.0.0 --continuous
Players log in with GAME,PASSWORD, such as test-600-10,secret. More with --help."
)]
pub(crate) struct Serve {
    /// Where records and the journal are kept; made if it is not there
    #[arg(long, value_name = "FOLDER", default_value = "senbon-server")]
    pub(crate) folder: PathBuf,
    /// Where players connect: HOST or HOST:PORT
    #[arg(long, value_name = "ADDRESS", default_value = "localhost")]
    listen: String,
    /// What names of games begin with
    #[arg(long, default_value = "senbon", value_parser = name)]
    pub(crate) name: String,
    /// The game of players who do not name one
    #[arg(long, value_name = "GAME", default_value = "senbon-600-10")]
    pub(crate) game: GameName,
    /// Pair players again as soon as their game is over; otherwise they are logged out then,
    /// as on Floodgate
    #[arg(long)]
    pub(crate) continuous: bool,
    /// Print what happens as JSON, one object a line
    #[arg(long)]
    pub(crate) json: bool,

    /// The unit in which time is counted: 1sec, 100msec, 1msec
    #[arg(long, value_name = "UNIT", default_value = "1sec", value_parser = unit, help_heading = "Rules")]
    time_unit: Duration,
    /// Units that a move takes at least
    #[arg(long, value_name = "UNITS", default_value_t = 0, help_heading = "Rules")]
    least_time: u64,
    /// Units of each turn that do not count, for slow links
    #[arg(long, value_name = "UNITS", default_value_t = 0, help_heading = "Rules")]
    delay: u64,
    /// A game of so many moves is broken off; 0 for never
    #[arg(long, value_name = "N", default_value_t = 512, help_heading = "Rules")]
    max_moves: u32,
    /// What a declaration of entering king takes
    #[arg(long, value_enum, default_value = "27", help_heading = "Rules")]
    impasse: ImpasseName,
    /// Seconds that a player has to agree to a game
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..), help_heading = "Rules")]
    pub(crate) agree: u32,
    /// Seconds that a game which was broken off waits for its second player, once the first is
    /// back; then the clock runs
    #[arg(long, value_name = "SECONDS", default_value_t = 120, help_heading = "Rules")]
    pub(crate) wait: u32,

    /// Only those in this file may log in: a name and a hash on each line
    #[arg(long, value_name = "FILE", help_heading = "Players")]
    pub(crate) accounts: Option<PathBuf>,
    /// Add this name to the file of accounts, with the password on standard input, and do
    /// nothing else
    #[arg(long, value_name = "NAME", value_parser = name, requires = "accounts", help_heading = "Players")]
    pub(crate) account: Option<String>,
    /// Most connections at a time
    #[arg(long, value_name = "N", default_value_t = 256, help_heading = "Players")]
    max_connections: usize,
    /// Of these, from one address
    #[arg(long, value_name = "N", default_value_t = 32, help_heading = "Players")]
    max_per_address: usize,
    /// Lines a second that a player may send in the long run
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=10_000), help_heading = "Players")]
    max_lines: u32,
}

/// The rules of declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ImpasseName {
    /// 28 points for Black, 27 for White, win
    #[value(name = "27")]
    Points27,
    /// 31 points win, 24 to 30 are a draw
    #[value(name = "24")]
    Points24,
}

impl Serve {
    /// Host and port.
    pub(crate) fn address(&self) -> String {
        with_port(&self.listen)
    }

    pub(crate) fn rules(&self) -> Rules {
        Rules {
            unit: self.time_unit,
            least: self.least_time,
            delay: self.delay,
            max_moves: Some(self.max_moves).filter(|&most| most > 0),
            impasse: match self.impasse {
                ImpasseName::Points27 => Impasse::Points27,
                ImpasseName::Points24 => Impasse::Points24,
            },
        }
    }

    pub(crate) fn limits(&self) -> Limits {
        Limits {
            connections: self.max_connections,
            per_address: self.max_per_address,
            lines: self.max_lines,
            ..Limits::default()
        }
    }
}

/// An address with the usual port, if it has none.
pub(super) fn with_port(address: &str) -> String {
    let bare = address.rsplit_once(':').is_none_or(|(host, _)| {
        // An IPv6 address without brackets has colons and no port.
        host.contains(':') && !host.ends_with(']')
    });
    match (bare, address.contains(':') && !address.starts_with('[')) {
        (true, true) => format!("[{address}]:{PORT}"),
        (true, false) => format!("{address}:{PORT}"),
        (false, _) => address.to_owned(),
    }
}

fn name(text: &str) -> Result<String, String> {
    match is_name(text) {
        true => Ok(text.to_owned()),
        false => Err("a name has up to 32 letters, digits, - and _".to_owned()),
    }
}

fn unit(text: &str) -> Result<Duration, String> {
    TimeControl::parse_unit(text)
        .ok_or_else(|| format!("'{text}' is no unit such as 1sec or 100msec"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_port_may_be_left_out() {
        let cases = [
            ("localhost", "localhost:4081"),
            ("localhost:1", "localhost:1"),
            ("0.0.0.0", "0.0.0.0:4081"),
            ("::1", "[::1]:4081"),
            ("[::1]", "[::1]:4081"),
            ("[::1]:5", "[::1]:5"),
        ];
        for (given, expected) in cases {
            assert_eq!(with_port(given), expected);
        }
    }
}
