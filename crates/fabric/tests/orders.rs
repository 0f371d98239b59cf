//! An order over the network can make an engine search and stop, and nothing else: it sets no
//! option, and what does not keep the rules never reaches the engine.
#![cfg(unix)]
#![allow(clippy::disallowed_methods, clippy::unwrap_used)]

mod support;

use std::cell::RefCell;
use std::collections::VecDeque;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use senbon_core::Fault;
use senbon_core::session::{Body, Frame, PeerId, SessionId, frames};
use senbon_engines::builtin::BuiltIn;
use senbon_fabric::WorkerSource;
use senbon_fabric::carrier::{Carrier, Delivery, Hub, Role};
use senbon_fabric::front::Config;
use senbon_games::Game;
use senbon_games::chess::Chess;
use support::{Lent, PATIENCE};

/// What a lent engine may be told to set: what its owner said, and what a search needs.
const ALLOWED: [&str; 4] = ["Hash", "Threads", "MultiPV", "UCI_Chess960"];

/// An engine that writes down what it is told.
const SCRIPT: &str = r#"#!/bin/sh
while read -r line; do
  echo "$line" >> "$0.log"
  case "$line" in
    uci) echo "id name scribe"
         echo "option name Hash type spin default 16 min 1 max 1024"
         echo "option name MultiPV type spin default 1 min 1 max 10"
         echo "option name Evil type string default none"
         echo uciok ;;
    isready) echo readyok ;;
    go*) echo "info depth 1 nodes 100 time 30 score cp 1 pv e2e4"
         echo "bestmove e2e4" ;;
    quit) exit ;;
  esac
done
"#;

fn scribe() -> (PathBuf, Vec<WorkerSource>) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("orders");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    let program = folder.join("scribe");
    std::fs::write(&program, SCRIPT).unwrap();
    std::fs::set_permissions(&program, PermissionsExt::from_mode(0o700)).unwrap();
    let line = format!("manners=book {}", program.display());
    let config = Config { engines: vec![line.parse().unwrap()], workers: 1, ..Config::default() };
    (folder.join("scribe.log"), config.hire(Chess::DIALECT, Chess::NAME).1)
}

/// A master that sends what it likes.
struct Master<C> {
    carrier: C,
    news: Receiver<Delivery>,
    /// What came in one message and was not taken yet.
    came: RefCell<VecDeque<(PeerId, Frame)>>,
}

impl<C: Carrier> Master<C> {
    fn next(&self) -> (PeerId, Frame) {
        let until = Instant::now() + PATIENCE;
        let mut came = self.came.borrow_mut();
        loop {
            if let Some(frame) = came.pop_front() {
                return frame;
            }
            let left = until.saturating_duration_since(Instant::now());
            if let Delivery::Message { from, bytes } = self.news.recv_timeout(left).unwrap() {
                came.extend(frames(&bytes).map(|read| (from, read.unwrap())));
            }
        }
    }

    /// Lets the worker in, and gives it this order; says how the worker takes it.
    fn order(&self, content: &[u8]) -> Body {
        let (to, session) = loop {
            if let (from, Frame { session, body: Body::Hello(_) }) = self.next() {
                break (from, session);
            }
        };
        let lease = Duration::from_secs(10);
        self.send(to, session, Body::Welcome { lease });
        self.send(to, session, Body::Letter { number: 0, arrived: 0, content: content.to_vec() });
        loop {
            let (_, frame) = self.next();
            if frame.session == session
                && matches!(frame.body, Body::Letter { .. } | Body::Leave(_))
            {
                self.send(to, session, Body::Leave(Fault::Died("enough".to_owned())));
                return frame.body;
            }
        }
    }

    fn send(&self, to: PeerId, session: SessionId, body: Body) {
        self.carrier.send(to, Frame { session, body }.write());
    }
}

/// A search of the position after this text, as docs/protocol.md has it: number of the order,
/// the place, no moves, all first moves, one line, without end.
fn search(start: &str) -> Vec<u8> {
    let mut bytes = vec![1, 1, start.len() as u8];
    bytes.extend(start.as_bytes());
    bytes.extend([0, 0, 1, 0x80, 0x08]);
    bytes
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

#[test]
fn no_order_sets_an_option_or_brings_a_line_of_its_own() {
    let (log, sources) = scribe();
    let hub = Hub::default();
    let (send, news) = channel();
    let deliver = Box::new(move |delivery| drop(send.send(delivery)));
    let master =
        Master { carrier: hub.join(Role::Master, deliver), news, came: RefCell::default() };
    let lent = Lent::lend("attic", sources, |deliver| hub.join(Role::Worker, deliver));

    // This is how a good one is taken: with a report.
    assert!(matches!(master.order(&search(START)), Body::Letter { .. }));
    let evil = "setoption name Evil value 1";
    let option: Vec<u8> = [&[6, evil.len() as u8], evil.as_bytes()].concat();
    let bad = [
        option,
        search(&format!("{START}\n{evil}")),
        search(&format!("startpos\n{evil}")),
        [search(START), evil.as_bytes().to_vec()].concat(),
    ];
    for order in &bad {
        match master.order(order) {
            Body::Leave(Fault::Nonsense(why)) => assert!(why.contains("cannot be read"), "{why}"),
            other => panic!("{other:?}"),
        }
    }
    drop(lent);
    let told = std::fs::read_to_string(log).unwrap();
    assert!(told.contains("go ") && told.contains("position "), "{told}");
    let mut set = 0;
    for line in told.lines() {
        if let Some(rest) = line.strip_prefix("setoption name ") {
            let name = rest.split(' ').next().unwrap();
            assert!(ALLOWED.contains(&name), "{line}");
            set += 1;
        } else {
            assert!(!line.contains("setoption") && !line.contains("Evil"), "{line}");
        }
    }
    assert!(set > 0, "its owner's table size, at least");
}
