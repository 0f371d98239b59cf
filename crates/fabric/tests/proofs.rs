//! Who proves who he is, and who is refused, with a master that searches all the while. The
//! intruder here speaks the protocol itself, over a connection that is in order.
#![allow(clippy::disallowed_methods, clippy::unwrap_used)]

mod support;

use std::net::UdpSocket;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use senbon_core::session::{
    Body, Candidate, Challenge, Frame, Hello, LEASE, PeerId, SessionId, Side, frames,
};
use senbon_core::{Ability, Fault, Limits};
use senbon_fabric::carrier::{Address, Carrier, Delivery, Net};
use senbon_fabric::keys::{Authority, Credentials, Identity};
use senbon_fabric::{Entrance, Security};
use senbon_testkit::Folder;
use support::{Lent, Master, PATIENCE};

/// A master with credentials, the authority they are from, and where it listens.
struct House {
    _folder: Folder,
    authority: Authority,
    address: Address,
    master: Master,
}

impl House {
    fn new(name: &str) -> Self {
        let folder = Folder::new(name);
        let authority = Authority::create(&folder.path().join("keys"), 30).unwrap();
        let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
        let address: Address = socket.local_addr().unwrap().to_string().parse().unwrap();
        drop(socket);
        let credentials = Credentials::open(&authority.master_folder()).unwrap();
        let security = Security::Certificates(credentials);
        let master = Master::new(Arc::new(Entrance::listen(&address, &security).unwrap()));
        master.search(1, Limits { infinite: true, ..Limits::default() });
        House { _folder: folder, authority, address, master }
    }

    fn credentials(&self, name: &str, days: u32) -> Credentials {
        Credentials::open(&self.authority.add_worker(name, days).unwrap()).unwrap()
    }

    /// The search is under way and can be ended.
    fn still_searches(&self) {
        let credentials = self.credentials("honest", 30);
        let lent = Lent::start("honest", 1, |deliver| {
            Net::connect(&self.address, Some(&credentials), deliver).unwrap()
        });
        while !self.master.joined().1.ends_with(" on honest") {}
        std::thread::sleep(Duration::from_millis(300));
        self.master.world.order(senbon_core::Order::Stop(senbon_core::Epoch(1)));
        assert!(self.master.answer().0.is_some());
        drop(lent);
    }
}

fn ability() -> Ability {
    Ability {
        name: "An engine".to_owned(),
        game: "chess".to_owned(),
        speed: 1,
        restricts: true,
        counts_nodes: true,
        harvests: true,
        several_lines: true,
        tasks: false,
        berth: None,
    }
}

/// Somebody with a connection who says what he likes.
struct Intruder {
    net: Net,
    heard: Receiver<Delivery>,
    master: PeerId,
}

impl Intruder {
    fn new(house: &House, credentials: &Credentials) -> Self {
        let (send, heard) = channel();
        let deliver = Box::new(move |delivery| drop(send.send(delivery)));
        let net = Net::connect(&house.address, Some(credentials), deliver).unwrap();
        let master = loop {
            if let Delivery::Joined(master) = heard.recv_timeout(PATIENCE).unwrap() {
                break master;
            }
        };
        Intruder { net, heard, master }
    }

    fn candidate(&self, session: u128, name: &str) -> Candidate {
        let hello = Hello { master: self.master, name: name.to_owned(), ability: ability() };
        Candidate { session: SessionId(session), peer: self.net.me(), hello }
    }

    fn say(&self, session: SessionId, body: Body) {
        self.net.send(self.master, Frame { session, body }.write());
    }

    /// What the master answers, if it does so before `until`.
    fn answer(&self, session: SessionId, until: Instant) -> Option<Body> {
        loop {
            let left = until.saturating_duration_since(Instant::now());
            let Delivery::Message { bytes, .. } = self.heard.recv_timeout(left).ok()? else {
                continue;
            };
            let found = frames(&bytes).flatten().find(|frame| frame.session == session);
            if let Some(frame) = found {
                return Some(frame.body);
            }
        }
    }

