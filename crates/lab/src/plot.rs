//! Charts of results as SVG: values over numbers of workers, multiples of time or depths, on
//! even scales or on scales of powers of two.

use std::fmt::Write;

/// A measured value and its interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dot {
    /// Where on the horizontal axis; above 0 on a scale of powers.
    pub x: f64,
    /// The value.
    pub y: f64,
    /// Ends of the interval.
    pub interval: (f64, f64),
}

impl Dot {
    /// A value without an interval.
    pub const fn exact(x: f64, y: f64) -> Dot {
        Dot { x, y, interval: (y, y) }
    }
}

/// How the dots of a series are drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Look {
    /// Joined by a line.
    #[default]
    Joined,
    /// Each for itself.
    Loose,
    /// Hollow and joined by a broken line: what others measured.
    Cited,
}

/// What belongs together.
#[derive(Clone, Debug, Default)]
pub struct Series {
    /// Its name in the legend.
    pub name: String,
    /// Which colour, so that a series keeps its own when others are left out.
    pub colour: usize,
    /// Its values.
    pub dots: Vec<Dot>,
    /// How they are drawn.
    pub look: Look,
}

/// An axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scale {
    /// Powers of two, as far as the dots go, from 1 at the latest.
    Doubling,
    /// Even from one end to the other, with marks at multiples of a step.
    Even {
        /// The lower end.
        low: f64,
        /// The upper end.
        high: f64,
        /// From mark to mark.
        step: f64,
    },
}

impl Scale {
    /// From 0 to `high`, with round marks.
    pub fn to(high: f64) -> Scale {
        Scale::Even { low: 0.0, high, step: step(high) }
    }
}

/// A chart.
#[derive(Clone, Debug)]
pub struct Chart<'a> {
    /// What stands above it.
    pub title: &'a str,
    /// What stands below it.
    pub below: &'a str,
    /// What stands beside the vertical axis; nothing where the title says it.
    pub beside: &'a str,
    /// The horizontal axis.
    pub across: Scale,
    /// The vertical axis.
    pub up: Scale,
    /// Whether a line shows where both axes say the same.
    pub diagonal: bool,
    /// What is drawn; series without dots are left out.
    pub series: Vec<Series>,
}

const HEIGHT: f64 = 400.0;
const LEFT: f64 = 66.0;
const TOP: f64 = 30.0;
const BOTTOM: f64 = 50.0;
/// Where the horizontal axis ends and the legend begins.
const END: f64 = 490.0;
/// The least room of the legend.
const LEGEND: f64 = 150.0;
/// About how wide a letter is.
const LETTER: f64 = 7.0;

