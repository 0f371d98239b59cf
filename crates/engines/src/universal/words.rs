//! Lines as words, and words as lines.

use std::fmt::{Display, Write};

/// What stands between words. Control characters mean nothing in either protocol.
fn is_blank(c: char) -> bool {
    c == ' ' || c.is_control()
}

/// The words of a line, between blanks.
#[derive(Clone, Debug)]
pub(super) struct Words<'a> {
    rest: &'a str,
}

impl<'a> Words<'a> {
    pub(super) fn new(line: &'a str) -> Self {
        Words { rest: line.trim_matches(is_blank) }
    }

    /// Everything not yet taken, as it was written.
    pub(super) fn rest(&self) -> &'a str {
        self.rest
    }

    pub(super) fn peek(&self) -> Option<&'a str> {
        self.clone().next()
    }

    /// Takes words up to the first that `ends` says belongs to something else.
    pub(super) fn take_until(&mut self, ends: impl Fn(&str) -> bool) -> Vec<&'a str> {
        let mut taken = Vec::new();
        while let Some(word) = self.peek().filter(|word| !ends(word)) {
            taken.push(word);
            self.next();
        }
        taken
    }

    /// Takes the next word if it can be read as a `T`; leaves it otherwise.
    pub(super) fn take_parsed<T: std::str::FromStr>(&mut self) -> Option<T> {
        let value = self.peek()?.parse().ok()?;
        self.next();
        Some(value)
    }
}

impl<'a> Iterator for Words<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        if self.rest.is_empty() {
            return None;
        }
        let end = self.rest.find(is_blank).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest.trim_start_matches(is_blank);
        Some(word)
    }
}

/// Owned copies.
pub(super) fn owned(words: &[&str]) -> Vec<String> {
    words.iter().map(|&word| word.to_owned()).collect()
}

/// `text` in one line, whatever it holds: a line end inside would be read as a new command.
pub(super) fn one_line(text: &str) -> String {
    text.trim_matches(is_blank).chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// Appends ` name value`.
pub(super) fn push_field(line: &mut String, name: &str, value: impl Display) {
    // Writing to a string cannot fail.
    let _ = write!(line, " {name} {value}");
}

/// Appends ` name value` if there is a value.
pub(super) fn push_some(line: &mut String, name: &str, value: Option<impl Display>) {
    if let Some(value) = value {
        push_field(line, name, value);
    }
}

/// Appends each word after a blank.
pub(super) fn push_words(line: &mut String, words: &[String]) {
    for word in words {
        line.push(' ');
        line.push_str(&one_line(word));
    }
}
