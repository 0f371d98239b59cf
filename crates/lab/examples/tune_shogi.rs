//! Tunes the shogi evaluation: `tune_shogi OUT EPOCHS HOLD LABELS…` reads files of labelled
//! positions, as the example `labels` makes them, and writes a weight file to OUT, which
//! belongs at `crates/games/src/shogi/eval/weights.bin`.
#![allow(clippy::disallowed_methods)] // It reads and writes files.

use anyhow::{Context, Result, bail};
use senbon_games::shogi::Shogi;
use senbon_games::shogi::eval::{Trace, current_weights, weight_file};
use senbon_lab::labels::{Label, expectation, value_scale};
use senbon_lab::tune::{Count, Options, Pair, Samples, Weights, fit};

/// The value that stands for an expectation of 73 %. It fixes the unit of the evaluation, and
/// the search's margins suit this one: a third of it lost 100 Elo.
const SCALE: f32 = 600.0;

/// How much of a target is the engine's value; the rest is the result of the game.
const VALUE_SHARE: f32 = 0.7;

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [out, epochs, hold, files @ ..] = &arguments[..] else {
        bail!("usage: tune_shogi OUT EPOCHS HOLD LABELS…");
    };
    let mut samples = Samples::default();
    for file in files {
        let text = std::fs::read_to_string(file).with_context(|| file.clone())?;
        let labels = text.lines().map(Label::parse).collect::<Result<Vec<Label<Shogi>>>>()?;
        // Each file is one engine's, with a unit of its own.
        let value_scale = value_scale(&labels);
        println!("{file}: {} positions, values of scale {value_scale:.0}", labels.len());
        add(&labels, value_scale, &mut samples);
    }
    let start = start();
    let options = Options {
        epochs: epochs.parse()?,
        hold: hold.parse()?,
        scale: SCALE,
        rate: 1.5,
        ..Options::default()
    };
    let found = fit(&samples, &start, &options, |report| {
        println!(
            "epoch {:3}: training {:.5}, validation {:.5}",
            report.epoch, report.training, report.validation
        );
    });
    // The tuner squares pressure in its first phase, we in the fight.
    let swap = |pairs: &[Pair]| pairs.iter().map(|&[fight, opening]| (opening, fight)).collect();
    let (linear, pressure): (Vec<_>, Vec<_>) = (swap(&found.linear), swap(&found.pressure));
    std::fs::write(out, weight_file(&linear, &pressure)).with_context(|| out.clone())
}

fn add(labels: &[Label<Shogi>], value_scale: f32, samples: &mut Samples) {
    for label in labels {
        let trace = Trace::new(&label.position);
        let by_value = expectation(label.value, value_scale);
        let target = VALUE_SHARE * by_value + (1.0 - VALUE_SHARE) * label.result;
        let [first, second] = [0, 1].map(|side| counts(&trace.pressure[side]));
        let parts = [&first[..], &second[..]];
        samples.add(&counts(&trace.linear), parts, trace.fight, 1.0 - trace.fight, target);
    }
}

fn counts(features: &[(u16, i16)]) -> Vec<Count> {
    features.iter().map(|&(feature, count)| Count { feature, count }).collect()
}

fn start() -> Weights {
    let [linear, pressure] = current_weights();
    let swap = |pairs: Vec<(f32, f32)>| pairs.into_iter().map(|(o, f)| [f, o]).collect();
    Weights { linear: swap(linear), pressure: swap(pressure) }
}
