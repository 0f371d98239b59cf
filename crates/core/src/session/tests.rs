//! A master and its workers over a network that loses, doubles, delays and mixes.

use std::collections::BTreeMap;
use std::time::Duration;

use senbon_games::Rng;

use super::*;
use crate::{Ability, Berth, Fault};

const MASTER: PeerId = PeerId(1);

const fn ms(milliseconds: u64) -> Duration {
    Duration::from_millis(milliseconds)
}

fn ability(game: &str) -> Ability {
    Ability {
        name: "Stand-in 千".to_owned(),
        game: game.to_owned(),
        speed: 1_000,
        restricts: true,
        counts_nodes: false,
        harvests: true,
        several_lines: false,
        tasks: true,
        berth: Some(Berth { crew: u64::MAX, number: 7 }),
    }
}

/// What the network does to frames.
#[derive(Clone, Copy)]
struct Weather {
    /// One in so many is lost, one in so many comes twice; 0 for none.
    lost: usize,
    doubled: usize,
    latency: Duration,
    jitter: Duration,
}

const CALM: Weather = Weather { lost: 0, doubled: 0, latency: ms(1), jitter: ms(0) };
const STORM: Weather = Weather { lost: 10, doubled: 10, latency: ms(20), jitter: ms(60) };

struct Worker {
    peer: PeerId,
    guest: Guest,
    frozen_until: Duration,
    cut: bool,
    /// As the master and as the worker sees it.
    session: Option<SessionId>,
    joined: bool,
    orders: Vec<Vec<u8>>,
    reports: Vec<Vec<u8>>,
    lost: Vec<Fault>,
    left: Vec<Fault>,
}

struct World {
    now: Duration,
    rng: Rng,
    weather: Weather,
    host: Host,
    workers: Vec<Worker>,
    /// Frames on their way: when, from, to.
    way: BTreeMap<(Duration, u64), (PeerId, PeerId, Vec<u8>)>,
    sent: u64,
    refused: Vec<String>,
    /// Whose session it is or was. A worker may have a new one before its old one is given up.
    whose: BTreeMap<SessionId, usize>,
}

impl World {
    fn new(workers: usize, weather: Weather, seed: u64) -> Self {
        let mut rng = Rng::new(seed);
        let workers = (0..workers)
            .map(|number| {
                let mut guest = Guest::new(format!("w{number}"), rng.next_u64());
                guest.offer(Duration::ZERO, ability("chess"));
                guest.handle_master(Duration::ZERO, MASTER);
                Worker {
                    peer: PeerId(number as u128 + 2),
                    guest,
                    frozen_until: Duration::ZERO,
                    cut: false,
                    session: None,
                    joined: false,
                    orders: Vec::new(),
                    reports: Vec::new(),
                    lost: Vec::new(),
                    left: Vec::new(),
                }
            })
            .collect();
        let host = Host::new(HostRules::new(MASTER, "chess"));
        let (now, way, refused) = (Duration::ZERO, BTreeMap::new(), Vec::new());
        World { now, rng, weather, host, workers, way, sent: 0, refused, whose: BTreeMap::new() }
    }

    fn send(&mut self, from: PeerId, to: PeerId, frame: &Frame) {
        let bytes = frame.write();
        assert_eq!(Frame::read(&bytes).as_ref(), Ok(frame));
        if self.workers.iter().any(|worker| worker.cut && [from, to].contains(&worker.peer)) {
            return;
        }
        let Weather { lost, doubled, latency, jitter } = self.weather;
        if lost > 0 && self.rng.one_in(lost) {
            return;
        }
        let copies = if doubled > 0 && self.rng.one_in(doubled) { 2 } else { 1 };
        for _ in 0..copies {
            let late = Duration::from_nanos(self.rng.below(jitter.as_nanos() as usize + 1) as u64);
            self.sent += 1;
            let key = (self.now + latency + late, self.sent);
            self.way.insert(key, (from, to, bytes.clone()));
        }
    }

