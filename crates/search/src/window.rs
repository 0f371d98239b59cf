//! The range of values a search must tell apart.

use crate::value::{INFINITE, Value};

/// A search window: values at `alpha` and below, and at `beta` and above, need not be exact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// The lower end: the side to move can have this much elsewhere.
    pub alpha: Value,
    /// The upper end: the opponent will not allow this much.
    pub beta: Value,
}

impl Window {
    /// Every value is inside.
    pub const OPEN: Self = Window { alpha: -INFINITE, beta: INFINITE };

    /// The values between `alpha` and `beta`, which must be larger.
    pub const fn new(alpha: Value, beta: Value) -> Self {
        assert!(alpha < beta, "a window has room inside");
        Window { alpha, beta }
    }

    /// Asks only whether the value is above `alpha`.
    pub const fn above(alpha: Value) -> Self {
        Window::new(alpha, alpha + 1)
    }

    /// The same window, seen by the other side.
    pub const fn turned(self) -> Self {
        Window { alpha: -self.beta, beta: -self.alpha }
    }
}
