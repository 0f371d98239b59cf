//! Fitting the weights of an evaluation to labelled positions.
//!
//! It knows nothing of any game. An evaluation that can tell which of its features a position
//! has, and how often, becomes a [`Samples`] set; [`fit`] finds the weights whose values
//! predict the labels best.
//!
//! The model is that of tapered evaluations. Every weight is a pair (early, late). With the
//! counts `c` of the features and their weights `w`, from the first side's view:
//!
//! ```text
//! value = early · (Σ c·w.early + Q(P₁.early) − Q(P₂.early))
//!       + late  · (Σ c·w.late  + L(P₁.late)  − L(P₂.late))
//! ```
//!
//! where `early` and `late` say how much of either phase the position is, and `P₁`, `P₂` are
//! two more sums with weights of their own: the pressure of the first side on the second
//! side's king and the other way round. Danger to a king grows faster than the number of its
//! attackers, so pressure counts with `Q(x) = x·max(x, 0) / 1024` and `L(x) = max(x, 0) / 16`.
//! A game without such a term leaves the pressure empty.

mod fit;
mod samples;
mod source;

pub use fit::{Options, Report, best_scale, fit, loss};
pub use samples::{Count, Samples};
pub use source::rust_source;

/// A weight in the early and in the late phase.
pub type Pair = [f32; 2];

/// The weights to find.
#[derive(Clone, Debug, PartialEq)]
pub struct Weights {
    /// Of the features that add up.
    pub linear: Vec<Pair>,
    /// Of the features of pressure.
    pub pressure: Vec<Pair>,
}

/// Divisor of the square of early pressure.
pub const SQUARE_DIVISOR: f32 = 1024.0;
/// Divisor of late pressure.
pub const LATE_DIVISOR: f32 = 16.0;
