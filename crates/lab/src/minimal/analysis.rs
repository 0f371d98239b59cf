//! Why so many more leaves are visited by many workers (minimal-trees-2014, section 5): tables
//! that are not shared, windows that are wider, and more tasks.

use super::staged::{Counted, Form, Sharing};

/// The sequential search of one tree in all forms, for one d'.
#[derive(Clone, Debug, Default)]
pub struct Forms {
    /// How each form went, as far as it was searched.
    pub counted: Vec<(Form, Counted)>,
}

impl Forms {
    fn leaves(&self, sharing: Sharing, full_windows: bool) -> Option<f64> {
        let wanted = Form { sharing, full_windows };
        let found = self.counted.iter().find(|(form, _)| *form == wanted);
        found.map(|(_, counted)| counted.leaves as f64)
    }

    fn tasks(&self) -> Option<f64> {
        let found = self.counted.iter().find(|(form, _)| *form == Form::BASELINE);
        found.map(|(_, counted)| counted.tasks as f64)
    }

    /// Leaves and tasks added up over trees.
    pub fn sum<'a>(trees: impl Iterator<Item = &'a Forms>) -> Forms {
        let mut sum = Forms::default();
        for &(form, counted) in trees.flat_map(|forms| &forms.counted) {
            match sum.counted.iter_mut().find(|(other, _)| *other == form) {
                Some((_, all)) => {
                    all.leaves += counted.leaves;
                    all.tasks += counted.tasks;
                }
                None => sum.counted.push((form, counted)),
            }
        }
        sum
    }

    /// How many times the leaves of the baseline a form visits (Figure 9).
    pub fn increase(&self, form: Form) -> Option<f64> {
        let baseline = self.leaves(Sharing::All, false)?;
        Some(self.leaves(form.sharing, form.full_windows)? / baseline.max(1.0))
    }
}

/// What the search by many workers counted.
#[derive(Clone, Copy, Debug, Default)]
pub struct Parallel {
    /// Leaves visited.
    pub leaves: u64,
    /// Searches of tasks to their full depth that ended.
    pub ended: u64,
    /// Those of them with full windows.
    pub ended_full: u64,
}

/// The increase of leaves, split (Table 5).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Factors {
    /// Tasks that ended with full windows, of all that ended (r, Figure 10).
    pub full: f64,
    /// By tables that are not shared: (1 - r) t_n + r t_f.
    pub table: f64,
    /// By full windows: (1 - r) + r w.
    pub windows: f64,
    /// By more tasks than in the sequential search.
    pub tasks: f64,
    /// What was visited, of what the sequential search visited.
    pub actual: f64,
}

impl Factors {
    /// Section 5.3; none when something was not counted.
    pub fn new(forms: &Forms, parallel: Parallel) -> Option<Factors> {
        let form = |sharing, full_windows| Form { sharing, full_windows };
        if parallel.ended == 0 {
            return None;
        }
        let full = parallel.ended_full as f64 / parallel.ended as f64;
        let normal = forms.increase(form(Sharing::Nothing, false))?;
        let windows = forms.increase(form(Sharing::All, true))?;
        let both = forms.increase(form(Sharing::Nothing, true))?;
        Some(Factors {
            full,
            table: (1.0 - full) * normal + full * both / windows,
            windows: (1.0 - full) + full * windows,
            tasks: parallel.ended as f64 / forms.tasks()?.max(1.0),
            actual: parallel.leaves as f64 / forms.leaves(Sharing::All, false)?.max(1.0),
        })
    }

    /// The three together.
    pub fn estimated(&self) -> f64 {
        self.table * self.windows * self.tasks
    }
}

/// Pearson's correlation of pairs; none when one side does not vary.
pub(super) fn correlation(pairs: &[(f64, f64)]) -> Option<f64> {
    let count = pairs.len() as f64;
    let mean = |side: fn(&(f64, f64)) -> f64| pairs.iter().map(side).sum::<f64>() / count;
    let (x, y) = (mean(|pair| pair.0), mean(|pair| pair.1));
    let sum = |product: &dyn Fn(f64, f64) -> f64| -> f64 {
        pairs.iter().map(|pair| product(pair.0 - x, pair.1 - y)).sum()
    };
    let (both, xs, ys) = (sum(&|a, b| a * b), sum(&|a, _| a * a), sum(&|_, b| b * b));
    (pairs.len() > 1 && xs > 0.0 && ys > 0.0).then(|| both / (xs * ys).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn factors_follow_the_formulas() {
        let counts = [100, 120, 200, 300, 330, 360];
        let counted = |(form, leaves)| (form, Counted { value: 0, leaves, tasks: 10 });
        let counted = Form::all(4).into_iter().zip(counts).map(counted).collect::<Vec<_>>();
        let forms = Forms { counted };
        let parallel = Parallel { leaves: 500, ended: 12, ended_full: 3 };
        let factors = Factors::new(&forms, parallel).unwrap();
        // r = 1/4, t_n = 2, t_f = 360/300, w = 3
        assert!((factors.table - (0.75 * 2.0 + 0.25 * 1.2)).abs() < 1e-9);
        assert!((factors.windows - (0.75 + 0.25 * 3.0)).abs() < 1e-9);
        assert!((factors.tasks - 1.2).abs() < 1e-9 && (factors.actual - 5.0).abs() < 1e-9);
        assert!((factors.estimated() - 1.8 * 1.5 * 1.2).abs() < 1e-9);
        assert_eq!(Factors::new(&forms, Parallel::default()), None);
        let twice = Forms::sum([&forms, &forms].into_iter());
        assert_eq!(twice.increase(Form::all(4)[1]), Some(1.2));
    }

    #[test]
    fn a_line_correlates_and_a_constant_does_not() {
        let line = [(1.0, 2.0), (2.0, 4.0), (5.0, 10.0)];
        assert!((correlation(&line).unwrap() - 1.0).abs() < 1e-9);
        let falling = line.map(|(x, y)| (x, -y));
        assert!((correlation(&falling).unwrap() + 1.0).abs() < 1e-9);
        assert_eq!(correlation(&line.map(|(x, _)| (x, 3.0))), None);
        assert_eq!(correlation(&line[..1]), None);
    }
}
