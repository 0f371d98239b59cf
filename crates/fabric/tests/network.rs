//! Workers over the network, on the loopback address: joins, certificates, refusals.
#![allow(clippy::disallowed_methods, clippy::unwrap_used)]

mod support;

use std::net::UdpSocket;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

use senbon_fabric::carrier::{Address, Carrier, Delivery, Net};
use senbon_fabric::keys::{Authority, Credentials};
use senbon_fabric::{Entrance, News, Security, SecurityError};
use support::{Lent, Master, PATIENCE, nodes};

/// Long enough for a worker that may join to have joined, on a machine that is not too busy;
/// on a busier one a wrong join may be missed, but nothing is reported that is not so.
const A_WHILE: Duration = Duration::from_secs(4);

fn free_address() -> Address {
    let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
    socket.local_addr().unwrap().to_string().parse().unwrap()
}

/// A folder of this test's own.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    folder
}

fn secure(folder: &Path) -> Security {
    Security::Certificates(Credentials::open(folder).unwrap())
}

fn listen(address: &Address, security: &Security) -> Master {
    Master::new(Arc::new(Entrance::listen(address, security).unwrap()))
}

fn dial(name: &str, address: &Address, security: &Security) -> Lent {
    Lent::start(name, 1, |deliver| Net::connect(address, security.credentials(), deliver).unwrap())
}

#[test]
fn a_worker_joins_over_tcp_searches_and_leaves() {
    let address = free_address();
    // The worker is there first, and dials until the master is.
    let lent = dial("attic", &address, &Security::Open);
    let master = listen(&address, &Security::Open);
    assert!(master.joined().1.ends_with(" on attic"));
    master.search(1, nodes(50_000));
    assert!(master.answer().0.is_some());
    drop(lent);
    assert!(master.left().1.contains("its owner ended it"));
}

#[test]
fn with_certificates_only_the_invited_come_in() {
    let keys = folder("certificates");
    let authority = Authority::create(&keys, 30).unwrap();
    let [good, bad] = ["good", "bad"].map(|name| authority.add_worker(name, 30).unwrap());
    let other = Authority::create(&folder("other-certificates"), 30).unwrap();
    let foreign = other.add_worker("good", 30).unwrap();
    let expired = authority.add_worker("expired", 0).unwrap();

    let address = free_address();
    let master = listen(&address, &secure(&authority.master_folder()));
    let lent = dial("good", &address, &secure(&good));
    assert!(master.joined().1.ends_with(" on good"));
    master.search(1, nodes(50_000));
    assert!(master.answer().0.is_some());

    // A worker that uses the name of another.
    let posing = dial("good", &address, &secure(&bad));
    let why = posing.refusal();
    assert!(why.contains("calls itself good, but its certificate says bad"), "{why}");
    drop(posing);
    // Revoked while the master runs.
    authority.revoke("bad").unwrap();
    let revoked = dial("bad", &address, &secure(&bad));
    let why = revoked.refusal();
    assert!(why.contains("the credentials of bad were revoked"), "{why}");
    drop(revoked);
    // These do not get as far as that.
    let strangers = [
        dial("good", &address, &secure(&foreign)),
        dial("expired", &address, &secure(&expired)),
        dial("good", &address, &Security::Open),
    ];
    master.wait("word of a stranger", |news| match news {
        News::Refused(line) => line.contains("a connection was not made").then_some(()),
        News::Joined(_, ability) => panic!("{} has joined", ability.name),
        _ => None,
    });
    assert!(master.stays_alone(A_WHILE));
    drop(strangers);
    // And all the while the master works.
    master.search(2, nodes(50_000));
    assert!(master.answer().0.is_some());
    // Revoked in the middle of a session: it ends, and the worker hears why.
    authority.revoke("good").unwrap();
    let (_, why) = master.left();
    assert!(why.contains("the credentials of good were revoked"), "{why}");
    let why = lent.refusal();
    assert!(why.contains("the credentials of good were revoked"), "{why}");
}

