//! Random orders and reports there and back, damaged ones, and the page that describes them.
#![allow(clippy::disallowed_methods, reason = "reads the page that describes the format")]

use std::time::Duration;

use senbon_games::chess::Chess;
use senbon_games::shogi::Shogi;
use senbon_games::{Bounds, HIGHEST, Notation, Rng, Worth};

use super::*;
use crate::minimal::{Finding, LeafId, Shape, Signature, Task, Tasks};
use crate::{Bound, Clock, Fault, Limits, Opinion, Place, Score, Search, Valued};

fn place<G: Notation>(rng: &mut Rng) -> Place<G> {
    let mut place = Place::new(G::start());
    let plies = rng.below(80);
    for mv in rng.line(&G::start(), G::start().moves(), plies) {
        place.play(mv);
    }
    place
}

fn time(rng: &mut Rng) -> Option<Duration> {
    let nanos = rng.next_u64() >> rng.below(64);
    (!rng.one_in(3)).then(|| Duration::from_nanos(nanos))
}

fn small(rng: &mut Rng) -> Option<u32> {
    let number = rng.next_u64() as u32 >> rng.below(32);
    (!rng.one_in(3)).then_some(number)
}

fn limits(rng: &mut Rng) -> Limits {
    let mut clock = || Clock { time: time(rng), increment: time(rng) };
    Limits {
        clocks: [clock(), clock()],
        byoyomi: time(rng),
        moves_to_go: small(rng),
        move_time: time(rng),
        depth: small(rng),
        nodes: small(rng).map(u64::from),
        mate: small(rng),
        infinite: rng.one_in(2),
        ponder: rng.one_in(2),
    }
}

fn search<G: Notation>(rng: &mut Rng) -> Search<G> {
    let place: Place<G> = place(rng);
    let only = place.position().moves().into_iter().filter(|_| rng.one_in(3)).collect();
    let epoch = Epoch(rng.next_u64() >> rng.below(64));
    Search { epoch, place, only, lines: 1 + rng.below(20), limits: limits(rng) }
}

fn score(rng: &mut Rng) -> Score {
    match rng.below(3) {
        0 => Score::Centipawns(rng.next_u64() as i32 >> rng.below(31)),
        1 => Score::Mates(rng.below(1000) as u32),
        _ => Score::Mated(rng.below(1000) as u32),
    }
}

fn reports<G: Notation>(rng: &mut Rng, search: &Search<G>) -> Vec<Report<G>> {
    let (epoch, position) = (search.epoch, search.place.position());
    let line = |rng: &mut Rng| {
        let plies = rng.below(20);
        rng.line(position, position.moves(), plies)
    };
    let opinion = Opinion {
        rank: rng.below(20),
        bound: *rng.pick(&[Bound::Exact, Bound::Lower, Bound::Upper]).unwrap(),
        seldepth: rng.below(100) as u32,
        nodes: rng.next_u64() >> rng.below(64),
        time: time(rng).unwrap_or_default(),
        hashfull: small(rng),
        visits: position.moves().into_iter().map(|mv| (mv, rng.next_u64() >> 40)).collect(),
        ..Opinion::new(score(rng), rng.below(100) as u32, line(rng))
    };
    let positions = (0..rng.below(20)).map(|_| {
        let (way, score) = (line(rng), score(rng));
        Valued { way, score, depth: rng.below(100) as u32, best: None }
    });
    let positions = positions.collect();
    let mut last = line(rng).into_iter();
    let nodes = rng.next_u64() >> rng.below(64);
    let findings = (0..rng.below(20)).map(|leaf| {
        let ((lower, upper), depth) = (window(rng), rng.below(33) as u8);
        Finding {
            leaf: LeafId(leaf as u32),
            depth,
            bounds: Bounds { lower, upper },
            nodes,
            best: depth,
        }
    });
    let findings = findings.collect();
    vec![
        Report::Findings { epoch, nodes, findings },
        Report::Opinion { epoch, opinion },
        Report::Done { epoch, best: last.next(), ponder: last.next() },
        Report::Harvest { epoch, positions },
        Report::Fault(Fault::Nonsense("it says 千".to_owned())),
    ]
}

fn window(rng: &mut Rng) -> (Worth, Worth) {
    let low = rng.below(usize::from(2 * HIGHEST.unsigned_abs())) as i32 - i32::from(HIGHEST);
    let room = 1 + rng.below((i32::from(HIGHEST) - low) as usize) as i32;
    (low as Worth, (low + room) as Worth)
}

