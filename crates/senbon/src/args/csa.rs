//! The arguments of `senbon csa`.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use super::front::FrontArgs;
use super::serve::with_port;
use crate::report::Failure;

/// Where the password is when no file is named.
pub(crate) const PASSWORD: &str = "SENBON_CSA_PASSWORD";

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  senbon csa --server localhost --user one --password-file one.txt --game test-600-10
  senbon csa --server wdoor.c.u-tokyo.ac.jp --user NAME --password-file FILE \\
             --game floodgate-300-10F --floodgate --engine fairy-stockfish --workers 4

Engines and how they are joined are given as for `senbon usi`. It plays game after game, and
comes back when the link or the server was gone: a game that the server offers again goes on.
Ctrl-C or SIGTERM: it plays the game under way to its end and logs out; a second one leaves at
once. docs/csa.md has the rest.")]
pub(crate) struct Csa {
    /// The server: HOST or HOST:PORT
    #[arg(long, value_name = "ADDRESS", help_heading = "Game server")]
    server: String,
    /// The name to play under
    #[arg(long, value_name = "NAME", help_heading = "Game server")]
    pub(crate) user: String,
    /// The file whose first line is the password; SENBON_CSA_PASSWORD in the environment if not
    /// given
    #[arg(long, value_name = "FILE", help_heading = "Game server")]
    password_file: Option<PathBuf>,
    /// The game to wait for, such as floodgate-300-10F; sent before the password
    #[arg(long, value_name = "GAME", help_heading = "Game server")]
    game: Option<String>,
    /// Tell score and variation with each move, as Floodgate shows them
    #[arg(long, help_heading = "Game server")]
    pub(crate) floodgate: bool,
    /// Do not think on the opponent's time
    #[arg(long, help_heading = "Game server")]
    pub(crate) no_ponder: bool,
    /// Leave after so many games
    #[arg(long, value_name = "N", help_heading = "Game server")]
    pub(crate) games: Option<u64>,
    /// Milliseconds kept back from every move, besides what the way to the server takes
    #[arg(long, value_name = "MS", default_value_t = 150, value_parser = clap::value_parser!(u32).range(0..=5_000), help_heading = "Game server")]
    margin: u32,
    /// Print what happens as JSON, one object a line
    #[arg(long, help_heading = "Game server")]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) front: FrontArgs,
}

impl Csa {
    /// Host and port.
    pub(crate) fn address(&self) -> String {
        with_port(&self.server)
    }

    pub(crate) fn margin(&self) -> Duration {
        Duration::from_millis(u64::from(self.margin))
    }

    /// What is sent as the password.
    pub(crate) fn password(&self) -> Result<String, Failure> {
        let text = match &self.password_file {
            Some(file) => std::fs::read_to_string(file).map_err(|error| {
                Failure::Input(format!("cannot read the password in {}: {error}", file.display()))
            })?,
            None => std::env::var(PASSWORD).map_err(|_| {
                Failure::Input(format!("no password: give --password-file, or set {PASSWORD}"))
            })?,
        };
        let password = text.lines().next().unwrap_or_default().trim();
        if password.is_empty() {
            return Err(Failure::Input("the password is empty".to_owned()));
        }
        Ok(match &self.game {
            Some(game) => format!("{game},{password}"),
            None => password.to_owned(),
        })
    }
}
