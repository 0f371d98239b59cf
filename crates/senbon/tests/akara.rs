//! Akara 2010 against itself: two votes of pipelines and engines, each from one file and by one
//! command, play short games on the game server one after another, while voters are killed at
//! random and come back (akara-2010 section III: the 24-hour test before the match).
//!
//! Half a minute in a usual run, an hour in a long one.
#![cfg(target_os = "linux")]
#![allow(clippy::disallowed_methods, clippy::unwrap_used)]

mod ground;

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use ground::{Ground, Program, free_port, lender, signal};
use senbon_games::shogi::record::Finish;
use senbon_games::{Game, Rng};
use senbon_testkit::{engines_of, find};
use serde_json::Value;

const SENBON: &str = env!("CARGO_BIN_EXE_senbon");

/// What is played: several times what a vote uses of the clock, so that no game hangs on a
/// loaded machine.
const GAME: &str = "akara-40-0";
/// How long, and the most moves of a game: half a minute in a usual run, an hour in a long one.
const SHORT: (Duration, &str) = (Duration::from_secs(20), "24");
const HOUR: (Duration, &str) = (Duration::from_secs(3600), "256");

/// Ends that no fault has a part in. Players give up when they are mated, and never before;
/// [`check`] sees to that.
const BY_THE_RULES: [&str; 5] = ["RESIGN", "SENNICHITE", "OUTE_SENNICHITE", "JISHOGI", "MAX_MOVES"];

/// One side: the vote, and the worker that dialled in to it from elsewhere.
struct Side {
    vote: Program,
    lender: Program,
    listen: String,
}

impl Side {
    fn open(ground: &Ground, name: &str) -> Self {
        let config = ground.folder.with(&format!("{name}.toml"), &composition());
        let (listen, journal) =
            (format!("127.0.0.1:{}", free_port()), ground.folder.file(&format!("{name}.journal")));
        let vote = ground.vote(name, &config, &["--journal", &journal, "--listen", &listen]);
        let lender = lender(&listen);
        Side { vote, lender, listen }
    }
}

/// The whole shape: single engines, a cluster on one machine, and one that takes in others.
/// Whoever is not installed is stood in for by our own engine.
fn composition() -> String {
    let own = format!("\"{SENBON}\" engine shogi");
    let program = |name: &str, more: &str| {
        let line = |path: PathBuf| format!("\"{}\"{more}", path.display());
        find(name).map_or(own.clone(), line)
    };
    let (gps, fairy) = (program("gpsusi", " -N 1"), program("fairy-stockfish", ""));
    format!(
        "ponder = true\n[searcher]\n\
         [[searcher.member]]\nname = 'gps'\nweight = 1.1\nhash = 4\nengine = '{gps}'\n\
         [[searcher.member]]\nname = 'fairies'\nkind = 'pipeline'\nworkers = 2\nhash = 4\n\
         engine = '{fairy}'\n\
         [[searcher.member]]\nname = 'own'\nhash = 4\nengine = '{own}'\n\
         [[searcher.member]]\nname = 'elsewhere'\nkind = 'pipeline'\nremote = ''\n"
    )
}

/// What was done to the voters.
#[derive(Debug, Default)]
struct Count {
    /// Engines killed, by kill -9.
    engines: usize,
    /// Of these, killed all at once: a side without a voter of its own machine.
    at_once: usize,
    /// Workers from elsewhere killed and started again.
    lenders: usize,
    /// All engine processes that were ever seen.
    seen: BTreeSet<u32>,
}

impl Count {
    /// Does harm to one side.
    fn strike(&mut self, side: &mut Side, rng: &mut Rng) {
        let voters = engines_of(side.vote.child.id());
        match rng.below(10) {
            0 => {
                voters.iter().for_each(|&voter| signal(voter, "KILL"));
                self.at_once += voters.len();
                self.engines += voters.len();
            }
            1 | 2 => {
                side.lender.kill();
                side.lender = lender(&side.listen);
                self.lenders += 1;
            }
            _ => {
                if let Some(&voter) = rng.pick(&voters) {
                    signal(voter, "KILL");
                    self.engines += 1;
                }
            }
        }
    }
}

#[test]
fn akara_plays_itself_while_voters_die() {
    let mut rng = Rng::new(senbon_testkit::seed());
    let (time, most_moves) = if senbon_testkit::long() { HOUR } else { SHORT };
    let ground = Ground::new("akara");
    let more = ["--game", GAME, "--continuous", "--max-moves", most_moves];
    let mut server = ground.server(&more);
    let mut sides = ["black", "white"].map(|name| Side::open(&ground, name));
    server.until("\"started\"", 1);
    let (began, mut count) = (Instant::now(), Count::default());
    while began.elapsed() < time {
        std::thread::sleep(Duration::from_millis(500 + rng.below(4500) as u64));
        let side = &mut sides[rng.below(2)];
        count.seen.extend(engines_of(side.vote.child.id()));
        count.strike(side, &mut rng);
    }
    // They play the game under way to its end.
    for side in &sides {
        count.seen.extend(engines_of(side.vote.child.id()));
        signal(side.vote.child.id(), "TERM");
    }
    for Side { vote, lender: _lender, .. } in sides {
        let (status, said) = vote.end();
        assert!(status.success(), "{said:#?}");
    }
    signal(server.child.id(), "TERM");
    let (status, said) = server.end();
    assert!(status.success(), "{said:#?}");
    let ends = check(&ground, &said);
    let Count { engines, at_once, lenders, seen } = count;
    println!(
        "{} games in {:.0} s: {ends:?}; {engines} engines killed ({at_once} all at once), \
         {lenders} workers from elsewhere killed and started again; {} engine processes",
        ends.values().sum::<usize>(),
        began.elapsed().as_secs_f64(),
        seen.len(),
    );
    assert!(engines > 0, "nothing was killed, so nothing was shown");
}

/// Every game that began ended by the rules, and has a record that says so. How often each end
/// came up.
fn check(ground: &Ground, said: &[String]) -> BTreeMap<String, usize> {
    let events: Vec<Value> = said.iter().map(|line| serde_json::from_str(line).unwrap()).collect();
    let of = |event: &str| events.iter().filter(|said| said["event"] == event).collect::<Vec<_>>();
    let mut ends = BTreeMap::new();
    for end in of("ended") {
        let why = end["why"].as_str().unwrap().to_owned();
        assert!(BY_THE_RULES.contains(&why.as_str()), "{end}");
        *ends.entry(why).or_default() += 1;
    }
    let count: usize = ends.values().sum();
    assert!(count > 0, "no game was played to its end");
    assert_eq!(of("started").len(), count, "a game did not end");
    assert_eq!(of("lost").len() + of("suspended").len(), 0, "a player lost its link");
    let records = ground.records();
    assert_eq!(records.len(), count);
    for record in records {
        let gave_up = record.finish == Some(Finish::Resignation);
        let mated = record.last_position().count_moves() == 0;
        assert!(mated || !gave_up, "gave up without need: {record:?}");
    }
    ends
}
