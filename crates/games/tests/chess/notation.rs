//! FEN, UCI moves, algebraic notation and EPD.

use senbon_games::chess::{Chess, Epd, San, SanError};
use senbon_games::{Game, Notation};

use super::{VARIED, play_all, position, walk};

#[test]
fn fens_read_back() {
    for text in VARIED {
        assert_eq!(position(text).format_position(), text);
    }
    // Missing clocks, odd clocks, odd spacing.
    let start = Chess::start().format_position();
    for text in [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0",
        "  rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR  w KQkq - 0 0 ",
    ] {
        assert_eq!(position(text).format_position(), start, "{text}");
    }
    let late = position("4k3/8/8/8/8/8/8/R3K3 w Q - 113 90");
    assert_eq!(late.format_position(), "4k3/8/8/8/8/8/8/R3K3 w Q - 100 90");
}

#[test]
fn castling_rights_in_three_dialects() {
    let shredder = position("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1");
    assert!(shredder.is_chess960());
    assert_eq!(shredder.key(), Chess::start().key());
    // X-FEN: K is the outermost rook, G the inner one.
    let outer = position("4k3/8/8/8/8/8/8/4K1RR w K - 0 1");
    assert!(!outer.is_chess960());
    let inner = position("4k3/8/8/8/8/8/8/4K1RR w G - 0 1");
    assert_eq!(inner.format_position(), "4k3/8/8/8/8/8/8/4K1RR w G - 0 1");
    let odd = position("1r2k1r1/8/8/8/8/8/8/1R2K1R1 w KQkq - 0 1");
    assert!(odd.is_chess960());
    assert_eq!(odd.format_position(), "1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1");
}

#[test]
fn all_chess960_starts_read_back() {
    let mut texts: Vec<String> = (0..960)
        .map(|number| {
            let start = Chess::chess960_start(number).unwrap();
            let text = start.format_position();
            assert_eq!(position(&text), start);
            assert_eq!(start.count_moves(), position(&text).moves().len());
            text
        })
        .collect();
    assert!(texts[518].starts_with("rnbqkbnr/"));
    texts.sort();
    texts.dedup();
    assert_eq!(texts.len(), 960);
    assert!(Chess::chess960_start(960).is_none());
}

