//! Records of the Computer Shogi Association, as computer tournaments keep them.
//!
//! Versions 1 to 3 are read; 2.2 is written.

use std::fmt::Write;

use shogi_core::{Color, Hand, Move, Piece, PieceKind, Square};

use super::setup::Setup;
use super::{Body, Finish, Record, RecordError};
use crate::shogi::{Shogi, sfen};
use crate::{Game, Notation, Side};

const PIECES: [(&str, PieceKind); 14] = [
    ("FU", PieceKind::Pawn),
    ("KY", PieceKind::Lance),
    ("KE", PieceKind::Knight),
    ("GI", PieceKind::Silver),
    ("KI", PieceKind::Gold),
    ("KA", PieceKind::Bishop),
    ("HI", PieceKind::Rook),
    ("OU", PieceKind::King),
    ("TO", PieceKind::ProPawn),
    ("NY", PieceKind::ProLance),
    ("NK", PieceKind::ProKnight),
    ("NG", PieceKind::ProSilver),
    ("UM", PieceKind::ProBishop),
    ("RY", PieceKind::ProRook),
];

/// The first name of each finish is the one written.
const FINISHES: [(&str, Finish); 16] = [
    ("%TORYO", Finish::Resignation),
    ("%TIME_UP", Finish::TimeUp),
    ("%TSUMI", Finish::Mate),
    ("%KACHI", Finish::Declaration),
    ("%ILLEGAL_MOVE", Finish::IllegalMove),
    ("%+ILLEGAL_ACTION", Finish::Foul(Side::First)),
    ("%-ILLEGAL_ACTION", Finish::Foul(Side::Second)),
    ("%SENNICHITE", Finish::Repetition),
    ("%JISHOGI", Finish::Impasse),
    ("%HIKIWAKE", Finish::Impasse),
    ("%MAX_MOVES", Finish::MoveLimit),
    ("%CHUDAN", Finish::Interruption),
    ("%MATTA", Finish::Interruption),
    ("%FUZUMI", Finish::Interruption),
    ("%ERROR", Finish::Interruption),
    // The format has no word for a player who did not turn up.
    ("%TORYO", Finish::Default),
];

/// Reads the first game of a text.
///
/// ```
/// use senbon_games::shogi::record::{Finish, csa};
/// let record = csa::read("V2.2\nPI\n+\n+7776FU\nT12\n-3334FU\n%TORYO\n").unwrap();
/// assert_eq!(record.moves.len(), 2);
/// assert_eq!(record.finish, Some(Finish::Resignation));
/// assert_eq!(csa::read("PI\n+\n+7775FU\n").unwrap_err().line, 3);
/// ```
pub fn read(text: &str) -> Result<Record, RecordError> {
    read_games(text, 1).map(|mut games| games.pop().unwrap_or_default())
}

/// Reads every game of a text; games are separated by lines with a single slash.
pub fn read_all(text: &str) -> Result<Vec<Record>, RecordError> {
    read_games(text, usize::MAX)
}

fn read_games(text: &str, most: usize) -> Result<Vec<Record>, RecordError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut games = Vec::new();
    let mut reader = Reader::default();
    let mut last = 1;
    for (index, line) in text.lines().enumerate() {
        last = index + 1;
        if line.trim() == "/" {
            games.push(reader.finish().map_err(|what| RecordError::new(last, what))?);
            reader = Reader::default();
            if games.len() == most {
                return Ok(games);
            }
            continue;
        }
        reader.line(line).map_err(|what| RecordError::new(last, what))?;
    }
    if reader.started || games.is_empty() {
        games.push(reader.finish().map_err(|what| RecordError::new(last, what))?);
    }
    Ok(games)
}

/// One game being read.
struct Reader {
    started: bool,
    players: [String; 2],
    tags: Vec<(String, String)>,
    /// The start position until the first line that needs it.
    setup: Option<Setup>,
    body: Option<Body>,
}

impl Default for Reader {
    fn default() -> Self {
        let (started, players, tags) = Default::default();
        Reader { started, players, tags, setup: None, body: None }
    }
}

impl Reader {
    fn line(&mut self, line: &str) -> Result<(), String> {
        let line = line.trim_end();
        if line.is_empty() {
            return Ok(());
        }
        if let Some(comment) = line.strip_prefix('\'') {
            if let Some(body) = &mut self.body {
                body.comment(comment);
            }
            return Ok(());
        }
        self.started = true;
        // Names and values may hold commas; elsewhere they separate statements.
        if line.starts_with(['N', '$', 'V']) {
            return self.statement(line);
        }
        line.split(',').try_for_each(|statement| self.statement(statement.trim_end()))
    }

