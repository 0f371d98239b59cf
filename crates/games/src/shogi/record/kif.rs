//! KIF records, as Japanese shogi programs and sites keep them.
//!
//! The main line is read. Variations, which follow it in the file, are not.

use shogi_core::{Color, Move, Piece, PieceKind, Square};

use super::setup::Setup;
use super::{Body, Finish, Record, RecordError};
use crate::shogi::Shogi;
use crate::{Game, Notation, Side};

/// Longer names first, where one starts like another.
const PIECES: [(&str, PieceKind); 19] = [
    ("成香", PieceKind::ProLance),
    ("成桂", PieceKind::ProKnight),
    ("成銀", PieceKind::ProSilver),
    ("歩", PieceKind::Pawn),
    ("香", PieceKind::Lance),
    ("桂", PieceKind::Knight),
    ("銀", PieceKind::Silver),
    ("金", PieceKind::Gold),
    ("角", PieceKind::Bishop),
    ("飛", PieceKind::Rook),
    ("玉", PieceKind::King),
    ("王", PieceKind::King),
    ("と", PieceKind::ProPawn),
    ("杏", PieceKind::ProLance),
    ("圭", PieceKind::ProKnight),
    ("全", PieceKind::ProSilver),
    ("馬", PieceKind::ProBishop),
    ("龍", PieceKind::ProRook),
    ("竜", PieceKind::ProRook),
];

/// Ends of a game by the word in place of a move.
const FINISHES: [(&str, Ending); 14] = [
    ("投了", Ending::Is(Finish::Resignation)),
    ("切れ負け", Ending::Is(Finish::TimeUp)),
    ("詰み", Ending::Is(Finish::Mate)),
    ("詰", Ending::Is(Finish::Mate)),
    ("入玉勝ち", Ending::Is(Finish::Declaration)),
    ("入玉宣言", Ending::Is(Finish::Declaration)),
    ("反則負け", Ending::Is(Finish::IllegalMove)),
    ("反則勝ち", Ending::FoulOfOther),
    ("不戦敗", Ending::Is(Finish::Default)),
    ("不戦勝", Ending::Is(Finish::DefaultWin)),
    ("千日手", Ending::Is(Finish::Repetition)),
    ("持将棋", Ending::Is(Finish::Impasse)),
    ("最大手数", Ending::Is(Finish::MoveLimit)),
    ("中断", Ending::Is(Finish::Interruption)),
];

#[derive(Clone, Copy)]
enum Ending {
    Is(Finish),
    /// The side that does not move broke a rule.
    FoulOfOther,
}

impl Ending {
    fn finish(self, mover: Side) -> Finish {
        match self {
            Ending::Is(finish) => finish,
            Ending::FoulOfOther => Finish::Foul(!mover),
        }
    }
}

/// Start positions by name; the giver of the handicap moves first.
const HANDICAPS: [(&str, &str); 15] = [
    ("香落ち", "lnsgkgsn1/1r5b1"),
    ("右香落ち", "1nsgkgsnl/1r5b1"),
    ("角落ち", "lnsgkgsnl/1r7"),
    ("飛車落ち", "lnsgkgsnl/7b1"),
    ("飛香落ち", "lnsgkgsn1/7b1"),
    ("二枚落ち", "lnsgkgsnl/9"),
    ("三枚落ち", "lnsgkgsn1/9"),
    ("四枚落ち", "1nsgkgsn1/9"),
    ("五枚落ち", "2sgkgsn1/9"),
    ("左五枚落ち", "1nsgkgs2/9"),
    ("六枚落ち", "2sgkgs2/9"),
    ("左七枚落ち", "2sgkg3/9"),
    ("右七枚落ち", "3gkgs2/9"),
    ("八枚落ち", "3gkg3/9"),
    ("十枚落ち", "4k4/9"),
];

