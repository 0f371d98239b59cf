//! Minimal-tree search in virtual time: whatever the variant, the number of workers and the
//! accidents, the value is the one that a search by one returns.
#![allow(clippy::unwrap_used, clippy::disallowed_methods)]

use senbon_core::WorkerId;
use senbon_core::minimal::{Desk, Finding, Master, Settings, Windows};
use senbon_games::shogi::{Shogi, ShogiEvaluator};
use senbon_games::tiny::{ConnectFour, Threats};
use senbon_games::trees::{Incremental, IncrementalShape, TreeValue};
use senbon_games::{Bounds, Branching, Game, HIGHEST, Notation, Promising, Rng, Worth};
use senbon_search::fixed::Fixed;
use senbon_sim::minimal::{Costs, Faults, Field, Finished, Trial};
use senbon_testkit::seed;

/// By one, with nobody to ask.
fn alone<G: Game, B: Branching<G>>(root: &G, branching: B, depth: u8) -> Worth {
    let mut search = Fixed::new(root.clone(), branching, 1 << 24);
    search.start(root, depth, -HIGHEST, HIGHEST);
    search.run(u64::MAX).unwrap()
}

fn drawn(rng: &mut Rng, depth: u8) -> Trial {
    let workers = [1, 2, 3, 7, 30, 100][rng.below(6)];
    let reach = rng.below(usize::from(depth) + 2) as u8;
    let settings = Settings {
        depth,
        reach,
        start: if rng.below(2) == 0 { reach } else { rng.below(usize::from(reach) + 1) as u8 },
        windows: match rng.below(3) {
            0 => Windows::Task,
            1 => Windows::Scout,
            _ => Windows::Epsilon([0, 10, 50, 200][rng.below(4)]),
        },
        in_step: rng.below(2) == 0,
        stride: [2, 2, 4, 6][rng.below(4)],
        extends: rng.below(2) == 0,
        hurries: rng.below(2) == 0,
        front: rng.below(2) == 0,
        spares: rng.below(2) == 0,
        crews: rng.below(2) == 0,
        repeats: rng.below(2) == 0,
        history: false,
    };
    let latency = [1, 1_000, 100_000][rng.below(3)];
    let costs = Costs {
        node: 500,
        visit: 50,
        open: 500,
        judge: 500,
        message: 900,
        item: 40,
        latency,
        handover: 100,
        wake: [1, latency][rng.below(2)],
        entry: 40,
    };
    let faults = match rng.below(2) {
        0 => Faults::none(),
        _ => Faults::drawn(rng.next_u64(), workers),
    };
    let shares = (rng.below(3) == 0).then(|| rng.below(5) as u8);
    let memory = 1 << (10 + rng.below(12));
    let foremen = if rng.below(2) == 0 { 0 } else { 1 + rng.below(workers) };
    Trial {
        foremen,
        pause: [0, latency, 20 * latency][rng.below(3)],
        updates: rng.below(3) > 0,
        shares,
        remember_from: 2 + rng.below(3) as u8,
        memory,
        faults,
        pool: 1 << (8 + rng.below(12)),
        scouts: rng.below(2) == 0,
        ..Trial::new(settings, workers, costs)
    }
}

fn check<G: Game, B: Branching<G> + Clone>(root: &G, branching: &B, trial: &Trial) -> Finished {
    let truth = alone(root, branching.clone(), trial.settings.depth);
    let run = || Field::new(root.clone(), branching.clone(), trial.clone()).run();
    let finished = run();
    assert_eq!(finished.value, truth, "{trial:?}");
    let Finished { finished: searches, ended, ended_full, .. } = finished;
    assert!(ended_full <= ended && ended <= searches, "{finished:?}");
    assert_eq!(finished, run(), "one seed, one course of events: {trial:?}");
    finished
}

#[test]
fn synthetic_trees_of_all_sizes() {
    let mut rng = Rng::new(seed());
    for _ in 0..60 {
        let depth = 1 + rng.below(8) as u8;
        let shape = IncrementalShape::new(2 + rng.below(4) as u8, depth, rng.next_u64());
        let root = Incremental::new(shape).unwrap();
        check(&root, &Promising::new(TreeValue, 5), &drawn(&mut rng, depth));
    }
}

