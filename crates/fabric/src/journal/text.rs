//! A record as text: JSON, with positions and moves as the protocols write them, so that what
//! is read back is checked by the rules.

use std::time::Duration;

use senbon_core::{Bound, Known, Memory, Opinion, Place, Score};
use senbon_games::Notation;
use serde_json::{Map, Value, json};

/// A text longer than this is no record of ours.
const LONGEST: usize = 64 << 20;
/// Written into every record; another number is another form.
const VERSION: u64 = 1;

/// What was known at one position.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Record {
    game: String,
    start: String,
    pub(super) moves: Vec<String>,
    pipelines: Vec<Vec<Value>>,
}

impl Record {
    pub(super) fn of<G: Notation>(memory: &Memory<G>) -> Self {
        let place = &memory.place;
        let node = |known: &Known<G::Move>| {
            let mut position = place.position().clone();
            let way = position.format_line(&known.way);
            for &mv in &known.way {
                position.play(mv);
            }
            let told = known.opinion.as_ref();
            json!({ "way": way, "told": told.map(|told| opinion(&position, told)) })
        };
        let nodes = |all: &Vec<Known<G::Move>>| all.iter().map(node).collect();
        Record {
            game: G::NAME.to_owned(),
            start: place.start().format_position(),
            moves: place.start().format_line(place.moves()),
            pipelines: memory.pipelines.iter().map(nodes).collect(),
        }
    }

    pub(super) fn text(&self) -> String {
        json!({
            "version": VERSION, "game": self.game, "start": self.start, "moves": self.moves,
            "pipelines": self.pipelines,
        })
        .to_string()
    }

    pub(super) fn parse(text: &str) -> Option<Record> {
        let value: Value = (text.len() <= LONGEST).then(|| serde_json::from_str(text).ok())??;
        let word = |key: &str| Some(value.get(key)?.as_str()?.to_owned());
        let pipeline = |nodes: &Value| nodes.as_array().cloned();
        (value.get("version")?.as_u64()? == VERSION).then_some(())?;
        Some(Record {
            game: word("game")?,
            start: word("start")?,
            moves: words(value.get("moves")?)?,
            pipelines: value
                .get("pipelines")?
                .as_array()?
                .iter()
                .map(pipeline)
                .collect::<Option<_>>()?,
        })
    }

    /// Whether this is a position of that game, or one on the way to it.
    pub(super) fn is_before(&self, game: &str, start: &str, moves: &[String]) -> bool {
        self.game == game && self.start == start && moves.starts_with(&self.moves)
    }

    /// What it says, as far as it is legal.
    pub(super) fn memory<G: Notation>(&self, start: &G) -> Option<Memory<G>> {
        let mut place = Place::new(start.clone());
        for text in &self.moves {
            let mv = place.position().parse_move(text).ok()?;
            place.play(mv);
        }
        let known = |nodes: &Vec<Value>| {
            nodes.iter().filter_map(|node| read_known(place.position(), node)).collect()
        };
        let pipelines = self.pipelines.iter().map(known).collect();
        Some(Memory { place, pipelines })
    }
}

fn words(value: &Value) -> Option<Vec<String>> {
    value.as_array()?.iter().map(|word| Some(word.as_str()?.to_owned())).collect()
}

/// The moves of a line as far as they can be played, and where they lead.
fn read_line<G: Notation>(position: &G, line: &Value) -> Option<(Vec<G::Move>, G, bool)> {
    let mut position = position.clone();
    let mut moves = Vec::new();
    for text in words(line)? {
        let Ok(mv) = position.parse_move(&text) else { return Some((moves, position, false)) };
        position.play(mv);
        moves.push(mv);
    }
    Some((moves, position, true))
}

fn read_known<G: Notation>(root: &G, node: &Value) -> Option<Known<G::Move>> {
    let (way, position, whole) = read_line(root, node.get("way")?)?;
    whole.then_some(())?;
    let told = node.get("told")?.as_object();
    let opinion = told.and_then(|told| read_opinion(&position, told));
    Some(Known { way, opinion })
}

fn opinion<G: Notation>(position: &G, told: &Opinion<G::Move>) -> Value {
    let (kind, number) = match told.score {
        Score::Centipawns(value) => ("cp", i64::from(value)),
        Score::Mates(plies) => ("mates", i64::from(plies)),
        Score::Mated(plies) => ("mated", i64::from(plies)),
    };
    json!({
        "score": [kind, number], "depth": told.depth, "seldepth": told.seldepth,
        "nodes": told.nodes, "ms": told.time.as_millis() as u64,
        "line": position.format_line(&told.line),
    })
}

fn read_opinion<G: Notation>(position: &G, told: &Map<String, Value>) -> Option<Opinion<G::Move>> {
    let number = |key: &str| told.get(key)?.as_u64();
    let small = |key: &str| u32::try_from(number(key)?).ok();
    let score = told.get("score")?.as_array()?;
    let value = score.get(1)?.as_i64()?;
    let score = match score.first()?.as_str()? {
        "cp" => Score::Centipawns(i32::try_from(value).ok()?),
        "mates" => Score::Mates(u32::try_from(value).ok()?),
        "mated" => Score::Mated(u32::try_from(value).ok()?),
        _ => return None,
    };
    let (line, ..) = read_line(position, told.get("line")?)?;
    Some(Opinion {
        bound: Bound::Exact,
        seldepth: small("seldepth")?,
        nodes: number("nodes")?,
        time: Duration::from_millis(number("ms")?),
        ..Opinion::new(score, small("depth")?, line)
    })
}
