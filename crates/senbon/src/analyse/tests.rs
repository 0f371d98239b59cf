//! What the live view shows, as text, in terminals of all sizes.

use std::time::Duration;

use senbon_core::{Limits, Score};
use senbon_fabric::{View, ViewMove, ViewNode, ViewOutline, ViewVoter};

use super::model::{Asked, BestLine, Change, Model, Phase};
use super::picture::{Size, picture};
use super::text::{Style, width};

const PLAIN: Style = Style { colour: false, unicode: true };

fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

fn line(rank: usize, score: i32, moves: &str, readable: &str) -> BestLine {
    BestLine {
        rank,
        score: Score::Centipawns(score),
        depth: 22,
        seldepth: 30,
        nodes: 12_300_000,
        time: Duration::from_millis(5_200),
        moves: words(moves),
        readable: words(readable),
    }
}

fn node(way: &str, readable: &str, worker: u32, score: i32, probability: f64) -> ViewNode {
    ViewNode {
        voter: String::new(),
        way: words(way),
        readable: readable.to_owned(),
        worker: Some(worker),
        engine: Some("Stockfish 15.1".to_owned()),
        depth: 21,
        score: Some(Score::Centipawns(score)),
        probability,
        rest: (18, 20),
    }
}

fn model() -> Model {
    let limits = Limits { move_time: Some(Duration::from_secs(10)), ..Limits::default() };
    let mut model = Model::new(Asked {
        game: "chess",
        side: "White",
        workers: 4,
        strategy: "pipeline".to_owned(),
        limits,
        lines: 1,
        ..Asked::default()
    });
    for worker in 1..=4 {
        model.change(&Change::Joined { worker, engine: "Stockfish 15.1".to_owned() });
    }
    model.phase = Phase::Searching;
    let best = line(1, 34, "e2e4 e7e5 g1f3 b8c6", "e4 e5 Nf3 Nc6");
    model.change(&Change::Line(best));
    model.look(View {
        nodes: vec![
            node("", "", 1, 34, 1.0),
            node("d2d4", "d4", 4, -28, 0.0884),
            node("e2e4", "e4", 2, 34, 0.5472),
            node("e2e4 e7e5", "e5", 3, 34, 0.29),
        ],
        voters: Vec::new(),
        outline: None,
        workers: 4,
        at: Duration::from_secs(6),
        progress: Some((Duration::from_millis(5_200), 12_300_000)),
    });
    model
}

fn shown(model: &Model, columns: usize, rows: usize) -> String {
    picture(model, Size { columns, rows }, PLAIN).join("\n")
}

#[test]
fn a_vote_shows_its_voters() {
    let mut model = model();
    let voter = |name: &str, weight, mv: Option<&str>, present| ViewVoter {
        name: name.to_owned(),
        weight,
        mv: mv.map(str::to_owned),
        readable: mv.unwrap_or_default().to_owned(),
        depth: 9,
        is_final: name == "sure",
        present,
        nps: 12_000,
        ..ViewVoter::default()
    };
    model.view.voters = vec![
        voter("first", 1.5, Some("d4"), true),
        voter("sure", 1.0, Some("e4"), true),
        voter("third", 1.0, Some("e4"), true),
        voter("silent", 1.0, None, true),
        voter("gone", 0.1, None, false),
    ];
    let text = shown(&model, 80, 24);
    let rows: Vec<_> = text.lines().skip_while(|row| !row.starts_with("voter")).collect();
    let names: Vec<_> = rows.iter().filter_map(|row| row.split_whitespace().next()).collect();
    assert_eq!(names[..6], ["voter", "sure", "third", "first", "silent", "gone"], "{text}");
    assert!(rows[1].ends_with("final") && rows[5].ends_with("not there"), "{text}");
    assert!(!text.contains("own moves"), "no tree beside it: {text}");
    for columns in 1..90 {
        let rows = picture(&model, Size { columns, rows: 12 }, PLAIN);
        assert!(rows.len() <= 12 && rows.iter().all(|row| width(row) <= columns));
    }
}

#[test]
fn a_minimal_tree_shows_its_moves() {
    let mut model = model();
    let mv = |mv: &str, value, is_best, tasks| ViewMove {
        mv: mv.to_owned(),
        readable: mv.to_owned(),
        score: Score::Centipawns(value),
        is_best,
        tasks,
    };
    model.view.nodes.clear();
    model.view.outline = Some(ViewOutline {
        plies: 2,
        positions: 12_345,
        tasks: 26,
        moves: vec![mv("e4", 34, true, 20), mv("Nf3", 12, false, 1), mv("d4", -5, false, 5)],
    });
    let text = shown(&model, 60, 16);
    let tail = "\
move        score  tasks
e4          +0.34     20
Nf3      ≤  +0.12      1
d4       ≤  -0.05      5
master's tree: 2 plies, 12.3 k positions, 26 tasks";
    assert!(text.contains(tail), "{text}");
    assert!(!text.contains("own moves"), "no other tree beside it: {text}");
    let text = shown(&model, 60, 8);
    assert!(text.contains("and 2 more") && !text.contains("d4"), "{text}");
    for columns in 1..70 {
        for rows in 1..20 {
            let picture = picture(&model, Size { columns, rows }, PLAIN);
            assert!(picture.len() <= rows && picture.iter().all(|row| width(row) <= columns));
        }
    }
}

