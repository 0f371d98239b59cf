//! SGF files: the Little Go cases of the rules, real games, and our own writing read back.

use senbon_games::go::life::{Claim, Stones};
use senbon_games::go::sgf::{Margin, Record, SgfError, Verdict, read, write};
use senbon_games::go::{Go, Illegal, Ko, Komi, Move, Rules};
use senbon_games::{Game, Notation, Rng, Side};

use crate::support::mutate;
use crate::{all_rules, mv, points, position};

/// Simple ko, no suicide: what allows most.
const LOOSE: Rules = Rules { ko: Ko::Simple, ..Rules::CHINESE };

fn little_go(name: &str) -> Option<String> {
    senbon_testkit::reference_text(&format!("go/rules/littlego/{name}.sgf"))
}

fn refused(text: &str, rules: Rules) -> (usize, String, String) {
    match read(text, rules) {
        Err(SgfError::Property { node, property, what }) => (node, property, what),
        other => panic!("{other:?}"),
    }
}

/// The file and what is wrong with it: node, property and words of the reason.
#[test]
fn little_go_files_that_cannot_be_loaded() {
    for (name, node, property, part) in [
        ("illegal-move", 16, "W", "H6 is not legal: there is a stone already"),
        ("illegal-setup", 0, "AB", "the stones of A19 have no liberty"),
        ("not-enough-handicap-stones", 0, "HA", "3 handicap stones, but AB sets up 0"),
        ("setup-after-first-move", 2, "AB", "before the first move"),
        ("setup-before-handicap-setup", 1, "HA", "belongs in the first node"),
        ("setup-player-after-first-move", 2, "PL", "cannot change"),
        ("suicide", 4, "W", "A19 is not legal: the stone would have no liberty"),
    ] {
        let Some(text) = little_go(name) else { return };
        let (at, what, why) = refused(&text, LOOSE);
        assert_eq!((at, what.as_str()), (node, property), "{name}: {why}");
        assert!(why.contains(part), "{name}: {why}");
    }
}

#[test]
fn little_go_suicide() {
    let Some(text) = little_go("suicide") else { return };
    for rules in all_rules() {
        let allowed = rules.suicide && rules.ko != Ko::Positional;
        assert_eq!(read(&text, rules).is_ok(), allowed, "{rules}");
    }
}

#[test]
fn little_go_passes() {
    for passes in 2..=5 {
        let Some(text) = little_go(&format!("{passes}-passes")) else { return };
        let record = read(&text, Rules::CHINESE).unwrap();
        assert_eq!(record.moves, vec![Move::PASS; passes]);
        let mut go = record.start.clone();
        let ended: Vec<bool> = record
            .moves
            .iter()
            .map(|&mv| {
                go.play(mv);
                go.outcome().is_some()
            })
            .collect();
        // Over with the second pass, and none of the others changes that.
        assert_eq!(ended.iter().position(|&over| over), Some(1));
        assert!(ended[1..].iter().all(|&over| over));
        assert_eq!(go.score().to_string(), "W+6.5");
    }
}

/// The last move of each file is what the file's name says. Positional superko forbids both;
/// situational superko only the one that also brings back the side to move.
#[test]
fn little_go_superko() {
    for (name, situational_too) in [("positional-superko", false), ("situational-superko", true)] {
        let Some(text) = little_go(name) else { return };
        let loose = read(&text, LOOSE).unwrap();
        let last = loose.moves.len();
        for rules in all_rules().into_iter().filter(|rules| !rules.suicide) {
            let forbidden = match rules.ko {
                Ko::Simple => false,
                Ko::Positional => true,
                Ko::Situational => situational_too,
            };
            if forbidden {
                let (node, _, why) = refused(&text, rules);
                assert_eq!(node, last, "{name} under {rules}");
                assert!(why.contains("superko"), "{why}");
            } else {
                assert_eq!(read(&text, rules).unwrap().moves, loose.moves);
            }
        }
    }
}

