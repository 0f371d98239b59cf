//! `--json`: one object a line, as docs/protocol.md describes them.

use std::io::{self, Write};
use std::time::Duration;

use senbon_core::Score;
use senbon_fabric::{ViewMove, ViewNode, ViewOutline, ViewVoter};
use serde_json::{Value, json};

use super::model::{Answer, BestLine, Change, Model};
use super::show::Show;

/// Between two pictures of the tree.
const TREES: Duration = Duration::from_secs(1);

pub(super) struct Json<W: Write> {
    out: W,
    /// The tree last told.
    tree: Vec<ViewNode>,
    /// The votes last told.
    voters: Vec<ViewVoter>,
    /// The minimal-tree search last told.
    outline: Option<ViewOutline>,
}

impl<W: Write> Json<W> {
    pub(super) fn new(out: W) -> Self {
        Json { out, tree: Vec::new(), voters: Vec::new(), outline: None }
    }

    fn say(&mut self, object: &Value) -> io::Result<()> {
        writeln!(self.out, "{object}")?;
        self.out.flush()
    }
}

impl<W: Write> Show for Json<W> {
    fn looks_every(&self) -> Option<Duration> {
        Some(TREES)
    }

    fn begin(&mut self, model: &Model) -> io::Result<()> {
        self.say(&start(model))
    }

    fn change(&mut self, model: &Model, change: &Change) -> io::Result<()> {
        self.say(&changed(model, change))
    }

    fn tick(&mut self, model: &Model) -> io::Result<()> {
        if model.view.voters != self.voters {
            self.voters.clone_from(&model.view.voters);
            self.say(&votes(model))?;
        }
        if model.view.outline != self.outline {
            self.outline.clone_from(&model.view.outline);
            self.outline
                .iter()
                .try_for_each(|tree| writeln!(self.out, "{}", outline(model, tree)))?;
        }
        if model.view.nodes == self.tree {
            return Ok(());
        }
        self.tree.clone_from(&model.view.nodes);
        self.say(&tree(model))
    }

    fn answer(&mut self, model: &Model, answer: &Answer) -> io::Result<()> {
        self.tick(model)?;
        self.say(&best(model, answer))
    }

    fn fail(&mut self, model: &Model, reason: &str) -> io::Result<()> {
        self.say(&json!({ "event": "error", "seconds": seconds(model.time), "reason": reason }))
    }
}

/// Milliseconds are enough.
fn seconds(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e3).round() / 1e3
}

/// Centipawns or moves to the mate, whichever it is; negative for being mated.
fn numbers(score: Option<Score>) -> (Option<i32>, Option<i64>) {
    match score {
        None => (None, None),
        Some(Score::Centipawns(value)) => (Some(value), None),
        Some(Score::Mates(plies)) => (None, Some(i64::from(plies.div_ceil(2)))),
        Some(Score::Mated(plies)) => (None, Some(-i64::from(plies.div_ceil(2)))),
    }
}

fn start(model: &Model) -> Value {
    let asked = &model.asked;
    let limits = &asked.limits;
    json!({
        "event": "start", "game": asked.game, "position": asked.position, "side": asked.side,
        "workers": asked.workers, "engines": asked.engines, "strategy": asked.strategy,
        "multipv": asked.lines,
        "limits": {
            "seconds": limits.move_time.map(seconds), "nodes": limits.nodes,
            "depth": limits.depth, "mate": limits.mate,
        },
    })
}

fn changed(model: &Model, change: &Change) -> Value {
    let now = seconds(model.time);
    match change {
        Change::Joined { worker, engine } => {
            json!({ "event": "joined", "seconds": now, "worker": worker, "engine": engine })
        }
        Change::Fault { worker, reason } => {
            json!({ "event": "fault", "seconds": now, "worker": worker, "reason": reason })
        }
        Change::Complaint { worker, text } => {
            json!({ "event": "complaint", "seconds": now, "worker": worker, "text": text })
        }
        Change::Line(line) => told(line),
    }
}

fn told(line: &BestLine) -> Value {
    let (cp, mate) = numbers(Some(line.score));
    json!({
        "event": "line", "seconds": seconds(line.time), "rank": line.rank,
        "depth": line.depth, "seldepth": line.seldepth, "nodes": line.nodes,
        "score": line.score.to_string(), "cp": cp, "mate": mate,
        "pv": line.moves, "readable": line.readable,
    })
}

fn tree(model: &Model) -> Value {
    let nodes: Vec<Value> = model.view.nodes.iter().map(node).collect();
    json!({
        "event": "tree", "seconds": seconds(model.time), "nodes": model.nodes,
        "nps": model.speed(), "workers": model.view.workers, "positions": nodes,
    })
}

fn outline(model: &Model, tree: &ViewOutline) -> Value {
    let branch = |branch: &ViewMove| {
        let (cp, mate) = numbers(Some(branch.score));
        json!({
            "move": branch.mv, "score": branch.score.to_string(), "cp": cp, "mate": mate,
            "best": branch.is_best, "tasks": branch.tasks,
        })
    };
    let moves: Vec<Value> = tree.moves.iter().map(branch).collect();
    json!({
        "event": "outline", "seconds": seconds(model.time), "nodes": model.nodes,
        "nps": model.speed(), "workers": model.view.workers, "plies": tree.plies,
        "positions": tree.positions, "tasks": tree.tasks, "moves": moves,
    })
}

fn votes(model: &Model) -> Value {
    let voter = |voter: &ViewVoter| {
        let (cp, mate) = numbers(voter.score);
        json!({
            "name": voter.name, "weight": voter.weight, "move": voter.mv, "depth": voter.depth,
            "score": voter.score.map(|score| score.to_string()), "cp": cp, "mate": mate,
            "final": voter.is_final, "present": voter.present, "nodes": voter.nodes,
        })
    };
    let voters: Vec<Value> = model.view.voters.iter().map(voter).collect();
    json!({ "event": "votes", "seconds": seconds(model.time), "voters": voters })
}

fn node(node: &ViewNode) -> Value {
    let (cp, mate) = numbers(node.score);
    json!({
        "voter": (!node.voter.is_empty()).then_some(&node.voter),
        "way": node.way, "worker": node.worker, "engine": node.engine, "depth": node.depth,
        "score": node.score.map(|score| score.to_string()), "cp": cp, "mate": mate,
        "probability": node.probability, "rest": node.rest.0, "legal": node.rest.1,
    })
}

fn best(model: &Model, answer: &Answer) -> Value {
    let line = model.lines.first();
    let score = line.map(|line| line.score);
    let (cp, mate) = numbers(score);
    json!({
        "event": "best", "seconds": seconds(model.time), "move": answer.best,
        "ponder": answer.ponder, "score": score.map(|score| score.to_string()),
        "cp": cp, "mate": mate, "depth": line.map(|line| line.depth),
        "nodes": model.nodes, "nps": model.speed(),
        "pv": line.map_or(&[][..], |line| line.moves.as_slice()),
        "interrupted": answer.interrupted,
    })
}
