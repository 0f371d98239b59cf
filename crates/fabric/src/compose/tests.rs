//! What becomes of a composition.

use senbon_core::WorkerId;
use senbon_core::pipeline::Settings;
use senbon_core::vote::{Plan, VotePlan};
use senbon_engines::universal::Dialect;

use super::*;
use crate::WorkerSource;

/// The shape of Akara 2010, as the reader's own tests have it.
const AKARA: &str = include_str!("../../../engines/src/compose/akara.toml");

fn hired(text: &str) -> (VotePlan, Vec<WorkerSource>) {
    let composition: Composition = text.parse().unwrap();
    let (plan, sources) = hire(
        &composition,
        &Hiring {
            settings: Settings::default(),
            dialect: Dialect::Usi,
            game: "shogi",
            hash_mib: 64,
            threads: 1,
            chess960: false,
        },
    );
    assert_eq!(sources.len(), composition.workers());
    match plan {
        Plan::Vote(plan) => (*plan, sources),
        Plan::Pipeline(_) => panic!("a vote was asked for"),
    }
}

#[test]
fn the_whole_of_akara_in_one_file() {
    let (plan, sources) = hired(AKARA);
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