#[test]
fn little_go_b7_for_superko() {
    let Some(text) = little_go("play-b-b7-for-superko") else { return };
    for rules in all_rules() {
        let go = read(&text, rules).unwrap().end();
        assert_eq!(go.side_to_move(), Side::First);
        let expected = if rules.ko == Ko::Simple { Ok(()) } else { Err(Illegal::Superko) };
        assert_eq!(go.check(mv(&go, "B7")), expected, "{rules}");
    }
}

/// Two chains with one eye each and a liberty that both need: the eyes are territory, but not
/// of stones that live on their own.
#[test]
fn little_go_seki() {
    let Some(text) = little_go("seki-9b") else { return };
    let go = read(&text, Rules::CHINESE).unwrap().end();
    let rows = "1X1O1OX/XXXOOOX/OOOXXXX/2OO3/7/7/7";
    assert_eq!(go.format_position().split(' ').next(), Some(rows));
    let stones = Stones::from(go.board());
    let area = stones.area(Claim::Stones, false);
    let living = stones.independent(&area);
    for (side, eye) in [(Side::First, "A7"), (Side::Second, "E7")] {
        let eye = points(&go, eye);
        assert!(eye.is_within(&stones.territory()[side.index()]));
        assert!(eye.is_within(&area[side.index()]));
        assert!((eye & living[side.index()]).is_empty());
    }
    let shared = points(&go, "C7");
    assert!((shared & (area[0] | area[1])).is_empty());
}

/// Longer than Little Go's engine can bear; for us only long. Black fills the board, White
/// takes all of it with the last stone, and Black starts again.
#[test]
fn little_go_many_moves() {
    let Some(text) = little_go("too-many-moves") else { return };
    for rules in all_rules() {
        let record = read(&text, rules).unwrap();
        assert_eq!(record.moves.len(), 1_395);
        let end = record.end();
        assert_eq!(end.prisoners(Side::Second), 360);
        assert_eq!(end.board().stones(Side::Second).len(), 1);
    }
}

/// All files of the folder, by name.
fn real_games() -> Option<Vec<(String, String)>> {
    let folder = senbon_testkit::reference("go/games9")?;
    #[allow(clippy::disallowed_methods)] // A test may look for its files.
    let entries = std::fs::read_dir(folder).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    let text = |name: &str| senbon_testkit::reference_text(&format!("go/games9/{name}")).unwrap();
    Some(
        names
            .into_iter()
            .map(|name| (text(&name), name))
            .map(|(text, name)| (name, text))
            .collect(),
    )
}

#[test]
fn real_games_can_be_replayed() {
    let Some(files) = real_games() else { return };
    let mut moves = 0;
    for (name, text) in &files {
        let record = read(text, LOOSE).unwrap_or_else(|e| panic!("{name}: {e}"));
        moves += record.moves.len();
        assert_eq!(record.start.size(), 9, "{name}");
        assert!(!record.moves.is_empty(), "{name}");
        assert_eq!(read(&write(&record), LOOSE).as_ref(), Ok(&record), "{name}");
    }
    assert_eq!((files.len(), moves), (99, 5_571));
}

/// The Computer Go Server counts boards as they stand, as we do.
#[test]
fn counts_agree_with_the_computer_go_server() {
    let Some(files) = real_games() else { return };
    let mut counted = 0;
    for (name, text) in files.iter().filter(|(name, _)| name.contains("cgos")) {
        let record = read(text, LOOSE).unwrap();
        match record.verdict {
            Some(Verdict::Won(winner, Margin::Halves(halves))) => {
                let end = record.end();
                assert!(end.ended().is_some(), "{name}");
                assert_eq!(end.score().winner(), Some(winner), "{name}");
                assert_eq!(end.score().halves().unsigned_abs(), u32::from(halves), "{name}");
                counted += 1;
            }
            // Five games were lost by an illegal move, which the record leaves out.
            verdict => assert!(matches!(verdict, Some(Verdict::Won(_, Margin::Forfeit))), "{name}"),
        }
    }
    assert_eq!(counted, 2);
}

