//! What may stand in the file, what becomes of it, and what errors say.

use senbon_core::WorkerId;
use senbon_core::pipeline::Settings;
use senbon_core::vote::{Plan, VotePlan};
use senbon_engines::universal::Dialect;
use senbon_games::Rng;
use senbon_testkit::seed;

use super::*;
use crate::WorkerSource;

/// The shape of Akara 2010.
const AKARA: &str = r#"
log = "votes.log"
ponder = true

[searcher]
kind = "vote"

[[searcher.member]]
name = "gekisashi"
weight = 2.9
engine = "gekisashi --usi"

[[searcher.member]]
name = "gps"
engine = "gpsusi"
nodes = 40000
hash = 16
options = { Verbose = false, Skill = 3, "Book File" = "none" }

[[searcher.member]]
name = "cluster"
weight = 0.1
kind = "pipeline"
engines = ["gpsusi", "built-in"]
workers = 3
remote = "gps"

[[searcher.member]]
name = "inner"
[[searcher.member.member]]
name = "a"
engine = "built-in"
[[searcher.member.member]]
name = "b"
depth = 8
"#;

fn hire(text: &str) -> (VotePlan, Vec<WorkerSource>) {
    let composition: Composition = text.parse().unwrap();
    let (plan, sources) = composition.hire(&Hiring {
        settings: Settings::default(),
        dialect: Dialect::Usi,
        game: "shogi",
        hash_mib: 64,
        threads: 1,
        chess960: false,
    });
    assert_eq!(sources.len(), composition.workers());
    match plan {
        Plan::Vote(plan) => (*plan, sources),
        Plan::Pipeline(_) => panic!("a vote was asked for"),
    }
}

#[test]
fn the_whole_of_akara_in_one_file() {
    let (plan, sources) = hire(AKARA);
    assert!(plan.settings.ponder);
    let names: Vec<_> = plan.voters.iter().map(|voter| voter.name.as_str()).collect();
    assert_eq!(names, ["gekisashi", "gps", "cluster", "inner"]);
    assert_eq!(
        plan.voters.iter().map(|voter| voter.weight.0).collect::<Vec<_>>(),
        [2900, 1000, 100, 1000]
    );
    assert_eq!(plan.voters[1].nodes, Some(40_000));
    let own = |voter: usize| plan.voters[voter].staff.own.clone();
    assert_eq!(own(2), [3, 4, 5].map(WorkerId));
    assert_eq!(plan.voters[2].staff.elsewhere.as_deref(), Some("gps"));
    let Plan::Vote(inner) = &plan.voters[3].member else { panic!("a vote within the vote") };
    assert_eq!(inner.voters[1].staff.own, [WorkerId(7)]);
    assert_eq!(inner.voters[1].depth, Some(8));
    let WorkerSource::Engine(gps) = &sources[1] else { panic!("an engine") };
    for (name, value) in [("USI_Hash", "16"), ("Skill", "3"), ("Verbose", "false")] {
        let set = gps.options.iter().find(|(known, _)| known == name).unwrap();
        assert_eq!(set.1.as_deref(), Some(value));
    }
    assert!(sources[0].is_program() && sources[2].is_program());
    assert!(!sources[3].is_program() && !sources[5].is_program() && !sources[6].is_program());
}

#[test]
fn errors_point_at_the_line() {
    let cases = [
        ("[searcher]\nkind = \"vtoe\"", "line 2 (`kind = \"vtoe\"`): no kind 'vtoe'"),
        ("[searcher]\nkind = \"vote\"", "line 1 (`[searcher]`): a vote needs members"),
        ("[searcher]\nkind = 3", "line 2 (`kind = 3`): "),
        ("log = \"x\"", "missing field `searcher`"),
        ("[searcher]\n\nwieght = 1", "line 3 (`wieght = 1`): unknown field `wieght`"),
        (
            "[searcher]\nengine = \"\"",
            "line 2 (`engine = \"\"`): the engine's command line is empty",
        ),
        ("[searcher]\nengine = \"a\"\nworkers = 2\nkind = \"engine\"", "line 3"),
        ("[searcher]\nstrategy = \"x\"", "no such strategy; there are pipeline"),
        ("[searcher]\nremote = \"x\"\n[[searcher.member]]\nname = \"a\"", "belong to the members"),
        ("[searcher]\nworkers = 5000", "more than 4096 workers"),
        ("[searcher]\nkind = \"pipeline\"\nworkers = 0", "nobody to search"),
        (
            "[searcher]\n[[searcher.member]]\nengine = \"a\"",
            "line 2 (`[[searcher.member]]`): a member",
        ),
        ("[searcher\n", "line 1"),
        (
            "[searcher]\n[[searcher.member]]\nname = \"a\"\nweight = -1.0",
            "line 4 (`weight = -1.0`): a weight is from 0.001",
        ),
        (
            "[searcher]\n[[searcher.member]]\nname = \"a\"\n[[searcher.member]]\nname = \"a\"",
            "line 5 (`name = \"a\"`): two members have the name 'a'",
        ),
        (
            "[searcher]\nengine = \"x\"\n[[searcher.member]]\nname = \"a\"\n",
            "line 2 (`engine = \"x\"`): a vote has members",
        ),
        (
            "[searcher]\n[[searcher.member]]\nname = \"a\"\nnodes = 0\n",
            "line 4 (`nodes = 0`): nodes of 0",
        ),
    ];
    for (text, expected) in cases {
        let error = text.parse::<Composition>().unwrap_err().to_string();
        assert!(error.contains(expected), "{text}\ngave: {error}\nnot:  {expected}");
    }
}

#[test]
fn engines_on_the_command_line_make_a_vote() {
    let lines = ["stockfish", "/usr/games/toga2", "stockfish -x"].map(|line| line.parse().unwrap());
    let composition = Composition::of_engines(&lines);
    let Searcher::Vote(members) = &composition.searcher else { panic!("a vote") };
    let names: Vec<_> = members.iter().map(|member| member.name.as_str()).collect();
    assert_eq!(names, ["stockfish", "toga2", "stockfish-2"]);
    assert_eq!((composition.workers(), composition.kind()), (3, "vote"));
}

/// Damaged files are refused or read, and never more than that.
#[test]
fn damaged_files_do_no_harm() {
    let mut rng = Rng::new(seed());
    let bytes = AKARA.as_bytes();
    for _ in 0..3000 {
        let mut text = bytes.to_vec();
        for _ in 0..1 + rng.below(4) {
            // A byte is always left to be damaged next.
            let at = rng.below(text.len());
            match rng.below(4) {
                0 => text[at] = rng.below(256) as u8,
                1 if text.len() > 1 => drop(text.remove(at)),
                2 => text.truncate(at.max(1)),
                _ => text.insert(at, b"[]\"=\n{}.0"[rng.below(9)]),
            }
        }
        let _ = String::from_utf8_lossy(&text).parse::<Composition>();
    }
}
