//! What may stand in the file, and what errors say.

use senbon_games::Rng;
use senbon_testkit::seed;

use super::*;

const AKARA: &str = include_str!("akara.toml");

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
