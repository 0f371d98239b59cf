//! Whole runs on a few positions.

use senbon_games::Rng;
use senbon_games::chess::Chess;

use super::*;

pub(super) fn plan() -> Plan {
    Plan {
        teams: vec!["pipeline:2".parse().unwrap()],
        times: vec![1.0],
        ruler: vec![1.0, 2.0],
        move_time: Duration::from_secs(1),
        pace: Pace { nodes_per_second: 300, table_bytes: 1 << 16, ponder: false },
        table: RankTable::published(),
        warm: false,
        count: 3,
        decided: 1_000,
        reference_nodes: 1_500,
        concurrency: 2,
        seed: 1,
        tag: "test".to_owned(),
        references: PathBuf::new(),
        choices: PathBuf::new(),
    }
}

#[test]
fn the_ruler_holds_every_time_and_no_trial_is_made_twice() {
    let mut plan = plan();
    plan.times = vec![0.5, 1.0];
    plan.teams.push(ONE_WORKER);
    assert_eq!(plan.multiples(), [0.5, 1.0, 2.0]);
    assert_eq!(plan.longest_nodes(), 600.0);
    let trials = plan.trials();
    let written: Vec<_> = trials.iter().map(|it| format!("{} {}", it.team, it.multiple)).collect();
    let ruler = ["single:1 0.5", "single:1 1", "single:1 2"];
    assert_eq!(written, [&ruler[..], &["pipeline:2 0.5", "pipeline:2 1"]].concat());
}

#[test]
fn a_run_goes_on_and_the_number_of_threads_does_not_matter() {
    let folder = std::env::temp_dir().join(format!("senbon-regret-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let at = |name: &str| folder.join(name);
    let run = |plan: &Plan| {
        let positions = Positions::<Chess>::read(&[], None, plan.count, &mut Rng::new(plan.seed));
        measure(plan, positions.unwrap(), |_, _| {}).unwrap()
    };
    let plan = Plan { references: at("references"), choices: at("choices"), ..plan() };
    let first = run(&plan);
    assert_eq!((first.positions.len(), first.rows.len(), first.ruler), (3, 3, 2));
    assert!(first.searched[0] > 0 && first.searched[1] > 0, "{:?}", first.searched);
    let again = run(&plan);
    assert_eq!(again.searched, [0; 3]);
    let same = |a: &Results, b: &Results| {
        a.positions == b.positions && a.rows.iter().zip(&b.rows).all(|(a, b)| a.moves == b.moves)
    };
    assert!(same(&first, &again));
    // Other files, one thread: all is searched anew and comes out the same.
    let alone = Plan {
        references: at("other-references"),
        choices: at("other-choices"),
        concurrency: 1,
        ..plan.clone()
    };
    assert!(same(&first, &run(&alone)));
    // References are shared by another tag; choices are not.
    let changed = run(&Plan { tag: "changed".to_owned(), ..plan });
    assert_eq!((changed.searched[0], changed.searched[2]), (0, 0));
    assert!(changed.searched[1] > 0);
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn a_set_without_positions_is_refused() {
    let path = |name: &str| std::env::temp_dir().join(format!("{name}-{}", std::process::id()));
    let (references, choices) = (path("senbon-regret-none"), path("senbon-regret-none-choices"));
    let plan = Plan { references, choices, warm: true, ..plan() };
    let nothing = std::iter::empty::<Opening<Chess>>();
    let error = measure(&plan, nothing, |_, _| {}).unwrap_err().to_string();
    assert!(error.contains("two moves before"), "{error}");
    for file in [&plan.references, &plan.choices] {
        std::fs::remove_file(file).unwrap();
    }
}
