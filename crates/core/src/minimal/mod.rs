//! Minimal-tree search: one fixed-depth alpha-beta over many workers (minimal-trees-2014,
//! after APHID).
//!
//! The master keeps the upper part of the tree and goes through it again and again, pass after
//! pass, as alpha-beta would if what is known so far were true. The leaves it comes by are
//! tasks; workers search them deeper and deeper and tell what they find, and the next pass
//! predicts the minimal tree anew. When a pass comes by nothing uncertain, the value of the
//! root is the value that plain negamax returns.
//!
//! [`Master`] and [`Desk`], the worker's side, are state machines: no clock, no thread. The
//! search itself is left to whoever drives a desk. A [`Foreman`] stands between the master and
//! a crew of workers where there are more of them than the master has time to talk to.
//! [`MinimalTree`] makes a coordinator of a master: orders from above, tasks below, and the
//! clock.

mod crew;
mod crews;
mod desk;
mod foreman;
mod found;
mod front;
mod ground;
mod helpers;
mod lead;
mod leaf;
mod master;
mod need;
mod node;
mod outline;
mod settings;
mod settled;
mod spares;
mod staff;
mod task;
mod tasks;
mod thinking;
mod visit;

pub use crew::{Crew, Passed};
pub use desk::{Desk, Work};
pub use foreman::Foreman;
pub use lead::{MinimalTree, Trees};
pub use leaf::LeafId;
pub use master::{Master, PassCost};
pub use outline::{Branch, Outline};
pub use settings::{Settings, Style, Windows};
pub use settled::Settled;
pub use staff::Sheet;
pub use task::{Bundle, Finding, Signature, Task};
pub use tasks::{MOST_TASKS, Shape, Tasks};