    fn statement(&mut self, text: &str) -> Result<(), String> {
        match text.as_bytes() {
            [] => Ok(()),
            [b'V', ..] => Ok(()),
            [b'N', b'+', ..] => self.head(|reader| reader.players[0] = text[2..].to_owned()),
            [b'N', b'-', ..] => self.head(|reader| reader.players[1] = text[2..].to_owned()),
            [b'$', ..] => {
                let (key, value) = text[1..].split_once(':').unwrap_or((&text[1..], ""));
                self.head(|reader| reader.tags.push((key.to_owned(), value.to_owned())))
            }
            [b'P', ..] => self.place(text),
            [b'+'] => self.side(Color::Black),
            [b'-'] => self.side(Color::White),
            [b'+' | b'-', ..] => self.mv(text),
            [b'T', ..] => self.time(text),
            [b'%', ..] => self.end(text),
            _ => Err(format!("{text:?} is no CSA statement")),
        }
    }

    /// Notes something of the head, which must come before the moves.
    fn head(&mut self, note: impl FnOnce(&mut Self)) -> Result<(), String> {
        if self.body.is_some() {
            return Err("this belongs before the moves".to_owned());
        }
        note(self);
        Ok(())
    }

    fn place(&mut self, text: &str) -> Result<(), String> {
        if self.body.is_some() {
            return Err("the start position must come before the moves".to_owned());
        }
        let setup = self.setup.get_or_insert_with(Setup::empty);
        let rest = text.get(2..).unwrap_or("");
        match text.as_bytes().get(1) {
            Some(b'I') => {
                *setup = Setup::of(&Shogi::start());
                pairs(rest, |square, kind| take_away(setup, square, kind))
            }
            Some(digit @ b'1'..=b'9') => place_row(setup, digit - b'0', rest),
            Some(b'+') => place_pieces(setup, Color::Black, rest),
            Some(b'-') => place_pieces(setup, Color::White, rest),
            _ => Err(format!("{text:?}: P is followed by I, 1 to 9, + or -")),
        }
    }

    fn side(&mut self, side: Color) -> Result<(), String> {
        if self.body.is_some() {
            return Err("the side to move is given a second time".to_owned());
        }
        let mut setup = self.setup.take().unwrap_or_else(|| Setup::of(&Shogi::start()));
        setup.side = side;
        let mut record = Record::new(setup.position()?);
        record.players = std::mem::take(&mut self.players);
        record.tags = std::mem::take(&mut self.tags);
        self.body = Some(Body::new(record));
        Ok(())
    }

    /// The body; a record that leaves out who begins starts with Black.
    fn body(&mut self) -> Result<&mut Body, String> {
        if self.body.is_none() {
            self.side(Color::Black)?;
        }
        self.body.as_mut().ok_or_else(|| "the start position is missing".to_owned())
    }

    fn mv(&mut self, text: &str) -> Result<(), String> {
        let body = self.body()?;
        if body.record.finish.is_some() {
            return Err("a move after the end of the game".to_owned());
        }
        let mv = parse_move(&body.game, text)?;
        body.play(mv).map_err(|what| format!("{text}: {what}"))
    }

    fn time(&mut self, text: &str) -> Result<(), String> {
        let time_ms = parse_seconds(&text[1..])
            .ok_or_else(|| format!("{text:?}: seconds must follow the T"))?;
        let body = self.body()?;
        if body.record.finish.is_none() {
            body.time(time_ms);
        }
        Ok(())
    }

    fn end(&mut self, text: &str) -> Result<(), String> {
        let finish = FINISHES.iter().find(|(name, _)| *name == text).map(|&(_, finish)| finish);
        let finish = finish.ok_or_else(|| format!("{text:?} is no known end of a game"))?;
        let body = self.body()?;
        if body.record.finish.is_some() {
            return Err("the game ends a second time".to_owned());
        }
        body.record.finish = Some(finish);
        Ok(())
    }

    fn finish(mut self) -> Result<Record, String> {
        if !self.started {
            return Err("there is no game".to_owned());
        }
        self.body()?;
        Ok(self.body.map(|body| body.record).unwrap_or_default())
    }
}

fn kind(name: &str) -> Option<PieceKind> {
    PIECES.iter().find(|(known, _)| *known == name).map(|&(_, kind)| kind)
}

