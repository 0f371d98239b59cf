//! The coordinator of minimal-tree search by itself.
#![allow(clippy::unwrap_used)]

mod support;

use std::time::Duration;

use senbon_core::minimal::{Finding, MinimalTree, Tasks};
use senbon_core::pipeline::{Output, Settings};
use senbon_core::{Ability, Berth, Epoch, Limits, Order, Place, Report, Search, WorkerId};
use senbon_games::chess::{Chess, ChessEvaluator};
use senbon_games::{Bounds, Notation, Promising};
use support::able;

const fn ms(milliseconds: u64) -> Duration {
    Duration::from_millis(milliseconds)
}

fn coordinator(workers: u32) -> MinimalTree<Chess> {
    let mut tree = MinimalTree::new(Chess::start(), Settings::default(), |shape| {
        Box::new(Promising::new(ChessEvaluator::default(), shape.width.into()))
    });
    for id in 0..workers {
        assert!(tree.handle_joined(ms(0), WorkerId(id), Ability { tasks: true, ..able(0) }));
    }
    tree
}

fn search(epoch: u64, limits: Limits) -> Order<Chess> {
    let (epoch, place) = (Epoch(epoch), Place::new(Chess::start()));
    Order::Search(Search { epoch, place, only: Vec::new(), lines: 1, limits })
}

/// Tasks for workers, and what is told above.
type Said = (Vec<(WorkerId, Tasks<Chess>)>, Vec<Report<Chess>>);

/// All that it has to say now.
fn drain(tree: &mut MinimalTree<Chess>) -> Said {
    let (mut tasks, mut reports) = (Vec::new(), Vec::new());
    while let Some(output) = tree.poll() {
        match output {
            Output::Below(id, Order::Tasks(some)) => tasks.push((id, some)),
            Output::Below(_, _) => {}
            Output::Above(report) => reports.push(report),
        }
    }
    (tasks, reports)
}

/// What a worker finds of its first task: something new at the first level.
fn finding(tasks: &Tasks<Chess>, number: usize, value: i16) -> Report<Chess> {
    let leaf = tasks.tasks[number].leaf;
    let finding = Finding { leaf, depth: 2, bounds: Bounds::exactly(value), nodes: 100, best: 0 };
    Report::Findings { epoch: tasks.epoch, nodes: 100, findings: vec![finding] }
}

#[test]
fn far_workers_are_not_flooded_with_sheets() {
    let mut tree = coordinator(1);
    tree.handle_round_trip(WorkerId(0), ms(320));
    tree.handle_order(ms(0), search(1, Limits { infinite: true, ..Limits::default() }));
    let (sheets, _) = drain(&mut tree);
    assert!(sheets[0].1.root.is_some(), "the first sheet goes at once");
    let first = sheets.last().unwrap().1.clone();
    assert!(first.whole && first.tasks.len() > 20);
    // Findings pour in; a pass is made every 10 ms, a 32nd of the way there and back.
    for at in 1..10 {
        tree.handle_report(ms(at), WorkerId(0), finding(&first, at as usize, 5));
        assert!(drain(&mut tree).0.is_empty(), "a sheet after {at} ms");
        assert_eq!(tree.poll_timeout(), Some(ms(10)), "what was found is looked at then");
    }
    tree.handle_timeout(ms(10));
    drain(&mut tree);
    assert_eq!(tree.poll_timeout(), None, "and nothing is left to look at");
    tree.handle_report(ms(11), WorkerId(0), finding(&first, 11, 5));
    assert!(drain(&mut tree).0.is_empty() && tree.poll_timeout() == Some(ms(20)));
}

#[test]
fn who_cannot_search_tasks_takes_no_part_and_the_clock_is_kept_without_workers() {
    let mut tree = coordinator(0);
    assert!(!tree.handle_joined(ms(0), WorkerId(7), able(0)), "no tasks, no part");
    let limits = Limits { move_time: Some(ms(500)), ..Limits::default() };
    tree.handle_order(ms(10), search(1, limits));
    let (_, told) = drain(&mut tree);
    assert!(matches!(told[..], [Report::Opinion { .. }]), "the master's own view: {told:?}");
    let until = tree.poll_timeout().unwrap();
    assert!(until <= ms(510) && until > ms(400), "{until:?}");
    tree.handle_timeout(until);
    let (_, told) = drain(&mut tree);
    assert!(matches!(told[..], [Report::Done { best: Some(_), epoch: Epoch(1), .. }]), "{told:?}");
    assert!(tree.poll_timeout().is_none() && tree.progress(until).is_none());
}

