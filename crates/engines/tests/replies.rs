//! Replies from engine to GUI: every form, what real engines make of them, both ways round.

use std::time::Duration;

use senbon_engines::universal::Dialect::{self, Uci, Usi};
use senbon_engines::universal::{
    Best, Checkmate, Info, OptionDeclaration, OptionKind, OptionValue, Reply, Score, ScoreBound,
    Verdict, Worth,
};

fn reply(dialect: Dialect, line: &str) -> Reply {
    Reply::parse(dialect, line).unwrap_or_else(|e| panic!("{line}: {e}"))
}

fn info(dialect: Dialect, line: &str) -> Info {
    match reply(dialect, line) {
        Reply::Info(info) => *info,
        other => panic!("{line}: {other:?}"),
    }
}

fn option(line: &str) -> OptionDeclaration {
    match reply(Uci, line) {
        Reply::Option(option) => option,
        other => panic!("{line}: {other:?}"),
    }
}

fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|&word| word.to_owned()).collect()
}

#[test]
fn plain_replies() {
    let mv = |best: &str, ponder: Option<&str>| Reply::BestMove {
        best: Best::Move(best.into()),
        ponder: ponder.map(str::to_owned),
    };
    for (dialect, line, expected) in [
        (Uci, "id name Senbon chess 0.1.0", Reply::Name("Senbon chess 0.1.0".into())),
        (Uci, "id author the Senbon developers", Reply::Author("the Senbon developers".into())),
        (Uci, "uciok", Reply::HelloOk),
        (Usi, "usiok", Reply::HelloOk),
        (Uci, "readyok", Reply::ReadyOk),
        (Uci, "bestmove e2e4", mv("e2e4", None)),
        (Uci, "bestmove e2e4 ponder e7e5", mv("e2e4", Some("e7e5"))),
        (Usi, "bestmove P*5e ponder 8h2b+", mv("P*5e", Some("8h2b+"))),
        (Uci, "bestmove 0000", Reply::BestMove { best: Best::Nothing, ponder: None }),
        (Usi, "bestmove resign", Reply::BestMove { best: Best::Nothing, ponder: None }),
        (Usi, "bestmove win", Reply::BestMove { best: Best::Win, ponder: None }),
        (Usi, "checkmate nomate", Reply::Checkmate(Checkmate::NoMate)),
        (Usi, "checkmate timeout", Reply::Checkmate(Checkmate::Timeout)),
        (Usi, "checkmate notimplemented", Reply::Checkmate(Checkmate::NotImplemented)),
        (Usi, "checkmate G*5b", Reply::Checkmate(Checkmate::Moves(words(&["G*5b"])))),
        (Uci, "copyprotection checking", Reply::CopyProtection(Verdict::Checking)),
        (Uci, "registration error", Reply::Registration(Verdict::Error)),
        (Uci, "registration ok", Reply::Registration(Verdict::Ok)),
    ] {
        assert_eq!(reply(dialect, line), expected);
        assert_eq!(expected.format(dialect), line);
    }
}

#[test]
fn no_move_has_many_names() {
    for line in ["bestmove (none)", "bestmove NULL", "bestmove 0000 ponder (none)"] {
        assert_eq!(reply(Uci, line), Reply::BestMove { best: Best::Nothing, ponder: None });
    }
}

#[test]
fn chatter_is_told_apart() {
    for (dialect, line, message) in [
        (Uci, "", "the line is empty"),
        (Uci, "Stockfish 15.1 by the Stockfish developers", "unknown command 'Stockfish'"),
        (Uci, "usiok", "unknown command 'usiok'"),
        (Uci, "bestmove", "bestmove: the move is missing"),
        (Uci, "id", "id: 'name', 'author' or 'harvest' is missing"),
        (Usi, "checkmate", "checkmate: the moves, or 'nomate' is missing"),
        (
            Uci,
            "option name Hash type number",
            "option: expected a type: check, spin, combo, button, string or filename, found \
             'number'",
        ),
    ] {
        assert_eq!(Reply::parse(dialect, line).expect_err(line).to_string(), message, "{line}");
    }
}

