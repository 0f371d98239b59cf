//! Minimal-tree search as a coordinator, in the virtual world with the live workers' code and
//! the network's bytes: the value of a search to a depth is that of a search by one, whatever
//! happens to the workers, and a search with a clock is answered in time.
#![allow(clippy::unwrap_used, clippy::disallowed_methods)]

use std::collections::BTreeMap;
use std::time::Duration;

use senbon_core::minimal::{Shape, Style};
use senbon_core::pipeline::{Settings, Strategy};
use senbon_core::{Epoch, Limits, Order, Place, Report, Score, Search, WorkerId};
use senbon_engines::builtin::{Commons, Judged, tree};
use senbon_games::chess::Chess;
use senbon_games::shogi::Shogi;
use senbon_games::tiny::ConnectFour;
use senbon_games::{Game, HIGHEST, Rng, Worth};
use senbon_search::fixed::Fixed;
use senbon_sim::{
    Coded, Happened, LinkProfile, MachineId, Mind, PacedWorker, Unwatched, Watch, World,
};
use senbon_testkit::seed;

type Led<G> = World<G, Coded<G>, Accident>;

#[derive(Clone, Copy, Debug)]
enum Accident {
    Crash(usize),
    Back(usize),
    Freeze(usize),
    Slow(usize),
    Stall(usize),
    NewMachine,
    Stop,
}

const NODE: Duration = Duration::from_micros(20);

fn mind<G: Judged>() -> Mind<G> {
    Mind::Paced(Box::new(PacedWorker::new(1 << 18, NODE).unwrap()))
}

/// With its workers by themselves, or `crew` of them in each process.
fn world<G: Judged>(style: Style, workers: usize, crew: usize, seed: u64) -> Led<G> {
    let overhead = Duration::from_millis(5);
    let settings = Settings {
        strategy: Strategy::MinimalTree,
        minimal: style,
        overhead,
        ..Settings::default()
    };
    let mut world = World::new(G::start(), settings, Coded::default(), seed);
    let mut machines = Vec::new();
    while machines.len() < workers {
        let commons = Commons::of(crew, 1);
        let size = crew.min(workers - machines.len());
        let process: Vec<MachineId> = (0..size)
            .map(|_| {
                let worker = PacedWorker::new(1 << 18, NODE).unwrap().sharing(commons.clone());
                world.add(Mind::Paced(Box::new(worker)), LinkProfile::LOCAL)
            })
            .collect();
        if crew > 1 {
            world.enlist(&process);
        }
        machines.extend(process);
    }
    machines.into_iter().for_each(|machine| world.connect(machine));
    world
}

/// A place some random moves into the game, which is not over.
fn place<G: Judged>(rng: &mut Rng) -> Place<G> {
    loop {
        let mut place = Place::new(G::start());
        let plies = rng.below(20);
        for mv in rng.line(&G::start(), G::start().moves(), plies) {
            place.play(mv);
        }
        let over = place.position().outcome().is_some();
        if !over && place.position().moves().into_iter().next().is_some() {
            return place;
        }
    }
}

fn search<G: Judged>(epoch: u64, place: &Place<G>, limits: Limits) -> Order<G> {
    let (epoch, place) = (Epoch(epoch), place.clone());
    Order::Search(Search { epoch, place, only: Vec::new(), lines: 1, limits })
}

/// What the search told last, and its answer.
type Answer<M> = (Option<(Score, u32)>, Option<M>);

fn answer<G: Judged>(world: &mut Led<G>, epoch: u64, rng: &mut Rng) -> Answer<G::Move> {
    let mut last = None;
    loop {
        match world.next(&mut Unwatched).expect("something happens until the answer") {
            Happened::Above(Report::Opinion { epoch: Epoch(of), opinion }) if of == epoch => {
                last = Some((opinion.score, opinion.depth));
            }
            Happened::Above(Report::Done { epoch: Epoch(of), best, .. }) if of == epoch => {
                return (last, best);
            }
            Happened::Above(_) => {}
            Happened::Alarm(accident) => happen(world, accident, epoch, rng),
        }
    }
}