#[test]
fn findings_of_an_older_search_or_of_nobody_change_nothing() {
    let mut tree = coordinator(2);
    tree.handle_order(ms(0), search(1, Limits { infinite: true, ..Limits::default() }));
    let (old, _) = drain(&mut tree);
    tree.handle_order(ms(1), search(2, Limits { infinite: true, ..Limits::default() }));
    let (new, _) = drain(&mut tree);
    assert!(!new.is_empty() && new.iter().all(|(_, tasks)| tasks.epoch > old[0].1.epoch));
    tree.handle_report(ms(2), WorkerId(0), finding(&old[0].1, 0, 999));
    tree.handle_report(ms(2), WorkerId(9), finding(&new[0].1, 0, 999));
    let (tasks, told) = drain(&mut tree);
    assert!(tasks.is_empty() && told.is_empty(), "{tasks:?} {told:?}");
    assert_eq!(tree.progress(ms(2)).unwrap().1, 0, "their nodes are not counted");
}

/// Workers of one process: the master talks to one of them, and to the next when that is gone.
#[test]
fn a_crew_has_a_leader_and_then_another() {
    let mut tree = coordinator(1);
    for number in 1..4 {
        let berth = Some(Berth { crew: 77, number });
        let ability = Ability { tasks: true, berth, ..able(0) };
        assert!(tree.handle_joined(ms(0), WorkerId(number), ability));
    }
    tree.handle_order(ms(0), search(1, Limits { infinite: true, ..Limits::default() }));
    let begun = |said: &[(WorkerId, Tasks<Chess>)]| {
        let roots = said.iter().filter(|(_, tasks)| tasks.root.is_some());
        let mut all: Vec<_> =
            roots.map(|(id, of)| (id.0, of.leader, of.tasks.is_empty())).collect();
        all.sort_unstable();
        all
    };
    let (first, _) = drain(&mut tree);
    let led = [(0, None, false), (1, Some(1), false), (2, Some(1), true), (3, Some(1), true)];
    assert_eq!(begun(&first), led);
    let has = |id: u32, said: &[(WorkerId, Tasks<Chess>)]| -> usize {
        said.iter().filter(|(of, _)| of.0 == id).map(|(_, tasks)| tasks.tasks.len()).sum()
    };
    let (alone, crew) = (has(0, &first), has(1, &first));
    assert!(crew >= 2 * alone, "three share {crew}, one has {alone}");

    // The leader tells what all of them found; nodes are counted once.
    let leaders = first.iter().filter(|(id, _)| id.0 == 1).map(|(_, tasks)| tasks).next().unwrap();
    tree.handle_report(ms(1), WorkerId(1), finding(leaders, 0, 5));
    assert_eq!(tree.progress(ms(1)).unwrap().1, 100);
    drain(&mut tree);

    tree.handle_left(ms(2), WorkerId(1));
    let (next, _) = drain(&mut tree);
    assert_eq!(begun(&next), [(2, Some(2), false), (3, Some(2), true)]);
    assert_eq!(tree.progress(ms(2)).unwrap().1, 100, "what it searched counts still");
    tree.handle_left(ms(3), WorkerId(3));
    assert_eq!(begun(&drain(&mut tree).0), [], "who leads stays");

    // All who have something to do are told to stop.
    tree.handle_order(ms(4), Order::Stop(Epoch(1)));
    let mut stopped = Vec::new();
    while let Some(output) = tree.poll() {
        if let Output::Below(id, Order::Stop(_)) = output {
            stopped.push(id.0);
        }
    }
    assert_eq!(stopped, [0, 2]);
}

#[test]
fn whoever_looks_sees_the_moves_and_the_tasks_below_them() {
    let mut tree = coordinator(2);
    assert_eq!(tree.outline(), None, "nothing is searched");
    tree.handle_order(ms(0), search(1, Limits { infinite: true, ..Limits::default() }));
    drain(&mut tree);
    let outline = tree.outline().unwrap();
    // A minimal tree of two plies, 20 moves each.
    let tasks = 20 + 20 - 1;
    assert_eq!((outline.plies, outline.moves.len(), outline.tasks), (2, 20, tasks));
    assert_eq!(outline.moves.iter().map(|branch| branch.tasks).sum::<usize>(), tasks);
    let best: Vec<_> = outline.moves.iter().filter(|branch| branch.is_best).collect();
    assert!(best.len() == 1 && best[0].tasks == 20, "all answers to the best one: {best:?}");
    assert!(outline.moves.iter().filter(|branch| !branch.is_best).all(|branch| branch.tasks == 1));
}
