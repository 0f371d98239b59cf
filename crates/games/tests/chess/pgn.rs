//! PGN in and out: real games, broken games, and made-up trees.

use senbon_games::chess::pgn::{GameResult, Line, MAX_DEPTH, Node, PgnError, Reader, Record};
use senbon_games::chess::{Chess, San};
use senbon_games::{Game, Notation, Rng, Side};

use super::{play_all, starts};

fn read(text: &[u8]) -> Vec<Result<Record, PgnError>> {
    Reader::new(text).collect()
}

fn read_one(text: &str) -> Record {
    let mut games = read(text.as_bytes());
    assert_eq!(games.len(), 1, "{text}");
    games.remove(0).unwrap_or_else(|e| panic!("{text}: {e}"))
}

fn error(text: &str) -> PgnError {
    read(text.as_bytes()).remove(0).expect_err(text)
}

#[test]
fn kasparov_against_deep_blue() {
    let file = "chess/kasparov_deepblue_1996_1997.pgn";
    let Some(path) = senbon_testkit::reference(file) else { return };
    #[allow(clippy::disallowed_methods)] // A test may read its data.
    let bytes = std::fs::read(path).unwrap();
    let games: Vec<Record> = Reader::new(&bytes).map(|game| game.unwrap()).collect();
    assert_eq!(games.len(), 12);
    let plies: usize = games.iter().map(|game| game.moves().unwrap().len()).sum();
    assert_eq!(plies, 1_091);
    assert_eq!(games[0].tag("Black"), Some("Kasparov, Gary"));
    assert_eq!(games[0].result, GameResult::Win(Side::First));
    for game in &games {
        assert_eq!(*game, read_one(&game.to_string()));
        // Played through and written anew, every move looks the same but for missing signs.
        let start = game.start().unwrap();
        let again = Record::from_moves(&start, &game.moves().unwrap(), game.result);
        for (node, made) in game.line.moves.iter().zip(&again.line.moves) {
            assert_eq!(node.san.action, made.san.action);
        }
    }
}

