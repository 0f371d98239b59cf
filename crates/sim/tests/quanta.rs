//! Somebody else's engine in virtual time.
#![allow(clippy::unwrap_used)]

use std::time::Duration;

use senbon_core::pipeline::Settings;
use senbon_core::{Epoch, Limits, Order, Place, Report, Search};
use senbon_engines::dialogue::Patience;
use senbon_engines::process::EngineCommand;
use senbon_engines::universal::Dialect;
use senbon_games::chess::Chess;
use senbon_games::{Game, Notation};
use senbon_sim::{
    Happened, LinkProfile, Mind, Quanta, QuantaWorker, Stepped, Unwatched, Values, World,
};

const NODE_TIME: Duration = Duration::from_micros(2);

fn stockfish(quanta: Quanta) -> Option<QuantaWorker<Chess>> {
    let program = senbon_testkit::engine("stockfish")?;
    let command = EngineCommand {
        program: program.display().to_string(),
        arguments: Vec::new(),
        dialect: Dialect::Uci,
        options: vec![("Hash".to_owned(), Some("4".to_owned()))],
        manners: None,
        patience: Patience::default(),
        leash: None,
    };
    Some(QuantaWorker::start(command, quanta, NODE_TIME).unwrap())
}

fn search(epoch: u64, limits: Limits) -> Order<Chess> {
    let place = Place::new(Chess::start());
    Order::Search(Search { epoch: Epoch(epoch), place, only: Vec::new(), lines: 1, limits })
}

#[test]
fn an_engine_is_given_out_by_nodes() {
    for quanta in [Quanta::equal(2_000), Quanta::doubling(1_000)] {
        let Some(worker) = stockfish(quanta) else { return };
        is_given_out_by_nodes(worker);
    }
}

fn is_given_out_by_nodes(mut worker: QuantaWorker<Chess>) {
    worker.order(search(1, Limits { infinite: true, ..Limits::default() }));
    let (mut given, mut told, mut deepest) = (0, Vec::new(), 0);
    for _ in 0..70 {
        let before = given;
        given += worker.run(150, &mut |used, report| {
            let Report::Opinion { opinion, .. } = report else { panic!("{report:?}") };
            assert_eq!(opinion.nodes, before + used);
            assert_eq!(opinion.time, NODE_TIME * opinion.nodes as u32);
            assert!(opinion.depth >= deepest, "a new quantum must not speak of less");
            deepest = opinion.depth;
            told.push(opinion);
        });
    }
    assert_eq!(given, 70 * 150);
    assert!(told.last().unwrap().nodes > 2_000, "more than the first quantum was told of");
    worker.order(Order::Stop(Epoch(1)));
    let mut end = None;
    assert_eq!(worker.run(500, &mut |_, report| end = Some(report)), 0);
    let Some(Report::Done { epoch: Epoch(1), best: Some(best), .. }) = end else {
        panic!("{end:?}")
    };
    assert_eq!(Some(&best), told.last().unwrap().line.first());
    assert!(Chess::start().moves().into_iter().any(|mv| mv == best));
    assert!(worker.is_idle() && worker.fault().is_none());
}

#[test]
fn engines_make_one_search_in_virtual_time_and_it_repeats() {
    let run = || {
        let mut world: World<Chess, Values, ()> =
            World::new(Chess::start(), Settings::default(), Values, 1);
        for _ in 0..2 {
            let id = world
                .add(Mind::Stepped(Box::new(stockfish(Quanta::equal(2_000))?)), LinkProfile::LOCAL);
            world.connect(id);
        }
        let limits = Limits { move_time: Some(Duration::from_millis(60)), ..Limits::default() };
        world.order(search(1, limits), &mut Unwatched);
        loop {
            if let Happened::Above(Report::Done { best, .. }) = world.next(&mut Unwatched)? {
                return Some((best, world.trace().hash(), world.now()));
            }
        }
    };
    let Some(first) = run() else { return };
    assert!(first.0.is_some());
    assert_eq!(run(), Some(first));
}
