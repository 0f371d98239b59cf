//! Reading PGN: one pass over the bytes, bounded in depth and size, and after a broken game
//! on with the next.

use super::{
    GameResult, Line, MAX_DEPTH, MAX_MOVES, MAX_TAGS, MAX_TEXT, Node, PgnError, Record, San,
};
use crate::Side;

/// Gives the games of a file, one after the other.
///
/// A broken game gives an error with its number and line; the next one follows. Text that is
/// not UTF-8 is taken for Latin-1.
#[derive(Clone, Debug)]
pub struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    /// Lines before `at`.
    lines: usize,
    games: usize,
}

/// What is wrong, and on which line (from 0).
type Fault = (usize, String);

impl<'a> Reader<'a> {
    /// Reads the bytes of a file.
    pub fn new(bytes: &'a [u8]) -> Self {
        let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        Reader { bytes, at: 0, lines: 0, games: 0 }
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn rest(&self) -> &'a [u8] {
        &self.bytes[self.at..]
    }

    fn fault<T>(&self, what: impl Into<String>) -> Result<T, Fault> {
        Err((self.lines, what.into()))
    }

    fn at_line_start(&self) -> bool {
        self.at == 0 || self.bytes[self.at - 1] == b'\n'
    }

    /// Passes white space and escaped lines; gives the byte after them.
    fn skip_blank(&mut self) -> Option<u8> {
        loop {
            match self.peek()? {
                b'\n' => self.lines += 1,
                b' ' | b'\t' | b'\r' | b'\x0b' | b'\x0c' => {}
                b'%' if self.at_line_start() => {
                    self.at += length_before(self.rest(), b'\n');
                    continue;
                }
                byte => return Some(byte),
            }
            self.at += 1;
        }
    }

    fn read_record(&mut self) -> Result<Record, Fault> {
        let mut record = Record { number: self.games, ..Record::default() };
        while self.skip_blank() == Some(b'[') {
            if record.tags.len() == MAX_TAGS {
                return self.fault(format!("more than {MAX_TAGS} tags"));
            }
            let tag = self.read_tag()?;
            record.tags.push(tag);
        }
        let end = Movetext::new(self).read()?;
        record.line = end.0;
        record.result = end.1.unwrap_or_else(|| {
            let tag = record.tag("Result").unwrap_or("");
            read_result(tag.as_bytes()).map_or(GameResult::Unknown, |(result, _)| result)
        });
        Ok(record)
    }

    /// `[Name "value"]`, the reader standing on the bracket.
    fn read_tag(&mut self) -> Result<(String, String), Fault> {
        self.at += 1;
        self.skip_blank();
        let rest = self.rest();
        let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
        let len = rest.iter().take_while(|byte| is_name(byte)).count();
        if len == 0 || len > MAX_TEXT {
            return self.fault("a tag begins with its name: [Name \"value\"]");
        }
        let name = text_of(&rest[..len]);
        self.at += len;
        if self.skip_blank() != Some(b'"') {
            return self.fault(format!("the value of tag {name} is not in quotation marks"));
        }
        self.at += 1;
        let value = self.read_tag_value(&name)?;
        if self.skip_blank() != Some(b']') {
            return self.fault(format!("tag {name} is not closed by ]"));
        }
        self.at += 1;
        Ok((name, value))
    }

    /// Up to the closing quotation mark; `\"` and `\\` stand for the second character.
    fn read_tag_value(&mut self, name: &str) -> Result<String, Fault> {
        let rest = self.rest();
        let is_special = |byte: &u8| matches!(byte, b'"' | b'\\' | b'\n');
        let plain = rest.iter().position(is_special).unwrap_or(rest.len());
        let mut value = rest[..plain].to_vec();
        let mut at = plain;
        loop {
            match rest.get(at) {
                Some(b'"') => break,
                None | Some(b'\n') => {
                    return self.fault(format!("the value of tag {name} does not end on its line"));
                }
                Some(b'\\') if matches!(rest.get(at + 1), Some(b'"' | b'\\')) => {
                    value.push(rest[at + 1]);
                    at += 2;
                }
                Some(&byte) => {
                    value.push(byte);
                    at += 1;
                }
            }
        }
        if value.len() > MAX_TEXT {
            return self.fault(format!("the value of tag {name} is longer than {MAX_TEXT} bytes"));
        }
        self.at += at + 1;
        Ok(text_of(&value).replace('\r', " "))
    }