/// Colours that people with any sight can tell apart (Okabe and Ito).
const COLOURS: [&str; 8] =
    ["#0072B2", "#D55E00", "#000000", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#F0E442"];

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
        let longest = self.shown().map(|series| series.name.chars().count()).max().unwrap_or(0);
        let legend = (40.0 + LETTER * longest as f64).max(LEGEND);
        let title = LETTER * self.title.chars().count() as f64;
        let width = (END + legend).max(LEFT + title);
        let mut text = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {HEIGHT}\" \
             font-family=\"sans-serif\" font-size=\"12\">\n\
             <rect width=\"{width}\" height=\"{HEIGHT}\" fill=\"white\"/>\n\
             <text x=\"{LEFT}\" y=\"18\">{}</text>\n",
            escaped(self.title)
        );
        self.draw_axes(&mut text);
        for (row, series) in self.shown().enumerate() {
            self.draw_series(&mut text, series);
            draw_legend(&mut text, row, series);
        }
        text + "</svg>\n"
    }

    fn shown(&self) -> impl Iterator<Item = &Series> {
        self.series.iter().filter(|series| !series.dots.is_empty())
    }

    fn values(&self, of: fn(&Dot) -> [f64; 2]) -> impl Iterator<Item = f64> {
        self.series.iter().flat_map(|series| &series.dots).flat_map(of)
    }

    fn x(&self, value: f64) -> f64 {
        LEFT + (END - LEFT) * self.across.place(value, self.values(|dot| [dot.x; 2]))
    }

    fn y(&self, value: f64) -> f64 {
        let values = self.values(|dot| [dot.interval.0, dot.interval.1]);
        HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * self.up.place(value, values)
    }

    fn draw_axes(&self, text: &mut String) {
        for mark in self.up.marks(self.values(|dot| [dot.interval.0, dot.interval.1])) {
            let (at, shown) = (self.y(mark), number(mark));
            // Writing to a string cannot fail.
            let _ = writeln!(
                text,
                "<line x1=\"{LEFT}\" x2=\"{END}\" y1=\"{at:.1}\" y2=\"{at:.1}\" stroke=\"#ddd\"/>\
                 <text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{shown}</text>",
                LEFT - 8.0,
                at + 4.0
            );
        }
        self.draw_numbers_below(text);
        let _ = writeln!(
            text,
            "<text x=\"{:.1}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
            (LEFT + END) / 2.0,
            HEIGHT - 10.0,
            escaped(self.below)
        );
        let middle = (TOP + HEIGHT - BOTTOM) / 2.0;
        if !self.beside.is_empty() {
            let _ = writeln!(
                text,
                "<text transform=\"translate(16 {middle}) rotate(-90)\" \
                 text-anchor=\"middle\">{}</text>",
                escaped(self.beside)
            );
        }
        if let (true, Scale::Even { low, high, .. }) = (self.diagonal, self.up) {
            let _ = writeln!(
                text,
                "<path d=\"M {:.1} {:.1} L {:.1} {:.1}\" stroke=\"#888\" \
                 stroke-dasharray=\"4 4\"/>",
                self.x(low),
                self.y(low),
                self.x(high),
                self.y(high)
            );
        }
    }

    /// Marks where dots are, or at the steps of an even scale; those too near to a
    /// larger one are left out.
    fn draw_numbers_below(&self, text: &mut String) {
        let mut numbers: Vec<f64> = match self.across {
            Scale::Doubling => self.values(|dot| [dot.x; 2]).collect(),
            even => even.marks(std::iter::empty()),
        };
        numbers.sort_by(f64::total_cmp);
        numbers.dedup();
        let mut free = f64::MAX;
        for value in numbers.into_iter().rev() {
            let (at, shown) = (self.x(value), number(value));
            let half = LETTER * shown.len() as f64 / 2.0;
            let _ = writeln!(
                text,
                "<line x1=\"{at:.1}\" x2=\"{at:.1}\" y1=\"{}\" y2=\"{}\" stroke=\"#888\"/>",
                HEIGHT - BOTTOM,
                HEIGHT - BOTTOM + 4.0,
            );
            if at + half > free {
                continue;
            }
            free = at - half - 3.0;
            let _ = writeln!(
                text,
                "<text x=\"{at:.1}\" y=\"{}\" text-anchor=\"middle\">{shown}</text>",
                HEIGHT - BOTTOM + 18.0
            );
        }
    }

    fn draw_series(&self, text: &mut String, series: &Series) {
        let colour = COLOURS[series.colour % COLOURS.len()];
        let mut dots = series.dots.clone();
        dots.sort_by(|a, b| a.x.total_cmp(&b.x));
        let place = |dot: &Dot| format!("{:.1},{:.1}", self.x(dot.x), self.y(dot.y));
        let way: Vec<_> = dots.iter().map(place).collect();
        let broken = if series.look == Look::Cited { " stroke-dasharray=\"5 4\"" } else { "" };
        if series.look != Look::Loose {
            let _ = writeln!(
                text,
                "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" \
                 stroke-width=\"1.5\"{broken}/>",
                way.join(" ")
            );
        }
        for dot in dots {
            let (at, (low, high)) = (self.x(dot.x), dot.interval);
            if low < high {
                let _ = writeln!(
                    text,
                    "<line x1=\"{at:.1}\" x2=\"{at:.1}\" y1=\"{:.1}\" y2=\"{:.1}\" \
                     stroke=\"{colour}\"/>",
                    self.y(low),
                    self.y(high),
                );
            }
            let fill = if series.look == Look::Cited { "white" } else { colour };
            let _ = writeln!(
                text,
                "<circle cx=\"{at:.1}\" cy=\"{:.1}\" r=\"3\" fill=\"{fill}\" \
                 stroke=\"{colour}\"/>",
                self.y(dot.y)
            );
        }
    }
}