    /// Lets everybody say what they have to say.
    fn settle(&mut self) {
        self.host.handle_timeout(self.now);
        while let Some((to, frame)) = self.host.poll_frame(self.now) {
            self.send(MASTER, to, &frame);
        }
        while let Some(event) = self.host.poll_event() {
            match event {
                HostEvent::Joined(session, hello) => {
                    let number: usize = hello.name[1..].parse().unwrap();
                    self.workers[number].session = Some(session);
                    self.whose.insert(session, number);
                }
                HostEvent::Report(session, report) => self.of(session).reports.push(report),
                HostEvent::Left(session, fault) => {
                    let worker = self.of(session);
                    worker.session = worker.session.filter(|&newest| newest != session);
                    worker.lost.push(fault);
                }
                HostEvent::Refused(_, why) => self.refused.push(why),
            }
        }
        for index in 0..self.workers.len() {
            if self.workers[index].frozen_until > self.now {
                continue;
            }
            let worker = &mut self.workers[index];
            worker.guest.handle_timeout(self.now);
            let mut frames = Vec::new();
            while let Some(frame) = worker.guest.poll_frame(self.now) {
                frames.push(frame);
            }
            while let Some(event) = worker.guest.poll_event() {
                match event {
                    GuestEvent::Joined(_) => worker.joined = true,
                    GuestEvent::Order(order) => worker.orders.push(order),
                    GuestEvent::Left(fault) => {
                        worker.joined = false;
                        worker.left.push(fault);
                    }
                    GuestEvent::Refused(why) => self.refused.push(why),
                }
            }
            let from = worker.peer;
            for (to, frame) in frames {
                self.send(from, to, &frame);
            }
        }
    }

    fn of(&mut self, session: SessionId) -> &mut Worker {
        let number = *self.whose.get(&session).expect("news of a session that has not begun");
        &mut self.workers[number]
    }

    fn run(&mut self, time: Duration) {
        let end = self.now + time;
        self.settle();
        while self.now < end {
            let frame = self.way.keys().next().map(|&(at, _)| at);
            let awake = self.workers.iter().filter(|worker| worker.frozen_until <= self.now);
            let timers = awake.filter_map(|worker| worker.guest.poll_timeout());
            let thaws = self.workers.iter().map(|worker| worker.frozen_until);
            let thaws = thaws.filter(|&at| at > self.now);
            let next = frame.into_iter().chain(timers).chain(thaws).chain(self.host.poll_timeout());
            // Never busier than every tenth of a millisecond: a time-out that does nothing
            // would otherwise hang the test instead of failing it.
            let next = next.min().unwrap_or(end).max(self.now + Duration::from_micros(100));
            self.now = next.min(end);
            while let Some((&key, _)) = self.way.first_key_value()
                && key.0 <= self.now
            {
                let (from, to, bytes) = self.way.remove(&key).unwrap();
                self.deliver(key, from, to, bytes);
            }
            self.settle();
        }
    }

    fn deliver(&mut self, key: (Duration, u64), from: PeerId, to: PeerId, bytes: Vec<u8>) {
        if to == MASTER {
            return self.host.handle_frame(self.now, from, Frame::read(&bytes), |_| Ok(()));
        }
        let worker = self.workers.iter_mut().find(|worker| worker.peer == to).unwrap();
        if worker.frozen_until > self.now {
            self.way.insert((worker.frozen_until, key.1), (from, to, bytes));
        } else {
            worker.guest.handle_frame(self.now, from, Frame::read(&bytes));
        }
    }

    fn order(&mut self, index: usize, weight: Weight, text: String) {
        let session = self.workers[index].session.expect("not joined");
        assert!(self.host.order(self.now, session, weight, text.into_bytes()));
    }
}

fn texts(contents: &[Vec<u8>]) -> Vec<&str> {
    contents.iter().map(|content| std::str::from_utf8(content).unwrap()).collect()
}

