//! Masters and workers that meet at a router, on the loopback address.
#![allow(clippy::disallowed_methods, clippy::unwrap_used)]

mod support;

use std::net::UdpSocket;
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

use senbon_core::session::Side;
use senbon_fabric::carrier::{Address, Carrier, Delivery, Net, Router};
use senbon_fabric::keys::{Authority, Credentials, Identity};
use senbon_fabric::{Entrance, Security};
use senbon_testkit::Folder;
use support::{Lent, Master, PATIENCE, nodes};

fn free_address() -> Address {
    let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
    socket.local_addr().unwrap().to_string().parse().unwrap()
}

fn secure(folder: &Path) -> Security {
    Security::Certificates(Credentials::open(folder).unwrap())
}

fn meet_at(address: &Address, security: &Security) -> Master {
    Master::new(Arc::new(Entrance::open(None, Some(address), security).unwrap()))
}

fn dial(name: &str, address: &Address, security: &Security) -> Lent {
    Lent::start(name, 1, |deliver| Net::connect(address, security.credentials(), deliver).unwrap())
}

#[test]
fn master_and_worker_meet_at_a_router_and_prove_who_they_are() {
    let folder = Folder::new("router");
    let authority = Authority::create(&folder.path().join("keys"), 30).unwrap();
    let hub = secure(&authority.add_router("hub", 30).unwrap());
    let [attic, cellar] = ["attic", "cellar"].map(|name| authority.add_worker(name, 30).unwrap());
    let address = free_address();
    // Whoever comes first waits for the router.
    let master = meet_at(&address, &secure(&authority.master_folder()));
    let lent = dial("attic", &address, &secure(&attic));
    let router = Router::open(&address, &[], hub.credentials()).unwrap();
    assert!(master.joined().1.ends_with(" on attic"));
    master.search(1, nodes(50_000));
    assert!(master.answer().0.is_some());
    // Names and lists of revoked ones count here as well.
    let posing = dial("attic", &address, &secure(&cellar));
    let why = posing.refusal();
    assert!(why.contains("calls itself attic, but its certificate says cellar"), "{why}");
    drop(posing);
    authority.revoke("cellar").unwrap();
    let revoked = dial("cellar", &address, &secure(&cellar));
    let why = revoked.refusal();
    assert!(why.contains("the credentials of cellar were revoked"), "{why}");
    drop((revoked, lent, router));
}

#[test]
fn routers_may_be_joined() {
    let [here, there] = [free_address(), free_address()];
    let first = Router::open(&here, &[], None).unwrap();
    let second = Router::open(&there, std::slice::from_ref(&here), None).unwrap();
    let master = meet_at(&here, &Security::Open);
    let lent = dial("attic", &there, &Security::Open);
    assert!(master.joined().1.ends_with(" on attic"));
    master.search(1, nodes(50_000));
    assert!(master.answer().0.is_some());
    drop((lent, second, first));
}

#[test]
fn workers_do_not_hear_each_other_at_a_router() {
    let address = free_address();
    let router = Router::open(&address, &[], None).unwrap();
    let join = || {
        let (send, heard) = channel();
        let deliver = Box::new(move |delivery| drop(send.send(delivery)));
        (Net::connect(&address, None, deliver).unwrap(), heard)
    };
    let ((one, _ones), (two, twos)) = (join(), join());
    let (send, heard) = channel();
    let deliver = Box::new(move |delivery| drop(send.send(delivery)));
    let master = Net::master(None, Some(&address), None, deliver).unwrap();
    let found = |delivery| matches!(delivery, Ok(Delivery::Joined(_)));
    assert!(found(heard.recv_timeout(PATIENCE)) && found(heard.recv_timeout(PATIENCE)));
    assert!(found(twos.recv_timeout(PATIENCE)));
    // The master's words arrive, the other worker's do not.
    let until = Instant::now() + PATIENCE;
    loop {
        one.send(two.me(), b"worker".to_vec());
        master.send(two.me(), b"master".to_vec());
        match twos.recv_timeout(Duration::from_millis(100)) {
            Ok(Delivery::Message { from, bytes }) => {
                assert_eq!((from, &*bytes), (master.me(), &b"master"[..]));
                break;
            }
            _ => assert!(Instant::now() < until, "the master is not heard"),
        }
    }
    drop(router);
}

#[test]
fn a_router_is_neither_master_nor_worker() {
    let folder = Folder::new("router-poses");
    let authority = Authority::create(&folder.path().join("keys"), 30).unwrap();
    assert!(authority.add_router("master", 30).is_err());
    let [hub, attic] = [authority.add_router("hub", 30), authority.add_worker("attic", 30)]
        .map(|folder| Identity::open(&Credentials::open(&folder.unwrap()).unwrap()).unwrap());
    let proof = hub.prove(b"words").unwrap();
    let why = |side| attic.check(side, b"words", &proof).unwrap_err();
    assert_eq!(why(Side::Master), "its certificate is that of hub, no master");
    assert_eq!(why(Side::Worker), "its certificate is that of hub, no worker");
}
