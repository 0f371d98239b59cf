//! Tunes the chess evaluation: `tune_chess WEIGHTS.rs EPOCHS LABELS…` reads files made by the
//! example `labels` and writes the source of the new weights.
#![allow(clippy::disallowed_methods)] // It reads and writes files.

use anyhow::{Context, Result, bail};
use senbon_lab::chess_tuning::{samples, source, tune};
use senbon_lab::labels::{Label, value_scale};
use senbon_lab::tune::Options;

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [target, epochs, files @ ..] = &arguments[..] else {
        bail!("usage: tune_chess WEIGHTS.rs EPOCHS LABELS…");
    };
    let mut labels = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(file).with_context(|| file.clone())?;
        for line in text.lines() {
            labels.push(Label::parse(line)?);
        }
    }
    let samples = samples(&labels);
    println!("{} positions, scale of their values {:.0}", samples.len(), value_scale(&labels));
    let options = Options { epochs: epochs.parse()?, hold: 20.0, ..Options::default() };
    let weights = tune(&samples, &options, |report| {
        println!(
            "epoch {:3}: training loss {:.5}, validation loss {:.5}",
            report.epoch, report.training, report.validation
        );
    });
    std::fs::write(target, source(&weights)).with_context(|| target.clone())
}
