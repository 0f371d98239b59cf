//! One worker that is frozen under load must not stall the others: with sends that wait, the
//! library holds up everybody for as long as it waits for that one.
#![cfg(target_os = "linux")]
#![allow(clippy::disallowed_methods, clippy::unwrap_used)]

mod machines;

use std::process::Command;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use machines::{Senbon, free_address};
use senbon_core::session::PeerId;
use senbon_fabric::carrier::{Address, Carrier, Delivery, Net};
use senbon_fabric::keys::Credentials;
use senbon_testkit::Folder;

/// How long anything may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);
/// More than all buffers on the way take: so many messages of this size.
const ROUNDS: u32 = 600;
const HEAVY: usize = 64 * 1024;
/// With sends that wait, one of them takes five seconds.
const LONGEST: Duration = Duration::from_secs(3);

/// A master's end without a master behind it, and what it hears.
fn master(address: &Address, keys: Option<&Credentials>) -> (Net, Receiver<Delivery>) {
    let (send, heard) = channel();
    let deliver = Box::new(move |delivery| drop(send.send(delivery)));
    (Net::listen(address, keys, deliver).unwrap(), heard)
}

/// The next one who says something that `wanted` likes.
fn sender(heard: &Receiver<Delivery>, wanted: impl Fn(&[u8]) -> bool) -> PeerId {
    loop {
        match heard.recv_timeout(PATIENCE).unwrap() {
            Delivery::Message { from, bytes } if wanted(&bytes) => return from,
            _ => {}
        }
    }
}

/// Workers send to the master until it hears them, as sessions do.
fn knock(worker: &Net, heard: &Receiver<Delivery>, at_master: &Receiver<Delivery>) -> PeerId {
    let until = Instant::now() + PATIENCE;
    let master = loop {
        if let Delivery::Joined(master) = heard.recv_timeout(PATIENCE).unwrap() {
            break master;
        }
    };
    loop {
        worker.send(master, b"knock".to_vec());
        match at_master.recv_timeout(Duration::from_millis(100)) {
            Ok(Delivery::Message { from, bytes }) if bytes == b"knock" => return from,
            _ => assert!(Instant::now() < until, "nobody hears the worker"),
        }
    }
}

fn one_is_frozen(folders: Option<[String; 3]>) {
    let address = free_address();
    let keys = folders
        .as_ref()
        .map(|all| [&all[0], &all[2]].map(|folder| Credentials::open(folder.as_ref()).unwrap()));
    let parsed: Address = address.parse().unwrap();
    let (listening, at_master) = master(&parsed, keys.as_ref().map(|keys| &keys[0]));
    let mut dial = vec!["worker", "--connect", &address, "--slots", "1", "--hash", "1"];
    if let Some(folders) = &folders {
        dial.extend(["--keys", &folders[1]]);
    }
    let worker = Senbon::start(&dial);
    let frozen = sender(&at_master, |bytes| bytes != b"knock");
    let (send, heard) = channel();
    let deliver = Box::new(move |delivery| drop(send.send(delivery)));
    let sound = Net::connect(&parsed, keys.as_ref().map(|keys| &keys[1]), deliver).unwrap();
    let sound_id = knock(&sound, &heard, &at_master);

    worker.signal("STOP");
    let mut longest = Duration::ZERO;
    for round in 0..ROUNDS {
        let began = Instant::now();
        listening.send(frozen, vec![0; HEAVY]);
        listening.send(sound_id, round.to_le_bytes().to_vec());
        longest = longest.max(began.elapsed());
        std::thread::sleep(Duration::from_millis(1));
    }
    assert!(longest < LONGEST, "a send took {longest:.1?}");
    // Sessions send again what is lost; here most of it must come by itself.
    let mut arrived = 0;
    while arrived < ROUNDS / 2 {
        match heard.recv_timeout(PATIENCE) {
            Ok(Delivery::Message { .. }) => arrived += 1,
            Ok(Delivery::Left(_)) => panic!("the sound worker has lost its master"),
            Ok(Delivery::Joined(_)) => {}
            Err(_) => panic!("{arrived} of {ROUNDS} arrived at the sound worker"),
        }
    }
    eprintln!("the longest send took {longest:.1?}");
    worker.signal("CONT");
}

#[test]
fn in_the_open() {
    one_is_frozen(None);
}

#[test]
fn with_certificates() {
    let folder = Folder::new("frozen-worker");
    let keys = folder.file("keys");
    let mut command = Command::new(env!("CARGO_BIN_EXE_senbon"));
    let made = command.args(["keys", "new", &keys, "frozen", "sound"]).output().unwrap();
    assert!(made.status.success());
    let folders = ["master", "workers/frozen", "workers/sound"];
    one_is_frozen(Some(folders.map(|name| format!("{keys}/{name}"))));
}
