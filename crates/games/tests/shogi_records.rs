//! Shogi records: championship games, both formats by example, broken files.
#![allow(clippy::disallowed_methods, clippy::unwrap_used)]

mod support;

use rsshogi::records::formats::{csa as oracle_csa, kif as oracle_kif};
use senbon_games::shogi::Shogi;
use senbon_games::shogi::record::{Finish, GameResult, Record, RecordError, csa, kif};
use senbon_games::{Game, Notation, Rng, Side};

/// The moves of a record in USI.
fn usi(record: &Record) -> Vec<String> {
    record.moves.iter().map(|recorded| record.start.format_move(recorded.mv)).collect()
}

/// Name and text of each championship game.
fn championship() -> Vec<(String, String)> {
    let Some(folder) = senbon_testkit::reference("shogi/games") else { return Vec::new() };
    let mut games: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|ext| ext == "csa"))
        .map(|path| (path.display().to_string(), std::fs::read_to_string(&path).unwrap()))
        .collect();
    games.sort();
    games
}

#[test]
fn championship_games_replay() {
    let games = championship();
    if games.is_empty() {
        return;
    }
    let mut plies = 0;
    let mut won = [0; 2];
    let mut drawn = 0;
    for (name, text) in &games {
        let record = csa::read(text).unwrap_or_else(|error| panic!("{name}: {error}"));
        plies += record.moves.len();
        let theirs = oracle_csa::parse_csa_str(text).unwrap();
        let oracle_moves: Vec<_> = theirs.main_moves().map(|entry| entry.mv().to_usi()).collect();
        assert_eq!(usi(&record), oracle_moves, "{name}");
        match (record.finish.unwrap(), record.result()) {
            (Finish::Interruption, result) => assert_eq!(result, GameResult::Unknown),
            (Finish::Repetition, result) => {
                assert_eq!(result, GameResult::Draw, "{name}");
                assert!(record.last_position().ended_by_history().is_some(), "{name}");
                drawn += 1;
            }
            (finish, GameResult::Win(side)) => {
                won[side.index()] += 1;
                if finish == Finish::Declaration {
                    assert!(record.last_position().can_declare(), "{name}");
                }
            }
            (finish, result) => panic!("{name}: {finish:?} {result:?}"),
        }
        let again = csa::read(&csa::write(&record)).unwrap();
        assert_eq!(again, record, "{name}");
        // The same game in the other format.
        let text = oracle_kif::export_kif(&theirs).unwrap();
        let from_kif = kif::read(&text).unwrap_or_else(|error| panic!("{name}: {error}\n{text}"));
        assert_eq!(usi(&from_kif), usi(&record), "{name}");
        assert_eq!(from_kif.result(), record.result(), "{name}");
    }
    eprintln!("{} games, {plies} plies, {won:?} won, {drawn} drawn", games.len());
    assert_eq!((games.len(), won[0] + won[1] + drawn), (131, 130));
}

const CSA_EXAMPLE: &str = "V2.2
'a comment of the head
N+Black, the elder
N-White
$EVENT:Example, with comma
P1-KY-KE-GI-KI-OU-KI-GI-KE-KY
P2 * -HI *  *  *  *  * -KA *
P3-FU-FU-FU-FU-FU-FU-FU-FU-FU
P4 *  *  *  *  *  *  *  *  *
P5 *  *  *  *  *  *  *  *  *
P6 *  *  *  *  *  *  *  *  *
P7+FU+FU+FU+FU+FU+FU+FU+FU+FU
P8 * +KA *  *  *  *  * +HI *
P9+KY+KE+GI+KI+OU+KI+GI+KE+KY
+
+7776FU,T3
'good
'very good
-3334FU
T1.5
+8822UM
-3122GI,T2
+0045KA
%TORYO,T7
";

#[test]
fn csa_by_example() {
    let record = csa::read(CSA_EXAMPLE).unwrap();
    assert_eq!(record.players, ["Black, the elder", "White"]);
    assert_eq!(record.tags, [("EVENT".to_owned(), "Example, with comma".to_owned())]);
    assert_eq!(record.start, Shogi::start());
    assert_eq!(usi(&record), ["7g7f", "3c3d", "8h2b+", "3a2b", "B*4e"]);
    let times: Vec<_> = record.moves.iter().map(|recorded| recorded.time_ms).collect();
    assert_eq!(times, [Some(3_000), Some(1_500), None, Some(2_000), None]);
    assert_eq!(record.moves[0].comment, "good\nvery good");
    assert_eq!(record.result(), GameResult::Win(Side::First));
}