fn random_record(rng: &mut Rng) -> Record {
    let rules = [Rules::JAPANESE, Rules::AGA, Rules::NEW_ZEALAND, all_rules()[rng.below(6)]];
    let komi = Komi::from_halves(rng.below(40) as i16 - 20).unwrap();
    let rules = rules[rng.below(4)].with_komi(komi);
    let mut record = match rng.below(3) {
        0 => Record::new(Go::new(2 + rng.below(24), rules)),
        1 => {
            let handicap = 2 + rng.below(8);
            let start = Go::with_fixed_handicap(9, rules, handicap).unwrap();
            Record { handicap, ..Record::new(start) }
        }
        _ => {
            let mut start = Go::new(2 + rng.below(10), rules);
            for _ in 0..rng.below(20) {
                let moves = start.moves();
                start.play(moves[rng.below(moves.len())]);
            }
            let text = start.format_position();
            let words: Vec<&str> = text.split(' ').collect();
            let bare = format!("{} {} - 0 0/0 {} {}", words[0], words[1], words[5], words[6]);
            Record::new(position(&bare))
        }
    };
    let mut go = record.start.clone();
    for _ in 0..rng.below(40) {
        let moves = go.moves();
        let mv = moves[rng.below(moves.len())];
        go.play(mv);
        record.moves.push(mv);
    }
    record.black = rng.one_in(2).then(|| "Black [the first]: \\ 黒".to_owned());
    record.white = rng.one_in(2).then(|| "W".to_owned());
    let side = if rng.one_in(2) { Side::First } else { Side::Second };
    record.verdict = [
        None,
        Some(Verdict::Draw),
        Some(Verdict::Void),
        Some(Verdict::Unknown),
        Some(Verdict::Won(side, Margin::Halves(rng.below(99) as u16))),
        Some(Verdict::Won(side, Margin::Resignation)),
        Some(Verdict::Won(side, Margin::Time)),
        Some(Verdict::Won(side, Margin::Forfeit)),
        Some(Verdict::Won(side, Margin::Unstated)),
    ][rng.below(9)];
    record
}

#[test]
fn what_is_written_is_read() {
    let mut rng = Rng::new(senbon_testkit::seed());
    for _ in 0..500 {
        let record = random_record(&mut rng);
        let text = write(&record);
        assert_eq!(read(&text, Rules::TROMP_TAYLOR), Ok(record), "{text}");
    }
}

#[test]
fn a_small_record() {
    let text = "(;FF[4]GM[1]SZ[5]RU[japanese]KM[0.5]HA[2]AB[bb][dd]PB[A\\]B]PW[C]RE[W+3.5]\
                ;W[cc]C[a comment (;B[aa\\])](;B[dc];W[tt];B[])(;B[ee]))";
    let record = read(text, Rules::CHINESE).unwrap();
    assert_eq!(record.handicap, 2);
    assert_eq!(*record.start.rules(), Rules::JAPANESE.with_komi(Komi::from_halves(1).unwrap()));
    assert_eq!(record.black.as_deref(), Some("A]B"));
    assert_eq!(record.verdict, Some(Verdict::Won(Side::Second, Margin::Halves(7))));
    assert_eq!(record.start.format_line(&record.moves), ["C3", "D3", "pass", "pass"]);
    assert_eq!(
        write(&record),
        "(;FF[4]GM[1]CA[UTF-8]AP[Senbon]SZ[5]KM[0.5]RU[Japanese]PB[A\\]B]PW[C]RE[W+3.5]HA[2]\
         AB[bb][dd]PL[W];W[cc];B[dc];W[];B[])\n"
    );
}