    /// Says something again and again until there is an answer.
    fn ask(&self, session: SessionId, body: &Body) -> Body {
        for _ in 0..200 {
            self.say(session, body.clone());
            let until = Instant::now() + Duration::from_millis(300);
            if let Some(answer) = self.answer(session, until) {
                return answer;
            }
        }
        panic!("no answer to {body:?}");
    }

    /// Says hello and answers the challenge by what `proof` makes of it; how that ends.
    fn knock(&self, candidate: &Candidate, proof: impl Fn(&Challenge) -> Vec<u8>) -> Body {
        let hello = Body::Hello(candidate.hello.clone());
        let Body::Challenge(challenge) = self.ask(candidate.session, &hello) else {
            panic!("not asked for a proof")
        };
        self.say(candidate.session, Body::Proof(proof(&challenge)));
        loop {
            let until = Instant::now() + PATIENCE;
            match self.answer(candidate.session, until).expect("no verdict") {
                // To a hello that was repeated.
                Body::Challenge(_) => {}
                verdict => return verdict,
            }
        }
    }
}

fn reason(verdict: Body) -> String {
    match verdict {
        Body::Refuse { reason } => reason,
        other => panic!("not refused: {other:?}"),
    }
}

#[test]
fn only_a_proof_of_ones_own_for_this_session_will_do() {
    let house = House::new("proofs");
    let credentials = house.credentials("attic", 30);
    let identity = Identity::open(&credentials).unwrap();
    let intruder = Intruder::new(&house, &credentials);
    let honest = |candidate: &Candidate| {
        let candidate = candidate.clone();
        let identity = &identity;
        move |asked: &Challenge| {
            let statement = candidate.statement(Side::Master, &asked.challenge);
            let proved = identity.check(Side::Master, &statement, &asked.proof);
            assert_eq!(proved.as_deref(), Ok("master"), "the master proves itself first");
            identity.prove(&candidate.statement(Side::Worker, &asked.challenge)).unwrap()
        }
    };
    // In order, and recorded.
    let first = intruder.candidate(1, "attic");
    let recorded = std::cell::RefCell::default();
    let verdict = intruder.knock(&first, |asked| {
        let proof = honest(&first)(asked);
        *recorded.borrow_mut() = proof.clone();
        proof
    });
    assert_eq!(verdict, Body::Welcome { lease: LEASE });
    let (number, _) = house.master.joined();
    intruder.say(first.session, Body::Leave(Fault::Died("done".to_owned())));
    assert_eq!(house.master.left().0, number);
    // What was recorded is of no use in another session, nor without a challenge.
    let second = intruder.candidate(2, "attic");
    let why = reason(intruder.knock(&second, |_| recorded.borrow().clone()));
    assert!(why.contains("was recorded"), "{why}");
    let why = reason(intruder.ask(SessionId(3), &Body::Proof(recorded.borrow().clone())));
    assert!(why.contains("nobody asked for this proof"), "{why}");
    // Without a proof, with a broken one, with one over something else.
    let knock = |session, name: &str, proof: &dyn Fn(&Challenge) -> Vec<u8>| {
        reason(intruder.knock(&intruder.candidate(session, name), proof))
    };
    assert!(knock(4, "attic", &|_| Vec::new()).contains("cut off"));
    assert!(knock(5, "attic", &|_| vec![0xff; 4096]).contains("cut off"));
    assert!(knock(6, "attic", &|_| vec![9; 4096]).contains("cannot be read"));
    let other = intruder.candidate(99, "attic");
    let why = knock(7, "attic", &|asked| {
        identity.prove(&other.statement(Side::Worker, &asked.challenge)).unwrap()
    });
    assert!(why.contains("was recorded"), "{why}");
    // Another's name, and the master's own words given back.
    let posing = intruder.candidate(8, "cellar");
    let why = reason(intruder.knock(&posing, honest(&posing)));
    assert_eq!(why, "it calls itself cellar, but its certificate says attic");
    let why = knock(9, "master", &|asked| asked.proof.clone());
    assert!(why.contains("was recorded"), "{why}");
    house.still_searches();
}

