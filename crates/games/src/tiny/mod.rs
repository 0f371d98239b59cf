//! Small games for tests, examples and benches.

mod connect_four;
mod connect_four_text;
mod threats;

pub use connect_four::{Column, Columns, ConnectFour};
pub use threats::Threats;
