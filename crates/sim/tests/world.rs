//! The virtual world as whoever drives it sees it: searches that end in virtual time, and
//! runs that repeat.
#![allow(clippy::unwrap_used)]

use std::time::Duration;

use senbon_core::pipeline::Settings;
use senbon_core::{Epoch, Limits, Order, Place, Report, Search, WorkerId};
use senbon_games::Notation;
use senbon_games::chess::Chess;
use senbon_sim::{Happened, LinkProfile, MachineId, Mind, PacedWorker, Unwatched, Values, World};

const NODE_TIME: Duration = Duration::from_micros(10);

type Virtual = World<Chess, Values, &'static str>;

fn world(machines: usize, profile: LinkProfile) -> Virtual {
    let mut world = World::new(Chess::start(), Settings::default(), Values, 7);
    for _ in 0..machines {
        let worker = PacedWorker::new(1 << 16, NODE_TIME).unwrap();
        let id = world.add(Mind::Paced(Box::new(worker)), profile);
        world.connect(id);
    }
    world
}

fn ask(world: &mut Virtual, epoch: u64, limits: Limits) {
    let place = Place::new(Chess::start());
    let search = Search { epoch: Epoch(epoch), place, only: Vec::new(), lines: 1, limits };
    world.order(Order::Search(search), &mut Unwatched);
}

fn until_done(world: &mut Virtual) -> (Duration, u64) {
    let mut nodes = 0;
    loop {
        match world.next(&mut Unwatched) {
            Some(Happened::Above(Report::Done { .. })) => return (world.now(), nodes),
            Some(Happened::Above(Report::Opinion { opinion, .. })) => nodes = opinion.nodes,
            Some(_) => {}
            None => panic!("nothing happens any more"),
        }
    }
}

fn searched(world: &Virtual, machine: usize) -> u64 {
    match world.mind(MachineId(machine)) {
        Mind::Paced(worker) => worker.searched(),
        _ => 0,
    }
}

#[test]
fn a_search_takes_the_time_of_its_nodes() {
    let profile = LinkProfile {
        latency: Duration::from_millis(1),
        jitter: Duration::ZERO,
        bytes_per_second: 0,
    };
    let mut world = world(1, profile);
    ask(&mut world, 1, Limits { nodes: Some(5_000), ..Limits::default() });
    let (done, _) = until_done(&mut world);
    // Joining, the order down and the report up take a latency each.
    let ways = Duration::from_millis(3);
    assert_eq!(done, ways + NODE_TIME * 5_000);
    assert_eq!(searched(&world, 0), 5_000);
}

#[test]
fn a_stop_reaches_the_search_at_its_time() {
    let profile = LinkProfile {
        latency: Duration::from_millis(2),
        jitter: Duration::ZERO,
        bytes_per_second: 0,
    };
    let mut world = world(1, profile);
    ask(&mut world, 1, Limits { infinite: true, ..Limits::default() });
    world.alarm(Duration::from_millis(50), "stop");
    world.alarm(Duration::from_millis(100), "look");
    while let Some(happened) = world.next(&mut Unwatched) {
        match happened {
            Happened::Alarm("stop") => world.order(Order::Stop(Epoch(1)), &mut Unwatched),
            Happened::Alarm(_) => break,
            Happened::Above(_) => {}
        }
    }
    // It joined at 2 ms, began at 4 ms and was told to stop at 52 ms: 48 ms of 10 µs nodes.
    assert!(searched(&world, 0).abs_diff(4_800) <= 1, "{}", searched(&world, 0));
}

#[test]
fn one_seed_one_trace_and_one_message_less_another() {
    let run = |stop_at: u64| {
        let mut world = world(8, LinkProfile::LOCAL);
        ask(&mut world, 1, Limits { infinite: true, ..Limits::default() });
        world.alarm(Duration::from_millis(stop_at), "stop");
        while let Some(happened) = world.next(&mut Unwatched) {
            match happened {
                Happened::Alarm(_) => world.order(Order::Stop(Epoch(1)), &mut Unwatched),
                Happened::Above(Report::Done { .. }) => break,
                Happened::Above(_) => {}
            }
        }
        (world.trace().hash(), world.trace().events())
    };
    let (hash, events) = run(100);
    assert_eq!(run(100), (hash, events));
    assert_ne!(run(101).0, hash);
    assert!(events > 100, "{events}");
}

