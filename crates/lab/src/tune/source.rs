//! Weights as Rust source.

use std::fmt::Write;

use super::Pair;

/// Rust source of a constant with all pairs, rounded, group by group.
///
/// `groups` are names and lengths in the order of the weights. `open` and `close` stand around
/// the groups, such as `"pub(super) const W: [(i16, i16); 3] = [\n"` and `"];\n"`.
pub fn rust_source(open: &str, close: &str, groups: &[(&str, usize)], pairs: &[Pair]) -> String {
    let mut text = open.to_owned();
    let mut rest = pairs;
    for &(name, len) in groups {
        let (group, after) = rest.split_at(len.min(rest.len()));
        rest = after;
        // Writing to a string cannot fail.
        let _ = writeln!(text, "    // {name}");
        for row in group.chunks(8) {
            let cells: Vec<String> = row
                .iter()
                .map(|[early, late]| format!("({}, {})", early.round() as i32, late.round() as i32))
                .collect();
            let _ = writeln!(text, "    {},", cells.join(", "));
        }
    }
    text + close
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_follow_each_other() {
        let pairs = [[1.4, -2.6], [3.0, 4.0], [-0.2, 0.0]];
        let text =
            rust_source("const W: [(i16, i16); 3] = [\n", "];\n", &[("a", 1), ("b", 2)], &pairs);
        let expected = "const W: [(i16, i16); 3] = [\n    // a\n    (1, -3),\n    // b\n    \
                        (3, 4), (0, 0),\n];\n";
        assert_eq!(text, expected);
    }
}