#[test]
fn info_with_every_field() {
    let line = "info depth 20 seldepth 31 multipv 2 score cp -13 upperbound wdl 20 900 80 \
                nodes 123456789 nps 2000000 hashfull 999 tbhits 4 cpuload 990 time 61728 \
                currmove e2e4 currmovenumber 5 refutation d1h5 g6h5 currline e2e4 e7e5 \
                pv e2e4 e7e5 string all of it";
    let all = Info {
        depth: Some(20),
        seldepth: Some(31),
        multipv: Some(2),
        score: Some(Score { worth: Worth::Centipawns(-13), bound: ScoreBound::Upper }),
        wdl: Some([20, 900, 80]),
        nodes: Some(123_456_789),
        nps: Some(2_000_000),
        hashfull: Some(999),
        tbhits: Some(4),
        cpuload: Some(990),
        time: Some(Duration::from_millis(61_728)),
        currmove: Some("e2e4".into()),
        currmovenumber: Some(5),
        refutation: words(&["d1h5", "g6h5"]),
        currline: words(&["e2e4", "e7e5"]),
        pv: words(&["e2e4", "e7e5"]),
        string: Some("all of it".into()),
    };
    assert_eq!(info(Uci, line), all);
    assert_eq!(Reply::Info(Box::new(all)).format(Uci), line);
}

#[test]
fn mates_are_counted_in_plies() {
    for (dialect, line, worth) in [
        (Uci, "info score mate 1", Worth::Win(Some(1))),
        (Uci, "info score mate 3", Worth::Win(Some(5))),
        (Uci, "info score mate -2", Worth::Loss(Some(4))),
        (Uci, "info score mate 0", Worth::Loss(Some(0))),
        (Usi, "info score mate 5", Worth::Win(Some(5))),
        (Usi, "info score mate -4", Worth::Loss(Some(4))),
        (Usi, "info score mate +", Worth::Win(None)),
        (Usi, "info score mate -", Worth::Loss(None)),
    ] {
        let score = Score::exact(worth);
        assert_eq!(info(dialect, line).score, Some(score), "{line}");
        let written = Info { score: Some(score), ..Info::default() };
        assert_eq!(Reply::Info(Box::new(written)).format(dialect), line);
    }
    assert_eq!(info(Usi, "info score mate +7").score, Some(Score::exact(Worth::Win(Some(7)))));
    let unknown = Info { score: Some(Score::exact(Worth::Loss(None))), ..Info::default() };
    assert_eq!(Reply::Info(Box::new(unknown)).format(Uci), "info score cp -30000");
}

#[test]
fn lines_of_real_engines() {
    let stockfish = info(
        Uci,
        "info depth 10 seldepth 12 multipv 1 score cp 31 lowerbound nodes 8123 nps 541533 \
         hashfull 3 tbhits 0 time 15 pv d2d4 d7d5",
    );
    assert_eq!(
        stockfish.score,
        Some(Score { worth: Worth::Centipawns(31), bound: ScoreBound::Lower })
    );
    assert_eq!(stockfish.pv, ["d2d4", "d7d5"]);
    // The bound before the amount, the line in the middle, an unknown word, a broken number.
    let odd = info(Uci, "info pv e2e4 score upperbound cp 7 nps inf bmc 3 depth 4");
    assert_eq!(odd.pv, ["e2e4"]);
    assert_eq!(odd.score, Some(Score { worth: Worth::Centipawns(7), bound: ScoreBound::Upper }));
    assert_eq!((odd.nps, odd.depth), (None, Some(4)));
    let text = info(Usi, "info string  two  blanks  score cp 5");
    assert_eq!(text.string.as_deref(), Some("two  blanks  score cp 5"));
    assert_eq!(text.score, None);
    assert_eq!(info(Uci, "info score cp"), Info::default());
}