    /// Moves on to where the next game seems to begin: a tag section's first line.
    fn skip_to_next_game(&mut self) {
        let mut after_blank = false;
        while self.at < self.bytes.len() {
            let line = self.rest();
            let is_tag = self.at_line_start()
                && line[0] == b'['
                && line.get(1).is_some_and(u8::is_ascii_alphabetic);
            if is_tag && (after_blank || line.starts_with(b"[Event ")) {
                return;
            }
            let len = length_before(line, b'\n');
            after_blank = line[..len].iter().all(u8::is_ascii_whitespace);
            self.at = (self.at + len + 1).min(self.bytes.len());
            self.lines += 1;
        }
    }
}

impl Iterator for Reader<'_> {
    type Item = Result<Record, PgnError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.skip_blank()?;
        self.games += 1;
        let start = self.at;
        Some(self.read_record().map_err(|(line, what)| {
            if self.at == start {
                self.at += 1;
            }
            self.skip_to_next_game();
            PgnError { game: self.games, line: line + 1, what }
        }))
    }
}

/// The moves of one game being read: the open lines, the game's own at the bottom.
struct Movetext<'r, 'a> {
    reader: &'r mut Reader<'a>,
    line: Line,
    /// The lines around `line`, and where `line` was opened.
    outer: Vec<(Line, usize)>,
    moves: usize,
}

impl<'r, 'a> Movetext<'r, 'a> {
    fn new(reader: &'r mut Reader<'a>) -> Self {
        Movetext { reader, line: Line::default(), outer: Vec::new(), moves: 0 }
    }

    /// Reads up to the result, or to where the game ends without one.
    fn read(mut self) -> Result<(Line, Option<GameResult>), Fault> {
        let mut result = None;
        while let Some(byte) = self.reader.skip_blank() {
            match byte {
                b'[' if self.reader.at_line_start() => break,
                b'{' => self.read_comment()?,
                b';' => self.read_line_comment()?,
                b'(' => self.open()?,
                b')' => self.close()?,
                b'$' => self.read_nag()?,
                b'!' | b'?' => self.read_glyph()?,
                b'.' => self.reader.at += 1,
                b'*' | b'0'..=b'9' => {
                    let Some((end, len)) = read_result(self.reader.rest()) else {
                        self.read_number_or_castling()?;
                        continue;
                    };
                    self.reader.at += len;
                    // Some programs close variations with a result, too.
                    if self.outer.is_empty() {
                        result = Some(end);
                        break;
                    }
                }
                _ => self.read_move()?,
            }
        }
        if let Some((_, opened)) = self.outer.last() {
            return Err((*opened, "this variation is never closed".into()));
        }
        Ok((self.line, result))
    }

    fn read_number_or_castling(&mut self) -> Result<(), Fault> {
        let rest = self.reader.rest();
        if rest.starts_with(b"0-0") {
            return self.read_move();
        }
        self.reader.at += rest.iter().take_while(|b| b.is_ascii_digit()).count();
        Ok(())
    }

    fn read_move(&mut self) -> Result<(), Fault> {
        let rest = self.reader.rest();
        let read = San::read(rest).filter(|&(_, len)| {
            rest.get(len).is_none_or(|b| b.is_ascii_whitespace() || b"!?;{}()$.*[%".contains(b))
        });
        let Some((san, len)) = read else {
            let len = rest.iter().take(12).take_while(|b| !b.is_ascii_whitespace()).count();
            return self.reader.fault(format!("{} is no move", text_of(&rest[..len])));
        };
        self.moves += 1;
        if self.moves > MAX_MOVES {
            return self.reader.fault(format!("more than {MAX_MOVES} moves in one game"));
        }
        self.reader.at += len;
        self.line.moves.push(Node { source_line: self.reader.lines + 1, ..Node::new(san) });
        Ok(())
    }

    fn read_comment(&mut self) -> Result<(), Fault> {
        let inside = &self.reader.rest()[1..];
        let len = length_before(inside, b'}');
        if len == inside.len() {
            return self.reader.fault("this comment is never closed");
        }
        self.add_comment(&inside[..len])?;
        self.reader.lines += inside[..len].iter().filter(|&&b| b == b'\n').count();
        self.reader.at += 1 + len + 1;
        Ok(())
    }

