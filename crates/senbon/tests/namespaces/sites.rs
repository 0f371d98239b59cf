//! Two sites that cannot reach each other, each behind a gateway that translates addresses:
//! master and worker meet at a router on the network between.

use crate::faults::answers;
use crate::net::Network;

/// A gateway hides its site behind its own address.
fn hide(network: &Network, gateway: &str) -> Result<(), String> {
    network.tool(gateway, "sysctl -q -w net.ipv4.ip_forward=1")?;
    network.tool(gateway, "nft add table ip nat")?;
    let chain = "{ type nat hook postrouting priority 100 ; }";
    network.tool(gateway, &format!("nft add chain ip nat out {chain}"))?;
    network.tool(gateway, "nft add rule ip nat out oifname to-hub masquerade")
}

fn two_sites() -> Option<Network> {
    let machines = &["hub", "gate-1", "gate-2", "master", "attic"];
    let cables = &[["hub", "gate-1"], ["hub", "gate-2"], ["gate-1", "master"], ["gate-2", "attic"]];
    let network = Network::new(machines, cables)?;
    let hidden = hide(&network, "gate-1").and_then(|()| hide(&network, "gate-2"));
    if let Err(why) = hidden {
        senbon_testkit::skipped(&format!("no translation of addresses: {why}"));
        return None;
    }
    network.ip("master", "route add default via 10.213.2.1").unwrap();
    network.ip("attic", "route add default via 10.213.3.1").unwrap();
    Some(network)
}

#[test]
fn two_sites_behind_translated_addresses_meet_at_a_router() {
    let Some(engine) = senbon_testkit::engine("stockfish") else { return };
    let Some(network) = two_sites() else { return };
    let keys = network.keys("routers/hub");
    let route = || network.run("hub", &["router", "--listen", "0.0.0.0", "--keys", &keys]);
    let mut router = route();
    let keys = network.keys("master");
    let mut master = network.run(
        "master",
        &[
            "analyse",
            "--workers",
            "0",
            "--json",
            "--infinite",
            "--connect",
            "10.213.0.1",
            "--keys",
            &keys,
        ],
    );
    let attic = network.worker("attic", "10.213.1.1", &engine.to_string_lossy());
    let first = master.joined("attic");
    master.event("line");
    // The router is started again: all find back to it by themselves.
    router.signal("KILL");
    router.child.wait().unwrap();
    master.lost(&first);
    attic.says("is free again");
    router = route();
    assert_ne!(master.joined("attic"), first);
    master.event("line");
    answers(&mut master);
    router.signal("TERM");
    router.says("the router has ended");
}
