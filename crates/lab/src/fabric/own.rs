//! What this process uses, and how busy the machine is, by the kernel's word.

use std::time::Duration;

/// Clock ticks in a second, as the kernel shows them to programs on every architecture.
const TICKS: u64 = 100;

/// Memory in use, in KiB; 0 where it is not told.
pub(super) fn memory_kib() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(0)
}

/// Processor time so far, of all threads; 0 where it is not told.
pub(super) fn processor_time() -> Duration {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // The program's name, which may hold anything, stands between parentheses.
    let fields = stat.rsplit_once(')').map(|(_, fields)| fields).unwrap_or_default();
    let ticks = |index| fields.split_whitespace().nth(index)?.parse::<u64>().ok();
    let total = ticks(11).unwrap_or(0) + ticks(12).unwrap_or(0);
    Duration::from_millis(total * 1_000 / TICKS)
}

/// How many processes of the whole machine wanted a core, as a mean over the last minute; 0
/// where it is not told.
pub(super) fn load() -> f64 {
    let text = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    text.split_whitespace().next().and_then(|word| word.parse().ok()).unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_and_time_are_told() {
        let before = memory_kib();
        let held = vec![1_u8; 64 << 20];
        assert!(memory_kib() > before + (32 << 10), "{before} KiB and {} bytes", held.len());
        let mut sum = 0_u64;
        while processor_time() < Duration::from_millis(50) {
            sum = (0..1_000_000_u64).fold(sum, u64::wrapping_add);
        }
        assert_ne!(sum, 1);
    }
}