#[test]
fn workers_join_at_once_and_stay() {
    let mut world = World::new(20, CALM, senbon_testkit::seed());
    world.run(ms(300));
    assert!(world.workers.iter().all(|worker| worker.joined && worker.session.is_some()));
    world.run(Duration::from_secs(3600));
    assert!(world.workers.iter().all(|worker| worker.left.is_empty() && worker.lost.is_empty()));
    let session = world.workers[0].session.unwrap();
    assert_eq!(world.host.round_trip(session).map(|time| time.as_millis()), Some(2));
    assert!(world.host.longest_round_trip(session) >= world.host.round_trip(session));
}

#[test]
fn letters_arrive_once_and_in_order_through_a_storm() {
    let mut rng = Rng::new(senbon_testkit::seed());
    for _ in 0..20 {
        let mut world = World::new(3, STORM, rng.next_u64());
        world.run(Duration::from_secs(5));
        let mut expected = [0; 3];
        for round in 0..100 {
            for (index, expected) in expected.iter_mut().enumerate() {
                // A storm may end a session; what follows is told in the next one.
                if world.workers[index].session.is_none() || !world.workers[index].joined {
                    continue;
                }
                world.order(index, Weight::Lasting, format!("o{round}"));
                let report = format!("r{round}").into_bytes();
                assert!(world.workers[index].guest.report(world.now, report));
                *expected += 1;
            }
            world.run(ms(50));
        }
        world.run(Duration::from_secs(5));
        for (worker, expected) in world.workers.iter().zip(expected) {
            for contents in [&worker.orders, &worker.reports] {
                let texts = texts(contents);
                let numbers: Vec<u32> =
                    texts.iter().map(|text| text[1..].parse().unwrap()).collect();
                assert!(numbers.is_sorted_by(|a, b| a < b), "twice or out of order: {texts:?}");
                let whole = worker.lost.is_empty() && worker.left.is_empty();
                assert!(!whole || texts.len() == expected, "{} of {expected}", texts.len());
            }
            assert!(expected > 50, "the storm let nobody work");
        }
    }
}

#[test]
fn a_frozen_worker_is_noticed_within_its_lease_and_comes_back() {
    let mut world = World::new(5, CALM, senbon_testkit::seed());
    world.run(Duration::from_secs(2));
    let now = world.now;
    world.workers[2].frozen_until = now + Duration::from_secs(10);
    world.run(LEASE + ms(10));
    assert_eq!(world.workers[2].session, None, "noticed within the lease");
    assert!(matches!(world.workers[2].lost[..], [Fault::Silent(_)]));
    world.run(Duration::from_secs(8));
    assert!(world.workers.iter().enumerate().all(|(i, worker)| i == 2 || worker.lost.is_empty()));
    world.run(Duration::from_secs(2));
    assert!(world.workers[2].joined && world.workers[2].session.is_some(), "back by itself");
    assert_eq!(world.workers[2].left.len(), 1, "it knows that its search is over");
}

#[test]
fn a_cut_heals_and_a_short_one_does_no_harm() {
    let mut world = World::new(2, CALM, senbon_testkit::seed());
    world.run(Duration::from_secs(2));
    world.workers[0].cut = true;
    world.order(0, Weight::Lasting, "first".to_owned());
    world.run(LEASE / 2);
    world.workers[0].cut = false;
    world.run(LEASE);
    assert_eq!(texts(&world.workers[0].orders), ["first"]);
    assert!(world.workers[0].lost.is_empty());
    world.workers[0].cut = true;
    world.run(Duration::from_secs(5));
    assert!(world.workers[0].session.is_none() && !world.workers[0].joined);
    world.workers[0].cut = false;
    world.run(Duration::from_secs(35));
    assert!(world.workers[0].session.is_some() && world.workers[0].joined);
}

/// What arrives of a thousand opinions and a result. `None` when the session did not outlive the
/// weather: all signs of life of a second may get lost.
fn told_in(weather: Weather, seed: u64) -> Option<Vec<Vec<u8>>> {
    let mut world = World::new(1, weather, seed);
    while !world.workers[0].joined {
        world.run(ms(100));
    }
    for number in 0..1_000 {
        world.workers[0].guest.report_progress(0, format!("p{number:04}").into_bytes());
        world.run(Duration::from_micros(500));
    }
    let now = world.now;
    let reported = world.workers[0].guest.report(now, b"q".to_vec());
    world.run(Duration::from_secs(2));
    let worker = world.workers.remove(0);
    (reported && worker.lost.is_empty() && worker.left.is_empty()).then_some(worker.reports)
}

