//! Tuning of the built-in chess evaluation: labels in, the source of its weights out.

use senbon_games::chess::{Chess, eval};

use crate::labels::{Label, expectation, value_scale};
use crate::tune::{Count, Options, Pair, Report, Samples, Weights, best_scale, fit, rust_source};

/// How much the engine's value counts against the result of the game.
const VALUE_SHARE: f32 = 0.75;

/// Positions as the tuner sees them; those that are not evaluated by features are left out.
pub fn samples(labels: &[Label<Chess>]) -> Samples {
    let scale = value_scale(labels);
    let mut samples = Samples::default();
    for label in labels {
        let Some(traced) = eval::trace(&label.position) else { continue };
        let counts = |features: &[(u16, i16)]| -> Vec<Count> {
            features.iter().map(|&(feature, count)| Count { feature, count }).collect()
        };
        let [white, black] = traced.pressure.each_ref().map(|features| counts(features));
        let target =
            VALUE_SHARE * expectation(label.value, scale) + (1.0 - VALUE_SHARE) * label.result;
        let linear = counts(&traced.linear);
        samples.add(&linear, [&white, &black], traced.early, traced.late, target);
    }
    samples
}

/// The weights the evaluation has now.
pub fn current_weights() -> Weights {
    let (linear, pressure) = eval::weights();
    let floats = |pairs: Vec<[i32; 2]>| -> Vec<Pair> {
        pairs.into_iter().map(|pair| pair.map(|weight| weight as f32)).collect()
    };
    Weights { linear: floats(linear), pressure: floats(pressure) }
}

/// Fits the weights, starting from what they are now and keeping their scale.
pub fn tune(samples: &Samples, options: &Options, tell: impl FnMut(Report)) -> Weights {
    let start = current_weights();
    let options = Options { scale: best_scale(samples, &start), ..options.clone() };
    fit(samples, &start, &options, tell)
}

/// The source of `crates/games/src/chess/eval/weights.rs`.
pub fn source(weights: &Weights) -> String {
    let array = |name: &str, length: &str, groups, pairs| {
        let open = format!("#[rustfmt::skip]\nconst {name}: [(i16, i16); {length}] = [\n");
        rust_source(&open, "];\n", groups, pairs)
    };
    let linear = array("LINEAR_PAIRS", "LINEAR", eval::LINEAR_GROUPS, &weights.linear);
    let pressure = array("PRESSURE_PAIRS", "PRESSURE", eval::PRESSURE_GROUPS, &weights.pressure);
    format!("{HEAD}\n{linear}\n{pressure}")
}

const HEAD: &str = "\
//! The weights of the evaluation, middle game and end game. Written by the tuner:
//! `cargo run --release -p senbon-lab --example tune_chess`.

use super::layout::{LINEAR, PRESSURE};
use super::score::Score;

pub(super) static LINEAR_WEIGHTS: [Score; LINEAR] = scores(&LINEAR_PAIRS);
pub(super) static PRESSURE_WEIGHTS: [Score; PRESSURE] = scores(&PRESSURE_PAIRS);

const fn scores<const N: usize>(pairs: &[(i16, i16); N]) -> [Score; N] {
    let mut scores = [Score::ZERO; N];
    let mut index = 0;
    while index < N {
        scores[index] = Score::new(pairs[index].0, pairs[index].1);
        index += 1;
    }
    scores
}
";

#[cfg(test)]
mod tests {
    use super::*;
    use senbon_games::{Evaluator, Notation};

    /// The tuner's model of the evaluation gives the evaluation's value.
    #[test]
    fn the_model_is_the_evaluation() {
        let weights = current_weights();
        for text in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            "6k1/5ppp/5n2/8/3q4/6Q1/5PPP/3R2K1 w - - 0 1",
        ] {
            let position = Chess::parse_position(text).unwrap();
            let label = Label { position: position.clone(), value: 0, result: 0.5 };
            let samples = samples(&[label]);
            let value = eval::ChessEvaluator::default().evaluate(&position) as f32;
            let modelled = samples.value(0, &weights);
            assert!((value - modelled).abs() < 4.0, "{text}: {value}, modelled {modelled}");
        }
    }

    /// Written weights are the weights that are compiled in, if nothing was tuned.
    #[test]
    fn the_source_is_up_to_date() {
        let compiled = include_str!("../../games/src/chess/eval/weights.rs");
        assert_eq!(source(&current_weights()), compiled);
    }
}
