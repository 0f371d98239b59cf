//! `senbon analyse` as a process: lines, JSON, signals, wrong input, a terminal.
#![allow(clippy::disallowed_methods, clippy::unwrap_used)]

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Output, Stdio};

use senbon_games::chess::Chess;
use senbon_games::shogi::Shogi;
use senbon_games::{Game, Notation};
use serde_json::Value;

const SENBON: &str = env!("CARGO_BIN_EXE_senbon");

fn senbon(arguments: &[&str]) -> Output {
    let whole: Vec<&str> = ["analyse", "--hash", "4"].iter().chain(arguments).copied().collect();
    Command::new(SENBON).args(whole).stdin(Stdio::null()).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

fn objects(output: &Output) -> Vec<Value> {
    text(&output.stdout).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn last(output: &Output) -> Value {
    objects(output).pop().unwrap()
}

/// A program that plays an engine for a test.
fn script(name: &str, body: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, body).unwrap();
    path
}

#[test]
fn plain_lines_and_the_answer() {
    let output = senbon(&["--nodes", "20000", "--workers", "2", "--moves", "1. e4 e5"]);
    assert_eq!(output.status.code(), Some(0));
    let out = text(&output.stdout);
    let (answer, lines) = out.lines().collect::<Vec<_>>().split_last().map_or_else(
        || panic!("nothing printed"),
        |(answer, lines)| ((*answer).to_owned(), lines.join("\n")),
    );
    assert!(answer.starts_with("best ") && answer.contains(" nodes in "), "{answer}");
    assert!(lines.lines().all(|line| line.contains(" s  depth ")), "{lines}");
    assert!(!out.contains('\x1b'), "no terminal, no escape sequences: {out:?}");
}

#[test]
fn several_lines_in_plain_and_json() {
    let more = ["--multipv", "2", "--depth", "5", "--workers", "2"];
    let out = text(&senbon(&more).stdout);
    assert!(out.contains("\n 1. ") && out.contains("\n 2. "), "{out}");
    let output = senbon(&[&more[..], &["--json", "--game", "shogi"]].concat());
    let ranks: BTreeSet<u64> =
        objects(&output).iter().filter_map(|object| object["rank"].as_u64()).collect();
    assert_eq!(ranks, BTreeSet::from([1, 2]));
    let best = last(&output);
    assert!(Shogi::start().parse_move(best["move"].as_str().unwrap()).is_ok());
}

#[test]
fn a_mate_is_found_and_told_as_such() {
    let position = "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1";
    let output = senbon(&["--json", "--mate", "1", "--time", "300", "--position", position]);
    let best = last(&output);
    assert!(best["seconds"].as_f64().unwrap() < 200.0, "the mate ends the search: {best}");
    assert_eq!((&best["move"], &best["mate"]), (&"a1a8".into(), &1.into()), "{best}");
    assert_eq!((&best["score"], &best["cp"]), (&"#1".into(), &Value::Null));
}

#[test]
fn the_tree_is_made_of_legal_ways_parents_first() {
    let output = senbon(&["--json", "--nodes", "60000", "--workers", "6", "--moves", "d4 d5"]);
    let events = objects(&output);
    let root = Chess::parse_position(events[0]["position"].as_str().unwrap()).unwrap();
    let tree = events.iter().rfind(|object| object["event"] == "tree").unwrap();
    let mut known: BTreeSet<Vec<String>> = BTreeSet::new();
    for node in tree["positions"].as_array().unwrap() {
        let way: Vec<String> = serde_json::from_value(node["way"].clone()).unwrap();
        let mut position = root.clone();
        for text in &way {
            position.play(position.parse_move(text).unwrap());
        }
        assert_eq!(node["legal"].as_u64(), Some(position.count_moves() as u64), "{node}");
        assert!(node["rest"].as_u64() <= node["legal"].as_u64(), "{node}");
        if let Some((_, before)) = way.split_last() {
            assert!(known.contains(before), "{way:?} comes before its parent");
        }
        known.insert(way);
    }
    assert!(known.len() > 1, "a tree of its root alone: {tree}");
}

#[test]
fn chess960_is_recognised_by_its_castling() {
    // The king stands on f1, its rooks on b1 and g1.
    let position = "5k2/8/8/8/8/8/8/1R3KR1 w GB - 0 1";
    let engine = format!("{SENBON} engine chess");
    let output = senbon(&["--json", "--depth", "3", "--engine", &engine, "--position", position]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let events = objects(&output);
    assert!(events.iter().all(|object| object["event"] != "fault"), "{events:?}");
    assert_eq!(events[0]["position"], position);
}

/// Fields and their types, by the headings of docs/protocol.md.
fn documented() -> BTreeMap<String, BTreeMap<String, String>> {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/protocol.md");
    let page = std::fs::read_to_string(page).unwrap();
    let mut all: BTreeMap<String, BTreeMap<String, String>> = BTreeMap::new();
    let mut section = None;
    for line in page.lines() {
        if line.starts_with('#') {
            section = line.strip_prefix("#### `").map(|rest| rest.trim_end_matches('`').to_owned());
        } else if let (Some(name), Some(row)) = (&section, line.strip_prefix("| `")) {
            let (field, rest) = row.split_once('`').unwrap();
            let kind = rest.split('|').nth(1).unwrap().trim();
            all.entry(name.clone()).or_default().insert(field.to_owned(), kind.to_owned());
        }
    }
    all
}

fn kind_fits(value: &Value, kind: &str) -> bool {
    kind.split(" or ").any(|one| match one {
        "string" => value.is_string(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        "null" => value.is_null(),
        other => panic!("docs/protocol.md: unknown type {other:?}"),
    })
}

fn assert_documented(name: &str, object: &Value, fields: &BTreeMap<String, String>) {
    let printed: BTreeSet<&String> = object.as_object().unwrap().keys().collect();
    assert_eq!(printed, fields.keys().collect(), "{name}: printed against docs/protocol.md");
    for (field, kind) in fields {
        assert!(kind_fits(&object[field], kind), "{name}.{field} is no {kind}: {object}");
    }
}

#[test]
fn json_is_as_documented() {
    let documented = documented();
    let bad = script("complains.sh", "echo 'no brain found' >&2\nexit 3\n");
    let bad = format!("sh {}", bad.display());
    let good = format!("{SENBON} engine chess");
    let mut seen = BTreeSet::new();
    let runs = [
        senbon(&["--json", "--depth", "6", "--workers", "3"]),
        senbon(&["--json", "--time", "0.5", "--workers", "2", "--engine", &bad, "--engine", &good]),
        senbon(&["--json", "--workers", "1", "--engine", &bad]),
        senbon(&["--json", "--time", "0.5", "--engine", &good, "--engine", "built-in", "--vote"]),
        // The tree is looked at once a second.
        senbon(&["--json", "--time", "3", "--workers", "2", "--strategy", "minimal-tree"]),
    ];
    let codes = runs.each_ref().map(|run| run.status.code());
    assert_eq!(codes, [Some(0), Some(0), Some(1), Some(0), Some(0)]);
    for object in runs.iter().flat_map(objects) {
        let event = object["event"].as_str().unwrap().to_owned();
        assert_documented(&event, &object, &documented[&event]);
        if event == "start" {
            let name = "start.limits";
            assert_documented(name, &object["limits"], &documented[name]);
            seen.insert(name.to_owned());
        }
        for node in object["positions"].as_array().into_iter().flatten() {
            let name = "tree.positions";
            assert_documented(name, node, &documented[name]);
            seen.insert(name.to_owned());
        }
        for branch in object["moves"].as_array().into_iter().flatten() {
            let name = "outline.moves";
            assert_documented(name, branch, &documented[name]);
            seen.insert(name.to_owned());
        }
        for voter in object["voters"].as_array().into_iter().flatten() {
            let name = "votes.voters";
            assert_documented(name, voter, &documented[name]);
            seen.insert(name.to_owned());
        }
        seen.insert(event);
    }
    assert_eq!(seen.iter().collect::<Vec<_>>(), documented.keys().collect::<Vec<_>>());
    let error = last(&runs[2]);
    let reason = error["reason"].as_str().unwrap();
    assert!(reason.contains("no worker could be started"), "{reason}");
    assert!(reason.contains("it said: no brain found"), "{reason}");
}

#[test]
fn one_bad_engine_does_not_spoil_the_others() {
    let good = format!("{SENBON} engine chess");
    let engines = ["--engine", "/no/such/engine", "--engine", &good];
    let output = senbon(&[&engines[..], &["--workers", "2", "--depth", "4"]].concat());
    assert_eq!(output.status.code(), Some(0));
    let err = text(&output.stderr);
    assert!(err.contains("worker 1: cannot start /no/such/engine"), "{err}");
    let output = senbon(&["--engine", "/no/such/engine", "--workers", "3"]);
    assert_eq!((output.status.code(), text(&output.stdout).as_str()), (Some(1), ""));
    let err = text(&output.stderr);
    assert!(err.contains("3 workers: cannot start /no/such/engine"), "{err}");
}

#[test]
fn wrong_input_is_explained() {
    let cases: [(&[&str], &str); 9] = [
        (&["--position", "8/8/8/x w - - 0 1"], "(at character 7)"),
        (&["--moves", "e4 e5 Ke3"], "move 3 (Ke3)"),
        (&["--game", "shogi", "--moves", "7g7f 7g7f"], "move 2 (7g7f)"),
        (&["--moves", "f3 e5 g4 Qh4#"], "nothing to search: checkmate"),
        (&["--time", "soon"], "is not a number of seconds"),
        (&["--time", "-1"], "'-1'"),
        (&["--workers", "0"], "without --listen"),
        (&["--infinite", "--depth", "3"], "cannot be used with"),
        (&["--threads", "2"], "--threads is for other engines"),
    ];
    for (arguments, reason) in cases {
        let output = senbon(arguments);
        let err = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {err}");
        assert!(err.contains(reason), "{arguments:?}: {err}");
        assert!(output.stdout.is_empty(), "{arguments:?}");
    }
}

#[test]
fn the_help_teaches() {
    let short = text(&senbon(&["-h"]).stdout);
    assert!(short.contains("senbon analyse --engine stockfish"), "{short}");
    let long = text(&senbon(&["--help"]).stdout);
    assert!(long.contains("Without arguments") && long.contains("Is there a mate"), "{long}");
}

/// A running analysis whose output is read line by line.
fn start(arguments: &[&str]) -> (Child, BufReader<ChildStdout>) {
    let mut child = Command::new(SENBON)
        .args(["analyse", "--hash", "4"])
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let out = BufReader::new(child.stdout.take().unwrap());
    (child, out)
}

fn read_until(out: &mut impl BufRead, word: &str) -> String {
    let mut line = String::new();
    while !line.contains(word) {
        line.clear();
        assert!(out.read_line(&mut line).unwrap() > 0, "the output ends without {word:?}");
    }
    line
}

fn signal(child: &Child, name: &str) {
    let number = child.id().to_string();
    assert!(Command::new("kill").args(["-s", name, &number]).status().unwrap().success());
}

#[test]
#[cfg(unix)]
fn signals_are_answered_with_the_best_so_far() {
    for name in ["INT", "TERM"] {
        let (mut child, mut out) = start(&["--json", "--infinite", "--workers", "2"]);
        read_until(&mut out, "\"event\":\"line\"");
        signal(&child, name);
        let best: Value =
            serde_json::from_str(&read_until(&mut out, "\"event\":\"best\"")).unwrap();
        assert_eq!(best["interrupted"], true);
        assert!(Chess::start().parse_move(best["move"].as_str().unwrap()).is_ok());
        assert_eq!(child.wait().unwrap().code(), Some(0));
    }
}

#[test]
#[cfg(unix)]
fn without_anything_to_answer_a_signal_ends_it() {
    // Repeats what it is told and never greets.
    let (mut child, mut out) = start(&["--json", "--engine", "cat", "--workers", "1"]);
    read_until(&mut out, "\"event\":\"start\"");
    signal(&child, "INT");
    read_until(&mut out, "interrupted before any worker was ready");
    assert_eq!(child.wait().unwrap().code(), Some(130));
}

#[test]
#[cfg(unix)]
fn a_reader_that_leaves_is_no_failure() {
    let (mut child, mut out) = start(&["--json", "--infinite", "--workers", "1"]);
    read_until(&mut out, "\"event\":\"line\"");
    drop(out);
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

/// A terminal of this size with the program in it, if `script` (util-linux) can make one.
fn terminal(size: (u32, u32), variables: &str, arguments: &str) -> Option<Child> {
    let line = format!(
        "stty cols {} rows {}; LC_ALL=C.UTF-8 TERM=xterm {variables} exec {SENBON} analyse --hash 4 {arguments}",
        size.0, size.1
    );
    let child = Command::new("script")
        .args(["-q", "-e", "-c", &line, "/dev/null"])
        .env_remove("NO_COLOR")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn();
    match child {
        Ok(child) => Some(child),
        Err(error) => {
            senbon_testkit::skipped(&format!("no `script` of util-linux: {error}"));
            None
        }
    }
}

/// The text of the output without escape sequences, row by row.
fn rows_of(out: &str) -> Vec<String> {
    let mut bare = String::new();
    for (at, part) in out.split('\x1b').enumerate() {
        let text = if at == 0 {
            Some(part)
        } else {
            part.split_once(|c: char| c.is_ascii_alphabetic()).map(|it| it.1)
        };
        bare.push_str(text.unwrap_or_default());
    }
    bare.split("\r\n").map(|row| row.replace('\r', "")).collect()
}

#[test]
#[cfg(target_os = "linux")]
fn a_terminal_shows_the_search() {
    let Some(child) = terminal((60, 20), "", "--nodes 20000 --workers 3") else { return };
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    let out = text(&output.stdout);
    let rows = rows_of(&out);
    assert!(rows.iter().all(|row| row.chars().count() < 60), "{rows:#?}");
    assert!(rows.iter().any(|row| row.starts_with("chess · White to move · 3 workers")));
    assert!(rows.iter().any(|row| row.starts_with("root")), "{rows:#?}");
    assert!(rows.iter().any(|row| row.starts_with("best ")), "{rows:#?}");
    let ends = |sequence: &str| out.rfind(sequence).unwrap();
    assert!(ends("\x1b[?25h") > ends("\x1b[?25l"), "the cursor is left visible");
    assert!(out.contains("\x1b[1m"), "colours in a terminal");
}

#[test]
#[cfg(target_os = "linux")]
fn a_terminal_without_colours_or_without_anything() {
    let Some(child) = terminal((80, 24), "NO_COLOR=1", "--nodes 5000 --workers 1") else { return };
    let out = text(&child.wait_with_output().unwrap().stdout);
    assert!(out.contains("\x1b[?25l") && !out.contains("\x1b[1m") && !out.contains("\x1b[3"));
    let Some(child) = terminal((80, 24), "TERM=dumb", "--nodes 5000 --workers 1") else { return };
    let out = text(&child.wait_with_output().unwrap().stdout);
    assert!(!out.contains('\x1b') && out.contains("best "), "{out:?}");
}

#[test]
#[cfg(target_os = "linux")]
fn ctrl_c_in_a_terminal() {
    let Some(mut child) = terminal((80, 24), "", "--infinite --workers 2") else { return };
    let mut out = child.stdout.take().unwrap();
    let mut heard = Vec::new();
    let mut some = [0; 4096];
    while !text_so_far(&heard).contains("until Ctrl-C") || !text_so_far(&heard).contains("depth") {
        let more = out.read(&mut some).unwrap();
        assert!(more > 0, "{}", text_so_far(&heard));
        heard.extend_from_slice(&some[..more]);
    }
    let keys = child.stdin.as_mut().unwrap();
    keys.write_all(b"\x03").unwrap();
    keys.flush().unwrap();
    out.read_to_end(&mut heard).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0));
    let rows = rows_of(&text_so_far(&heard));
    let answer = rows.iter().rfind(|row| row.starts_with("best ")).unwrap();
    assert!(answer.ends_with(", interrupted"), "{answer}");
}

fn text_so_far(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