/// Games end early, and ways meet.
#[test]
fn games_that_end_and_ways_that_meet() {
    let mut rng = Rng::new(seed());
    for _ in 0..40 {
        let mut position = ConnectFour::start();
        for _ in 0..rng.below(38) {
            let moves: Vec<_> = position.moves().collect();
            if position.ended().is_some() || moves.is_empty() {
                break;
            }
            position.play(moves[rng.below(moves.len())]);
        }
        let depth = 1 + rng.below(7) as u8;
        check(&position, &Promising::new(Threats, 7), &drawn(&mut rng, depth));
    }
    for _ in 0..4 {
        let depth = 4 + rng.below(3) as u8;
        let branching = Promising::new(ShogiEvaluator::default(), 4);
        check(&Shogi::start(), &branching, &drawn(&mut rng, depth));
    }
}

/// Many workers are faster than few, and updates help: the point of it all.
#[test]
fn workers_are_worth_something() {
    let root = Incremental::new(IncrementalShape::new(5, 14, 1)).unwrap();
    let branching = Promising::new(TreeValue, 5);
    let costs = Costs {
        node: 5_000,
        visit: 50,
        open: 5_000,
        judge: 5_000,
        message: 1_000,
        item: 50,
        latency: 50_000,
        handover: 100,
        wake: 5_000,
        entry: 50,
    };
    let time = |workers| {
        let trial = Trial::new(Settings::best(14, 6), workers, costs);
        check(&root, &branching, &trial).time as f64
    };
    let (one, many) = (time(1), time(32));
    assert!(one / many > 8.0, "32 workers are {:.1} times as fast as one", one / many);
}

/// A crew that shares its memory searches less than one in which everybody remembers for
/// himself, and those without a task are not idle.
#[test]
fn crews_on_one_machine_search_less_and_wait_less() {
    let position = Shogi::start();
    let branching = Promising::new(ShogiEvaluator::default(), 5);
    let costs = Costs {
        node: 2_000,
        visit: 50,
        open: 4_000,
        judge: 1_000,
        message: 9_000,
        item: 200,
        latency: 300_000,
        handover: 1_000,
        wake: 20_000,
        entry: 200,
    };
    let run = |crews, workers| {
        let settings = Settings { crews, spares: false, ..Settings::best(12, 4) };
        let trial = Trial { foremen: 1, pool: 16 << 20, ..Trial::new(settings, workers, costs) };
        check(&position, &branching, &trial)
    };
    let (apart, together) = (run(false, 8), run(true, 8));
    assert!(
        together.nodes * 10 < apart.nodes * 9,
        "{} nodes, {} without sharing",
        together.nodes,
        apart.nodes
    );
    // Far more workers than tasks.
    let (apart, together) = (run(false, 200), run(true, 200));
    let idle = |finished: &Finished| finished.start_up_idle + finished.other_idle;
    assert!(idle(&together) * 2 < idle(&apart), "{together:?} {apart:?}");
    assert!(together.time < apart.time, "{together:?} {apart:?}");
}

/// Makes the next search on a desk and tells the master, which may be told of another `best`
/// child than was found; false when there is nothing to search.
fn answer<G: Game, B: Branching<G>>(
    root: &G,
    desk: &mut Desk<G::Move>,
    search: &mut Fixed<G, B>,
    master: &mut Master<G, B>,
    best: Option<u8>,
) -> bool {
    let Some(work) = desk.work() else { return false };
    let mut position = root.clone();
    for &mv in desk.way(work.leaf).unwrap() {
        position.play(mv);
    }
    search.start(&position, work.depth, work.window.0, work.window.1);
    let value = search.run(u64::MAX).unwrap();
    let best = best.unwrap_or(search.favourite());
    master.handle_finding(&desk.handle_value(work, value, 1, best))
}