#[test]
fn csa_start_positions() {
    let start = |text: &str| csa::read(text).unwrap().start.format_position();
    assert_eq!(
        start("PI82HI22KA\n-\n"),
        "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"
    );
    assert_eq!(start("P+59OU\nP-51OU\nP-00AL\n+\n"), "4k4/9/9/9/9/9/9/9/4K4 b 2r2b4g4s4n4l18p 1");
    assert_eq!(start("P+59OU33TO00FU00FU\nP-51OU\n-\n"), "4k4/9/6+P2/9/9/9/9/9/4K4 w 2P 1");
    // Written and read again.
    for sfen in ["4k4/9/6+P2/9/9/9/9/9/4K4 w 2Pr 1", "startpos"] {
        let mut record = Record::new(Shogi::parse_position(sfen).unwrap());
        record.finish = Some(Finish::TimeUp);
        assert_eq!(csa::read(&csa::write(&record)), Ok(record));
    }
}

#[test]
fn csa_files_with_several_games() {
    let text = "PI\n+\n+7776FU\n%TORYO\n/\nPI\n+\n+2726FU\n-8384FU\n%CHUDAN\n/\n";
    let games = csa::read_all(text).unwrap();
    let lengths: Vec<_> = games.iter().map(|game| game.moves.len()).collect();
    assert_eq!(lengths, [1, 2]);
    assert_eq!(csa::read(text).unwrap(), games[0]);
    let broken = format!("{text}PI\n+\n+7775FU\n");
    assert_eq!(csa::read_all(&broken).unwrap_err().line, 14);
}

#[track_caller]
fn refused(result: Result<Record, RecordError>, line: usize, what: &str) {
    let error = result.unwrap_err();
    assert!(error.what.contains(what), "{error}");
    assert_eq!(error.line, line, "{error}");
}

#[test]
fn broken_csa_says_where() {
    refused(csa::read(""), 1, "no game");
    refused(csa::read("PI\n+\nhello\n"), 3, "no CSA statement");
    refused(csa::read("PI\n+\n+7775FU\n"), 3, "cannot go");
    refused(csa::read("PI\n+\n-3334FU\n"), 3, "other side's move");
    refused(csa::read("PI\n+\n+7776KY\n"), 3, "is a pawn, not a lance");
    refused(csa::read("PI\n+\n+5554FU\n"), 3, "no piece to move");
    refused(csa::read("PI\n+\n+7776\n"), 3, "reads like");
    refused(csa::read("PI\n+\n+7700FU\n"), 3, "no target");
    refused(csa::read("PI\n+\n+0055FU\n"), 3, "no pawn in hand");
    refused(csa::read("PI\n+\n+7776FU\nT\n"), 4, "seconds");
    refused(csa::read("PI\n+\n%TORYO\n+7776FU\n"), 4, "after the end");
    refused(csa::read("PI\n+\n%WHAT\n"), 3, "no known end");
    refused(csa::read("PI\n+\n+\n"), 3, "second time");
    refused(csa::read("PI55FU\n+\n"), 1, "take away");
    refused(csa::read("PX\n"), 1, "followed by");
    refused(csa::read("P1 * \n+\n"), 1, "cell");
    refused(csa::read("P+5\n+\n"), 1, "expected");
    refused(csa::read("P+59OU59KI\n+\n"), 1, "two pieces");
    refused(csa::read("P+59OU\nP+55FU56FU\n+\n"), 3, "second unpromoted pawn");
}

const KIF_EXAMPLE: &str = "# ---- example ----
開始日時：2026/11/15
手合割：平手　　
先手：甲
後手：乙
手数----指手---------消費時間--
   1 ７六歩(77)   ( 0:16/00:00:16)
*first remark
   2 ３四歩(33)   ( 1:02/00:01:02)
   3 ２二角成(88)   ( 0:01/00:00:17)+
   4 同　銀(31)   ( 0:00/00:01:02)
   5 ４五角打   ( 0:00/00:00:17)
   6 投了   ( 0:00/00:01:02)
まで5手で先手の勝ち

変化：3手
   3 ２六歩(27)
";

#[test]
fn kif_by_example() {
    let record = kif::read(KIF_EXAMPLE).unwrap();
    assert_eq!(record.players, ["甲", "乙"]);
    assert_eq!(record.tags, [("開始日時".to_owned(), "2026/11/15".to_owned())]);
    assert_eq!(usi(&record), ["7g7f", "3c3d", "8h2b+", "3a2b", "B*4e"]);
    assert_eq!(record.moves[1].time_ms, Some(62_000));
    assert_eq!(record.moves[0].comment, "first remark");
    assert_eq!(record.finish, Some(Finish::Resignation));
    assert_eq!(record.result(), GameResult::Win(Side::First));
}

