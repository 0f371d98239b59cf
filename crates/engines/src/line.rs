//! Cutting a byte stream into lines, within bounds.
//!
//! Every engine protocol is made of lines. What comes from outside may be endless or no text
//! at all: a line longer than the limit is reported once and skipped to its end, and bytes
//! that are not UTF-8 are replaced.

use std::io::{ErrorKind, Read};

/// One line of input, without its line end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// The line's text. Bytes that are not UTF-8 became U+FFFD.
    Text(String),
    /// A line was longer than the limit and has been skipped.
    TooLong,
}

/// Cuts bytes that arrive in chunks into lines; holds at most one line of bounded length.
///
/// ```
/// use senbon_engines::{Line, LineSplitter};
///
/// let mut splitter = LineSplitter::new(1024);
/// let mut chunk: &[u8] = b"isready\r\ngo inf";
/// assert_eq!(splitter.next_line(&mut chunk), Some(Line::Text("isready".into())));
/// assert_eq!(splitter.next_line(&mut chunk), None);
/// let mut chunk: &[u8] = b"inite\n";
/// assert_eq!(splitter.next_line(&mut chunk), Some(Line::Text("go infinite".into())));
/// ```
#[derive(Clone, Debug)]
pub struct LineSplitter {
    limit: usize,
    /// The beginning of a line whose end has not come yet.
    pending: Vec<u8>,
    /// The current line is over the limit; its bytes are dropped until it ends.
    overlong: bool,
}

impl LineSplitter {
    /// The limit for commands from a GUI: a game of thousands of moves fits in one line.
    pub const COMMAND_LIMIT: usize = 64 * 1024;

    /// Lines may have up to `limit` bytes, line end not counted.
    pub fn new(limit: usize) -> Self {
        LineSplitter { limit, pending: Vec::new(), overlong: false }
    }

    /// Takes bytes from the front of `input` up to the end of the next line and gives that
    /// line; `None` when the input ended first. Call it until it gives `None`.
    pub fn next_line(&mut self, input: &mut &[u8]) -> Option<Line> {
        let Some(end) = input.iter().position(|&byte| byte == b'\n') else {
            self.keep(input);
            *input = &[];
            return None;
        };
        self.keep(&input[..end]);
        *input = &input[end + 1..];
        Some(self.complete())
    }

    /// The input has ended: gives a last line that had no line end.
    pub fn finish(&mut self) -> Option<Line> {
        (self.overlong || !self.pending.is_empty()).then(|| self.complete())
    }

    fn keep(&mut self, bytes: &[u8]) {
        // One byte more than the limit, for a carriage return that does not count.
        if self.overlong || self.pending.len() + bytes.len() > self.limit + 1 {
            self.overlong = true;
            self.pending = Vec::new();
        } else {
            self.pending.extend_from_slice(bytes);
        }
    }

    fn complete(&mut self) -> Line {
        let mut bytes = std::mem::take(&mut self.pending);
        let overlong = std::mem::take(&mut self.overlong);
        if bytes.last() == Some(&b'\r') {
            bytes.pop();
        }
        if overlong || bytes.len() > self.limit {
            return Line::TooLong;
        }
        Line::Text(String::from_utf8_lossy(&bytes).into_owned())
    }
}

/// Reads `input` to its end, or until `hear` says that nobody listens any more.
pub fn read_lines(mut input: impl Read, limit: usize, mut hear: impl FnMut(Line) -> bool) {
    let mut splitter = LineSplitter::new(limit);
    let mut buffer = [0; 8192];
    loop {
        let mut chunk = match input.read(&mut buffer) {
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            // An input that cannot be read any more has ended.
            Ok(0) | Err(_) => break,
            Ok(length) => &buffer[..length],
        };
        while let Some(line) = splitter.next_line(&mut chunk) {
            if !hear(line) {
                return;
            }
        }
    }
    if let Some(line) = splitter.finish() {
        hear(line);
    }
}

#[cfg(test)]
mod tests {
    use senbon_games::Rng;
    use senbon_testkit::seed;

    use super::*;

    fn lines(limit: usize, chunks: &[&[u8]]) -> Vec<Line> {
        let mut splitter = LineSplitter::new(limit);
        let mut lines = Vec::new();
        for &chunk in chunks {
            let mut rest = chunk;
            while let Some(line) = splitter.next_line(&mut rest) {
                lines.push(line);
            }
            assert!(rest.is_empty());
            assert!(splitter.pending.len() <= limit + 1);
        }
        lines.extend(splitter.finish());
        lines
    }

    fn text(text: &str) -> Line {
        Line::Text(text.into())
    }

    #[test]
    fn line_ends_of_every_system() {
        assert_eq!(lines(9, &[b"a\r\nb\n\nc"]), [text("a"), text("b"), text(""), text("c")]);
        assert_eq!(lines(9, &[b"a\r", b"\nb\r\r\n"]), [text("a"), text("b\r")]);
        assert_eq!(lines(9, &[b""]), []);
    }

    #[test]
    fn overlong_lines_are_reported_once_and_skipped() {
        assert_eq!(lines(3, &[b"abc\nabcd\nx\n"]), [text("abc"), Line::TooLong, text("x")]);
        assert_eq!(lines(3, &[b"abc\r\nabcd\r\n"]), [text("abc"), Line::TooLong]);
        let endless: Vec<&[u8]> = vec![b"abcdefgh"; 100];
        assert_eq!(lines(3, &endless), [Line::TooLong]);
    }

    #[test]
    fn bytes_that_are_no_text_are_replaced() {
        assert_eq!(lines(9, &[b"a\xff\xfeb\0\n"]), [text("a\u{fffd}\u{fffd}b\0")]);
        // A character split between two chunks is whole again.
        assert_eq!(lines(9, &["千".as_bytes()[..1].as_ref(), &"千".as_bytes()[1..]]), [text("千")]);
    }

    #[test]
    fn chunks_do_not_matter() {
        let mut rng = Rng::new(seed());
        for _ in 0..2_000 {
            let length = rng.below(60);
            let bytes: Vec<u8> = (0..length).map(|_| *rng.pick(b"ab\r\n\xff").unwrap()).collect();
            let limit = rng.below(6);
            let mut chunks: Vec<&[u8]> = Vec::new();
            let mut rest = &bytes[..];
            while !rest.is_empty() {
                let (chunk, more) = rest.split_at(1 + rng.below(rest.len()));
                chunks.push(chunk);
                rest = more;
            }
            assert_eq!(lines(limit, &chunks), lines(limit, &[&bytes]), "{bytes:?}, limit {limit}");
        }
    }
}
