//! The built-in engines as child processes tell what their tables hold.
#![allow(clippy::disallowed_methods, clippy::unwrap_used)]

mod support;

use std::sync::mpsc::{Receiver, sync_channel};
use std::time::Duration;

use senbon_core::{Epoch, Limits, Order, Place, Report, Search};
use senbon_engines::builtin::BuiltIn;
use senbon_engines::dialogue::Patience;
use senbon_engines::process::{self, EngineCommand, Told};
use senbon_engines::universal::{Dialect, Harvested, Reply};
use senbon_games::Notation;
use senbon_games::chess::Chess;
use senbon_games::shogi::Shogi;
use support::Engine;

/// Waits until the search under way has reached a depth that leaves something to harvest.
fn search_a_little(engine: &mut Engine) {
    engine.say("position startpos\ngo infinite");
    engine.until("info depth 7 ");
}

fn harvest(engine: &mut Engine, dialect: Dialect, command: &str) -> Vec<Harvested> {
    engine.say(command);
    let replies = engine.until("harvestok");
    let harvested = replies.iter().filter_map(|line| match Reply::parse(dialect, line) {
        Ok(Reply::Harvested(told)) => Some(told),
        _ => None,
    });
    harvested.collect()
}

fn assert_sense<G: Notation>(start: &G, told: &Harvested) {
    let mut position = start.clone();
    for text in told.way.iter().chain(&told.best) {
        position.play(position.parse_move(text).unwrap_or_else(|e| panic!("{told:?}: {e}")));
    }
    assert!(told.depth > 0);
}

#[test]
fn the_table_is_told_while_the_search_goes_on() {
    let mut chess = Engine::start(&["engine", "chess"], Dialect::Uci);
    chess.say("uci");
    assert!(chess.until("uciok").contains(&"id harvest 256".to_owned()));
    search_a_little(&mut chess);
    let told = harvest(&mut chess, Dialect::Uci, "harvest 20 startpos");
    assert_eq!(told.len(), 20);
    told.iter().for_each(|told| assert_sense(&Chess::start(), told));
    assert!(told.is_sorted_by(|a, b| a.depth >= b.depth), "{told:?}");
    assert!(harvest(&mut chess, Dialect::Uci, "harvest 100000 startpos").len() <= 256);
    chess.ask("stop");

    let mut shogi = Engine::start(&["engine", "shogi"], Dialect::Usi);
    search_a_little(&mut shogi);
    let told = harvest(&mut shogi, Dialect::Usi, "harvest 20 startpos moves 7g7f");
    assert!(!told.is_empty());
    let start = Shogi::start();
    let mut after = start.clone();
    senbon_games::Game::play(&mut after, start.parse_move("7g7f").unwrap());
    told.iter().for_each(|told| assert_sense(&after, told));
    shogi.ask("stop");
}

#[test]
fn nonsense_is_answered() {
    let mut engine = Engine::start(&["engine", "chess"], Dialect::Uci);
    for (command, reason) in [
        ("harvest", "harvest: the number of positions is missing"),
        ("harvest -3 startpos", "harvest: the number must be a whole number"),
        ("harvest 3 fen 8/8 w - - 0 1", "harvest: "),
        ("harvest 3 startpos moves e2e5", "harvest: move 1 (e2e5)"),
    ] {
        engine.say(command);
        assert!(engine.remark().starts_with(reason), "{command}");
        assert_eq!(engine.until("harvestok"), ["harvestok"]);
    }
    assert!(harvest(&mut engine, Dialect::Uci, "harvest 3 startpos").is_empty(), "no search yet");
}

fn next<G: BuiltIn>(told: &Receiver<Told<G>>) -> Told<G> {
    told.recv_timeout(Duration::from_secs(60)).unwrap()
}

fn through_the_adapter<G: BuiltIn>(game: &str)
where
    G::Undo: Send,
{
    let command = EngineCommand {
        program: env!("CARGO_BIN_EXE_senbon").to_owned(),
        arguments: vec!["engine".to_owned(), game.to_owned()],
        dialect: G::DIALECT,
        options: Vec::new(),
        manners: None,
        patience: Patience::default(),
        leash: None,
    };
    let (send, told) = sync_channel(1_000);
    let engine = process::Engine::<G>::start(command, move |it| {
        let _ = send.try_send(it);
    });
    let Told::Joined(ability) = next(&told) else { panic!("did not join") };
    assert!(ability.harvests && ability.restricts && ability.counts_nodes);
    let place = Place::new(G::start());
    let limits = Limits { infinite: true, ..Limits::default() };
    let search =
        Search { epoch: Epoch(1), place: place.clone(), only: Vec::new(), lines: 1, limits };
    engine.order(Order::Search(search));
    while !matches!(next(&told), Told::Report(Report::Opinion { opinion, .. }) if opinion.depth > 6)
    {
    }
    engine.order(Order::Harvest { epoch: Epoch(2), place, count: 10 });
    let positions = loop {
        if let Told::Report(Report::Harvest { epoch: Epoch(2), positions }) = next(&told) {
            break positions;
        }
    };
    assert_eq!(positions.len(), 10);
}

#[test]
fn the_adapter_asks_for_it() {
    through_the_adapter::<Chess>("chess");
    through_the_adapter::<Shogi>("shogi");
}