#[test]
fn errors_name_node_and_property() {
    for (text, node, property, part) in [
        ("(;SZ[26])", 0, "SZ", "2 to 25"),
        ("(;SZ[1])", 0, "SZ", "2 to 25"),
        ("(;SZ[9:13])", 0, "SZ", "square"),
        ("(;SZ[x])", 0, "SZ", "cannot be understood: [x]"),
        ("(;KM[x])", 0, "KM", "cannot be understood"),
        ("(;KM[0.3])", 0, "KM", "half points"),
        ("(;KM[nan])", 0, "KM", "half points"),
        ("(;KM[1e300])", 0, "KM", "half points"),
        ("(;HA[-3])", 0, "HA", "cannot be understood"),
        ("(;HA[99999999999])", 0, "HA", "but AB sets up 0"),
        ("(;SZ[9]HA[2]AB[cc][gg];AB[ee]PL[W])", 1, "AB", "first node alone"),
        ("(;;SZ[9])", 1, "SZ", "first node"),
        ("(;;KM[5])", 1, "KM", "first node"),
        ("(;SZ[9]AB[jj])", 0, "AB", "outside the board of 9 rows"),
        ("(;SZ[9];B[aa];W[aj])", 2, "W", "outside the board"),
        ("(;SZ[9];B[aa];W[a])", 2, "W", "cannot be understood: [a]"),
        ("(;SZ[9];B[aa];B[bb])", 2, "B", "other side's move"),
        ("(;SZ[9]PL[W];B[aa])", 1, "B", "other side's move"),
        ("(;SZ[9];B[aa]W[bb])", 1, "W", "one move only"),
        ("(;SZ[9];B[aa]AW[bb])", 1, "AW", "cannot set up"),
        ("(;SZ[2]AW[aa][ab][ba]AB[bb])", 0, "AB", "B1"),
        ("(;SZ[3]AW[aa][ab];AB[ba][bb][ac])", 1, "AW", "A3"),
    ] {
        let (at, what, why) = refused(text, Rules::CHINESE);
        assert_eq!((at, what.as_str()), (node, property), "{text}: {why}");
        assert!(why.contains(part), "{text}: {why}");
    }
    let syntax = |text| matches!(read(text, Rules::CHINESE), Err(SgfError::Syntax(_)));
    for text in ["", "(", "hello", "(;GM[2])", "(;B[aa)", "(;B[aa]))"] {
        assert!(syntax(text), "{text}");
    }
    let error = read("(;SZ[9];B[aa];W[aa])", Rules::CHINESE).unwrap_err().to_string();
    assert_eq!(error, "node 2, property W: A9 is not legal: there is a stone already");
}

#[test]
fn setup_can_be_changed_and_taken_away_before_the_first_move() {
    let record = read("(;SZ[5]AB[aa:bb]AW[cc];AE[aa]AW[bb];PL[W])", Rules::CHINESE).unwrap();
    let rows = record.start.format_position();
    assert!(rows.starts_with("1X3/XO3/2O2/5/5 w "), "{rows}");
}

#[test]
fn absurdly_long_lines_are_refused_and_long_ones_read() {
    // In a thread with the stack that tests and workers have.
    let long = |nodes: usize| format!("(;SZ[9]{})", ";B[];W[]".repeat(nodes / 2));
    assert_eq!(read(&long(3_998), LOOSE).map(|record| record.moves.len()), Ok(3_998));
    assert_eq!(read(&long(1_000_000), LOOSE), Err(SgfError::TooLong));
    let deep = "(;".repeat(1_000_000);
    assert_eq!(read(&deep, LOOSE), Err(SgfError::TooLong));
    // Many short variations are no trouble.
    let wide = format!("(;SZ[9]{})", "(;B[aa];W[bb])".repeat(20_000));
    assert_eq!(read(&wide, LOOSE).map(|record| record.moves.len()), Ok(2));
}

#[test]
fn changed_files_are_refused_or_make_sense() {
    let mut rng = Rng::new(senbon_testkit::seed());
    let rounds = if senbon_testkit::long() { 100_000 } else { 5_000 };
    let mut accepted = 0;
    for _ in 0..rounds {
        let text = mutate(&write(&random_record(&mut rng)), &mut rng);
        if let Ok(record) = read(&text, Rules::CHINESE) {
            accepted += 1;
            // Legal to the end, so that it can be written and read again.
            let mut go = record.start.clone();
            for &mv in &record.moves {
                assert_eq!(go.check(mv), Ok(()), "{text}");
                go.play(mv);
            }
            let again = read(&write(&record), Rules::CHINESE).unwrap();
            assert_eq!(again.end().key(), go.key(), "{text}");
        }
    }
    assert!(accepted > rounds / 50, "{accepted} of {rounds} were accepted");
}