/// The first tasks of a search, and some more.
fn tasks<G: Notation>(rng: &mut Rng, epoch: Epoch) -> [Tasks<G>; 2] {
    let place: Place<G> = place(rng);
    let mut some = |root: Option<(Place<G>, Shape)>| {
        let count = rng.below(30) as u32;
        let ways = (0..count).map(|leaf| {
            let plies = rng.below(10);
            let position = place.position();
            (LeafId(leaf), rng.line(position, position.moves(), plies))
        });
        let ways = ways.collect();
        let tasks = (0..count).map(|leaf| Task {
            leaf: LeafId(leaf),
            depth: rng.below(33) as u8,
            searched: rng.below(33) as u8,
            due: rng.below(33) as u8,
            window: window(rng),
            pass_window: window(rng),
            signature: Signature::from_ranks(&vec![1 + rng.below(80) as u8; rng.below(20)])
                .unwrap(),
        });
        let tasks = tasks.collect();
        let (pass, whole) = (rng.next_u64() as u32, rng.one_in(2));
        let leader = rng.one_in(2).then(|| rng.next_u64() as u32);
        let level = rng.below(256) as u8;
        let dropped = (0..rng.below(9)).map(|_| LeafId(rng.next_u64() as u32)).collect();
        Tasks { epoch, root, leader, pass, whole, level, dropped, ways, tasks }
    };
    let shape = Shape { width: 5, quiescence: epoch.0.is_multiple_of(2) };
    [some(Some((place.clone(), shape))), some(None)]
}

fn there_and_back<G: Notation + std::fmt::Debug>(rng: &mut Rng) {
    let (mut master, mut worker) = (Codec::<G>::default(), Codec::<G>::default());
    let search: Search<G> = search(rng);
    let epoch = Epoch(search.epoch.0 ^ 1);
    let harvest = Order::Harvest { epoch, place: place(rng), count: rng.below(1000) };
    let plain = [Order::Stop(search.epoch), Order::PonderHit(search.epoch), Order::NewGame];
    for order in [Order::Search(search.clone()), harvest].into_iter().chain(plain) {
        let bytes = master.write_order(&order).unwrap();
        let read = worker.read_order(&bytes).unwrap();
        assert_eq!(format!("{read:?}"), format!("{order:?}"));
        damaged(rng, &bytes, |bytes| drop(Codec::<G>::default().read_order(bytes)));
    }
    // Later tasks are read against the root of the first.
    let [first, later] = tasks(rng, Epoch(search.epoch.0 ^ 2));
    assert!(matches!(
        master.write_order(&Order::Tasks(later.clone())),
        Err(WireError::UnknownOrder(_))
    ));
    for order in [Order::Tasks(first), Order::Tasks(later)] {
        let bytes = master.write_order(&order).unwrap();
        let read = worker.read_order(&bytes).unwrap();
        assert_eq!(format!("{read:?}"), format!("{order:?}"));
        damaged(rng, &bytes, |bytes| drop(worker.clone().read_order(bytes)));
    }
    for report in reports(rng, &search) {
        let bytes = worker.write_report(&report).unwrap();
        let read = master.read_report(&bytes).unwrap();
        assert_eq!(format!("{read:?}"), format!("{report:?}"));
        damaged(rng, &bytes, |bytes| drop(master.read_report(bytes)));
        assert!(master.read_report(&bytes[..bytes.len() - 1]).is_err());
    }
}

/// Whatever is read must not panic.
fn damaged(rng: &mut Rng, bytes: &[u8], mut read: impl FnMut(&[u8])) {
    for _ in 0..20 {
        let mut bytes = bytes.to_vec();
        for _ in 0..1 + rng.below(3) {
            let at = rng.below(bytes.len());
            bytes[at] = rng.next_u64() as u8;
        }
        read(&bytes);
        bytes.truncate(rng.below(bytes.len()));
        read(&bytes);
    }
}

#[test]
fn orders_and_reports_come_back_and_damage_is_noticed() {
    let mut rng = Rng::new(senbon_testkit::seed());
    for _ in 0..100 {
        there_and_back::<Chess>(&mut rng);
        there_and_back::<Shogi>(&mut rng);
    }
}