#[test]
fn a_worker_cannot_pose_as_the_master() {
    let authority = Authority::create(&folder("posing-master"), 30).unwrap();
    let [one, two] = ["one", "two"].map(|name| authority.add_worker(name, 30).unwrap());
    let address = free_address();
    let false_master = listen(&address, &secure(&one));
    let lent = dial("two", &address, &secure(&two));
    assert!(false_master.stays_alone(A_WHILE));
    drop(lent);
}

#[test]
fn open_addresses_need_the_word() {
    let loopback: Address = "127.0.0.1".parse().unwrap();
    let everywhere: Address = "0.0.0.0".parse().unwrap();
    let quic: Address = "quic/127.0.0.1".parse().unwrap();
    let tcp: Address = "tcp/127.0.0.1".parse().unwrap();
    assert_eq!(Security::choose(&loopback, None, false).unwrap(), Security::Open);
    let refused = Security::choose(&everywhere, None, false).unwrap_err();
    assert!(refused.to_string().contains("senbon keys new"), "{refused}");
    assert_eq!(Security::choose(&everywhere, None, true).unwrap(), Security::Open);
    assert!(matches!(Security::choose(&quic, None, true), Err(SecurityError::NoKeys(_))));
    let keys = folder("no-keys");
    let kept = Security::choose(&tcp, Some(&keys), false);
    assert!(matches!(kept, Err(SecurityError::KeysInTheOpen(_))));
    let missing = Security::choose(&everywhere, Some(&keys), false).unwrap_err();
    assert!(missing.to_string().contains("authority.pem"), "{missing}");
}

#[test]
fn an_address_in_use_is_told() {
    let address = free_address();
    let first = Entrance::listen(&address, &Security::Open).unwrap();
    let second = Entrance::listen(&address, &Security::Open);
    let why = second.err().expect("the same address twice").to_string();
    assert!(why.contains("cannot listen on 127.0.0.1"), "{why}");
    drop(first);
}

/// Whoever was heard of can be written to at once: with the library's default streams the
/// first messages of a connection get lost.
#[test]
fn the_first_messages_of_a_connection_arrive() {
    let authority = Authority::create(&folder("first-messages"), 30).unwrap();
    let worker = secure(&authority.add_worker("worker", 30).unwrap());
    let master = secure(&authority.master_folder());
    let address = free_address();
    let (send, heard) = channel();
    let deliver = Box::new(move |delivery| drop(send.send(delivery)));
    let listening = Net::listen(&address, master.credentials(), deliver).unwrap();
    for round in 0..10 {
        let (found, answers) = channel();
        let deliver = Box::new(move |delivery| drop(found.send(delivery)));
        let dialling = Net::connect(&address, worker.credentials(), deliver).unwrap();
        let Ok(Delivery::Joined(to)) = answers.recv_timeout(PATIENCE) else { panic!("no master") };
        assert_eq!(to, listening.me());
        // As sessions do it: knock until there is an answer.
        let until = Instant::now() + PATIENCE;
        let from = loop {
            dialling.send(to, vec![round]);
            match heard.recv_timeout(Duration::from_millis(50)) {
                Ok(Delivery::Message { from, bytes }) if bytes == [round] => break from,
                _ => assert!(Instant::now() < until, "nobody hears the knocking"),
            }
        };
        assert_eq!(from, dialling.me());
        for number in 0..20 {
            listening.send(from, vec![round, number]);
            dialling.send(to, vec![round, number]);
        }
        let (mut down, mut up) = (Vec::new(), Vec::new());
        while down.len() < 20 || up.len() < 20 {
            let (inbox, got) =
                if down.len() < 20 { (&answers, &mut down) } else { (&heard, &mut up) };
            match inbox.recv_timeout(PATIENCE).expect("a first message is lost") {
                Delivery::Message { bytes, .. } if bytes.len() == 2 => got.push(bytes[1]),
                _ => {}
            }
        }
        assert!(down.iter().copied().eq(0..20) && up.iter().copied().eq(0..20));
    }
}
