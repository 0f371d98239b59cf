//! What the live fabric costs and bears, on the loopback of one machine: how long an order and
//! its answer take, how many messages a second get through, and how many sessions one master
//! has at a time.
//!
//! Measured is the whole way of the live world: the master's office with its sessions and
//! codecs, the carrier, and lenders with theirs. Only the engines are stand-ins. Over the
//! network the lenders are another process, so that the master's own memory and processor time
//! can be told from theirs.

mod crowd;
mod lenders;
mod own;
mod page;
mod ping;

use std::path::PathBuf;
use std::time::{Duration, Instant};

pub use crowd::{Crowd, Sample};
pub use lenders::{Lending, lend};
pub use page::{crowd_csv, csv, markdown};
pub use ping::Ping;

use crate::progress::Progress;

/// What carries the frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// Within one process.
    Hub,
    /// TCP in the open.
    Tcp,
    /// QUIC with certificates on both sides.
    Quic,
}

impl Way {
    /// All of them.
    pub const ALL: [Way; 3] = [Way::Hub, Way::Tcp, Way::Quic];

    /// Its name as an argument.
    pub fn key(self) -> &'static str {
        match self {
            Way::Hub => "process",
            Way::Tcp => "tcp",
            Way::Quic => "quic",
        }
    }

    /// Its name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Way::Hub => "in one process",
            Way::Tcp => "TCP, in the open",
            Way::Quic => "QUIC, with credentials",
        }
    }
}

/// What is to be measured.
#[derive(Clone, Debug)]
pub struct Plan {
    /// This program, which is started again to lend.
    pub program: PathBuf,
    /// What carries them.
    pub ways: Vec<Way>,
    /// How long each exchange of messages is measured; not at all if zero.
    pub time: Duration,
    /// Sessions that exchange messages at the same time, under load.
    pub load: usize,
    /// How many of them share a connection where connections are shared.
    pub slots: usize,
    /// Sessions of the crowd; none if 0.
    pub sessions: usize,
    /// How long the crowd stays.
    pub crowd_time: Duration,
}

/// What came out.
#[derive(Clone, Debug, Default)]
pub struct Measured {
    /// Exchanges of messages.
    pub pings: Vec<Ping>,
    /// The crowd, by QUIC with credentials.
    pub crowd: Option<Crowd>,
}

/// Shows progress in seconds.
struct Meter<F> {
    began: Instant,
    /// Of all that is planned.
    total: Duration,
    tell: F,
}

impl<F: FnMut(&Progress) -> bool> Meter<F> {
    /// Tells how far it is. False when it is enough.
    fn show(&mut self) -> bool {
        let time = self.began.elapsed();
        let total = (self.total.as_secs() as usize).max(1);
        let done = (time.as_secs() as usize).min(total);
        (self.tell)(&Progress { done, fresh: done, total, time })
    }
}

/// Measures. `tell` hears how many of the planned seconds have passed, and ends it by false:
/// what there is until then is the result.
pub fn measure(plan: &Plan, tell: impl FnMut(&Progress) -> bool) -> anyhow::Result<Measured> {
    let crowds = u32::from(plan.sessions > 0);
    let kinds = [(1, 1), (plan.load, 1), (plan.load, plan.slots)];
    let exchanges =
        kinds.into_iter().flat_map(|kind| plan.ways.iter().map(move |&way| (way, kind)));
    let exchanges: Vec<_> = exchanges.filter(|_| !plan.time.is_zero()).collect();
    let total = (plan.time + ping::WARM_UP) * exchanges.len() as u32 + plan.crowd_time * crowds;
    let mut meter = Meter { began: Instant::now(), total, tell };
    let mut measured = Measured::default();
    for (way, kind) in exchanges {
        if !meter.show() {
            return Ok(measured);
        }
        measured.pings.push(ping::measure(plan, way, kind, &mut meter)?);
    }
    if plan.sessions > 0 && meter.show() {
        measured.crowd = Some(crowd::measure(plan, &mut meter)?);
    }
    Ok(measured)
}