/// Leads `workers` desks by a search to the end; every level that nothing is missing of says
/// what a search by one to that depth says. Gives the nodes that were made before a worker
/// had searched anything, and how many searches all of them made.
fn led(root: &Incremental, settings: Settings, workers: u32) -> (usize, usize) {
    let branching = Promising::new(TreeValue, 5);
    let mut master = Master::new(root.clone(), branching.clone(), settings);
    let mut desks: Vec<_> = (0..workers).map(|_| Desk::new(true)).collect();
    (0..workers).for_each(|worker| master.handle_joined(WorkerId(worker)));
    let mut search = Fixed::new(root.clone(), branching.clone(), 1 << 20);
    let (mut first, mut searches, mut settled) = (None, 0, 0);
    while master.value().is_none() {
        master.pass();
        first = first.or(Some(master.size().0));
        if let Some(level) = master.settled().filter(|level| level.depth > settled) {
            settled = level.depth;
            assert_eq!(level.value, alone(root, branching.clone(), settled), "{settled} plies");
        }
        while let Some(sheet) = master.poll() {
            let desk = &mut desks[sheet.worker.0 as usize];
            desk.handle_sheet(sheet.pass, &sheet.tasks, sheet.ways, sheet.whole);
        }
        for desk in &mut desks {
            searches += usize::from(answer(root, desk, &mut search, &mut master, None));
        }
    }
    assert_eq!(master.value(), Some(alone(root, branching, settings.depth)));
    (first.unwrap(), searches)
}

/// A tree that grows is small at first, and workers that would have nothing to do get siblings
/// of what seems to refute.
#[test]
fn trees_grow_and_workers_are_kept_busy() {
    let mut rng = Rng::new(seed());
    let trees: Vec<_> = (0..6)
        .map(|_| Incremental::new(IncrementalShape::new(5, 12, rng.next_u64())).unwrap())
        .collect();
    let all = |settings: Settings, workers| {
        let runs = trees.iter().map(|root| led(root, settings, workers));
        runs.fold((0, 0), |sum, run| (sum.0 + run.0, sum.1 + run.1))
    };
    let settings = Settings { spares: false, ..Settings::best(12, 6) };
    let (whole, few) = all(settings, 400);
    let (small, _) = all(Settings { start: 2, ..settings }, 400);
    assert!(small * 4 < whole, "{small} nodes at first, {whole} without growth");
    let (_, more) = all(Settings { spares: true, ..settings }, 400);
    assert!(more > few, "{more} searches, {few} without siblings");
    let alike = [true, false].map(|spares| all(Settings { spares, ..settings }, 1));
    assert_eq!(alike[0], alike[1], "one worker always has work");
}

/// Windows are narrow and the root's value moves while a level is searched: what was found
/// before with other windows is not taken for an answer. `led` compares all levels.
#[test]
fn every_level_says_what_a_search_of_its_depth_says() {
    let mut rng = Rng::new(seed());
    for _ in 0..12 {
        let root = Incremental::new(IncrementalShape::new(5, 12, rng.next_u64())).unwrap();
        let windows = Windows::Epsilon([0, 5][rng.below(2)]);
        let start = [2, 4, 6][rng.below(3)];
        let settings = Settings { windows, start, ..Settings::best(12, 6) };
        led(&root, settings, [1, 7, 40][rng.below(3)]);
    }
}

/// How often tasks of each class were told in a search by three workers.
fn classes_told(settings: Settings) -> std::collections::BTreeMap<u8, usize> {
    let root = Incremental::new(IncrementalShape::new(5, settings.depth, seed())).unwrap();
    let branching = Promising::new(TreeValue, 5);
    let mut master = Master::new(root.clone(), branching.clone(), settings);
    let mut desks: Vec<_> = (0..3).map(|_| Desk::new(true)).collect();
    (0..3).for_each(|worker| master.handle_joined(WorkerId(worker)));
    let mut search = Fixed::new(root.clone(), branching, 1 << 20);
    let mut classes = std::collections::BTreeMap::new();
    while master.value().is_none() {
        master.pass();
        while let Some(sheet) = master.poll() {
            for task in &sheet.tasks {
                *classes.entry(task.signature.ranks()[0]).or_default() += 1;
            }
            let desk = &mut desks[sheet.worker.0 as usize];
            desk.handle_sheet(sheet.pass, &sheet.tasks, sheet.ways, sheet.whole);
        }
        for desk in &mut desks {
            answer(&root, desk, &mut search, &mut master, None);
        }
    }
    classes
}

