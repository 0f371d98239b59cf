//! Other people's engines as workers: each takes every kind of order, answers legally, obeys
//! the restriction, and is gone afterwards. `./test` installs them; what is missing is skipped.
#![cfg(target_os = "linux")]
#![allow(clippy::disallowed_methods, clippy::unwrap_used)]

use std::path::Path;
use std::sync::mpsc::{Receiver, sync_channel};
use std::time::{Duration, Instant};

use senbon_core::{Ability, Epoch, Fault, Limits, Opinion, Order, Place, Report, Search, Valued};
use senbon_engines::builtin::BuiltIn;
use senbon_engines::dialogue::{Manners, Patience};
use senbon_engines::process::{Engine, EngineCommand, Told};
use senbon_games::chess::Chess;
use senbon_games::shogi::Shogi;

/// How long anything may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);

/// A running engine and what it tells.
struct Desk<G: BuiltIn> {
    engine: Engine<G>,
    told: Receiver<Told<G>>,
    epoch: u64,
    start: Place<G>,
}

/// What came of a search.
struct Outcome<M> {
    best: Option<M>,
    opinions: Vec<Opinion<M>>,
}

impl<G: BuiltIn> Desk<G>
where
    G::Undo: Send,
{
    fn new(program: &str, arguments: &[&str], manners: Option<Manners>) -> Self {
        let wish = |name: &str, value: &str| (name.to_owned(), Some(value.to_owned()));
        let command = EngineCommand {
            program: program.to_owned(),
            arguments: arguments.iter().map(|&it| it.to_owned()).collect(),
            dialect: G::DIALECT,
            options: vec![
                wish("UCI_Variant", G::NAME),
                wish("Hash", "8"),
                wish("USI_Hash", "8"),
                wish("OwnBook", "false"),
                wish("BookDepth", "0"),
            ],
            manners,
            // Several engines run at once, perhaps on a busy machine.
            patience: Patience {
                start: PATIENCE / 2,
                stop: Duration::from_secs(20),
                ..Patience::default()
            },
            leash: None,
        };
        let (send, told) = sync_channel(100_000);
        let engine = Engine::start(command, move |it| {
            let _ = send.try_send(it);
        });
        Desk { engine, told, epoch: 0, start: Place::new(G::start()) }
    }

    fn next(&self) -> Told<G> {
        self.told.recv_timeout(PATIENCE).expect("the engine says nothing any more")
    }

    fn joined(&self) -> Ability {
        loop {
            match self.next() {
                Told::Joined(ability) => return ability,
                Told::Left(fault) => panic!("{fault}"),
                _ => {}
            }
        }
    }

    fn report(&self) -> Report<G> {
        loop {
            match self.next() {
                Told::Report(report) => return report,
                Told::Left(fault) => panic!("{fault}"),
                _ => {}
            }
        }
    }

    fn begin(&mut self, only: &[G::Move], limits: Limits) -> Epoch {
        self.epoch += 1;
        let (epoch, place) = (Epoch(self.epoch), self.start.clone());
        let search = Search { epoch, place, only: only.to_vec(), lines: 1, limits };
        self.engine.order(Order::Search(search));
        epoch
    }

    fn wait_for_opinion(&self, epoch: Epoch) {
        while !matches!(self.report(), Report::Opinion { epoch: told, .. } if told == epoch) {}
    }

    fn outcome(&self, epoch: Epoch) -> Outcome<G::Move> {
        let mut opinions = Vec::new();
        loop {
            match self.report() {
                Report::Opinion { epoch: told, opinion } if told == epoch => opinions.push(opinion),
                Report::Done { epoch: told, best, .. } if told == epoch => {
                    return Outcome { best, opinions };
                }
                _ => {}
            }
        }
    }

    fn harvest(&mut self, count: usize) -> Vec<Valued<G::Move>> {
        self.epoch += 1;
        let epoch = Epoch(self.epoch);
        self.engine.order(Order::Harvest { epoch, place: self.start.clone(), count });
        loop {
            match self.report() {
                Report::Harvest { epoch: told, positions } if told == epoch => return positions,
                _ => {}
            }
        }
    }
}

fn infinite() -> Limits {
    Limits { infinite: true, ..Limits::default() }
}

fn depth(depth: u32) -> Limits {
    Limits { depth: Some(depth), ..Limits::default() }
}

/// Legal, among `only`, and every opinion about one of them.
fn assert_obeyed<G: BuiltIn>(outcome: &Outcome<G::Move>, only: &[G::Move]) {
    let start = G::start();
    let best = outcome.best.expect("a move");
    assert!(start.moves().into_iter().any(|mv| mv == best));
    assert!(only.is_empty() || only.contains(&best), "{}", start.format_move(best));
    let about = |opinion: &Opinion<G::Move>| only.is_empty() || only.contains(&opinion.line[0]);
    assert!(outcome.opinions.iter().all(about));
    assert!(!outcome.opinions.is_empty(), "it said nothing about what it thinks");
}

