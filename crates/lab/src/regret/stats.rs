//! What the regrets of many positions say: means, intervals, and the place of a method on the
//! ruler of one worker with more time.

use senbon_games::Rng;

/// Ends of a 95 % interval.
pub type Interval = (f64, f64);

/// What is said of one trial.
#[derive(Clone, Debug, PartialEq)]
pub struct Estimate {
    /// Mean regret in centipawns.
    pub regret: f64,
    /// Its interval.
    pub regret_interval: Interval,
    /// Mean regret minus that of one worker in the same time, position by position.
    pub difference: f64,
    /// Its interval.
    pub difference_interval: Interval,
    /// The multiple of time at which one worker is as good, as its log2; infinite when off the
    /// ruler.
    pub reach: f64,
    /// Its interval.
    pub reach_interval: Interval,
}

/// Regrets of one trial, in the order of the positions.
pub type Regrets = Vec<f64>;

/// One worker with more and more time: multiples of time, rising, and the trials of them.
#[derive(Clone, Debug)]
pub struct Ruler {
    /// Multiples of the base time.
    pub multiples: Vec<f64>,
    /// Which trial each is.
    pub trials: Vec<usize>,
}

/// Resampled sets of positions.
const RESAMPLES: usize = 2_000;

/// The estimates of all trials. `same_time` is, for each, the trial of one worker in the same
/// time. Positions are resampled for all trials together, because some positions are hard for
/// everybody.
pub fn estimate(
    regrets: &[Regrets],
    ruler: &Ruler,
    same_time: &[usize],
    seed: u64,
) -> Vec<Estimate> {
    let positions = regrets.first().map_or(0, Vec::len);
    let whole: Vec<usize> = (0..positions).collect();
    let mut rng = Rng::new(seed);
    let draw = |_| (0..positions).map(|_| rng.below(positions)).collect::<Vec<_>>();
    let samples: Vec<Figures> =
        (0..RESAMPLES).map(draw).map(|sample| figures(regrets, ruler, &sample)).collect();
    let all = figures(regrets, ruler, &whole);
    (0..regrets.len())
        .map(|trial| {
            let one = same_time[trial];
            let difference = |figures: &Figures| figures.means[trial] - figures.means[one];
            Estimate {
                regret: all.means[trial],
                regret_interval: interval(&samples, |figures| figures.means[trial]),
                difference: difference(&all),
                difference_interval: interval(&samples, difference),
                reach: all.reach[trial],
                reach_interval: interval(&samples, |figures| figures.reach[trial]),
            }
        })
        .collect()
}

/// What one set of positions says of every trial.
struct Figures {
    means: Vec<f64>,
    reach: Vec<f64>,
}

fn figures(regrets: &[Regrets], ruler: &Ruler, sample: &[usize]) -> Figures {
    let mean = |own: &Regrets| {
        sample.iter().map(|&position| own[position]).sum::<f64>() / sample.len().max(1) as f64
    };
    let means: Vec<f64> = regrets.iter().map(mean).collect();
    let marks: Vec<f64> = ruler.trials.iter().map(|&trial| means[trial]).collect();
    let marks = falling(&marks);
    let mut reach: Vec<f64> =
        means.iter().map(|&mean| reach(&ruler.multiples, &marks, mean)).collect();
    // The marks of the ruler are where they are.
    for (&trial, multiple) in ruler.trials.iter().zip(&ruler.multiples) {
        reach[trial] = multiple.log2();
    }
    Figures { means, reach }
}

fn interval(samples: &[Figures], value: impl Fn(&Figures) -> f64) -> Interval {
    let mut values: Vec<f64> = samples.iter().map(value).collect();
    values.sort_by(f64::total_cmp);
    let at = |share: f64| {
        let index = (share * (values.len().saturating_sub(1)) as f64).round() as usize;
        values.get(index).copied().unwrap_or(f64::NAN)
    };
    (at(0.025), at(0.975))
}

/// The nearest values that never rise (pool adjacent violators): more time does no harm, and
/// where the means say otherwise that is chance.
pub fn falling(values: &[f64]) -> Vec<f64> {
    let mut pools: Vec<(f64, usize)> = Vec::new();
    for &value in values {
        let mut pool = (value, 1);
        while let Some(&(before, count)) = pools.last()
            && before < pool.0
        {
            let all = count + pool.1;
            pool = ((before * count as f64 + pool.0 * pool.1 as f64) / all as f64, all);
            pools.pop();
        }
        pools.push(pool);
    }
    pools.into_iter().flat_map(|(value, count)| std::iter::repeat_n(value, count)).collect()
}

