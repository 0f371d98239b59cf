//! Conversations with an engine, over pipes. The game is Connect Four, which has no protocol
//! of its own and borrows UCI; the engines of real games are tested as processes.

use std::io::{self, BufRead, BufReader, PipeWriter, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use senbon_games::tiny::{ConnectFour, Threats};
use senbon_games::{Evaluator, Notation, Rng};
use senbon_testkit::seed;

use super::{BuiltIn, Judged, run};
use crate::LineSplitter;
use crate::universal::{Best, Dialect, Info, Reply, ScoreBound};

/// A position whose search panics.
const CURSED: &str = "11117777";

/// Judges like [`Threats`], except for the cursed position.
#[derive(Default)]
#[allow(unreachable_pub, reason = "an associated type of a public trait must be public")]
pub struct Judge(Threats);

impl Evaluator<ConnectFour> for Judge {
    fn evaluate(&mut self, position: &ConnectFour) -> i32 {
        self.0.evaluate(position)
    }

    fn reset(&mut self, position: &ConnectFour) {
        assert_ne!(Ok(*position), ConnectFour::parse_position(CURSED), "a bug, on purpose");
    }
}

impl Judged for ConnectFour {
    type Judge = Judge;
}

impl BuiltIn for ConnectFour {
    const DIALECT: Dialect = Dialect::Uci;
}

/// The GUI's end of a conversation.
struct Gui {
    commands: Option<PipeWriter>,
    replies: Receiver<String>,
    engine: JoinHandle<io::Result<()>>,
}

const PATIENCE: Duration = Duration::from_secs(30);

impl Gui {
    fn new() -> Self {
        let (input, commands) = io::pipe().unwrap();
        let (output_reader, output) = io::pipe().unwrap();
        let engine = std::thread::spawn(move || run::<ConnectFour>(input, output));
        let (sender, replies) = sync_channel(10_000);
        std::thread::spawn(move || {
            for line in BufReader::new(output_reader).lines().map_while(Result::ok) {
                let _ = sender.send(line);
            }
        });
        Gui { commands: Some(commands), replies, engine }
    }

    fn say(&mut self, lines: &str) {
        let commands = self.commands.as_mut().unwrap();
        commands.write_all(lines.as_bytes()).unwrap();
        commands.write_all(b"\n").unwrap();
    }

    /// Replies up to and including the first that starts with `word`.
    fn until(&self, word: &str) -> Vec<String> {
        let mut heard = Vec::new();
        loop {
            let line = self.replies.recv_timeout(PATIENCE);
            let line = line.unwrap_or_else(|e| panic!("no {word}: {e}; heard {heard:#?}"));
            heard.push(line);
            if heard.last().is_some_and(|line| line.starts_with(word)) {
                return heard;
            }
        }
    }

    /// The best move after the replies before it, which are all `info`.
    fn best(&self) -> (String, Vec<Info>) {
        let mut heard = self.until("bestmove");
        let last = Reply::parse(Dialect::Uci, &heard.pop().unwrap()).unwrap();
        let Reply::BestMove { best: Best::Move(best), .. } = last else { panic!("{last:?}") };
        let infos = heard.iter().map(|line| match Reply::parse(Dialect::Uci, line) {
            Ok(Reply::Info(info)) => *info,
            other => panic!("{line}: {other:?}"),
        });
        (best, infos.collect())
    }

    fn remark(&self) -> String {
        let line = self.until("info string").pop().unwrap();
        line.trim_start_matches("info string ").to_owned()
    }

    /// Nothing is said for a while.
    fn silence(&self, time: Duration) {
        let heard = self.replies.recv_timeout(time);
        assert_eq!(heard, Err(RecvTimeoutError::Timeout));
    }

    /// Ends the input; what was still said.
    fn end(mut self) -> Vec<String> {
        self.commands = None;
        self.engine.join().unwrap().unwrap();
        self.replies.iter().collect()
    }
}

#[test]
fn introduction() {
    let mut gui = Gui::new();
    gui.say("uci");
    let heard = gui.until("uciok");
    assert_eq!(heard[0], concat!("id name Senbon connect-four ", env!("CARGO_PKG_VERSION")));
    assert!(heard.contains(&"option name Clear Hash type button".to_owned()));
    gui.say("\nisready\r");
    assert_eq!(gui.until("readyok").len(), 1);
    assert_eq!(gui.end(), [""; 0]);
}

#[test]
fn a_search_tells_what_it_finds() {
    let mut gui = Gui::new();
    // Three on the ground in a row: 4 wins.
    gui.say("position startpos moves 1 1 2 2 3 3\ngo depth 6");
    let (best, infos) = gui.best();
    assert_eq!(best, "4");
    let last = infos.last().unwrap();
    assert_eq!(last.pv, ["4"]);
    assert_eq!(last.score.unwrap().bound, ScoreBound::Exact);
    assert!(last.nodes.is_some() && last.time.is_some() && last.hashfull.is_some());
    assert_eq!(gui.end(), [""; 0]);
}

#[test]
fn commands_are_answered_during_a_search() {
    let mut gui = Gui::new();
    gui.say("go infinite\nisready");
    gui.until("readyok");
    gui.say("setoption name Move Overhead value 7\nnonsense");
    assert_eq!(gui.until("info string").pop().unwrap(), "info string unknown command 'nonsense'");
    gui.say("stop");
    gui.best();
    gui.say("stop\nponderhit\nisready");
    assert_eq!(gui.until("readyok"), ["readyok"]);
}

#[test]
fn an_infinite_search_is_not_answered_before_stop() {
    let mut gui = Gui::new();
    gui.say("go infinite depth 1");
    gui.until("info");
    gui.say("isready");
    gui.until("readyok");
    gui.silence(Duration::from_millis(200));
    gui.say("stop");
    gui.best();
}

#[test]
fn pondering_runs_until_the_hit_and_then_by_the_clock() {
    let mut gui = Gui::new();
    gui.say("go ponder movetime 100\nisready");
    gui.until("readyok");
    std::thread::sleep(Duration::from_millis(300));
    while let Ok(line) = gui.replies.try_recv() {
        assert!(line.starts_with("info"), "{line}");
    }
    gui.say("ponderhit");
    let hit = Instant::now();
    gui.best();
    assert!(hit.elapsed() < Duration::from_secs(10));
    // A search that ended while it was held answers at once.
    gui.say("go ponder depth 1");
    gui.until("info");
    gui.say("ponderhit");
    gui.best();
}

#[test]
fn a_time_for_the_move_is_kept() {
    let mut gui = Gui::new();
    let start = Instant::now();
    gui.say("go movetime 250");
    gui.best();
    assert!(start.elapsed() >= Duration::from_millis(150), "{:?}", start.elapsed());
    gui.say("go wtime 100 btime 100");
    gui.best();
    // Without a clock of our own there is no limit; `stop` ends it.
    gui.say("go btime 10\nstop");
    gui.best();
}

#[test]
fn a_bad_position_changes_nothing() {
    let mut gui = Gui::new();
    gui.say("position startpos moves 1 1 2 2 3 3");
    for (command, complaint) in [
        ("position fen 4498", "position: `9` is not a column, write 1 to 7 (at character 3)"),
        ("position startpos moves 4 9", "position: move 2 (9): `9` is not a move"),
        ("position here", "position: expected 'startpos', 'fen' or 'sfen', found 'here'"),
    ] {
        gui.say(command);
        let remark = gui.remark();
        assert!(remark.starts_with(complaint), "{remark}");
    }
    gui.say("go depth 2");
    assert_eq!(gui.best().0, "4");
}

#[test]
fn every_go_has_its_move() {
    let mut gui = Gui::new();
    gui.say("go infinite\ngo depth 3\ngo depth soon\ngo infinite\nucinewgame\ngo nodes 0");
    for _ in 0..5 {
        gui.until("bestmove");
    }
    gui.say("go infinite\nsetoption name Hash value 2\nisready");
    gui.best();
    gui.until("readyok");
    gui.say("go infinite\nsetoption name Clear Hash\nisready");
    gui.best();
    gui.until("readyok");
    // Searching again right after the table was replaced.
    gui.say("go depth 4");
    gui.best();
    assert_eq!(gui.end(), [""; 0]);
}

#[test]
fn the_end_of_input_and_quit_end_the_engine() {
    let mut gui = Gui::new();
    gui.say("go infinite\nisready");
    gui.until("readyok");
    let rest = gui.end();
    assert!(rest.last().unwrap().starts_with("bestmove"), "{rest:?}");

    let mut gui = Gui::new();
    gui.say("quit\nisready");
    let engine = gui.engine;
    engine.join().unwrap().unwrap();
    assert_eq!(gui.replies.iter().collect::<Vec<_>>(), [""; 0]);

    // The last line needs no line end.
    let mut gui = Gui::new();
    gui.commands.as_mut().unwrap().write_all(b"isready").unwrap();
    assert_eq!(gui.end(), ["readyok"]);
}

#[test]
fn a_failing_search_still_moves() {
    let mut gui = Gui::new();
    gui.say(&format!("position fen {CURSED}\ngo depth 5"));
    let (best, infos) = gui.best();
    let position = ConnectFour::parse_position(CURSED).unwrap();
    assert!(position.parse_move(&best).is_ok());
    assert!(infos[0].string.as_ref().unwrap().starts_with("internal error"));
    gui.say("position startpos moves 1 1 2 2 3 3\ngo depth 5");
    assert_eq!(gui.best().0, "4");
}

#[test]
fn moves_can_be_restricted_and_several_lines_shown() {
    let mut gui = Gui::new();
    gui.say("go depth 4 searchmoves 1 7");
    assert!(["1", "7"].contains(&gui.best().0.as_str()));
    gui.say("go depth 2 searchmoves 8 1");
    assert!(gui.remark().starts_with("searchmoves: 8: "));
    assert_eq!(gui.best().0, "1");
    gui.say("setoption name MultiPV value 3\ngo depth 4");
    let (_, infos) = gui.best();
    let ranks: Vec<u32> = infos.iter().rev().take(3).filter_map(|info| info.multipv).collect();
    assert_eq!(ranks, [3, 2, 1]);
    gui.say("setoption name MultiPV value 0");
    assert!(gui.remark().starts_with("option MultiPV takes"));
}

#[test]
fn same_nodes_same_search() {
    let mut gui = Gui::new();
    let mut search = || {
        gui.say("ucinewgame\nposition startpos moves 4 4\ngo nodes 30000");
        let (best, infos) = gui.best();
        let told = infos.into_iter().map(|info| Info { time: None, nps: None, ..info });
        (best, told.collect::<Vec<_>>())
    };
    assert_eq!(search(), search());
}

#[test]
fn a_mate_search_is_declined_where_it_is_another_game() {
    let mut gui = Gui::new();
    gui.say("go mate infinite");
    gui.until("checkmate notimplemented");
}

#[test]
fn an_endless_line_is_left_out() {
    let mut gui = Gui::new();
    gui.say(&"x".repeat(3 * LineSplitter::COMMAND_LIMIT));
    assert_eq!(gui.remark(), "a line of more than 65536 bytes was left out");
    gui.say("isready");
    gui.until("readyok");
}

#[test]
fn an_output_that_is_gone_ends_the_engine() {
    let (input, mut commands) = io::pipe().unwrap();
    let (output_reader, output) = io::pipe().unwrap();
    drop(output_reader);
    commands.write_all(b"go infinite\nisready\n").unwrap();
    assert!(run::<ConnectFour>(input, output).is_err());
}

#[test]
fn any_order_of_commands_is_answered() {
    const COMMANDS: [&str; 20] = [
        "uci",
        "isready",
        "isready",
        "stop",
        "ponderhit",
        "ucinewgame",
        "position startpos moves 4 4 3",
        "position fen 4435261",
        "position fen 999",
        "setoption name Hash value 1",
        "setoption name Clear Hash",
        "setoption name MultiPV value 2",
        "setoption name Nothing value 2",
        "go depth 2",
        "go nodes 300",
        "go infinite",
        "go ponder wtime 100 btime 100",
        "go movetime 3",
        "go depth never",
        "plugh",
    ];
    let seed = seed();
    let mut rng = Rng::new(seed);
    for _ in 0..20 {
        let script: Vec<&str> =
            (0..60).filter_map(|_| rng.pick(&COMMANDS)).copied().chain(["quit"]).collect();
        let mut gui = Gui::new();
        gui.say(&script.join("\n"));
        let heard = gui.end();
        for (command, reply) in [("go", "bestmove"), ("isready", "readyok"), ("uci", "uciok")] {
            let asked =
                script.iter().filter(|line| line.split(' ').next() == Some(command)).count();
            let answered = heard.iter().filter(|line| line.starts_with(reply)).count();
            assert_eq!(answered, asked, "seed {seed}: {reply} to {script:?}");
        }
    }
}