#[test]
fn kif_start_positions() {
    let diagram = "手合割：その他
後手の持駒：飛　金二　歩十三
  ９ ８ ７ ６ ５ ４ ３ ２ １
+---------------------------+
|v香 ・ ・ ・v玉 ・ ・ ・ ・|一
| ・ ・ ・ ・ ・ ・ ・ ・ ・|二
| ・ ・ ・ ・ ・ ・ と ・ ・|三
| ・ ・ ・ ・ ・ ・ ・ ・ ・|四
| ・ ・ ・ ・ ・ ・ ・ ・ ・|五
| ・ ・ ・ ・ ・ ・ ・ ・ ・|六
| ・ ・ ・ ・ ・ ・ ・ ・ ・|七
| ・v龍 ・ ・ ・ ・ ・ ・ ・|八
| ・ ・ ・ ・ 玉 ・ ・ ・ ・|九
+---------------------------+
先手の持駒：銀
手数＝0
後手番
   1 ８九龍(88)
";
    let record = kif::read(diagram).unwrap();
    assert_eq!(record.start.format_position(), "l3k4/9/6+P2/9/9/9/9/1+r7/4K4 w Sr2g13p 1");
    assert_eq!(record.moves.len(), 1);
    let handicaps = [
        ("香落ち", 39),
        ("右香落ち", 39),
        ("角落ち", 39),
        ("飛車落ち", 39),
        ("飛香落ち", 38),
        ("二枚落ち", 38),
        ("三枚落ち", 37),
        ("四枚落ち", 36),
        ("五枚落ち", 35),
        ("左五枚落ち", 35),
        ("六枚落ち", 34),
        ("八枚落ち", 32),
        ("十枚落ち", 30),
    ];
    for (name, pieces) in handicaps {
        let text = format!("手合割：{name}\n上手：甲\n   1 ３四歩(33)\n   2 ７六歩(77)\n");
        let record = kif::read(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(record.start.position().occupied().count(), pieces, "{name}");
        let theirs = oracle_kif::parse_kif_str(&text).unwrap();
        assert_eq!(record.start.format_position(), theirs.init_position_sfen(), "{name}");
        assert_eq!(record.players[1], "甲");
    }
}

#[test]
fn kif_ends_of_games() {
    let finish = |word: &str| {
        let record = kif::read(&format!("1 ７六歩(77)\n2 {word}\n")).unwrap();
        (record.finish.unwrap(), record.result())
    };
    let (first, second) = (GameResult::Win(Side::First), GameResult::Win(Side::Second));
    assert_eq!(finish("切れ負け"), (Finish::TimeUp, first));
    assert_eq!(finish("詰み"), (Finish::Mate, first));
    assert_eq!(finish("入玉勝ち"), (Finish::Declaration, second));
    assert_eq!(finish("反則負け"), (Finish::IllegalMove, first));
    assert_eq!(finish("反則勝ち"), (Finish::Foul(Side::First), second));
    assert_eq!(finish("不戦敗"), (Finish::Default, first));
    assert_eq!(finish("千日手"), (Finish::Repetition, GameResult::Draw));
    assert_eq!(finish("持将棋"), (Finish::Impasse, GameResult::Draw));
    assert_eq!(finish("中断"), (Finish::Interruption, GameResult::Unknown));
    let summed_up = kif::read("1 ７六歩(77)\nまで1手で先手の勝ち\n").unwrap();
    assert_eq!(summed_up.result(), first);
}

#[test]
fn broken_kif_says_where() {
    refused(kif::read(""), 1, "no game");
    refused(kif::read("手合割：九枚落ち\n"), 1, "no known handicap");
    refused(kif::read("なにか\n"), 1, "neither");
    refused(kif::read("1 ７五歩(77)\n"), 1, "cannot go");
    refused(kif::read("1 ７六香(77)\n"), 1, "another piece");
    refused(kif::read("1 ７六歩\n"), 1, "reads like");
    refused(kif::read("1 同　歩(77)\n"), 1, "last move");
    refused(kif::read("1 ７六歩(77)\n3 ３四歩(33)\n"), 2, "move 2 is expected");
    refused(kif::read("1 投了\n2 ３四歩(33)\n"), 2, "after the end");
    refused(kif::read("1 ７六歩(77)\nなにか\n"), 2, "no move");
    refused(kif::read("|v香 ・|一\n1 ７六歩(77)\n"), 1, "nine squares");
    refused(kif::read("先手の持駒：歩零\n"), 1, "no number");
}

#[test]
fn mutated_records_never_panic() {
    let mut rng = Rng::new(senbon_testkit::seed());
    let rounds = if senbon_testkit::long() { 200_000 } else { 10_000 };
    let (mut read, mut refused) = (0, 0);
    for _ in 0..rounds {
        for (text, is_csa) in [(CSA_EXAMPLE, true), (KIF_EXAMPLE, false)] {
            let text = support::mutate(text, &mut rng);
            let result = if is_csa { csa::read(&text) } else { kif::read(&text) };
            match result {
                Ok(record) => {
                    record.result();
                    assert!(csa::read(&csa::write(&record)).is_ok(), "{text}");
                    read += 1;
                }
                Err(error) => {
                    assert!(
                        (1..=text.lines().count() + 1).contains(&error.line),
                        "{error}\n{text}"
                    );
                    refused += 1;
                }
            }
        }
    }
    assert!(read > 100 && refused > 100, "{read} read, {refused} refused");
}
