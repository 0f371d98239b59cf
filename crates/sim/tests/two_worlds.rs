//! Two worlds, one code: what a coordinator with one worker says live is what it says in
//! virtual time, opinion by opinion and node by node.
#![allow(clippy::unwrap_used)]

use std::fmt::Debug;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use senbon_core::pipeline::Settings;
use senbon_core::{Epoch, Limits, Order, Place, Report, Score, Search};
use senbon_engines::builtin::BuiltIn;
use senbon_fabric::{News, WorkerSource, World as LiveWorld};
use senbon_games::chess::Chess;
use senbon_games::shogi::Shogi;
use senbon_games::{Game, Rng};
use senbon_sim::{Happened, LinkProfile, Mind, PacedWorker, Unwatched, Values, World};

const NODES: u64 = 15_000;
const SEARCHES: u64 = 6;
/// For the live world only; it has a search of a few thousand nodes to make.
const PATIENCE: Duration = Duration::from_secs(120);

/// What is comparable of a report: everything but the time.
#[derive(Debug, PartialEq)]
enum Said<M> {
    Opinion(Score, u32, u32, u64, Vec<M>),
    Done(Option<M>, Option<M>),
}

fn said<G: Game>(report: Report<G>) -> Option<Said<G::Move>> {
    match report {
        Report::Opinion { opinion, .. } => Some(Said::Opinion(
            opinion.score,
            opinion.depth,
            opinion.seldepth,
            opinion.nodes,
            opinion.line,
        )),
        Report::Done { best, ponder, .. } => Some(Said::Done(best, ponder)),
        _ => None,
    }
}

/// The searches of a random game, each some plies after the one before.
fn searches<G: BuiltIn>(seed: u64) -> Vec<Order<G>> {
    let mut rng = Rng::new(seed);
    let mut place = Place::new(G::start());
    let mut orders = Vec::new();
    for epoch in 1..=SEARCHES {
        for _ in 0..2 {
            let moves: Vec<_> = place.position().moves().into_iter().collect();
            place.play(*rng.pick(&moves).unwrap());
            if place.position().outcome().is_some() {
                // Over so soon: another game.
                return searches(seed.wrapping_add(1));
            }
        }
        let limits = Limits { nodes: Some(NODES), ..Limits::default() };
        let (place, only) = (place.clone(), Vec::new());
        orders.push(Order::Search(Search { epoch: Epoch(epoch), place, only, lines: 1, limits }));
    }
    orders
}

fn live<G: BuiltIn + Sync>(orders: Vec<Order<G>>) -> Vec<Said<G::Move>>
where
    G::Undo: Send,
{
    let (tell, news): (_, Receiver<News<G>>) = channel();
    let sources = vec![WorkerSource::BuiltIn { table_mib: 1, commons: None }];
    let world = LiveWorld::start(Settings::default(), sources, move |news| {
        let _ = tell.send(news);
    })
    .unwrap();
    while !matches!(news.recv_timeout(PATIENCE).unwrap(), News::Joined(..)) {}
    let mut heard = Vec::new();
    for order in orders {
        world.order(order);
        loop {
            let News::Report(report) = news.recv_timeout(PATIENCE).unwrap() else { continue };
            let last = matches!(report, Report::Done { .. });
            heard.extend(said(report));
            if last {
                break;
            }
        }
    }
    heard
}

fn virtually<G: BuiltIn>(orders: Vec<Order<G>>) -> Vec<Said<G::Move>> {
    let mut world: World<G, Values, ()> = World::new(G::start(), Settings::default(), Values, 1);
    let worker = PacedWorker::new(1 << 20, Duration::from_micros(1)).unwrap();
    let id = world.add(Mind::Paced(Box::new(worker)), LinkProfile::LOCAL);
    world.connect(id);
    let mut heard = Vec::new();
    for order in orders {
        world.order(order, &mut Unwatched);
        while let Some(Happened::Above(report)) = world.next(&mut Unwatched) {
            let last = matches!(report, Report::Done { .. });
            heard.extend(said(report));
            if last {
                break;
            }
        }
    }
    heard
}

fn same<G: BuiltIn + Sync>(seed: u64)
where
    G::Undo: Send,
    G::Move: Debug,
{
    let live = live(searches::<G>(seed));
    let virtually = virtually(searches::<G>(seed));
    assert_eq!(live, virtually, "seed {seed}");
    assert!(live.len() as u64 > 3 * SEARCHES, "hardly anything was said");
}

#[test]
fn one_worker_says_the_same_in_both_worlds() {
    let seed = senbon_testkit::seed();
    same::<Chess>(seed);
    same::<Shogi>(seed);
}