/// At the front the line of best moves is a class of its own, and few tasks are on it; most of
/// the others are as good as certain to be needed, some are not. Otherwise all are of one class.
#[test]
fn at_the_front_tasks_come_by_what_depends_on_them() {
    let settings = Settings { front: true, spares: false, ..Settings::best(10, 6) };
    let told = classes_told(settings);
    let all: usize = told.values().sum();
    let of = |class: u8| told.get(&class).copied().unwrap_or(0);
    assert!(of(1) > 0 && of(1) * 10 < all, "on the line: {told:?}");
    assert!(of(2) > 0 && of(2) * 2 < all, "doubtful: {told:?}");
    assert!(of(3) > 0 && (4..=11).any(|class| of(class) > 0), "needed, more or less: {told:?}");
    let told = classes_told(Settings { front: false, ..settings });
    assert_eq!(told.keys().copied().collect::<Vec<_>>(), [1], "{told:?}");
}

/// When the tree grows, what is below a task goes to the worker that searched it: it remembers
/// what is there.
#[test]
fn what_grows_below_a_task_stays_with_its_worker() {
    let root = Incremental::new(IncrementalShape::new(5, 14, seed())).unwrap();
    let branching = Promising::new(TreeValue, 5);
    let settings = Settings { start: 2, spares: false, ..Settings::best(14, 4) };
    let mut master = Master::new(root.clone(), branching.clone(), settings);
    let mut desks: Vec<_> = (0..3).map(|_| Desk::new(true)).collect();
    (0..3).for_each(|worker| master.handle_joined(WorkerId(worker)));
    let mut search = Fixed::new(root.clone(), branching, 1 << 20);
    let mut owners = std::collections::BTreeMap::new();
    let (mut same, mut others) = (0, 0);
    while same + others < 30 {
        master.pass();
        while let Some(sheet) = master.poll() {
            for (_, way) in &sheet.ways {
                match owners.get(&way[..2]) {
                    Some(&owner) if way.len() == 4 && owner == sheet.worker => same += 1,
                    Some(_) if way.len() == 4 => others += 1,
                    _ => drop(owners.insert(way.clone(), sheet.worker)),
                }
            }
            let desk = &mut desks[sheet.worker.0 as usize];
            desk.handle_sheet(sheet.pass, &sheet.tasks, sheet.ways, sheet.whole);
        }
        for desk in &mut desks {
            answer(&root, desk, &mut search, &mut master, None);
        }
    }
    assert!(same > 5 * others, "{same} of {} tasks stayed", same + others);
}

/// Children that there are none of are told of; games end where the tree grows.
#[test]
fn nonsense_about_children_does_no_harm() {
    let mut rng = Rng::new(seed());
    for _ in 0..40 {
        let mut root = ConnectFour::start();
        for _ in 0..30 + rng.below(6) {
            let moves: Vec<_> = root.moves().collect();
            if root.ended().is_some() || moves.is_empty() {
                break;
            }
            root.play(moves[rng.below(moves.len())]);
        }
        let branching = Promising::new(Threats, 7);
        let settings = Settings { start: rng.below(3) as u8, ..Settings::best(10, 6) };
        let mut master = Master::new(root, branching.clone(), settings);
        let mut desk = Desk::new(true);
        let mut search = Fixed::new(root, branching.clone(), 1 << 20);
        master.handle_joined(WorkerId(0));
        while master.value().is_none() {
            master.pass();
            while let Some(sheet) = master.poll() {
                desk.handle_sheet(sheet.pass, &sheet.tasks, sheet.ways, sheet.whole);
            }
            let nonsense = Some(rng.below(256) as u8);
            answer(&root, &mut desk, &mut search, &mut master, nonsense);
        }
        assert_eq!(master.value(), Some(alone(&root, branching, 10)));
    }
}