#[test]
fn certificates_are_checked_from_end_to_end() {
    let house = House::new("certificates-end-to-end");
    let intruder = Intruder::new(&house, &house.credentials("attic", 30));
    let elsewhere = Folder::new("elsewhere");
    let stranger = Authority::create(&elsewhere.path().join("keys"), 30).unwrap();
    let foreign = Credentials::open(&stranger.add_worker("attic", 30).unwrap()).unwrap();
    let expired = house.credentials("expired", 0);
    let revoked = house.credentials("revoked", 30);
    let master = Credentials::open(&house.authority.master_folder()).unwrap();
    house.authority.revoke("revoked").unwrap();
    // Certificates count in whole seconds.
    std::thread::sleep(Duration::from_secs(2));
    let cases = [
        ("attic", &foreign, "of another authority"),
        ("expired", &expired, "has expired"),
        ("revoked", &revoked, "the credentials of revoked were revoked"),
        ("master", &master, "that of master, no worker"),
    ];
    for (session, (name, credentials, expected)) in (1..).zip(cases) {
        let identity = Identity::open(credentials).unwrap();
        let candidate = intruder.candidate(session, name);
        let why = reason(intruder.knock(&candidate, |asked| {
            identity.prove(&candidate.statement(Side::Worker, &asked.challenge)).unwrap()
        }));
        assert!(why.contains(expected), "{why}");
    }
    house.still_searches();
}

#[test]
fn what_is_too_long_or_unreadable_does_no_harm() {
    let house = House::new("unreadable");
    let credentials = house.credentials("attic", 30);
    let intruder = Intruder::new(&house, &credentials);
    let mut rng = senbon_games::Rng::new(senbon_testkit::seed());
    for _ in 0..500 {
        let mut bytes: Vec<u8> = (0..rng.below(200)).map(|_| rng.next_u64() as u8).collect();
        let head = [b'S', senbon_core::wire::VERSION, 1 + rng.below(10) as u8];
        let known = bytes.len().min(rng.below(4));
        bytes[..known].copy_from_slice(&head[..known]);
        intruder.net.send(intruder.master, bytes);
    }
    let session = SessionId(1);
    intruder.say(session, Body::Proof(vec![0; 1 << 20]));
    intruder.net.send(intruder.master, vec![b'S'; 8 << 20]);
    let identity = Identity::open(&credentials).unwrap();
    // It is not held against him.
    let candidate = intruder.candidate(2, "attic");
    let verdict = intruder.knock(&candidate, |asked| {
        identity.prove(&candidate.statement(Side::Worker, &asked.challenge)).unwrap()
    });
    assert_eq!(verdict, Body::Welcome { lease: LEASE });
    house.still_searches();
}

/// A master without credentials cannot welcome a worker that has some, and a worker's
/// credentials do not make a master.
#[test]
fn a_worker_wants_to_know_its_master() {
    let folder = Folder::new("false-master");
    let authority = Authority::create(&folder.path().join("keys"), 30).unwrap();
    let [one, two] = ["one", "two"].map(|name| authority.add_worker(name, 30).unwrap());
    let [one, two] = [one, two].map(|it| Identity::open(&Credentials::open(&it).unwrap()).unwrap());
    let hello = Hello { master: PeerId(1), name: "one".to_owned(), ability: ability() };
    let candidate = Candidate { session: SessionId(1), peer: PeerId(2), hello };
    let statement = candidate.statement(Side::Master, b"challenge");
    let why = one.check(Side::Master, &statement, &two.prove(&statement).unwrap()).unwrap_err();
    assert!(why.contains("is not for this"), "{why}");
}
