//! Commands from GUI to engine: every form, what is refused and why, and both ways round.

use std::time::Duration;

use senbon_core::Clock;
use senbon_engines::universal::Dialect::{self, Uci, Usi};
use senbon_engines::universal::{Command, GameResult, Go, Mate, Setup};
use senbon_games::Side;

fn command(dialect: Dialect, line: &str) -> Command {
    Command::parse(dialect, line).unwrap_or_else(|e| panic!("{line}: {e}"))
}

fn go(dialect: Dialect, line: &str) -> Go {
    match command(dialect, line) {
        Command::Go(go) => *go,
        other => panic!("{line}: {other:?}"),
    }
}

fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|&word| word.to_owned()).collect()
}

const fn ms(milliseconds: u64) -> Option<Duration> {
    Some(Duration::from_millis(milliseconds))
}

#[test]
fn plain_commands() {
    for (dialect, line, expected) in [
        (Uci, "uci", Command::Hello),
        (Usi, "usi", Command::Hello),
        (Uci, "ucinewgame", Command::NewGame),
        (Usi, "usinewgame", Command::NewGame),
        (Uci, "isready", Command::IsReady),
        (Uci, "stop", Command::Stop),
        (Usi, "ponderhit", Command::PonderHit),
        (Usi, "quit", Command::Quit),
        (Uci, "debug on", Command::Debug(true)),
        (Uci, "debug off", Command::Debug(false)),
        (Usi, "gameover win", Command::GameOver(GameResult::Win)),
        (Usi, "gameover lose", Command::GameOver(GameResult::Lose)),
        (Usi, "gameover draw", Command::GameOver(GameResult::Draw)),
        (Uci, "register later", Command::Register("later".into())),
    ] {
        assert_eq!(command(dialect, line), expected);
        assert_eq!(expected.format(dialect), line);
    }
    assert_eq!(command(Uci, " \t isready \r"), Command::IsReady);
}

#[test]
fn unknown_words_are_skipped() {
    assert_eq!(command(Uci, "joho debug on"), Command::Debug(true));
    assert_eq!(go(Uci, "go quickly depth 3").depth, Some(3));
}

#[test]
fn options() {
    for (line, name, value) in [
        ("setoption name Hash value 64", "Hash", Some("64")),
        ("setoption name Clear Hash", "Clear Hash", None),
        ("setoption name Move Overhead value 10", "Move Overhead", Some("10")),
        ("setoption name Book value /a  b/c value d", "Book", Some("/a  b/c value d")),
        ("setoption name Book value ", "Book", Some("")),
    ] {
        let expected = Command::SetOption { name: name.into(), value: value.map(str::to_owned) };
        assert_eq!(command(Uci, line), expected);
        assert_eq!(expected.format(Uci), line);
    }
}

#[test]
fn positions() {
    const FEN: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    const SFEN: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
    for (dialect, line, start, moves) in [
        (Uci, "position startpos".to_owned(), None, &[][..]),
        (Uci, "position startpos moves e2e4 e7e5".to_owned(), None, &["e2e4", "e7e5"]),
        (Uci, format!("position fen {FEN}"), Some(FEN), &[]),
        (Uci, format!("position fen {FEN} moves e2e4"), Some(FEN), &["e2e4"]),
        (Usi, format!("position sfen {SFEN} moves 7g7f P*5e"), Some(SFEN), &["7g7f", "P*5e"]),
    ] {
        let setup = Setup { start: start.map(str::to_owned), moves: words(moves) };
        assert_eq!(command(dialect, &line), Command::Position(setup.clone()));
        assert_eq!(Command::Position(setup).format(dialect), line);
    }
    // An empty list of moves is no list.
    assert_eq!(command(Uci, "position startpos moves"), command(Uci, "position startpos"));
    assert_eq!(
        command(Uci, "position  fen   8/8/8/8/8/8/8/K1k5  w - -"),
        command(Uci, "position fen 8/8/8/8/8/8/8/K1k5 w - -")
    );
}

#[test]
fn go_with_every_field() {
    let line = "go ponder wtime 300000 btime 290000 winc 2000 binc 1000 movestogo 40 depth 12 \
                nodes 1000000 mate 3 movetime 5000 infinite searchmoves e2e4 d2d4";
    let all = Go {
        search_moves: words(&["e2e4", "d2d4"]),
        ponder: true,
        infinite: true,
        clocks: [
            Clock { time: ms(300_000), increment: ms(2_000) },
            Clock { time: ms(290_000), increment: ms(1_000) },
        ],
        byoyomi: None,
        moves_to_go: Some(40),
        depth: Some(12),
        nodes: Some(1_000_000),
        mate: Some(Mate::Moves(3)),
        move_time: ms(5_000),
    };
    assert_eq!(go(Uci, line), all);
    let written = Command::Go(Box::new(all.clone())).format(Uci);
    assert_eq!(go(Uci, &written), all);
    assert!(written.ends_with(" searchmoves e2e4 d2d4"), "{written}");
}

