//! The three forms of output behind one interface.

use std::io::{self, IsTerminal};
use std::time::Duration;

use super::json::Json;
use super::model::{Answer, Change, Model};
use super::plain::Plain;
use super::screen::Screen;
use crate::args::analyse::Analyse;

/// Tells a person or a script what goes on.
pub(super) trait Show {
    /// How often the tree is to be looked at; never if nobody is shown it.
    fn looks_every(&self) -> Option<Duration>;

    /// Before anything happens.
    fn begin(&mut self, model: &Model) -> io::Result<()>;

    /// Something happened; the model knows of it already.
    fn change(&mut self, model: &Model, change: &Change) -> io::Result<()>;

    /// Time has passed, the tree was looked at.
    fn tick(&mut self, model: &Model) -> io::Result<()>;

    /// The end.
    fn answer(&mut self, model: &Model, answer: &Answer) -> io::Result<()>;

    /// The end without an answer; the reason is told on standard error besides.
    fn fail(&mut self, model: &Model, reason: &str) -> io::Result<()>;
}

/// The form that was asked for, or that suits where standard output leads.
pub(super) fn choose(args: &Analyse) -> Box<dyn Show> {
    if args.json {
        return Box::new(Json::new(io::stdout()));
    }
    let dumb = std::env::var("TERM").is_ok_and(|term| term == "dumb");
    if io::stdout().is_terminal() && !dumb {
        Box::new(Screen::new(io::stdout()))
    } else {
        Box::new(Plain::new(io::stdout()))
    }
}