#[test]
fn everything_a_game_can_hold() {
    let record = read_one(
        "\u{feff}% an escaped line\n[Event \"a \\\"quoted\\\" \\\\ name\"]\n[Round \"1\"] [ White\n \"B\"\n]\n\
         % another\n\n{before} 1. e4! {one\ntwo} e5?? $13 (1... c5 2. Nf3 (2. c3 ; Alapin } here\n d5) 2... d6)\n\
         (1... e6) 2.Nf3 Nc6 {} 3. Bb5 {[%clk 0:01:02]} 3... a6 4. 0-0 -- 1/2-1/2\n",
    );
    let tags: Vec<_> = record.tags.iter().map(|(n, v)| (n.as_str(), v.as_str())).collect();
    assert_eq!(tags, [("Event", "a \"quoted\" \\ name"), ("Round", "1"), ("White", "B")]);
    assert_eq!(record.result, GameResult::Draw);
    assert_eq!(record.line.comments, ["before"]);
    let moves = &record.line.moves;
    let texts: Vec<String> = moves.iter().map(|node| node.san.to_string()).collect();
    assert_eq!(texts, ["e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "O-O", "--"]);
    assert_eq!((&moves[0].nags[..], &moves[0].comments[..]), (&[1][..], &["one two".into()][..]));
    assert_eq!(moves[1].nags, [4, 13]);
    assert_eq!(moves[1].variations.len(), 2);
    let alapin = &moves[1].variations[0].moves[1].variations[0];
    assert_eq!(alapin.moves[0].comments, ["Alapin } here"]);
    assert_eq!(moves[3].comments, Vec::<String>::new());
    assert_eq!(moves[4].comments, ["[%clk 0:01:02]"]);
    assert_eq!((moves[0].source_line, moves[7].source_line), (8, 11));
    let error = record.moves().unwrap_err();
    assert_eq!((error.game, error.line), (1, 11), "{error}");
    assert_eq!(read_one(&record.to_string()), record);
}

#[test]
fn results_and_missing_ends() {
    for (text, result) in [
        ("1. e4 1-0", GameResult::Win(Side::First)),
        ("1. e4 0-1\n", GameResult::Win(Side::Second)),
        ("1. e4 1/2", GameResult::Draw),
        ("1. e4 *", GameResult::Unknown),
        ("1. e4", GameResult::Unknown),
        ("[Result \"0-1\"]\n\n1. e4\n", GameResult::Win(Side::Second)),
        ("*", GameResult::Unknown),
        ("[Result \"1-0\"]", GameResult::Win(Side::First)),
        ("1. e4 (1. d4 1-0) e5 0-1", GameResult::Win(Side::Second)),
    ] {
        assert_eq!(read_one(text).result, result, "{text}");
    }
    // A game without a result ends where the next begins.
    let games = read(b"[Event \"a\"]\n\n1. e4\n\n[Event \"b\"]\n\n1. d4 *\n");
    assert_eq!(games.len(), 2);
    assert!(games.iter().all(Result::is_ok));
    assert!(read(b"").is_empty() && read(b" \r\n%only this\n").is_empty());
}

#[test]
fn start_positions_and_variants() {
    let fen = "4k3/8/8/8/8/8/8/4K2R b K - 3 20";
    let set_up = read_one(&format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n20... Ke7 21. O-O *"));
    assert_eq!(set_up.start().unwrap().format_position(), fen);
    assert_eq!(set_up.moves().unwrap().len(), 2);
    assert!(set_up.to_string().contains("\n20... Ke7 21. O-O *\n"));
    let odd = "[Variant \"Chess960\"]\n[FEN \"bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1\"]\n\n1. f4 f5 *";
    assert!(read_one(odd).start().unwrap().is_chess960());
    let atomic = read_one("[Variant \"Atomic\"]\n\n1. e4 *").start().unwrap_err();
    assert!(atomic.what.contains("atomic"), "{atomic}");
    let bad = read_one("[FEN \"nonsense\"]\n\n1. e4 *").start().unwrap_err();
    assert!(bad.what.contains("FEN"), "{bad}");
}

#[test]
fn latin_1_is_read() {
    let games = read(b"[White \"M\xfcller\"]\n\n1. e4 {sch\xf6n} *");
    let game = games[0].as_ref().unwrap();
    assert_eq!(game.tag("white"), Some("Müller"));
    assert_eq!(game.line.moves[0].comments, ["schön"]);
    assert_eq!(read_one(&game.to_string()), *game);
}

#[test]
fn broken_games_say_where() {
    for (text, line, what) in [
        ("[Event]\n\n1. e4 *", 1, "not in quotation marks"),
        ("[\"x\"]", 1, "begins with its name"),
        ("[Event \"x\n\"]", 1, "does not end on its line"),
        ("[Event \"x\" y]", 1, "not closed by ]"),
        ("1. e4\n2. Zz3 *", 2, "Zz3 is no move"),
        ("1. e4\n\ne5 ) *", 3, "not opened"),
        ("( 1. e4 ) *", 1, "before any move"),
        ("1. e4\n(1. d4 d5 *", 2, "never closed"),
        ("1. e4\n\n{ no end", 3, "never closed"),
        ("1. e4 $999 *", 1, "0 to 255"),
        ("$1 1. e4 *", 1, "before any move"),
        ("1. e4 <x> *", 1, "<x> is no move"),
        ("1. Nf3x *", 1, "is no move"),
    ] {
        let error = error(text);
        assert_eq!(error.line, line, "{text}: {error}");
        assert_eq!(error.game, 1);
        assert!(error.what.contains(what), "{text}: {error}");
    }
    let deep = format!("1. e4 {}", "(1. d4 ".repeat(MAX_DEPTH + 1));
    assert!(error(&deep).what.contains("nested deeper"));
    let long = format!("1. e4 {{{}}} *", "x".repeat(1 << 19));
    assert!(error(&long).what.contains("longer than"));
    let many = "[A \"b\"]\n".repeat(2_000);
    assert!(error(&many).what.contains("tags"));
    let illegal = read_one("1. e4 e5\n2. Ke3 *").moves().unwrap_err();
    assert_eq!(illegal.to_string(), "game 1, line 2: move 2: Ke3 is not a legal move here");
}

/// Whatever is wrong with one game, its neighbours are read, and numbered right.
#[test]
fn reading_goes_on_after_a_broken_game() {
    let good = |name: &str| format!("[Event \"{name}\"]\n[Site \"x\"]\n\n1. e4 e5 *\n\n");
    for broken in [
        "[Event \"b\"]\n[Site x]\n\n1. e4 *\n\n",
        "[Event \"b\"]\n[Site \"x\n\n1. e4 *\n\n",
        "[Event \"b\"]\n\n1. e4 e5 2. Qq4 Nc6\n3. Bb5 *\n\n",
        "[Event \"b\"]\n\n1. e4 e5 {never closed\n3. Bb5 *\n\n",
        "[Event \"b\"]\n\n1. e4 e5 (1... c5 2. Nf3\n\n",
        "[Event \"b\"]\n\n1. e4 e5 )\n*\n\n",
        "[Site \"b\"]\n\n1. e4 ? ? ?? $x\n\n*\n\n",
        "1. e4 ???x *\n\n",
    ] {
        let text = good("a") + broken + &good("c");
        let games = read(text.as_bytes());
        assert_eq!(games.len(), 3, "{broken}: {games:?}");
        assert_eq!(games[0].as_ref().unwrap().tag("Event"), Some("a"));
        let error = games[1].as_ref().unwrap_err();
        assert_eq!(error.game, 2, "{error}");
        assert!((6..=10).contains(&error.line), "{error}");
        let last = games[2].as_ref().unwrap();
        assert_eq!((last.tag("Event"), last.number), (Some("c"), 3));
    }
}

#[test]
fn played_games_are_written_and_read_back() {
    let mut rng = Rng::new(senbon_testkit::seed());
    let starts = starts(&mut rng);
    for _ in 0..60 {
        let start = rng.pick(&starts).unwrap();
        let (mut position, mut moves) = (start.clone(), Vec::new());
        for _ in 0..rng.below(200) {
            let legal = position.moves();
            let Some(&mv) = rng.pick(&legal) else { break };
            position.play(mv);
            moves.push(mv);
        }
        let record = Record::from_moves(start, &moves, GameResult::Draw);
        let again = read_one(&record.to_string());
        assert_eq!(again, record);
        assert_eq!(again.start().unwrap(), *start);
        assert_eq!(again.moves().unwrap(), moves);
    }
}

#[test]
fn made_up_trees_are_written_and_read_back() {
    let seed = senbon_testkit::seed();
    let mut rng = Rng::new(seed);
    for _ in 0..300 {
        let mut record = Record { line: random_line(&mut rng, 4), ..Record::default() };
        for name in ["Event", "Site", "X_1"] {
            record.tags.push((name.into(), random_text(&mut rng)));
        }
        let text = record.to_string();
        assert_eq!(read_one(&text), record, "seed {seed}:\n{text}");
        let is_short =
            |line: &str| line.chars().count() <= 80 || line.contains(';') || line.starts_with('[');
        assert!(text.lines().all(is_short), "seed {seed}:\n{text}");
    }
}

fn random_line(rng: &mut Rng, depth: usize) -> Line {
    let mut line = Line::default();
    if rng.one_in(3) {
        line.comments.push(random_comment(rng));
    }
    for _ in 0..rng.below(12) {
        let texts = ["e4", "Nf3", "exd5", "O-O", "O-O-O+", "a8=Q#", "Ra1xb1", "--", "N1d2"];
        let mut node = Node::new(San::parse(rng.pick(&texts).unwrap()).unwrap());
        for _ in 0..rng.below(3) {
            node.nags.push(rng.below(256) as u8);
        }
        while rng.one_in(4) {
            node.comments.push(random_comment(rng));
        }
        while depth > 0 && rng.one_in(6) {
            node.variations.push(random_line(rng, depth - 1));
        }
        line.moves.push(node);
    }
    line
}

/// Not empty, no space around it; perhaps a brace, then short enough for one line.
fn random_comment(rng: &mut Rng) -> String {
    if rng.one_in(8) {
        return "with } a { brace".into();
    }
    let words = ["eine", "[%eval", "0.3]", "größer", "(aside)", "", "%", ";", "\"", "{", "1-0"];
    let middle: Vec<&str> = (0..rng.below(30)).map(|_| *rng.pick(&words).unwrap()).collect();
    format!("a {} z", middle.join(" "))
}

fn random_text(rng: &mut Rng) -> String {
    let letters = ['a', 'Z', '"', '\\', ' ', ']', '[', 'ü', '%', '{', ';'];
    (0..rng.below(20)).map(|_| *rng.pick(&letters).unwrap()).collect()
}

#[test]
fn a_game_is_written_in_export_format() {
    let mut game = Chess::start();
    let mut record = Record::from_moves(&game, &[], GameResult::Unknown);
    record.line.comments.push("A game.".into());
    for text in ["e2e4", "e7e5", "g1f3"] {
        let mv = game.parse_move(text).unwrap();
        record.line.moves.push(Node::new(San::of(&game, mv)));
        play_all(&mut game, text);
    }
    record.line.moves[0].comments.push("Best by test".into());
    record.line.moves[1].nags.push(1);
    let other = San::parse("c5").unwrap();
    record.line.moves[1].variations.push(Line { moves: vec![Node::new(other)], ..Line::default() });
    assert_eq!(
        record.to_string(),
        "[Result \"*\"]\n\n{A game.} 1. e4 {Best by test} 1... e5 $1 (1... c5) 2. Nf3 *\n\n"
    );
}