fn csa_name(kind: PieceKind) -> &'static str {
    PIECES[kind.array_index()].0
}

/// Whole seconds, or seconds with a fraction as version 3 writes them, in milliseconds.
fn parse_seconds(text: &str) -> Option<u64> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || !digits(whole) || !digits(fraction) {
        return None;
    }
    let thousandths = format!("{:0<3}", fraction.get(..3).unwrap_or(fraction));
    whole.parse::<u64>().ok()?.checked_mul(1_000)?.checked_add(thousandths.parse().ok()?)
}

/// The square of two digits; `None` inside for `00`, the hand.
fn parse_square(text: &str) -> Result<Option<Square>, String> {
    if text == "00" {
        return Ok(None);
    }
    let square = match text.as_bytes() {
        &[file, rank] => Square::new(file.wrapping_sub(b'0'), rank.wrapping_sub(b'0')),
        _ => None,
    };
    square.map(Some).ok_or_else(|| format!("{text:?} is no square"))
}

/// Calls `put` with each square and piece of `82HI22KA`.
fn pairs(
    text: &str,
    mut put: impl FnMut(Option<Square>, &str) -> Result<(), String>,
) -> Result<(), String> {
    let mut rest = text;
    while !rest.is_empty() {
        let (Some(square), Some(piece)) = (rest.get(..2), rest.get(2..4)) else {
            return Err(format!("{rest:?}: a square and a piece (like 77FU) are expected"));
        };
        put(parse_square(square)?, piece)?;
        rest = &rest[4..];
    }
    Ok(())
}

fn take_away(setup: &mut Setup, square: Option<Square>, piece: &str) -> Result<(), String> {
    let square = square.ok_or("a piece can be taken away from the board only")?;
    let there = &mut setup.board[square.array_index()];
    if there.is_none_or(|there| csa_name(there.piece_kind()) != piece) {
        return Err(format!("there is no {piece} to take away"));
    }
    *there = None;
    Ok(())
}

fn place_pieces(setup: &mut Setup, color: Color, text: &str) -> Result<(), String> {
    pairs(text, |square, name| match (square, name) {
        (None, "AL") => {
            setup.rest_to_hand(color);
            Ok(())
        }
        (square, name) => {
            let kind = kind(name).ok_or_else(|| format!("{name:?} is no piece"))?;
            match square {
                None => setup.add_to_hand(color, kind, 1),
                Some(square) => {
                    let there = &mut setup.board[square.array_index()];
                    match there.replace(Piece::new(kind, color)) {
                        None => Ok(()),
                        Some(_) => Err(format!("two pieces on {}{}", square.file(), square.rank())),
                    }
                }
            }
        }
    })
}

/// A row like `-KY-KE * +FU…`: nine cells of three characters.
fn place_row(setup: &mut Setup, rank: u8, text: &str) -> Result<(), String> {
    if !text.is_ascii() {
        return Err("a row holds nine cells like +FU, -KY or \" * \"".to_owned());
    }
    // Trailing blanks of the last empty cell may be missing.
    let padded = format!("{text:<27}");
    for (index, cell) in padded.as_bytes().chunks(3).enumerate() {
        let cell = std::str::from_utf8(cell).unwrap_or("");
        let file = 9_u8.saturating_sub(index as u8);
        let Some(square) = Square::new(file, rank) else {
            return Err("a row holds nine cells, this one more".to_owned());
        };
        setup.board[square.array_index()] = parse_cell(cell)?;
    }
    Ok(())
}

fn parse_cell(cell: &str) -> Result<Option<Piece>, String> {
    if cell.trim() == "*" {
        return Ok(None);
    }
    let color = match cell.as_bytes().first() {
        Some(b'+') => Some(Color::Black),
        Some(b'-') => Some(Color::White),
        _ => None,
    };
    let piece = color.zip(cell.get(1..).and_then(kind));
    let piece = piece.map(|(color, kind)| Piece::new(kind, color));
    piece.map(Some).ok_or_else(|| format!("{cell:?} is no cell like +FU, -KY or \" * \""))
}