/// What is wrong, and at which byte.
#[test]
fn bad_fens_say_where() {
    let cases = [
        ("", 0, "ends before the board"),
        ("8/8/8/8/8/8/8 w - - 0 1", 13, "ends on rank 2"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR/8 w KQkq - 0 1", 43, "more than 8 ranks"),
        ("rnbqkbnr/ppppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 17, "more than 8 squares"),
        ("rnbqkbnr/pppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 13, "rank 7 has 4 squares"),
        ("rnbqkbnr/ppppxppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 13, "x is neither"),
        ("rnbqkbnr/pppp\u{e9}ppp/8/8/8/8/8/8 w KQkq - 0 1", 13, "is neither"),
        ("8/8/8/8/8/8/8/K7 w - - 0 1", 0, "Black has 0 kings"),
        ("kK6/8/8/8/8/8/8/K7 w - - 0 1", 0, "White has 2 kings"),
        ("k6P/8/8/8/8/8/8/K7 w - - 0 1", 0, "pawn on h8"),
        ("k7/8/8/8/8/QQQQ4/PPPPPPPP/K7 w - - 0 1", 0, "together more than 8"),
        ("k7/8/8/8/8/8/8/K7 x - - 0 1", 18, "w or b"),
        ("k7/8/8/8/8/8/8/K6r b - - 0 1", 0, "could take the king"),
        ("k6R/8/8/8/8/8/8/4K3 b KQ - 0 1", 22, "no rook to castle with for K"),
        ("4k3/8/8/8/8/8/8/R3K2R w KQz - 0 1", 26, "z is no castling right"),
        ("4k3/8/8/8/8/8/8/R3K2R w KK - 0 1", 25, "same castling right again"),
        ("4k3/8/8/8/8/8/4K3/R6R w K - 0 1", 24, "not on the back rank"),
        ("4k3/8/8/8/8/8/8/4K3 w - e3 0 1", 24, "rank 6"),
        ("4k3/8/8/8/8/8/8/4K3 w - zz 0 1", 24, "no en-passant square"),
        ("4k3/8/8/8/8/8/8/4K3 w - e6 0 1", 24, "double step"),
        ("4k3/8/8/8/8/8/8/4K3 w - - x 1", 26, "x is not"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 +1", 28, "+1 is not"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 99999", 28, "99999 is not"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1 bm e4", 30, "nothing may follow"),
        ("4k3/8/8/8/8/8/8/4K3 w -", 23, "ends before the en-passant"),
        ("7k/8/8/8/7q/3n4/8/R3K1r1 w - - 0 1", 0, "pieces give check"),
    ];
    for (text, at, what) in cases {
        let error = Chess::parse_position(text).expect_err(text);
        assert!(error.what.contains(what), "{text}: {error}");
        assert_eq!(error.at, at, "{text}: {error}");
    }
}

#[test]
fn castling_moves_in_both_forms() {
    let text = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    let mut game = position(text);
    let short = game.parse_move("e1g1").unwrap();
    assert_eq!(game.parse_move("e1h1"), Ok(short));
    assert_eq!(game.format_move(short), "e1g1");
    game.set_chess960(true);
    assert_eq!(game.format_move(short), "e1h1");
    assert_eq!(game.parse_move("e1g1"), Ok(short));
    play_all(&mut game, "e1a1 e8g8");
    assert_eq!(game.format_position(), "r4rk1/8/8/8/8/8/8/2KR3R w - - 2 2");
    // A king's step is no castling, and castling may leave the king where it is.
    let game = position("4k3/8/8/8/8/8/8/5KR1 w G - 0 1");
    assert!(game.is_chess960());
    assert_eq!(game.format_move(game.parse_move("f1g1").unwrap()), "f1g1");
    let mut stays = game.clone();
    stays.set_chess960(false);
    assert!(stays.is_chess960(), "the usual form cannot say it");
}

#[test]
fn bad_moves_say_why() {
    let game = position("4k3/P7/8/8/8/8/4P3/4K3 w - - 0 1");
    let cases = [
        ("", 0, "two squares"),
        ("e2", 2, "two squares"),
        ("e9e4", 0, "two squares"),
        ("e2\u{e9}4", 2, "two squares"),
        ("e2e4x", 4, "no promotion"),
        ("e2e4q", 4, "no promotion"),
        ("a7a8", 4, "must say"),
        ("e8e7", 0, "no piece of the side to move is on e8"),
        ("e2e5", 0, "not a legal move"),
        ("0000", 0, "two squares"),
    ];
    for (text, at, what) in cases {
        let error = game.parse_move(text).expect_err(text);
        assert!(error.what.contains(what), "{text}: {error}");
        assert_eq!(error.at, at, "{text}: {error}");
    }
}

#[test]
fn algebraic_notation_of_all_moves_reads_back() {
    let games = if senbon_testkit::long() { 1_000 } else { 120 };
    walk(games, 150, senbon_testkit::seed(), |position| {
        let mut texts = Vec::new();
        for mv in position.moves() {
            let san = San::of(position, mv);
            let text = san.to_string();
            assert_eq!(San::parse(&text), Ok(san), "{text}");
            assert_eq!(san.resolve(position), Ok(mv), "{text} in {}", position.format_position());
            texts.push(text);
        }
        let count = texts.len();
        texts.sort();
        texts.dedup();
        assert_eq!(texts.len(), count, "two moves are written alike: {texts:?}");
    });
}

#[test]
fn algebraic_notation_is_exact_in_writing() {
    let cases = [
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1g1", "O-O"),
        ("3k4/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1c1", "O-O-O+"),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", "exd6"),
        ("1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7b8n", "axb8=N"),
        ("1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7b8q", "axb8=Q+"),
        ("4k3/8/8/8/8/8/8/N1N1K3 w - - 0 1", "a1b3", "Nab3"),
        ("4k3/8/8/N7/8/8/8/N3K3 w - - 0 1", "a1b3", "N1b3"),
        ("4k3/8/8/N7/8/8/8/N1N1K3 w - - 0 1", "a1b3", "Na1b3"),
        // The other knight is pinned and does not count.
        ("4r1k1/8/8/8/8/8/4N3/2N1K3 w - - 0 1", "c1d3", "Nd3"),
        ("4r1k1/8/8/8/8/4N3/8/2N1K3 w - - 0 1", "c1e2", "Ne2"),
        ("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "a1a8", "Ra8#"),
    ];
    for (text, mv, expected) in cases {
        let game = position(text);
        let mv = game.parse_move(mv).unwrap();
        assert_eq!(game.format_san(mv), expected, "{text}");
    }
}

#[test]
fn algebraic_notation_is_generous_in_reading() {
    let start = Chess::start();
    let knight = start.parse_move("g1f3").unwrap();
    for text in ["Nf3", "Ngf3", "N1f3", "Ng1f3", "Ng1-f3", "Nxf3", "Nf3+", "Nf3!?", "Nf3#!!"] {
        assert_eq!(start.parse_san(text), Ok(knight), "{text}");
    }
    let pawn = start.parse_move("e2e4").unwrap();
    for text in ["e4", "e2e4", "e2-e4", "Pe4", "ee4", "P2e4", "e4?"] {
        assert_eq!(start.parse_san(text), Ok(pawn), "{text}");
    }
    let castling = position("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    for text in ["O-O", "0-0", "o-o", "O-O!"] {
        assert_eq!(castling.format_move(castling.parse_san(text).unwrap()), "e1g1", "{text}");
    }
    assert_eq!(castling.format_move(castling.parse_san("0-0-0").unwrap()), "e1c1");
    assert!(castling.parse_san("Kh1").is_err(), "castling is not a step to the rook's square");
    let promotion = position("1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1");
    for text in ["a8=B", "a8B", "a8b", "a8(B)", "a8/B", "a7a8b"] {
        assert_eq!(promotion.format_move(promotion.parse_san(text).unwrap()), "a7a8b", "{text}");
    }
    for text in ["axb8=Q", "ab8=Q", "a7xb8Q+", "a:b8=Q"] {
        assert_eq!(promotion.format_move(promotion.parse_san(text).unwrap()), "a7b8q", "{text}");
    }
    let en_passant = position("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1");
    assert!(en_passant.parse_san("exd6e.p.").is_ok());
}

#[test]
fn algebraic_notation_refuses_what_is_no_move() {
    for text in ["", "x", "e", "e9", "Ne", "O", "O-", "N", "Nf3x", "e4e5e6", "e4=", "Nf3=Q", "P"] {
        assert!(San::parse(text).is_err(), "{text}");
    }
    let resolve = |fen: &str, text: &str| San::parse(text).unwrap().resolve(&position(fen));
    let two_knights = "4k3/8/8/8/8/8/8/N1N1K3 w - - 0 1";
    assert!(matches!(resolve(two_knights, "Nb3"), Err(SanError::Ambiguous(..))));
    let promotion = "4k3/P7/8/8/8/8/8/4K3 w - - 0 1";
    assert!(matches!(resolve(promotion, "a8"), Err(SanError::NoPromotion(_))));
    for text in ["e4", "O-O", "Ke3", "--"] {
        assert!(matches!(resolve(promotion, text), Err(SanError::Illegal(_))), "{text}");
    }
}

#[test]
fn epd_lines() {
    let line = r#"1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - bm Qd1+ Qd2; id "BK; 01";hmvc 7; fmvn 33;"#;
    let epd = Epd::parse(line).unwrap();
    assert_eq!(epd.text("id"), Some("BK; 01"));
    assert!(epd.position.format_position().ends_with(" b - - 7 33"));
    assert_eq!(epd.moves("bm").map(|moves| moves.len()), Ok(2));
    assert_eq!(epd.moves("am"), Ok(vec![]));
    let perft = Epd::parse("4k3/8/8/8/8/8/8/4K3 w - - 0 1 ;D1 5;D2 25 ; D3 170").unwrap();
    assert_eq!(["D1", "D2", "D3"].map(|code| perft.text(code)), ["5", "25", "170"].map(Some));
    let bare = Epd::parse("4k3/8/8/8/8/8/8/4K3 w - -;").unwrap();
    assert!(bare.operations.is_empty());
    for (line, at) in [
        ("4k3/8/8/8/8/8/8/4K3 w -", 23),
        ("4k3/8/8/8/8/8/8/4K3 w - - id \"x", 29),
        ("4k3/8/8/8/8/8/8/4K3 w - - \"x\" id", 26),
        ("4k3/8/8/8/8/8/8/4K3 w - - hmvc x;", 26),
    ] {
        assert_eq!(Epd::parse(line).map_err(|e| e.at), Err(at), "{line}");
    }
    let wrong = Epd::parse("4k3/8/8/8/8/8/8/4K3 w - - bm Kd5;").unwrap();
    assert_eq!(wrong.moves("bm").map_err(|e| e.at), Err(26));
}

#[test]
fn reference_epd_files_read() {
    for (name, count) in [("wac300.epd", 300), ("bratko-kopec.epd", 24), ("hyatt-dts24.epd", 24)] {
        let Some(text) = senbon_testkit::reference_text(&format!("chess/{name}")) else { return };
        for line in text.lines() {
            let epd = Epd::parse(line).unwrap_or_else(|e| panic!("{line}: {e}"));
            assert!(epd.text("id").is_some(), "{line}");
            let best = epd.moves("bm").unwrap_or_else(|e| panic!("{line}: {e}"));
            let avoid = epd.moves("am").unwrap_or_else(|e| panic!("{line}: {e}"));
            assert!(name == "hyatt-dts24.epd" || !best.is_empty() || !avoid.is_empty(), "{line}");
        }
        assert_eq!(text.lines().count(), count);
    }
}