/// Reads the main line of a game.
///
/// ```
/// use senbon_games::shogi::record::{Finish, kif};
/// let text = "手合割：平手\n手数----指手---------消費時間--\n   1 ７六歩(77)   ( 0:16/00:00:16)\n   2 投了\n";
/// let record = kif::read(text).unwrap();
/// assert_eq!(record.moves[0].time_ms, Some(16_000));
/// assert_eq!(record.finish, Some(Finish::Resignation));
/// assert_eq!(kif::read("1 ７五歩(77)\n").unwrap_err().line, 1);
/// ```
pub fn read(text: &str) -> Result<Record, RecordError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut reader = Reader::default();
    let mut last = 1;
    for (index, line) in text.lines().enumerate() {
        last = index + 1;
        let line = line.trim_matches(|c: char| c.is_whitespace());
        if line.starts_with("変化") {
            break;
        }
        reader.line(line).map_err(|what| RecordError::new(last, what))?;
    }
    if !reader.started {
        return Err(RecordError::new(last, "there is no game"));
    }
    reader.body().map_err(|what| RecordError::new(last, what))?;
    Ok(reader.body.map(|body| body.record).unwrap_or_default())
}

/// A game being read.
struct Reader {
    started: bool,
    players: [String; 2],
    tags: Vec<(String, String)>,
    /// A start position that is not the usual one.
    setup: Option<Setup>,
    /// Rows of a board diagram seen so far.
    rows: u8,
    body: Option<Body>,
    /// Where the last move went, for 同.
    last_to: Option<Square>,
}

impl Default for Reader {
    fn default() -> Self {
        let (started, players, tags, rows) = Default::default();
        Reader { started, players, tags, setup: None, rows, body: None, last_to: None }
    }
}

impl Reader {
    fn line(&mut self, line: &str) -> Result<(), String> {
        if line.is_empty() || line.starts_with(['#', '&', '+']) || line.starts_with("手数--") {
            return Ok(());
        }
        if let Some(comment) = line.strip_prefix('*') {
            if let Some(body) = &mut self.body {
                body.comment(comment);
            }
            return Ok(());
        }
        if line.starts_with(|c: char| c.is_ascii_digit()) {
            self.started = true;
            return self.numbered(line);
        }
        if let Some(summary) = line.strip_prefix("まで") {
            return self.summary(summary);
        }
        if self.body.is_none() {
            return self.head(line);
        }
        Err(format!("{line:?} is no move"))
    }

    fn head(&mut self, line: &str) -> Result<(), String> {
        if let Some(row) = line.strip_prefix('|') {
            self.rows += 1;
            self.started = true;
            return place_row(self.setup(), row);
        }
        match line {
            "先手番" | "下手番" => self.setup().side = Color::Black,
            "後手番" | "上手番" => self.setup().side = Color::White,
            _ => match line.split_once(['：', ':']) {
                Some((key, value)) => {
                    self.started = true;
                    return self.tag(key.trim(), value.trim());
                }
                // The count of moves below a diagram may say whose move it is.
                None if line.starts_with("手数＝") => {
                    if line.ends_with("後手番") || line.ends_with("上手番") {
                        self.setup().side = Color::White;
                    }
                }
                // The files above a diagram.
                None if line.starts_with('９') => {}
                None => return Err(format!("{line:?} is neither a heading nor a move")),
            },
        }
        Ok(())
    }

    fn setup(&mut self) -> &mut Setup {
        self.setup.get_or_insert_with(Setup::empty)
    }

    fn tag(&mut self, key: &str, value: &str) -> Result<(), String> {
        match key {
            "先手" | "下手" => self.players[0] = value.to_owned(),
            "後手" | "上手" => self.players[1] = value.to_owned(),
            "先手の持駒" | "下手の持駒" => {
                return hold(self.setup(), Color::Black, value);
            }
            "後手の持駒" | "上手の持駒" => {
                return hold(self.setup(), Color::White, value);
            }
            "手合割" => return self.handicap(value),
            _ => self.tags.push((key.to_owned(), value.to_owned())),
        }
        Ok(())
    }

    fn handicap(&mut self, name: &str) -> Result<(), String> {
        if name == "平手" || name == "その他" {
            return Ok(());
        }
        let known = HANDICAPS.iter().find(|(known, _)| *known == name);
        let (_, rows) = known.ok_or_else(|| format!("{name:?} is no known handicap"))?;
        let sfen = format!("{rows}/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1");
        let game = Shogi::parse_position(&sfen).map_err(|error| error.what)?;
        self.setup = Some(Setup::of(&game));
        self.rows = 9;
        Ok(())
    }

