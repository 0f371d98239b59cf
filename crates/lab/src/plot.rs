//! Charts of results as SVG: values over numbers of workers or multiples of time, on a scale of
//! powers of two.

use std::fmt::Write;

/// A measured value and its interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dot {
    /// Where on the horizontal axis, above 0.
    pub x: f64,
    /// The value.
    pub y: f64,
    /// Ends of the interval.
    pub interval: (f64, f64),
}

/// What is joined by a line.
#[derive(Clone, Debug)]
pub struct Series {
    /// Its name in the legend.
    pub name: String,
    /// Which colour, so that a series keeps its own when others are left out.
    pub colour: usize,
    /// Its values.
    pub dots: Vec<Dot>,
}

/// A chart.
#[derive(Clone, Debug)]
pub struct Chart<'a> {
    /// What stands above it.
    pub title: &'a str,
    /// What stands below it.
    pub below: &'a str,
    /// The upper end of the vertical axis, which begins at 0.
    pub high: f64,
    /// From mark to mark on it.
    pub step: f64,
    /// What is drawn; series without dots are left out.
    pub series: Vec<Series>,
}

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 400.0;
const LEFT: f64 = 60.0;
const RIGHT: f64 = 150.0;
const TOP: f64 = 30.0;
const BOTTOM: f64 = 50.0;
const END: f64 = WIDTH - RIGHT;

/// Colours that people with any sight can tell apart (Okabe and Ito).
const COLOURS: [&str; 7] =
    ["#0072B2", "#D55E00", "#000000", "#009E73", "#CC79A7", "#E69F00", "#56B4E9"];

/// A step of about eight marks up to `high`: 1, 2 or 5 times a power of ten.
pub fn step(high: f64) -> f64 {
    let rough = (high / 8.0).max(1e-3);
    let power = 10f64.powf(rough.log10().floor());
    let fits = [1.0, 2.0, 5.0].into_iter().find(|times| times * power >= rough);
    fits.unwrap_or(10.0) * power
}

impl Chart<'_> {
    /// The chart as a picture.
    pub fn svg(&self) -> String {
        let mut text = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
             font-family=\"sans-serif\" font-size=\"12\">\n\
             <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"white\"/>\n\
             <text x=\"{LEFT}\" y=\"18\">{}</text>\n",
            escaped(self.title)
        );
        self.draw_axes(&mut text);
        let shown = self.series.iter().filter(|series| !series.dots.is_empty());
        for (row, series) in shown.enumerate() {
            self.draw_series(&mut text, series);
            draw_legend(&mut text, row, series);
        }
        text + "</svg>\n"
    }

    fn x(&self, value: f64) -> f64 {
        let places = || self.series.iter().flat_map(|series| &series.dots).map(|dot| dot.x.log2());
        let (least, most) = (places().fold(0.0, f64::min), places().fold(1.0, f64::max));
        LEFT + (END - LEFT) * (value.log2() - least) / (most - least)
    }

    fn y(&self, value: f64) -> f64 {
        HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * value.clamp(0.0, self.high) / self.high
    }

    fn draw_axes(&self, text: &mut String) {
        let marks = (self.high / self.step + 1e-9) as usize;
        for mark in (0..=marks).map(|mark| mark as f64 * self.step) {
            let at = self.y(mark);
            let shown = format!("{mark:.3}");
            let shown = shown.trim_end_matches('0').trim_end_matches('.');
            // Writing to a string cannot fail.
            let _ = writeln!(
                text,
                "<line x1=\"{LEFT}\" x2=\"{END}\" y1=\"{at:.1}\" y2=\"{at:.1}\" stroke=\"#ddd\"/>\
                 <text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{shown}</text>",
                LEFT - 8.0,
                at + 4.0
            );
        }
        let mut numbers: Vec<f64> =
            self.series.iter().flat_map(|series| &series.dots).map(|dot| dot.x).collect();
        numbers.sort_by(f64::total_cmp);
        numbers.dedup();
        for number in numbers {
            let _ = writeln!(
                text,
                "<text x=\"{:.1}\" y=\"{}\" text-anchor=\"middle\">{number}</text>",
                self.x(number),
                HEIGHT - BOTTOM + 18.0
            );
        }
        let _ = writeln!(
            text,
            "<text x=\"{:.1}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
            (LEFT + END) / 2.0,
            HEIGHT - 10.0,
            escaped(self.below)
        );
    }

    fn draw_series(&self, text: &mut String, series: &Series) {
        let colour = COLOURS[series.colour % COLOURS.len()];
        let mut dots = series.dots.clone();
        dots.sort_by(|a, b| a.x.total_cmp(&b.x));
        let place = |dot: &Dot| format!("{:.1},{:.1}", self.x(dot.x), self.y(dot.y));
        let way: Vec<_> = dots.iter().map(place).collect();
        let _ = writeln!(
            text,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.5\"/>",
            way.join(" ")
        );
        for Dot { x, y, interval: (low, high) } in dots {
            let at = self.x(x);
            let _ = writeln!(
                text,
                "<line x1=\"{at:.1}\" x2=\"{at:.1}\" y1=\"{:.1}\" y2=\"{:.1}\" \
                 stroke=\"{colour}\"/><circle cx=\"{at:.1}\" cy=\"{:.1}\" r=\"3\" \
                 fill=\"{colour}\"/>",
                self.y(low),
                self.y(high),
                self.y(y)
            );
        }
    }
}

fn draw_legend(text: &mut String, row: usize, series: &Series) {
    let (at, colour) = (TOP + 18.0 * row as f64, COLOURS[series.colour % COLOURS.len()]);
    let _ = writeln!(
        text,
        "<rect x=\"{}\" y=\"{at}\" width=\"12\" height=\"12\" fill=\"{colour}\"/>\
         <text x=\"{}\" y=\"{}\">{}</text>",
        END + 14.0,
        END + 32.0,
        at + 10.0,
        escaped(&series.name)
    );
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_dot_is_drawn_inside() {
        let dot = |x: f64| Dot { x, y: x / 2.0, interval: (-5.0, 90.0) };
        let dots = vec![dot(60.0), dot(1.0), dot(8.0)];
        let series = |name: &str, dots| Series { name: name.to_owned(), colour: 9, dots };
        let series = vec![series("<a>", dots), series("none", Vec::new())];
        let chart = Chart { title: "t", below: "workers", high: 40.0, step: step(40.0), series };
        let picture = chart.svg();
        assert_eq!(picture.matches("<circle").count(), 3);
        assert!(picture.contains(">&lt;a></text>") && !picture.contains("none</text>"));
        assert!(!picture.contains("NaN"));
        for (name, low, high) in
            [("cx", LEFT, END), ("cy", TOP, HEIGHT - BOTTOM), ("y2", TOP, HEIGHT - BOTTOM)]
        {
            for place in picture.split(&format!("{name}=\"")).skip(1) {
                let at: f64 = place.split('"').next().unwrap().parse().unwrap();
                assert!((low..=high).contains(&at), "{name} {at}");
            }
        }
    }

    #[test]
    fn steps_are_round() {
        assert_eq!([3.0, 8.0, 100.0, 45.0].map(step), [0.5, 1.0, 20.0, 10.0]);
    }
}
