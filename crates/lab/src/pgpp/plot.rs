//! The figures as pictures: points over the number of workers, on a scale of powers of two.

use std::fmt::Write;

use super::{Arm, Point};

/// Which figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Figure {
    /// Win rate, Fig. 4a.
    Rate,
    /// Observed utility, Fig. 4b.
    Utility,
}

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 400.0;
const LEFT: f64 = 60.0;
const RIGHT: f64 = 150.0;
const TOP: f64 = 30.0;
const BOTTOM: f64 = 50.0;

/// Colours that people with any sight can tell apart (Okabe and Ito).
const COLOURS: [&str; 7] =
    ["#0072B2", "#D55E00", "#000000", "#009E73", "#CC79A7", "#E69F00", "#56B4E9"];

impl Figure {
    fn value(self, point: &Point) -> Option<(f64, f64)> {
        match self {
            Figure::Rate => Some((100.0 * point.score.rate(), 100.0 * point.score.margin())),
            Figure::Utility => {
                point.utility.filter(|_| point.arm != Arm::Linear).map(|utility| (utility, 0.0))
            }
        }
    }

    fn title(self) -> &'static str {
        match self {
            Figure::Rate => "win rate against one worker, %",
            Figure::Utility => "plies of the game held by the tree",
        }
    }

    /// Bounds and step of the vertical axis.
    fn scale(self, points: &[Point]) -> (f64, f64, f64) {
        match self {
            Figure::Rate => (0.0, 100.0, 10.0),
            Figure::Utility => {
                let values = points.iter().filter_map(|point| self.value(point));
                let most = values.map(|(value, _)| value).fold(1.0, f64::max);
                (0.0, most.ceil(), 0.5)
            }
        }
    }
}

/// The figure of some points.
pub fn svg(figure: Figure, points: &[Point]) -> String {
    let most = points.iter().map(|point| point.workers).max().unwrap_or(1).max(2) as f64;
    let (low, high, step) = figure.scale(points);
    let x = |workers: f64| LEFT + (WIDTH - LEFT - RIGHT) * workers.log2() / most.log2();
    let y = |value: f64| {
        HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (value.clamp(low, high) - low) / (high - low)
    };
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
         font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"white\"/>\n\
         <text x=\"{LEFT}\" y=\"18\">{}</text>\n",
        figure.title()
    );
    let right = WIDTH - RIGHT;
    let mut mark = low;
    while mark <= high + 1e-9 {
        let at = y(mark);
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "<line x1=\"{LEFT}\" x2=\"{right}\" y1=\"{at:.1}\" y2=\"{at:.1}\" stroke=\"#ddd\"/>\
             <text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{mark}</text>",
            LEFT - 8.0,
            at + 4.0
        );
        mark += step;
    }
    let mut numbers: Vec<_> = points.iter().map(|point| point.workers).collect();
    numbers.sort_unstable();
    numbers.dedup();
    for number in numbers {
        let _ = writeln!(
            text,
            "<text x=\"{:.1}\" y=\"{}\" text-anchor=\"middle\">{number}</text>",
            x(number as f64),
            HEIGHT - BOTTOM + 18.0
        );
    }
    let _ = writeln!(
        text,
        "<text x=\"{:.1}\" y=\"{}\" text-anchor=\"middle\">workers</text>",
        (LEFT + right) / 2.0,
        HEIGHT - 10.0
    );
    let mut row = 0;
    for (index, arm) in Arm::ALL.into_iter().enumerate() {
        let mut line: Vec<_> = points
            .iter()
            .filter(|point| point.arm == arm)
            .filter_map(|point| figure.value(point).map(|value| (point.workers, value)))
            .collect();
        line.sort_by_key(|&(workers, _)| workers);
        if line.is_empty() {
            continue;
        }
        draw(&mut text, COLOURS[index % COLOURS.len()], &line, &x, &y);
        let (at, colour) = (TOP + 18.0 * row as f64, COLOURS[index % COLOURS.len()]);
        let _ = writeln!(
            text,
            "<rect x=\"{}\" y=\"{at}\" width=\"12\" height=\"12\" fill=\"{colour}\"/>\
             <text x=\"{}\" y=\"{}\">{arm}</text>",
            right + 14.0,
            right + 32.0,
            at + 10.0
        );
        row += 1;
    }
    text + "</svg>\n"
}

fn draw(
    text: &mut String,
    colour: &str,
    line: &[(usize, (f64, f64))],
    x: &impl Fn(f64) -> f64,
    y: &impl Fn(f64) -> f64,
) {
    let place = |&(workers, (value, _)): &(usize, (f64, f64))| {
        format!("{:.1},{:.1}", x(workers as f64), y(value))
    };
    let way: Vec<_> = line.iter().map(place).collect();
    let _ = writeln!(
        text,
        "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.5\"/>",
        way.join(" ")
    );
    for &(workers, (value, margin)) in line {
        let at = x(workers as f64);
        let _ = writeln!(
            text,
            "<line x1=\"{at:.1}\" x2=\"{at:.1}\" y1=\"{:.1}\" y2=\"{:.1}\" stroke=\"{colour}\"/>\
             <circle cx=\"{at:.1}\" cy=\"{:.1}\" r=\"3\" fill=\"{colour}\"/>",
            y(value - margin),
            y(value + margin),
            y(value)
        );
    }
}

#[cfg(test)]
mod tests {
    use senbon_core::pipeline::Strategy;

    use super::*;
    use crate::score::Score;

    #[test]
    fn every_point_is_drawn_inside() {
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
            for place in picture.split("cx=\"").skip(1) {
                let at: f64 = place.split('"').next().unwrap().parse().unwrap();
                assert!((LEFT..=WIDTH - RIGHT).contains(&at), "{at}");
            }
        }
    }
}