#[test]
fn progress_is_thinned_and_never_comes_after_the_result() {
    let seed = senbon_testkit::seed();
    let calm = told_in(CALM, seed).expect("nothing gets lost");
    let mut seeds = (0..10).map(|more| seed.wrapping_add(more));
    let storm = seeds.find_map(|seed| told_in(STORM, seed)).expect("most sessions outlive it");
    for reports in [calm, storm] {
        let texts = texts(&reports);
        assert_eq!(texts.last(), Some(&"q"));
        assert_eq!(texts[texts.len() - 2], "p0999", "the last word is kept");
        assert!(texts.is_sorted(), "{texts:?}");
        assert!(texts.len() < 60, "500 ms, one each 20 ms: {}", texts.len());
    }
}

#[test]
fn that_a_letter_arrived_is_told_along_or_soon() {
    let mut world = World::new(1, CALM, senbon_testkit::seed());
    world.run(Duration::from_secs(1));
    let before = world.sent;
    for number in 0..100 {
        world.order(0, Weight::Lasting, format!("o{number}"));
        world.run(ms(2));
        let now = world.now;
        assert!(world.workers[0].guest.report(now, b"r".to_vec()));
        world.run(ms(2));
    }
    // Two letters each, and in 0.4 s a few signs of life.
    let frames = world.sent - before;
    assert!((200..=206).contains(&frames), "{frames} frames for 100 orders and answers");
    // Where there is no answer it is told all the same, before the letter is sent again.
    world.run(ms(100));
    let before = world.sent;
    world.order(0, Weight::Lasting, "alone".to_owned());
    world.run(ms(200));
    let frames = world.sent - before;
    assert!((2..=4).contains(&frames), "{frames} frames for a letter, its receipt and life");
    // Many at once are not kept waiting for it.
    for number in 0..WINDOW_LETTERS + 1 {
        world.order(0, Weight::Lasting, format!("many {number}"));
    }
    world.run(ms(3));
    assert_eq!(world.workers[0].orders.len(), 100 + 1 + WINDOW_LETTERS + 1, "the window moved on");
}

#[test]
fn a_worker_that_takes_nothing_gets_no_more_than_a_window() {
    let mut world = World::new(1, CALM, senbon_testkit::seed());
    world.run(Duration::from_secs(1));
    world.workers[0].frozen_until = world.now + LEASE / 2;
    let before = world.sent;
    for number in 0..10_000 {
        world.order(0, Weight::Replacing, format!("{number:01000}"));
        world.order(0, Weight::Passing, "x".repeat(1000));
        world.settle();
    }
    let frames = (world.sent - before) as usize;
    assert!(frames <= WINDOW_BYTES / 1000 + 1, "{frames} frames of 1000 bytes");
    world.run(LEASE);
    let orders = texts(&world.workers[0].orders);
    let last = orders[orders.len() - 2].parse();
    assert_eq!(last, Ok(9_999), "the newest order has arrived");
    assert!(world.workers[0].lost.is_empty());
    // Orders that last pile up instead, and there is an end to that.
    world.workers[0].frozen_until = world.now + LEASE;
    let session = world.workers[0].session.unwrap();
    let now = world.now;
    let taken = (0..).take_while(|_| world.host.order(now, session, Weight::Lasting, vec![0]));
    assert_eq!(taken.count(), MOST_WAITING);
    world.settle();
    assert!(matches!(world.workers[0].lost[..], [Fault::Silent(_)]));
}

