//! `senbon uci` under XBoard through Polyglot, as in the paper (pgpp-2015 section 5), on a
//! screen that nobody sees: one game against GNU Chess to its end.
#![allow(clippy::disallowed_methods, clippy::unwrap_used)]

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use senbon_games::Side;
use senbon_games::chess::pgn::{GameResult, Reader, Record};
use senbon_testkit::program;

/// How long the game may take, on a slow machine.
const PATIENCE: Duration = Duration::from_secs(300);

/// Games begun at most until the opponent lives to the end of one.
const GAMES: usize = 5;

/// A process that ends with the test.
struct Process(Child);

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Starts a screen without a monitor; its process and name.
fn screen(xvfb: &Path) -> (Process, String) {
    let mut child = Command::new(xvfb)
        .args(["-displayfd", "1", "-screen", "0", "800x600x16", "-nolisten", "tcp"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let stdout = child.stdout.take().unwrap();
    let process = Process(child);
    let mut number = String::new();
    BufReader::new(stdout).read_line(&mut number).unwrap();
    (process, format!(":{}", number.trim()))
}

/// The command line of an engine behind Polyglot. The overhead keeps a slow moment of the
/// machine from losing the game.
fn behind(polyglot: &Path, command: &str, name: &str, options: &str) -> String {
    format!("{} -noini -ec \"{command}\" -en {name} {options}", polyglot.display())
}

/// Whether Polyglot complained that the opponent's process aborted. GNU Chess does now and then
/// on a loaded machine, which is no fault of ours; XBoard then waits for it.
fn opponent_died(complaints: &Path, gnuchess: &Path) -> bool {
    let text = String::from_utf8_lossy(&fs::read(complaints).unwrap()).into_owned();
    let theirs = format!("{} --uci: child terminated with signal 6", gnuchess.display());
    text.contains(&theirs)
}

/// Plays one game in `folder` and gives its record; `None` when the opponent died.
fn play(folder: &Path, peers: &[PathBuf; 4]) -> Option<Record> {
    let [xvfb, xboard, polyglot, gnuchess] = peers;
    let (_screen, display) = screen(xvfb);
    let senbon = format!("{} uci --workers 2 --hash 4", env!("CARGO_BIN_EXE_senbon"));
    let ours = behind(polyglot, &senbon, "Senbon", "-uci \"Move Overhead=1000\"");
    let theirs = behind(polyglot, &format!("{} --uci", gnuchess.display()), "GNUChess", "");
    let complaints = folder.join("complaints");
    let mut game = Process(
        Command::new(xboard)
            .args(["-noGUI", "-xexit", "-saveSettingsOnExit", "false", "-soundProgram", "true"])
            .args(["-fcp", &ours, "-scp", &theirs, "-tc", "0:05", "-inc", "0.1"])
            .args(["-matchGames", "1", "-ponderNextMove", "false", "-sgf", "game.pgn"])
            .current_dir(folder)
            .env("HOME", folder)
            .env("DISPLAY", display)
            .stdout(Stdio::null())
            .stderr(fs::File::create(&complaints).unwrap())
            .spawn()
            .unwrap(),
    );
    let until = Instant::now() + PATIENCE;
    while game.0.try_wait().unwrap().is_none() {
        if opponent_died(&complaints, gnuchess) {
            return None;
        }
        assert!(Instant::now() < until, "XBoard plays on after {PATIENCE:?}");
        std::thread::sleep(Duration::from_millis(50));
    }
    let bytes = fs::read(folder.join("game.pgn")).expect("XBoard saves the game");
    Some(Reader::new(&bytes).next().expect("a game").expect("a game that can be read"))
}

#[test]
fn a_game_under_xboard() {
    let names = ["Xvfb", "xboard", "polyglot", "gnuchess"];
    let found: Vec<_> = names.iter().map_while(|name| program(name)).collect();
    let Ok(peers) = <[PathBuf; 4]>::try_from(found) else { return };
    let folder = std::env::temp_dir().join(format!("senbon-xboard-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let record = (0..GAMES).find_map(|_| {
        let record = play(&folder, &peers);
        if record.is_none() {
            println!("GNU Chess died; another game");
        }
        record
    });
    let record = record.expect("GNU Chess lives to the end of one game");
    fs::remove_dir_all(&folder).unwrap();
    let text = record.to_string();
    assert_eq!(record.tag("White"), Some("Senbon"), "{text}");
    assert!(record.moves().unwrap().len() > 10, "{text}");
    assert_ne!(record.result, GameResult::Unknown, "{text}");
    // XBoard says in a comment why a game ended.
    for forfeit in ["illegal", "forfeit", "exited", "on time"] {
        let lost =
            record.result == GameResult::Win(Side::Second) && text.to_lowercase().contains(forfeit);
        assert!(!lost, "{forfeit}: {text}");
    }
}
