//! `senbon router`: a meeting place for masters and workers.

use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::time::Duration;

use senbon_fabric::carrier;

use crate::args::router::Router;
use crate::report::Failure;

/// How often refused connections are told.
const ROUND: Duration = Duration::from_secs(1);

pub(crate) fn run(args: &Router) -> Result<(), Failure> {
    let security = args.protection.choose(&args.listen)?;
    for other in &args.connect {
        args.protection.choose(other)?;
    }
    let router = carrier::Router::open(&args.listen, &args.connect, security.credentials())?;
    let (quit, ended) = sync_channel(1);
    ctrlc::set_handler(move || {
        let _ = quit.try_send(());
    })?;
    println!("routes at {}", args.listen);
    let mut last = None;
    while let Err(RecvTimeoutError::Timeout) = ended.recv_timeout(ROUND) {
        for why in router.refused() {
            if last.as_ref() != Some(&why) {
                println!("{why}");
                last = Some(why);
            }
        }
    }
    println!("the router has ended");
    Ok(())
}