#[test]
fn strangers_are_refused_with_a_reason() {
    let mut world = World::new(1, CALM, senbon_testkit::seed());
    world.workers[0].guest.offer(Duration::ZERO, ability("shogi"));
    world.run(ms(500));
    assert!(world.refused.iter().all(|why| why.contains("plays shogi, but this is chess")));
    assert!(world.host.refusals()[&Refusal::OtherGame] <= 2, "it waits before it tries again");
    world.run(Duration::from_secs(600));
    assert!(world.refused.len() > 20 && world.refused.len() < 200, "{}", world.refused.len());

    let mut host = Host::new(HostRules { most_workers: 1, ..HostRules::new(MASTER, "chess") });
    let hello = |session, master| {
        let hello = Hello { master, name: "w".to_owned(), ability: ability("chess") };
        Ok(Frame { session: SessionId(session), body: Body::Hello(hello) })
    };
    let refused = |host: &mut Host| match host.poll_event() {
        Some(HostEvent::Refused(_, why)) => why,
        other => panic!("{other:?}"),
    };
    host.handle_frame(ms(0), PeerId(2), hello(1, PeerId(9)), |_| Ok(()));
    assert!(refused(&mut host).contains("another master"), "a recorded hello");
    host.handle_frame(ms(0), PeerId(2), hello(2, MASTER), |_| {
        Err(Denial::new(Refusal::Name, "wrong name"))
    });
    assert_eq!(refused(&mut host), "wrong name");
    host.handle_frame(ms(0), PeerId(2), hello(3, MASTER), |_| Ok(()));
    assert!(matches!(host.poll_event(), Some(HostEvent::Joined(..))));
    host.handle_frame(ms(0), PeerId(3), hello(4, MASTER), |_| Ok(()));
    assert!(refused(&mut host).contains("1 workers already"));
    // The same session again, from its end and from elsewhere: no second worker.
    host.handle_frame(ms(0), PeerId(2), hello(3, MASTER), |_| Ok(()));
    host.handle_frame(ms(0), PeerId(3), hello(3, MASTER), |_| Ok(()));
    host.dismiss(SessionId(3), Fault::Died("enough".to_owned()));
    assert!(matches!(host.poll_event(), Some(HostEvent::Left(..))));
    host.handle_frame(ms(1), PeerId(2), hello(3, MASTER), |_| Ok(()));
    assert_eq!(host.poll_event(), None, "a replayed hello begins nothing");
}

/// Asks for the challenge with its bytes turned round.
struct Backwards;

impl Doorkeeper for Backwards {
    fn challenge(&mut self, candidate: &Candidate) -> Result<Option<Challenge>, Denial> {
        let proof = candidate.statement(Side::Master, b"c");
        Ok(Some(Challenge { challenge: b"challenge".to_vec(), proof }))
    }

    fn admit(&mut self, _: &Candidate, answer: Option<(&[u8], &[u8])>) -> Result<(), Denial> {
        let (challenge, proof) = answer.unwrap();
        let proved = proof.iter().rev().eq(challenge);
        if proved { Ok(()) } else { Err(Denial::new(Refusal::Proof, "wrong")) }
    }
}

#[test]
fn who_is_asked_for_a_proof_gives_it_although_frames_get_lost() {
    let mut host = Host::new(HostRules::new(MASTER, "chess"));
    let mut guest = Guest::new("w".to_owned(), 1);
    guest.be_wary();
    guest.offer(ms(0), ability("chess"));
    guest.handle_master(ms(0), MASTER);
    let me = PeerId(2);
    let mut say = |guest: &mut Guest, now, lost: bool| {
        let (_, frame) = guest.poll_frame(now).expect("nothing to say");
        if !lost {
            host.handle_frame_at(now, me, Ok(frame), &mut Backwards);
        }
        host.poll_frame(now).map(|(_, frame)| frame)
    };
    assert_eq!(say(&mut guest, ms(0), true), None);
    let first = say(&mut guest, ms(300), false).unwrap();
    // The challenge gets lost; the same one is sent again.
    let second = say(&mut guest, ms(600), false).unwrap();
    assert_eq!(first, second);
    guest.handle_frame(ms(601), MASTER, Ok(second));
    let asked = guest.poll_asked().unwrap();
    let ours = Candidate { session: asked.session, peer: me, hello: asked.hello };
    assert_eq!(asked.challenge.proof, ours.statement(Side::Master, b"c"));
    let proof = asked.challenge.challenge.iter().rev().copied().collect();
    guest.prove(asked.session, proof);
    // The welcome gets lost, and the next hello brings another.
    let welcome = say(&mut guest, ms(602), false).unwrap();
    assert!(matches!(welcome.body, Body::Welcome { .. }), "{welcome:?}");
    let welcome = say(&mut guest, ms(900), false).unwrap();
    guest.handle_frame(ms(901), MASTER, Ok(welcome));
    assert_eq!(guest.poll_event(), Some(GuestEvent::Joined(MASTER)));
}