    /// The body, begun when the first line needs it.
    fn body(&mut self) -> Result<&mut Body, String> {
        if self.body.is_none() {
            let start = match &self.setup {
                None => Shogi::start(),
                // Hands or the side to move were given without a board.
                Some(setup) if self.rows == 0 => {
                    let mut whole = Setup::of(&Shogi::start());
                    whole.side = setup.side;
                    whole.position()?
                }
                Some(_) if self.rows != 9 => {
                    return Err(format!("the board diagram has {} rows, not nine", self.rows));
                }
                Some(setup) => setup.position()?,
            };
            let mut record = Record::new(start);
            record.players = std::mem::take(&mut self.players);
            record.tags = std::mem::take(&mut self.tags);
            self.body = Some(Body::new(record));
        }
        self.body.as_mut().ok_or_else(|| "the start position is missing".to_owned())
    }

    /// A line like `12 同　歩(33)   ( 0:01/00:00:02)`.
    fn numbered(&mut self, line: &str) -> Result<(), String> {
        let (number, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let number = number.trim_end_matches('.');
        let rest = rest.trim_start();
        let last_to = self.last_to;
        let body = self.body()?;
        if body.record.finish.is_some() {
            return Err("a move after the end of the game".to_owned());
        }
        let expected = body.record.moves.len() + 1;
        if number.parse() != Ok(expected) {
            return Err(format!("move {expected} is expected, not {number}"));
        }
        let word = rest.split(['(', ' ']).next().unwrap_or("");
        let mover = body.game.side_to_move();
        if let Some((_, ending)) = FINISHES.iter().find(|(known, _)| *known == word) {
            body.record.finish = Some(ending.finish(mover));
            return Ok(());
        }
        let (mv, rest) = parse_move(&body.game, rest, last_to)?;
        body.play(mv).map_err(|what| format!("{}: {what}", rest_before(line, rest)))?;
        if let Some(time_ms) = parse_time(rest) {
            body.time(time_ms);
        }
        self.last_to = Some(mv.to());
        Ok(())
    }

    /// `112手で先手の勝ち`, where the moves did not say how the game ended.
    fn summary(&mut self, text: &str) -> Result<(), String> {
        self.started = true;
        let body = self.body()?;
        if body.record.finish.is_some() {
            return Ok(());
        }
        let mover = body.game.side_to_move();
        let said = FINISHES.iter().find(|(word, _)| text.contains(word));
        body.record.finish = match said {
            Some((_, ending)) => Some(ending.finish(mover)),
            None if text.ends_with("勝ち") => Some(Finish::Resignation),
            None => None,
        };
        Ok(())
    }
}

/// The part of `line` before its tail `rest`.
fn rest_before<'a>(line: &'a str, rest: &str) -> &'a str {
    line[..line.len() - rest.len()].trim_end()
}

/// A digit: `7`, `７` or `七`.
fn digit(letter: char) -> Option<u8> {
    const KANJI: [char; 9] = ['一', '二', '三', '四', '五', '六', '七', '八', '九'];
    let wide = (letter as u32).wrapping_sub('０' as u32);
    let value = letter.to_digit(10).or((wide <= 9).then_some(wide));
    let kanji = || KANJI.iter().position(|&kanji| kanji == letter).map(|index| index as u8 + 1);
    value.map(|value| value as u8).or_else(kanji)
}

fn take_piece(text: &str) -> Option<(PieceKind, &str)> {
    PIECES.iter().find_map(|&(name, kind)| Some((kind, text.strip_prefix(name)?)))
}