/// Reads a move like `+7776FU` in `game`: side, from, to, and the piece after the move.
pub fn parse_move(game: &Shogi, text: &str) -> Result<Move, String> {
    if !text.is_ascii() || text.len() != 7 {
        return Err(format!("{text:?}: a move reads like +7776FU"));
    }
    let color = if text.starts_with('+') { Color::Black } else { Color::White };
    if color != game.position().side_to_move() {
        return Err(format!("{text}: it is the other side's move"));
    }
    let kind = kind(&text[5..]).ok_or_else(|| format!("{text}: {:?} is no piece", &text[5..]))?;
    let to = parse_square(&text[3..5])?.ok_or_else(|| format!("{text}: 00 is no target"))?;
    let Some(from) = parse_square(&text[1..3])? else {
        return Ok(Move::Drop { piece: Piece::new(kind, color), to });
    };
    let moved = game.position().piece_at(from).map(|piece| piece.piece_kind());
    let Some(moved) = moved else { return Err(format!("{text}: there is no piece to move")) };
    let promote = moved.promote() == Some(kind);
    if !promote && moved != kind {
        let (moved, kind) = (sfen::name(moved), sfen::name(kind));
        return Err(format!("{text}: the piece to move is a {moved}, not a {kind}"));
    }
    Ok(Move::Normal { from, to, promote })
}

/// Reads a move like `+7776FU` that is legal in `game`, or says why it is not.
pub fn parse_legal_move(game: &Shogi, text: &str) -> Result<Move, String> {
    let mv = parse_move(game, text)?;
    game.check_legal(mv).map_err(|what| format!("{text}: {what}"))
}

/// Writes a move that is legal in `game`.
pub fn format_move(game: &Shogi, mv: Move) -> String {
    let sign = sign(game.position().side_to_move());
    let to = mv.to();
    let (from, kind) = match mv {
        Move::Drop { piece, .. } => ("00".to_owned(), Some(piece.piece_kind())),
        Move::Normal { from, promote, .. } => {
            let kind = game.position().piece_at(from).map(|piece| piece.piece_kind());
            let kind = if promote { kind.and_then(|kind| kind.promote()) } else { kind };
            (format!("{}{}", from.file(), from.rank()), kind)
        }
    };
    format!("{sign}{from}{}{}{}", to.file(), to.rank(), kind.map_or("", csa_name))
}

fn sign(color: Color) -> char {
    if color == Color::Black { '+' } else { '-' }
}

/// Writes a record.
pub fn write(record: &Record) -> String {
    let mut text = String::from("V2.2\n");
    for (name, sign) in record.players.iter().zip(['+', '-']) {
        if !name.is_empty() {
            let _ = writeln!(text, "N{sign}{}", one_line(name));
        }
    }
    for (key, value) in &record.tags {
        let _ = writeln!(text, "${}:{}", one_line(key), one_line(value));
    }
    write_start(&mut text, &record.start);
    let mut game = record.start.clone();
    for recorded in &record.moves {
        let _ = writeln!(text, "{}", format_move(&game, recorded.mv));
        if let Some(time_ms) = recorded.time_ms {
            let _ = writeln!(text, "T{}", time_ms / 1_000);
        }
        for line in recorded.comment.lines() {
            let _ = writeln!(text, "'{line}");
        }
        game.play(recorded.mv);
    }
    if let Some((name, _)) = FINISHES.iter().find(|&&(_, finish)| Some(finish) == record.finish) {
        let _ = writeln!(text, "{name}");
    }
    text
}

/// Line ends would break the format.
fn one_line(text: &str) -> String {
    text.replace(['\n', '\r'], " ")
}

fn write_start(text: &mut String, start: &Shogi) {
    if start.key() == Shogi::start().key() {
        text.push_str("PI\n+\n");
    } else {
        text.push_str(&format_position(start));
    }
}

/// Board, hands and side to move in lines of their own, `P1` to `P9` even at the usual start:
/// what every program reads.
pub fn format_position(game: &Shogi) -> String {
    let mut text = String::new();
    let position = game.position();
    for rank in 1..=9 {
        let _ = write!(text, "P{rank}");
        for square in (1..=9).rev().filter_map(|file| Square::new(file, rank)) {
            match position.piece_at(square) {
                None => text.push_str(" * "),
                Some(piece) => {
                    let _ = write!(text, "{}{}", sign(piece.color()), csa_name(piece.piece_kind()));
                }
            }
        }
        text.push('\n');
    }
    for color in Color::all() {
        let hand = position.hand(color);
        let held = Hand::all_hand_pieces().map(|kind| {
            format!("00{}", csa_name(kind)).repeat(hand.count(kind).unwrap_or(0).into())
        });
        let held: String = held.collect();
        if !held.is_empty() {
            let _ = writeln!(text, "P{}{held}", sign(color));
        }
    }
    let _ = writeln!(text, "{}", sign(position.side_to_move()));
    text
}