#[test]
fn searchmoves_end_at_the_next_field() {
    let both = go(Uci, "go searchmoves e2e4 d2d4 depth 5");
    assert_eq!((both.search_moves, both.depth), (words(&["e2e4", "d2d4"]), Some(5)));
}

#[test]
fn clocks_belong_to_whoever_moves_first() {
    let chess = go(Uci, "go wtime 1 btime 2");
    assert_eq!(chess.clock(Side::First).time, ms(1));
    assert_eq!(chess.clock(Side::Second).time, ms(2));
    let shogi = go(Usi, "go btime 1 wtime 2 binc 3 winc 4");
    assert_eq!(shogi.clock(Side::First), Clock { time: ms(1), increment: ms(3) });
    assert_eq!(shogi.clock(Side::Second), Clock { time: ms(2), increment: ms(4) });
    assert_eq!(Command::Go(Box::new(shogi)).format(Usi), "go wtime 2 btime 1 winc 4 binc 3");
    // Some GUIs send what is left after the flag fell.
    assert_eq!(go(Uci, "go wtime -25").clock(Side::First).time, ms(0));
}

#[test]
fn shogi_limits() {
    let byoyomi = go(Usi, "go btime 0 wtime 0 byoyomi 10000");
    assert_eq!(byoyomi.byoyomi, ms(10_000));
    for (line, mate) in [
        ("go mate infinite", Mate::Unlimited),
        ("go mate 60000", Mate::Within(Duration::from_secs(60))),
    ] {
        let parsed = go(Usi, line);
        assert_eq!(parsed.mate, Some(mate));
        assert!(!parsed.infinite);
        assert_eq!(Command::Go(Box::new(parsed)).format(Usi), line);
    }
}

#[test]
fn errors_say_what_is_wrong() {
    for (dialect, line, message) in [
        (Uci, "", "the line is empty"),
        (Uci, " \t", "the line is empty"),
        (Uci, "xyzzy plugh", "unknown command 'xyzzy'"),
        (Uci, "usi", "unknown command 'usi'"),
        (Uci, "gameover win", "unknown command 'gameover'"),
        (Uci, "position", "position: 'startpos', 'fen' or 'sfen' is missing"),
        (Uci, "position e2e4", "position: expected 'startpos', 'fen' or 'sfen', found 'e2e4'"),
        (Uci, "position fen", "position: the position itself is missing"),
        (Uci, "position fen moves e2e4", "position: the position itself is missing"),
        (Uci, "position startpos e2e4", "position: expected 'moves', found 'e2e4'"),
        (Uci, "setoption Hash 64", "setoption: expected 'name', found 'Hash'"),
        (Uci, "setoption name value 64", "setoption: the option's name is missing"),
        (Uci, "go depth", "go: depth is missing"),
        (Uci, "go depth -1", "go: depth must be a whole number, not '-1'"),
        (Uci, "go wtime 1e3", "go: wtime must be a whole number, not '1e3'"),
        (Uci, "debug maybe", "debug: expected 'on' or 'off', found 'maybe'"),
        (Usi, "gameover", "gameover: 'win', 'lose' or 'draw' is missing"),
        (Usi, "go mate soon", "go: mate must be a whole number, not 'soon'"),
        (Uci, "harvest", "harvest: the number of positions is missing"),
        (Uci, "harvest all startpos", "harvest: the number must be a whole number, not 'all'"),
        (Uci, "harvest 5", "harvest: 'startpos', 'fen' or 'sfen' is missing"),
    ] {
        let error = Command::parse(dialect, line).expect_err(line);
        assert_eq!(error.to_string(), message, "{line}");
    }
    // The message is bounded whatever came in.
    let long = format!("go depth {}", "x".repeat(10_000));
    assert!(Command::parse(Uci, &long).unwrap_err().to_string().len() < 120);
}

#[test]
fn a_line_end_cannot_be_smuggled_in() {
    let setup = Setup { start: Some("8/8\nquit".into()), moves: words(&["e2e4\r\nquit"]) };
    let line = Command::Position(setup).format(Uci);
    assert_eq!(line, "position fen 8/8 quit moves e2e4  quit");
    let option = Command::SetOption { name: "a\nb".into(), value: Some("c\nquit".into()) };
    assert_eq!(option.format(Uci), "setoption name a b value c quit");
}

#[test]
fn a_harvest_is_asked_for_below_a_position() {
    let setup = Setup { start: None, moves: words(&["7g7f", "3c3d"]) };
    let expected = Command::Harvest { count: 12, setup };
    assert_eq!(command(Usi, "harvest 12 startpos moves 7g7f 3c3d"), expected);
    assert_eq!(expected.format(Usi), "harvest 12 startpos moves 7g7f 3c3d");
    let line = "harvest 1 fen 8/8/8/8/8/4k3/8/4K2R w - - 0 1";
    assert_eq!(command(Uci, line).format(Uci), line);
}