/// One of 40 workers never answers. The level waits for it, unless the search hurries.
#[test]
fn levels_do_not_wait_for_the_last_few() {
    let root = Incremental::new(IncrementalShape::new(5, 12, seed())).unwrap();
    let branching = Promising::new(TreeValue, 5);
    let deepest = |hurries| {
        let settings = Settings { hurries, spares: false, ..Settings::best(12, 6) };
        let mut master = Master::new(root.clone(), branching.clone(), settings);
        let mut desks: Vec<_> = (0..40).map(|_| Desk::new(true)).collect();
        (0..40).for_each(|worker| master.handle_joined(WorkerId(worker)));
        let mut search = Fixed::new(root.clone(), branching.clone(), 1 << 20);
        let mut level = 0;
        for _ in 0..300 {
            master.pass();
            while let Some(sheet) = master.poll() {
                level = level.max(sheet.level);
                let desk = &mut desks[sheet.worker.0 as usize];
                desk.handle_sheet(sheet.pass, &sheet.tasks, sheet.ways, sheet.whole);
            }
            for desk in &mut desks[1..] {
                answer(&root, desk, &mut search, &mut master, None);
            }
        }
        level
    };
    let (patient, hasty) = (deepest(false), deepest(true));
    assert!(patient == 2 && hasty > 2, "level {patient}, and {hasty} in a hurry");
}

/// A worker that lies and is contradicted: what both said is forgotten, the leaf is searched
/// anew, and the value is right in the end. Nonsense is refused.
#[test]
fn contradicted_lies_are_forgotten() {
    let mut rng = Rng::new(seed());
    let mut all_lies = 0;
    for _ in 0..20 {
        let (depth, reach) = (8, 1 + rng.below(4) as u8);
        let root = Incremental::new(IncrementalShape::new(4, depth, rng.next_u64())).unwrap();
        let branching = Promising::new(TreeValue, 4);
        let truth = alone(&root, branching.clone(), depth);
        let settings = Settings::best(depth, reach);
        let mut master = Master::new(root.clone(), branching.clone(), settings);
        let mut desk = Desk::new(true);
        let mut search = Fixed::new(root.clone(), branching, 1 << 20);
        master.handle_joined(WorkerId(0));
        let (mut lies, mut told) = (0, std::collections::BTreeSet::new());
        while master.value().is_none() {
            master.pass();
            while let Some(sheet) = master.poll() {
                desk.handle_sheet(sheet.pass, &sheet.tasks, sheet.ways, sheet.whole);
            }
            let Some(work) = desk.work() else { continue };
            let mut position = root.clone();
            for &mv in desk.way(work.leaf).unwrap() {
                position.play(mv);
            }
            search.start(&position, work.depth, work.window.0, work.window.1);
            let value = search.run(u64::MAX).unwrap();
            let finding = desk.handle_value(work, value, 1, Finding::NO_BEST);
            let nonsense = Finding { depth: work.depth + 1, ..finding };
            assert!(!master.handle_finding(&nonsense));
            // A lie about what has been told before would be contradicted at once.
            let first = told.insert((work.leaf, work.depth));
            if first && lies < 50 && rng.below(3) == 0 {
                lies += 1;
                let lie = if finding.bounds.lower > -HIGHEST { -30_000 } else { 30_000 };
                let lied = Finding { bounds: Bounds::exactly(lie), ..finding };
                assert!(master.handle_finding(&lied), "nobody can know yet");
                master.pass();
                assert!(!master.handle_finding(&finding), "now it is contradicted");
            } else {
                assert!(master.handle_finding(&finding));
            }
        }
        assert_eq!(master.value(), Some(truth), "{lies} lies");
        all_lies += lies;
    }
    assert!(all_lies > 20, "{all_lies} lies are too few to show anything");
}
