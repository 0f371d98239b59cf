//! `senbon lab rank-frequency` as a process, with the built-in engines as the judges.
#![allow(dead_code, clippy::disallowed_methods, clippy::unwrap_used)]

mod support;

use std::process::Command;

use senbon_core::RankTable;
use senbon_engines::universal::Dialect;
use senbon_games::chess::Chess;
use senbon_games::{Game, Notation};
use senbon_testkit::Folder;
use support::Engine;

/// Fool's mate, and a few moves of an opening with one bad move.
const GAMES: &str = "[Event \"a\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n\
                     [Event \"b\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Na3 *\n";
const SHOGI: &str = "V2.2\nPI\n+\n+7776FU\n-3334FU\n+8822UM\n-3122GI\n%TORYO\n";

fn own(game: &str) -> String {
    format!("{} engine {game}", env!("CARGO_BIN_EXE_senbon"))
}

/// Exit status, output and error output of a run.
fn measure(file: &str, out: &str, engine: &str, more: &[&str]) -> (Option<i32>, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_senbon"))
        .args(["lab", "rank-frequency", file, "--out", out, "--engine", engine, "--hash", "1"])
        .args(more)
        .output()
        .unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

/// The positions of a journal, sorted, each as its fields.
fn rows(journal: &str) -> Vec<Vec<String>> {
    let lines = journal.lines().filter(|line| line.starts_with(|c: char| c.is_ascii_digit()));
    let mut rows: Vec<Vec<String>> =
        lines.map(|line| line.split(',').map(str::to_owned).collect()).collect();
    rows.sort();
    rows
}

/// Rows without the time they took.
fn timeless(journal: &str) -> Vec<Vec<String>> {
    rows(journal).into_iter().map(|mut row| row.drain(..8).collect()).collect()
}

#[test]
fn every_position_is_counted() {
    let folder = Folder::new("rank-frequency-chess");
    let file = folder.with("games.pgn", GAMES);
    let page = folder.file("page.md");
    let more = ["--depth", "2", "--ranks", "3", "--threads", "2", "--json", "--markdown", &page];
    let (status, out, err) = measure(&file, &folder.file("t"), &own("chess"), &more);
    assert_eq!(status, Some(0), "{err}");
    let told: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(told["positions"], 9);
    assert!(err.contains("9/9 positions"), "{err}");

    let journal = rows(&folder.read("t.journal"));
    assert_eq!(journal.len(), 9);
    let mut counts = [0u64; 4];
    for row in &journal {
        let position = Chess::parse_position(&row[2]).unwrap();
        assert!(position.parse_move(&row[3]).is_ok(), "{row:?}");
        assert_eq!(row[6], position.count_moves().to_string(), "{row:?}");
        let rank: usize = row[4].parse().unwrap();
        assert_eq!(rank > 4, !row[7].is_empty(), "asked again only for what was missed: {row:?}");
        counts[rank.min(4) - 1] += 1;
    }
    assert_eq!(journal[3][3..6], ["d8h4", "1", "4"], "a mate is the best move");
    let table = RankTable::parse(&folder.read("t")).unwrap();
    assert_eq!(Some(table), RankTable::from_counts(&counts[..3], counts[3]));
    let page = folder.read("page.md");
    assert!(page.contains("senbon lab rank-frequency games.pgn --engine"), "{page}");
    assert!(!page.contains(env!("CARGO_TARGET_TMPDIR")), "no folders: {page}");
}

#[test]
fn the_rank_is_the_place_among_the_engine_s_lines() {
    let folder = Folder::new("rank-frequency-order");
    let file = folder.with("game.pgn", "1. Nc3 *\n");
    let more = ["--depth", "3", "--all-moves"];
    let (status, _, err) = measure(&file, &folder.file("t"), &own("chess"), &more);
    assert_eq!(status, Some(0), "{err}");
    let row = &rows(&folder.read("t.journal"))[0];
    assert_eq!(row[5..7], ["20", "20"]);

    let mut engine = Engine::start(&["engine", "chess"], Dialect::Uci);
    engine.say("uci\nsetoption name Hash value 1\nsetoption name MultiPV value 20");
    engine.until("uciok");
    let answer = engine.ask("ucinewgame\nposition startpos\ngo depth 3");
    let said = answer.infos.iter().rfind(|info| info.pv.first().is_some_and(|mv| mv == "b1c3"));
    assert_eq!(said.unwrap().multipv.unwrap().to_string(), row[4]);
}

#[test]
fn an_interrupted_run_goes_on_where_it_was() {
    let folder = Folder::new("rank-frequency-resume");
    let file = folder.with("games.pgn", GAMES);
    let (journal, out) = (folder.file("journal"), folder.file("t"));
    let more = ["--depth", "2", "--ranks", "3", "--journal", &journal];
    assert_eq!(measure(&file, &out, &own("chess"), &more).0, Some(0));
    let whole = folder.read("journal");
    let table = folder.read("t");

    // Cut in the middle of a line, as a kill leaves it: five positions stay.
    let lines: Vec<&str> = whole.split_inclusive('\n').collect();
    let kept = lines.len() - 4;
    let cut = lines[..kept].concat();
    folder.with("journal", &format!("{cut}{}", &lines[kept][..lines[kept].len() / 2]));
    let (status, _, err) = measure(&file, &out, &own("chess"), &more);
    assert_eq!(status, Some(0), "{err}");
    assert!(err.contains("5 positions are in"), "{err}");
    let after = folder.read("journal");
    assert!(after.starts_with(&cut), "what was there stays");
    let places = |text: &str| -> Vec<Vec<String>> {
        rows(text).into_iter().map(|row| row[..4].to_vec()).collect()
    };
    assert_eq!(places(&after), places(&whole), "each position once");

    // Cut in the head: nothing was measured yet, so it starts anew.
    folder.with("journal", &whole[..60]);
    assert_eq!(measure(&file, &out, &own("chess"), &more).0, Some(0));
    assert_eq!(timeless(&folder.read("journal")), timeless(&whole));

    // A complete journal needs no engine.
    folder.with("journal", &whole);
    let (status, _, err) = measure(&file, &out, "/no/such/engine", &more);
    assert_eq!(status, Some(0), "{err}");
    assert_eq!(folder.read("t"), table);
    assert_eq!(folder.read("journal"), whole);
}

#[test]
fn a_journal_of_something_else_is_refused() {
    let folder = Folder::new("rank-frequency-other");
    let file = folder.with("games.pgn", GAMES);
    let other = folder.with("other.pgn", "1. d4 d5 2. c4 *\n");
    let out = folder.file("t");
    let engine = own("chess");
    assert_eq!(measure(&other, &out, &engine, &["--depth", "1"]).0, Some(0));
    let before = folder.read("t.journal");
    let refused = [
        (&file, vec!["--depth", "1"], "input"),
        (&other, vec!["--depth", "2"], "depth '1', this run has '2'"),
        (&other, vec!["--depth", "1", "--ranks", "5"], "lines '11', this run has '6'"),
        (&other, vec!["--depth", "1", "--option", "Hash=2"], "options '', this run has 'Hash=2'"),
    ];
    for (file, more, reason) in refused {
        let (status, _, err) = measure(file, &out, &engine, &more);
        assert_eq!(status, Some(1), "{more:?}");
        assert!(err.contains(reason), "{more:?}: {err}");
    }
    assert_eq!(folder.read("t.journal"), before);

    let broken = before.replace(",d2d4,", ",e2e4,");
    folder.with("t.journal", &broken);
    let (_, _, err) = measure(&other, &out, &engine, &["--depth", "1"]);
    assert!(err.contains("another position at game 1, ply 1"), "{err}");
    for (text, reason) in [("my notes", "not a journal"), ("my notes\n", "line 1: ")] {
        folder.with("t.journal", text);
        let (_, _, err) = measure(&other, &out, &engine, &["--depth", "1"]);
        assert!(err.contains(reason), "{err}");
        assert_eq!(folder.read("t.journal"), text, "not ours, so not touched");
    }
}

#[test]
fn what_cannot_be_measured_is_said() {
    let folder = Folder::new("rank-frequency-errors");
    let illegal = folder.with("bad.pgn", "1. e4 e5 2. Ke3 *\n");
    let out = folder.file("t");
    let (status, _, err) = measure(&illegal, &out, &own("chess"), &[]);
    assert_eq!(status, Some(2));
    assert!(err.contains("bad.pgn") && err.contains("game 1, line 1"), "{err}");
    let (status, _, err) = measure(&folder.file("none.pgn"), &out, &own("chess"), &[]);
    assert_eq!(status, Some(2));
    assert!(err.contains("cannot read"), "{err}");
    let good = folder.with("good.pgn", "1. e4 *\n");
    let (status, _, err) = measure(&good, &out, "/no/such/engine", &[]);
    assert_eq!(status, Some(1));
    assert!(err.contains("cannot start /no/such/engine"), "{err}");
    assert!(!folder.path().join("t").exists(), "no table of nothing");
}

/// An engine that greets with these lines and does this when told to search.
fn mock(folder: &Folder, greeting: &str, search: &str) -> String {
    let script = format!(
        "while read -r line; do case $line in\n\
         uci) printf '{greeting}\\nuciok\\n';;\n\
         isready) echo readyok;;\n\
         go*) {search};;\n\
         quit) exit;;\n\
         esac; done\n"
    );
    format!("sh {}", folder.with("engine.sh", &script))
}

#[test]
fn engines_that_cannot_rank_are_refused() {
    let folder = Folder::new("rank-frequency-mocks");
    let file = folder.with("game.pgn", "1. e4 *\n");
    let out = folder.file("t");
    // Known names are not probed, so that only the measurement itself asks for a search.
    let plain = mock(&folder, "id name Stockfish of a kind", "echo bestmove e2e4");
    let (status, _, err) = measure(&file, &out, &plain, &[]);
    assert_eq!(status, Some(1));
    assert!(err.contains("Stockfish of a kind has no option MultiPV"), "{err}");

    let greeting = "id name Stockfish\\noption name MultiPV type spin default 1 min 1 max 500";
    let dying = mock(&folder, greeting, "exit 3");
    let (status, _, err) = measure(&file, &out, &dying, &[]);
    assert_eq!(status, Some(1));
    assert!(err.contains("game 1, ply 1") && err.contains("failed 3 times"), "{err}");

    let terse = mock(
        &folder,
        greeting,
        "printf 'info depth 1 multipv 1 score cp 0 pv d2d4\\nbestmove d2d4\\n'",
    );
    let (status, _, err) = measure(&file, &out, &terse, &[]);
    assert_eq!(status, Some(1));
    assert!(err.contains("asked for 11 lines and told 1"), "{err}");
}

#[test]
fn shogi_records_are_ranked_too() {
    let folder = Folder::new("rank-frequency-shogi");
    let file = folder.with("game.csa", SHOGI);
    let more = ["--game", "shogi", "--depth", "2", "--ranks", "5"];
    let (status, out, err) = measure(&file, &folder.file("t"), &own("shogi"), &more);
    assert_eq!(status, Some(0), "{err}");
    assert!(out.starts_with("4 positions, "), "{out}");
    assert!(RankTable::parse(&folder.read("t")).is_ok());
    let journal = folder.read("t.journal");
    let cut = journal.trim_end().rfind('\n').unwrap() + 9;
    folder.with("t.journal", &journal[..cut]);
    let (status, _, err) = measure(&file, &folder.file("t"), &own("shogi"), &more);
    assert_eq!(status, Some(0), "{err}");
    assert!(err.contains("3 positions are in"), "{err}");
    let rows = rows(&folder.read("t.journal"));
    // A bishop was taken: the rook or the silver takes back, nothing else makes sense.
    assert_eq!(rows[3][3], "3a2b");
    assert!(["1", "2"].contains(&rows[3][4].as_str()), "{rows:?}");
}