/// The log2 of the multiple at which a falling ruler has this value: between two marks by a
/// straight line over the log2 of time, in the middle of a level stretch; −∞ above its first
/// mark, +∞ below its last.
pub fn reach(multiples: &[f64], marks: &[f64], value: f64) -> f64 {
    let (Some(&first), Some(&last)) = (marks.first(), marks.last()) else { return f64::NAN };
    // Sums of the same numbers in another order are the same.
    let same = marks.iter().find(|&mark| (mark - value).abs() < 1e-9);
    let value = same.copied().unwrap_or(value);
    if value > first {
        return f64::NEG_INFINITY;
    }
    if value < last {
        return f64::INFINITY;
    }
    // The marks at or above the value come first, those at or below it last.
    let above = marks.iter().rposition(|&mark| mark >= value).unwrap_or(0);
    let below = marks.iter().position(|&mark| mark <= value).unwrap_or(marks.len() - 1);
    let at = |index: usize| multiples[index].log2();
    if below <= above {
        return f64::midpoint(at(below), at(above));
    }
    let part = (marks[above] - value) / (marks[above] - marks[below]);
    at(above) + part * (at(below) - at(above))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rulers_are_made_to_fall() {
        assert_eq!(falling(&[5.0, 3.0, 1.0]), [5.0, 3.0, 1.0]);
        assert_eq!(falling(&[5.0, 2.0, 4.0, 1.0]), [5.0, 3.0, 3.0, 1.0]);
        assert_eq!(falling(&[1.0, 2.0, 6.0]), [3.0, 3.0, 3.0]);
        assert_eq!(falling(&[4.0, 1.0, 3.0, 5.0]), [4.0, 3.0, 3.0, 3.0]);
        assert!(falling(&[]).is_empty());
    }

    #[test]
    fn places_on_the_ruler() {
        let (multiples, marks) = ([1.0, 2.0, 4.0, 8.0], [20.0, 16.0, 16.0, 4.0]);
        let place = |value| reach(&multiples, &marks, value);
        assert_eq!(place(21.0), f64::NEG_INFINITY);
        assert_eq!(place(20.0), 0.0);
        assert_eq!(place(18.0), 0.5);
        assert_eq!(place(16.0), 1.5, "the middle of the level stretch");
        assert_eq!(place(13.0), 2.25);
        assert_eq!(place(4.0), 3.0);
        assert_eq!(place(4.0 - 1e-12), 3.0, "rounding does not lead off the ruler");
        assert_eq!(place(3.9), f64::INFINITY);
        assert_eq!(reach(&[1.0], &[5.0], 5.0), 0.0);
    }

    #[test]
    fn one_worker_is_as_good_as_itself() {
        // Worked out by hand: means 30, 20, 10 for 1, 2, 4 times the time, 15 for the method.
        let regrets = vec![
            vec![60.0, 0.0, 30.0, 30.0],
            vec![40.0, 0.0, 20.0, 20.0],
            vec![20.0, 0.0, 10.0, 10.0],
            vec![30.0, 0.0, 15.0, 15.0],
        ];
        let ruler = Ruler { multiples: vec![1.0, 2.0, 4.0], trials: vec![0, 1, 2] };
        let estimates = estimate(&regrets, &ruler, &[0, 1, 2, 0], 1);
        let reaches: Vec<_> = estimates.iter().map(|estimate| estimate.reach).collect();
        assert_eq!(reaches, [0.0, 1.0, 2.0, 1.5]);
        let method = &estimates[3];
        assert_eq!((method.regret, method.difference), (15.0, -15.0));
        // All trials are multiples of each other, so the place is the same for every sample
        // that holds more than the position which costs nobody anything.
        assert!((method.reach_interval.0 - 1.5).abs() < 1e-9, "{method:?}");
        assert!((method.reach_interval.1 - 1.5).abs() < 1e-9, "{method:?}");
        let (low, high) = method.regret_interval;
        assert!((0.0..15.0).contains(&low) && (15.0..=30.0).contains(&high), "{method:?}");
        assert_eq!(estimates, estimate(&regrets, &ruler, &[0, 1, 2, 0], 1), "one seed, one result");
    }

    #[test]
    fn the_interval_has_the_width_that_theory_says() {
        // Half zeros, half twenties: the standard error of the mean of 400 is 10 / 20.
        let own: Regrets = (0..400).map(|index| f64::from(index % 2) * 20.0).collect();
        let ruler = Ruler { multiples: vec![1.0], trials: vec![0] };
        let found = estimate(&[own], &ruler, &[0], 3);
        let (low, high) = found[0].regret_interval;
        assert!((low - 9.02).abs() < 0.15 && (high - 10.98).abs() < 0.15, "{low} {high}");
        assert_eq!(found[0].difference_interval, (0.0, 0.0), "paired with itself");
    }
}
