//! The measurements as a page for people and as tables for programs.

use std::fmt::Write;

use super::{Crowd, Measured, Plan, Sample};

/// One line an exchange of messages.
pub fn csv(measured: &Measured) -> String {
    let mut text = String::from(
        "way,sessions,connections,seconds,round_trips,median_us,p99_us,messages_per_second,\
         slowest_second,master_cores,load\n",
    );
    for ping in &measured.pings {
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "{},{},{},{:.3},{},{:.1},{:.1},{:.0},{},{:.3},{:.2}",
            ping.way.name().replace(',', ""),
            ping.sessions,
            ping.connections,
            ping.time.as_secs_f64(),
            ping.answered,
            ping.median.as_secs_f64() * 1e6,
            ping.p99.as_secs_f64() * 1e6,
            ping.messages_a_second(),
            ping.slowest.map_or(String::new(), |slowest| (2 * slowest).to_string()),
            ping.cores(),
            ping.load
        );
    }
    text
}

/// One line a moment of the crowd.
pub fn crowd_csv(measured: &Measured) -> String {
    let mut text = String::from("seconds,sessions,answered,memory_kib,master_cores,load\n");
    for sample in measured.crowd.iter().flat_map(|crowd| &crowd.samples) {
        let Sample { at, sessions, answered, memory_kib, cores, load } = sample;
        let at = at.as_secs_f64();
        let _ = writeln!(text, "{at:.1},{sessions},{answered},{memory_kib},{cores:.3},{load:.2}");
    }
    text
}

/// A page. `run` says by which command, commit and machine.
pub fn markdown(plan: &Plan, measured: &Measured, run: &str) -> String {
    let mut text = format!(
        "# The fabric on loopback\n\n{run}\n\nMaster and workers are two processes on one \
         machine, except in the rows within one process. Measured is the whole way: the \
         master's office, sessions, codecs, carrier, lender, and a stand-in in place of an \
         engine that answers at once. The load is the machine's, by the kernel: how many wanted \
         a core, these two included.\n"
    );
    if !measured.pings.is_empty() {
        exchanges(&mut text, plan, measured);
    }
    if let Some(crowd) = &measured.crowd {
        self::crowd(&mut text, crowd);
    }
    text
}

// Writing to a string cannot fail.
fn exchanges(text: &mut String, plan: &Plan, measured: &Measured) {
    let _ = write!(
        text,
        "\n## Orders and answers\n\nEvery session has one order on its way at any time, for \
         {:.1} s. Messages are orders and answers together. Sessions that share a connection are \
         like the engines of one machine.\n\n\
         | way | sessions | connections | from order to answer: median | 99 of 100 within | \
         messages a second | in the slowest second | cores of the master | load |\n\
         |---|---|---|---|---|---|---|---|---|\n",
        plan.time.as_secs_f64()
    );
    for ping in &measured.pings {
        let _ = writeln!(
            text,
            "| {} | {} | {} | {:.0} µs | {:.0} µs | {:.0} | {} | {:.2} | {:.1} |",
            ping.way.name(),
            ping.sessions,
            ping.connections,
            ping.median.as_secs_f64() * 1e6,
            ping.p99.as_secs_f64() * 1e6,
            ping.messages_a_second(),
            ping.slowest.map_or("–".to_owned(), |slowest| (2 * slowest).to_string()),
            ping.cores(),
            ping.load
        );
    }
}

fn crowd(text: &mut String, crowd: &Crowd) {
    let (before, after) = crowd.memory_mib();
    let (load, most_load) = crowd.load();
    let _ = write!(
        text,
        "\n## {} sessions with one master\n\nBy QUIC with credentials, each with a connection of \
         its own; every worker answers a search once a second.\n\n| | |\n|---|---|\n\
         | all had joined after | {:.1} s |\n| sessions that ended before that | {} |\n\
         | they stayed for | {:.0} s |\n\
         | searches ordered, answered | {}, {} |\n| answers lost | {} |\n\
         | sessions that ended though nobody left: seen by the master, by the workers | {}, {} |\n\
         | memory of the master at the beginning, at the end | {before:.1} MiB, {after:.1} MiB |\n\
         | cores of the master | {:.3} |\n\
         | load: mean, most | {load:.1}, {most_load:.1} |\n",
        crowd.sessions,
        crowd.joining.as_secs_f64(),
        crowd.left_while_joining,
        crowd.time.as_secs_f64(),
        crowd.given,
        crowd.answered,
        crowd.lost,
        crowd.false_alarms.0,
        crowd.false_alarms.1,
        crowd.cores()
    );
    for (number, alarm) in crowd.alarms.iter().enumerate() {
        let before = if number == 0 { "\nFalse alarms:\n\n" } else { "" };
        let _ = writeln!(text, "{before}- {alarm}");
    }
}
