//! The arguments of a master that takes workers of other machines.

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use senbon_fabric::carrier::Address;
use senbon_fabric::{Entrance, Security};

use crate::report::Failure;

#[derive(Debug, Args)]
pub(crate) struct Listen {
    /// Take workers of other machines, which dial this address: HOST or HOST:PORT
    #[arg(long, value_name = "ADDRESS", help_heading = "Other machines")]
    pub(crate) listen: Option<Address>,
    /// Dial a router (`senbon router`) and take the workers that come there: HOST or HOST:PORT
    #[arg(long, value_name = "ADDRESS", help_heading = "Other machines")]
    pub(crate) connect: Option<Address>,
    /// Most workers of other machines at a time
    #[arg(long, value_name = "N", default_value_t = 4096, help_heading = "Other machines")]
    max_workers: usize,
    #[command(flatten)]
    pub(crate) protection: Protection,
}

/// How a connection is protected.
#[derive(Debug, Args)]
pub(crate) struct Protection {
    /// The folder with this machine's credentials, as `senbon keys` makes it. Needed unless
    /// the address is on this machine (loopback)
    #[arg(long, value_name = "FOLDER", help_heading = "Other machines")]
    pub(crate) keys: Option<PathBuf>,
    /// Do without credentials and encryption: everybody who can reach the address gets in
    #[arg(long, conflicts_with = "keys", help_heading = "Other machines")]
    pub(crate) insecure: bool,
}

impl Protection {
    /// What fits `address`.
    pub(crate) fn choose(&self, address: &Address) -> Result<Security, Failure> {
        Security::choose(address, self.keys.as_deref(), self.insecure)
            .map_err(|error| Failure::Input(error.to_string()))
    }
}

impl Listen {
    /// Whether workers of other machines may come.
    pub(crate) fn is_open(&self) -> bool {
        self.listen.is_some() || self.connect.is_some()
    }

    /// The same as arguments of a program that is to listen in our place.
    pub(crate) fn arguments(&self) -> Vec<String> {
        let mut arguments = Vec::new();
        let addresses = [("--listen", &self.listen), ("--connect", &self.connect)];
        for (name, address) in addresses {
            if let Some(address) = address {
                arguments.extend([name.to_owned(), address.written()]);
            }
        }
        arguments.extend(["--max-workers".to_owned(), self.max_workers.to_string()]);
        if let Some(folder) = &self.protection.keys {
            arguments.extend(["--keys".to_owned(), folder.to_string_lossy().into_owned()]);
        }
        if self.protection.insecure {
            arguments.push("--insecure".to_owned());
        }
        arguments
    }

    /// Opens the entrance, if there is to be one.
    pub(crate) fn open(&self) -> Result<Option<Arc<Entrance>>, Failure> {
        let Some(security) = self.check()? else { return Ok(None) };
        let (listen, router) = (self.listen.as_ref(), self.connect.as_ref());
        let entrance = Entrance::open(listen, router, &security)?;
        Ok(Some(Arc::new(entrance.limited_to(self.max_workers))))
    }

    /// How the entrance is protected; why it could not be, if that is so.
    pub(crate) fn check(&self) -> Result<Option<Security>, Failure> {
        let mut security = None;
        for address in self.listen.iter().chain(&self.connect) {
            security = Some(self.protection.choose(address)?);
        }
        Ok(security)
    }
}