#[test]
fn options_of_every_type() {
    let spin = |default, min, max| OptionKind::Spin { default, min, max };
    for (line, name, kind) in [
        (
            "option name Hash type spin default 16 min 1 max 33554432",
            "Hash",
            spin(Some(16), Some(1), Some(33_554_432)),
        ),
        ("option name Odd type spin", "Odd", spin(None, None, None)),
        ("option name Clear Hash type button", "Clear Hash", OptionKind::Button),
        (
            "option name Ponder type check default true",
            "Ponder",
            OptionKind::Check { default: true },
        ),
        (
            "option name Style type combo default Very Normal var Solid var Very Normal",
            "Style",
            OptionKind::Combo {
                default: "Very Normal".into(),
                values: words(&["Solid", "Very Normal"]),
            },
        ),
        (
            "option name SyzygyPath type string default <empty>",
            "SyzygyPath",
            OptionKind::Text { default: String::new() },
        ),
        (
            "option name BookFile type filename default public.bin",
            "BookFile",
            OptionKind::File { default: "public.bin".into() },
        ),
    ] {
        let expected = OptionDeclaration { name: name.into(), kind };
        assert_eq!(option(line), expected);
        assert_eq!(Reply::Option(expected).format(Uci), line);
    }
    // Nothing after `default` is an empty text, too.
    assert_eq!(
        option("option name Path type string default").kind,
        OptionKind::Text { default: String::new() }
    );
}

#[test]
fn options_take_their_values_only() {
    let hash = option("option name Hash type spin default 16 min 1 max 1024");
    assert!(hash.is_named("hash") && !hash.is_named("Hash2"));
    assert_eq!(hash.value(Some("64")), Ok(OptionValue::Spin(64)));
    let check = option("option name Ponder type check default false");
    assert_eq!(check.value(Some("TRUE")), Ok(OptionValue::Check(true)));
    let combo = option("option name Style type combo default Solid var Solid var Risky");
    assert_eq!(combo.value(Some("risky")), Ok(OptionValue::Text("Risky".into())));
    let button = option("option name Clear Hash type button");
    assert_eq!(button.value(None), Ok(OptionValue::Pressed));
    let path = option("option name Path type string default a");
    assert_eq!(path.value(Some("<empty>")), Ok(OptionValue::Text(String::new())));
    for (option, value, message) in [
        (&hash, Some("0"), "option Hash takes a whole number from 1 to 1024, not '0'"),
        (&hash, Some("many"), "option Hash takes a whole number from 1 to 1024, not 'many'"),
        (&hash, None, "option Hash needs a value"),
        (&check, Some("1"), "option Ponder takes true or false, not '1'"),
        (&combo, Some("x"), "option Style takes one of: Solid, Risky, not 'x'"),
    ] {
        assert_eq!(option.value(value).unwrap_err().to_string(), message);
    }
}

#[test]
fn remarks_stay_in_one_line() {
    assert_eq!(Reply::remark("two\nlines\r\n").format(Uci), "info string two lines");
}

#[test]
fn a_harvest_is_told_line_by_line() {
    assert_eq!(reply(Uci, "id harvest 256"), Reply::CanHarvest(256));
    assert_eq!(reply(Usi, "harvestok"), Reply::HarvestOk);
    for (dialect, line) in [
        (Uci, "harvest depth 7 score cp -24 best g8f6 moves e2e4 e7e5 g1f3"),
        (Uci, "harvest depth 3 score mate -2 lowerbound moves a2a3"),
        (Usi, "harvest depth 12 score mate 5 best P*5e moves 7g7f"),
    ] {
        let Reply::Harvested(told) = reply(dialect, line) else { panic!("{line}") };
        assert_eq!(Reply::Harvested(told).format(dialect), line);
    }
    for (line, message) in [
        ("harvest depth 7 score cp 1", "harvest: the way is missing"),
        ("harvest depth 7 score cp 1 moves", "harvest: the way is missing"),
        ("harvest depth 7 moves e2e4", "harvest: the score is missing"),
        ("id harvest much", "id: harvest must be a whole number, not 'much'"),
    ] {
        assert_eq!(Reply::parse(Uci, line).unwrap_err().to_string(), message, "{line}");
    }
    let long = format!("harvest score cp 1 moves{}", " e2e4".repeat(10_000));
    let Reply::Harvested(told) = reply(Uci, &long) else { panic!() };
    assert!(told.way.len() < 100, "bounded whatever came in");
}
