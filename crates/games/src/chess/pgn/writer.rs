//! Writing PGN: export format, lines of at most 80 columns.
//!
//! What is written reads back as the same record. Only a comment with both `}` and more
//! than one line has no exact form in PGN; its braces are written as parentheses.

use std::fmt;

use super::{Line, Node, Record};
use crate::{Game, Side};

const COLUMNS: usize = 80;

impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, value) in &self.tags {
            let value = value.replace('\\', "\\\\").replace('"', "\\\"").replace(['\n', '\r'], " ");
            writeln!(f, "[{name} \"{value}\"]")?;
        }
        if !self.tags.is_empty() {
            writeln!(f)?;
        }
        let mut words = Words::default();
        words.line(&self.line, self.first_ply());
        words.word(self.result.to_string());
        words.write(f)?;
        writeln!(f, "\n")
    }
}

impl Record {
    /// Counts plies from White's first move as 0, so that move numbers come out right.
    fn first_ply(&self) -> usize {
        let Ok(start) = self.start() else { return 0 };
        let number = usize::from(start.board().fullmove_number());
        (number - 1) * 2 + usize::from(start.side_to_move() == Side::Second)
    }
}

/// What stands between spaces or line ends.
struct Word {
    text: String,
    /// A comment up to the end of its line: nothing else may follow there.
    ends_line: bool,
}

#[derive(Default)]
struct Words {
    words: Vec<Word>,
    /// Opening parentheses that stick to the next word.
    open: String,
}

impl Words {
    fn word(&mut self, text: impl Into<String>) {
        let text = std::mem::take(&mut self.open) + &text.into();
        self.words.push(Word { text, ends_line: false });
    }

    fn line(&mut self, line: &Line, first_ply: usize) {
        for comment in &line.comments {
            self.comment(comment);
        }
        let mut say_number = true;
        for (index, node) in line.moves.iter().enumerate() {
            let ply = first_ply + index;
            let number = ply / 2 + 1;
            if ply.is_multiple_of(2) {
                self.word(format!("{number}."));
            } else if say_number {
                self.word(format!("{number}..."));
            }
            self.word(node.san.to_string());
            self.remarks(node, ply);
            say_number = !node.comments.is_empty() || !node.variations.is_empty();
        }
    }

    fn remarks(&mut self, node: &Node, ply: usize) {
        for nag in &node.nags {
            self.word(format!("${nag}"));
        }
        for comment in &node.comments {
            self.comment(comment);
        }
        for variation in &node.variations {
            self.open.push('(');
            self.line(variation, ply);
            self.close();
        }
    }

    /// Puts a closing parenthesis behind the last word, where it can stand there.
    fn close(&mut self) {
        match self.words.last_mut() {
            Some(word) if !word.ends_line && self.open.is_empty() => word.text.push(')'),
            _ => self.word(")"),
        }
    }

    fn comment(&mut self, comment: &str) {
        let text = comment.trim();
        if text.is_empty() {
            return;
        }
        let is_single_line = !text.contains(['\n', '\r']);
        if text.contains('}') && is_single_line {
            self.word(format!(";{text}"));
            if let Some(word) = self.words.last_mut() {
                word.ends_line = true;
            }
            return;
        }
        let text = text.replace("\r\n", " ").replace(['\n', '\r'], " ").replace('}', ")");
        for word in format!("{{{text}}}").split(' ') {
            self.word(word);
        }
    }

    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut column = 0;
        let mut must_break = false;
        for (index, Word { text, ends_line }) in self.words.iter().enumerate() {
            let len = text.chars().count();
            if must_break || (index > 0 && column + 1 + len > COLUMNS) {
                writeln!(f)?;
                column = 0;
            } else if index > 0 {
                write!(f, " ")?;
                column += 1;
            }
            write!(f, "{text}")?;
            column += len;
            must_break = *ends_line;
        }
        Ok(())
    }
}
