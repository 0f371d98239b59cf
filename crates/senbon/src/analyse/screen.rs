//! The live view in a terminal: redrawn in place, and left in the scrollback at the end.
//!
//! Nothing of the terminal's state outlives a frame: the cursor is hidden and shown again
//! within it, colours end with each piece of text. So there is nothing to restore, however
//! the program ends.

use std::io::{self, Write};
use std::time::Duration;

use super::model::{Answer, Change, Model};
use super::picture::{Size, picture};
use super::plain::{Summary, summary};
use super::show::Show;
use super::text::{Paint, Row, Style, width};

/// Between two frames.
const FRAME: Duration = Duration::from_millis(100);

/// Begins and ends a frame: all at once where the terminal can, the cursor out of the way.
const BEGIN: &str = "\x1b[?2026h\x1b[?25l";
/// See [`BEGIN`].
pub(super) const END: &str = "\x1b[0m\x1b[?25h\x1b[?2026l";

pub(super) struct Screen<W: Write> {
    out: W,
    style: Style,
    /// The rows on the screen, and how wide it was.
    shown: Vec<String>,
    columns: usize,
}

impl<W: Write> Screen<W> {
    pub(super) fn new(out: W) -> Self {
        let variable = |name| std::env::var(name).ok().filter(|value| !value.is_empty());
        let locale = variable("LC_ALL").or(variable("LC_CTYPE")).or(variable("LANG"));
        let unicode = locale.is_none_or(|name| {
            let name = name.to_ascii_lowercase();
            name.contains("utf-8") || name.contains("utf8")
        });
        let style = Style { colour: variable("NO_COLOR").is_none(), unicode };
        Screen { out, style, shown: Vec::new(), columns: 0 }
    }

    fn draw(&mut self, model: &Model) -> io::Result<()> {
        let size = size();
        let rows = picture(model, size, self.style);
        if rows == self.shown && size.columns == self.columns {
            return Ok(());
        }
        // A terminal that became narrower has broken our rows into more of them, or cut them,
        // as it likes: where the picture begins is not known any more.
        let lost = size.columns < self.columns;
        let frame = frame(&rows, self.shown.len(), lost);
        self.shown = rows;
        self.columns = size.columns;
        self.out.write_all(frame.as_bytes())?;
        self.out.flush()
    }
}

/// The answer, in two rows if one is too narrow.
fn last_rows(model: &Model, answer: &Answer, columns: usize, style: Style) -> Vec<String> {
    let Summary { best, score, work } = summary(model, answer);
    let whole = width(&best) + width(&score) + width(&work) + 4;
    let first = Row::new().add(Paint::Strong, best).add(Paint::Plain, format!("  {score}"));
    if whole <= columns {
        return vec![first.add(Paint::Plain, format!("  {work}")).fit(columns, style)];
    }
    vec![first.fit(columns, style), Row::new().add(Paint::Plain, work).fit(columns, style)]
}

/// One string that turns the old picture of `before` rows into the new one.
fn frame(rows: &[String], before: usize, lost: bool) -> String {
    let mut text = BEGIN.to_owned();
    if lost {
        text.push_str("\x1b[H\x1b[J");
    } else if before > 0 {
        text.push_str(&format!("\r\x1b[{before}A"));
    }
    for row in rows {
        // Rubbed out behind the text rather than before it: nothing flickers.
        text.push_str(row);
        text.push_str("\x1b[K\r\n");
    }
    text.push_str("\x1b[J");
    text.push_str(END);
    text
}

/// What may be used: a column is left free, since some terminals wrap at the last one, and
/// a row for the cursor.
fn size() -> Size {
    let (columns, rows) = terminal_size::terminal_size()
        .map_or((80, 24), |(width, height)| (usize::from(width.0), usize::from(height.0)));
    Size { columns: columns.saturating_sub(1).max(1), rows: rows.saturating_sub(1).max(1) }
}

impl<W: Write> Show for Screen<W> {
    fn looks_every(&self) -> Option<Duration> {
        Some(FRAME)
    }

    fn begin(&mut self, model: &Model) -> io::Result<()> {
        self.draw(model)
    }

    fn change(&mut self, model: &Model, change: &Change) -> io::Result<()> {
        // Lines come by the hundred, and the next frame shows them; a failure is shown at once.
        if matches!(change, Change::Fault { .. }) { self.draw(model) } else { Ok(()) }
    }

    fn tick(&mut self, model: &Model) -> io::Result<()> {
        self.draw(model)
    }

    fn answer(&mut self, model: &Model, answer: &Answer) -> io::Result<()> {
        self.draw(model)?;
        let text = last_rows(model, answer, self.columns, self.style).join("\r\n");
        write!(self.out, "\r\n{text}\r\n")?;
        self.out.flush()
    }

    fn fail(&mut self, model: &Model, _reason: &str) -> io::Result<()> {
        self.draw(model)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_goes_over_the_one_before_and_rubs_out_its_rest() {
        let rows = ["one".to_owned(), "two".to_owned()];
        let text = frame(&rows, 5, false);
        assert_eq!(text, format!("{BEGIN}\r\x1b[5Aone\x1b[K\r\ntwo\x1b[K\r\n\x1b[J{END}"));
        assert!(frame(&rows, 0, false).starts_with(&format!("{BEGIN}one")));
        assert!(frame(&rows, 5, true).starts_with(&format!("{BEGIN}\x1b[H\x1b[Jone")));
    }
}
