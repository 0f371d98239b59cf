//! How much less deep late moves are searched.

/// Reduction in plies for the `number`th move (from 1) at `depth`, before adjustments:
/// 0.3 + ln(depth) · ln(number) / 2.2, rounded down, in integers so that it is the same on
/// every machine.
pub(super) fn base(depth: i32, number: usize) -> i32 {
    let depth = ln_1024(depth.clamp(1, 255) as u64);
    let number = ln_1024(number.clamp(1, 255) as u64);
    ((307 + depth * number / 2253) / 1024) as i32
}

/// Natural logarithm in 1024ths, by the leading bit and a linear step within it.
const fn ln_1024(x: u64) -> u64 {
    let whole = x.ilog2() as u64;
    let fraction = (x << 10 >> whole) - 1024;
    (whole * 1024 + fraction) * 710 / 1024
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reductions_grow_with_depth_and_number() {
        assert_eq!(base(1, 10), 0);
        assert_eq!(base(3, 4), 0);
        assert!((2..=3).contains(&base(8, 16)));
        assert!((5..=7).contains(&base(24, 60)));
        for depth in 1..60 {
            for number in 1..100 {
                assert!(base(depth, number) <= base(depth + 1, number));
                assert!(base(depth, number) <= base(depth, number + 1));
            }
        }
    }
}
