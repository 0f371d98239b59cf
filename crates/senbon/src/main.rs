//! The `senbon` program.

fn main() {}
