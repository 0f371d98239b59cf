//! Reading the file: what may stand in it, and errors that point at the line.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::ops::Range;
use std::path::Path;
use std::str::FromStr;

use senbon_core::pipeline::Strategy;
use senbon_core::vote::Weight;
use serde::Deserialize;
use toml::Spanned;

use super::{Composition, Hands, Member, Searcher};
use crate::process::EngineLine;

/// A file larger than this is no composition.
const LARGEST: u64 = 256 * 1024;
/// Workers on one machine.
const MOST_WORKERS: usize = 4096;
/// Votes within votes.
const DEEPEST: usize = 8;

/// What is wrong with a composition, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ComposeError(String);

impl ComposeError {
    pub(super) fn no_voter(name: &str, voters: &[&str]) -> Self {
        ComposeError(match voters {
            [] => format!("there is no voter '{name}': this is no vote"),
            voters => format!("there is no voter '{name}'; there are {}", voters.join(", ")),
        })
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawFile {
    log: Option<String>,
    ponder: Option<bool>,
    searcher: Spanned<Raw>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Raw {
    kind: Option<Spanned<String>>,
    name: Option<Spanned<String>>,
    weight: Option<Spanned<f64>>,
    nodes: Option<Spanned<u64>>,
    depth: Option<Spanned<u32>>,
    strategy: Option<Spanned<String>>,
    engine: Option<Spanned<String>>,
    engines: Option<Vec<Spanned<String>>>,
    workers: Option<Spanned<usize>>,
    hash: Option<Spanned<usize>>,
    threads: Option<Spanned<usize>>,
    #[serde(default)]
    options: BTreeMap<String, RawOption>,
    remote: Option<String>,
    #[serde(default)]
    member: Vec<Spanned<Raw>>,
}

/// What an engine's option may be set to.
#[derive(Deserialize)]
#[serde(untagged)]
enum RawOption {
    Number(i64),
    Switch(bool),
    Text(String),
}

impl Composition {
    /// Reads the file at `path`.
    #[allow(clippy::disallowed_methods, reason = "only this reads a file; the rest reads text")]
    pub fn read(path: &Path) -> Result<Composition, ComposeError> {
        let shown = path.display();
        let mut text = String::new();
        File::open(path)
            .and_then(|file| file.take(LARGEST + 1).read_to_string(&mut text))
            .map_err(|error| ComposeError(format!("cannot read {shown}: {error}")))?;
        if text.len() as u64 > LARGEST {
            let most = LARGEST / 1024;
            return Err(ComposeError(format!("{shown} is longer than {most} KiB")));
        }
        text.parse().map_err(|ComposeError(why)| ComposeError(format!("{shown}, {why}")))
    }
}

impl FromStr for Composition {
    type Err = ComposeError;

    fn from_str(text: &str) -> Result<Self, ComposeError> {
        let raw: RawFile = toml::from_str(text).map_err(|error| {
            let at = error.span().unwrap_or_default();
            complain(text, &at, error.message())
        })?;
        let reader = Reader { text };
        let searcher = reader.searcher(&raw.searcher, 0)?;
        if searcher.workers() > MOST_WORKERS {
            let why = format!("more than {MOST_WORKERS} workers on one machine");
            return Err(complain(text, &raw.searcher.span(), &why));
        }
        if searcher.workers() == 0 && !searcher.takes_others() {
            let why = "nobody to search: no engine on this machine, and no `remote`";
            return Err(complain(text, &raw.searcher.span(), why));
        }
        let log = raw.log.map(Into::into);
        Ok(Composition { log, ponder: raw.ponder, searcher })
    }
}

/// The error, with the line that it points at.
fn complain(text: &str, at: &Range<usize>, why: &str) -> ComposeError {
    let start = text.floor_char_boundary(at.start);
    let line = text[..start].matches('\n').count() + 1;
    let shown: String =
        text.lines().nth(line - 1).unwrap_or_default().trim().chars().take(60).collect();
    let shown = if shown.is_empty() { String::new() } else { format!(" (`{shown}`)") };
    ComposeError(format!("line {line}{shown}: {why}"))
}

struct Reader<'a> {
    text: &'a str,
}

impl Reader<'_> {
    fn fail<T>(&self, at: &Range<usize>, why: &str) -> Result<T, ComposeError> {
        Err(complain(self.text, at, why))
    }

    fn searcher(&self, raw: &Spanned<Raw>, level: usize) -> Result<Searcher, ComposeError> {
        let (at, raw) = (raw.span(), raw.get_ref());
        let named = raw.kind.as_ref().map(|kind| kind.get_ref().as_str());
        let usual = match (raw.member.is_empty(), &raw.workers, &raw.strategy) {
            (false, ..) => "vote",
            (true, None, None) => "engine",
            _ => "pipeline",
        };
        match named.unwrap_or(usual) {
            "vote" => self.vote(&at, raw, level),
            "engine" => self.engine(&at, raw),
            "pipeline" => self.pipeline(&at, raw),
            other => {
                let at = raw.kind.as_ref().map_or(at, Spanned::span);
                self.fail(&at, &format!("no kind '{other}': engine, pipeline or vote"))
            }
        }
    }

    fn vote(&self, at: &Range<usize>, raw: &Raw, level: usize) -> Result<Searcher, ComposeError> {
        let text = |field: &Option<Spanned<String>>| field.as_ref().map(Spanned::span);
        let number = |field: &Option<Spanned<usize>>| field.as_ref().map(Spanned::span);
        let several = raw.engines.as_ref().and_then(|all| all.first()).map(Spanned::span);
        let own = [text(&raw.engine), several, text(&raw.strategy), number(&raw.workers)];
        let own = own.into_iter().chain([number(&raw.hash), number(&raw.threads)]).flatten().next();
        if let Some(at) = own {
            return self.fail(&at, "a vote has members, and no engine or workers of its own");
        }
        if raw.remote.is_some() || !raw.options.is_empty() {
            return self.fail(at, "`remote` and `options` belong to the members of a vote");
        }
        if raw.member.is_empty() {
            return self.fail(at, "a vote needs members: [[searcher.member]]");
        }
        if level == DEEPEST {
            return self.fail(at, &format!("votes within votes, more than {DEEPEST} deep"));
        }
        let mut members: Vec<Member> = Vec::new();
        for raw in &raw.member {
            let member = self.member(raw, level)?;
            if members.iter().any(|known| known.name == member.name) {
                let at = raw.get_ref().name.as_ref().map_or(raw.span(), Spanned::span);
                return self.fail(&at, &format!("two members have the name '{}'", member.name));
            }
            members.push(member);
        }
        Ok(Searcher::Vote(members))
    }

    fn member(&self, raw: &Spanned<Raw>, level: usize) -> Result<Member, ComposeError> {
        let searcher = self.searcher(raw, level + 1)?;
        let (at, raw) = (raw.span(), raw.get_ref());
        let Some(name) = &raw.name else {
            return self.fail(&at, "a member of a vote needs a name");
        };
        let text = name.get_ref();
        if text.is_empty() || text.len() > 64 || text.contains(|c: char| c.is_control() || c == '/')
        {
            let why = "a name has 1 to 64 bytes, without '/' and control characters";
            return self.fail(&name.span(), why);
        }
        let weight = match &raw.weight {
            None => Weight::ONE,
            Some(weight) => match Weight::new(*weight.get_ref()) {
                Some(weight) => weight,
                None => return self.fail(&weight.span(), "a weight is from 0.001 to 1000"),
            },
        };
        let nodes = self.positive(raw.nodes.as_ref(), "nodes")?;
        let depth = self.positive(raw.depth.as_ref(), "depth")?;
        Ok(Member { name: text.clone(), weight, nodes, depth, searcher })
    }

    fn positive<N: Copy + Default + PartialEq>(
        &self,
        number: Option<&Spanned<N>>,
        what: &str,
    ) -> Result<Option<N>, ComposeError> {
        match number {
            Some(number) if *number.get_ref() == N::default() => {
                self.fail(&number.span(), &format!("{what} of 0 is no search"))
            }
            number => Ok(number.map(|number| *number.get_ref())),
        }
    }

    fn engine(&self, at: &Range<usize>, raw: &Raw) -> Result<Searcher, ComposeError> {
        if let Some(at) = raw.workers.as_ref().map(Spanned::span) {
            return self.fail(&at, "an engine is one worker; kind = \"pipeline\" has several");
        }
        if let Some(several) = &raw.engines {
            let at = several.first().map_or(at.clone(), Spanned::span);
            return self.fail(&at, "one engine is `engine`; kind = \"pipeline\" takes several");
        }
        let mut hands = self.hands(at, raw)?;
        // One that comes from elsewhere, or one started here.
        hands.workers = usize::from(raw.remote.is_none() || raw.engine.is_some());
        Ok(Searcher::Workers { strategy: Strategy::Single, hands })
    }

    fn pipeline(&self, at: &Range<usize>, raw: &Raw) -> Result<Searcher, ComposeError> {
        let strategy = match &raw.strategy {
            None => Strategy::Pipeline,
            Some(name) => match Strategy::from_name(name.get_ref()) {
                Some(strategy) => strategy,
                None => {
                    let all = Strategy::ALL.map(Strategy::name).join(", ");
                    return self.fail(&name.span(), &format!("no such strategy; there are {all}"));
                }
            },
        };
        let mut hands = self.hands(at, raw)?;
        let usual = if raw.remote.is_some() { 0 } else { 2 };
        hands.workers = raw.workers.as_ref().map_or(usual, |workers| *workers.get_ref());
        Ok(Searcher::Workers { strategy, hands })
    }

    fn hands(&self, at: &Range<usize>, raw: &Raw) -> Result<Hands, ComposeError> {
        if !raw.member.is_empty() {
            return self.fail(at, "only a vote has members");
        }
        let lines = raw.engine.iter().chain(raw.engines.iter().flatten());
        let line = |text: &Spanned<String>| {
            let line = text.get_ref().parse::<EngineLine>();
            line.map_err(|error| complain(self.text, &text.span(), &error.to_string()))
        };
        let engines = lines.map(line).collect::<Result<Vec<_>, _>>()?;
        let option = |(name, value): (&String, &RawOption)| {
            let value = match value {
                RawOption::Number(number) => number.to_string(),
                RawOption::Switch(on) => on.to_string(),
                RawOption::Text(text) => text.clone(),
            };
            (name.clone(), value)
        };
        let options: Vec<_> = raw.options.iter().map(option).collect();
        let broken = |text: &str| text.contains(char::is_control);
        if options.iter().any(|(name, value)| broken(name) || broken(value)) {
            return self.fail(at, "an option with control characters");
        }
        let hash = self.positive(raw.hash.as_ref(), "hash")?;
        let threads = self.positive(raw.threads.as_ref(), "threads")?;
        Ok(Hands { engines, workers: 0, hash, threads, options, remote: raw.remote.clone() })
    }
}