#[test]
fn a_wrong_proof_is_refused_and_does_for_one_try_only() {
    let mut host = Host::new(HostRules::new(MASTER, "chess"));
    let hello = Hello { master: MASTER, name: "w".to_owned(), ability: ability("chess") };
    let session = SessionId(1);
    let mut say = |body| {
        host.handle_frame_at(ms(0), PeerId(2), Ok(Frame { session, body }), &mut Backwards);
        host.poll_frame(ms(0)).map(|(_, frame)| frame.body)
    };
    let refused = |body: Option<Body>| match body {
        Some(Body::Refuse { reason }) => reason,
        other => panic!("{other:?}"),
    };
    assert!(matches!(say(Body::Hello(hello)), Some(Body::Challenge(_))));
    assert_eq!(refused(say(Body::Proof(b"guess".to_vec()))), "wrong");
    let right = Body::Proof(b"challenge".iter().rev().copied().collect());
    assert!(refused(say(right)).contains("nobody asked"), "no second guess");
    assert_eq!(host.refusals().get(&Refusal::Proof), Some(&2));
}

#[test]
fn a_wary_worker_takes_no_welcome_without_a_proof() {
    let mut guest = Guest::new("w".to_owned(), 1);
    guest.be_wary();
    guest.offer(ms(0), ability("chess"));
    guest.handle_master(ms(0), MASTER);
    let (_, Frame { session, .. }) = guest.poll_frame(ms(0)).unwrap();
    let welcome = Frame { session, body: Body::Welcome { lease: LEASE } };
    guest.handle_frame(ms(1), MASTER, Ok(welcome));
    let Some(GuestEvent::Refused(why)) = guest.poll_event() else { panic!("taken") };
    assert!(why.contains("does not prove who it is"), "{why}");
}

#[test]
fn a_hello_that_comes_too_late_begins_nothing_that_lasts() {
    let mut host = Host::new(HostRules::new(MASTER, "chess"));
    let hello = Hello { master: MASTER, name: "w".to_owned(), ability: ability("chess") };
    let late = Frame { session: SessionId(7), body: Body::Hello(hello) };
    host.handle_frame(ms(0), PeerId(2), Ok(late.clone()), |_| Ok(()));
    assert!(matches!(host.poll_event(), Some(HostEvent::Joined(..))));
    assert_eq!(late.stray(), None, "hellos are for masters");
    // The worker has long given up that session, and says so.
    let Some((_, welcome)) = host.poll_frame(ms(0)) else { panic!("no welcome") };
    let answer = welcome.stray().unwrap();
    assert_eq!(answer.stray(), None, "an answer is not answered");
    host.handle_frame(ms(2), PeerId(2), Ok(answer), |_| Ok(()));
    assert!(matches!(host.poll_event(), Some(HostEvent::Left(SessionId(7), _))));
}