#[test]
fn what_breaks_the_rules_is_refused() {
    let mut codec = Codec::<Chess>::default();
    let search: Search<Chess> = Search {
        epoch: Epoch(1),
        place: Place::new(Chess::start()),
        only: Vec::new(),
        lines: 1,
        limits: Limits::default(),
    };
    codec.write_order(&Order::Search(search)).unwrap();
    let done = |best: &str| {
        let mut writer = Writer::default();
        writer.byte(2);
        writer.number(1);
        writer.text(best, 16);
        writer.text("", 16);
        writer.into_bytes()
    };
    assert!(codec.read_report(&done("e2e4")).is_ok());
    let wrong = codec.read_report(&done("e2e5")).unwrap_err();
    assert_eq!(wrong.to_string(), "the best move: e2e5 is not a legal move here (at character 1)");
    let mut other = done("e2e4");
    other[1] = 2;
    assert_eq!(codec.read_report(&other).unwrap_err(), WireError::UnknownOrder(2));
    let long = vec![1; MOST_BYTES + 1];
    let too_many = WireError::TooMany { what: "bytes of a message", most: MOST_BYTES };
    assert_eq!(codec.read_report(&long).unwrap_err(), too_many);
    assert_eq!(codec.read_order(&long).unwrap_err(), too_many);
}

#[test]
fn old_places_are_forgotten() {
    let mut codec = Codec::<Chess>::default();
    for epoch in 1..=REMEMBERED as u64 + 1 {
        let (epoch, place) = (Epoch(epoch), Place::new(Chess::start()));
        codec.write_order(&Order::Harvest { epoch, place, count: 1 }).unwrap();
    }
    let done = |epoch| Report::Done { epoch: Epoch(epoch), best: None, ponder: None };
    assert!(codec.write_report(&done(2)).is_ok());
    assert_eq!(codec.write_report(&done(1)), Err(WireError::UnknownOrder(1)));
}

/// The page has the version, every kind with its number, and every limit.
/// Harvests come by the dozen while one search goes on (seed 23282 of the swarm).
#[test]
fn harvests_do_not_push_out_the_search() {
    let mut codec = Codec::<Chess>::default();
    let rng = &mut Rng::new(1);
    let search: Search<Chess> = Search { epoch: Epoch(1), ..search(rng) };
    let place = search.place.clone();
    codec.write_order(&Order::Search(search)).unwrap();
    for number in 2..2 + 3 * REMEMBERED as u64 {
        let harvest = Order::Harvest { epoch: Epoch(number), place: place.clone(), count: 4 };
        codec.write_order(&harvest).unwrap();
    }
    let done = Report::Done { epoch: Epoch(1), best: None, ponder: None };
    assert!(codec.write_report(&done).is_ok());
}

#[test]
fn the_page_describes_this_format() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/protocol.md");
    let page = std::fs::read_to_string(page).unwrap();
    let section = page.split("\n## ").find(|part| part.starts_with("Between master and worker"));
    let section = section.expect("docs/protocol.md has no section on master and worker");
    assert!(section.contains(&format!("This is version {VERSION} ")), "version");
    for (title, kinds) in [("order", &order::KINDS[..]), ("report", &report::KINDS)] {
        for (kind, name) in kinds {
            assert!(section.contains(&format!("\n| {title} {kind} | {name} |")), "{title} {name}");
        }
        let rows = section.matches(&format!("\n| {title} ")).count();
        assert_eq!(rows, kinds.len(), "kinds of {title}");
    }
    for (what, most) in [
        ("bytes of an order or report", MOST_BYTES),
        ("moves of a game", MOST_HISTORY),
        ("moves of a position, lines asked for", MOST_MOVES),
        ("moves of a line or way", MOST_LINE),
        ("positions of a harvest", MOST_HARVEST),
        ("bytes of a position", MOST_POSITION),
        ("bytes of a move", MOST_MOVE),
        ("bytes of a reason or an engine's name", MOST_TEXT),
        ("bytes of a worker's name or of a game", crate::session::MOST_NAME),
        ("bytes of a challenge", crate::session::MOST_CHALLENGE),
        ("bytes of a proof", crate::session::MOST_PROOF),
        ("bytes of a parcel", crate::session::MOST_PARCEL),
    ] {
        assert!(section.contains(&format!("\n| {what} | {most} |")), "{what}");
    }
}