/// Every kind of order, one after the other.
fn takes_every_order<G: BuiltIn>(desk: &mut Desk<G>)
where
    G::Undo: Send,
{
    let moves: Vec<_> = G::start().moves().into_iter().collect();
    let few = [moves[0], moves[moves.len() - 1]];
    let epoch = desk.begin(&few, depth(4));
    assert_obeyed::<G>(&desk.outcome(epoch), &few);
    let epoch = desk.begin(&[], Limits { nodes: Some(20_000), ..Limits::default() });
    assert_obeyed::<G>(&desk.outcome(epoch), &[]);
    let epoch = desk.begin(&few, Limits { nodes: Some(20_000), ..Limits::default() });
    assert_obeyed::<G>(&desk.outcome(epoch), &few);
    let epoch = desk.begin(&[], depth(4));
    let outcome = desk.outcome(epoch);
    assert_obeyed::<G>(&outcome, &[]);
    assert!(outcome.opinions.iter().any(|opinion| opinion.depth >= 4));

    let endless = desk.begin(&[], infinite());
    desk.wait_for_opinion(endless);
    desk.engine.order(Order::Stop(endless));
    assert!(desk.outcome(endless).best.is_some());

    let first = desk.begin(&[], infinite());
    desk.wait_for_opinion(first);
    let second = desk.begin(&few, depth(3));
    assert_obeyed::<G>(&desk.outcome(second), &few);

    desk.engine.order(Order::NewGame);
    let epoch = desk.begin(&[], infinite());
    while !matches!(desk.report(), Report::Opinion { epoch: told, opinion }
        if told == epoch && opinion.depth > 2 && opinion.line.len() > 1)
    {}
    let harvest = desk.harvest(5);
    assert!(!harvest.is_empty() && harvest.len() <= 5);
    for valued in harvest {
        let mut position = G::start();
        for mv in valued.way.into_iter().chain(valued.best) {
            assert!(position.moves().into_iter().any(|it| it == mv));
            position.play(mv);
        }
    }
}

/// Processes below ours that run `program`.
fn running(program: &str) -> usize {
    let all = std::fs::read_dir("/proc").unwrap().flatten();
    let numbers = all.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    let text = |number: u32, file: &str| {
        std::fs::read(format!("/proc/{number}/{file}"))
            .map(|bytes| String::from_utf8_lossy(&bytes).replace('\0', " "))
            .unwrap_or_default()
    };
    let is_ours = |number: u32| {
        let stat = text(number, "stat");
        let mut words = stat.rsplit_once(')').map_or("", |(_, rest)| rest).split_whitespace();
        words.next() != Some("Z") && words.next() == Some(&std::process::id().to_string())
    };
    numbers
        .filter(|&number| is_ours(number) && text(number, "cmdline").starts_with(program))
        .count()
}

fn works<G: BuiltIn>(name: &str, arguments: &[&str], restricts: bool, counts_nodes: bool)
where
    G::Undo: Send,
{
    let Some(program) = senbon_testkit::engine(name) else { return };
    let program = program.to_str().unwrap();
    let mut desk = Desk::<G>::new(program, arguments, None);
    let ability = desk.joined();
    assert_eq!((ability.restricts, ability.counts_nodes), (restricts, counts_nodes));
    takes_every_order(&mut desk);
    assert_eq!(running(program), 1);
    drop(desk);
    let until = Instant::now() + PATIENCE;
    while running(program) > 0 {
        assert!(Instant::now() < until, "{program} is still there");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn stockfish() {
    works::<Chess>("stockfish", &[], true, true);
}

#[test]
fn fairy_stockfish_in_chess_and_shogi() {
    works::<Chess>("fairy-stockfish", &[], true, true);
    works::<Shogi>("fairy-stockfish", &[], true, true);
}

#[test]
fn glaurung() {
    works::<Chess>("glaurung", &[], true, true);
}

#[test]
fn toga() {
    works::<Chess>("toga2", &[], false, false);
}

#[test]
fn ethereal() {
    works::<Chess>("ethereal-chess", &[], false, false);
}

#[test]
fn gnu_chess() {
    works::<Chess>("gnuchess", &["--uci"], false, false);
}

#[test]
fn gpsshogi() {
    works::<Shogi>("gpsusi", &["-N", "1"], true, false);
}

/// The engine under a name that nobody knows.
fn disguised<G: BuiltIn>(program: &Path, arguments: &str) -> Desk<G>
where
    G::Undo: Send,
{
    let script =
        format!("'{}' {arguments} | sed -u 's/^id name .*/id name Nobody/'", program.display());
    Desk::new("sh", &["-c", &script], None)
}

/// An engine that has come through the probe. Now and then one loses a `stop` that comes right
/// behind its `go`; it is started again then, and here asked anew, up to three times.
fn probed(program: &std::path::Path, arguments: &str) -> (Desk<Chess>, Ability) {
    for _ in 0..2 {
        let desk = disguised::<Chess>(program, arguments);
        loop {
            match desk.next() {
                Told::Joined(ability) => return (desk, ability),
                Told::Left(Fault::Silent(_)) => break,
                Told::Left(fault) => panic!("{fault}"),
                Told::Report(_) | Told::Complaint(_) => {}
            }
        }
    }
    let desk = disguised::<Chess>(program, arguments);
    let ability = desk.joined();
    (desk, ability)
}

#[test]
fn the_probe_finds_what_the_table_says() {
    for (name, arguments, restricts, counts_nodes) in [
        ("stockfish", "", true, true),
        ("fairy-stockfish", "", true, true),
        ("glaurung", "", true, true),
        ("toga2", "", false, false),
        ("ethereal-chess", "", false, false),
        ("gnuchess", "--uci", false, false),
    ] {
        let Some(program) = senbon_testkit::engine(name) else { continue };
        let (mut desk, ability) = probed(&program, arguments);
        assert_eq!(ability.name, "Nobody");
        assert_eq!((ability.restricts, ability.counts_nodes), (restricts, counts_nodes), "{name}");
        takes_every_order(&mut desk);
    }
}

#[test]
fn an_engine_that_the_probe_aborts_comes_back() {
    let Some(program) = senbon_testkit::engine("gpsusi") else { return };
    let mut desk = disguised::<Shogi>(&program, "-N 1");
    loop {
        match desk.next() {
            Told::Left(Fault::Died(_)) => break,
            Told::Joined(_) => panic!("`go nodes` did not abort it"),
            _ => {}
        }
    }
    assert!(!desk.joined().restricts);
    takes_every_order(&mut desk);
}