fn happen<G: Judged>(world: &mut Led<G>, accident: Accident, epoch: u64, rng: &mut Rng) {
    let now = world.now();
    let soon = now + Duration::from_micros(rng.below(5_000) as u64 + 1);
    match accident {
        Accident::Crash(id) if world.is_alive(MachineId(id)) => {
            world.crash(MachineId(id), Duration::from_micros(rng.below(3_000) as u64));
            world.alarm(soon, Accident::Back(id));
        }
        Accident::Crash(_) => {}
        Accident::Back(id) => {
            world.restart(MachineId(id), mind());
            world.connect(MachineId(id));
        }
        Accident::Freeze(id) => world.freeze(MachineId(id), soon),
        Accident::Slow(id) => world.slow(MachineId(id), 1 + rng.below(9) as u32),
        Accident::Stall(id) => world.stall(MachineId(id), soon),
        Accident::NewMachine => {
            let machine = world.add(mind(), LinkProfile::LOCAL);
            world.connect(machine);
        }
        Accident::Stop => world.order(Order::Stop(Epoch(epoch)), &mut Unwatched),
    }
}

fn alarms<G: Judged>(world: &mut Led<G>, workers: usize, rng: &mut Rng) {
    for _ in 0..rng.below(12) {
        let id = rng.below(workers);
        let accident = match rng.below(5) {
            0 => Accident::Crash(id),
            1 => Accident::Freeze(id),
            2 => Accident::Slow(id),
            3 => Accident::Stall(id),
            _ => Accident::NewMachine,
        };
        let at = world.now() + Duration::from_micros(rng.below(20_000) as u64);
        world.alarm(at, accident);
    }
}

fn by_one<G: Judged>(place: &Place<G>, shape: Shape, depth: u8) -> Worth {
    let position = place.position();
    let mut search = Fixed::new(position.clone(), tree::<G>(shape), 1 << 22);
    search.start(position, depth, -HIGHEST, HIGHEST);
    search.run(u64::MAX).unwrap()
}

/// Trees without the history of the game, so that a search by one knows as much.
fn the_value_is_that_of_one<G: Judged>(rng: &mut Rng, depths: std::ops::Range<u8>) {
    let shape = Shape { width: [2, 4, 30][rng.below(3)], quiescence: rng.one_in(2) };
    let depth = depths.start + rng.below(usize::from(depths.end - depths.start)) as u8;
    let depth = if shape.width > 10 { depth.min(3) } else { depth };
    let reach = rng.one_in(2).then(|| rng.below(usize::from(depth) + 2) as u8);
    let style = Style { shape, reach, wider: [0, 25, 200][rng.below(3)] };
    let (workers, crew) = (1 + rng.below(6), 1 + rng.below(4));
    let mut world: Led<G> = world(style, workers, crew, rng.next_u64());
    for epoch in 1..3 {
        let place = place(rng);
        alarms(&mut world, workers, rng);
        let limits = Limits { depth: Some(depth.into()), ..Limits::default() };
        world.order(search(epoch, &place, limits), &mut Unwatched);
        let (told, best) = answer(&mut world, epoch, rng);
        let wanted = Score::of_worth(by_one(&place, shape, depth), depth.into());
        assert_eq!(told, Some((wanted, depth.into())), "{shape:?}, reach {reach:?}");
        let legal = place.position().moves().into_iter().any(|mv| Some(mv) == best);
        assert!(legal, "an answer that can be played");
    }
}

#[test]
fn a_search_to_a_depth_finds_the_value_whatever_happens() {
    let mut rng = Rng::new(seed());
    for _ in 0..8 {
        the_value_is_that_of_one::<Chess>(&mut rng, 2..6);
        the_value_is_that_of_one::<Shogi>(&mut rng, 2..5);
        the_value_is_that_of_one::<ConnectFour>(&mut rng, 2..9);
    }
}

/// However many workers there are, none among the possibilities, an answer comes when the time
/// is up, and a stop is obeyed at once.
#[test]
fn a_search_with_a_clock_is_answered_in_time() {
    let mut rng = Rng::new(seed());
    for _ in 0..40 {
        let (workers, crew) = (rng.below(5), 1 + rng.below(3));
        let mut world: Led<Chess> = world(Style::default(), workers, crew, rng.next_u64());
        let place = place(&mut rng);
        let time = Duration::from_millis(6 + rng.below(100) as u64);
        let stopped = rng.one_in(3);
        let limits = match stopped {
            true => Limits { infinite: true, ..Limits::default() },
            false => Limits { move_time: Some(time), ..Limits::default() },
        };
        // Workers have to come first, or not.
        while rng.one_in(2) && world.next(&mut Unwatched).is_some() {}
        if workers > 0 {
            alarms(&mut world, workers, &mut rng);
        }
        let began = world.now();
        if stopped {
            world.alarm(began + time, Accident::Stop);
        }
        world.order(search(1, &place, limits), &mut Unwatched);
        let (_, best) = answer(&mut world, 1, &mut rng);
        assert!(world.now() <= began + time, "{:?} of {time:?}", world.now() - began);
        assert!(place.position().moves().into_iter().any(|mv| Some(mv) == best));
    }
}

