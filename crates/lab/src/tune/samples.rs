//! Positions as the tuner sees them.

use super::{LATE_DIVISOR, Pair, SQUARE_DIVISOR, Weights};

/// How often a feature occurs, the second side's occurrences counted negative.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Count {
    /// Which feature.
    pub feature: u16,
    /// How often.
    pub count: i16,
}

/// Labelled positions. Keep them in the order of the games they come from: the last ones
/// become the validation set, and positions of one game should not be on both sides.
#[derive(Clone, Debug, Default)]
pub struct Samples {
    counts: Vec<Count>,
    samples: Vec<Sample>,
}

#[derive(Clone, Copy, Debug)]
struct Sample {
    /// Where in `counts` its parts begin: linear, first side's pressure, second side's.
    starts: [u32; 3],
    end: u32,
    early: f32,
    late: f32,
    target: f32,
}

/// A position's value with some weights, and what its derivatives need.
pub(super) struct Valued {
    pub(super) value: f32,
    /// Pressure of either side.
    pressure: [Pair; 2],
}

impl Samples {
    /// Adds a position.
    ///
    /// `early` and `late` say how much of either phase it is; `target` is what the first side
    /// may expect from it, from 0 (loss) to 1 (win).
    pub fn add(
        &mut self,
        linear: &[Count],
        pressure: [&[Count]; 2],
        early: f32,
        late: f32,
        target: f32,
    ) {
        let start = |counts: &Vec<Count>| u32::try_from(counts.len()).unwrap_or(u32::MAX);
        let mut starts = [0; 3];
        for (slot, part) in starts.iter_mut().zip([linear, pressure[0], pressure[1]]) {
            *slot = start(&self.counts);
            self.counts.extend(part.iter().filter(|count| count.count != 0));
        }
        let end = start(&self.counts);
        assert!(end < u32::MAX, "too many samples for this tuner");
        self.samples.push(Sample { starts, end, early, late, target });
    }

    /// How many positions there are.
    pub fn len(&self) -> usize {
        self.samples.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.samples.is_empty()
    }

    /// What the first side may expect from position `index`.
    pub fn target(&self, index: usize) -> f32 {
        self.samples[index].target
    }

    #[cfg(test)]
    pub(super) fn set_target(&mut self, index: usize, target: f32) {
        self.samples[index].target = target;
    }

    fn part(&self, sample: &Sample, part: usize) -> &[Count] {
        let end = if part == 2 { sample.end } else { sample.starts[part + 1] };
        &self.counts[sample.starts[part] as usize..end as usize]
    }

    /// The value of position `index` from the first side's view.
    pub fn value(&self, index: usize, weights: &Weights) -> f32 {
        self.evaluate(index, weights).value
    }

    pub(super) fn evaluate(&self, index: usize, weights: &Weights) -> Valued {
        let sample = &self.samples[index];
        let linear = sum(self.part(sample, 0), &weights.linear);
        let pressure = [1, 2].map(|part| sum(self.part(sample, part), &weights.pressure));
        let square = |x: f32| x * x.max(0.0) / SQUARE_DIVISOR;
        let late = |x: f32| x.max(0.0) / LATE_DIVISOR;
        let value = sample.early * (linear[0] + square(pressure[0][0]) - square(pressure[1][0]))
            + sample.late * (linear[1] + late(pressure[0][1]) - late(pressure[1][1]));
        Valued { value, pressure }
    }

    /// Adds `slope` times the derivative of the value by every weight to `gradient`.
    pub(super) fn add_gradient(
        &self,
        index: usize,
        valued: &Valued,
        slope: f32,
        gradient: &mut Weights,
    ) {
        let sample = &self.samples[index];
        let by_phase = [slope * sample.early, slope * sample.late];
        add(self.part(sample, 0), by_phase, &mut gradient.linear);
        for (side, sign) in [(0, 1.0), (1, -1.0)] {
            let [early, late] = valued.pressure[side];
            let steepness = [
                sign * by_phase[0] * 2.0 * early.max(0.0) / SQUARE_DIVISOR,
                sign * by_phase[1] * if late > 0.0 { 1.0 / LATE_DIVISOR } else { 0.0 },
            ];
            add(self.part(sample, side + 1), steepness, &mut gradient.pressure);
        }
    }
}

fn sum(counts: &[Count], weights: &[Pair]) -> Pair {
    let mut total = [0.0; 2];
    for &Count { feature, count } in counts {
        let [early, late] = weights[usize::from(feature)];
        total[0] += f32::from(count) * early;
        total[1] += f32::from(count) * late;
    }
    total
}

fn add(counts: &[Count], by_phase: Pair, gradient: &mut [Pair]) {
    for &Count { feature, count } in counts {
        let pair = &mut gradient[usize::from(feature)];
        pair[0] += f32::from(count) * by_phase[0];
        pair[1] += f32::from(count) * by_phase[1];
    }
}