/// A move and the text after it.
fn parse_move<'a>(
    game: &Shogi,
    text: &'a str,
    last_to: Option<Square>,
) -> Result<(Move, &'a str), String> {
    let wrong = || format!("{text:?}: a move reads like ７六歩(77), 同　銀成(33) or ５五角打");
    let (to, rest) = match text.strip_prefix('同') {
        Some(rest) => {
            let to = last_to.ok_or("同 says where the last move went, but there is none")?;
            (to, rest.trim_start())
        }
        None => {
            let mut letters = text.chars();
            let file = letters.next().and_then(digit);
            let rank = letters.next().and_then(digit);
            let square = file.zip(rank).and_then(|(file, rank)| Square::new(file, rank));
            (square.ok_or_else(wrong)?, letters.as_str())
        }
    };
    let (kind, rest) = take_piece(rest).ok_or_else(wrong)?;
    if let Some(rest) = rest.strip_prefix('打') {
        let piece = Piece::new(kind, game.position().side_to_move());
        return Ok((Move::Drop { piece, to }, rest));
    }
    let (promote, rest) = match rest.strip_prefix('成') {
        Some(rest) => (true, rest),
        None => (false, rest.strip_prefix("不成").unwrap_or(rest)),
    };
    let inner = rest.strip_prefix('(').and_then(|rest| rest.split_once(')'));
    let (from, rest) = inner.ok_or_else(wrong)?;
    let from = match from.as_bytes() {
        &[file, rank] => Square::new(file.wrapping_sub(b'0'), rank.wrapping_sub(b'0')),
        _ => None,
    };
    let from = from.ok_or_else(wrong)?;
    let there = game.position().piece_at(from).map(|piece| piece.piece_kind());
    if there.is_some_and(|there| there != kind) {
        return Err(format!("{}: another piece stands there", rest_before(text, rest)));
    }
    Ok((Move::Normal { from, to, promote }, rest))
}

/// `( 0:16/00:00:16)`: minutes and seconds for the move, then the total.
fn parse_time(text: &str) -> Option<u64> {
    let inner = text.trim_start().strip_prefix('(')?;
    let (own, _) = inner.split_once(['/', ')'])?;
    own.trim().split(':').try_fold(0_u64, |time_ms, part| {
        let part: u64 = part.trim().parse().ok()?;
        time_ms.checked_mul(60)?.checked_add(part.checked_mul(1_000)?)
    })
}

/// A diagram row after its first bar: `v香v桂 ・ 歩…|一`.
fn place_row(setup: &mut Setup, text: &str) -> Result<(), String> {
    let (cells, rank) =
        text.rsplit_once('|').ok_or("a diagram row ends with a bar and its rank")?;
    let rank = rank.trim().chars().next().and_then(digit).filter(|rank| (1..=9).contains(rank));
    let rank = rank.ok_or("a diagram row ends with its rank, 一 to 九")?;
    let mut rest = cells;
    for file in (1..=9).rev() {
        let square = Square::new(file, rank).ok_or("no such square")?;
        let (piece, left) = take_cell(rest)?;
        setup.board[square.array_index()] = piece;
        rest = left;
    }
    match rest.trim().is_empty() {
        true => Ok(()),
        false => Err("a diagram row holds nine squares, this one more".to_owned()),
    }
}

fn take_cell(text: &str) -> Result<(Option<Piece>, &str), String> {
    let wrong = || "a diagram row holds nine squares like v香, 歩 or ・".to_owned();
    let (color, rest) = match text.chars().next() {
        Some('v' | 'V') => (Color::White, &text[1..]),
        Some(' ' | '^') => (Color::Black, &text[1..]),
        _ => (Color::Black, text),
    };
    if let Some(rest) = rest.strip_prefix('・') {
        return Ok((None, rest));
    }
    let (kind, rest) = take_piece(rest).ok_or_else(wrong)?;
    Ok((Some(Piece::new(kind, color)), rest))
}

/// Pieces in hand: `飛　金二　歩十三`.
fn hold(setup: &mut Setup, color: Color, text: &str) -> Result<(), String> {
    if text.is_empty() || text == "なし" {
        return Ok(());
    }
    for word in text.split_whitespace() {
        let (kind, count) = take_piece(word).ok_or_else(|| format!("{word:?} is no piece"))?;
        let mut number = 0_u8;
        for letter in count.chars() {
            number = match (letter, digit(letter)) {
                ('十', _) => number.max(1).saturating_mul(10),
                (_, Some(digit)) if number >= 10 => number.saturating_add(digit),
                (_, Some(digit)) => number.saturating_mul(10).saturating_add(digit),
                _ => return Err(format!("{word:?}: {count:?} is no number")),
            };
        }
        setup.add_to_hand(color, kind, number.max(1))?;
    }
    Ok(())
}
