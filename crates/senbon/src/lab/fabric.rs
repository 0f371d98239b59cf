//! `senbon lab fabric`: what the live fabric costs and bears on loopback.

use std::fs;
use std::time::Duration;

use anyhow::Context;
use senbon_lab::fabric::{
    Crowd, Lending, Measured, Ping, Plan, Way, crowd_csv, csv, lend, markdown, measure,
};
use serde_json::{Value, json};

use super::command;
use super::progress::Bar;
use super::rank_frequency::{machine, program};
use crate::analyse::interrupt::Interrupts;
use crate::args::lab_fabric::Fabric;
use crate::report::Failure;

pub(crate) fn run(args: &Fabric) -> Result<(), Failure> {
    if let Some(address) = &args.lend {
        let pause = Duration::try_from_secs_f64(args.pause)
            .map_err(|_| Failure::Input(format!("a pause of {} s is not possible", args.pause)))?;
        let (keys, sessions, slots) = (args.keys.clone(), args.sessions, args.slots);
        return Ok(lend(&Lending { address: address.clone(), keys, sessions, slots, pause })?);
    }
    let plan = Plan {
        program: std::env::current_exe().context("this program does not know where it is")?,
        ways: if args.way.is_empty() { Way::ALL.to_vec() } else { args.way.clone() },
        time: args.seconds,
        load: args.load,
        slots: args.slots,
        sessions: args.sessions,
        crowd_time: args.minutes,
    };
    let interrupts = Interrupts::listen()?;
    let mut bar = Bar::new("seconds");
    let measured = measure(&plan, |progress| {
        bar.show(progress);
        interrupts.count() == 0
    });
    bar.end();
    let measured = measured?;
    write(args, &plan, &measured)?;
    if args.json {
        let pings: Vec<_> = measured.pings.iter().map(ping_json).collect();
        let crowd = measured.crowd.as_ref().map(crowd_json);
        println!("{}", json!({ "exchanges": pings, "crowd": crowd }));
        return Ok(());
    }
    for ping in &measured.pings {
        println!(
            "{}, {} sessions over {} connections: {:.0} µs from order to answer (99 of 100 within {:.0} µs), {:.0} \
             messages a second, master {:.2} cores",
            ping.way.name(),
            ping.sessions,
            ping.connections,
            micros(ping.median),
            micros(ping.p99),
            ping.messages_a_second(),
            ping.cores()
        );
    }
    if let Some(crowd) = &measured.crowd {
        let (before, after) = crowd.memory_mib();
        println!(
            "{} sessions for {:.0} s (joined in {:.1} s): {} searches answered, {} answers lost, \
             {} false alarms, memory {before:.1} MiB to {after:.1} MiB, master {:.3} cores",
            crowd.sessions,
            crowd.time.as_secs_f64(),
            crowd.joining.as_secs_f64(),
            crowd.answered,
            crowd.lost,
            crowd.false_alarms.0.max(crowd.false_alarms.1),
            crowd.cores()
        );
    }
    Ok(())
}

fn micros(time: Duration) -> f64 {
    time.as_secs_f64() * 1e6
}

fn ping_json(ping: &Ping) -> Value {
    json!({ "way": ping.way.name(), "sessions": ping.sessions,
            "connections": ping.connections, "seconds": ping.time.as_secs_f64(),
            "round_trips": ping.answered,
            "median_us": micros(ping.median), "p99_us": micros(ping.p99),
            "messages_per_second": ping.messages_a_second(),
            "slowest_second": ping.slowest.map(|slowest| 2 * slowest),
            "master_cores": ping.cores(), "load": ping.load })
}

fn crowd_json(crowd: &Crowd) -> Value {
    let (before, after) = crowd.memory_mib();
    json!({ "sessions": crowd.sessions, "joining_seconds": crowd.joining.as_secs_f64(),
            "left_while_joining": crowd.left_while_joining,
            "seconds": crowd.time.as_secs_f64(), "ordered": crowd.given,
            "answered": crowd.answered, "answered_by_workers": crowd.said, "lost": crowd.lost,
            "false_alarms_master": crowd.false_alarms.0,
            "false_alarms_workers": crowd.false_alarms.1, "alarms": crowd.alarms,
            "memory_before_mib": before, "memory_after_mib": after,
            "master_cores": crowd.cores(), "load": crowd.load().0 })
}

fn write(args: &Fabric, plan: &Plan, measured: &Measured) -> Result<(), Failure> {
    let Some(folder) = &args.out else { return Ok(()) };
    fs::create_dir_all(folder)
        .with_context(|| format!("cannot make the folder {}", folder.display()))?;
    let run = format!("`{}`, {}, on {}.", command(), program(), machine());
    for (name, text) in [
        ("fabric.md", markdown(plan, measured, &run)),
        ("fabric.csv", csv(measured)),
        ("fabric-crowd.csv", crowd_csv(measured)),
    ] {
        let path = folder.join(name);
        fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(())
}
