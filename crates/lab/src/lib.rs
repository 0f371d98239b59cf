//! The laboratory: experiments that measure what the rest of Senbon does.
//!
//! It starts engines, reads files and looks at the clock; the crates it measures do not.
#![allow(clippy::disallowed_methods, reason = "experiments read files, clocks and engines")]

pub mod chess_tuning;
pub mod fabric;
pub mod fidelity;
pub mod labels;
pub mod matches;
pub mod minimal;
mod parallel;
pub mod pgpp;
pub mod plot;
pub mod progress;
pub mod ranks;
pub mod regret;
pub mod score;
pub mod solve;
pub mod sprt;
pub mod tune;
pub mod vote;
