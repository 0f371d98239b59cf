//! A row of coloured text that is cut to fit, and numbers as people read them.

use std::time::Duration;

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// What the terminal can show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Style {
    pub(super) colour: bool,
    /// Line-drawing characters; plain ASCII without.
    pub(super) unicode: bool,
}

/// How a piece of text looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Paint {
    Plain,
    Strong,
    Faint,
    Good,
    Bad,
    Bar,
    Warning,
}

impl Paint {
    fn code(self) -> &'static str {
        match self {
            Paint::Plain => "",
            Paint::Strong => "1",
            Paint::Faint => "2",
            Paint::Good => "32",
            Paint::Bad => "31",
            Paint::Bar => "36",
            Paint::Warning => "33",
        }
    }
}

/// Pieces of text, left to right.
#[derive(Clone, Debug, Default)]
pub(super) struct Row(Vec<(Paint, String)>);

impl Row {
    pub(super) fn new() -> Self {
        Row::default()
    }

    #[must_use]
    pub(super) fn add(mut self, paint: Paint, text: impl AsRef<str>) -> Self {
        self.0.push((paint, printable(text.as_ref())));
        self
    }

    /// The row in at most `width` columns; what is cut off leaves a mark.
    pub(super) fn fit(&self, width: usize, style: Style) -> String {
        let whole: usize = self.0.iter().map(|(_, text)| text.width()).sum();
        let mark = if style.unicode { "…" } else { "~" };
        let cut = whole > width;
        let mut left = if cut { width.saturating_sub(1) } else { width };
        let mut out = String::new();
        for (paint, text) in &self.0 {
            let kept = clip(text, left);
            left -= kept.width();
            out.push_str(&painted(*paint, kept, style));
            if kept.len() < text.len() {
                break;
            }
        }
        if cut && width > 0 {
            out.push_str(mark);
        }
        // Spaces at the end would only be in the way of whoever copies the text.
        out.truncate(out.trim_end_matches(' ').len());
        out
    }
}

fn painted(paint: Paint, text: &str, style: Style) -> String {
    if !style.colour || paint == Paint::Plain || text.trim().is_empty() {
        text.to_owned()
    } else {
        format!("\x1b[{}m{text}\x1b[0m", paint.code())
    }
}

/// As much of the text as fits into `width` columns.
pub(super) fn clip(text: &str, width: usize) -> &str {
    let mut used = 0;
    for (at, c) in text.char_indices() {
        used += c.width().unwrap_or(0);
        if used > width {
            return &text[..at];
        }
    }
    text
}

/// What engines say may hold anything: control characters would move the cursor.
fn printable(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect()
}

/// Columns that a text takes.
pub(super) fn width(text: &str) -> usize {
    text.width()
}

/// A count in three or four digits.
pub(super) fn count(number: u64) -> String {
    let scaled = |unit: f64, letter: char| {
        let value = number as f64 / unit;
        let digits = if value < 10.0 { 2 } else { usize::from(value < 100.0) };
        format!("{value:.digits$} {letter}")
    };
    match number {
        0..10_000 => number.to_string(),
        10_000..1_000_000 => scaled(1e3, 'k'),
        1_000_000..1_000_000_000 => scaled(1e6, 'M'),
        _ => scaled(1e9, 'G'),
    }
}

/// A time in seconds, or as on a clock when it is longer.
pub(super) fn clock(time: Duration) -> String {
    let seconds = time.as_secs();
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
    match (hours, minutes) {
        (0, 0) => format!("{:.1} s", (time.as_secs_f64() * 10.0).floor() / 10.0),
        (0, _) => format!("{minutes}:{:02}", seconds % 60),
        _ => format!("{hours}:{minutes:02}:{:02}", seconds % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: Style = Style { colour: false, unicode: true };

    #[test]
    fn a_row_is_cut_by_columns_not_by_characters() {
        let row = Row::new().add(Paint::Strong, "将棋").add(Paint::Plain, " engine");
        assert_eq!(row.fit(40, PLAIN), "将棋 engine");
        assert_eq!(row.fit(8, PLAIN), "将棋 en…");
        assert_eq!(row.fit(4, PLAIN), "将…");
        assert_eq!(row.fit(0, PLAIN), "");
        let ascii = Style { unicode: false, ..PLAIN };
        assert_eq!(Row::new().add(Paint::Bad, "abcdef").fit(3, ascii), "ab~");
        let colour = Style { colour: true, ..PLAIN };
        assert_eq!(Row::new().add(Paint::Bad, "abc").fit(3, colour), "\x1b[31mabc\x1b[0m");
        let escape = Row::new().add(Paint::Plain, "a\x1b[2Jb\n");
        assert_eq!(escape.fit(40, PLAIN), "a\u{fffd}[2Jb\u{fffd}");
    }

    #[test]
    fn numbers_as_people_read_them() {
        let counts = [0, 9_999, 12_345, 999_000, 1_234_567, 12_345_678, 123_456_789, 1 << 40];
        assert_eq!(
            counts.map(count),
            ["0", "9999", "12.3 k", "999 k", "1.23 M", "12.3 M", "123 M", "1100 G"]
        );
        let times = [0, 59_990, 60_000, 3_661_000];
        assert_eq!(
            times.map(|ms| clock(Duration::from_millis(ms))),
            ["0.0 s", "59.9 s", "1:00", "1:01:01"]
        );
    }
}
