//! The arguments of `senbon keys`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

/// How long credentials are valid if not said otherwise: two years.
const USUAL_DAYS: u32 = 730;

#[derive(Debug, Subcommand)]
pub(crate) enum Keys {
    /// Make an authority and the master's credentials
    #[command(after_help = "FOLDER/master is what the master's machine needs (--keys), \
FOLDER/workers/NAME what a worker's needs. The rest of FOLDER makes credentials: keep it where \
nobody else can read it.")]
    New(New),
    /// Make credentials for workers
    Worker(Worker),
    /// Make credentials for routers
    Router(Worker),
    /// Refuse a worker from now on
    Revoke(Revoke),
    /// Tell which workers have credentials
    List(List),
}

#[derive(Debug, Args)]
pub(crate) struct New {
    /// The folder to be made
    pub(crate) folder: PathBuf,
    /// Names of workers that get credentials at once
    pub(crate) workers: Vec<String>,
    /// How many days the credentials are valid
    #[arg(long, value_name = "N", default_value_t = USUAL_DAYS)]
    pub(crate) days: u32,
}

#[derive(Debug, Args)]
pub(crate) struct Worker {
    /// The folder of the authority
    pub(crate) folder: PathBuf,
    /// Their names
    #[arg(required = true)]
    pub(crate) names: Vec<String>,
    /// How many days the credentials are valid
    #[arg(long, value_name = "N", default_value_t = USUAL_DAYS)]
    pub(crate) days: u32,
}

#[derive(Debug, Args)]
pub(crate) struct Revoke {
    /// The folder of the authority
    pub(crate) folder: PathBuf,
    /// Names of the workers
    #[arg(required = true)]
    pub(crate) names: Vec<String>,
}

#[derive(Debug, Args)]
pub(crate) struct List {
    /// The folder of the authority
    pub(crate) folder: PathBuf,
}