#[test]
fn a_crash_is_noticed_and_a_restart_is_a_new_worker() {
    let mut world = world(3, LinkProfile::LOCAL);
    ask(&mut world, 1, Limits { infinite: true, ..Limits::default() });
    for (at, what) in [(20, "crash"), (40, "count"), (50, "restart"), (70, "count")] {
        world.alarm(Duration::from_millis(at), what);
    }
    let mut counts = Vec::new();
    while counts.len() < 2 {
        match world.next(&mut Unwatched) {
            Some(Happened::Alarm("crash")) => {
                world.crash(MachineId(1), Duration::from_millis(5));
            }
            Some(Happened::Alarm("restart")) => {
                let worker = PacedWorker::new(1 << 16, NODE_TIME).unwrap();
                world.restart(MachineId(1), Mind::Paced(Box::new(worker)));
                world.connect(MachineId(1));
            }
            Some(Happened::Alarm(_)) => counts.push(world.coordinator().worker_count()),
            Some(_) => {}
            None => panic!("nothing happens any more"),
        }
    }
    assert_eq!(counts, [2, 3]);
    assert!(searched(&world, 1) > 0, "the new process got work");
}

#[test]
fn the_fastest_machine_searches_the_root_though_it_came_last() {
    let mut world = world(3, LinkProfile::LOCAL);
    ask(&mut world, 1, Limits { move_time: Some(Duration::from_secs(4)), ..Limits::default() });
    world.alarm(Duration::from_millis(100), "join");
    world.alarm(Duration::from_millis(200), "look");
    while let Some(happened) = world.next(&mut Unwatched) {
        match happened {
            Happened::Alarm("join") => {
                let worker = PacedWorker::new(1 << 16, NODE_TIME / 10).unwrap();
                let id = world.add(Mind::Paced(Box::new(worker)), LinkProfile::LOCAL);
                world.connect(id);
            }
            Happened::Alarm(_) => break,
            Happened::Above(_) => {}
        }
    }
    let tree = world.coordinator().pipeline().unwrap().tree();
    let fastest = tree.node(tree.root()).worker().unwrap();
    assert_eq!(world.coordinator().speed_of(fastest), 1_000_000);
    // The others were given other nodes, and nobody is without one.
    assert_eq!(tree.ids().into_iter().filter(|&id| tree.node(id).worker().is_some()).count(), 4);
}

#[test]
fn a_team_far_away_answers_in_time_and_has_had_its_say() {
    let latency = Duration::from_millis(75);
    let jitter = Duration::from_millis(50);
    let mut world = world(3, LinkProfile { latency, jitter, bytes_per_second: 0 });
    let asked = Duration::from_secs(1);
    world.alarm(asked, "ask");
    let answered = loop {
        match world.next(&mut Unwatched) {
            Some(Happened::Alarm(_)) => {
                for worker in 1..=3 {
                    let longest = (latency + jitter) * 2;
                    world.coordinator_mut().handle_round_trip(WorkerId(worker), longest);
                }
                let second = Some(Duration::from_secs(1));
                ask(&mut world, 1, Limits { move_time: second, ..Limits::default() });
            }
            Some(Happened::Above(Report::Done { .. })) => break world.now() - asked,
            Some(_) => {}
            None => panic!("nothing happens any more"),
        }
    };
    // Before the time is up: nobody's last word was waited for in vain.
    assert!(answered < Duration::from_millis(970), "{answered:?}");
    assert!(answered > Duration::from_millis(720), "{answered:?}");
    // It is the last word: what was searched until the stop, and nothing after it.
    let before = [0, 1, 2].map(|machine| searched(&world, machine));
    world.alarm(asked * 3, "later");
    while !matches!(world.next(&mut Unwatched), Some(Happened::Alarm(_))) {}
    assert_eq!([0, 1, 2].map(|machine| searched(&world, machine)), before);
}
