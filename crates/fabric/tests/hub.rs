//! Workers behind the small interface, in one process: the same office and the same lender as
//! over the network.
#![allow(clippy::disallowed_methods, clippy::unwrap_used)]

mod support;

use std::sync::Arc;
use std::time::Duration;

use senbon_core::{Epoch, Limits, Order};
use senbon_fabric::carrier::{Hub, Role};
use senbon_fabric::lend::Status;
use senbon_fabric::{Entrance, News};
use support::{Lent, Master, PATIENCE, nodes};

fn master(hub: &Hub) -> (Arc<Entrance>, Master) {
    let entrance = Arc::new(Entrance::by(|deliver| hub.join(Role::Master, deliver)));
    let master = Master::new(Arc::clone(&entrance));
    (entrance, master)
}

fn lend(hub: &Hub, name: &str, engines: usize) -> Lent {
    Lent::start(name, engines, |deliver| hub.join(Role::Worker, deliver))
}

#[test]
fn lent_engines_search_and_answer() {
    let hub = Hub::default();
    let (_entrance, master) = master(&hub);
    let lent = lend(&hub, "attic", 2);
    let names = [master.joined(), master.joined()];
    assert_eq!(names.map(|(number, _)| number), [1, 2]);
    master.search(1, nodes(50_000));
    let (best, depth) = master.answer();
    assert!(best.is_some() && depth > 1, "{best:?} at depth {depth}");
    drop(lent);
    let (_, why) = master.left();
    assert!(why.contains("its owner ended it"), "{why}");
}

#[test]
fn engines_come_with_their_speed() {
    let hub = Hub::default();
    let (_entrance, master) = master(&hub);
    let lent = lend(&hub, "attic", 1);
    let speed = master.wait("join", |news| match news {
        News::Joined(_, ability) => Some(ability.speed),
        _ => None,
    });
    assert!(speed > 0);
    drop(lent);
}

#[test]
fn no_more_workers_than_allowed_and_refusals_are_told() {
    let hub = Hub::default();
    let entrance = Entrance::by(|deliver| hub.join(Role::Master, deliver)).limited_to(1);
    let master = Master::new(Arc::new(entrance));
    let first = lend(&hub, "first", 1);
    master.joined();
    let second = lend(&hub, "second", 1);
    let why = second.refusal();
    assert_eq!(why, "there are 1 workers already");
    let line = master.wait("word of the refusal", |news| match news {
        News::Refused(line) => Some(line.clone()),
        _ => None,
    });
    assert!(line.contains(&why) && line.contains("too many workers "), "{line}");
    // As soon as there is room it is taken.
    drop(first);
    assert!(master.joined().1.ends_with(" on second"));
    drop(second);
}

#[test]
fn a_worker_joins_in_mid_search_and_another_leaves() {
    let hub = Hub::default();
    let (_entrance, master) = master(&hub);
    // Nobody is there yet.
    master.search(1, Limits { infinite: true, ..Limits::default() });
    let first = lend(&hub, "first", 1);
    let (number, name) = master.joined();
    assert!(number == 1 && name.ends_with(" on first"), "{name}");
    let second = lend(&hub, "second", 1);
    assert_eq!(master.joined().0, 2);
    drop(first);
    assert_eq!(master.left().0, 1);
    let third = lend(&hub, "third", 1);
    assert_eq!(master.joined().0, 3, "numbers are not used again");
    std::thread::sleep(Duration::from_millis(500));
    master.world.order(Order::Stop(Epoch(1)));
    let (best, _) = master.answer();
    assert!(best.is_some());
    drop((second, third));
}

#[test]
fn a_master_after_the_other_has_the_same_workers() {
    let hub = Hub::default();
    let (entrance, first) = master(&hub);
    let lent = lend(&hub, "attic", 1);
    first.joined();
    first.search(1, Limits { infinite: true, ..Limits::default() });
    drop(first);
    let free = std::iter::from_fn(|| lent.statuses.recv_timeout(PATIENCE).ok());
    let why = free.filter_map(|status| match status {
        Status::Left(1, fault) => Some(fault.to_string()),
        _ => None,
    });
    assert!(why.into_iter().next().unwrap().contains("the master ends"));
    let second = Master::new(entrance);
    second.joined();
    // The same number of an order as before, and no answer to the old one.
    second.search(1, nodes(20_000));
    assert!(second.answer().0.is_some());
}
