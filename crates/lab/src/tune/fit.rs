//! Gradient descent on the logistic loss.

use senbon_games::Rng;

use super::{Pair, Samples, Weights};

/// How to fit.
#[derive(Clone, Debug)]
pub struct Options {
    /// Passes over the positions.
    pub epochs: usize,
    /// Positions per step.
    pub batch: usize,
    /// Size of a step, in units of the value.
    pub rate: f32,
    /// How strongly weights are held at where they started: pseudo-positions per weight.
    pub hold: f32,
    /// Value at which the expectation is 73 %: see [`best_scale`].
    pub scale: f32,
    /// Share of the positions, the last ones, that are not trained on.
    pub validation: f32,
    /// Order of the positions.
    pub seed: u64,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            epochs: 40,
            batch: 4_096,
            rate: 1.0,
            hold: 2.0,
            scale: 200.0,
            validation: 0.05,
            seed: 1,
        }
    }
}

/// Mean losses in the course of a fit.
#[derive(Clone, Copy, Debug)]
pub struct Report {
    /// Epochs done; 0 before the first.
    pub epoch: usize,
    /// Over the positions trained on.
    pub training: f64,
    /// Over the others.
    pub validation: f64,
}

/// Chance of winning at a value.
fn expectation(value: f32, scale: f32) -> f32 {
    1.0 / (1.0 + (-value / scale).exp())
}

/// Mean logistic loss over some positions: the cross entropy between target and prediction
/// less the entropy of the target, so that a perfect prediction has no loss.
pub fn loss(samples: &Samples, indices: &[u32], weights: &Weights, scale: f32) -> f64 {
    let one = |&index: &u32| {
        let index = index as usize;
        let chance = expectation(samples.value(index, weights), scale).clamp(1e-6, 1.0 - 1e-6);
        let target = f64::from(samples.target(index).clamp(1e-6, 1.0 - 1e-6));
        let chance = f64::from(chance);
        target * (target / chance).ln() + (1.0 - target) * ((1.0 - target) / (1.0 - chance)).ln()
    };
    indices.iter().map(one).sum::<f64>() / indices.len().max(1) as f64
}

/// The scale at which the weights as they are predict best.
pub fn best_scale(samples: &Samples, weights: &Weights) -> f32 {
    let step = (samples.len() / 50_000).max(1);
    let indices: Vec<u32> = (0..samples.len() as u32).step_by(step).collect();
    let candidates = (0..60).map(|i| 40.0 * 1.05f32.powi(i));
    let best = candidates
        .map(|scale| (loss(samples, &indices, weights, scale), scale))
        .min_by(|a, b| a.0.total_cmp(&b.0));
    best.map_or(200.0, |(_, scale)| scale)
}

/// Finds weights by Adam (Kingma and Ba, "Adam: A Method for Stochastic Optimization", 2014),
/// telling the losses before the first and after every epoch.
pub fn fit(
    samples: &Samples,
    start: &Weights,
    options: &Options,
    mut tell: impl FnMut(Report),
) -> Weights {
    let split = (samples.len() as f32 * (1.0 - options.validation)) as u32;
    let mut training: Vec<u32> = (0..split).collect();
    let validation: Vec<u32> = (split..samples.len() as u32).collect();
    let mut report = |epoch: usize, training: &[u32], weights: &Weights| {
        let some = &training[..training.len().min(50_000)];
        tell(Report {
            epoch,
            training: loss(samples, some, weights, options.scale),
            validation: loss(samples, &validation, weights, options.scale),
        });
    };
    let mut weights = start.clone();
    let mut rng = Rng::new(options.seed);
    let mut adam = Adam::new(start);
    rng.shuffle(&mut training);
    report(0, &training, &weights);
    for epoch in 1..=options.epochs {
        // Large steps to get near, small ones to settle.
        let done = (epoch - 1) as f32 / options.epochs as f32;
        let rate = options.rate * (0.5 + 0.5 * (std::f32::consts::PI * done).cos()).max(0.02);
        for batch in training.chunks(options.batch) {
            let gradient = gradient(samples, batch, start, &weights, options, split);
            adam.step(&gradient, rate, &mut weights);
        }
        rng.shuffle(&mut training);
        report(epoch, &training, &weights);
    }
    weights
}

/// Mean gradient over a batch, with the pull back to where the weights started.
fn gradient(
    samples: &Samples,
    batch: &[u32],
    start: &Weights,
    weights: &Weights,
    options: &Options,
    all: u32,
) -> Weights {
    let zero = |pairs: &Vec<Pair>| vec![[0.0; 2]; pairs.len()];
    let mut gradient = Weights { linear: zero(&start.linear), pressure: zero(&start.pressure) };
    for &index in batch {
        let index = index as usize;
        let valued = samples.evaluate(index, weights);
        let slope = expectation(valued.value, options.scale) - samples.target(index);
        samples.add_gradient(index, &valued, slope / options.scale, &mut gradient);
    }
    let hold = options.hold / (all.max(1) as f32 * options.scale);
    for_each(&mut gradient, start, weights, |gradient, start, weight| {
        *gradient = *gradient / batch.len() as f32 + hold * (weight - start) / options.scale;
    });
    gradient
}

/// Goes through three sets of weights at once.
fn for_each(
    first: &mut Weights,
    second: &Weights,
    third: &Weights,
    mut visit: impl FnMut(&mut f32, f32, f32),
) {
    let mut visit_all = |first: &mut [Pair], second: &[Pair], third: &[Pair]| {
        for ((first, second), third) in first.iter_mut().zip(second).zip(third) {
            for phase in 0..2 {
                visit(&mut first[phase], second[phase], third[phase]);
            }
        }
    };
    visit_all(&mut first.linear, &second.linear, &third.linear);
    visit_all(&mut first.pressure, &second.pressure, &third.pressure);
}