#[test]
fn another_version_is_told_so_at_both_ends() {
    let hello = Hello { master: MASTER, name: "w".to_owned(), ability: ability("chess") };
    let mut bytes = Frame { session: SessionId(5), body: Body::Hello(hello) }.write();
    bytes[1] = 9;
    // Whatever the rest looks like in that version.
    bytes.truncate(30);
    let mut host = Host::new(HostRules::new(MASTER, "chess"));
    host.handle_frame(ms(0), PeerId(2), Frame::read(&bytes), |_| Ok(()));
    let Some((PeerId(2), answer)) = host.poll_frame(ms(0)) else { panic!("no answer") };
    let Body::Refuse { reason } = &answer.body else { panic!("{answer:?}") };
    assert!(reason.contains("version 9") && reason.contains("the same release"), "{reason}");

    let mut guest = Guest::new("w".to_owned(), 1);
    guest.offer(ms(0), ability("chess"));
    guest.handle_master(ms(0), MASTER);
    let (_, frame) = guest.poll_frame(ms(0)).unwrap();
    let mut welcome = Frame { session: frame.session, body: Body::Welcome { lease: LEASE } };
    let mut other = welcome.write();
    other[1] = 9;
    guest.handle_frame(ms(1), MASTER, Frame::read(&other));
    let Some(GuestEvent::Refused(why)) = guest.poll_event() else { panic!("taken") };
    assert!(why.contains("the master speaks version 9"), "{why}");
    // A refusal is read whatever the version.
    let (_, frame) = guest.poll_frame(Duration::from_secs(60)).unwrap();
    welcome = Frame { session: frame.session, body: Body::Refuse { reason: "full".to_owned() } };
    let mut other = welcome.write();
    other[1] = 9;
    guest.handle_frame(Duration::from_secs(60), MASTER, Frame::read(&other));
    assert_eq!(guest.poll_event(), Some(GuestEvent::Refused("full".to_owned())));
}

#[test]
fn no_bytes_are_too_strange() {
    let mut rng = Rng::new(senbon_testkit::seed());
    let mut host = Host::new(HostRules::new(MASTER, "chess"));
    for round in 0..20_000 {
        let mut bytes: Vec<u8> = (0..rng.below(60)).map(|_| rng.next_u64() as u8).collect();
        let head = [b'S', crate::wire::VERSION, 1 + rng.below(10) as u8];
        let known = bytes.len().min(rng.below(4));
        bytes[..known].copy_from_slice(&head[..known]);
        host.handle_frame(ms(round), PeerId(2), Frame::read(&bytes), |_| Ok(()));
        host.handle_timeout(ms(round));
        while host.poll_event().is_some() || host.poll_frame(ms(round)).is_some() {}
    }
    assert!(host.refusals()[&Refusal::Malformed] > 10_000);
}

#[test]
fn who_knocks_or_sends_too_often_is_not_heard() {
    let mut host = Host::new(HostRules::new(MASTER, "chess"));
    let hello = |session, name: &str| {
        let hello = Hello { master: PeerId(9), name: name.to_owned(), ability: ability("chess") };
        Ok(Frame { session: SessionId(session), body: Body::Hello(hello) })
    };
    // Within a second one machine is heard as often as it may have engines, and not for ever.
    for session in 0..10_000 {
        host.handle_frame(ms(session as u64 / 10), PeerId(2), hello(session, "noisy"), |_| Ok(()));
        while host.poll_event().is_some() || host.poll_frame(ms(0)).is_some() {}
    }
    let heard = host.refusals()[&Refusal::OtherMaster];
    assert!((2_000..2_500).contains(&heard), "{heard}");
    assert_eq!(heard + host.refusals()[&Refusal::TooOften], 10_000);
    // Others are not made to suffer for it.
    host.handle_frame(ms(1_000), PeerId(3), hello(20_000, "calm"), |_| Ok(()));
    assert_eq!(host.refusals()[&Refusal::OtherMaster], heard + 1);

    // A session that floods us is ended, and hears why.
    let mut world = World::new(2, CALM, senbon_testkit::seed());
    world.run(ms(300));
    let session = world.workers[0].session.unwrap();
    let from = world.workers[0].peer;
    for number in 0..100_000 {
        let body = Body::Progress { number, after: 0, content: vec![0] };
        world.host.handle_frame(world.now, from, Ok(Frame { session, body }), |_| Ok(()));
        if world.host.last_heard(session).is_none() {
            break;
        }
    }
    assert_eq!(world.host.refusals()[&Refusal::TooOften], 1);
    world.settle();
    assert!(
        matches!(&world.workers[0].lost[..], [Fault::Nonsense(why)] if why.contains("too much"))
    );
    assert!(world.workers[1].lost.is_empty());
}