    fn read_line_comment(&mut self) -> Result<(), Fault> {
        let inside = &self.reader.rest()[1..];
        let len = length_before(inside, b'\n');
        self.add_comment(&inside[..len])?;
        self.reader.at += 1 + len;
        Ok(())
    }

    fn add_comment(&mut self, bytes: &[u8]) -> Result<(), Fault> {
        if bytes.len() > MAX_TEXT {
            return self.reader.fault(format!("a comment is longer than {MAX_TEXT} bytes"));
        }
        let comment = comment_of(bytes);
        if !comment.is_empty() {
            match self.line.moves.last_mut() {
                Some(node) => node.comments.push(comment),
                None => self.line.comments.push(comment),
            }
        }
        Ok(())
    }

    fn open(&mut self) -> Result<(), Fault> {
        if self.line.moves.is_empty() {
            return self.reader.fault("a variation stands before any move");
        }
        if self.outer.len() == MAX_DEPTH {
            return self.reader.fault(format!("variations are nested deeper than {MAX_DEPTH}"));
        }
        self.reader.at += 1;
        self.outer.push((std::mem::take(&mut self.line), self.reader.lines));
        Ok(())
    }

    fn close(&mut self) -> Result<(), Fault> {
        let Some((outer, _)) = self.outer.pop() else {
            return self.reader.fault("a variation is closed that was not opened");
        };
        self.reader.at += 1;
        let inner = std::mem::replace(&mut self.line, outer);
        if let Some(node) = self.line.moves.last_mut() {
            node.variations.push(inner);
        }
        Ok(())
    }

    fn read_nag(&mut self) -> Result<(), Fault> {
        let digits = &self.reader.rest()[1..];
        let len = digits.iter().take_while(|b| b.is_ascii_digit()).count();
        let nag = std::str::from_utf8(&digits[..len]).ok().and_then(|text| text.parse().ok());
        let Some(nag) = nag else {
            return self.reader.fault("after $ stands a number from 0 to 255");
        };
        self.add_nag(nag, 1 + len)
    }

    /// `!`, `?`, `!!`, `??`, `!?` and `?!` are the annotations 1 to 6.
    fn read_glyph(&mut self) -> Result<(), Fault> {
        let (nag, len) = match *self.reader.rest() {
            [b'!', b'!', ..] => (3, 2),
            [b'?', b'?', ..] => (4, 2),
            [b'!', b'?', ..] => (5, 2),
            [b'?', b'!', ..] => (6, 2),
            [b'!', ..] => (1, 1),
            _ => (2, 1),
        };
        self.add_nag(nag, len)
    }

    fn add_nag(&mut self, nag: u8, len: usize) -> Result<(), Fault> {
        let Some(node) = self.line.moves.last_mut() else {
            return self.reader.fault("an annotation stands before any move");
        };
        node.nags.push(nag);
        self.reader.at += len;
        Ok(())
    }
}

/// A result at the start of `bytes`, and its length.
fn read_result(bytes: &[u8]) -> Option<(GameResult, usize)> {
    let all = [
        (&b"1-0"[..], GameResult::Win(Side::First)),
        (b"0-1", GameResult::Win(Side::Second)),
        (b"1/2-1/2", GameResult::Draw),
        (b"1/2", GameResult::Draw),
        (b"*", GameResult::Unknown),
    ];
    let found = all.into_iter().find(|(text, _)| bytes.starts_with(text))?;
    Some((found.1, found.0.len()))
}

fn length_before(bytes: &[u8], end: u8) -> usize {
    bytes.iter().position(|&byte| byte == end).unwrap_or(bytes.len())
}

/// UTF-8, or Latin-1, where every byte is the character of that number.
fn text_of(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => bytes.iter().map(|&byte| char::from(byte)).collect(),
    }
}

/// The text of a comment. Lines may have been broken anywhere, so an end of line is a space.
fn comment_of(bytes: &[u8]) -> String {
    let text = text_of(bytes);
    let trimmed = text.trim();
    if !trimmed.contains(['\n', '\r']) && trimmed.len() == text.len() {
        return text;
    }
    trimmed.replace("\r\n", " ").replace(['\n', '\r'], " ")
}
