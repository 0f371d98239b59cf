//! Master and worker on two machines of a network of our own: namespaces joined by a cable that
//! can be cut. Needs the rights to make them; skipped where they are missing.
#![cfg(target_os = "linux")]
#![allow(clippy::disallowed_methods, clippy::unwrap_used)]

mod machines;

use std::process::Command;
use std::time::Instant;

use machines::Senbon;

/// Two namespaces and the cable between them; gone when dropped.
struct Machines {
    names: [String; 2],
}

fn ip(arguments: &str) -> Result<(), String> {
    let output = Command::new("ip").args(arguments.split_whitespace()).output();
    let output = output.map_err(|error| format!("ip: {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    Err(format!("ip {arguments}: {}", String::from_utf8_lossy(&output.stderr).trim()))
}

impl Machines {
    fn new() -> Result<Self, String> {
        let number = std::process::id();
        let machines = Machines { names: ["a", "b"].map(|it| format!("senbon-{number}-{it}")) };
        let [a, b] = &machines.names;
        let cable = [format!("sb{number}a"), format!("sb{number}b")];
        ip(&format!("netns add {a}"))?;
        ip(&format!("netns add {b}"))?;
        ip(&format!("link add {} netns {a} type veth peer {} netns {b}", cable[0], cable[1]))?;
        for (name, (end, address)) in
            machines.names.iter().zip(cable.iter().zip(["10.213.77.1", "10.213.77.2"]))
        {
            ip(&format!("-n {name} addr add {address}/24 dev {end}"))?;
            ip(&format!("-n {name} link set {end} name cable"))?;
            ip(&format!("-n {name} link set cable up"))?;
            ip(&format!("-n {name} link set lo up"))?;
        }
        Ok(machines)
    }

    fn run(&self, machine: usize, arguments: &[&str]) -> Senbon {
        let name = &self.names[machine];
        let mut command = Command::new("ip");
        command.args(["netns", "exec", name, env!("CARGO_BIN_EXE_senbon")]).args(arguments);
        Senbon::run(&mut command)
    }

    /// Cuts the cable, or mends it.
    fn cable(&self, state: &str) {
        ip(&format!("-n {} link set cable {state}", self.names[1])).unwrap();
    }
}

impl Drop for Machines {
    fn drop(&mut self) {
        for name in &self.names {
            let _ = ip(&format!("netns del {name}"));
        }
    }
}

#[test]
fn a_cut_cable_costs_no_answer_and_heals() {
    let machines = match Machines::new() {
        Ok(machines) => machines,
        Err(why) => return senbon_testkit::skipped(&format!("no network namespaces: {why}")),
    };
    let folder = format!("{}/keys-of-two-machines", env!("CARGO_TARGET_TMPDIR"));
    let _ = std::fs::remove_dir_all(&folder);
    let mut keys = Command::new(env!("CARGO_BIN_EXE_senbon"));
    let made = keys.args(["keys", "new", &folder, "attic"]).output().unwrap();
    assert!(made.status.success());
    let (master, attic) = (format!("{folder}/master"), format!("{folder}/workers/attic"));

    let listen = ["analyse", "--workers", "1", "--hash", "1", "--json", "--infinite"];
    let mut master = machines
        .run(0, &[&listen[..], &["--listen", "10.213.77.1:7447", "--keys", &master]].concat());
    let worker = machines
        .run(1, &["worker", "--connect", "10.213.77.1:7447", "--keys", &attic, "--slots", "1"]);
    let first = master.joined("attic");
    machines.cable("down");
    let cut = Instant::now();
    master.lost(&first);
    eprintln!("the cut was noticed after {:.2} s", cut.elapsed().as_secs_f64());
    worker.says("is free again");
    machines.cable("up");
    let healed = Instant::now();
    assert_ne!(master.joined("attic"), first);
    eprintln!("it was back after {:.2} s", healed.elapsed().as_secs_f64());
    assert!(master.answer()["move"].is_string());
}
