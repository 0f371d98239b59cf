//! The figures as pictures.

use super::{Arm, Point};
use crate::plot::{Chart, Dot, Scale, Series};

/// Which figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Figure {
    /// Win rate, Fig. 4a.
    Rate,
    /// Observed utility, Fig. 4b.
    Utility,
}

impl Figure {
    fn value(self, point: &Point) -> Option<(f64, f64)> {
        match self {
            Figure::Rate => Some((100.0 * point.score.rate(), 100.0 * point.score.margin())),
            Figure::Utility => {
                point.utility.filter(|_| point.arm != Arm::Linear).map(|utility| (utility, 0.0))
            }
        }
    }

    fn dot(self, point: &Point) -> Option<Dot> {
        let (y, margin) = self.value(point)?;
        Some(Dot { x: point.workers as f64, y, interval: (y - margin, y + margin) })
    }

    fn title(self) -> &'static str {
        match self {
            Figure::Rate => "win rate against one worker, %",
            Figure::Utility => "plies of the game held by the tree",
        }
    }

    /// End and step of the vertical axis.
    fn scale(self, points: &[Point]) -> (f64, f64) {
        match self {
            Figure::Rate => (100.0, 10.0),
            Figure::Utility => {
                let values = points.iter().filter_map(|point| self.value(point));
                let most = values.map(|(value, _)| value).fold(1.0, f64::max);
                (most.ceil(), 0.5)
            }
        }
    }
}

/// The figure of some points.
pub fn svg(figure: Figure, points: &[Point]) -> String {
    let (high, step) = figure.scale(points);
    let series = |(colour, arm): (usize, Arm)| {
        let own = points.iter().filter(|point| point.arm == arm);
        let dots = own.filter_map(|point| figure.dot(point)).collect();
        Series { name: arm.to_string(), colour, dots, ..Series::default() }
    };
    let series = Arm::ALL.into_iter().enumerate().map(series).collect();
    let (title, up) = (figure.title(), Scale::Even { low: 0.0, high, step });
    let (below, beside, across) = ("workers", "", Scale::Doubling);
    Chart { title, below, beside, across, up, diagonal: false, series }.svg()
}

#[cfg(test)]
mod tests {
    use senbon_core::pipeline::Strategy;

    use super::*;
    use crate::score::Score;

    #[test]
    fn every_point_is_drawn() {
        let points: Vec<_> = [1, 8, 60]
            .into_iter()
            .map(|workers| Point {
                arm: Arm::Strategy(Strategy::Pipeline),
                workers,
                score: Score { wins: 9, draws: 0, losses: 1, pairs: [0, 0, 1, 0, 4] },
                utility: Some(workers as f64 / 20.0),
            })
            .collect();
        for figure in [Figure::Rate, Figure::Utility] {
            let picture = svg(figure, &points);
            assert_eq!(picture.matches("<circle").count(), 3);
            assert!(!picture.contains("NaN") && picture.contains(">pipeline</text>"));
        }
    }
}
