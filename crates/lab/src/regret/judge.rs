//! What moves are worth by a deep reference search, and the file where that is kept.
//!
//! Every value is of a search of its own on an empty table, so it depends on nothing else and
//! any run may use it.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result, bail};
use senbon_games::Rng;
use senbon_search::{Free, Request, Searcher, Signals, Table, is_forced};
use serde_json::{Value, json};

use crate::matches::{Journal, MatchGame};

/// What a forced win counts as, in centipawns. Far beyond any other value, so that a win
/// missed costs the most that a move can cost.
const FORCED: i32 = 10_000;

/// The most that a move can cost.
pub const CAP: i32 = 1_000;

/// The best move of a position, by its own search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Best {
    pub(super) mv: String,
    pub(super) value: i32,
}

/// What the chosen move costs: values of the best and of the chosen one, both of the side to
/// move.
pub(super) fn regret(best: i32, chosen: i32) -> i32 {
    best.saturating_sub(chosen).clamp(0, CAP)
}

/// The best move and the value of `position` to its side to move, after `nodes` nodes.
fn search<G: MatchGame>(position: &G, nodes: u64) -> (Option<G::Move>, i32) {
    if let Some(outcome) = position.outcome() {
        return (None, FORCED * outcome.sign_for(position.side_to_move()));
    }
    // Room for every node.
    let bytes = nodes.saturating_mul(16).clamp(1 << 16, 1 << 28) as usize;
    let mut searcher = Searcher::new(G::Judge::default(), Table::with_bytes(bytes).into());
    let request = Request { nodes: Some(nodes), ..Request::default() };
    let found = searcher.search(position, &request, &Signals::default(), &mut Free, |_| {});
    let value = found.value().unwrap_or_default();
    let value = if is_forced(value) { FORCED * value.signum() } else { value };
    (found.best(), value.clamp(-FORCED, FORCED))
}

/// The best move of a position that is not over.
pub(super) fn best<G: MatchGame>(position: &G, nodes: u64) -> Result<Best> {
    let (mv, value) = search(position, nodes);
    let mv = mv.with_context(|| format!("no move in {}", position.format_position()))?;
    Ok(Best { mv: position.format_move(mv), value })
}

/// What a move is worth to the side that makes it: a search of the position after it.
pub(super) fn value_of<G: MatchGame>(position: &G, text: &str, nodes: u64) -> Result<i32> {
    let mv = position.parse_move(text);
    let mv = mv.with_context(|| format!("move {text} in {}", position.format_position()))?;
    let mut after = position.clone();
    after.play(mv);
    Ok(-search(&after, nodes).1)
}

/// A number that changes when the search or its evaluation does: what it says of a few
/// positions. So values of another program are never taken for those of this one.
fn signature<G: MatchGame>() -> String {
    const NODES: u64 = 2_000;
    let mut hash = 0xcbf2_9ce4_8422_2325u64;
    for plies in [0, 8, 20, 40] {
        let mut position = G::start();
        for mv in Rng::new(plies).line(&position, position.moves(), plies as usize) {
            position.play(mv);
        }
        let (mv, value) = search(&position, NODES);
        for word in [u64::from(mv.map_or(0, G::code)), u64::from(value.cast_unsigned())] {
            hash = (hash ^ word).wrapping_mul(0x0100_0000_01b3).rotate_left(23);
        }
    }
    format!("{hash:016x}")
}

/// The file of references.
pub(super) struct References {
    journal: Journal,
    nodes: u64,
    engine: String,
    best: BTreeMap<String, Best>,
    values: BTreeMap<(String, String), i32>,
}

impl References {
    /// Opens or begins the file; of what is in it, that by this search and so many nodes
    /// counts.
    pub(super) fn open<G: MatchGame>(path: &Path, nodes: u64) -> Result<Self> {
        let head = json!({ "regret-references": 1, "game": G::NAME });
        let (journal, rows) = Journal::open(path, &head)?;
        let (engine, best, values) = (signature::<G>(), BTreeMap::new(), BTreeMap::new());
        let mut references = References { journal, nodes, engine, best, values };
        for (index, row) in rows.iter().enumerate() {
            if references.learn(row).is_none() {
                bail!("{}, line {}: this is no reference: {row}", path.display(), index + 2);
            }
        }
        Ok(references)
    }

    fn learn(&mut self, row: &Value) -> Option<()> {
        let text = |name: &str| row[name].as_str().map(str::to_owned);
        let (position, mv) = (text("position")?, text("move")?);
        let value = i32::try_from(row["value"].as_i64()?).ok()?;
        let (nodes, engine) = (row["nodes"].as_u64()?, text("engine")?);
        if nodes == self.nodes && engine == self.engine {
            match row["of"].as_str()? {
                "position" => drop(self.best.insert(position, Best { mv, value })),
                _ => drop(self.values.insert((position, mv), value)),
            }
        }
        Some(())
    }