/// Running means of the gradient and of its square.
struct Adam {
    mean: Weights,
    square: Weights,
    steps: i32,
}

impl Adam {
    const MEAN_DECAY: f32 = 0.9;
    const SQUARE_DECAY: f32 = 0.999;

    fn new(like: &Weights) -> Self {
        let zero = |pairs: &Vec<Pair>| vec![[0.0; 2]; pairs.len()];
        let zeros = Weights { linear: zero(&like.linear), pressure: zero(&like.pressure) };
        Adam { mean: zeros.clone(), square: zeros, steps: 0 }
    }

    fn step(&mut self, gradient: &Weights, rate: f32, weights: &mut Weights) {
        self.steps += 1;
        let unbias = |decay: f32| 1.0 / (1.0 - decay.powi(self.steps));
        let (unbias_mean, unbias_square) = (unbias(Self::MEAN_DECAY), unbias(Self::SQUARE_DECAY));
        for_each(&mut self.mean, gradient, gradient, |mean, gradient, _| {
            *mean += (1.0 - Self::MEAN_DECAY) * (gradient - *mean);
        });
        for_each(&mut self.square, gradient, gradient, |square, gradient, _| {
            *square += (1.0 - Self::SQUARE_DECAY) * (gradient * gradient - *square);
        });
        for_each(weights, &self.mean, &self.square, |weight, mean, square| {
            let square = (square * unbias_square).sqrt() + 1e-9;
            *weight -= rate * mean * unbias_mean / square;
        });
    }
}

#[cfg(test)]
mod tests {
    use super::super::Count;
    use super::*;

    fn random_weights(rng: &mut Rng, linear: usize, pressure: usize) -> Weights {
        let mut pairs =
            |n: usize| (0..n).map(|_| [0, 1].map(|_| rng.below(120) as f32 - 40.0)).collect();
        Weights { linear: pairs(linear), pressure: pairs(pressure) }
    }

    fn random_samples(rng: &mut Rng, truth: &Weights, count: usize, scale: f32) -> Samples {
        let mut samples = Samples::default();
        for _ in 0..count {
            let mut part = |features: usize, low: i16| -> Vec<Count> {
                let n = 1 + rng.below(4);
                let count = |rng: &mut Rng| Count {
                    feature: rng.below(features) as u16,
                    count: low + rng.below(4) as i16,
                };
                (0..n).map(|_| count(rng)).collect()
            };
            let linear = part(truth.linear.len(), -2);
            let pressure = [part(truth.pressure.len(), 0), part(truth.pressure.len(), 0)];
            let early = rng.below(25) as f32 / 24.0;
            let parts = [&pressure[0][..], &pressure[1][..]];
            samples.add(&linear, parts, early, 1.0 - early, 0.0);
            let last = samples.len() - 1;
            samples.set_target(last, expectation(samples.value(last, truth), scale));
        }
        samples
    }

    /// Every derivative agrees with a difference quotient.
    #[test]
    fn the_gradient_is_the_slope() {
        let mut rng = Rng::new(7);
        let weights = random_weights(&mut rng, 6, 4);
        let samples = random_samples(&mut rng, &weights, 50, 200.0);
        for index in 0..samples.len() {
            let zero = |pairs: &Vec<Pair>| vec![[0.0; 2]; pairs.len()];
            let mut gradient =
                Weights { linear: zero(&weights.linear), pressure: zero(&weights.pressure) };
            let valued = samples.evaluate(index, &weights);
            samples.add_gradient(index, &valued, 1.0, &mut gradient);
            for feature in 0..10 {
                for phase in 0..2 {
                    let at = |weights: &mut Weights, change: f32| {
                        let pair = match feature {
                            0..6 => &mut weights.linear[feature],
                            _ => &mut weights.pressure[feature - 6],
                        };
                        pair[phase] += change;
                        samples.value(index, weights)
                    };
                    let high = at(&mut weights.clone(), 0.25);
                    let low = at(&mut weights.clone(), -0.25);
                    let slope = match feature {
                        0..6 => gradient.linear[feature][phase],
                        _ => gradient.pressure[feature - 6][phase],
                    };
                    // A kink of max(x, 0) may lie between the two points.
                    let error = (slope - (high - low) / 0.5).abs();
                    assert!(error < 0.13, "sample {index}, feature {feature}: {error}");
                }
            }
        }
    }

    /// Labels made with known weights lead back to them.
    #[test]
    fn known_weights_are_found_again() {
        let mut rng = Rng::new(11);
        let truth = random_weights(&mut rng, 6, 4);
        let samples = random_samples(&mut rng, &truth, 20_000, 200.0);
        let start = Weights { linear: vec![[0.0; 2]; 6], pressure: vec![[20.0; 2]; 4] };
        let options = Options { epochs: 30, batch: 256, hold: 0.0, ..Options::default() };
        let mut reports = Vec::new();
        let found = fit(&samples, &start, &options, |report| reports.push(report));
        let (first, last) = (reports[0].validation, reports[reports.len() - 1].validation);
        assert!(last < 1e-4 && 0.01 < first, "{first} to {last}");
        for (found, truth) in found.linear.iter().zip(&truth.linear) {
            for phase in 0..2 {
                assert!((found[phase] - truth[phase]).abs() < 2.0, "{found:?} for {truth:?}");
            }
        }
    }

    #[test]
    fn the_scale_is_found() {
        let mut rng = Rng::new(13);
        let truth = random_weights(&mut rng, 6, 4);
        let samples = random_samples(&mut rng, &truth, 5_000, 150.0);
        let scale = best_scale(&samples, &truth);
        assert!((140.0..160.0).contains(&scale), "{scale}");
    }
}