#[test]
fn the_usual_terminal() {
    assert_eq!(
        shown(&model(), 79, 23),
        "\
chess · White to move · 4 workers · pipeline
━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━─────────────────────────────  5.2 s of 10 s

+0.34   depth 22   12.3 M nodes   2.37 M/s
e4 e5 Nf3 Nc6

move    worker  depth   score  likely  own moves  engine
root         1     21   +0.34   100 %   18 of 20  Stockfish 15.1
├ e4         2     21   +0.34    55 %   18 of 20  Stockfish 15.1
│ └ e5       3     21   +0.34    29 %   18 of 20  Stockfish 15.1
└ d4         4     21   -0.28   8.8 %   18 of 20  Stockfish 15.1"
    );
}

#[test]
fn a_small_terminal_and_ascii() {
    let ascii = Style { colour: false, unicode: false };
    assert_eq!(
        picture(&model(), Size { columns: 39, rows: 10 }, ascii).join("\n"),
        "\
chess, White to move, 4 workers
############------------  5.2 s of 10 s
+0.34  depth 22  12.3 M nodes  2.37 M/s
e4 e5 Nf3 Nc6
move    worker  depth   score  likely
root         1     21   +0.34   100 %
| e4         2     21   +0.34    55 %
| ` e5       3     21   +0.34    29 %
` d4         4     21   -0.28   8.8 %"
    );
}

#[test]
fn failures_are_told_with_their_reason() {
    let mut model = model();
    let reason = "cannot start x: No such file".to_owned();
    model.change(&Change::Fault { worker: 3, reason });
    let text = shown(&model, 79, 23);
    assert!(text.contains("3 of 4 workers"), "{text}");
    assert!(text.ends_with("\n\nworker 3: cannot start x: No such file"), "{text}");
    model.phase = Phase::Waiting;
    assert!(shown(&model, 79, 23).contains("waiting for a worker"));
}

#[test]
fn workers_without_a_node_are_counted() {
    let mut model = model();
    model.view.workers = 7;
    let text = shown(&model, 79, 23);
    assert!(text.ends_with("\n3 workers without a position of their own"), "{text}");
}

#[test]
fn several_lines_stand_below_each_other() {
    let mut model = model();
    model.asked.lines = 3;
    model.change(&Change::Line(line(2, 30, "d2d4 d7d5", "d4 d5")));
    model.change(&Change::Line(line(3, -5, "c2c4", "c4")));
    let text = shown(&model, 79, 23);
    assert!(
        text.contains(" 1   +0.34  22  e4 e5 Nf3 Nc6\n 2   +0.30  22  d4 d5\n 3   -0.05  22  c4")
    );
    let few = shown(&model, 79, 8);
    assert!(few.contains("    and 1 more"), "{few}");
}

#[test]
fn of_many_workers_the_most_probable_are_shown() {
    let mut model = model();
    let more = (5..=1536).map(|worker| {
        let way = format!("e2e4 m{worker}");
        node(&way, &format!("m{worker}"), worker, 0, 0.25 / f64::from(worker))
    });
    model.view.nodes.extend(more);
    let text = shown(&model, 79, 23);
    assert_eq!(text.lines().count(), 23);
    assert!(text.ends_with("… 1521 more, at most 1.7 % likely"), "{text}");
    // A node is below its parent, the likelier before the less likely.
    let at = |name: &str| text.lines().position(|line| line.contains(name)).unwrap();
    assert!(at("├ e4") < at("├ e5") && at("├ e5") < at("├ m5") && at("├ m5") < at("├ m6"));
    assert!(at("└ m15") < at("└ d4"));
}

#[test]
fn it_never_overflows() {
    let mut model = model();
    let reason = "将棋 \x1b[2J broken\n".repeat(20);
    model.change(&Change::Fault { worker: 1, reason });
    let mut way = "e2e4 e7e5".to_owned();
    for ply in 0..60 {
        way.push_str(" a1a2");
        model.view.nodes.push(node(&way, "Rxa2+", ply + 5, 0, 0.2 / f64::from(ply + 1)));
    }
    model.change(&Change::Line(line(1, 5, &way, &"Rxa2+ ".repeat(70))));
    model.view.workers = 1000;
    for lines in [1, 5] {
        model.asked.lines = lines;
        for columns in 1..140 {
            for rows in [1, 2, 3, 4, 5, 6, 7, 9, 13, 14, 15, 20, 24, 40, 80] {
                let rows_shown = picture(&model, Size { columns, rows }, PLAIN);
                assert!(rows_shown.len() <= rows, "{columns}x{rows}");
                for row in rows_shown {
                    assert!(width(&row) <= columns, "{columns}x{rows}: {row}");
                    assert!(!row.contains(char::is_control), "{columns}x{rows}: {row:?}");
                }
            }
        }
    }
}

#[test]
fn colours_do_not_change_the_text() {
    let colour = Style { colour: true, ..PLAIN };
    let size = Size { columns: 79, rows: 23 };
    let painted = picture(&model(), size, colour).join("\n");
    assert!(painted.contains("\x1b[32m+0.34\x1b[0m"), "{painted:?}");
    let mut bare = String::new();
    for part in painted.split('\x1b') {
        bare.push_str(part.strip_prefix('[').map_or(part, |it| it.split_once('m').unwrap().1));
    }
    assert_eq!(bare, shown(&model(), 79, 23));
}