/// Orders to each worker that name tasks, and those that do not.
#[derive(Default)]
struct Orders(BTreeMap<WorkerId, (u32, u32)>);

impl<G: Game> Watch<G> for Orders {
    fn orders(&mut self, _: Duration, to: WorkerId, order: &Order<G>) {
        if let Order::Tasks(tasks) = order {
            let (named, others) = self.0.entry(to).or_default();
            *if tasks.tasks.is_empty() { others } else { named } += 1;
        }
    }
}

/// Four tasks for eight workers: by themselves some of them have nothing to do. In a crew all of
/// them search, and the master talks to one.
#[test]
fn a_crew_shares_its_tasks_and_the_master_talks_to_one_of_them() {
    let style = Style { shape: Shape::published(4), reach: Some(1), wider: 25 };
    let mut rng = Rng::new(seed());
    let places: Vec<Place<Chess>> = (0..6).map(|_| place(&mut rng)).collect();
    let time = |crew: usize| {
        let mut world: Led<Chess> = world(style, 8, crew, 7);
        while world.next(&mut Unwatched).is_some() {}
        let (began, mut orders) = (world.now(), Orders::default());
        for (epoch, place) in (1..).zip(&places) {
            let limits = Limits { depth: Some(9), ..Limits::default() };
            world.order(search(epoch, place, limits), &mut orders);
            let over = |happened| matches!(happened, Happened::Above(Report::Done { .. }));
            while !over(world.next(&mut orders).unwrap()) {}
        }
        let searched = |id: &usize| match world.mind(MachineId(*id)) {
            Mind::Paced(worker) => worker.searched() > 0,
            _ => false,
        };
        (world.now() - began, (0..8).filter(searched).count(), orders.0)
    };
    let (alone, _, told) = time(1);
    assert!(told.values().all(|&(named, _)| named > 0), "each is told by the master: {told:?}");
    let (crew, busy, told) = time(8);
    assert_eq!(busy, 8, "all of them search");
    let (leaders, others): (Vec<_>, Vec<_>) = told.values().partition(|&&(named, _)| named > 0);
    assert_eq!(leaders.len(), 1, "{told:?}");
    assert!(others.iter().all(|&&orders| orders == (0, 6)), "who leads, and no more: {told:?}");
    assert!(crew < alone, "{crew:?} by a crew, {alone:?} by each for itself");
}

/// A strategy changed between two searches: the workers go along, and later back again.
#[test]
fn another_strategy_takes_the_workers_over() {
    let mut rng = Rng::new(seed());
    let style = Style { shape: Shape::published(4), reach: None, wider: 25 };
    let mut world: Led<Chess> = world(style, 3, 2, 7);
    let start = place(&mut rng);
    for (number, strategy) in
        [Strategy::Pipeline, Strategy::MinimalTree, Strategy::Pipeline].into_iter().enumerate()
    {
        let epoch = number as u64 + 1;
        world.coordinator_mut().set(|settings| settings.strategy = strategy);
        let limits = match strategy {
            Strategy::MinimalTree => Limits { depth: Some(4), ..Limits::default() },
            _ => Limits { move_time: Some(Duration::from_millis(30)), ..Limits::default() },
        };
        world.order(search(epoch, &start, limits), &mut Unwatched);
        let (told, best) = answer(&mut world, epoch, &mut rng);
        assert!(best.is_some() && told.is_some(), "{strategy:?}");
        assert_eq!(world.coordinator().pipeline().is_some(), strategy == Strategy::Pipeline);
        assert_eq!(world.coordinator().worker_count(), 3);
        if strategy == Strategy::MinimalTree {
            let wanted = Score::of_worth(by_one(&start, style.shape, 4), 4);
            assert_eq!(told, Some((wanted, 4)));
        }
    }
}
