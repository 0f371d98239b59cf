//! Masters and workers on machines of a network of our own, with other people's engines:
//! workers are killed, freeze, are cut off and come back; lines are long and lossy. Needs the
//! rights to make network namespaces; skipped where they are missing.
#![cfg(target_os = "linux")]
#![allow(clippy::disallowed_methods, clippy::unwrap_used)]

mod faults;
mod line;
mod lines;
#[path = "../machines/mod.rs"]
mod machines;
mod net;
mod pulse;
mod sites;
#[path = "../support/mod.rs"]
mod support;
mod timely;