    /// Which search speaks.
    pub(super) fn engine(&self) -> &str {
        &self.engine
    }

    /// Adds what was found of positions: their names and their best moves.
    pub(super) fn add_best(&mut self, found: Vec<(String, String, Best)>) -> Result<()> {
        let row = |(name, written, best): &(String, String, Best)| {
            json!({ "of": "position", "position": name, "written": written, "move": best.mv,
                    "value": best.value, "nodes": self.nodes, "engine": self.engine })
        };
        let rows: Vec<_> = found.iter().map(row).collect();
        self.journal.write_all(&rows)?;
        self.best.extend(found.into_iter().map(|(name, _, best)| (name, best)));
        Ok(())
    }

    /// Adds what was found of moves: position, move and value.
    pub(super) fn add_values(&mut self, found: Vec<((String, String), i32)>) -> Result<()> {
        let row = |((position, mv), value): &((String, String), i32)| {
            json!({ "of": "move", "position": position, "move": mv, "value": value,
                    "nodes": self.nodes, "engine": self.engine })
        };
        let rows: Vec<_> = found.iter().map(row).collect();
        self.journal.write_all(&rows)?;
        self.values.extend(found);
        Ok(())
    }

    /// The best move of a position, if known.
    pub(super) fn best(&self, position: &str) -> Option<&Best> {
        self.best.get(position)
    }

    /// What a move is worth, if known.
    pub(super) fn value(&self, position: &str, mv: &str) -> Option<i32> {
        self.values.get(&(position.to_owned(), mv.to_owned())).copied()
    }
}

#[cfg(test)]
mod tests {
    use senbon_games::Notation;
    use senbon_games::chess::Chess;

    use super::*;

    #[test]
    fn a_move_costs_from_nothing_to_the_cap() {
        assert_eq!(regret(35, 10), 25);
        assert_eq!(regret(10, 35), 0, "better than the reference thought");
        assert_eq!(regret(700, -700), CAP);
        assert_eq!(regret(FORCED, 300), CAP, "a win missed");
        assert_eq!(regret(-20, -FORCED), CAP, "a loss walked into");
        assert_eq!(regret(FORCED, FORCED), 0, "a longer way to mate");
    }

    #[test]
    fn mates_and_draws_are_seen() {
        let position = Chess::parse_position("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1").unwrap();
        let best = best(&position, 3_000).unwrap();
        assert_eq!(best, Best { mv: "a1a8".to_owned(), value: FORCED });
        assert_eq!(value_of(&position, "a1a8", 1).unwrap(), FORCED);
        assert!(value_of(&position, "g2g3", 3_000).unwrap() < FORCED);
        let bare = Chess::parse_position("8/8/8/8/8/k7/r7/K7 w - - 0 1").unwrap();
        assert_eq!(value_of(&bare, "a1a2", 100).err().map(|_| ()), Some(()), "illegal");
        let take = Chess::parse_position("8/8/8/8/7k/8/r7/K7 w - - 0 1").unwrap();
        assert_eq!(value_of(&take, "a1a2", 100).unwrap(), 0, "two kings");
    }

    #[test]
    fn references_are_kept_and_those_of_others_left_alone() {
        let path = std::env::temp_dir().join(format!("senbon-references-{}", std::process::id()));
        let _ = std::fs::remove_file(&path);
        let mut references = References::open::<Chess>(&path, 500).unwrap();
        let best = Best { mv: "e2e4".to_owned(), value: 20 };
        references.add_best(vec![("a".to_owned(), "startpos".to_owned(), best.clone())]).unwrap();
        let key = ("a".to_owned(), "d2d4".to_owned());
        references.add_values(vec![(key, 15)]).unwrap();
        drop(references);
        let again = References::open::<Chess>(&path, 500).unwrap();
        assert_eq!(again.best("a"), Some(&best));
        assert_eq!((again.value("a", "d2d4"), again.value("a", "e2e4")), (Some(15), None));
        drop(again);
        let deeper = References::open::<Chess>(&path, 501).unwrap();
        assert_eq!((deeper.best("a"), deeper.value("a", "d2d4")), (None, None));
        drop(deeper);
        let text =
            std::fs::read_to_string(&path).unwrap().replace("\"value\":15", "\"value\":\"x\"");
        std::fs::write(&path, text).unwrap();
        let error = References::open::<Chess>(&path, 500).err().unwrap().to_string();
        assert!(error.contains("line 3: this is no reference"), "{error}");
        std::fs::remove_file(&path).unwrap();
    }
}