impl Scale {
    /// Where a value is, from 0 to 1; what is off the scale is at its end.
    fn place(self, value: f64, all: impl Iterator<Item = f64>) -> f64 {
        let place = match self {
            Scale::Even { low, high, .. } => (value - low) / (high - low),
            Scale::Doubling => {
                let (least, most) = ends(all);
                (value.max(f64::MIN_POSITIVE).log2() - least) / (most - least)
            }
        };
        place.clamp(0.0, 1.0)
    }

    fn marks(self, all: impl Iterator<Item = f64>) -> Vec<f64> {
        match self {
            Scale::Even { low, high, step } => {
                let (first, last) = ((low / step - 1e-9).ceil(), (high / step + 1e-9).floor());
                (first as i64..=last as i64).map(|mark| mark as f64 * step).collect()
            }
            Scale::Doubling => {
                let (least, most) = ends(all);
                (least.ceil() as i32..=most.floor() as i32).map(|mark| 2f64.powi(mark)).collect()
            }
        }
    }
}

/// The ends of a scale of powers of two.
fn ends(all: impl Iterator<Item = f64>) -> (f64, f64) {
    let powers = all.filter(|&value| value > 0.0).map(f64::log2);
    powers.fold((0.0, 1.0), |(least, most): (f64, f64), it| (least.min(it), most.max(it)))
}

/// A number as short as it can be.
fn number(value: f64) -> String {
    let shown = format!("{value:.3}");
    shown.trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn draw_legend(text: &mut String, row: usize, series: &Series) {
    let (at, colour) = (TOP + 18.0 * row as f64, COLOURS[series.colour % COLOURS.len()]);
    let fill = if series.look == Look::Cited { "white" } else { colour };
    let _ = writeln!(
        text,
        "<rect x=\"{}\" y=\"{at}\" width=\"12\" height=\"12\" fill=\"{fill}\" \
         stroke=\"{colour}\"/><text x=\"{}\" y=\"{}\">{}</text>",
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
        let series = |name: &str, dots| {
            let name = name.to_owned();
            Series { name, colour: 9, dots, look: Look::Joined }
        };
        let series = vec![series("<a>", dots), series("none", Vec::new())];
        let chart = Chart {
            title: "t",
            below: "workers",
            beside: "",
            across: Scale::Doubling,
            up: Scale::to(40.0),
            diagonal: false,
            series,
        };
        let picture = chart.svg();
        assert_eq!(picture.matches("<circle").count(), 3);
        assert!(picture.contains(">&lt;a></text>") && !picture.contains("none</text>"));
        assert!(!picture.contains("NaN"));
        for (name, low, high) in
            [("cx", LEFT, END), ("cy", TOP, HEIGHT - BOTTOM), ("y1", TOP, HEIGHT - BOTTOM)]
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

    #[test]
    fn scales_begin_and_end_where_they_say() {
        let even = Scale::Even { low: 60.0, high: 100.0, step: 10.0 };
        let none = std::iter::empty::<f64>;
        assert_eq!(even.marks(none()), [60.0, 70.0, 80.0, 90.0, 100.0]);
        assert_eq!(
            [50.0, 60.0, 80.0, 120.0].map(|it| even.place(it, none())),
            [0.0, 0.0, 0.5, 1.0]
        );
        let numbers = || [2.0, 32.0].into_iter();
        assert_eq!(Scale::Doubling.marks(numbers()), [1.0, 2.0, 4.0, 8.0, 16.0, 32.0]);
        assert_eq!(Scale::Doubling.place(32.0, numbers()), 1.0);
    }

    /// 1024 and 1536 are too near to each other for both to be written.
    #[test]
    fn numbers_below_do_not_overlap() {
        let dots = [1.0, 64.0, 512.0, 1_024.0, 1_536.0].map(|x| Dot::exact(x, x)).to_vec();
        let series = vec![Series { name: "a".to_owned(), dots, ..Series::default() }];
        let (across, up) = (Scale::Doubling, Scale::Doubling);
        let chart =
            Chart { title: "", below: "", beside: "up", across, up, diagonal: false, series };
        let picture = chart.svg();
        assert!(picture.contains(">1536</text>") && picture.contains("rotate(-90)"), "{picture}");
        let below = picture.matches(&format!("y=\"{}\"", HEIGHT - BOTTOM + 18.0)).count();
        assert_eq!(below, 4, "{picture}");
    }
}
