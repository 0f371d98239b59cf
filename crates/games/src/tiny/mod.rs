//! Small games for tests, examples and benches.

mod connect_four;
mod connect_four_text;
mod lines;
mod threats;

pub use connect_four::{Cell, Cells, ConnectFour};
pub use lines::Lines;
pub use threats::Threats;
