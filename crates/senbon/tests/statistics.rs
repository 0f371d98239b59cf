//! Scores, errors, likelihoods of superiority and sequential tests against implementations of
//! others: the package mache and Python's own statistics, by `tests/python/match_figures.py`.

#![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "tests start programs")]

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use senbon_games::Rng;
use senbon_lab::score::Score;
use senbon_lab::sprt::Sprt;
use serde_json::{Value, json};

/// One set of pair results and the hypotheses asked about it.
struct Case {
    score: Score,
    sprt: Sprt,
}

impl Case {
    fn new(pairs: [u32; 5], elo0: f64, elo1: f64) -> Self {
        // The games that such pairs are made of; a pair of one point as two draws.
        let signs = [[-1, -1], [-1, 0], [0, 0], [0, 1], [1, 1]];
        let mut score = Score::default();
        for (signs, count) in signs.into_iter().zip(pairs) {
            (0..count).for_each(|_| score.add_pair(signs));
        }
        assert_eq!(score.pairs, pairs);
        Case { score, sprt: Sprt { elo0, elo1, alpha: 0.05, beta: 0.05 } }
    }

    /// Few pairs or many, even or one-sided, often with results that never occurred.
    fn draw(rng: &mut Rng) -> Self {
        let most = [2, 10, 100, 3_000][rng.below(4)];
        let mut pairs = [0; 5].map(|_: u32| rng.below(most + 1) as u32);
        for count in &mut pairs {
            *count *= u32::from(rng.below(4) > 0);
        }
        if pairs.iter().sum::<u32>() < 2 {
            pairs[rng.below(5)] += 2;
        }
        let elo0 = rng.below(401) as f64 / 2.0 - 100.0;
        Case::new(pairs, elo0, elo0 + 0.5 + rng.below(300) as f64 / 2.0)
    }

    fn question(&self) -> Value {
        json!({ "pairs": self.score.pairs, "elo0": self.sprt.elo0, "elo1": self.sprt.elo1 })
    }
}

fn ask(python: &Path, cases: &[Case]) -> Vec<Value> {
    let program = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/python/match_figures.py");
    let mut command = Command::new(python);
    command.arg(program).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let text: String = cases.iter().map(|case| format!("{}\n", case.question())).collect();
    let writer = std::thread::spawn(move || input.write_all(text.as_bytes()));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap().unwrap();
    assert!(output.status.success(), "{program} failed; ./test installs what it needs");
    let lines = String::from_utf8(output.stdout).unwrap();
    lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[track_caller]
fn same(name: &str, ours: f64, theirs: f64, tolerance: f64, case: &Case) {
    let allowed = tolerance * theirs.abs().max(1.0);
    let pairs = case.score.pairs;
    let sprt = case.sprt;
    assert!((ours - theirs).abs() <= allowed, "{name}: {ours}, not {theirs}: {pairs:?} {sprt:?}");
}

fn compare(case: &Case, theirs: &Value) {
    let number = |name: &str| theirs[name].as_f64().unwrap();
    let score = &case.score;
    same("rate", score.rate(), number("rate"), 1e-12, case);
    if (0.001..=0.999).contains(&score.rate()) {
        same("Elo", score.elo(), number("elo"), 1e-9, case);
    }
    let standing = case.sprt.standing(score);
    same("lower bound", standing.low, number("lower"), 1e-12, case);
    same("upper bound", standing.high, number("upper"), 1e-12, case);
    same("ratio", standing.ratio, number("llr"), 1e-8, case);
    let verdict = match standing.verdict() {
        Some(true) => "passed",
        Some(false) => "failed",
        None => "inconclusive",
    };
    assert_eq!(verdict, theirs["verdict"], "{:?} {:?}", score.pairs, case.sprt);
    if theirs["margin"].is_null() {
        return;
    }
    // 1.96 is 1.959964 rounded.
    same("margin", score.margin(), number("margin"), 2e-5, case);
    let superiority = score.superiority().unwrap();
    same("superiority", superiority, number("superiority"), 1e-9, case);
    // mache takes the variance of the pairs seen as it is, we take the unbiased one.
    let count = f64::from(score.pairs.iter().sum::<u32>());
    let unbiased = (count / (count - 1.0)).sqrt();
    same("mache's margin", score.margin(), number("mache_margin") * unbiased, 1e-9, case);
    if count >= 100.0 {
        same("mache's superiority", superiority, number("mache_superiority"), 0.01, case);
    }
}

#[test]
fn figures_are_those_of_others() {
    let Some(python) = senbon_testkit::python() else { return };
    let mut rng = Rng::new(senbon_testkit::seed());
    let mut cases: Vec<Case> = (0..1_000).map(|_| Case::draw(&mut rng)).collect();
    cases.extend([
        Case::new([0, 0, 50, 0, 0], 0.0, 5.0),
        Case::new([0, 0, 0, 0, 20], 0.0, 5.0),
        Case::new([30, 0, 0, 0, 0], -10.0, 10.0),
        Case::new([0, 0, 0, 1, 1], 0.0, 100.0),
    ]);
    let answers = ask(&python, &cases);
    assert_eq!(answers.len(), cases.len());
    let measured = answers.iter().filter(|answer| !answer["margin"].is_null()).count();
    assert!(measured > 800, "only {measured} cases have a spread");
    for (case, theirs) in cases.iter().zip(&answers) {
        compare(case, theirs);
    }
}
