//! The live world: drives a coordinator by the wall clock, and carries orders and reports
//! between it and its workers. Workers are in this process (built-in engines) or its children
//! (other people's engines).
#![allow(clippy::disallowed_methods, reason = "the live world has threads and a clock")]

pub mod front;
mod view;
mod world;

pub use view::{View, ViewNode};
pub use world::{News, WorkerSource, World};
